// The golden numbers of ADAM_OPTIMIZER: sums are exact, and the rest has 128 bits (ledger AD-R1).
#pragma once

#include <cstdint>

#include <goldml/arithmetic/formula/adam.hpp>
#include <goldml/arithmetic/golden_number.hpp>
#include <goldml/operators/adam_optimizer.hpp>

namespace goldml::detail {

inline golden_number moving_average(const golden_number& beta, const golden_number& old, const golden_number& x,
                                    bool of_square) {
  if (!beta.is_finite() || !old.is_finite() || !x.is_finite())
    return formula::moving_average<golden_number>(beta, old, x, of_square);
  const arithmetic::wide y = of_square ? x.finite * x.finite : x.finite;
  return exact_total({beta.finite * old.finite, y, -(beta.finite * y)});
}

inline std::uint32_t training_step(const tensor_view<const std::uint32_t>& step) {
  return step[coordinate_tuple::filled(step.sizes().size(), 0)];
}

// What a call has once. make(attribute) is a number of the formula, power(beta, step) its power.
template <class N, class Make, class Power>
formula::adam_weights<N> adam_weights_of(const adam_optimizer_desc& desc, std::uint32_t step, const Make& make,
                                         const Power& power) {
  using formula::adam_correction;
  const bool plain = step == 0 && desc.adam_step_zero == adam_step_zero::plain;
  return {make(desc.learning_rate),
          plain ? make(1.0F) : adam_correction(power(desc.beta1, step), power(desc.beta2, step)), make(desc.beta1),
          make(desc.beta2), make(desc.epsilon)};
}
inline golden_number golden_power(float beta, std::uint32_t step) {
  return whole_power(golden_number(widened(beta)), step);
}
inline formula::adam_weights<golden_number> golden_adam_weights(const adam_optimizer_desc& desc, std::uint32_t step) {
  return adam_weights_of<golden_number>(
      desc, step, [](float x) { return golden_number(widened(x)); }, golden_power);
}

// The new elements, each rounded once.
template <class T>
formula::adam_numbers<T> golden_adam_step(const formula::adam_weights<golden_number>& weights, T parameter, T first,
                                          T second, T gradient) {
  const auto number = [](T x) { return golden_number(exact_double(x)); };
  const auto next =
      formula::adam_step<golden_number>({number(parameter), number(first), number(second)}, number(gradient), weights);
  return {rounded_number<T>(next.parameter), rounded_number<T>(next.first), rounded_number<T>(next.second)};
}

}  // namespace goldml::detail
