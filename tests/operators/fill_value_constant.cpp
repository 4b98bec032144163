// FILL_VALUE_CONSTANT: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/fill_value_constant.hpp>
#include <goldml/reference/fill_value_constant.hpp>

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

std::string refused(const fill_value_constant_desc& desc, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { fill_value_constant(reference, t..., desc); }, output);
}

std::string message(const fill_value_constant_desc& desc, const tensor_desc& output) {
  return to_string(goldml_test::only_violation(desc, output));
}

}  // namespace

TEST_CASE("FILL_VALUE_CONSTANT: the page's example", "[fill_value_constant]") {
  CHECK(fill_value_constant<float>(reference, {1, 1, 2, 4}, {.value = 13.0f}) ==
        tensor<float>({1, 1, 2, 4}, std::vector<float>(8, 13)));
}

TEMPLATE_LIST_TEST_CASE("FILL_VALUE_CONSTANT: all data types, typed and at run time", "[fill_value_constant]",
                        a11_types) {
  const auto value = different_elements<TestType>(1, 3)[0];
  const std::vector<std::uint64_t> wanted(6, bits(value));
  CHECK(bits(fill_value_constant<TestType>(reference, {2, 3}, {.value = value}).elements()) == wanted);
  tensor<TestType> output({2, 3}, different_elements<TestType>(6, 5));
  fill_value_constant(reference, tensor_ref(output.view()), {.value = value});
  CHECK(bits(output.elements()) == wanted);
  fill_value_constant(reference, output, {});  // omitted: positive zero
  CHECK(bits(output.elements()) == std::vector<std::uint64_t>(6, 0));
}

TEST_CASE("FILL_VALUE_CONSTANT: NaN payloads, -0.0 and subnormals are moved bit by bit", "[fill_value_constant]") {
  const auto fill = []<class T>(T value) {
    return bits(fill_value_constant<T>(reference, {1}, {.value = value}).elements()[0]);
  };
  for (const std::uint64_t pattern : {0x7FC1'2345u, 0x7F81'2345u, 0xFFBF'FFFFu, 0x8000'0000u, 1u, 0x807F'FFFFu})
    CHECK(fill(from_bits<float>(pattern)) == pattern);
  for (const std::uint64_t pattern : {0x7E12u, 0x7C12u, 0xFDFFu, 0x8000u, 1u, 0x83FFu, 0xFC00u})
    CHECK(fill(from_bits<float16>(pattern)) == pattern);
  for (const std::uint64_t pattern : {0x7FF0'1234'5678'9ABCu, 0x8000'0000'0000'0000u, std::uint64_t{1}})
    CHECK(fill(from_bits<double>(pattern)) == pattern);
  CHECK(fill(std::numeric_limits<std::uint64_t>::max()) == std::numeric_limits<std::uint64_t>::max());
  CHECK(fill(std::int64_t{9007199254740993}) == 9007199254740993u);  // 2^53 + 1, which is not a double
}

TEST_CASE("FILL_VALUE_CONSTANT: one to eight dimensions, in all layouts; gaps are unchanged", "[fill_value_constant]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[rank - 1] = 3;
    const auto count = static_cast<std::size_t>(element_count(sizes));
    for (const auto each : all_layouts) {
      laid_out<std::int16_t> y(sizes, strides_of(each, sizes), std::vector<std::int16_t>(count, 1));
      fill_value_constant(reference, y.view(), {.value = std::int16_t{-7}});
      CHECK(y.elements() == std::vector<std::int16_t>(count, -7));
      CHECK(y.gaps_untouched());
    }
  }
}

TEST_CASE("FILL_VALUE_CONSTANT FC1: ValueDataType is not the output's", "[fill_value_constant]") {
  const tensor_desc output{.data_type = data_type::float32, .sizes = {2, 2}};
  CHECK(refused(fill_value_constant_desc{.value = 7}, output) == "FC1");
  CHECK(refused(fill_value_constant_desc{.value = 7.0}, output) == "FC1");
  CHECK(refused(fill_value_constant_desc{.value = scalar::from_bytes(data_type::unknown, {})}, output) == "FC1");
  CHECK(message(fill_value_constant_desc{.value = 7}, output) ==
        "FILL_VALUE_CONSTANT FC1: ValueDataType is INT32 7, wanted FLOAT32 (the output's; write .value = 1.0f)");
  // Not of an output that breaks a T rule; before the rules on memory.
  CHECK(refused(fill_value_constant_desc{.value = 7},
                {.data_type = data_type::float32, .sizes = {2, 2}, .strides = {0, 1}}) == "T9");
  CHECK(refused(fill_value_constant_desc{.value = 7}, {.data_type = data_type::unknown, .sizes = {2, 2}}) == "T3");
  std::vector<float> three(3, 9);
  CHECK(refusal_of([&] { fill_value_constant(reference, tensor_view{three, {2, 2}}, {.value = 7}); }) == "FC1");
  CHECK(refusal_of([&] { fill_value_constant(reference, tensor_view{three, {2, 2}}, {.value = 7.0f}); }) == "T12");
  CHECK(three == std::vector<float>(3, 9));
}
