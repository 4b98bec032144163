// JOIN and SPLIT: results and violations.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/join.hpp>
#include <goldml/operators/split.hpp>
#include <goldml/reference/join.hpp>
#include <goldml/reference/split.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

// first, first + 1, ...
tensor<float> counted(const dimensions& sizes, float first) {
  tensor<float> result(sizes);
  for (std::size_t i = 0; i < result.elements().size(); ++i) result.data()[i] = first + static_cast<float>(i);
  return result;
}

tensor_desc f32(const dimensions& sizes) { return {.data_type = data_type::float32, .sizes = sizes}; }

// A valid call in which the tests change one thing. JOIN: the parts, then the whole. SPLIT: the whole, then the parts.
struct call {
  std::uint32_t axis = 2;
  std::vector<tensor_desc> parts{f32({1, 1, 2, 2}), f32({1, 1, 1, 2}), f32({1, 1, 3, 2})};
  tensor_desc whole = f32({1, 1, 6, 2});
  feature_level level = feature_level::latest;

  join_desc join() const { return {.axis = axis, .feature_level = level}; }
  split_desc split() const { return {.axis = axis, .feature_level = level}; }
  std::vector<tensor_desc> joined() const {
    std::vector<tensor_desc> all = parts;
    all.push_back(whole);
    return all;
  }
  std::vector<tensor_desc> parted() const {
    std::vector<tensor_desc> all = parts;
    all.insert(all.begin(), whole);
    return all;
  }
};

std::string join_refused(const call& c) { return goldml_test::refused_by(reference, 64, c.join(), c.joined()); }
std::string split_refused(const call& c) { return goldml_test::refused_by(reference, 64, c.split(), c.parted()); }

// The codes of both, in which only the letters may differ.
std::string refused(const call& c) {
  std::string joined = join_refused(c);
  std::string parted = split_refused(c);
  for (std::size_t at = 0; (at = parted.find("SP", at)) != std::string::npos;) parted.replace(at, 2, "JO");
  CHECK(joined == parted);
  return joined;
}
std::vector<std::string> join_messages(const call& c) {
  std::vector<std::string> messages;
  for (const violation& v : goldml_test::violations_of(c.join(), c.joined())) messages.push_back(to_string(v));
  return messages;
}
std::vector<std::string> split_messages(const call& c) {
  std::vector<std::string> messages;
  for (const violation& v : goldml_test::violations_of(c.split(), c.parted())) messages.push_back(to_string(v));
  return messages;
}

// The refusal of JOIN and SPLIT with tensors that all have 1 element per dimension.
std::string join_at(feature_level level, data_type type, std::size_t dimension_count) {
  const tensor_desc t{.data_type = type, .sizes = dimensions::filled(dimension_count, 1)};
  return join_refused({.axis = 0, .parts = {t}, .whole = t, .level = level});
}
std::string split_at(feature_level level, data_type type, std::size_t dimension_count) {
  const tensor_desc t{.data_type = type, .sizes = dimensions::filled(dimension_count, 1)};
  return split_refused({.axis = 0, .parts = {t}, .whole = t, .level = level});
}

}  // namespace

TEST_CASE("JOIN: two inputs", "[join]") {
  const std::vector inputs{counted({1, 1, 2, 3}, 1), counted({1, 1, 2, 4}, 7)};
  CHECK(join(reference, inputs, {.axis = 3}) ==
        tensor<float>({1, 1, 2, 7}, {1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11, 12, 13, 14}));
}

TEST_CASE("JOIN: three inputs along each axis", "[join]") {
  const std::vector inputs{counted({1, 1, 2, 2}, 1), counted({1, 1, 2, 2}, 5), counted({1, 1, 2, 2}, 9)};
  CHECK(join(reference, inputs, {.axis = 0}) == counted({3, 1, 2, 2}, 1));
  CHECK(join(reference, inputs, {.axis = 1}) == counted({1, 3, 2, 2}, 1));
  CHECK(join(reference, inputs, {.axis = 2}) == counted({1, 1, 6, 2}, 1));
  CHECK(join(reference, inputs, {.axis = 3}) == tensor<float>({1, 1, 2, 6}, {1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12}));
}

