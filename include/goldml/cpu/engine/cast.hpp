// Conversions of elements between all data types. An element is brought into 64 bits: an integer is extended, a float
// becomes a FLOAT64, which holds every FLOAT16 and FLOAT32. Few loops then serve all pairs of types. They compute on
// bits and integers (ledger L7). The only arithmetic on floats is exact and has normal operands and results.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/operators/cast.hpp>

namespace goldml::detail {

// A floating-point format: the bits of an element and of its fraction.
struct cast_format {
  int width;
  int fraction;

  std::uint64_t bias() const { return (std::uint64_t{1} << (width - fraction - 2)) - 1; }
  std::uint64_t infinity() const { return (2 * bias() + 1) << fraction; }
};

inline constexpr cast_format cast_format_of(data_type type) {
  return type == data_type::float16   ? cast_format{16, 10}
         : type == data_type::float32 ? cast_format{32, 23}
                                      : cast_format{64, 52};
}

// The range of an integer type; `least` is the magnitude of the least value.
struct cast_range {
  std::uint64_t least;
  std::uint64_t greatest;
};

// What one call does with each element.
struct cast_steps {
  enum class conversion { none, integer_to_float, float_to_integer, clamp };

  std::size_t from_width;  // bytes
  std::size_t to_width;
  bool is_signed;  // the input is
  bool is_narrow;  // the input is FLOAT16 or FLOAT32
  bool narrows;    // the output is
  cast_format from, to;
  conversion middle = conversion::none;
  cast_range range{};
  bool saturates;

  cast_steps(data_type from_type, data_type to_type, const cast_desc& desc)
      : from_width(element_size_in_bytes(from_type)),
        to_width(element_size_in_bytes(to_type)),
        is_signed(false),
        is_narrow(from_type == data_type::float16 || from_type == data_type::float32),
        narrows(to_type == data_type::float16 || to_type == data_type::float32),
        from(cast_format_of(from_type)),
        to(cast_format_of(to_type)),
        saturates(desc.cast_overflow == cast_overflow::saturate) {
    const auto is_integer = [&](data_type type) {
      bool result = false;
      visit_data_type(a11_types{}, type, [&]<class T>(std::type_identity<T>) { result = std::is_integral_v<T>; });
      return result;
    };
    visit_data_type(a11_types{}, from_type, [&]<class T>(std::type_identity<T>) { is_signed = std::is_signed_v<T>; });
    visit_data_type(a11_types{}, to_type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>)
        range = {std::uint64_t{0} - static_cast<std::uint64_t>((std::numeric_limits<T>::min)()),
                 static_cast<std::uint64_t>((std::numeric_limits<T>::max)())};
    });
    if (!is_integer(from_type))
      middle = is_integer(to_type) ? conversion::float_to_integer : conversion::none;
    else if (!is_integer(to_type))
      middle = conversion::integer_to_float;
    else if (desc.integer_narrowing == integer_narrowing::clamp)
      middle = conversion::clamp;
  }
};

// Converts blocks.
struct cast_loop {
  using bits = std::uint64_t;
  static constexpr bits sign_bit = bits{1} << 63;
  static constexpr bits implicit_bit = bits{1} << 52;
  static constexpr bits infinity = bits{0x7FF} << 52;
  static constexpr bits quiet_nan = infinity | implicit_bit >> 1;

