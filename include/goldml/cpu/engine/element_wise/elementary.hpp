// Elementary functions, a block at a time: as doubles without branches, rounded if both ends of twice their error round
// to the same number. The rest, infinities and what is not computed so, are computed one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include <goldml/arithmetic/elementary.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/cpu/engine/element_wise/scale_bias.hpp>

namespace goldml::detail {

// The values of a block. One call for each block, so that the functions are compiled once for all data types.
struct elementary_values {
  template <class Set>
  GOLDML_INLINE static void run(Set, arithmetic::elementary f, const double* x, double* y) {
    of_any(f, x, y, std::make_index_sequence<arithmetic::elementary_count>{});
  }

 private:
  template <std::size_t... I>
  GOLDML_INLINE static void of_any(arithmetic::elementary f, const double* x, double* y, std::index_sequence<I...>) {
    const auto index = static_cast<std::size_t>(f);
    ((index == I ? of<static_cast<arithmetic::elementary>(I)>(x, y) : void()), ...);
  }
  template <arithmetic::elementary F>
  GOLDML_INLINE static void of(const double* x, double* y) {
    for (std::size_t i = 0; i < element_wise_block; ++i) y[i] = arithmetic::detail::fast_elementary<F>(x[i]);
  }
};

struct elementary_loop {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set set, arithmetic::elementary f, const scale_and_bias<T>* scaled,
                                const element_wise_blocks& blocks, std::type_identity<T>) {
    using bits = number_bits_of<T>;
    using n = number_bits<T>;
    constexpr double error = 2 * arithmetic::function_error;
    for (std::size_t block = 0; block < blocks.count; ++block) {
      bits x[element_wise_block], results[element_wise_block], undecided[element_wise_block];
      double number[element_wise_block], y[element_wise_block];
      std::memcpy(x, blocks.from[0] + block * blocks.step[0], sizeof x);
      if (scaled != nullptr)
        for (std::size_t i = 0; i < element_wise_block; ++i) x[i] = (*scaled)(set, x[i]);
      for (std::size_t i = 0; i < element_wise_block; ++i) number[i] = double_of_bits<T>(x[i]);
      simd::dispatch<elementary_values>(Set::value, f, number, y);
      bits any = 0;
      for (std::size_t i = 0; i < element_wise_block; ++i) {
        results[i] = rounded_bits<T>(y[i] * (1 - error));
        const bits high = rounded_bits<T>(y[i] * (1 + error));
        const bits special = mask_of<bits>(n::magnitude(x[i]) >= static_cast<typename n::signed_bits>(n::infinity()));
        undecided[i] = static_cast<bits>((results[i] ^ high) | special | mask_of<bits>(n::is_nan(high)));
        any |= undecided[i];
      }
      if (any != 0)
        for (std::size_t i = 0; i < element_wise_block; ++i)
          if (undecided[i] != 0)
            results[i] = std::bit_cast<bits>(arithmetic::elementary_rounded<T>(f, double_of_bits<T>(x[i])));
      simd::store_block<Set, sizeof results>(blocks.to + block * sizeof results, results, blocks.streamed);
    }
  }
};

template <class T>
void elementary_call(const cpu_backend& backend, const element_wise_tensors& tensors, arithmetic::elementary f,
                     const std::optional<scale_bias>& by) {
  const auto set = backend.instruction_set();
  std::optional<scale_and_bias<T>> scaled;
  if (by) scaled.emplace(*by);
  const auto body = [&](const element_wise_blocks& blocks) {
    simd::dispatch<elementary_loop>(set, f, scaled ? &*scaled : nullptr, blocks, std::type_identity<T>{});
  };
  run_element_wise(backend, tensors, element_wise_body(body));
}

}  // namespace goldml::detail
