// What a device may answer to ADAM_OPTIMIZER (ledger AD-R1, FN-R12).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/formula/adam.hpp>
#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/adam_optimizer.hpp>
#include <goldml/operators/adam_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

inline formula::adam_weights<formula::device_number> device_adam_weights(const adam_optimizer_desc& desc,
                                                                         std::uint32_t step,
                                                                         const arithmetic_mode& mode) {
  using formula::device_number;
  const auto number = [&](float x) -> device_number {
    const double value = widened(x);
    if (!formula::may_flush(mode) || is_zero(value) || std::abs(value) >= 0x1p-126) return {value, mode};
    return {formula::possible{(std::min)(value, 0.0), (std::max)(value, 0.0), 0}, mode};  // or flushed
  };
  const auto power = [&](float beta, std::uint32_t n) {
    const golden_number exact = golden_power(beta, n);
    return formula::power_within(widened(beta), n, arithmetic::to_double(exact.finite), mode);
  };
  auto result = adam_weights_of<device_number>(desc, step, number, power);
  result.beta1 = {widened(desc.beta1), mode};
  result.beta2 = {widened(desc.beta2), mode};
  return result;
}

template <class Verdicts>
void add_adam_verdicts(const adam_optimizer_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, bool flushes, std::span<Verdicts> result) {
  using formula::device_number;
  visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto weights = device_adam_weights(desc, training_step(inputs[4].as<std::uint32_t>()), mode);
    const std::array x{inputs[0].as<T>(), inputs[1].as<T>(), inputs[2].as<T>(), inputs[3].as<T>()};
    const std::array y{golden[0].as<T>(), golden[1].as<T>(), golden[2].as<T>()};
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden[0].desc().sizes)) {
      const auto number = [&](std::size_t i) { return device_number(exact_double(T(x[i][c])), mode); };
      const auto next = formula::adam_step<device_number>({number(0), number(1), number(2)}, number(3), weights);
      if (next.parameter.all() == formula::possible::anything())
        result[0].make_undefined(element);
      else
        result[0].allow_interval_beside(element, formula::interval_of<T>(next.parameter, std::optional<T>(y[0][c])),
                                        interval_refusal::functions, T(y[0][c]));
      for (std::size_t i = 1; i < 3; ++i)
        result[i].allow_interval_beside(
            element, formula::interval_of<T>(i == 1 ? next.first : next.second, std::optional<T>(y[i][c])).allowed,
            T(y[i][c]));
      ++element;
    }
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<adam_optimizer_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_adam_verdicts(desc, inputs, golden, flushes, result);
  }
  // Of each element of the three outputs a byte and an interval, of the parameters two.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 8>& t) {
    return saturating_multiply(element_count(t[0].desc->sizes), 3 * (1 + sizeof(interval)) + more_interval_memory);
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