  template <class Set>
  GOLDML_INLINE static void run(Set, const cast_steps& steps, const element_wise_blocks& blocks) {
    for (std::size_t b = 0; b < blocks.count; ++b) {
      bits x[element_wise_block];
      load(steps, blocks.from[0] + b * blocks.step[0], x);
      if (steps.is_narrow) each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return widened(v, steps.from); });
      switch (steps.middle) {
        case cast_steps::conversion::none:
          break;
        case cast_steps::conversion::integer_to_float:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return from_integer(v, steps.is_signed, steps.to.fraction + 1); });
          break;
        case cast_steps::conversion::float_to_integer:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return to_integer(v, steps.range, steps.saturates); });
          break;
        case cast_steps::conversion::clamp:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return clamped(v, steps.is_signed, steps.range); });
          break;
      }
      if (steps.narrows) each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return narrowed(v, steps.to); });
      store(steps, x, blocks.to + b * element_wise_block * steps.to_width);
    }
  }

 private:
  template <class F>
  GOLDML_INLINE static void each(bits (&x)[element_wise_block], const F& f) {
    for (bits& v : x) v = f(v);
  }

  template <class T>
  GOLDML_INLINE static void load_as(const std::byte* from, bits (&x)[element_wise_block]) {
    for (std::size_t i = 0; i < element_wise_block; ++i) {
      T element;
      std::memcpy(&element, from + i * sizeof element, sizeof element);
      x[i] = static_cast<bits>(element);  // sign-extended
    }
  }
  GOLDML_INLINE static void load(const cast_steps& steps, const std::byte* from, bits (&x)[element_wise_block]) {
    const bool extended = steps.is_signed && !steps.is_narrow;
    switch (steps.from_width) {
      case 1:
        return extended ? load_as<std::int8_t>(from, x) : load_as<std::uint8_t>(from, x);
      case 2:
        return extended ? load_as<std::int16_t>(from, x) : load_as<std::uint16_t>(from, x);
      case 4:
        return extended ? load_as<std::int32_t>(from, x) : load_as<std::uint32_t>(from, x);
      default:
        return load_as<std::uint64_t>(from, x);
    }
  }

  template <class T>
  GOLDML_INLINE static void store_as(const bits (&x)[element_wise_block], std::byte* to) {
    for (std::size_t i = 0; i < element_wise_block; ++i) {
      const auto element = static_cast<T>(x[i]);
      std::memcpy(to + i * sizeof element, &element, sizeof element);
    }
  }
  GOLDML_INLINE static void store(const cast_steps& steps, const bits (&x)[element_wise_block], std::byte* to) {
    switch (steps.to_width) {
      case 1:
        return store_as<std::uint8_t>(x, to);
      case 2:
        return store_as<std::uint16_t>(x, to);
      case 4:
        return store_as<std::uint32_t>(x, to);
      default:
        return store_as<std::uint64_t>(x, to);
    }
  }

  // An element of a narrower format as FLOAT64. NaN is quiet.
  GOLDML_INLINE static bits widened(bits x, const cast_format& format) {
    const bits magnitude = x & ((bits{1} << (format.width - 1)) - 1);
    const bits sign = (x ^ magnitude) << (64 - format.width);
    const bits normal = (magnitude << (52 - format.fraction)) + ((bits{1023} - format.bias()) << 52);
    // The last bit of a subnormal is 2^(1 - bias - fraction).
    const double unit = std::bit_cast<double>((bits{1024} - format.bias() - static_cast<bits>(format.fraction)) << 52);
    const bits subnormal = std::bit_cast<bits>(static_cast<double>(static_cast<std::int32_t>(magnitude)) * unit);
    const bits finite = magnitude >> format.fraction == 0 ? subnormal : normal;
    const bits special = magnitude == format.infinity() ? infinity : quiet_nan;
    return sign | (magnitude < format.infinity() ? finite : special);
  }

  // A FLOAT64 rounded to a narrower format, to nearest even. NaN is quiet.
  GOLDML_INLINE static bits narrowed(bits x, const cast_format& format) {
    const bits magnitude = x & ~sign_bit;
    const auto stored = static_cast<std::int64_t>(magnitude >> 52);
    const bits significand = (magnitude & (implicit_bit - 1)) | (stored == 0 ? 0 : implicit_bit);
    // The exponent that the result stores, which is 1 for the last bit of subnormals, too.
    const std::int64_t wanted = stored - 1023 + static_cast<std::int64_t>(format.bias());
    const std::int64_t exponent = wanted < 1 ? 1 : wanted;
    const std::int64_t distance = 52 - format.fraction + (exponent - wanted);
    const auto shift = static_cast<int>(distance < 63 ? distance : 63);
    const bits half = (bits{1} << shift) >> 1;
    const bits rounded = (significand + (half - 1) + (significand >> shift & 1)) >> shift;
    // The implicit bit and a carry add to the exponent.
    const bits sum = (static_cast<bits>(exponent - 1) << format.fraction) + rounded;
    const bits number = sum < format.infinity() ? sum : format.infinity();
    const bits nan = format.infinity() | bits{1} << (format.fraction - 1);
    return x >> 63 << (format.width - 1) | (magnitude > infinity ? nan : number);
  }

  // An integer rounded to `precision` bits, to nearest even, as FLOAT64. narrowed() then only finds its overflow.
  GOLDML_INLINE static bits from_integer(bits x, bool is_signed, int precision) {
    const bool negative = is_signed && x >> 63 != 0;
    const bits magnitude = negative ? bits{0} - x : x;
    const int zeros = std::countl_zero(magnitude | 1);
    const bits significand = magnitude << zeros;  // the highest bit is set, unless x is 0
    const int dropped = 64 - precision;
    const bits half = bits{1} << (dropped - 1);
    const bits rest = significand & (2 * half - 1);
    const bits kept = significand >> dropped;
    const bits rounded = kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
    // The implicit bit and a carry add to the exponent.
    const bits number = (static_cast<bits>(1022 + 63 - zeros) << 52) + (rounded << (53 - precision));
    return magnitude == 0 ? 0 : number | (negative ? sign_bit : 0);
  }

  // A FLOAT64 truncated toward zero, then the nearest integer of the range or, if it does not saturate, modulo 2^64.
  GOLDML_INLINE static bits to_integer(bits x, const cast_range& range, bool saturates) {
    const bits magnitude = x & ~sign_bit;
    const bool negative = magnitude != x;
    const auto stored = static_cast<std::int64_t>(magnitude >> 52);
    const bits significand = (magnitude & (implicit_bit - 1)) | (stored == 0 ? 0 : implicit_bit);
    const std::int64_t shift = stored - 1075;  // the last bit of the significand is 2^shift
    const auto right = static_cast<int>(shift > 0 ? 0 : shift < -63 ? 63 : -shift);
    const auto left = static_cast<int>(shift < 0 ? 0 : shift > 63 ? 63 : shift);
    const bits whole = shift > 63 ? 0 : significand >> right << left;
    const bits limit = negative ? range.least : range.greatest;
    const bool in_range = shift <= 11 && whole <= limit;  // 53 bits and 11 are 64
    const bits number = in_range || !saturates ? whole : limit;
    const bits result = magnitude > infinity ? 0 : number;
    return negative ? bits{0} - result : result;
  }

  // The integer of the range that is nearest.
  GOLDML_INLINE static bits clamped(bits x, bool is_signed, const cast_range& range) {
    const bool negative = is_signed && x >> 63 != 0;
    const bits magnitude = negative ? bits{0} - x : x;
    const bits limit = negative ? range.least : range.greatest;
    const bits result = magnitude < limit ? magnitude : limit;
    return negative ? bits{0} - result : result;
  }
};

// output[c] = input[c], converted, between different data types. A template, so that only a unit with a run-time call
// instantiates the loops.
template <std::same_as<cpu_backend> Backend>
void cast_elements(const Backend& backend, const element_wise_tensors& tensors, const cast_desc& desc) {
  const cast_steps steps(tensors.type, tensors.output_type, desc);
  const auto set = backend.instruction_set();
  const auto body = [&](const element_wise_blocks& blocks) {
    simd::dispatch<cast_loop, instruction_set::avx2>(set, steps, blocks);
  };
  run_element_wise(backend, tensors, element_wise_body(body));
}

}  // namespace goldml::detail
