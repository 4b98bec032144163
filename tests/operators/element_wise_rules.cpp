// Violations of the element-wise operators: names and numbers of the pages, each operator's own rules, ScaleBias,
// memory in place, and their order.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using level = goldml::feature_level;
using types = std::vector<data_type>;

constexpr data_type f32 = data_type::float32, f16 = data_type::float16, f64 = data_type::float64, i8 = data_type::int8,
                    i32 = data_type::int32, i64 = data_type::int64, u8 = data_type::uint8, u32 = data_type::uint32,
                    u64 = data_type::uint64;

tensor_desc of(data_type type, const dimensions& sizes = {2, 3}) { return {.data_type = type, .sizes = sizes}; }

// The codes of a call with these tensors: inputs, then the output.
template <element_wise_op Op, class... Tensors>
std::string refused(const element_wise_desc<Op>& desc, const Tensors&... tensors) {
  return goldml_test::refused(
      64, desc, [&](const auto&... t) { element_wise_function<Op>{}(reference, t..., desc); }, tensors...);
}
template <class Desc, class... Tensors>
std::string message(const Desc& desc, const Tensors&... tensors) {
  return to_string(goldml_test::only_violation(desc, tensors...));
}

struct page {
  std::string_view name;
  std::uint32_t number;
  std::vector<std::string_view> operands;
  bool in_place;
};

const std::vector<std::string_view> one{"InputTensor", "OutputTensor"}, two{"ATensor", "BTensor", "OutputTensor"},
    three{"ConditionTensor", "ATensor", "BTensor", "OutputTensor"};
using enum goldml::feature_level;

// In the order of element_wise_operators. Their data types and dimensions by level: tests/core/operator_limits.cpp.
const std::array<page, 35> pages{{
    {"ELEMENT_WISE_IDENTITY", 1, one, true},
    {"ELEMENT_WISE_ABS", 2, one, true},
    {"ELEMENT_WISE_NEGATE", 156, one, true},
    {"ELEMENT_WISE_SIGN", 79, one, true},
    {"ELEMENT_WISE_IS_NAN", 80, one, false},
    {"ELEMENT_WISE_IS_INFINITY", 100, one, false},
    {"ELEMENT_WISE_CEIL", 7, one, true},
    {"ELEMENT_WISE_FLOOR", 12, one, true},
    {"ELEMENT_WISE_ROUND", 99, one, true},
    {"ELEMENT_WISE_CLIP", 8, one, true},
    {"ELEMENT_WISE_CLIP1", 153, one, true},
    {"ELEMENT_WISE_MIN", 23, two, true},
    {"ELEMENT_WISE_MAX", 21, two, true},
    {"ELEMENT_WISE_ADD", 4, two, true},
    {"ELEMENT_WISE_SUBTRACT", 30, two, true},
    {"ELEMENT_WISE_MULTIPLY", 24, two, true},
    {"ELEMENT_WISE_DIVIDE", 10, two, true},
    {"ELEMENT_WISE_ADD1", 89, two, true},
    {"ELEMENT_WISE_IF", 88, three, false},
    {"ELEMENT_WISE_LOGICAL_AND", 14, two, true},
    {"ELEMENT_WISE_LOGICAL_OR", 19, two, true},
    {"ELEMENT_WISE_LOGICAL_XOR", 20, two, true},
    {"ELEMENT_WISE_LOGICAL_NOT", 18, one, true},
    {"ELEMENT_WISE_LOGICAL_EQUALS", 15, two, false},
    {"ELEMENT_WISE_LOGICAL_GREATER_THAN", 16, two, false},
    {"ELEMENT_WISE_LOGICAL_LESS_THAN", 17, two, false},
    {"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", 126, two, false},
    {"ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", 127, two, false},
    {"ELEMENT_WISE_BIT_AND", 121, two, true},
    {"ELEMENT_WISE_BIT_OR", 122, two, true},
    {"ELEMENT_WISE_BIT_XOR", 123, two, true},
    {"ELEMENT_WISE_BIT_NOT", 124, one, true},
    {"ELEMENT_WISE_BIT_COUNT", 125, one, false},
    {"ELEMENT_WISE_BIT_SHIFT_LEFT", 97, two, true},
    {"ELEMENT_WISE_BIT_SHIFT_RIGHT", 98, two, true},
}};

