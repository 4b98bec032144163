// The description and the rules of the element-wise operators, derived from the rows of element_wise_table.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/arithmetic/elementary.hpp>
#include <goldml/core/scalar_rules.hpp>
#include <goldml/core/validate.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/element_wise_descs.hpp>
#include <goldml/operators/element_wise_table.hpp>
#include <goldml/operators/fused_activation.hpp>

namespace goldml {

namespace detail {

template <class Desc>
inline constexpr bool is_clip = std::is_same_v<Desc, element_wise_desc<element_wise_op::clip>>;
template <class Desc>
inline constexpr bool is_clip1 = std::is_same_v<Desc, element_wise_desc<element_wise_op::clip1>>;

// A bound of CLIP or CLIP1 as an element. CLIP's is converted as CAST does: truncated toward zero and saturated on
// integers, where NaN is 0; rounded to nearest even on FLOAT16.
template <class T>
T clip_bound(float bound) {
  return convert_value(bound, data_type_of<T>, value_conversion::saturate)->template as<T>();
}
template <class T>
T clip_bound(const scalar& bound) {
  return bound.as<T>();
}

// Max; THRESHOLD has none.
template <class Desc>
auto upper_bound_of(const Desc& desc) {
  if constexpr (requires { desc.max; })
    return desc.max;
  else
    return std::numeric_limits<float>::infinity();
}

// The attributes of a desc, in the order of the C structure.
template <class Desc>
inline constexpr auto element_wise_attributes = [] {
  if constexpr (is_clip<Desc>)
    return std::array{row<&Desc::scale_bias>("ScaleBias"), row<&Desc::min>("Min"), row<&Desc::max>("Max")};
  else if constexpr (is_clip1<Desc>)
    return std::array{row<&Desc::scale_bias>("ScaleBias"), row<&Desc::min>("Min", "MinMaxDataType"),
                      row<&Desc::max>("Max", "MinMaxDataType")};
  else if constexpr (std::is_same_v<Desc, element_wise_threshold_desc>)
    return std::array{row<&Desc::scale_bias>("ScaleBias"), row<&Desc::min>("Min")};
  else if constexpr (std::is_same_v<Desc, element_wise_constant_pow_desc>)
    return std::array{row<&Desc::scale_bias>("ScaleBias"), row<&Desc::exponent>("Exponent")};
  else if constexpr (std::is_same_v<Desc, element_wise_clip_grad_desc>)
    return std::array{row<&Desc::min>("Min"), row<&Desc::max>("Max")};
  else if constexpr (std::is_same_v<Desc, element_wise_clip_grad1_desc>)
    return std::array{row<&Desc::min>("Min", "MinMaxDataType"), row<&Desc::max>("Max", "MinMaxDataType")};
  else if constexpr (requires(Desc desc) { desc.scale_bias; })
    return std::array{row<&Desc::scale_bias>("ScaleBias")};
  else if constexpr (requires(Desc desc) { desc.rounding_mode; })
    return std::array{row<&Desc::rounding_mode>("RoundingMode").enumerator("RO4")};
  else if constexpr (requires(Desc desc) { desc.infinity_mode; })
    return std::array{row<&Desc::infinity_mode>("InfinityMode").enumerator("UN4")};
  else if constexpr (requires(Desc desc) { desc.fused_activation; })
    return std::array{row<&Desc::fused_activation>("FusedActivation")};
  else
    return no_attributes;
}();

template <class Desc>
inline constexpr auto element_wise_policies = [] {
  if constexpr (is_clip<Desc> || is_clip1<Desc>)
    return std::array{row<&Desc::nan_policy>("nan_policy"), row<&Desc::inverted_range>("inverted_range"),
                      row<&Desc::integer_scale_bias>("integer_scale_bias"), row<&Desc::same_resource>("same_resource")};
  else if constexpr (std::is_same_v<Desc, element_wise_threshold_desc>)
    return std::array{row<&Desc::nan_policy>("nan_policy"), row<&Desc::integer_scale_bias>("integer_scale_bias"),
                      row<&Desc::same_resource>("same_resource")};
  else if constexpr (std::is_same_v<Desc, element_wise_constant_pow_desc>)
    return std::array{row<&Desc::accumulation>("accumulation"),
                      row<&Desc::constant_pow_integers>("constant_pow_integers"),
                      row<&Desc::integer_scale_bias>("integer_scale_bias"), row<&Desc::same_resource>("same_resource")};
  else if constexpr (std::is_same_v<Desc, element_wise_pow_desc>)
    return std::array{row<&Desc::accumulation>("accumulation"), row<&Desc::integer_scale_bias>("integer_scale_bias"),
                      row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.integer_scale_bias; })
    return std::array{row<&Desc::integer_scale_bias>("integer_scale_bias"), row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.nan_policy; })
    return std::array{row<&Desc::nan_policy>("nan_policy"), row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.in_place; })
    return std::array{row<&Desc::accumulation>("accumulation"), row<&Desc::in_place>("in_place"),
                      row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.accumulation; })
    return std::array{row<&Desc::accumulation>("accumulation"), row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.shift_policy; })
    return std::array{row<&Desc::shift_policy>("shift_policy"), row<&Desc::same_resource>("same_resource")};
  else
    return std::array{row<&Desc::same_resource>("same_resource")};
}();