TEST_CASE("JOIN: DxDispatch's example: inputs of one resource, and overlapping inputs", "[join]") {
  // A = 1..10: its first three elements, B, and five elements of A from the fifth on.
  const floats a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const floats b{100, 115};
  floats y(10);
  const std::vector<const_tensor_ref> apart{tensor_view{std::span(a).first(3), {3}}, tensor_view{b, {2}},
                                            tensor_view{std::span(a).subspan(4, 5), {5}}};
  join(reference, apart, y, {.axis = 0});
  CHECK(y == floats{1, 2, 3, 100, 115, 5, 6, 7, 8, 9});
  floats z(6);
  const std::vector<const_tensor_ref> twice{tensor_view{b, {2}}, tensor_view{b, {2}}, tensor_view{b, {2}}};
  join(reference, twice, z, {.axis = 0});
  CHECK(z == floats{100, 115, 100, 115, 100, 115});
}

TEST_CASE("SPLIT: rows and columns", "[split]") {
  const tensor<float> x = counted({1, 1, 6, 2}, 1);
  const auto rows = split(reference, x, {2, 1, 3}, {.axis = 2});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == counted({1, 1, 2, 2}, 1));
  CHECK(rows[1] == counted({1, 1, 1, 2}, 5));
  CHECK(rows[2] == counted({1, 1, 3, 2}, 7));
  const auto columns = split(reference, x, {1, 1}, {.axis = 3});
  REQUIRE(columns.size() == 2);
  CHECK(columns[0] == tensor<float>({1, 1, 6, 1}, {1, 3, 5, 7, 9, 11}));
  CHECK(columns[1] == tensor<float>({1, 1, 6, 1}, {2, 4, 6, 8, 10, 12}));
}

TEST_CASE("JOIN, SPLIT: a single part is a copy", "[join][split]") {
  const tensor<float> x = counted({2, 3}, 1);
  for (const std::uint32_t axis : {0u, 1u}) {
    CHECK(join(reference, std::vector{x}, {.axis = axis}) == x);
    CHECK(split(reference, x, {x.sizes()[axis]}, {.axis = axis}) == std::vector{x});
  }
}

TEST_CASE("JOIN, SPLIT: more parts than a tensor has dimensions", "[join][split]") {
  const tensor<float> x = counted({20, 2}, 1);
  const auto parts = split(reference, x, std::vector<std::uint32_t>(20, 1), {.axis = 0});
  REQUIRE(parts.size() == 20);
  CHECK(parts[19].elements() == floats{39, 40});
  CHECK(join(reference, parts, {.axis = 0}) == x);
}

TEMPLATE_LIST_TEST_CASE("JOIN, SPLIT: all data types, moved bit by bit", "[join][split]", a11_types) {
  const tensor<TestType> x({2, 3}, different_elements<TestType>(6, 0));
  const auto b = bits(x.elements());
  const auto parts = split(reference, x, {1, 2}, {.axis = 1});
  REQUIRE(parts.size() == 2);
  CHECK(bits(parts[0].elements()) == std::vector<std::uint64_t>{b[0], b[3]});
  CHECK(bits(parts[1].elements()) == std::vector<std::uint64_t>{b[1], b[2], b[4], b[5]});
  CHECK(bits(join(reference, parts, {.axis = 1}).elements()) == b);
}

