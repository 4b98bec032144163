// A test operator: an attribute of every kind, shared counts and data types, and operands that are an array, optional,
// and related by every rule that a description can state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/activation_rules.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/validate.hpp>
#include <goldml/oracle/case.hpp>

namespace goldml_test {

using namespace goldml;

struct every_kind_desc {
  std::uint32_t group_count = 1;
  std::int32_t offset = 0;
  std::uint64_t limit = 0;
  float alpha = 0;
  bool inclusive = false;
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;
  dimensions sizes = {};  // the next three share one count
  int32_list strides = {};
  float32_list scales = {};
  dimensions axes = {};  // with its own count
  scalar start = {};     // the next two share one data type
  scalar delta = {};
  size_2d window = {};
  std::optional<scale_bias> adjustment = std::nullopt;
  std::optional<activation> fused = std::nullopt;
  activation_list activations = {};
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  bool in_place = false;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The same without attributes: for the rules that follow from the description of the operands.
struct joining_desc {
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

}  // namespace goldml_test

template <>
struct goldml::operator_traits<goldml_test::every_kind_desc> {
  using desc = goldml_test::every_kind_desc;
  static constexpr std::string_view name = "EVERY_KIND";
  static constexpr std::uint32_t enumerator = 63;  // DML_OPERATOR_JOIN, although its structure is different

  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_2_0, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensors", .role = operand_role::input, .limits = limits, .count = "InputCount"},
       {.name = "BiasTensor", .role = operand_role::input, .limits = limits, .optional = true},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};

  static constexpr std::array attributes{row<&desc::group_count>("GroupCount"),
                                         row<&desc::offset>("Offset"),
                                         row<&desc::limit>("Limit"),
                                         row<&desc::alpha>("Alpha"),
                                         row<&desc::inclusive>("Inclusive"),
                                         row<&desc::axis_direction>("AxisDirection"),
                                         row<&desc::sizes>("Sizes", "DimensionCount"),
                                         row<&desc::strides>("Strides", "DimensionCount"),
                                         row<&desc::scales>("Scales", "DimensionCount"),
                                         row<&desc::axes>("Axes", "AxisCount"),
                                         row<&desc::start>("ValueStart", "ValueDataType"),
                                         row<&desc::delta>("ValueDelta", "ValueDataType"),
                                         row<&desc::window>("WindowSize"),
                                         row<&desc::adjustment>("ScaleBias"),
                                         row<&desc::fused>("FusedActivation"),
                                         row<&desc::activations>("ActivationDescs", "ActivationDescCount")};
  static constexpr std::array policies{row<&desc::nan_policy>("nan_policy"), row<&desc::in_place>("in_place")};

  static void check_attributes(const desc& given, const operands_of<desc>&, const rule_report& report) {
    detail::check_no_tensors("E7", "FusedActivation", given.fused, report);
    detail::check_no_tensors("E7", "ActivationDescs", given.activations, report);
  }

  static constexpr operator_options<desc> options{.check_attributes = &check_attributes};
};

template <>
struct goldml::operator_traits<goldml_test::joining_desc> {
  static constexpr std::string_view name = "JOINING";
  static constexpr std::uint32_t enumerator = 62;  // DML_OPERATOR_SPLIT

  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_2_0, data_types_a11, 1, 4}}};
  // J1 types, J2 ranks, J3 sizes; the bias has only the output's type. Not in the order of their numbers.
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensors",
        .role = operand_role::input,
        .limits = limits,
        .count = "InputCount",
        .same_data_type_as = {"J1", 2},
        .same_rank_as = {"J2", 2},
        .same_sizes_as = {"J3", 2}},
       {.name = "BiasTensor",
        .role = operand_role::input,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"J1", 2}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits}}};
  static constexpr auto& attributes = no_attributes;
  static constexpr auto& policies = no_attributes;

  static void check_attributes(const goldml_test::joining_desc&, const operands_of<goldml_test::joining_desc>& t,
                               const rule_report& report) {
    if (t.size() == 6) report("J9", "", "InputCount", violation_text("4"), violation_text("any other"));
  }
  static void check_rules(const goldml_test::joining_desc&, const operands_of<goldml_test::joining_desc>& t,
                          const rule_report& report) {
    if (t.size() == 6) report("J0", "", "InputCount", violation_text("4"), violation_text("any other"));
  }

  static constexpr operator_options<goldml_test::joining_desc> options{.check_attributes = &check_attributes,
                                                                       .check_rules = &check_rules};
};

namespace goldml_test {

// A non-default value of each kind, including numbers at the ends of their ranges.
inline every_kind_desc filled_desc() {
  every_kind_desc desc;
  desc.group_count = 0xFFFF'FFFF;
  desc.offset = -2147483647 - 1;
  desc.limit = 0xFFFF'FFFF'FFFF'FFFF;
  desc.alpha = 0.1f;
  desc.inclusive = true;
  desc.axis_direction = axis_direction::decreasing;
  desc.sizes = {2, 0xFFFF'FFFF, 3};
  desc.strides = {-1, 2147483647, -2147483647 - 1};
  desc.scales = {0.5f, -0.0f, 1e-45f};
  desc.axes = {1};
  desc.start = std::int16_t{-7};
  desc.delta = std::int16_t{32767};
  desc.window = {5, 0xFFFF'FFFF};
  desc.adjustment = scale_bias{2.5f, -1.0f};
  desc.fused = activation{35, {0.25f, 0}};
  desc.activations = {activation{40, {1.5f, -2.0f}}, activation{44, {}}};
  desc.nan_policy = nan_policy::propagate;
  desc.in_place = true;
  desc.feature_level = feature_level::level_4_0;
  return desc;
}

}  // namespace goldml_test
