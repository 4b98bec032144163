// T12 for plain memory: only the addressed elements must exist, alignof(T) is the only alignment, and no other operand
// may use memory within the span of an output. Bound resources: memory_rules_bound.cpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::missing_from;

const argmin_desc over_axis_0{.axes = {0}};
const argmin_desc over_axis_1{.axes = {1}};

template <class Desc, class... Tensors>
std::string rule_for(const Desc& desc, const Tensors&... tensors) {
  return rule_of(validate(desc, tensors...));
}

}  // namespace

TEST_CASE("T12: three UINT8 need only three bytes", "[memory_rules]") {
  const auto bytes = std::make_unique<std::uint8_t[]>(3);  // sanitizers detect a read past the end
  bytes[0] = 9;
  bytes[1] = 4;
  bytes[2] = 6;
  std::vector<std::uint32_t> output(1, 77);
  const std::uint8_t* const data = bytes.get();
  argmin(reference, tensor_view{std::span(data, 3), {3}}, output, over_axis_0);
  CHECK(output[0] == 1);

  const tensor_desc desc{.data_type = data_type::uint8, .sizes = {3}};
  CHECK(rule_for(over_axis_0, const_tensor_ref(desc, data, 3), output) == "none");
  CHECK(rule_for(over_axis_0, const_tensor_ref(desc, data, 2), output) == "T12");
  CHECK(rule_for(over_axis_0, const_tensor_ref(desc, data), output) ==
        "none");  // the size behind a plain pointer is not checked
}

TEST_CASE("T12: what is said of plain memory that overlaps", "[memory_rules]") {
  std::array<std::uint32_t, 16> memory{};
  const tensor_view<const std::uint32_t> x(memory.data(), {3, 4});
  const tensor_view<std::uint32_t> y(memory.data() + 11, {3, 1});
  CHECK(to_string(*validate(over_axis_1, x, y)) ==
        "ARGMIN T12: OutputTensor.memory is overlapping that of InputTensor, wanted memory apart from it");
}

TEST_CASE("T12: a view that exceeds its vector, array or span", "[memory_rules]") {
  std::vector<std::uint32_t> output(3, 77);
  const auto y = tensor_view{output, {3, 1}};
  const std::vector<float> eleven(11);
  const std::array<float, 12> twelve{};
  CHECK(rule_for(over_axis_1, tensor_view{eleven, {3, 4}}, y) == "T12");
  CHECK(rule_for(over_axis_1, tensor_view{twelve, {3, 4}}, y) == "none");
  CHECK(rule_for(over_axis_1, tensor_view{std::span(twelve).first(11), {3, 4}}, y) == "T12");
  CHECK(rule_for(over_axis_1, tensor_view{twelve, {3, 4}, {0, 1}}, y) == "none");
  CHECK(rule_for(over_axis_1, tensor_view{eleven, {3, 4}, {3, 1}}, y) == "none");  // 2*3 + 3 + 1 = 10
  CHECK(rule_for(over_axis_1, tensor_view{eleven, {3, 4}, {4, 1}}, y) == "T12");
  CHECK(rule_for(over_axis_1, tensor_view{twelve, {3, 4}, {5, 1}}, y) == "T12");  // 14

  std::vector<std::uint32_t> short_output(2, 77);
  const auto too_short = tensor_view{short_output, {3, 1}};
  CHECK(refusal_of([&] { argmin(reference, tensor_view{twelve, {3, 4}}, too_short, over_axis_1); }) == "T12");
  CHECK(short_output == std::vector<std::uint32_t>{77, 77});

  const auto v = validate(over_axis_1, tensor_view{eleven, {3, 4}}, y);
  REQUIRE(v);
  CHECK(missing_from(*v, {"ARGMIN T12: InputTensor.memory is 44 bytes", "at least 48", "FLOAT32 {3,4}"}) == "");
}