template <class Desc>
void check_page(const page& p) {
  INFO(p.name);
  using traits = operator_traits<Desc>;
  CHECK(traits::name == p.name);
  CHECK(traits::enumerator == p.number);
  CHECK(traits::options.in_place == p.in_place);
  REQUIRE(traits::operands.size() == p.operands.size());
  for (std::size_t i = 0; i < p.operands.size(); ++i) CHECK(traits::operands[i].name == p.operands[i]);
}

template <class... Desc>
void check_pages(type_list<Desc...>) {
  static_assert(sizeof...(Desc) == pages.size());
  std::size_t next = 0;
  (check_page<Desc>(pages[next++]), ...);
}

}  // namespace

TEST_CASE("ELEMENT_WISE: names, numbers and operands", "[element_wise]") { check_pages(element_wise_operators{}); }

TEST_CASE("ELEMENT_WISE: valid descs violate no rule", "[element_wise]") {
  CHECK(refused(element_wise_abs_desc{}, of(i8), of(i8)) == "");
  CHECK(refused(element_wise_is_nan_desc{}, of(f16), of(u32)) == "");
  CHECK(refused(element_wise_bit_count_desc{}, of(f64), of(u8)) == "");
  CHECK(refused(element_wise_logical_equals_desc{}, of(u64), of(u64), of(u8)) == "");
  CHECK(refused(element_wise_if_desc{}, of(u8), of(f64), of(f64), of(f64)) == "");
  const tensor_desc broadcast{.data_type = f32, .sizes = {2, 3}, .strides = {0, 1}};
  CHECK(refused(element_wise_min_desc{}, broadcast, of(f32), of(f32)) == "");
}

TEST_CASE("ID1 UN1 RO1 CL1 MM1 IF1 LO1 BI1: another data type", "[element_wise]") {
  CHECK(refused(element_wise_identity_desc{}, of(f32), of(f16)) == "ID1");
  CHECK(refused(element_wise_abs_desc{}, of(f32), of(i32)) == "UN1");
  CHECK(refused(element_wise_negate_desc{}, of(i64), of(i32)) == "UN1");
  CHECK(refused(element_wise_sign_desc{}, of(u8), of(i8)) == "UN1");
  CHECK(refused(element_wise_ceil_desc{}, of(f16), of(f32)) == "RO1");
  CHECK(refused(element_wise_floor_desc{}, of(f16), of(f32)) == "RO1");
  CHECK(refused(element_wise_round_desc{}, of(f32), of(f16)) == "RO1");
  CHECK(refused(element_wise_clip_desc{}, of(f32), of(i32)) == "CL1");
  CHECK(refused(element_wise_clip1_desc{}, of(f32), of(i32)) == "CL1");
  CHECK(refused(element_wise_min_desc{}, of(f32), of(i32), of(f32)) == "MM1");
  CHECK(refused(element_wise_max_desc{}, of(f32), of(f32), of(i32)) == "MM1");
  CHECK(refused(element_wise_max_desc{}, of(f32), of(i32), of(i32)) == "MM1 MM1");
  CHECK(refused(element_wise_if_desc{}, of(u8), of(f32), of(i32), of(f32)) == "IF1");
  CHECK(refused(element_wise_if_desc{}, of(u8), of(u8), of(u8), of(i32)) == "IF1");
  CHECK(refused(element_wise_logical_and_desc{}, of(u8), of(u8), of(u32)) == "LO1");
  CHECK(refused(element_wise_logical_not_desc{}, of(u8), of(u32)) == "LO1");
  CHECK(refused(element_wise_logical_less_than_desc{}, of(f32), of(i32), of(u8)) == "LO1");
  CHECK(refused(element_wise_bit_xor_desc{}, of(f32), of(u32), of(f32)) == "BI1");
  CHECK(refused(element_wise_bit_shift_left_desc{}, of(u32), of(u8), of(u32)) == "BI1");
  CHECK(message(element_wise_min_desc{}, of(f32), of(i32), of(f32)) ==
        "ELEMENT_WISE_MIN MM1: BTensor.DataType is INT32, wanted FLOAT32 (ATensor's)");
}

