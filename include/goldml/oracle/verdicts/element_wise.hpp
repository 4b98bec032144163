// What a device may answer to the element-wise operators besides the golden value.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic.hpp>
#include <goldml/oracle/verdicts/element_wise_values.hpp>
#include <goldml/oracle/verdicts/scale_bias.hpp>

namespace goldml::detail {

// The operators that leave something open.
template <element_wise_op Op>
inline constexpr bool has_element_wise_verdicts = element_wise_row_of<Op>.is(element_wise_flag::flushes) &&
                                                  !element_wise_row_of<Op>.is(element_wise_flag::free_type);
template <>
inline constexpr bool has_element_wise_verdicts<element_wise_op::identity> = true;  // with ScaleBias
template <>
inline constexpr bool has_element_wise_verdicts<element_wise_op::bit_shift_left> = true;
template <>
inline constexpr bool has_element_wise_verdicts<element_wise_op::bit_shift_right> = true;

}  // namespace goldml::detail

namespace goldml::oracle {

template <element_wise_op Op>
requires(goldml::detail::has_element_wise_verdicts<Op>) struct verdict_traits<element_wise_desc<Op>>
    : operator_traits<element_wise_desc<Op>> {
  using desc_type = element_wise_desc<Op>;
  using traits = operator_traits<desc_type>;

  template <class = void>
  static void verdicts(const desc_type& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    if constexpr (requires { desc.fused_activation; }) {
      if (desc.fused_activation)
        return goldml::detail::add_fused_verdicts(desc, inputs[0], inputs[1], golden[0], false, result[0]);
    }
    if constexpr (goldml::detail::has_scale_bias<Op>)
      if (desc.scale_bias) return goldml::detail::add_scaled_verdicts<Op>(desc, inputs[0], golden[0], result[0]);
    if constexpr (goldml::detail::is_arithmetic<Op>)
      goldml::detail::add_arithmetic_verdicts<Op>(desc.accumulation, inputs[0], inputs[1], golden[0], result[0]);
    else if constexpr (Op != element_wise_op::identity)
      goldml::detail::add_element_wise_verdicts<Op>(desc, inputs, golden[0], result[0]);
  }
  template <class = void>
  static void flushed_verdicts(const desc_type& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed,
                               std::span<output_verdicts> result) requires(goldml::detail::returns_operand<Op> ||
                                                                           goldml::detail::is_arithmetic<Op> ||
                                                                           goldml::detail::has_scale_bias<Op>) {
    if (flushed[0].desc().data_type != data_type::float32) return;
    if constexpr (requires { desc.fused_activation; }) {
      if (desc.fused_activation)
        return goldml::detail::add_fused_verdicts(desc, inputs[0], inputs[1], flushed[0], true, result[0]);
    }
    if constexpr (goldml::detail::has_scale_bias<Op>)
      if (desc.scale_bias) return goldml::detail::add_flushed_scaled<Op>(desc, inputs[0], flushed[0], result[0]);
    if constexpr (goldml::detail::is_arithmetic<Op>)
      goldml::detail::add_flushed_arithmetic<Op>(inputs[0], inputs[1], result[0]);
    else if constexpr (goldml::detail::returns_operand<Op>)
      goldml::detail::add_flushed_extremes<Op>(desc, inputs, result[0]);
  }
  // A byte per element, and the interval of a result that is rounded, of a quotient two. Where operands are kept that
  // are flushed, a half of their two floats, as it counts twice.
  static std::uint64_t verdict_memory(const desc_type& desc,
                                      const std::array<operand, traits::table_row.input_count + 1>& t) {
    (void)desc;
    if constexpr (goldml::detail::has_scale_bias<Op>) {
      const bool doubles = t.back().desc->data_type == data_type::float64;
      const std::uint64_t each = 2 + (doubles ? sizeof(basic_interval<double>) : sizeof(interval));
      if (desc.scale_bias) return saturating_multiply(element_count(t.back().desc->sizes), each);
    }
    if (Op == element_wise_op::identity) return 0;
    if (goldml::detail::is_arithmetic<Op>)
      return saturating_multiply(element_count(t.back().desc->sizes),
                                 1 + sizeof(interval) * (Op == element_wise_op::divide ? 2 : 1));
    const bool keeps_operands = goldml::detail::returns_operand<Op> && t.back().desc->data_type == data_type::float32;
    return saturating_multiply(element_count(t.back().desc->sizes), keeps_operands ? 1 + sizeof(float) : 1);
  }
};

}  // namespace goldml::oracle
