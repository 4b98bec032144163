// Conversions of elements between all data types. Elements are brought into words: an integer is extended, a float
// becomes a FLOAT32 in words of 32 bits and a FLOAT64 in words of 64 bits. The smaller words serve all types of at most
// 32 bits. Few loops then serve all pairs of types.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/cast/halves.hpp>
#include <goldml/cpu/engine/cast/words.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/operators/cast.hpp>

namespace goldml::detail {

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
  using words = cast_words<Bits>;
  using block = bits[element_wise_block];
  static constexpr int width = words::width;

  template <class Set>
  GOLDML_INLINE static void run(Set set, const cast_steps& steps, const element_wise_blocks& blocks) {
    const std::size_t to_bytes = element_wise_block * element_size_in_bytes(steps.to);
    for (std::size_t b = 0; b < blocks.count; ++b) {
      blocks.prefetch_after(b);
      block x;
      load(steps, blocks.from[0] + b * blocks.step[0], x);
      switch (steps.middle) {
        case cast_steps::conversion::none:
          break;
        case cast_steps::conversion::small_integer_to_float:
          each(x, [](bits v) GOLDML_INLINE_LAMBDA { return words::from_small_integer(v); });
          break;
        case cast_steps::conversion::integer_to_float:
          each(x, [&](bits v)
                      GOLDML_INLINE_LAMBDA { return words::from_integer(v, steps.is_signed, steps.precision); });
          break;
        case cast_steps::conversion::float_to_integer:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return words::to_integer(v, steps.range, steps.saturates); });
          break;
        case cast_steps::conversion::clamp:
          each(x, [&](bits v) GOLDML_INLINE_LAMBDA { return words::clamped(v, steps.is_signed, steps.range); });
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
  template <class Format>
  GOLDML_INLINE static void load_float(const std::byte* from, block& x) {
    load_as<typename Format::bits>(
        from, x, [](bits v) GOLDML_INLINE_LAMBDA { return words::template widened<Format>(v); });
  }
  GOLDML_INLINE static void load(const cast_steps& steps, const std::byte* from, block& x) {
    switch (steps.from) {
      case data_type::float16:
        return load_float<cast_format<16>>(from, x);
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
      if (steps.from == data_type::float32) return load_float<cast_format<32>>(from, x);
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
  template <class Format, class Set>
  GOLDML_INLINE static void store_float(Set set, const block& x, std::byte* to, bool streamed) {
    store_as<typename Format::bits>(
        set, x, to, streamed, [](bits v) GOLDML_INLINE_LAMBDA { return words::template narrowed<Format>(v); });
  }
  template <class Set>
  GOLDML_INLINE static void store(Set set, const cast_steps& steps, const block& x, std::byte* to, bool streamed) {
    const auto same = [](bits v) GOLDML_INLINE_LAMBDA { return v; };
    if (steps.to == data_type::float16) return store_float<cast_format<16>>(set, x, to, streamed);
    if constexpr (width == 64)
      if (steps.to == data_type::float32) return store_float<cast_format<32>>(set, x, to, streamed);
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