TEST_CASE("JOIN, SPLIT: NaN payloads, -0.0 and subnormals", "[join][split]") {
  const auto check = []<class T>(const std::vector<std::uint64_t>& patterns, T) {
    tensor<T> x({static_cast<std::uint32_t>(patterns.size())});
    for (std::size_t i = 0; i < patterns.size(); ++i) x.data()[i] = from_bits<T>(patterns[i]);
    const auto parts = split(reference, x, {1, x.sizes()[0] - 1}, {.axis = 0});
    CHECK(bits(parts[0].elements()[0]) == patterns[0]);
    CHECK(bits(join(reference, parts, {.axis = 0}).elements()) == patterns);
  };
  check({0x7FC1'2345, 0x7F81'2345, 0xFFBF'FFFF, 0x8000'0000, 0x0000'0001, 0x807F'FFFF, 0xFF80'0000}, 0.0f);
  check({0x7E12, 0x7C12, 0xFE01, 0xFDFF, 0x8000, 0x0001, 0x83FF, 0xFC00}, float16(0));
  check({0x7FF0'1234'5678'9ABC, 0xFFF7'FFFF'FFFF'FFFF, 0x8000'0000'0000'0000, 1}, 0.0);
}

TEST_CASE("JOIN, SPLIT: one to eight dimensions, every axis, in all layouts; gaps are unchanged", "[join][split]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions whole = dimensions::filled(rank, 2);
      whole[axis] = 3;
      dimensions first = whole;
      first[axis] = 1;
      dimensions second = whole;
      second[axis] = 2;
      const auto count = static_cast<std::size_t>(element_count(whole));
      const auto data = different_elements<std::uint16_t>(count, 0);
      // The elements of each part, by the place of an element on the axis.
      std::size_t inner = 1;
      for (std::uint32_t i = axis + 1; i < rank; ++i) inner *= whole[i];
      std::vector<std::uint16_t> a;
      std::vector<std::uint16_t> b;
      for (std::size_t i = 0; i < count; ++i) (i / inner % 3 == 0 ? a : b).push_back(data[i]);
      for (const auto of_whole : all_layouts)
        for (const auto of_parts : all_layouts) {
          laid_out<std::uint16_t> x(whole, strides_of(of_whole, whole), data);
          laid_out<std::uint16_t> y(first, strides_of(of_parts, first), std::vector<std::uint16_t>(a.size()));
          laid_out<std::uint16_t> z(second, strides_of(of_parts, second), std::vector<std::uint16_t>(b.size()));
          const std::vector<tensor_ref> outputs{y.view(), z.view()};
          split(reference, x.view(), outputs, {.axis = axis});
          CHECK((y.elements() == a && z.elements() == b));
          laid_out<std::uint16_t> back(whole, strides_of(of_whole, whole), std::vector<std::uint16_t>(count));
          const std::vector<const_tensor_ref> inputs{y.view(), z.view()};
          join(reference, inputs, back.view(), {.axis = axis});
          CHECK(back.elements() == data);
          CHECK((x.gaps_untouched() && y.gaps_untouched() && z.gaps_untouched() && back.gaps_untouched()));
        }
    }
}

TEST_CASE("JOIN: an input broadcast by strides of 0", "[join]") {
  const floats one{7};
  const floats row{1, 2, 3};
  tensor<float> y({2, 5});
  const std::vector<const_tensor_ref> inputs{tensor_view{one, {2, 2}, {0, 0}}, tensor_view{row, {2, 3}, {0, 1}}};
  join(reference, inputs, y, {.axis = 1});
  CHECK(y.elements() == floats{7, 7, 1, 2, 3, 7, 7, 1, 2, 3});
}

TEST_CASE("JOIN, SPLIT: feature levels, their types and dimensions", "[join][split]") {
  using enum feature_level;
  using enum data_type;
  for (const data_type type : {float32, float16, int32, int16, uint32, uint16}) {
    CHECK(join_at(level_1_0, type, 4) == "");
    CHECK(split_at(level_1_0, type, 4) == "");
  }
  for (const data_type type : {int8, uint8}) {
    CHECK(join_at(level_2_0, type, 4) == "T3 T3");
    CHECK(join_at(level_2_1, type, 4) == "");
    CHECK(split_at(level_2_0, type, 4) == "T3 T3");
    CHECK(split_at(level_2_1, type, 4) == "");
  }
  for (const data_type type : {int64, uint64, float64}) {
    CHECK(join_at(level_4_0, type, 4) == "T3 T3");
    CHECK(join_at(level_4_1, type, 4) == "");
    CHECK(split_at(level_4_0, type, 4) == "T3 T3");
    CHECK(split_at(level_4_1, type, 4) == "");
  }
  for (const data_type type : {unknown, static_cast<data_type>(12)}) CHECK(join_at(level_6_4, type, 4) == "T3 T3");
  for (const std::size_t count : {1u, 3u, 5u, 8u}) {
    CHECK(join_at(level_2_1, float32, count) == "T4 T4");
    CHECK(join_at(level_3_0, float32, count) == (count == 5 ? "" : "T4 T4"));
    CHECK(join_at(level_3_1, float32, count) == "");
    CHECK(split_at(level_2_1, float32, count) == "T4 T4");
    CHECK(split_at(level_3_0, float32, count) == "");
  }
}

TEST_CASE("JOIN JO4, SPLIT SP4: no parts", "[join][split]") {
  CHECK(refused({.parts = {}}) == "JO4");
  CHECK(join_messages({.parts = {}}) == std::vector<std::string>{"JOIN JO4: InputCount is 0, wanted at least 1"});
  CHECK(split_messages({.parts = {}}) == std::vector<std::string>{"SPLIT SP4: OutputCount is 0, wanted at least 1"});
  CHECK(refused({.axis = 4, .parts = {}}) == "JO4 JO5");
  CHECK(refusal_of([] { static_cast<void>(join(reference, std::vector<tensor<float>>{}, {})); }) == "JO4");
  CHECK(refusal_of([] { static_cast<void>(split(reference, tensor<float>({2}), std::vector<std::uint32_t>{}, {})); }) ==
        "SP4");
}

TEST_CASE("JOIN JO5, SPLIT SP5: an axis that the tensors do not have; sizes are not checked", "[join][split]") {
  CHECK(refused({.axis = 4}) == "JO5");
  CHECK(refused({.axis = 0xFFFF'FFFF, .parts = {f32({9, 9, 9, 9})}}).starts_with("JO5"));
  const tensor<float> x({2, 2});
  CHECK(refusal_of([&] { static_cast<void>(join(reference, std::vector{x, x}, {.axis = 2})); }) == "JO5");
  CHECK(refusal_of([&] { static_cast<void>(split(reference, x, {1, 1}, {.axis = 2})); }) == "SP5");
  CHECK(join_messages({.axis = 4}) == std::vector<std::string>{"JOIN JO5: Axis is 4, wanted below DimensionCount 4"});
  CHECK(split_messages({.axis = 4}) == std::vector<std::string>{"SPLIT SP5: Axis is 4, wanted below DimensionCount 4"});
}

TEST_CASE("JOIN, SPLIT: order of rules, and tensors that break a T rule", "[join][split]") {
  call c;
  c.axis = 3;  // JO3 on axis 2, JO6 on axis 3
  CHECK(refused(c) == "JO3 JO3 JO3 JO6");
  c.parts[0] = f32({1, 1, 0, 2});  // T5: not used any more
  CHECK(join_refused(c) == "T5 JO3 JO3");
  c.whole = f32({1, 1, 0, 2});
  CHECK(join_refused(c) == "T5 T5");
  CHECK(split_refused(c) == "T5 T5");
}

TEST_CASE("JOIN, SPLIT: memory", "[join][split]") {
  floats memory(8, 1);
  const tensor_view left{std::span(memory).first(4), {4}};
  const tensor_view middle{std::span(memory).subspan(3, 4), {4}};
  const tensor_view right{std::span(memory).subspan(4, 4), {4}};
  tensor<float> y({8});
  // Inputs may overlap, outputs may not; no output may meet an input.
  CHECK(refusal_of([&] { join(reference, std::vector<const_tensor_ref>{left, middle}, y, {}); }) == "none");
  CHECK(refusal_of([&] { split(reference, y, std::vector<tensor_ref>{left, middle}, {}); }) == "T12");
  CHECK(refusal_of([&] { split(reference, y, std::vector<tensor_ref>{left, right}, {}); }) == "none");
  CHECK(refusal_of([&] {
          join(reference, std::vector<const_tensor_ref>{left}, std::span(memory).subspan(3, 4), {});
        }) == "T12");
  CHECK(refusal_of([&] {
          split(reference, tensor_view{memory, {8}}, std::vector<tensor_ref>{left, right}, {});
        }) == "T12");
}
