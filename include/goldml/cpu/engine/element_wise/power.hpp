// Powers, a block at a time. Of floats as doubles without branches, rounded if both ends of twice their error round to
// the same number; the rest, what needs no computation, and powers of integers one by one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/power.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/cpu/engine/element_wise/scale_bias.hpp>

namespace goldml::detail {

using power_block = std::array<double, element_wise_block>;

// The exponents of a block, which are elements of any type, or `all`.
struct power_exponents {
  void (*read)(const std::byte* from, power_block& to) = nullptr;
  bool are_integers = false;
  power_block all = {};
};
template <class T>
double number_of_bits(number_bits_of<T> x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<double>(static_cast<T>(x));
  else
    return double_of_bits<T>(x);
}
template <class T>
void read_exponents(const std::byte* from, power_block& to) {
  number_bits_of<T> bits[element_wise_block];
  std::memcpy(bits, from, sizeof bits);
  for (std::size_t i = 0; i < element_wise_block; ++i) to[i] = number_of_bits<T>(bits[i]);
}

struct power_loop {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set set, const power_exponents& exponents, const scale_and_bias<T>* scaled,
                                const element_wise_blocks& blocks, std::type_identity<T>) {
    using bits = number_bits_of<T>;
    power_block x, y = exponents.all;
    for (std::size_t block = 0; block < blocks.count; ++block) {
      bits elements[element_wise_block], results[element_wise_block], undecided[element_wise_block];
      std::memcpy(elements, blocks.from[0] + block * blocks.step[0], sizeof elements);
      if (exponents.read != nullptr) exponents.read(blocks.from[1] + block * blocks.step[1], y);
      if (scaled != nullptr)
        for (std::size_t i = 0; i < element_wise_block; ++i) elements[i] = (*scaled)(set, elements[i]);
      for (std::size_t i = 0; i < element_wise_block; ++i) x[i] = number_of_bits<T>(elements[i]);
      if constexpr (std::is_integral_v<T>) {
        std::fill_n(undecided, element_wise_block, bits{1});
      } else {
        for (std::size_t i = 0; i < element_wise_block; ++i) undecided[i] = power_of<T>(x[i], y[i], results[i]);
      }
      bits any = 0;
      for (std::size_t i = 0; i < element_wise_block; ++i) any |= undecided[i];
      if (any != 0)
        for (std::size_t i = 0; i < element_wise_block; ++i)
          if (undecided[i] != 0)
            results[i] = std::bit_cast<bits>(arithmetic::power_of<T>(x[i], y[i], exponents.are_integers));
      simd::store_block<Set, sizeof results>(blocks.to + block * sizeof results, results, blocks.streamed);
    }
  }

 private:
  // Returns 0 if `result` is x^y.
  template <class T>
  GOLDML_INLINE static number_bits_of<T> power_of(double x, double y, number_bits_of<T>& result) {
    using bits = number_bits_of<T>;
    constexpr double to_integer = 0x1.8p52, infinity = std::numeric_limits<double>::infinity();
    const double a = magnitude_of(x), shifted = y + to_integer;
    const arithmetic::approximation s = arithmetic::power_value(a, y);
    const bits low = rounded_bits<T>(s.value - 2 * s.error), high = rounded_bits<T>(s.value + 2 * s.error);
    const bits odd = static_cast<bits>((std::bit_cast<std::uint64_t>(shifted) & 1) << (8 * sizeof(bits) - 1));
    const bits negative = mask_of<bits>(x < 0);
    result = static_cast<bits>(low | (odd & negative));
    // Of a negative x, y is an integer below 2^31.
    const int has_sign = int{shifted - to_integer == y} & int{magnitude_of(y) < 0x1p31};
    const int is_computed = int{a > 0} & int{a < infinity} & int{magnitude_of(y) < infinity} & (has_sign | int{x > 0});
    return static_cast<bits>((low ^ high) | mask_of<bits>(is_computed == 0));
  }
};

template <class T>
void power_call(const cpu_backend& backend, const element_wise_tensors& tensors, const std::optional<float>& exponent,
                const std::optional<scale_bias>& by) {
  power_exponents exponents;
  if (exponent)
    exponents.all.fill(exact_double(*exponent));
  else
    visit_data_type(a8_types{}, tensors.last_type, [&]<class E>(std::type_identity<E>) {
      exponents.read = &read_exponents<E>;
      exponents.are_integers = std::is_integral_v<E>;
    });
  const auto set = backend.instruction_set();
  std::optional<scale_and_bias<T>> scaled;
  if (by) scaled.emplace(*by);
  const auto body = [&](const element_wise_blocks& blocks) {
    simd::dispatch<power_loop>(set, exponents, scaled ? &*scaled : nullptr, blocks, std::type_identity<T>{});
  };
  run_element_wise(backend, tensors, element_wise_body(body));
}

}  // namespace goldml::detail