TEST_CASE("ID2 UN2 RO2 CL2 MM2 IF2 LO2 BI2: another DimensionCount; sizes are not compared", "[element_wise]") {
  const dimensions other{1, 2, 4};
  CHECK(refused(element_wise_identity_desc{}, of(f32), of(f32, other)) == "ID2");
  CHECK(refused(element_wise_is_nan_desc{}, of(f32), of(u8, other)) == "UN2");
  CHECK(refused(element_wise_is_infinity_desc{}, of(f32), of(u8, other)) == "UN2");
  CHECK(refused(element_wise_ceil_desc{}, of(f32), of(f32, other)) == "RO2");
  CHECK(refused(element_wise_clip_desc{}, of(f32), of(f32, other)) == "CL2");
  CHECK(refused(element_wise_max_desc{}, of(f32), of(f32, other), of(f32)) == "MM2");
  CHECK(refused(element_wise_if_desc{}, of(u8, other), of(f32), of(f32), of(f32)) == "IF2 IF2 IF2");
  CHECK(refused(element_wise_logical_or_desc{}, of(u8), of(u8, other), of(u8)) == "LO2");
  CHECK(refused(element_wise_bit_count_desc{}, of(u8), of(u8, other)) == "BI2");
  CHECK(message(element_wise_if_desc{}, of(u8), of(f32, other), of(f32), of(f32)) ==
        "ELEMENT_WISE_IF IF2: ATensor.DimensionCount is 3, wanted 2 (ConditionTensor's)");
}

TEST_CASE("ID3 UN3 RO3 CL3 MM3 IF3 LO3 BI3: other sizes; a stride of 0 broadcasts", "[element_wise]") {
  const dimensions row{1, 3};
  CHECK(refused(element_wise_identity_desc{}, of(f32, row), of(f32)) == "ID3");
  CHECK(refused(element_wise_negate_desc{}, of(f32), of(f32, row)) == "UN3");
  CHECK(refused(element_wise_floor_desc{}, of(f32), of(f32, row)) == "RO3");
  CHECK(refused(element_wise_clip1_desc{.min = 0.0f, .max = 1.0f}, of(f32), of(f32, row)) == "CL3");
  CHECK(refused(element_wise_min_desc{}, of(f32), of(f32, row), of(f32)) == "MM3");
  CHECK(refused(element_wise_if_desc{}, of(u8), of(f32), of(f32, row), of(f32)) == "IF3");
  CHECK(refused(element_wise_logical_xor_desc{}, of(u8), of(u8, row), of(u8)) == "LO3");
  CHECK(refused(element_wise_bit_shift_right_desc{}, of(u8), of(u8, row), of(u8)) == "BI3");
  CHECK(message(element_wise_min_desc{}, of(f32), of(f32, row), of(f32)) ==
        "ELEMENT_WISE_MIN MM3: BTensor.Sizes is {1,3}, wanted {2,3} (ATensor's; broadcast with stride 0)");
}

TEST_CASE("IF: a condition that is not UINT8 is T3", "[element_wise]") {
  CHECK(refused(element_wise_if_desc{}, of(u32), of(f32), of(f32), of(f32)) == "T3");
}

TEST_CASE("UN4 RO4: modes that do not exist", "[element_wise]") {
  const element_wise_is_infinity_desc infinity{.infinity_mode = static_cast<is_infinity_mode>(3)};
  CHECK(refused(infinity, of(f32), of(u8)) == "UN4");
  CHECK(message(infinity, of(f32), of(u8)) == "ELEMENT_WISE_IS_INFINITY UN4: InfinityMode is 3, wanted 0 to 2");
  const element_wise_round_desc round{.rounding_mode = static_cast<rounding_mode>(3)};
  CHECK(refused(round, of(f32), of(f32)) == "RO4");
  CHECK(message(round, of(f32), of(f32)) == "ELEMENT_WISE_ROUND RO4: RoundingMode is 3, wanted 0 to 2");
  CHECK(refused(round, of(f32), of(f16, {2, 4})) == "RO1 RO3 RO4");
  CHECK(refused(element_wise_round_desc{.rounding_mode = rounding_mode::toward_infinity}, of(f32), of(f32)) == "");
}

