// FILL_VALUE_SEQUENCE: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/reference/fill_value_sequence.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::laid_out;
using layouts::strides_of;

using integer_types = type_list<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                std::int64_t, std::uint64_t>;

template <class T>
std::vector<T> sequence(const dimensions& sizes, T start, T delta) {
  return fill_value_sequence<T>(reference, sizes, {.value_start = start, .value_delta = delta}).elements();
}

std::string refused(const fill_value_sequence_desc& desc, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { fill_value_sequence(reference, t..., desc); }, output);
}

std::string message(const fill_value_sequence_desc& desc, const tensor_desc& output) {
  return to_string(goldml_test::only_violation(desc, output));
}

std::string refused_at(feature_level level, data_type type, const dimensions& sizes) {
  return refused(fill_value_sequence_desc{.feature_level = level}, {.data_type = type, .sizes = sizes});
}

}  // namespace

TEST_CASE("FILL_VALUE_SEQUENCE: the page's example of integers", "[fill_value_sequence]") {
  // -2 is 254 in the UINT8 member of the union.
  CHECK(sequence<std::uint8_t>({1, 1, 2, 2}, 10, 254) == std::vector<std::uint8_t>{10, 8, 6, 4});
}

TEST_CASE("FILL_VALUE_SEQUENCE L65: integers wrap", "[fill_value_sequence]") {
  CHECK(sequence<std::int8_t>({4}, 120, 5) == std::vector<std::int8_t>{120, 125, -126, -121});
  constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();
  CHECK(sequence<std::uint64_t>({3}, most, 1) == std::vector<std::uint64_t>{most, 0, 1});
  constexpr std::int64_t least = (std::numeric_limits<std::int64_t>::min)();
  CHECK(sequence<std::int64_t>({3}, least, -1) == std::vector<std::int64_t>{least, -(least + 1), -(least + 2)});
  CHECK(sequence<std::int64_t>({3}, 1, least) == std::vector<std::int64_t>{1, least + 1, 1});
  CHECK(sequence<std::uint16_t>({3}, 65535, 65535) == std::vector<std::uint16_t>{65535, 65534, 65533});
  CHECK(sequence<std::int32_t>({3}, 10, -3) == std::vector<std::int32_t>{10, 7, 4});
  // 2^53 + 1 is not a double.
  CHECK(sequence<std::int64_t>({2}, 9007199254740993, 2) ==
        std::vector<std::int64_t>{9007199254740993, 9007199254740995});
}

TEMPLATE_LIST_TEST_CASE("FILL_VALUE_SEQUENCE: all integer types, typed and at run time", "[fill_value_sequence]",
                        integer_types) {
  const std::vector<TestType> wanted{3, 5, 7, 9, 11, 13};
  CHECK(sequence<TestType>({2, 3}, 3, 2) == wanted);
  tensor<TestType> output({2, 3});
  fill_value_sequence(reference, tensor_ref(output.view()), {.value_start = TestType(3), .value_delta = TestType(2)});
  CHECK(output.elements() == wanted);
  fill_value_sequence(reference, output, {.value_start = TestType(3)});  // omitted: zero
  CHECK(output.elements() == std::vector<TestType>(6, 3));
  fill_value_sequence(reference, output, {.value_delta = TestType(2)});
  CHECK(output.elements() == std::vector<TestType>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("FILL_VALUE_SEQUENCE: a count of more than 2^bits elements", "[fill_value_sequence]") {
  const auto y = sequence<std::uint8_t>({600}, 7, 3);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) wrong += y[i] != (7 + 3 * i) % 256;
  CHECK(wrong == 0);
}

TEST_CASE("FILL_VALUE_SEQUENCE: logical order in one to eight dimensions, in all layouts; gaps are unchanged",
          "[fill_value_sequence]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[rank / 2] = 3;
    const auto count = static_cast<std::size_t>(element_count(sizes));
    std::vector<std::int16_t> wanted;
    for (std::size_t i = 0; i < count; ++i) wanted.push_back(static_cast<std::int16_t>(5 - 4 * static_cast<int>(i)));
    for (const auto each : all_layouts) {
      laid_out<std::int16_t> y(sizes, strides_of(each, sizes), std::vector<std::int16_t>(count, 1));
      fill_value_sequence(reference, y.view(), {.value_start = std::int16_t{5}, .value_delta = std::int16_t{-4}});
      CHECK(y.elements() == wanted);
      CHECK(y.gaps_untouched());
    }
  }
}

