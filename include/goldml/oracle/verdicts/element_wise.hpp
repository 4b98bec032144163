// What a device may answer to the element-wise operators besides the golden value.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic.hpp>
#include <goldml/oracle/verdicts/element_wise_functions.hpp>
#include <goldml/oracle/verdicts/element_wise_gradient.hpp>
#include <goldml/oracle/verdicts/element_wise_pairs.hpp>
#include <goldml/oracle/verdicts/element_wise_power.hpp>
#include <goldml/oracle/verdicts/element_wise_values.hpp>
#include <goldml/oracle/verdicts/scale_bias.hpp>

namespace goldml::oracle {

namespace detail {

inline constexpr std::array<known_formula, 2> formulas_of_erf{
    {{"its approximation by tanh", [](double x) { return std::tanh(1.1283791670955126 * (x + 0.08943 * x * x * x)); },
      [](double) { return 1.1e-5; }},  // of a tanh that is 1e-5 off
     {"Abramowitz and Stegun 7.1.27",
      [](double x) {
        const double a = std::abs(x);
        const double p = 1 + a * (0.278393 + a * (0.230389 + a * (0.000972 + a * 0.078108)));
        return std::copysign(1 - 1 / (p * p * p * p), x);
      },
      [](double) { return 0x1p-20; }}}};

}  // namespace detail

template <element_wise_op Op>
struct verdict_traits<element_wise_desc<Op>> {
  using desc_type = element_wise_desc<Op>;
  using traits = operator_traits<desc_type>;

  static void verdicts(const desc_type& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    if constexpr (requires { desc.fused_activation; }) {
      if (desc.fused_activation)
        return goldml::detail::add_fused_verdicts(desc, inputs[0], inputs[1], golden[0], false, result[0]);
    }
    if constexpr (goldml::detail::is_function<Op>)
      return goldml::detail::add_elementary_verdicts(goldml::detail::elementary_of<Op>, desc.scale_bias,
                                                     desc.accumulation, inputs[0], golden[0], false, result[0]);
    else if constexpr (goldml::detail::is_power<Op>)
      return goldml::detail::add_power_verdicts<Op>(desc, inputs, golden[0], false, result[0]);
    else if constexpr (goldml::detail::has_scale_bias<Op>)
      if (desc.scale_bias) return goldml::detail::add_scaled_verdicts<Op>(desc, inputs[0], golden[0], result[0]);
    if constexpr (goldml::detail::is_of_gradient<Op>)
      goldml::detail::add_gradient_verdicts<Op>(desc, inputs[0], inputs[1], false, result[0]);
    else if constexpr (goldml::detail::is_pair<Op>)
      goldml::detail::add_pair_verdicts<Op>(desc.accumulation, inputs[0], inputs[1], golden[0], false, result[0]);
    else if constexpr (goldml::detail::is_arithmetic<Op>)
      goldml::detail::add_arithmetic_verdicts<Op>(desc.accumulation, inputs[0], inputs[1], golden[0], result[0]);
    else if constexpr (requires { desc.shift_policy; })
      goldml::detail::add_shift_verdicts<Op>(desc, inputs, result[0]);
    else if constexpr (Op != element_wise_op::identity && !goldml::detail::is_function<Op> &&
                       !goldml::detail::is_power<Op>)
      goldml::detail::add_element_wise_verdicts<Op>(desc, inputs, golden[0], result[0]);
  }
  static void flushed_verdicts(const desc_type& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (flushed[0].desc().data_type != data_type::float32) return;
    if constexpr (requires { desc.fused_activation; }) {
      if (desc.fused_activation)
        return goldml::detail::add_fused_verdicts(desc, inputs[0], inputs[1], flushed[0], true, result[0]);
    }
    if constexpr (goldml::detail::is_function<Op>)
      return goldml::detail::add_elementary_verdicts(goldml::detail::elementary_of<Op>, desc.scale_bias,
                                                     desc.accumulation, inputs[0], flushed[0], true, result[0]);
    else if constexpr (goldml::detail::is_power<Op>)
      return goldml::detail::add_power_verdicts<Op>(desc, inputs, flushed[0], true, result[0]);
    else if constexpr (goldml::detail::has_scale_bias<Op>)
      if (desc.scale_bias) return goldml::detail::add_flushed_scaled<Op>(desc, inputs[0], flushed[0], result[0]);
    if constexpr (goldml::detail::is_of_gradient<Op>)
      goldml::detail::add_gradient_verdicts<Op>(desc, inputs[0], inputs[1], true, result[0]);
    else if constexpr (goldml::detail::is_pair<Op>)
      goldml::detail::add_pair_verdicts<Op>(desc.accumulation, inputs[0], inputs[1], flushed[0], true, result[0]);
    else if constexpr (goldml::detail::is_arithmetic<Op>)
      goldml::detail::add_flushed_arithmetic<Op>(inputs[0], inputs[1], result[0]);
    else if constexpr (goldml::detail::returns_operand<Op>)
      goldml::detail::add_flushed_extremes<Op>(desc, inputs, result[0]);
  }
  // A byte per element, and the interval of a result that is rounded, of quotients and activations more. Where operands
  // are kept that are flushed, a half of their two floats, as it counts twice.
  static std::uint64_t verdict_memory(const desc_type& desc,
                                      const std::array<operand, traits::table_row.input_count + 1>& t) {
    (void)desc;
    if constexpr (goldml::detail::is_power<Op>)  // and an exponent
      return saturating_multiply(element_count(t.back().desc->sizes),
                                 1 + sizeof(basic_interval<double>) + more_interval_memory + sizeof(double));
    if constexpr (goldml::detail::is_function<Op> || goldml::detail::is_pair<Op>)
      return saturating_multiply(element_count(t.back().desc->sizes), 1 + sizeof(interval) + more_interval_memory);
    if constexpr (goldml::detail::has_scale_bias<Op>) {
      const bool doubles = t.back().desc->data_type == data_type::float64;
      const std::uint64_t each = 2 + (doubles ? sizeof(basic_interval<double>) : sizeof(interval));
      if (desc.scale_bias) return saturating_multiply(element_count(t.back().desc->sizes), each);
    }
    if (Op == element_wise_op::identity) return 0;
    if constexpr (goldml::detail::is_of_gradient<Op>)  // with the room of a vector that grows
      return saturating_multiply(element_count(t.back().desc->sizes),
                                 1 + sizeof(interval) + 3 * sizeof(goldml::detail::open_gradient<double>));
    if constexpr (goldml::detail::is_arithmetic<Op>) {
      bool has_more = Op == element_wise_op::divide;
      if constexpr (requires { desc.fused_activation; }) has_more = desc.fused_activation.has_value();
      const std::uint64_t zeros = Op == element_wise_op::divide && desc.accumulation != accumulation::single ? 192 : 0;
      return saturating_multiply(element_count(t.back().desc->sizes),
                                 1 + sizeof(interval) + (has_more ? more_interval_memory : 0) + zeros);
    }
    if constexpr (requires { desc.shift_policy; })
      return saturating_multiply(element_count(t.back().desc->sizes), element_size_in_bytes(t.back().desc->data_type));
    const bool keeps_operands = goldml::detail::returns_operand<Op> && t.back().desc->data_type == data_type::float32;
    return saturating_multiply(element_count(t.back().desc->sizes), keeps_operands ? 1 + sizeof(float) : 1);
  }

