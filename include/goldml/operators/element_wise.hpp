// The element-wise operators that do not round: each element of the output depends only on the elements with the same
// coordinates of the inputs. Their names, operands and data types are rows of element_wise_table.hpp.
// Pages: DML_ELEMENT_WISE_*_OPERATOR_DESC. Rules: ID, UN, RO, CL, MM, IF, LO and BI with numbers, SB0, SB1. Rulings:
// ledger E1..E8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/scalar_rules.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/operators/element_wise_descs.hpp>
#include <goldml/operators/element_wise_table.hpp>

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

// The attributes of a desc, in the order of the C structure.
template <class Desc>
inline constexpr auto element_wise_attributes = [] {
  if constexpr (is_clip<Desc>)
    return std::array{row<&Desc::scale_bias>("ScaleBias"), row<&Desc::min>("Min"), row<&Desc::max>("Max")};
  else if constexpr (is_clip1<Desc>)
    return std::array{row<&Desc::scale_bias>("ScaleBias"), row<&Desc::min>("Min", "MinMaxDataType"),
                      row<&Desc::max>("Max", "MinMaxDataType")};
  else if constexpr (requires(Desc desc) { desc.scale_bias; })
    return std::array{row<&Desc::scale_bias>("ScaleBias")};
  else if constexpr (requires(Desc desc) { desc.rounding_mode; })
    return std::array{row<&Desc::rounding_mode>("RoundingMode")};
  else if constexpr (requires(Desc desc) { desc.infinity_mode; })
    return std::array{row<&Desc::infinity_mode>("InfinityMode")};
  else
    return no_attributes;
}();

template <class Desc>
inline constexpr auto element_wise_policies = [] {
  if constexpr (is_clip<Desc> || is_clip1<Desc>)
    return std::array{row<&Desc::nan_policy>("nan_policy"), row<&Desc::inverted_range>("inverted_range"),
                      row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.nan_policy; })
    return std::array{row<&Desc::nan_policy>("nan_policy"), row<&Desc::same_resource>("same_resource")};
  else if constexpr (requires(Desc desc) { desc.shift_policy; })
    return std::array{row<&Desc::shift_policy>("shift_policy"), row<&Desc::same_resource>("same_resource")};
  else
    return std::array{row<&Desc::same_resource>("same_resource")};
}();

// UN4, RO4: the mode is an enumerator.
template <class Enum>
void check_mode(std::string_view rule, std::string_view member, Enum mode, const rule_report& report) {
  const auto value = static_cast<std::uint32_t>(mode);
  if (value >= enumeration<Enum>::values.size())
    report(rule, "", member, violation_text("{}", value), violation_text("0 to 2"));
}

// CL4: the bounds of CLIP1 have the output's data type. They share MinMaxDataType, so one violation is reported.
// Returns whether both have.
inline bool check_bound_types(const scalar& min, const scalar& max, const operand& output, const rule_report& report) {
  const auto differs = [&](const scalar& bound) { return bound.type() && *bound.type() != output.desc->data_type; };
  if (differs(min))
    check_value_type("CL4", "MinMaxDataType", "min", min, output, report);
  else if (differs(max))
    check_value_type("CL4", "MinMaxDataType", "max", max, output, report);
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

// SB0, SB1: ScaleBias on floats and on integers.
inline void check_scale_bias(bool given, const operand& input, const rule_report& report) {
  if (!given || !input.legal) return;
  const data_type type = input.desc->data_type;
  const bool is_float = type == data_type::float32 || type == data_type::float16 || type == data_type::float64;
  if (is_float)
    report("SB0", "", "ScaleBias", violation_text("given"), violation_text("null"),
           violation_text("goldml does not compute it yet"));
  else
    report("SB1", "", "ScaleBias", violation_text("given"), violation_text("null"),
           violation_text("its effect on {} is not specified", name_of(type)));
}

}  // namespace detail

template <element_wise_op Op>
struct operator_traits<element_wise_desc<Op>> {
  using desc_type = element_wise_desc<Op>;
  static constexpr const detail::element_wise_row& table_row = detail::element_wise_row_of<Op>;
  static constexpr std::string_view name = table_row.name;
  static constexpr std::uint32_t enumerator = table_row.enumerator;
  static constexpr bool moves = table_row.is(detail::element_wise_flag::moves);
  static constexpr bool in_place = table_row.is(detail::element_wise_flag::in_place);

  static constexpr auto& operands = detail::element_wise_operands<Op>;
  static constexpr auto& attributes = detail::element_wise_attributes<desc_type>;
  static constexpr auto& policies = detail::element_wise_policies<desc_type>;