TEST_CASE("CL4: MinMaxDataType is not the output's", "[element_wise]") {
  CHECK(refused(element_wise_clip1_desc{.min = 1, .max = 2}, of(f32), of(f32)) == "CL4");
  CHECK(refused(element_wise_clip1_desc{.min = 1.0f, .max = 2}, of(f32), of(f32)) == "CL4");
  CHECK(refused(element_wise_clip1_desc{.max = 2}, of(f32), of(f32)) == "CL4");
  CHECK(refused(element_wise_clip1_desc{.max = 2.0f}, of(f32), of(f32)) == "");
  CHECK(message(element_wise_clip1_desc{.min = 1.0f, .max = 2}, of(f32), of(f32)) ==
        "ELEMENT_WISE_CLIP1 CL4: MinMaxDataType is INT32 2, wanted FLOAT32 (the output's; write .max = 1.0f)");
}

TEST_CASE("CL5: an inverted range under inverted_range refuse, by the converted bounds", "[element_wise]") {
  const auto clip = [](float min, float max, data_type type) {
    return refused(element_wise_clip_desc{.min = min, .max = max, .inverted_range = inverted_range::refuse}, of(type),
                   of(type));
  };
  constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
  CHECK(clip(3, 1, f32) == "CL5");
  CHECK(clip(1, 1, f32) == "");
  CHECK(clip(0.0f, -0.0f, f32) == "");
  CHECK(clip(2.9f, 2.1f, f32) == "CL5");
  CHECK(clip(2.9f, 2.1f, i32) == "");  // both are 2
  CHECK(clip(-1, -2, u8) == "");       // both are 0
  CHECK(clip(not_a_number, -1, f32) == "");
  CHECK(clip(not_a_number, -1, i32) == "CL5");  // 0 above -1
  CHECK(clip(1, not_a_number, f32) == "");
  CHECK(refused(element_wise_clip_desc{.min = 3, .max = 1}, of(f32), of(f32)) == "");
  element_wise_clip1_desc clip1{
      .min = std::uint64_t{1} << 63, .max = std::uint64_t{1}, .inverted_range = inverted_range::refuse};
  CHECK(refused(clip1, of(u64), of(u64)) == "CL5");
  CHECK(message(clip1, of(u64), of(u64)) ==
        "ELEMENT_WISE_CLIP1 CL5: Min is UINT64 9223372036854775808, wanted at most UINT64 1 (Max, as policy "
        "inverted_range refuse asks)");
  clip1.max = 1.0f;  // CL4: the bounds cannot be compared
  CHECK(refused(clip1, of(u64), of(u64)) == "CL4");
}

TEST_CASE("SB1: ScaleBias on integers, unless the policy computes it", "[element_wise]") {
  const scale_bias plain{};
  for (const data_type type : {f32, f16, f64})
    CHECK(refused(element_wise_identity_desc{.scale_bias = plain}, of(type), of(type)) == "");
  CHECK(refused(element_wise_ceil_desc{.scale_bias = plain}, of(f32), of(f32)) == "");
  CHECK(refused(element_wise_floor_desc{.scale_bias = plain}, of(f16), of(f16)) == "");
  CHECK(refused(element_wise_identity_desc{.scale_bias = plain}, of(i64), of(i64)) == "SB1");
  CHECK(refused(element_wise_abs_desc{.scale_bias = plain}, of(i8), of(i8)) == "SB1");
  CHECK(refused(element_wise_clip_desc{.scale_bias = plain}, of(u32), of(u32)) == "SB1");
  CHECK(refused(element_wise_clip1_desc{.scale_bias = plain, .min = std::uint64_t{0}, .max = std::uint64_t{9}}, of(u64),
                of(u64)) == "SB1");
  constexpr auto cast = integer_scale_bias::cast;
  CHECK(refused(element_wise_identity_desc{.scale_bias = plain, .integer_scale_bias = cast}, of(i64), of(i64)) == "");
  CHECK(refused(element_wise_abs_desc{.scale_bias = plain, .integer_scale_bias = cast}, of(i8), of(i8)) == "");
  CHECK(refused(element_wise_clip_desc{.scale_bias = plain, .integer_scale_bias = cast}, of(u32), of(u32)) == "");
  CHECK(message(element_wise_abs_desc{.scale_bias = plain}, of(i32), of(i32)) ==
        "ELEMENT_WISE_ABS SB1: ScaleBias is given, wanted null (its effect on INT32 is not specified; policy "
        "integer_scale_bias cast computes it)");
  // After the operator's other rules.
  CHECK(refused(
            element_wise_clip_desc{
                .scale_bias = plain, .min = 2.0f, .max = 1.0f, .inverted_range = inverted_range::refuse},
            of(i32), of(i32, {2, 4})) == "CL3 CL5 SB1");
}

