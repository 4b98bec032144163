// LP_NORMALIZATION: the elements of a slice divided by its norm, the sum of the magnitudes or the root of that of the
// squares. Feature level 1_0. Page: DML_LP_NORMALIZATION_OPERATOR_DESC. Rules: LP1 to LP5. Rulings: ledger LP-R1,
// LP-R2, NO-R1, NO-R8.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/normalisation_rules.hpp>

namespace goldml {

struct lp_normalization_desc {
  std::uint32_t axis = 0;
  float epsilon = 1e-5F;
  std::uint32_t p = 2;  // 1 or 2
  goldml::lp_epsilon lp_epsilon = goldml::lp_epsilon::any;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// The golden form, or that of one placement of Epsilon. P = 1 has no root.
inline arithmetic::normalisation_form lp_form(const lp_normalization_desc& desc, lp_epsilon placement) {
  if (placement == lp_epsilon::any) placement = lp_epsilon::max;
  if (desc.p == 1 && arithmetic::is_inside(placement))
    placement = arithmetic::is_added(placement) ? lp_epsilon::add : lp_epsilon::max;
  return {.uses_mean = false, .epsilon = widened(desc.epsilon), .norm = desc.p, .placement = placement};
}

}  // namespace detail

template <>
struct operator_traits<lp_normalization_desc> {
  using desc_type = lp_normalization_desc;
  static constexpr std::string_view name = "LP_NORMALIZATION";
  static constexpr std::uint32_t enumerator = 75;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_1_0, floats, 4, 4}, {feature_level::level_3_1, floats, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       detail::operand_like_input("OutputTensor", operand_role::output, limits, "LP1", "LP2", {"LP3", 0})}};
  static constexpr std::array attributes{row<&desc_type::axis>("Axis").axis_of(0, "LP4"),
                                         row<&desc_type::epsilon>("Epsilon"), row<&desc_type::p>("P")};
  static constexpr std::array policies{row<&desc_type::lp_epsilon>("lp_epsilon"),
                                       row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::same_resource>("same_resource")};

  // LP4, LP5.
  static void check_attributes(const desc_type& desc, const std::array<operand, 2>& t, const rule_report& report) {
    if (t[0].legal) detail::check_axis(attributes[0], desc.axis, t[0].desc->sizes.size(), report);
    if (desc.p != 1 && desc.p != 2) report("LP5", "", "P", violation_text("{}", desc.p), violation_text("1 or 2"));
  }
  static work_counts work(const desc_type&, const std::array<operand, 2>& t) {
    return detail::work_of_normalisation(std::nullopt, t);
  }
  static scratch_memory scratch(const desc_type& desc, const std::array<operand, 2>& t) {
    return detail::scratch_of_slice(t[0].desc->sizes, {desc.axis});
  }
  static constexpr operator_options<desc_type> options{
      .check_attributes = &check_attributes, .work = &work, .scratch = &scratch};
};

// output = input / max(N, Epsilon), rounded once; N is the sum of the magnitudes along Axis (P 1) or the root of the
// sum of the squares (P 2). FLOAT32 or FLOAT16, tensors have the same sizes. Throws error (T1..T12, LP1..LP5), with the
// output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void lp_normalization(const Backend& backend, const Input& input, Output&& output,
                      const lp_normalization_desc& desc = {}) {
  static_assert(detail::alike_types<lp_normalization_desc, input_view<Input>, output_view<Output>>,
                "goldml LP_NORMALIZATION LP1: the tensors have the same data type");
  static_assert(detail::takes<lp_normalization_desc, 0, input_view<Input>>,
                "goldml LP_NORMALIZATION T3: FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(lp_normalization_desc);
