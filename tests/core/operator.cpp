// core/operator_traits.hpp, core/evaluate.hpp and operators/operators.hpp: the description of the operators, and the
// run-time call.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

// A backend that supports only ARGMIN.
struct answer_backend {};

// "name in out? out!": ? optional, ! in place.
template <class Desc>
std::string operands_text() {
  std::string text;
  for (const operand_info& info : operator_traits<Desc>::operands)
    text += std::string(info.role == operand_role::input ? "in " : "out ") + std::string(info.name) +
            (info.optional ? "?" : "") + (info.in_place ? "!" : "") + "; ";
  return text;
}

template <class Desc>
std::string members_text() {
  std::string text;
  const auto add = [&](const attribute& entry) {
    text += std::string(entry.name) + (entry.companion.empty() ? "" : "+" + std::string(entry.companion)) + "; ";
  };
  for (const attribute& entry : operator_traits<Desc>::attributes) add(entry);
  text += "| ";
  for (const attribute& entry : operator_traits<Desc>::policies) add(entry);
  return text;
}

}  // namespace

template <>
struct goldml::kernel<argmin_desc, answer_backend> {
  static void run(const answer_backend&, const const_tensor_ref&, const tensor_ref& output, const argmin_desc&) {
    output.as<std::uint32_t>()[{0}] = 42;
  }
  template <class T, class Index>
  static void run(const answer_backend&, const tensor_view<const T>&, const tensor_view<Index>& output,
                  const argmin_desc&) {
    output[{0}] = 43;
  }
};

TEST_CASE("operators: DirectML's names and numbers", "[operator]") {
  CHECK(operator_traits<argmin_desc>::name == "ARGMIN");
  CHECK(operator_traits<nonzero_coordinates_desc>::name == "NONZERO_COORDINATES");
  CHECK(operator_traits<scatter_nd_desc>::name == "SCATTER_ND");
  CHECK(operator_traits<diagonal_matrix1_desc>::name == "DIAGONAL_MATRIX1");
  CHECK(operator_traits<argmax_desc>::name == "ARGMAX");
  CHECK(operator_traits<diagonal_matrix_desc>::name == "DIAGONAL_MATRIX");
  CHECK(operator_traits<fill_value_constant_desc>::name == "FILL_VALUE_CONSTANT");
  CHECK(operator_traits<slice1_desc>::name == "SLICE1");
  CHECK(operator_traits<argmin_desc>::enumerator == 137);
  CHECK(operator_traits<nonzero_coordinates_desc>::enumerator == 133);
  CHECK(operator_traits<scatter_nd_desc>::enumerator == 109);
  CHECK(operator_traits<diagonal_matrix1_desc>::enumerator == 163);
  CHECK(operator_traits<argmax_desc>::enumerator == 138);
  CHECK(operator_traits<diagonal_matrix_desc>::enumerator == 93);
  CHECK(operator_traits<fill_value_constant_desc>::enumerator == 103);
  CHECK(operator_traits<slice1_desc>::enumerator == 111);
}

TEST_CASE("operators: operands in the order of the C structures", "[operator]") {
  CHECK(operands_text<argmin_desc>() == "in InputTensor; out OutputTensor; ");
  CHECK(operands_text<nonzero_coordinates_desc>() ==
        "in InputTensor; out OutputCountTensor; out OutputCoordinatesTensor; ");
  CHECK(operands_text<scatter_nd_desc>() == "in InputTensor!; in IndicesTensor; in UpdatesTensor; out OutputTensor; ");
  CHECK(operands_text<diagonal_matrix1_desc>() == "in InputTensor?!; out OutputTensor; ");
  CHECK(operands_text<argmax_desc>() == "in InputTensor; out OutputTensor; ");
  CHECK(operands_text<diagonal_matrix_desc>() == "out OutputTensor; ");
  CHECK(operands_text<fill_value_constant_desc>() == "out OutputTensor; ");
  CHECK(operands_text<slice1_desc>() == "in InputTensor; out OutputTensor; ");
}

TEST_CASE("operators: attributes have DirectML's names, policies have goldml's", "[operator]") {
  CHECK(members_text<argmin_desc>() == "Axes+AxisCount; AxisDirection; | nan_policy; empty_axes; same_resource; ");
  CHECK(members_text<argmax_desc>() == "Axes+AxisCount; AxisDirection; | nan_policy; empty_axes; same_resource; ");
  CHECK(members_text<diagonal_matrix_desc>() == "Offset; Value; | value_conversion; ");
  CHECK(members_text<fill_value_constant_desc>() == "Value+ValueDataType; | ");
  CHECK(members_text<slice1_desc>() ==
        "InputWindowOffsets+DimensionCount; InputWindowSizes+DimensionCount; InputWindowStrides+DimensionCount; | "
        "zero_stride; same_resource; ");
  CHECK(members_text<nonzero_coordinates_desc>() == "| same_resource; ");
  CHECK(members_text<scatter_nd_desc>() ==
        "InputDimensionCount; IndicesDimensionCount; | range_policy; duplicates; in_place; same_resource; ");
  CHECK(members_text<diagonal_matrix1_desc>() ==
        "Value+ValueDataType; DiagonalFillBegin; DiagonalFillEnd; | in_place; same_resource; ");
}

