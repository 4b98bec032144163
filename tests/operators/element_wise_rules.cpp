// Violations of the element-wise operators: names and numbers of the pages, each operator's own rules, ScaleBias,
// memory in place, and their order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../support/refusals.hpp"

namespace {

using namespace goldml;

constexpr data_type f32 = data_type::float32, i32 = data_type::int32, u8 = data_type::uint8, u64 = data_type::uint64;

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
    three{"ConditionTensor", "ATensor", "BTensor", "OutputTensor"},
    gradient{"InputTensor", "InputGradientTensor", "OutputGradientTensor"},
    slope{"InputTensor", "SlopeTensor", "OutputTensor"}, power{"InputTensor", "ExponentTensor", "OutputTensor"};
using enum goldml::feature_level;

// In the order of element_wise_operators. Their data types and dimensions by level: tests/core/operator_limits.cpp.
const std::array<page, 64> pages{{
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
    {"ELEMENT_WISE_THRESHOLD", 32, one, true},
    {"ELEMENT_WISE_ACOS", 3, one, true},
    {"ELEMENT_WISE_ASIN", 5, one, true},
    {"ELEMENT_WISE_ATAN", 6, one, true},
    {"ELEMENT_WISE_COS", 9, one, true},
    {"ELEMENT_WISE_EXP", 11, one, true},
    {"ELEMENT_WISE_LOG", 13, one, true},
    {"ELEMENT_WISE_RECIP", 27, one, true},
    {"ELEMENT_WISE_SIN", 28, one, true},
    {"ELEMENT_WISE_SQRT", 29, one, true},
    {"ELEMENT_WISE_TAN", 31, one, true},
    {"ELEMENT_WISE_ERF", 81, one, true},
    {"ELEMENT_WISE_SINH", 82, one, true},
    {"ELEMENT_WISE_COSH", 83, one, true},
    {"ELEMENT_WISE_TANH", 84, one, true},
    {"ELEMENT_WISE_ASINH", 85, one, true},
    {"ELEMENT_WISE_ACOSH", 86, one, true},
    {"ELEMENT_WISE_ATANH", 87, one, true},
    {"ELEMENT_WISE_CONSTANT_POW", 26, one, true},
    {"ELEMENT_WISE_MIN", 23, two, true},
    {"ELEMENT_WISE_MAX", 21, two, true},
    {"ELEMENT_WISE_ADD", 4, two, true},
    {"ELEMENT_WISE_SUBTRACT", 30, two, true},
    {"ELEMENT_WISE_MULTIPLY", 24, two, true},
    {"ELEMENT_WISE_DIVIDE", 10, two, true},
    {"ELEMENT_WISE_ADD1", 89, two, true},
    {"ELEMENT_WISE_MEAN", 22, two, true},
    {"ELEMENT_WISE_DIFFERENCE_SQUARE", 143, two, true},
    {"ELEMENT_WISE_MODULUS_TRUNCATE", 101, two, true},
    {"ELEMENT_WISE_MODULUS_FLOOR", 102, two, true},
    {"ELEMENT_WISE_ATAN_YX", 141, two, true},
    {"ELEMENT_WISE_POW", 25, power, true},
    {"ELEMENT_WISE_CLIP_GRAD", 142, gradient, true},
    {"ELEMENT_WISE_CLIP_GRAD1", 154, gradient, true},
    {"ACTIVATION_RELU_GRAD", 129, gradient, false},
    {"ACTIVATION_PARAMETERIZED_RELU", 42, slope, true},
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
