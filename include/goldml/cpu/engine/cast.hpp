// Conversions of elements between all data types. Elements are brought into words: an integer is extended, a float
// becomes a FLOAT32 in words of 32 bits and a FLOAT64 in words of 64 bits. The smaller words serve all types of at most
// 32 bits. Few loops then serve all pairs of types. They compute on bits and integers (ledger L7), without branches, so
// that compilers vectorise them. The only arithmetic on floats is exact and has normal operands and results.
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
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/cast/halves.hpp>
#include <goldml/cpu/engine/element_wise/functions.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/operators/cast.hpp>

namespace goldml::detail {

// A floating-point format of Width bits.
template <int Width>
struct cast_format {
  using bits = simd::bits_of_size<std::size_t{Width} / 8>;
  static constexpr int width = Width;
  static constexpr int fraction = Width == 16 ? 10 : Width == 32 ? 23 : 52;
  static constexpr bits sign = static_cast<bits>(bits{1} << (Width - 1));
  static constexpr bits implicit_bit = static_cast<bits>(bits{1} << fraction);
  static constexpr bits bias = static_cast<bits>((bits{1} << (Width - fraction - 2)) - 1);
  static constexpr bits infinity = static_cast<bits>((2 * bias + 1) * implicit_bit);
  static constexpr bits quiet_nan = infinity | implicit_bit >> 1;
};

// The range of an integer type; `least` is the magnitude of the least value.
struct cast_range {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
};

// What one call does with each element.
struct cast_steps {
  enum class conversion { none, small_integer_to_float, integer_to_float, float_to_integer, clamp };

  data_type from;
  data_type to;
  bool is_signed = false;  // the input is
  conversion middle = conversion::none;
  cast_range range;
  int precision;  // of the output, in bits
  bool saturates;

  cast_steps(data_type from_type, data_type to_type, const cast_desc& desc)
      : from(from_type),
        to(to_type),
        precision(to_type == data_type::float16 ? 11 : to_type == data_type::float32 ? 24 : 53),
        saturates(desc.cast_overflow == cast_overflow::saturate) {
    const auto is_integer = [&](data_type type) {
      bool result = false;
      visit_data_type(a11_types{}, type, [&]<class T>(std::type_identity<T>) { result = std::is_integral_v<T>; });
      return result;
    };
    visit_data_type(a11_types{}, from, [&]<class T>(std::type_identity<T>) { is_signed = std::is_signed_v<T>; });
    visit_data_type(a11_types{}, to, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>)
        range = {std::uint64_t{0} - static_cast<std::uint64_t>((std::numeric_limits<T>::min)()),
                 static_cast<std::uint64_t>((std::numeric_limits<T>::max)())};
    });
    if (!is_integer(from))
      middle = is_integer(to) ? conversion::float_to_integer : conversion::none;
    else if (!is_integer(to))
      middle = element_size_in_bytes(from) <= 2 && element_size_in_bytes(to) <= 4 ? conversion::small_integer_to_float
                                                                                  : conversion::integer_to_float;
    else if (desc.integer_narrowing == integer_narrowing::clamp)
      middle = conversion::clamp;
  }

  bool fit_32_bits() const { return element_size_in_bytes(from) <= 4 && element_size_in_bytes(to) <= 4; }
};

// Converts blocks, in words of that type.
template <class Bits>
struct cast_loop {
  using bits = Bits;
  using signed_bits = std::make_signed_t<bits>;
  using format = cast_format<std::numeric_limits<bits>::digits>;
  using block = bits[element_wise_block];
  static constexpr bits sign_bit = format::sign;
  static constexpr bits implicit_bit = format::implicit_bit;
  static constexpr int fraction = format::fraction;
  static constexpr int width = format::width;