TEST_CASE("ELEMENT_WISE T12: in place where the page permits it, and only exactly", "[element_wise]") {
  std::vector<float> x{1, -2, 3, -4, 5, -6, 7, -8};
  const auto all = tensor_view{x, {2, 3}};
  const auto shifted = tensor_view{x.data() + 1, {2, 3}};
  const auto transposed = tensor_view{x, {2, 3}, {1, 2}};
  const auto rule = [](const auto& call) { return refusal_of(call); };
  CHECK(rule([&] { element_wise_negate(reference, all, shifted); }) == "T12");
  CHECK(rule([&] { element_wise_negate(reference, all, transposed); }) == "T12");
  CHECK(x == std::vector<float>{1, -2, 3, -4, 5, -6, 7, -8});
  element_wise_negate(reference, all, all);
  CHECK(x == std::vector<float>{-1, 2, -3, 4, -5, 6, 7, -8});
  const std::vector<float> zeros(6, 0);
  const auto zero = tensor_view{zeros, {2, 3}};
  element_wise_max(reference, all, zero, all);  // the first input
  CHECK(x == std::vector<float>{0, 2, 0, 4, 0, 6, 7, -8});
  element_wise_min(reference, zero, all, all);  // the second
  CHECK(x == std::vector<float>{0, 0, 0, 0, 0, 0, 7, -8});
  element_wise_bit_xor(reference, all, all, all);  // both
  CHECK(rule([&] { element_wise_max(reference, all, shifted, all); }) == "T12");

  std::vector<std::uint8_t> bytes{1, 0, 1, 0, 1, 0};
  const auto b = tensor_view{bytes, {2, 3}};
  element_wise_logical_not(reference, b, b);
  CHECK(bytes == std::vector<std::uint8_t>{0, 1, 0, 1, 0, 1});
  CHECK(rule([&] { element_wise_logical_equals(reference, b, b, b); }) == "T12");
  CHECK(rule([&] { element_wise_bit_count(reference, b, b); }) == "T12");
  CHECK(rule([&] { element_wise_if(reference, b, b, b, b); }) == "T12");
  CHECK(bytes == std::vector<std::uint8_t>{0, 1, 0, 1, 0, 1});

  // A bound resource.
  const tensor_desc desc = of(f32);
  int resource = 0;
  const auto bound = [&](std::uint64_t offset) { return tensor_ref::bound(desc, &resource, offset, 24, x.data()); };
  CHECK(rule([&] { element_wise_abs(reference, const_tensor_ref(bound(0)), bound(0)); }) == "none");
  CHECK(rule([&] { element_wise_abs(reference, const_tensor_ref(bound(0)), bound(16)); }) == "T12");
  CHECK(rule([&] { element_wise_abs(reference, const_tensor_ref(bound(0)), bound(32)); }) == "T12");
  CHECK(rule([&] {
          element_wise_abs(reference, const_tensor_ref(bound(0)), bound(32),
                           {.same_resource = same_resource::disjoint});
        }) == "none");
  const violation overlap = *validate(element_wise_abs_desc{}, all, shifted);
  CHECK(to_string(overlap).find("in place, both are exactly the same tensor") != std::string::npos);
}