TEST_CASE("T12: the memory must have TotalTensorSizeInBytes bytes if it is given", "[memory_rules]") {
  const std::array<std::uint8_t, 16> bytes{};
  const tensor_desc desc{.data_type = data_type::uint8, .sizes = {3}, .total_tensor_size_in_bytes = 12};
  std::vector<std::uint32_t> output(1);
  CHECK(rule_for(over_axis_0, const_tensor_ref(desc, bytes.data(), 12), output) == "none");
  CHECK(rule_for(over_axis_0, const_tensor_ref(desc, bytes.data(), 11), output) == "T12");
}

TEST_CASE("T12: an element's address is a multiple of its size", "[memory_rules]") {
  alignas(16) std::array<std::byte, 64> bytes{};
  std::vector<std::uint32_t> output(1);
  const auto rule = [&](data_type type, std::size_t offset) {
    return rule_for(over_axis_0, const_tensor_ref({.data_type = type, .sizes = {3}}, bytes.data() + offset, 24),
                    output);
  };
  for (std::size_t offset = 0; offset < 16; ++offset) {
    CHECK(rule(data_type::int8, offset) == "none");
    CHECK(rule(data_type::float16, offset) == (offset % 2 == 0 ? "none" : "T12"));
    CHECK(rule(data_type::float32, offset) == (offset % 4 == 0 ? "none" : "T12"));
    CHECK(rule(data_type::int64, offset) == (offset % alignof(std::int64_t) == 0 ? "none" : "T12"));
  }
  const tensor_desc desc{.data_type = data_type::uint32, .sizes = {1}};
  const std::vector<std::int8_t> input(3);
  CHECK(rule_for(over_axis_0, input, tensor_ref(desc, bytes.data() + 4, 8)) == "none");
  CHECK(rule_for(over_axis_0, input, tensor_ref(desc, bytes.data() + 2, 8)) == "T12");
  const auto v = validate(
      over_axis_0, const_tensor_ref({.data_type = data_type::float32, .sizes = {3}}, bytes.data() + 1, 24), output);
  REQUIRE(v);
  CHECK(missing_from(*v, {"InputTensor.address is 0x", "a multiple of 4 bytes"}) == "");
}

TEST_CASE("T12: an output must not share memory with an input", "[memory_rules]") {
  std::vector<std::uint32_t> words(64);
  const auto rule = [&](std::size_t input_at, std::size_t output_at) {
    const auto input = std::span(words).subspan(input_at);
    const auto output = std::span(words).subspan(output_at);
    return rule_for(over_axis_1, tensor_view{input, {3, 4}}, tensor_view{output, {3, 1}});
  };
  CHECK(rule(10, 0) == "none");
  CHECK(rule(10, 7) == "none");  // ends where the input begins
  CHECK(rule(10, 8) == "T12");   // the last of the output is the first of the input
  CHECK(rule(10, 10) == "T12");
  CHECK(rule(10, 15) == "T12");
  CHECK(rule(10, 21) == "T12");  // the first of the output is the last of the input
  CHECK(rule(10, 22) == "none");

  std::vector<std::uint32_t> before(64, 5);
  std::vector<std::uint32_t> same = before;
  CHECK(refusal_of([&] {
          argmin(reference, tensor_view{same, {3, 4}}, tensor_view{same, {3, 1}}, over_axis_1);
        }) == "T12");
  CHECK(same == before);
  const auto v = validate(over_axis_1, tensor_view{same, {3, 4}}, tensor_view{same, {3, 1}});
  REQUIRE(v);
  CHECK(missing_from(*v, {"OutputTensor.memory", "InputTensor"}) == "");
}

TEST_CASE("T12: gaps between elements belong to the tensor", "[memory_rules]") {
  // Reads even and writes odd elements: no common element, but overlapping spans (ledger L6).
  std::vector<std::uint32_t> words(16);
  const auto odd = std::span(words).subspan(1);
  CHECK(rule_for(over_axis_1, tensor_view{words, {3, 2}, {4, 2}}, tensor_view{odd, {3, 1}, {4, 1}}) == "T12");
  // A dimension of size 1 adds nothing to the span, for any stride.
  const auto fourth = std::span(words).subspan(4);
  CHECK(rule_for(over_axis_1, tensor_view{words, {1, 4}, {9, 1}}, tensor_view{fourth, {1, 1}, {9, 9}}) == "none");
}

