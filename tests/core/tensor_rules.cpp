// core/tensor_rules.hpp: rules T1, T2, T5..T8 and T10, one by one, with their messages. T3, T4 and T11:
// operator_limits.cpp. T9: distinct_addresses.cpp. T12: memory_rules*.cpp.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <goldml/operators/operators.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::codes_of;
using rules::float_3_4;
using rules::missing_from;
using rules::uint_3_1;

constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();
const argmin_desc over_axis_1{.axes = {1}};
const argmin_desc over_axis_0{.axes = {0}};

// The codes for one input of ARGMIN, reduced along its only axis or along axis 1 of two. The output is valid.
std::string codes_of_input(const tensor_desc& input) {
  const bool one = input.sizes.size() == 1;
  const tensor_desc output{.data_type = data_type::uint32,
                           .sizes = one ? dimensions{1} : dimensions{input.sizes[0], 1}};
  return codes_of(violations(one ? over_axis_0 : over_axis_1, input, output));
}

std::string codes_of_output(const tensor_desc& output) { return codes_of(violations(over_axis_1, float_3_4, output)); }

// The only violation; fails the test if there is not exactly one.
violation only(const std::vector<violation>& all) {
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("T rules: valid tensors violate none", "[tensor_rules]") {
  CHECK(violations(over_axis_1, float_3_4, uint_3_1).empty());
  CHECK_FALSE(validate(over_axis_1, float_3_4, uint_3_1));
}

TEST_CASE("T1: a missing tensor", "[tensor_rules]") {
  const std::optional<tensor_view<const float>> absent;
  CHECK(codes_of(violations(over_axis_1, absent, uint_3_1)) == "T1");
  CHECK(codes_of(violations(over_axis_1, const_tensor_ref(), uint_3_1)) == "T1");
  CHECK(codes_of(violations(over_axis_1, float_3_4, tensor_ref())) == "T1");
  CHECK(codes_of(violations(over_axis_1, absent, tensor_ref())) == "T1 T1");
  const violation v = only(violations(over_axis_1, float_3_4, tensor_ref()));
  CHECK(v.operand == "OutputTensor");
  CHECK(missing_from(v, {"ARGMIN T1: OutputTensor is null", "a tensor"}) == "");
}

TEST_CASE("T1: a tensor with null data", "[tensor_rules]") {
  const float* const nowhere = nullptr;
  std::uint32_t* const nowhere_either = nullptr;
  const std::vector<float> input(12);
  std::vector<std::uint32_t> output(3);
  const auto v = only(violations(over_axis_1, tensor_view{nowhere, {3, 4}}, tensor_view{output, {3, 1}}));
  CHECK(v.rule == "T1");
  CHECK(missing_from(v, {"InputTensor.data is null", "pointer"}) == "");
  CHECK(codes_of(violations(over_axis_1, tensor_view{input, {3, 4}}, tensor_view{nowhere_either, {3, 1}})) == "T1");
  CHECK(codes_of(violations(over_axis_1, const_tensor_ref(float_3_4, nullptr), tensor_view{output, {3, 1}})) == "T1");
}

TEST_CASE("T1: an empty range is not a null pointer", "[tensor_rules]") {
  const std::vector<float> nothing;  // its data() may or may not be null
  CHECK(codes_of(violations(over_axis_1, tensor_view{nothing, {3, 0}}, uint_3_1)) == "T5");
  CHECK(codes_of(violations(over_axis_1, tensor_view{nothing, {3, 4}}, uint_3_1)) == "T12");
}

TEST_CASE("T1: a tensor whose Desc or Sizes is null", "[tensor_rules]") {
  for (const std::string_view member : {"Desc", "Sizes"}) {
    operands_of<argmin_desc> operands{to_operand(float_3_4), to_operand(uint_3_1)};
    operands[0].null_member = member;
    std::vector<violation> all;
    violation_sink sink(&all);
    check(over_axis_1, operands, sink);
    const violation v = only(all);
    CHECK(v.rule == "T1");
    CHECK(missing_from(v, {"InputTensor", member, "is null", "a pointer"}) == "");
  }
}

TEST_CASE("T1: an optional tensor may be omitted, but not given in part", "[tensor_rules]") {
  const tensor_desc output{.data_type = data_type::float32, .sizes = {3, 4}};
  CHECK(violations(diagonal_matrix1_desc{}, const_tensor_ref(), output).empty());
  CHECK(violations(diagonal_matrix1_desc{}, output).empty());
  CHECK(codes_of(violations(diagonal_matrix1_desc{}, output, tensor_ref())) == "T1");

  std::vector<float> elements(12);
  const float* const nowhere = nullptr;
  CHECK(codes_of(violations(diagonal_matrix1_desc{}, tensor_view{nowhere, {3, 4}}, tensor_view{elements, {3, 4}})) ==
        "T1");
}

TEST_CASE("T2: a Type that is not BUFFER", "[tensor_rules]") {
  for (const std::uint32_t type : {0u, 2u, top}) {
    tensor_desc input = float_3_4;
    input.type = static_cast<tensor_type>(type);
    const violation v = only(violations(over_axis_1, input, uint_3_1));
    CHECK(v.rule == "T2");
    CHECK(missing_from(v, {"InputTensor.Type", std::to_string(type), "wanted 1", "BUFFER"}) == "");
  }
  tensor_desc output = uint_3_1;
  output.type = tensor_type::invalid;
  CHECK(codes_of_output(output) == "T2");
}

TEST_CASE("T5: a size of 0, in each place, on inputs and outputs", "[tensor_rules]") {
  const tensor_desc good{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  for (std::size_t i = 0; i < 3; ++i) {
    tensor_desc bad = good;
    bad.sizes[i] = 0;
    const violation v = only(violations(diagonal_matrix1_desc{}, bad));
    CHECK(v.rule == "T5");
    CHECK(v.index == i);
    CHECK(missing_from(v, {"OutputTensor.Sizes[" + std::to_string(i) + "] is 0", "at least 1"}) == "");
  }
  CHECK(codes_of_input({.data_type = data_type::float32, .sizes = {3, 0}}) == "T5");
  CHECK(codes_of(violations(diagonal_matrix1_desc{},
                            tensor_desc{.data_type = data_type::float32, .sizes = {0, 3, 0}})) == "T5 T5");
}

TEST_CASE("T6: at most 2^32-1 elements, counted", "[tensor_rules]") {
  const auto u8 = data_type::uint8;
  CHECK(codes_of_input({.data_type = u8, .sizes = {top}}) == "");
  CHECK(codes_of_input({.data_type = u8, .sizes = {65535, 65537}}) == "");  // 2^32-1
  CHECK(codes_of_input({.data_type = u8, .sizes = {65536, 65536}}) == "T6");
  CHECK(codes_of_input({.data_type = u8, .sizes = {65536, 65536}, .strides = {0, 1}}) ==
        "T6");  // although few are stored
  CHECK(codes_of(violations(argmin_desc{.axes = {0, 1, 2, 3, 4, 5, 6, 7}},
                            tensor_desc{.data_type = u8, .sizes = dimensions::filled(8, top)},
                            tensor_desc{.data_type = data_type::uint32, .sizes = dimensions::filled(8, 1)})) == "T6");
  const violation v = only(violations(over_axis_1, tensor_desc{.data_type = u8, .sizes = {65536, 65536}},
                                      tensor_desc{.data_type = data_type::uint32, .sizes = {65536, 1}}));
  CHECK(missing_from(v, {"InputTensor.Sizes is {65536,65536}", "at most 4294967295 elements"}) == "");
}

TEST_CASE("T6: at most 2^32-1 elements, as the strides span them", "[tensor_rules]") {
  const auto u8 = data_type::uint8;
  CHECK(codes_of_input({.data_type = u8, .sizes = {2}, .strides = {top - 1}}) == "");
  CHECK(codes_of_input({.data_type = u8, .sizes = {2}, .strides = {top}}) == "T6");
  CHECK(codes_of_input({.data_type = u8, .sizes = {1}, .strides = {top}}) == "");
  CHECK(codes_of_input({.data_type = u8, .sizes = {3, 2}, .strides = {2147483647, 1}}) == "T6");  // exactly 2^32
  CHECK(codes_of_output({.data_type = data_type::uint32, .sizes = {3, 1}, .strides = {2147483648, 1}}) == "T6");
  const violation v = only(violations(over_axis_0, tensor_desc{.data_type = u8, .sizes = {2}, .strides = {top}},
                                      tensor_desc{.data_type = data_type::uint32, .sizes = {1}}));
  CHECK(missing_from(v, {"InputTensor.Strides is {4294967295}", "at most 4294967295", "4294967296"}) == "");
}

TEST_CASE("T6: TotalTensorSizeInBytes at most that of 2^32-1 elements, rounded up to 4", "[tensor_rules]") {
  const auto codes = [](data_type type, std::uint64_t total) {
    return codes_of_input({.data_type = type, .sizes = {3, 4}, .total_tensor_size_in_bytes = total});
  };
  CHECK(codes(data_type::uint8, 4294967296) == "");
  CHECK(codes(data_type::uint8, 4294967297) == "T6");
  CHECK(codes(data_type::float16, 8589934592) == "");  // 2 * (2^32-1) = 8589934590
  CHECK(codes(data_type::float16, 8589934593) == "T6");
  CHECK(codes(data_type::float32, 17179869180) == "");
  CHECK(codes(data_type::float32, 17179869181) == "T6");
  CHECK(codes(data_type::int64, 34359738360) == "");
  CHECK(codes(data_type::int64, 34359738361) == "T6");
  CHECK(codes(data_type::int64, saturated) == "T6");
}

TEST_CASE("T7: TotalTensorSizeInBytes less than the implied minimum", "[tensor_rules]") {
  const auto codes = [](data_type type, const dimensions& sizes, const dimensions& strides, std::uint64_t total) {
    return codes_of_input({.data_type = type, .sizes = sizes, .strides = strides, .total_tensor_size_in_bytes = total});
  };
  CHECK(codes(data_type::float32, {4, 5}, {}, 79) == "T7");
  CHECK(codes(data_type::float32, {4, 5}, {}, 80) == "");
  CHECK(codes(data_type::float32, {4, 5}, {}, 81) == "");  // need not be a multiple of 4
  CHECK(codes(data_type::float32, {4, 5}, {}, 0) == "T7");
  CHECK(codes(data_type::float16, {3}, {}, 6) == "T7");  // the implied minimum is the rounded one
  CHECK(codes(data_type::float16, {3}, {}, 7) == "T7");
  CHECK(codes(data_type::float16, {3}, {}, 8) == "");
  CHECK(codes(data_type::float32, {2, 3}, {5, 1}, 31) == "T7");
  CHECK(codes(data_type::float32, {2, 3}, {5, 1}, 32) == "");
  CHECK(codes(data_type::float32, {2, 3}, {0, 1}, 12) == "");
  tensor_desc output = uint_3_1;
  output.total_tensor_size_in_bytes = 11;
  const violation v = only(violations(over_axis_1, float_3_4, output));
  CHECK(v.rule == "T7");
  CHECK(missing_from(v, {"OutputTensor.TotalTensorSizeInBytes is 11", "at least 12"}) == "");
}

TEST_CASE("T8: GuaranteedBaseOffsetAlignment is 0 or a power of two that holds an element", "[tensor_rules]") {
  const auto codes = [](data_type type, std::uint32_t alignment) {
    return codes_of_input({.data_type = type, .sizes = {3, 4}, .guaranteed_base_offset_alignment = alignment});
  };
  for (const std::uint32_t good : {0u, 4u, 8u, 16u, 256u, 0x8000'0000u}) CHECK(codes(data_type::float32, good) == "");
  for (const std::uint32_t bad : {1u, 2u, 3u, 5u, 6u, 12u, 24u, 0x8000'0001u, top})
    CHECK(codes(data_type::float32, bad) == "T8");
  CHECK(codes(data_type::uint8, 1) == "");
  CHECK(codes(data_type::float16, 1) == "T8");
  CHECK(codes(data_type::float16, 2) == "");
  CHECK(codes(data_type::int64, 4) == "T8");
  CHECK(codes(data_type::int64, 8) == "");
  tensor_desc output = uint_3_1;
  output.guaranteed_base_offset_alignment = 2;
  const violation v = only(violations(over_axis_1, float_3_4, output));
  CHECK(missing_from(v, {"T8", "OutputTensor.GuaranteedBaseOffsetAlignment is 2", "power of two", "4 bytes"}) == "");
}

TEST_CASE("T10: OWNED_BY_DML on inputs only, no unknown flags", "[tensor_rules]") {
  const auto flagged = [](tensor_desc desc, std::uint32_t flags) {
    desc.flags = static_cast<tensor_flags>(flags);
    return desc;
  };
  CHECK(codes_of_input(flagged(float_3_4, 1)) == "");
  for (const std::uint32_t bad : {2u, 3u, 4u, 0x8000'0000u, top}) {
    CHECK(codes_of_input(flagged(float_3_4, bad)) == "T10");
    CHECK(codes_of_output(flagged(uint_3_1, bad)) == "T10");
  }
  const violation owned = only(violations(over_axis_1, float_3_4, flagged(uint_3_1, 1)));
  CHECK(missing_from(owned, {"T10", "OutputTensor.Flags is OWNED_BY_DML", "NONE"}) == "");
  const violation unknown = only(violations(over_axis_1, flagged(float_3_4, 6), uint_3_1));
  CHECK(missing_from(unknown, {"T10", "InputTensor.Flags is 0x6", "OWNED_BY_DML"}) == "");
}

TEST_CASE("T rules: apply to the operands of every operator", "[tensor_rules]") {
  const tensor_desc one{.data_type = data_type::uint32, .sizes = {1, 1}};
  tensor_desc bad = one;
  bad.type = tensor_type::invalid;
  const scatter_nd_desc scatter;
  CHECK(codes_of(violations(scatter, one, one, one, one)) == "");
  CHECK(codes_of(violations(scatter, bad, bad, bad, bad)) == "T2 T2 T2 T2");
  CHECK(codes_of(violations(nonzero_coordinates_desc{}, one, one, one)) == "");
  CHECK(codes_of(violations(nonzero_coordinates_desc{}, bad, bad, bad)) == "T2 T2 T2");
  CHECK(codes_of(violations(diagonal_matrix1_desc{}, bad, bad)) == "T2 T2");
  CHECK(codes_of(violations(argmin_desc{.axes = {0}}, bad, bad)) == "T2 T2");
}
