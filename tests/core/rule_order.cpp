// The order in which broken rules are reported: T11; for each tensor T1..T10; the operator's codes, those on attributes
// before those that compare operands; T12. validate() and the calls name the first, violations() all.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::codes_of;
using rules::float_3_4;
using rules::uint_3_1;

const argmin_desc over_axis_1{.axes = {1}};

}  // namespace

TEST_CASE("order: T11 suppresses all other violations", "[rule_order]") {
  const argmin_desc early{.axes = {9, 9}, .feature_level = feature_level::level_2_1};
  const tensor_desc bad{.data_type = data_type::unknown, .sizes = {}, .type = tensor_type::invalid};
  CHECK(codes_of(violations(early, bad, tensor_ref())) == "T11");
  CHECK(rule_of(validate(early, bad, tensor_ref())) == "T11");
}

TEST_CASE("order: T2 to T10 of one tensor, by number", "[rule_order]") {
  // T4 and T5 suppress rules that need valid sizes, hence two lists.
  const tensor_desc no_sizes{.data_type = data_type::unknown,
                             .sizes = {0, 0},
                             .strides = {1},
                             .flags = static_cast<tensor_flags>(8),
                             .type = tensor_type::invalid};
  CHECK(codes_of(violations(over_axis_1, no_sizes, uint_3_1)) == "T2 T3 T4 T5 T5 T10");

  const tensor_desc output{.data_type = data_type::float32,
                           .sizes = {3, 1},
                           .strides = {0, 1},
                           .total_tensor_size_in_bytes = 3,
                           .guaranteed_base_offset_alignment = 3,
                           .flags = tensor_flags::owned_by_dml,
                           .type = tensor_type::invalid};
  CHECK(codes_of(violations(over_axis_1, float_3_4, output)) == "T2 T3 T7 T8 T9 T10");

  tensor_desc large = output;
  large.total_tensor_size_in_bytes = saturated;
  CHECK(codes_of(violations(over_axis_1, float_3_4, large)) == "T2 T3 T6 T8 T9 T10");
}

TEST_CASE("order: T1 comes before the other rules of its tensor", "[rule_order]") {
  const tensor_desc bad{.data_type = data_type::unknown, .sizes = {3, 4}, .type = tensor_type::invalid};
  CHECK(codes_of(violations(over_axis_1, const_tensor_ref(bad, nullptr), uint_3_1)) == "T1 T2 T3");
}

TEST_CASE("order: T1, a null pointer in a tensor is the only violation of the tensor", "[rule_order]") {
  operands_of<argmin_desc> operands{to_operand(float_3_4), to_operand(uint_3_1)};
  operands[0].null_member = "Sizes";
  operands[0].desc->sizes = {};
  std::vector<violation> all;
  violation_sink sink(&all);
  check(over_axis_1, operands, sink);
  CHECK(codes_of(all) == "T1");
  REQUIRE(all.size() == 1);
  CHECK(rules::missing_from(all[0], {"T1", "ARGMIN", "InputTensor", "Sizes", "null", "a pointer"}) == "");
}

TEST_CASE("order: tensors in the order of the C structure, for all rules", "[rule_order]") {
  tensor_desc flagged = float_3_4;
  flagged.flags = static_cast<tensor_flags>(2);
  tensor_desc typed = uint_3_1;
  typed.type = tensor_type::invalid;
  CHECK(codes_of(violations(over_axis_1, flagged, typed)) == "T10 T2");
  CHECK(rule_of(validate(over_axis_1, flagged, typed)) == "T10");

  const tensor_desc one{.data_type = data_type::float32, .sizes = {1, 1}};
  const tensor_desc index{.data_type = data_type::int32, .sizes = {1, 1}};
  tensor_desc bad_index = index;
  bad_index.sizes[1] = 0;
  tensor_desc bad_output = one;
  bad_output.data_type = data_type::unknown;
  const auto all = violations(scatter_nd_desc{}, one, bad_index, flagged, bad_output);
  REQUIRE(all.size() >= 3);
  CHECK(all[0].rule == "T5");
  CHECK(all[0].operand == "IndicesTensor");
  CHECK(all[1].rule == "T10");
  CHECK(all[1].operand == "UpdatesTensor");
  CHECK(all[2].rule == "T3");
  CHECK(all[2].operand == "OutputTensor");
}