  template <class Set>
  GOLDML_INLINE static void run(Set set, const cast_steps& steps, const element_wise_blocks& blocks) {
    const std::size_t to_bytes = element_wise_block * element_size_in_bytes(steps.to);
    for (std::size_t b = 0; b < blocks.count; ++b) {
      block x;
      load(steps, blocks.from[0] + b * blocks.step[0], x);
      switch (steps.middle) {
        case cast_steps::conversion::none:
          break;
        case cast_steps::conversion::small_integer_to_float:
          each(x, [](bits v) GOLDML_INLINE_LAMBDA { return from_small_integer(v); });
          break;
        case cast_steps::conversion::integer_to_float:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return from_integer(v, steps.is_signed, steps.precision); });
          break;
        case cast_steps::conversion::float_to_integer:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return to_integer(v, steps.range, steps.saturates); });
          break;
        case cast_steps::conversion::clamp:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return clamped(v, steps.is_signed, steps.range); });
          break;
      }
      store(set, steps, x, blocks.to + b * to_bytes, blocks.streamed);
    }
  }

 private:
  template <class F>
  GOLDML_INLINE static void each(block& x, const F& f) {
    for (bits& v : x) v = f(v);
  }

  // f of the elements at `from`.
  template <class T, class F>
  GOLDML_INLINE static void load_as(const std::byte* from, block& x, const F& f) {
    for (std::size_t i = 0; i < element_wise_block; ++i) {
      T element;
      std::memcpy(&element, from + i * sizeof element, sizeof element);
      x[i] = f(element);
    }
  }
  template <class T>
  GOLDML_INLINE static void load_integer(const std::byte* from, block& x) {
    load_as<T>(from, x, [](T v) GOLDML_INLINE_LAMBDA { return static_cast<bits>(v); });  // sign-extended
  }
  GOLDML_INLINE static void load(const cast_steps& steps, const std::byte* from, block& x) {
    switch (steps.from) {
      case data_type::float16:
        return load_as<std::uint16_t>(from, x, [](bits v) GOLDML_INLINE_LAMBDA { return widened<cast_format<16>>(v); });
      case data_type::int8:
        return load_integer<std::int8_t>(from, x);
      case data_type::uint8:
        return load_integer<std::uint8_t>(from, x);
      case data_type::int16:
        return load_integer<std::int16_t>(from, x);
      case data_type::uint16:
        return load_integer<std::uint16_t>(from, x);
      default:
        break;
    }
    if constexpr (width == 64) {
      if (steps.from == data_type::float32)
        return load_as<std::uint32_t>(from, x, [](bits v) GOLDML_INLINE_LAMBDA { return widened<cast_format<32>>(v); });
      if (steps.from == data_type::int32) return load_integer<std::int32_t>(from, x);
      if (steps.from == data_type::uint32) return load_integer<std::uint32_t>(from, x);
    }
    std::memcpy(x, from, sizeof x);
  }

  template <class T, class Set, class F>
  GOLDML_INLINE static void store_as(Set, const block& x, std::byte* to, bool streamed, const F& f) {
    T results[element_wise_block];
    for (std::size_t i = 0; i < element_wise_block; ++i) results[i] = static_cast<T>(f(x[i]));
    simd::store_block<Set, sizeof results>(to, results, streamed);
  }
  template <class Set>
  GOLDML_INLINE static void store(Set set, const cast_steps& steps, const block& x, std::byte* to, bool streamed) {
    const auto same = [](bits v) GOLDML_INLINE_LAMBDA { return v; };
    if (steps.to == data_type::float16)
      return store_as<std::uint16_t>(
          set, x, to, streamed, [](bits v) GOLDML_INLINE_LAMBDA { return narrowed<cast_format<16>>(v); });
    if constexpr (width == 64)
      if (steps.to == data_type::float32)
        return store_as<std::uint32_t>(
            set, x, to, streamed, [](bits v) GOLDML_INLINE_LAMBDA { return narrowed<cast_format<32>>(v); });
    switch (element_size_in_bytes(steps.to)) {
      case 1:
        return store_as<std::uint8_t>(set, x, to, streamed, same);
      case 2:
        return store_as<std::uint16_t>(set, x, to, streamed, same);
      case sizeof(bits):
        return simd::store_block<Set, sizeof x>(to, x, streamed);
      default:
        return store_as<std::uint32_t>(set, x, to, streamed, same);
    }
  }

  GOLDML_INLINE static bits mask(bool condition) { return mask_of<bits>(condition); }

  // A number below 2^fraction as a float, exactly. (Where the processor rounds down, the difference 0 is negative.)
  GOLDML_INLINE static bits float_of(bits x) {
    using number = std::conditional_t<width == 32, float, double>;
    constexpr bits power = (format::bias + static_cast<bits>(fraction)) << fraction;  // 2^fraction
    return std::bit_cast<bits>(std::bit_cast<number>(power | x) - std::bit_cast<number>(power)) & ~sign_bit;
  }

  // An element of a narrower format. NaN is quiet.
  template <class From>
  GOLDML_INLINE static bits widened(bits x) {
    using number = std::conditional_t<width == 32, float, double>;
    const bits magnitude = x & (From::sign - 1u);
    const bits sign = (x ^ magnitude) << (width - From::width);
    const bits normal = (magnitude << (fraction - From::fraction)) + ((format::bias - From::bias) << fraction);
    // The last bit of a subnormal is 2^(1 - bias - fraction).
    constexpr bits unit = (format::bias + 1 - From::bias - static_cast<bits>(From::fraction)) << fraction;
    const auto last_places = std::bit_cast<number>(float_of(x & (From::implicit_bit - 1u)));
    const bits subnormal = std::bit_cast<bits>(last_places * std::bit_cast<number>(unit));
    const bits finite = select(mask(signed_bits(magnitude) < signed_bits(From::implicit_bit)), subnormal, normal);
    const bits special = select(mask(magnitude == From::infinity), format::infinity, format::quiet_nan);
    return sign | select(mask(signed_bits(magnitude) < signed_bits(From::infinity)), finite, special);
  }

  // A float rounded to a narrower format, to nearest even. NaN is quiet.
  template <class To>
  GOLDML_INLINE static bits narrowed(bits x) {
    const bits magnitude = x & ~sign_bit;
    const auto stored = static_cast<signed_bits>(magnitude >> fraction);
    // Subnormals are below the least result that is not zero, with or without the implicit bit.
    const bits significand = (magnitude & (implicit_bit - 1)) | implicit_bit;
    // The exponent that the result stores, which is 1 for the last bit of subnormals, too.
    const signed_bits wanted = stored - signed_bits(format::bias) + signed_bits(To::bias);
    const signed_bits exponent = (std::max)(wanted, signed_bits{1});
    // Drops all bits but one that are dropped; the last bit that is kept and those gone before decide on a half.
    const signed_bits distance = fraction - To::fraction - 1 + (exponent - wanted);
    const bits shift = static_cast<bits>((std::min)(distance, signed_bits{width - 1}));
    const bits twice = significand >> shift;
    const bits up = ((twice >> 1) & 1) | ((twice << shift) != significand ? 1u : 0u);
    const bits rounded = (twice + up) >> 1;
    // The implicit bit and a carry add to the exponent.
    const bits sum = (static_cast<bits>(exponent - 1) << To::fraction) + rounded;
    const bits number = static_cast<bits>((std::min)(static_cast<signed_bits>(sum), signed_bits{To::infinity}));
    const bits sign = (x ^ magnitude) >> (width - To::width);
    return sign | select(mask(signed_bits(magnitude) > signed_bits(format::infinity)), bits{To::quiet_nan}, number);
  }

  // A signed number of at most 17 bits, exactly, in a word of 32 bits.
  GOLDML_INLINE static bits from_small_integer(bits x) {
    if constexpr (width == 32)
      return std::bit_cast<bits>(static_cast<float>(static_cast<signed_bits>(x)));
    else
      return x;  // not called
  }

  // An integer rounded to `precision` bits, to nearest even. narrowed() then only finds its overflow; in words of 32
  // bits it also rounds numbers of up to 24 bits, which are exact here.
  GOLDML_INLINE static bits from_integer(bits x, bool is_signed, int precision) {
    const bits negative = static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1)) & mask(is_signed);
    const bits magnitude = (x ^ negative) - negative;
    // The position of the highest bit, from the exponent of the half of the bits that it is in.
    const bits upper = magnitude >> (width / 2);
    const bits in_upper = mask(upper != 0);
    const bits part = select(in_upper, upper, (magnitude | 1) & (~bits{0} >> (width / 2)));
    const bits exponent = (float_of(part) >> fraction) + (in_upper & (width / 2));  // with the bias
    const bits significand = magnitude << (format::bias + width - 1 - exponent);
    const int dropped = width - precision;
    const bits half = bits{1} << (dropped - 1);
    const bits kept = significand >> dropped;
    // Rounds up what is above a half, and a half if the last bit kept is set.
    const bits rest = (significand & (2 * half - 1)) + (kept & 1);
    const bits rounded = kept + (rest > half ? 1u : 0u);
    // The implicit bit and a carry add to the exponent.
    const bits number = ((exponent - 1) << fraction) + (rounded << (fraction + 1 - precision));
    return (number & mask(magnitude != 0)) | (negative & sign_bit);
  }

  // A float truncated toward zero, then the nearest integer of the range or, if it does not saturate, modulo 2^width.
  GOLDML_INLINE static bits to_integer(bits x, const cast_range& range, bool saturates) {
    const bits magnitude = x & ~sign_bit;
    const bits negative = static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1));
    const auto stored = static_cast<signed_bits>(magnitude >> fraction);
    const bits significand = (magnitude & (implicit_bit - 1)) | implicit_bit;  // subnormals are shifted out
    const signed_bits shift = stored - signed_bits(format::bias) - fraction;  // the last bit is 2^shift
    const signed_bits most = width - 1;
    const signed_bits none = 0;
    const bits right = static_cast<bits>((std::min)((std::max)(static_cast<signed_bits>(-shift), none), most));
    const bits left = static_cast<bits>((std::min)((std::max)(shift, none), most));
    const bits whole = ((significand >> right) << left) & mask(shift <= most);
    const bits limit = select(negative, static_cast<bits>(range.least), static_cast<bits>(range.greatest));
    const bits fits = mask(shift < width - fraction) & mask(whole <= limit);
    const bits number = select(fits | mask(!saturates), whole, limit);
    const bits result = number & mask(signed_bits(magnitude) <= signed_bits(format::infinity));
    return (result ^ negative) - negative;
  }

  // The integer of the range that is nearest.
  GOLDML_INLINE static bits clamped(bits x, bool is_signed, const cast_range& range) {
    const bits negative = static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1)) & mask(is_signed);
    const bits magnitude = (x ^ negative) - negative;
    const bits limit = select(negative, static_cast<bits>(range.least), static_cast<bits>(range.greatest));
    return ((std::min)(magnitude, limit) ^ negative) - negative;
  }
};

// output[c] = input[c], converted, between different data types. A template, so that only a unit with a run-time call
// instantiates the loops.
template <std::same_as<cpu_backend> Backend>
void cast_elements(const Backend& backend, const element_wise_tensors& tensors, const cast_desc& desc) {
  const cast_steps steps(tensors.type, tensors.output_type, desc);
  const auto set = backend.instruction_set();
  const half_conversion halves = half_conversion_for(set, tensors.type, tensors.output_type);
  const auto body = [&](const element_wise_blocks& blocks) {
    if (halves != nullptr)
      halves(blocks);
    else if (steps.fit_32_bits())
      simd::dispatch<cast_loop<std::uint32_t>>(set, steps, blocks);
    else
      simd::dispatch<cast_loop<std::uint64_t>>(set, steps, blocks);
  };
  run_element_wise(backend, tensors, element_wise_body(body));
}

}  // namespace goldml::detail