TEST_CASE("operators: the first level of each", "[operator]") {
  CHECK(first_feature_level<argmin_desc>() == feature_level::level_3_0);
  CHECK(first_feature_level<nonzero_coordinates_desc>() == feature_level::level_3_0);
  CHECK(first_feature_level<scatter_nd_desc>() == feature_level::level_2_1);
  CHECK(first_feature_level<diagonal_matrix1_desc>() == feature_level::level_5_1);
  CHECK(first_feature_level<argmax_desc>() == feature_level::level_3_0);
  CHECK(first_feature_level<diagonal_matrix_desc>() == feature_level::level_2_0);
  CHECK(first_feature_level<fill_value_constant_desc>() == feature_level::level_2_1);
  CHECK(first_feature_level<slice1_desc>() == feature_level::level_2_1);
}

TEST_CASE("operators: the types that an operand takes at some level, for compile-time checks", "[operator]") {
  CHECK(ever_takes<argmin_desc>(0, data_type::int64));
  CHECK_FALSE(ever_takes<argmin_desc>(0, data_type::float64));
  CHECK_FALSE(ever_takes<argmin_desc>(1, data_type::float32));
  CHECK(ever_takes<scatter_nd_desc>(1, data_type::int64));
  CHECK_FALSE(ever_takes<nonzero_coordinates_desc>(0, data_type::int64));
  CHECK_FALSE(ever_takes<nonzero_coordinates_desc>(2, data_type::int32));
  CHECK(limits_at(operator_traits<argmin_desc>::operands[0], feature_level::level_2_1) == nullptr);
}

TEST_CASE("operators: found by name, with or without DirectML's prefix", "[operator]") {
  std::vector<std::string_view> found;
  const auto keep = [&]<class Desc>(std::type_identity<Desc>) { found.push_back(operator_traits<Desc>::name); };
  for_each_operator(all_operators{}, keep);
  const std::vector<std::string_view> names = found;
  CHECK(names.size() >= 85);
  CHECK(std::set(names.begin(), names.end()).size() == names.size());
  for (const std::string_view name : names) {
    found.clear();
    CHECK(visit_operator(name, keep));
    CHECK(visit_operator("DML_OPERATOR_" + std::string(name), keep));
    CHECK(found == std::vector<std::string_view>{name, name});
  }
  for (const std::string_view name : {"", "argmin", "GRV", "DML_OPERATOR_", "DIAGONAL_MATRI", "SCATTER_ND1"})
    CHECK_FALSE(visit_operator(name, keep));
}

TEST_CASE("operators: enumerators by name, with or without DirectML's prefix", "[operator]") {
  CHECK(static_cast<int>(axis_direction::increasing) == 0);
  CHECK(static_cast<int>(axis_direction::decreasing) == 1);
  CHECK(enumerator_name(axis_direction::increasing) == "INCREASING");
  CHECK(enumerator_name(axis_direction::decreasing) == "DECREASING");
  CHECK(enumerator_name(static_cast<axis_direction>(2)) == "not an enumerator");
  CHECK(enumerator_from_name<axis_direction>("DECREASING") == axis_direction::decreasing);
  CHECK(enumerator_from_name<axis_direction>("DML_AXIS_DIRECTION_INCREASING") == axis_direction::increasing);
  CHECK(enumerator_from_name<axis_direction>("SIDEWAYS") == std::nullopt);
  CHECK(enumerator_from_name<axis_direction>("DML_AXIS_DIRECTION_") == std::nullopt);
  CHECK(enumerator_from_name<nan_policy>("skip") == nan_policy::skip);
  CHECK(enumerator_from_name<nan_policy>("propagate") == nan_policy::propagate);
  CHECK(enumerator_name(nan_policy::propagate) == "propagate");
}