TEST_CASE("order: the T rules of the last tensor come before the operator's own", "[rule_order]") {
  tensor_desc output{.data_type = data_type::uint32, .sizes = {4, 4}};
  output.flags = tensor_flags::owned_by_dml;
  CHECK(codes_of(violations(argmin_desc{.axes = {1, 1}}, float_3_4, output)) == "T10 A5");
}

TEST_CASE("order: T12 comes after the operator's own codes", "[rule_order]") {
  std::vector<std::uint32_t> words(64);
  const auto x = tensor_view{std::span(words).first(5), {3, 4}};        // 12 elements wanted
  const auto y = tensor_view{std::span(words).subspan(32, 2), {3, 2}};  // 6 wanted, and A3
  CHECK(codes_of(violations(over_axis_1, x, y)) == "A3 T12 T12");
  CHECK(refusal_of([&] { argmin(reference, x, y, over_axis_1); }) == "A3");
}

TEST_CASE("order: an operator's codes on attributes first, then those on operands by number", "[rule_order]") {
  const argmin_desc desc{.axes = {1, 1, 2}, .axis_direction = static_cast<axis_direction>(2)};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = {4, 4}};
  CHECK(codes_of(violations(desc, float_3_4, output)) == "A4 A5 A8");  // no size follows from wrong axes
  const argmin_desc sideways{.axes = {1}, .axis_direction = static_cast<axis_direction>(2)};
  CHECK(codes_of(violations(sideways, float_3_4, output)) == "A8 A2 A3");
  argmin_desc none{.axes = {}, .axis_direction = static_cast<axis_direction>(7)};
  const tensor_desc of_rank_1{.data_type = data_type::uint32, .sizes = {3}};
  CHECK(codes_of(violations(none, float_3_4, of_rank_1)) == "A8 A1");
  none.empty_axes = empty_axes::refuse;
  CHECK(codes_of(violations(none, float_3_4, of_rank_1)) == "A6 A8 A1");

  const nonzero_coordinates_desc at_3_0{.feature_level = feature_level::level_3_0};
  CHECK(codes_of(violations(at_3_0, tensor_desc{.data_type = data_type::int8, .sizes = {1, 1, 2, 3}},
                            tensor_desc{.data_type = data_type::uint32, .sizes = {1, 1, 1, 1, 2}},
                            tensor_desc{.data_type = data_type::uint32, .sizes = {1, 2, 1, 5, 6}})) ==
        "N1 N3 N4 N5 N6 N6");
}

TEST_CASE("order: validate() and every call report the first of violations()", "[rule_order]") {
  std::vector<std::uint32_t> words(64, 77);
  const argmin_desc desc{.axes = {1}, .axis_direction = static_cast<axis_direction>(2)};
  const auto x = tensor_view{std::span(words).first(12), {3, 4}};
  const auto y = tensor_view{std::span(words).subspan(32, 3), {4, 4}};
  const auto all = violations(desc, x, y);
  REQUIRE(codes_of(all) == "A8 A2 A3 T12");
  REQUIRE(validate(desc, x, y));
  CHECK(to_string(*validate(desc, x, y)) == to_string(all.front()));

  std::string typed;
  try {
    argmin(reference, x, y, desc);
  } catch (const error& refusal) {
    typed = refusal.what();
  }
  CHECK(typed == to_string(all.front()));
  std::string run_time;
  try {
    argmin(reference, const_tensor_ref(x), tensor_ref(y), desc);
  } catch (const error& refusal) {
    run_time = refusal.what();
  }
  CHECK(run_time == typed);
  CHECK(words == std::vector<std::uint32_t>(64, 77));
}

TEST_CASE("order: rules on invalid sizes are skipped, other rules are checked", "[rule_order]") {
  const tensor_desc empty{.data_type = data_type::float32, .sizes = {3, 0}};
  CHECK(codes_of(violations(argmin_desc{.axes = {1, 1}}, empty, uint_3_1)) == "T5 A5");
}
