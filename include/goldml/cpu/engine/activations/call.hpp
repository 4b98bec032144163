// An activation for the data types of its tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/core/value_conversion.hpp>
#include <goldml/cpu/engine/activations/functions.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/call.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/operators/activations.hpp>

namespace goldml::detail {

// For element_wise_loop.
template <arithmetic::activation_type F, class T>
struct rounded_activation_kernel {
  using bits = number_bits_of<T>;
  static constexpr std::size_t input_count = 1;

  explicit rounded_activation_kernel(const activation_desc<F>& desc)
      : alpha(function_of(desc).parameters[0]), beta(function_of(desc).parameters[1]) {
    if constexpr (number_bits<T>::is_float) {
      if (propagates_nan(desc)) relu_of_nan = rounded_bits<T>(std::numeric_limits<double>::quiet_NaN());
    } else if constexpr (F == arithmetic::activation_type::shrink) {
      const auto whole = [](float value) { return convert_value(value, data_type_of<T>, value_conversion::saturate); };
      bias = static_cast<bits>(whole(alpha)->template as<T>());
      threshold = whole(beta)->template as<T>();
    }
  }

  GOLDML_INLINE bits operator()(bits x) const {
    if constexpr (F == arithmetic::activation_type::shrink && !number_bits<T>::is_float) {
      const bool is_below = static_cast<T>(x)<-threshold, is_above = static_cast<T>(x)> threshold;
      const bits moved = static_cast<bits>(is_above ? x - bias : x + bias);
      return static_cast<bits>(moved & mask_of<bits>((int{is_above} | int{is_below}) != 0));
    } else {
      const bits y = rounded_activation<F, T>(alpha, beta, x);
      if constexpr (F == arithmetic::activation_type::relu && number_bits<T>::is_float)
        return static_cast<bits>(y | (mask_of<bits>(number_bits<T>::is_nan(x)) & relu_of_nan));
      else
        return y;
    }
  }

  float alpha;
  float beta;
  bits relu_of_nan = 0;
  bits bias = 0;  // of SHRINK on integers
  std::int64_t threshold = 0;
};

// What is computed as a double, with a relative error below arithmetic::function_error, and rounded if both ends of
// twice that error round to the same number. The rest, NaN and infinities are computed one by one.
template <arithmetic::activation_type F, class T>
struct fast_activation_kernel {
  using bits = number_bits_of<T>;

  explicit fast_activation_kernel(const activation& given)
      : f(given), a(widened(given.parameters[0])), b(widened(given.parameters[1])) {
    // Their limits for a parameter of 0 are no quotients.
    if constexpr (F == arithmetic::activation_type::celu || F == arithmetic::activation_type::softplus)
      undecided = mask_of<bits>(a == 0);
  }

  bits exact(bits x) const {
    return std::bit_cast<bits>(arithmetic::activation_rounded<T>(f, widened(std::bit_cast<T>(x))));
  }

  activation f;
  double a, b;
  bits undecided = 0;  // all bits set if nothing is decided
};

struct fast_activation_loop {
  template <class Set, arithmetic::activation_type F, class T>
  GOLDML_INLINE static void run(Set, const fast_activation_kernel<F, T>& kernel, const element_wise_blocks& blocks) {
    using bits = number_bits_of<T>;
    constexpr double error = 2 * arithmetic::function_error;
    for (std::size_t block = 0; block < blocks.count; ++block) {
      bits x[element_wise_block], results[element_wise_block], undecided[element_wise_block];
      double y[element_wise_block];
      std::memcpy(x, blocks.from[0] + block * blocks.step[0], sizeof x);
      for (std::size_t i = 0; i < element_wise_block; ++i)
        y[i] = fast_activation<F>(kernel.a, kernel.b, double_of_bits<T>(x[i]));
      bits any = 0;
      for (std::size_t i = 0; i < element_wise_block; ++i) {
        results[i] = rounded_bits<T>(y[i] * (1 - error));
        const bits high = rounded_bits<T>(y[i] * (1 + error));
        const bits finite =
            mask_of<bits>(number_bits<T>::magnitude(x[i]) <
                          static_cast<typename number_bits<T>::signed_bits>(number_bits<T>::infinity()));
        undecided[i] = static_cast<bits>((results[i] ^ high) | static_cast<bits>(~finite) | kernel.undecided);
        any |= undecided[i];
      }
      if (any != 0)
        for (std::size_t i = 0; i < element_wise_block; ++i)
          if (undecided[i] != 0) results[i] = kernel.exact(x[i]);
      simd::store_block<Set, sizeof results>(blocks.to + block * sizeof results, results, blocks.streamed);
    }
  }
};

// Tensors of type T.
template <arithmetic::activation_type F, class T>
void activation_of(const cpu_backend& backend, const element_wise_tensors& tensors, const activation_desc<F>& desc) {
  const auto set = backend.instruction_set();
  const auto run = [&](const auto& body) { run_element_wise(backend, tensors, element_wise_body(body)); };
  if constexpr (rounds_once(F)) {
    const rounded_activation_kernel<F, T> kernel(desc);
    run([&](const element_wise_blocks& blocks) {
      simd::dispatch<element_wise_loop>(set, kernel, blocks, std::type_identity<number_bits_of<T>>{});
    });
  } else {
    const fast_activation_kernel<F, T> kernel(function_of(desc));
    run([&](const element_wise_blocks& blocks) { simd::dispatch<fast_activation_loop>(set, kernel, blocks); });
  }
}

template <arithmetic::activation_type F>
void activation_call(const cpu_backend& backend, const element_wise_tensors& tensors, const activation_desc<F>& desc) {
  using types = typename types_of_operand<activation_desc<F>, 0>::type;
  require_found(visit_data_type(types{}, tensors.type,
                                [&]<class T>(std::type_identity<T>) { activation_of<F, T>(backend, tensors, desc); }));
}

}  // namespace goldml::detail