TEST_CASE("operators: the strict rulings are the defaults", "[operator]") {
  CHECK(argmin_desc{}.nan_policy == nan_policy::skip);
  CHECK(argmin_desc{}.empty_axes == empty_axes::allow);
  CHECK(argmax_desc{}.nan_policy == nan_policy::skip);
  CHECK(argmax_desc{}.empty_axes == empty_axes::allow);
  CHECK(diagonal_matrix_desc{}.value_conversion == value_conversion::refuse);
  CHECK(argmin_desc{}.axis_direction == axis_direction::increasing);
  CHECK(argmin_desc{}.axes.empty());
  CHECK(argmin_desc{}.feature_level == feature_level::latest);
  CHECK(nonzero_coordinates_desc{}.feature_level == feature_level::latest);
  CHECK(scatter_nd_desc{}.range_policy == range_policy::refuse);
  CHECK(scatter_nd_desc{}.duplicates == duplicates::refuse);
  CHECK_FALSE(scatter_nd_desc{}.in_place);
  CHECK_FALSE(diagonal_matrix1_desc{}.in_place);
  CHECK(diagonal_matrix1_desc{}.value.type() == std::nullopt);
}

TEST_CASE("operators: an unknown policy or level is a std::invalid_argument, not a violation", "[operator]") {
  const std::vector<float> input{3, 1, 2};
  std::vector<std::uint32_t> output(1, 77);
  const auto outcome = [&](const argmin_desc& desc) {
    try {
      argmin(reference, input, output, desc);
    } catch (const error&) {
      return "a violation";
    } catch (const std::invalid_argument&) {
      return "refused";
    }
    return "done";
  };
  argmin_desc desc{.axes = {0}};
  desc.nan_policy = static_cast<nan_policy>(2);
  CHECK(std::string(outcome(desc)) == "refused");
  CHECK_THROWS_AS(validate(desc, input, output), std::invalid_argument);
  desc.nan_policy = nan_policy::skip;
  for (const std::uint32_t level : {0u, 0x2800u, 0x6500u}) {
    desc.feature_level = static_cast<feature_level>(level);
    CHECK(std::string(outcome(desc)) == "refused");
  }
  CHECK(output[0] == 77);
  desc.feature_level = feature_level::level_6_4;
  CHECK(std::string(outcome(desc)) == "done");
}

TEST_CASE("evaluate: the run-time call", "[operator]") {
  const std::vector<float> input{3, 1, 2};
  std::vector<std::uint32_t> output(1, 77);
  const std::array inputs{const_tensor_ref(tensor_view{input, {3}})};
  const std::array outputs{tensor_ref(tensor_view{output, {1}})};
  evaluate(reference, argmin_desc{.axes = {0}}, inputs, outputs);
  CHECK(output[0] == 1);

  output[0] = 77;
  CHECK(refusal_of([&] { evaluate(reference, argmin_desc{.axes = {1}}, inputs, outputs); }) == "A4");
  CHECK(refusal_of([&] { evaluate(reference, argmin_desc{.axes = {0, 0}}, inputs, outputs); }) == "A5");
  CHECK(output[0] == 77);
}

TEST_CASE("evaluate: the numbers of inputs and outputs must be those of the operator", "[operator]") {
  const std::vector<float> input{3, 1, 2};
  std::vector<std::uint32_t> output(2, 77);
  const const_tensor_ref x = tensor_view{input, {3}};
  const tensor_ref y = tensor_view{output, {1}};
  const argmin_desc desc{.axes = {0}};
  const auto call = [&](const std::vector<const_tensor_ref>& inputs, const std::vector<tensor_ref>& outputs) {
    try {
      evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
    } catch (const error&) {
      return "a violation";
    } catch (const std::invalid_argument&) {
      return "refused";
    }
    return "done";
  };
  CHECK(std::string(call({}, {y})) == "refused");
  CHECK(std::string(call({x}, {})) == "refused");
  CHECK(std::string(call({x, x}, {y})) == "refused");
  CHECK(std::string(call({x}, {y, y})) == "refused");
  CHECK(std::string(call({x, x}, {})) == "refused");
  CHECK(std::string(call({}, {y, y})) == "refused");
  CHECK(output == std::vector<std::uint32_t>{77, 77});
  CHECK(std::string(call({x}, {y})) == "done");
}

TEST_CASE("backend: the kernel of a third-party backend is called after the same checks", "[operator]") {
  const std::vector<float> input{3, 1, 2};
  std::vector<std::uint32_t> output(1, 77);
  CHECK(supports<answer_backend, argmin_desc>);
  CHECK(supports<reference_backend, argmin_desc>);
  CHECK(refusal_of([&] { argmin(answer_backend{}, input, output, argmin_desc{.axes = {0, 0}}); }) == "A5");
  CHECK(output[0] == 77);
  argmin(answer_backend{}, input, output, argmin_desc{.axes = {0}});
  CHECK(output[0] == 43);
}