// CL4, CG4: the bounds of CLIP1 and CLIP_GRAD1 have the output's data type. They share MinMaxDataType, so one violation
// is reported. Returns whether both have.
inline bool check_bound_types(std::string_view rule, const scalar& min, const scalar& max, const operand& output,
                              const rule_report& report) {
  const auto differs = [&](const scalar& bound) { return bound.type() && *bound.type() != output.desc->data_type; };
  if (differs(min))
    check_value_type(rule, "MinMaxDataType", "min", min, output, report);
  else if (differs(max))
    check_value_type(rule, "MinMaxDataType", "max", max, output, report);
  return !differs(min) && !differs(max);
}

// CL5: under the policy `refuse`, Min is not above Max. A NaN is never above or below.
template <class Bound>
void check_range(const Bound& min, const Bound& max, data_type type, const rule_report& report) {
  visit_data_type(a10_types{}, type, [&]<class T>(std::type_identity<T>) {
    const T low = clip_bound<T>(min);
    const T high = clip_bound<T>(max);
    if (!goldml::is_nan(low) && !goldml::is_nan(high) && order_key(low) > order_key(high))
      report("CL5", "", "Min", violation_text("{}", scalar(low)), violation_text("at most {}", scalar(high)),
             violation_text("Max, as policy inverted_range refuse asks"));
  });
}

// SB1: ScaleBias on integers.
template <class Desc>
void check_scale_bias(const Desc& desc, const operand& input, const rule_report& report) {
  if (!desc.scale_bias || !input.legal) return;
  if constexpr (requires { desc.integer_scale_bias; })
    if (desc.integer_scale_bias == integer_scale_bias::cast) return;
  const data_type type = input.desc->data_type;
  if (type != data_type::float32 && type != data_type::float16 && type != data_type::float64)
    report(
        "SB1", "", "ScaleBias", violation_text("given"), violation_text("null"),
        violation_text("its effect on {} is not specified; policy integer_scale_bias cast computes it", name_of(type)));
}

template <element_wise_op Op>
inline constexpr bool has_scale_bias = element_wise_row_of<Op>.is(element_wise_flag::scale_bias);

// Scale and Bias rounded to FLOAT16, as a device may on FLOAT16 tensors, for all elements (ledger L28). Returns whether
// that changes them.
template <class Desc>
bool round_scale_bias(Desc& desc, data_type type) {
  if (!desc.scale_bias || type != data_type::float16) return false;
  const auto half = [](float x) { return static_cast<float>(static_cast<float16>(x)); };
  const scale_bias given = *desc.scale_bias;
  desc.scale_bias = scale_bias{half(given.scale), half(given.bias)};
  const auto changed = [](float a, float b) { return !is_nan(a) && order_key(a) != order_key(b); };
  return changed(given.scale, desc.scale_bias->scale) || changed(given.bias, desc.scale_bias->bias);
}

template <element_wise_op Op>
inline constexpr bool is_of_gradient = element_wise_row_of<Op>.is(element_wise_flag::gradient);

template <element_wise_op Op>
inline constexpr bool is_function = element_wise_row_of<Op>.is(element_wise_flag::function);
template <element_wise_op Op>
inline constexpr auto elementary_of = static_cast<arithmetic::elementary>(static_cast<int>(Op) -
                                                                          static_cast<int>(element_wise_op::acos));
static_assert(elementary_of<element_wise_op::atanh> == arithmetic::elementary::atanh);

template <element_wise_op Op>
inline constexpr bool is_pair = element_wise_row_of<Op>.is(element_wise_flag::pair);

template <element_wise_op Op>
inline constexpr bool is_power = element_wise_row_of<Op>.is(element_wise_flag::power);

template <element_wise_op Op>
inline constexpr bool is_arithmetic = element_wise_row_of<Op>.is(element_wise_flag::rounds);