  static void check_rules(const desc_type& desc, const operands_of<desc_type>& t, const rule_report& report) {
    if constexpr (requires { desc.infinity_mode; })
      detail::check_mode("UN4", "InfinityMode", desc.infinity_mode, report);
    if constexpr (requires { desc.rounding_mode; })
      detail::check_mode("RO4", "RoundingMode", desc.rounding_mode, report);
    if constexpr (detail::is_clip<desc_type> || detail::is_clip1<desc_type>) {
      const operand& output = t.back();
      bool comparable = output.legal;
      if constexpr (detail::is_clip1<desc_type>)
        comparable = comparable && detail::check_bound_types(desc.min, desc.max, output, report);
      if (comparable && desc.inverted_range == inverted_range::refuse)
        detail::check_range(desc.min, desc.max, output.desc->data_type, report);
    }
    if constexpr (requires { desc.scale_bias; }) detail::check_scale_bias(desc.scale_bias.has_value(), t[0], report);
  }
};

namespace detail {

// The C++ type of an output that tensor<T> overloads return: the input's or, where it is free, UINT8.
template <element_wise_op Op, class T>
using element_wise_result =
    std::conditional_t<element_wise_row_of<Op>.is(element_wise_flag::free_type), std::uint8_t, T>;

}  // namespace detail

// The public call of an operator, a function object: element_wise_min(backend, a, b, output, desc). The desc may be
// omitted. With owning tensors as inputs, and without an output, it returns the output. Throws error (T1..T12 and the
// operator's rules), with the output unchanged.
template <element_wise_op Op>
struct element_wise_function {
  using desc_type = element_wise_desc<Op>;
  static constexpr std::size_t input_count = detail::element_wise_row_of<Op>.input_count;

  template <class Backend, input_argument Input, output_argument Output>
  requires(input_count == 1) void operator()(const Backend& backend, const Input& input, Output&& output,
                                             const desc_type& desc = {}) const {
    call(backend, desc, std::forward<Output>(output), input);
  }
  template <class Backend, input_argument A, input_argument B, output_argument Output>
  requires(input_count == 2) void operator()(const Backend& backend, const A& a, const B& b, Output&& output,
                                             const desc_type& desc = {}) const {
    call(backend, desc, std::forward<Output>(output), a, b);
  }
  template <class Backend, input_argument Condition, input_argument A, input_argument B, output_argument Output>
  requires(input_count == 3) void operator()(const Backend& backend, const Condition& condition, const A& a, const B& b,
                                             Output&& output, const desc_type& desc = {}) const {
    call(backend, desc, std::forward<Output>(output), condition, a, b);
  }

  template <class Backend, class T>
  requires(input_count == 1) [[nodiscard]] auto operator()(const Backend& backend, const tensor<T>& input,
                                                           const desc_type& desc = {}) const {
    tensor<detail::element_wise_result<Op, T>> output(input.sizes());
    (*this)(backend, input, output, desc);
    return output;
  }
  template <class Backend, class T>
  requires(input_count == 2) [[nodiscard]] auto operator()(const Backend& backend, const tensor<T>& a,
                                                           const tensor<T>& b, const desc_type& desc = {}) const {
    tensor<detail::element_wise_result<Op, T>> output(a.sizes());
    (*this)(backend, a, b, output, desc);
    return output;
  }
  template <class Backend, class T>
  requires(input_count == 3) [[nodiscard]] auto operator()(const Backend& backend,
                                                           const tensor<std::uint8_t>& condition, const tensor<T>& a,
                                                           const tensor<T>& b, const desc_type& desc = {}) const {
    tensor<T> output(a.sizes());
    (*this)(backend, condition, a, b, output, desc);
    return output;
  }