  // With ScaleBias, everything is in the verdicts.
  static std::optional<flushed_answer> flush_of(const desc_type& desc) {
    if constexpr (goldml::detail::has_scale_bias<Op>)
      if (desc.scale_bias) return flushed_answer::in_verdicts;
    if constexpr (goldml::detail::is_arithmetic<Op> || goldml::detail::is_of_gradient<Op> ||
                  goldml::detail::is_function<Op> || goldml::detail::is_pair<Op> || goldml::detail::is_power<Op>)
      return flushed_answer::in_verdicts;
    if constexpr (traits::table_row.is(goldml::detail::element_wise_flag::flushes)) return flushed_answer::per_element;
    return std::nullopt;
  }
  static bool to_alternative(desc_type& desc, data_type type, std::uint64_t) {
    return goldml::detail::round_scale_bias(desc, type);
  }

  // Of ERF.
  static std::span<const known_formula> known(const desc_type& desc) {
    if constexpr (Op == element_wise_op::erf)
      if (!desc.scale_bias) return detail::formulas_of_erf;
    (void)desc;
    return {};
  }

  static constexpr verdict_options<desc_type> options = [] {
    verdict_options<desc_type> result{.flush_of = &flush_of, .exact_nans = traits::table_row.codes.data_type == "BI1"};
    if constexpr (goldml::detail::leaves_open<Op>) {
      result.verdicts = &verdicts;
      result.verdict_memory = &verdict_memory;
    }
    if constexpr (goldml::detail::returns_operand<Op> || goldml::detail::is_arithmetic<Op> ||
                  goldml::detail::is_pair<Op> || goldml::detail::is_of_gradient<Op> ||
                  goldml::detail::has_scale_bias<Op>)
      result.flushed_verdicts = &flushed_verdicts;
    if constexpr (goldml::detail::has_scale_bias<Op>) result.to_alternative = &to_alternative;
    if constexpr (Op == element_wise_op::erf) result.known = &known;
    return result;
  }();
};

}  // namespace goldml::oracle