TEST_CASE("T12: inputs may share memory with each other", "[memory_rules]") {
  std::vector<std::int32_t> words{1, 0, 1, 0};
  std::vector<std::int32_t> output(4);
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  const auto input = tensor_view{words, {1, 4}};
  const auto indices = tensor_view{words, {2, 1}};
  const auto updates = tensor_view{words, {1, 2}};
  CHECK(rule_for(desc, input, indices, updates, tensor_view{output, {1, 4}}) == "none");
}

TEST_CASE("T12 (N8): the two outputs of NONZERO_COORDINATES must not overlap", "[memory_rules]") {
  const std::vector<float> input(6, 1);
  std::vector<std::uint32_t> words(16, 77);
  const auto rule = [&](std::size_t count_at, std::size_t rows_at) {
    const auto count = tensor_view{std::span(words).subspan(count_at), {1}};
    const auto rows = tensor_view{std::span(words).subspan(rows_at), {6, 1}};
    return rule_for(nonzero_coordinates_desc{}, input, count, rows);
  };
  CHECK(rule(0, 1) == "none");
  CHECK(rule(0, 0) == "T12");
  CHECK(rule(3, 0) == "T12");
  CHECK(rule(5, 0) == "T12");
  CHECK(rule(6, 0) == "none");
  const auto count = tensor_view{std::span(words).subspan(2), {1}};
  const auto rows = tensor_view{words, {6, 1}};
  CHECK(refusal_of([&] { nonzero_coordinates(reference, input, count, rows); }) == "T12");
  CHECK(words == std::vector<std::uint32_t>(16, 77));
}

TEST_CASE("T12: in_place allows only exactly the same tensor as InputTensor", "[memory_rules]") {
  std::vector<float> words(32);
  const std::vector<std::uint32_t> index(1);
  const std::vector<float> update(5);
  const auto indices = tensor_view{index, {1, 1}};
  const auto updates = tensor_view{update, {1, 5}};
  const auto x = tensor_view{words, {4, 5}};
  scatter_nd_desc scatter{.input_dimension_count = 2, .indices_dimension_count = 2};
  diagonal_matrix1_desc diagonal;
  CHECK(rule_for(scatter, x, indices, updates, x) == "T12");
  CHECK(rule_for(diagonal, x, x) == "T12");
  scatter.in_place = diagonal.in_place = true;
  CHECK(rule_for(scatter, x, indices, updates, x) == "none");
  CHECK(rule_for(diagonal, x, x) == "none");

  // The same addresses in another form: explicit packed strides.
  CHECK(rule_for(diagonal, x, tensor_view{words, {4, 5}, {5, 1}}) == "none");
  // Different: another address, other strides, another total size.
  CHECK(rule_for(diagonal, x, tensor_view{std::span(words).subspan(1), {4, 5}}) == "T12");
  CHECK(rule_for(scatter, x, indices, updates, tensor_view{std::span(words).subspan(5), {4, 5}}) == "T12");
  CHECK(rule_for(diagonal, x, tensor_view{words, {4, 5}, {1, 4}}) == "T12");
  CHECK(rule_for(diagonal, tensor_view{words, {4, 5}, {0, 1}}, x) == "T12");
  const tensor_desc desc{.data_type = data_type::float32, .sizes = {4, 5}};
  tensor_desc longer = desc;
  longer.total_tensor_size_in_bytes = 84;
  CHECK(rule_for(diagonal, const_tensor_ref(desc, words.data()), tensor_ref(longer, words.data())) == "T12");

  const auto v = validate(diagonal_matrix1_desc{}, x, x);
  REQUIRE(v);
  CHECK(missing_from(*v, {"in_place"}) == "");  // the message suggests the policy
}

