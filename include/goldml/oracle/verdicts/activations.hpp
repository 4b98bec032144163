// What a device may answer to an activation besides the golden value (ledger AR-R4 to AR-R7, AR-R9, AR-R10).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/activations.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// RELU of integers is exact. With propagates_nan, NaN gives NaN only.
template <class Verdicts>
void add_activation_verdicts(const activation& f, bool propagates_nan, accumulation precision,
                             const const_tensor_ref& input, const tensor_ref& golden, Verdicts& result) {
  result.range.width = arithmetic::range_width(f);
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      if (!propagates_nan || !is_nan(x[c]))
        result.allow_interval_beside(
            element, arithmetic::own_activation_intervals<T>(f, widened(x[c]), false, precision), T(y[c]));
      ++element;
    }
  });
}

// What flushing FLOAT32 subnormals adds.
template <class Verdicts>
void add_flushed_activation(const activation& f, accumulation precision, const const_tensor_ref& input,
                            const tensor_ref& golden, Verdicts& result) {
  const auto x = input.as<float>();
  const auto y = golden.as<float>();
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
    if (precision == accumulation::single && arithmetic::is_flushing_lost(f, x[c], y[c])) {
      ++element;
      continue;
    }
    const double number = widened(x[c]);
    const element_intervals allowed = arithmetic::own_activation_intervals<float>(f, number, true, precision);
    if (allowed != arithmetic::own_activation_intervals<float>(f, number, false, precision))
      result.allow_intervals(element, allowed);
    ++element;
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

namespace detail {

inline constexpr std::array<known_formula, 2> formulas_of_gelu{
    {{"GELU's tanh form",
      [](double x) { return x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); },
      [](double x) { return std::abs(x) * 6e-6; }},  // of a tanh that is 1e-5 off
     {"x / (1 + e^(-1.702 x))", [](double x) { return x / (1 + std::exp(-1.702 * x)); },
      [](double x) { return std::abs(x) * 0x1p-18; }}}};

}  // namespace detail

// IDENTITY moves bits, and has none of these.
template <arithmetic::activation_type F>
requires(F != arithmetic::activation_type::identity) struct verdict_traits<activation_desc<F>> {
  using desc_type = activation_desc<F>;

  static void verdicts(const desc_type& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    goldml::detail::add_activation_verdicts(goldml::detail::function_of(desc), goldml::detail::propagates_nan(desc),
                                            desc.accumulation, inputs[0], golden[0], result[0]);
  }
  static void flushed_verdicts(const desc_type& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (flushed[0].desc().data_type == data_type::float32)
      goldml::detail::add_flushed_activation(goldml::detail::function_of(desc), desc.accumulation, inputs[0],
                                             flushed[0], result[0]);
  }
  // A byte per element, and its intervals.
  static std::uint64_t verdict_memory(const desc_type&, const std::array<operand, 2>& t) {
    return saturating_multiply(element_count(t[1].desc->sizes), 1 + sizeof(interval) + more_interval_memory);
  }

  static std::span<const known_formula> known(const desc_type&) {
    if constexpr (F == arithmetic::activation_type::gelu) return detail::formulas_of_gelu;
    return {};
  }

  static constexpr verdict_options<desc_type> options{.verdicts = &verdicts,
                                                      .flushed_verdicts = &flushed_verdicts,
                                                      .verdict_memory = &verdict_memory,
                                                      .flush_of = &flush_always<flushed_answer::in_verdicts>,
                                                      .known = &known};
};

}  // namespace goldml::oracle