// The operators that return an operand or a bound, after comparing it.
template <element_wise_op Op>
inline constexpr bool returns_operand =
    Op == element_wise_op::min || Op == element_wise_op::max || Op == element_wise_op::clip ||
    Op == element_wise_op::clip1 || Op == element_wise_op::threshold;

// The operators that leave something open.
template <element_wise_op Op>
inline constexpr bool leaves_open = Op == element_wise_op::identity ||  // with ScaleBias
                                    Op == element_wise_op::bit_shift_left || Op == element_wise_op::bit_shift_right ||
                                    (element_wise_row_of<Op>.is(element_wise_flag::flushes) &&
                                     !element_wise_row_of<Op>.is(element_wise_flag::free_type));

}  // namespace detail

template <element_wise_op Op>
struct operator_traits<element_wise_desc<Op>> {
  using desc_type = element_wise_desc<Op>;
  static constexpr const detail::element_wise_row& table_row = detail::element_wise_row_of<Op>;
  static constexpr std::string_view name = table_row.name;
  static constexpr std::uint32_t enumerator = table_row.enumerator;

  static constexpr auto& operands = detail::element_wise_operands<Op>;
  static constexpr auto& attributes = detail::element_wise_attributes<desc_type>;
  static constexpr auto& policies = detail::element_wise_policies<desc_type>;

  static void check_rules(const desc_type& desc, const std::array<operand, table_row.input_count + 1>& t,
                          const rule_report& report) {
    if constexpr (requires { desc.infinity_mode; }) detail::check_enumerator(attributes[0], desc.infinity_mode, report);
    if constexpr (requires { desc.rounding_mode; }) detail::check_enumerator(attributes[0], desc.rounding_mode, report);
    if constexpr (detail::is_clip<desc_type> || detail::is_clip1<desc_type>) {
      const operand& output = t.back();
      bool comparable = output.legal;
      if constexpr (detail::is_clip1<desc_type>)
        comparable = comparable && detail::check_bound_types("CL4", desc.min, desc.max, output, report);
      if (comparable && desc.inverted_range == inverted_range::refuse)
        detail::check_range(desc.min, desc.max, output.desc->data_type, report);
    }
    if constexpr (Op == element_wise_op::clip_grad1)
      if (t.back().legal) detail::check_bound_types("CG4", desc.min, desc.max, t.back(), report);
    if constexpr (requires { desc.fused_activation; })
      detail::check_fused("FusedActivation", desc.fused_activation, detail::fusing_operator::element_wise,
                          desc.feature_level, report);
    if constexpr (detail::has_scale_bias<Op>) detail::check_scale_bias(desc, t[0], report);
  }

  // CONSTANT_POW without integers (ledger FN-R6).
  static std::span<const operand_limits> limits_of(const desc_type& desc, std::size_t operand) {
    if constexpr (requires { desc.constant_pow_integers; })
      if (desc.constant_pow_integers == constant_pow_integers::refuse) return detail::element_wise_limits::ceil_floor;
    return operands[operand].limits;
  }

  // The intervals of quotients and of a ScaleBias take longest.
  static work_counts work(const desc_type& desc, const std::array<operand, table_row.input_count + 1>& t) {
    work_counts total{.elements = element_count_of(t)};
    const std::uint64_t elements = element_count(t.back().desc->sizes);
    if constexpr (Op == element_wise_op::divide || detail::is_pair<Op>) total.judged = elements;
    if constexpr (detail::is_power<Op>) {
      total.judged = elements;
      total.functions = saturating_multiply(16, elements);
    }
    if constexpr (Op == element_wise_op::atan_yx) total.functions = saturating_multiply(12, elements);
    if constexpr (detail::is_function<Op>) {
      total.results = total.judged = elements;
      total.functions = saturating_multiply(Op == element_wise_op::erf ? 100 : 12, elements);  // of divisions
    }
    if constexpr (detail::has_scale_bias<Op>)
      if (desc.scale_bias) total.judged = saturating_multiply(2, elements);
    if constexpr (requires { desc.fused_activation; })
      total = total + detail::work_of_fused(desc.fused_activation, elements);
    return total;
  }

  static constexpr operator_options<desc_type> options{
      .limits_of = Op == element_wise_op::constant_pow ? &limits_of : nullptr,
      .check_rules = &check_rules,
      .work = &work,
      .in_place = table_row.is(detail::element_wise_flag::in_place | detail::element_wise_flag::first_in_place),
      .moves = table_row.is(detail::element_wise_flag::moves),
      .exact = !detail::leaves_open<Op>};
};

}  // namespace goldml