 private:
  template <class Backend, class Output, class... Inputs>
  static void call(const Backend& backend, const desc_type& desc, Output&& output, const Inputs&... inputs) {
    static_assert(detail::alike_types<desc_type, input_view<Inputs>..., output_view<Output>>,
                  "goldml ELEMENT_WISE: these operands have the same data type (rules ID1, UN1, RO1, CL1, MM1, IF1, "
                  "LO1, BI1)");
    static_assert(detail::takes<desc_type, 0, input_view<first_of<Inputs...>>> &&
                      detail::takes<desc_type, input_count - 1, input_view<last_of<Inputs...>>> &&
                      detail::takes<desc_type, input_count, output_view<Output>>,
                  "goldml ELEMENT_WISE T3: no feature level has this data type");
    detail::call(backend, desc, std::tuple(detail::as_input(inputs)...),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }

  template <class... T>
  using first_of = std::tuple_element_t<0, std::tuple<T...>>;
  template <class... T>
  using last_of = std::tuple_element_t<sizeof...(T) - 1, std::tuple<T...>>;
};

// output[c] = f(inputs[c]), where f is
//   identity       x                        abs, negate    |x|, -x, which wrap on integers
//   sign           -1, 0 or 1               is_nan, is_infinity                            1 or 0
//   ceil, floor    the next integer         round          to an integer, by rounding_mode
//   clip           min(Max, max(Min, x))    clip1          max(Min, min(x, Max))
//   min, max       the number where the other is NaN; -0 is below +0
//   if             condition != 0 ? a : b
//   logical_*      1 or 0; any number that is not 0 is true; no comparison with NaN is true
//   bit_*          on the bits of any type; shifts are logical
// clang-format off
inline constexpr element_wise_function<element_wise_op::identity> element_wise_identity{};
inline constexpr element_wise_function<element_wise_op::abs> element_wise_abs{};
inline constexpr element_wise_function<element_wise_op::negate> element_wise_negate{};
inline constexpr element_wise_function<element_wise_op::sign> element_wise_sign{};
inline constexpr element_wise_function<element_wise_op::is_nan> element_wise_is_nan{};
inline constexpr element_wise_function<element_wise_op::is_infinity> element_wise_is_infinity{};
inline constexpr element_wise_function<element_wise_op::ceil> element_wise_ceil{};
inline constexpr element_wise_function<element_wise_op::floor> element_wise_floor{};
inline constexpr element_wise_function<element_wise_op::round> element_wise_round{};
inline constexpr element_wise_function<element_wise_op::clip> element_wise_clip{};
inline constexpr element_wise_function<element_wise_op::clip1> element_wise_clip1{};
inline constexpr element_wise_function<element_wise_op::min> element_wise_min{};
inline constexpr element_wise_function<element_wise_op::max> element_wise_max{};
inline constexpr element_wise_function<element_wise_op::condition> element_wise_if{};
inline constexpr element_wise_function<element_wise_op::logical_and> element_wise_logical_and{};
inline constexpr element_wise_function<element_wise_op::logical_or> element_wise_logical_or{};
inline constexpr element_wise_function<element_wise_op::logical_xor> element_wise_logical_xor{};
inline constexpr element_wise_function<element_wise_op::logical_not> element_wise_logical_not{};
inline constexpr element_wise_function<element_wise_op::logical_equals> element_wise_logical_equals{};
inline constexpr element_wise_function<element_wise_op::logical_greater_than> element_wise_logical_greater_than{};
inline constexpr element_wise_function<element_wise_op::logical_less_than> element_wise_logical_less_than{};
inline constexpr element_wise_function<element_wise_op::logical_greater_than_or_equal> element_wise_logical_greater_than_or_equal{};
inline constexpr element_wise_function<element_wise_op::logical_less_than_or_equal> element_wise_logical_less_than_or_equal{};
inline constexpr element_wise_function<element_wise_op::bit_and> element_wise_bit_and{};
inline constexpr element_wise_function<element_wise_op::bit_or> element_wise_bit_or{};
inline constexpr element_wise_function<element_wise_op::bit_xor> element_wise_bit_xor{};
inline constexpr element_wise_function<element_wise_op::bit_not> element_wise_bit_not{};
inline constexpr element_wise_function<element_wise_op::bit_count> element_wise_bit_count{};
inline constexpr element_wise_function<element_wise_op::bit_shift_left> element_wise_bit_shift_left{};
inline constexpr element_wise_function<element_wise_op::bit_shift_right> element_wise_bit_shift_right{};
// clang-format on

namespace detail {

template <std::size_t... I>
constexpr type_list<element_wise_desc<static_cast<element_wise_op>(I)>...> element_wise_list(std::index_sequence<I...>);

}  // namespace detail

using element_wise_operators =
    decltype(detail::element_wise_list(std::make_index_sequence<detail::element_wise_table.size()>{}));

}  // namespace goldml

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void check<element_wise_identity_desc>(const element_wise_identity_desc&, operands_of<element_wise_identity_desc>&, violation_sink&);
extern template void check<element_wise_abs_desc>(const element_wise_abs_desc&, operands_of<element_wise_abs_desc>&, violation_sink&);
extern template void check<element_wise_negate_desc>(const element_wise_negate_desc&, operands_of<element_wise_negate_desc>&, violation_sink&);
extern template void check<element_wise_sign_desc>(const element_wise_sign_desc&, operands_of<element_wise_sign_desc>&, violation_sink&);
extern template void check<element_wise_is_nan_desc>(const element_wise_is_nan_desc&, operands_of<element_wise_is_nan_desc>&, violation_sink&);
extern template void check<element_wise_is_infinity_desc>(const element_wise_is_infinity_desc&, operands_of<element_wise_is_infinity_desc>&, violation_sink&);
extern template void check<element_wise_ceil_desc>(const element_wise_ceil_desc&, operands_of<element_wise_ceil_desc>&, violation_sink&);
extern template void check<element_wise_floor_desc>(const element_wise_floor_desc&, operands_of<element_wise_floor_desc>&, violation_sink&);
extern template void check<element_wise_round_desc>(const element_wise_round_desc&, operands_of<element_wise_round_desc>&, violation_sink&);
extern template void check<element_wise_clip_desc>(const element_wise_clip_desc&, operands_of<element_wise_clip_desc>&, violation_sink&);
extern template void check<element_wise_clip1_desc>(const element_wise_clip1_desc&, operands_of<element_wise_clip1_desc>&, violation_sink&);
extern template void check<element_wise_min_desc>(const element_wise_min_desc&, operands_of<element_wise_min_desc>&, violation_sink&);
extern template void check<element_wise_max_desc>(const element_wise_max_desc&, operands_of<element_wise_max_desc>&, violation_sink&);
extern template void check<element_wise_if_desc>(const element_wise_if_desc&, operands_of<element_wise_if_desc>&, violation_sink&);
extern template void check<element_wise_logical_and_desc>(const element_wise_logical_and_desc&, operands_of<element_wise_logical_and_desc>&, violation_sink&);
extern template void check<element_wise_logical_or_desc>(const element_wise_logical_or_desc&, operands_of<element_wise_logical_or_desc>&, violation_sink&);
extern template void check<element_wise_logical_xor_desc>(const element_wise_logical_xor_desc&, operands_of<element_wise_logical_xor_desc>&, violation_sink&);
extern template void check<element_wise_logical_not_desc>(const element_wise_logical_not_desc&, operands_of<element_wise_logical_not_desc>&, violation_sink&);
extern template void check<element_wise_logical_equals_desc>(const element_wise_logical_equals_desc&, operands_of<element_wise_logical_equals_desc>&, violation_sink&);
extern template void check<element_wise_logical_greater_than_desc>(const element_wise_logical_greater_than_desc&, operands_of<element_wise_logical_greater_than_desc>&, violation_sink&);
extern template void check<element_wise_logical_less_than_desc>(const element_wise_logical_less_than_desc&, operands_of<element_wise_logical_less_than_desc>&, violation_sink&);
extern template void check<element_wise_logical_greater_than_or_equal_desc>(const element_wise_logical_greater_than_or_equal_desc&, operands_of<element_wise_logical_greater_than_or_equal_desc>&, violation_sink&);
extern template void check<element_wise_logical_less_than_or_equal_desc>(const element_wise_logical_less_than_or_equal_desc&, operands_of<element_wise_logical_less_than_or_equal_desc>&, violation_sink&);
extern template void check<element_wise_bit_and_desc>(const element_wise_bit_and_desc&, operands_of<element_wise_bit_and_desc>&, violation_sink&);
extern template void check<element_wise_bit_or_desc>(const element_wise_bit_or_desc&, operands_of<element_wise_bit_or_desc>&, violation_sink&);
extern template void check<element_wise_bit_xor_desc>(const element_wise_bit_xor_desc&, operands_of<element_wise_bit_xor_desc>&, violation_sink&);
extern template void check<element_wise_bit_not_desc>(const element_wise_bit_not_desc&, operands_of<element_wise_bit_not_desc>&, violation_sink&);
extern template void check<element_wise_bit_count_desc>(const element_wise_bit_count_desc&, operands_of<element_wise_bit_count_desc>&, violation_sink&);
extern template void check<element_wise_bit_shift_left_desc>(const element_wise_bit_shift_left_desc&, operands_of<element_wise_bit_shift_left_desc>&, violation_sink&);
extern template void check<element_wise_bit_shift_right_desc>(const element_wise_bit_shift_right_desc&, operands_of<element_wise_bit_shift_right_desc>&, violation_sink&);
// clang-format on
}  // namespace goldml
#endif