TEST_CASE("FILL_VALUE_SEQUENCE: levels, their types and dimensions", "[fill_value_sequence]") {
  using enum feature_level;
  CHECK(refused_at(level_2_0, data_type::int32, {1, 1, 2, 4}) == "T11");
  for (const data_type type :
       {data_type::int32, data_type::int16, data_type::int8, data_type::uint32, data_type::uint16, data_type::uint8})
    CHECK(refused_at(level_2_1, type, {1, 1, 2, 4}) == "");
  for (const data_type type : {data_type::float32, data_type::float16})
    CHECK(refused_at(level_2_1, type, {1, 1, 2, 4}) == "FS0");
  for (const data_type type : {data_type::int64, data_type::uint64}) {
    CHECK(refused_at(level_4_1, type, {1, 1, 2, 4}) == "T3");
    CHECK(refused_at(level_5_0, type, {1, 1, 2, 4}) == "");
  }
  CHECK(refused_at(level_6_4, data_type::float64, {4}) == "T3");
  CHECK(refused_at(level_6_4, data_type::unknown, {4}) == "T3");
  for (const dimensions& sizes :
       {dimensions{4}, dimensions{1, 2, 4}, dimensions{1, 1, 1, 2, 4}, dimensions{1, 1, 1, 1, 1, 1, 2, 4}}) {
    CHECK(refused_at(level_2_1, data_type::int8, sizes) == "T4");
    CHECK(refused_at(level_3_1, data_type::int8, sizes) == "T4");
    CHECK(refused_at(level_4_0, data_type::int8, sizes) == "");
  }
}

TEST_CASE("FILL_VALUE_SEQUENCE FS0: floats are not computed yet", "[fill_value_sequence]") {
  const tensor_desc output{.data_type = data_type::float32, .sizes = {1, 1, 1, 3}};
  CHECK(refused(fill_value_sequence_desc{.value_start = 3.0f, .value_delta = 2.0f}, output) == "FS0");
  CHECK(message(fill_value_sequence_desc{.value_start = 3.0f, .value_delta = 2.0f}, output) ==
        "FILL_VALUE_SEQUENCE FS0: OutputTensor.DataType is FLOAT32, wanted an integer type (goldml does not compute "
        "sequences of floats yet)");
  CHECK(refused(fill_value_sequence_desc{.value_start = float16(3.0f)},
                {.data_type = data_type::float16, .sizes = {3}}) == "FS0");
}

TEST_CASE("FILL_VALUE_SEQUENCE FS1: ValueDataType is not the output's", "[fill_value_sequence]") {
  const tensor_desc output{.data_type = data_type::uint8, .sizes = {2, 2}};
  CHECK(refused(fill_value_sequence_desc{.value_start = 7, .value_delta = std::uint8_t{1}}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = std::uint8_t{1}, .value_delta = 7}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_delta = std::int8_t{7}}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = 7.0f, .value_delta = 1.0f}, output) == "FS1");
  CHECK(refused(fill_value_sequence_desc{.value_start = scalar::from_bytes(data_type::unknown, {})}, output) == "FS1");
  CHECK(message(fill_value_sequence_desc{.value_start = 7, .value_delta = 1}, output) ==
        "FILL_VALUE_SEQUENCE FS1: ValueDataType is INT32 7, wanted UINT8 (the output's; write .value_start = "
        "std::uint8_t{1})");
  CHECK(message(fill_value_sequence_desc{.value_delta = 7}, output) ==
        "FILL_VALUE_SEQUENCE FS1: ValueDataType is INT32 7, wanted UINT8 (the output's; write .value_delta = "
        "std::uint8_t{1})");
  CHECK(refused(fill_value_sequence_desc{.value_start = 7}, {.data_type = data_type::float32, .sizes = {2}}) ==
        "FS0 FS1");
  // Not of an output that breaks a T rule; before the rules on memory.
  CHECK(refused(fill_value_sequence_desc{.value_start = 7},
                {.data_type = data_type::int8, .sizes = {2, 2}, .strides = {0, 1}}) == "T9");
  std::vector<std::uint32_t> three(3, 9);
  CHECK(refusal_of([&] { fill_value_sequence(reference, tensor_view{three, {2, 2}}, {.value_start = 7}); }) == "FS1");
  CHECK(refusal_of([&] { fill_value_sequence(reference, tensor_view{three, {2, 2}}, {.value_start = 7u}); }) == "T12");
  CHECK(three == std::vector<std::uint32_t>(3, 9));
}