TEST_CASE("T12: in_place applies to InputTensor only", "[memory_rules]") {
  std::vector<std::uint32_t> words(8);
  std::vector<std::uint32_t> apart(8);
  const scatter_nd_desc scatter{.input_dimension_count = 1, .indices_dimension_count = 2, .in_place = true};
  const auto x = tensor_view{words, {4, 1}};
  const auto y = tensor_view{apart, {4, 1}};
  const scatter_nd_desc whole{.input_dimension_count = 2, .indices_dimension_count = 2, .in_place = true};
  CHECK(rule_for(whole, x, tensor_view{apart, {4, 1}}, x, y) == "T12");  // indices and output
  // {1,4}, four elements replaced by four updates: updates and output have the same layout.
  const auto row = tensor_view{words, {1, 4}};
  const auto other_row = tensor_view{apart, {1, 4}};
  const std::vector<std::uint32_t> index{0, 1, 2, 3};
  CHECK(rule_for(scatter, row, tensor_view{index, {4, 1}}, other_row, other_row) == "T12");
  CHECK(rule_for(scatter, row, tensor_view{index, {4, 1}}, other_row, row) == "none");

  const auto u = tensor_view{words, {4, 2}};
  CHECK(rule_for(argmin_desc{.axes = {1}}, u, tensor_view{words, {4, 1}}) == "T12");
  const auto one = tensor_view{words, {1, 1}};
  CHECK(rule_for(argmin_desc{.axes = {1}}, one, one) == "T12");  // the same tensor twice, without a policy
  CHECK(rule_for(nonzero_coordinates_desc{}, one, tensor_view{apart, {1}}, one) == "T12");
}

TEST_CASE("C4: the outputs of an array that meet an earlier one, as by comparing all pairs", "[memory_rules]") {
  const std::array<int, 3> resources{};
  std::uint32_t state = 35;
  const auto below = [&](std::uint32_t limit) { return (state = state * 1664525 + 1013904223) / 0x10000 % limit; };
  std::size_t met = 0, apart = 0;
  for (int n = 0; n < 2000; ++n) {
    const std::uint32_t length = 1 + below(60), longest = 1 + below(12);
    std::vector<detail::byte_range> ranges(below(12));
    for (detail::byte_range& range : ranges) range = {&resources[below(3)], below(length), below(longest)};
    const std::vector<char> got = detail::meets_earlier(ranges);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      bool wanted = false;
      for (std::size_t j = 0; j < i; ++j)
        wanted = wanted || (ranges[i].size != 0 && ranges[j].size != 0 && ranges[i].meets(ranges[j]));
      REQUIRE((got[i] != 0) == wanted);
      ++(wanted ? met : apart);
    }
  }
  CHECK(met > 1000);
  CHECK(apart > 1000);
}

TEST_CASE("C4: SPLIT with 64,000 outputs in one resource is checked in time that grows as their number",
          "[memory_rules]") {
  constexpr std::uint32_t count = 64000;
  const split_desc desc{.axis = 0, .same_resource = same_resource::disjoint};
  const tensor_desc whole{.data_type = data_type::float32, .sizes = {count}};
  const tensor_desc part{.data_type = data_type::float32, .sizes = {1}};
  const int resource = 0;
  const auto input =
      const_tensor_ref::bound(whole, &resource, 16 * std::uint64_t{count}, 4 * std::uint64_t{count}, nullptr);
  std::vector<tensor_ref> outputs;
  for (std::uint32_t i = 0; i < count; ++i)
    outputs.push_back(tensor_ref::bound(part, &resource, 16 * std::uint64_t{i}, 4, nullptr));
  const std::clock_t begin = std::clock();
  CHECK(violations(desc, input, outputs).empty());
  outputs.back() = tensor_ref::bound(part, &resource, 16 * std::uint64_t{7}, 4, nullptr);
  outputs[9] = outputs[8];
  const auto two = violations(desc, input, outputs);
  REQUIRE(two.size() == 2);
  CHECK(to_string(two[0]) ==
        "SPLIT T12: OutputTensors[9].memory is overlapping that of OutputTensors, wanted memory apart from it");
  CHECK(two[1].element == count - 1);
  for (tensor_ref& output : outputs) output = outputs.front();
  CHECK(violations(desc, input, outputs).size() == count - 1);  // one for each, not for each pair
  CHECK((std::clock() - begin) / CLOCKS_PER_SEC < 20);          // of processor time; all pairs: minutes
}
