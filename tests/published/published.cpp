// Runs every case of vectors.json, with the policies that its tags require. Then tests the comparison: each expected
// value is changed in turn, and this must be detected.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "../catch.hpp"
#include "cases.hpp"

using namespace published;

namespace {

// CLIP1 with Min above Max: the source gives Max, and the page's formula Min (ledger L24).
template <class Desc>
bool is_literal_inverted(const json& one, const Desc&) {
  return std::is_same_v<Desc, element_wise_clip1_desc> && has_tag(one, "min-above-max");
}
template <class Desc>
bool gives_min_for_max(const outcome& played, const Desc& desc) {
  bool found = false;
  if constexpr (std::is_same_v<Desc, element_wise_clip1_desc>) {
    const auto all_are = [](data_type type, const bytes& elements, const scalar& value) {
      const std::size_t width = element_size_in_bytes(type);
      for (std::size_t i = 0; i < elements.size(); i += width) {
        std::array<std::byte, 8> element{};
        std::copy_n(elements.begin() + static_cast<std::ptrdiff_t>(i), width, element.begin());
        if (scalar::from_bytes(type, element) != value) return false;
      }
      return !elements.empty();
    };
    const output& o = played.outputs.at(0);
    found = !played.refusal && all_are(o.type, o.got, desc.min) && all_are(o.type, o.expected, desc.max);
  }
  return found;
}

}  // namespace

TEST_CASE("published vectors: every case gives the published result", "[published]") {
  const rapidjson::Document vectors = read_vectors();
  std::map<std::string, int> by_operator;
  std::map<std::string, int> by_source;
  int by_value = 0;
  int refused = 0;
  int inverted = 0;

  for (const json& one : vectors.GetArray()) {
    const std::string source(text_of(one["source"]));
    INFO(source << ": " << text_of(one["name"]));
    with_desc(one, [&](auto desc, std::string_view name) {
      const outcome by_default = play(one, desc);
      bool passed = false;
      if (has_tag(one, "dml-dtype-unsupported")) {
        passed = by_default.refused_with("T3") &&
                 by_default.refusal->operand == operator_traits<decltype(desc)>::operands[0].name;
        refused += passed;
      } else if (has_tag(one, "nan-propagating-policy")) {
        CHECK((!by_default.refusal && !by_default.right()));  // another index (ledger 7.1)
        passed = set_policy(desc, "nan_policy", "propagate") && play(one, desc).right();
        by_value += passed;
      } else if (is_literal_inverted(one, desc)) {
        passed = gives_min_for_max(by_default, desc);
        inverted += passed;
      } else if (has_tag(one, "clamp-policy")) {
        CHECK(by_default.refused_with(name == "GATHER" ? "GA9" : "S10"));
        passed = set_policy(desc, "range_policy", "clamp") && play(one, desc).right();
        by_value += passed;
      } else {
        passed = by_default.right();
        by_value += passed;
      }
      CHECK(passed);
      if (passed) {
        ++by_operator[std::string(name)];
        ++by_source[source.substr(0, source.find(':'))];
      }
    });
  }

  for (const auto& [name, count] : by_operator) fmt::print("published vectors: {:<42} {:>3} pass\n", name, count);
  for (const auto& [name, count] : by_source) fmt::print("published vectors: from {:<36} {:>3} pass\n", name, count);
  fmt::print("published vectors: {} of {} pass ({} by value, {} refused as they must be, {} inverted)\n",
             by_value + refused + inverted, vectors.Size(), by_value, refused, inverted);
  CHECK(by_operator == std::map<std::string, int>{{"ACTIVATION_ELU", 1},
                                                  {"ACTIVATION_HARD_SIGMOID", 1},
                                                  {"ACTIVATION_LEAKY_RELU", 1},
                                                  {"ACTIVATION_SCALED_ELU", 1},
                                                  {"ACTIVATION_SIGMOID", 1},
                                                  {"ACTIVATION_SOFTPLUS", 1},
                                                  {"ACTIVATION_SOFTSIGN", 1},
                                                  {"ACTIVATION_TANH", 1},
                                                  {"ARGMAX", 74},
                                                  {"ARGMIN", 136},
                                                  {"CAST", 56},
                                                  {"CUMULATIVE_SUMMATION", 118},
                                                  {"DEPTH_TO_SPACE1", 7},
                                                  {"DIAGONAL_MATRIX", 7},
                                                  {"DIAGONAL_MATRIX1", 379},
                                                  {"ELEMENT_WISE_ABS", 21},
                                                  {"ELEMENT_WISE_ADD", 41},
                                                  {"ELEMENT_WISE_BIT_AND", 15},
                                                  {"ELEMENT_WISE_BIT_COUNT", 6},
                                                  {"ELEMENT_WISE_BIT_NOT", 7},
                                                  {"ELEMENT_WISE_BIT_OR", 15},
                                                  {"ELEMENT_WISE_BIT_SHIFT_LEFT", 5},
                                                  {"ELEMENT_WISE_BIT_SHIFT_RIGHT", 5},
                                                  {"ELEMENT_WISE_BIT_XOR", 15},
                                                  {"ELEMENT_WISE_CEIL", 15},
                                                  {"ELEMENT_WISE_CLIP", 33},
                                                  {"ELEMENT_WISE_CLIP1", 13},
                                                  {"ELEMENT_WISE_DIVIDE", 29},
                                                  {"ELEMENT_WISE_FLOOR", 15},
                                                  {"ELEMENT_WISE_IF", 26},
                                                  {"ELEMENT_WISE_IS_INFINITY", 3},
                                                  {"ELEMENT_WISE_IS_NAN", 1},
                                                  {"ELEMENT_WISE_LOGICAL_AND", 9},
                                                  {"ELEMENT_WISE_LOGICAL_EQUALS", 33},
                                                  {"ELEMENT_WISE_LOGICAL_GREATER_THAN", 31},
                                                  {"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", 31},
                                                  {"ELEMENT_WISE_LOGICAL_LESS_THAN", 31},
                                                  {"ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", 31},
                                                  {"ELEMENT_WISE_LOGICAL_NOT", 8},
                                                  {"ELEMENT_WISE_LOGICAL_OR", 10},
                                                  {"ELEMENT_WISE_LOGICAL_XOR", 10},
                                                  {"ELEMENT_WISE_MAX", 35},
                                                  {"ELEMENT_WISE_MIN", 35},
                                                  {"ELEMENT_WISE_MULTIPLY", 33},
                                                  {"ELEMENT_WISE_NEGATE", 27},
                                                  {"ELEMENT_WISE_ROUND", 4},
                                                  {"ELEMENT_WISE_SIGN", 9},
                                                  {"ELEMENT_WISE_SUBTRACT", 37},
                                                  {"FILL_VALUE_CONSTANT", 1},
                                                  {"GATHER", 41},
                                                  {"GATHER_ELEMENTS", 30},
                                                  {"GATHER_ND1", 38},
                                                  {"FILL_VALUE_SEQUENCE", 7},
                                                  {"JOIN", 44},
                                                  {"NONZERO_COORDINATES", 14},
                                                  {"ONE_HOT", 32},
                                                  {"PADDING1", 27},
                                                  {"SCATTER_ELEMENTS", 8},
                                                  {"REDUCE", 267},
                                                  {"REVERSE_SUBSEQUENCES", 13},
                                                  {"SCATTER_ND", 55},
                                                  {"SLICE1", 42},
                                                  {"SPACE_TO_DEPTH1", 8},
                                                  {"SPLIT", 15},
                                                  {"TILE", 26},
                                                  {"TOP_K1", 25}});
  CHECK(by_source == std::map<std::string, int>{{"microsoft-docs", 35},
                                                {"microsoft/onnxruntime", 78},
                                                {"microsoft/tensorflow-directml-plugin", 498},
                                                {"numpy/numpy", 75},
                                                {"onnx/onnx", 285},
                                                {"openxla/stablehlo", 404},
                                                {"web-platform-tests/wpt", 577},
                                                {"webmachinelearning/webnn-baseline", 165}});
  CHECK(by_value == 2093);
  CHECK(refused == 20);
  CHECK(inverted == 4);
}

TEST_CASE("published vectors: a change of any element is detected", "[published]") {
  // Changes the expectation or, past the defined rows, where there is none, the result.
  struct fault {
    bool highest_byte;
    std::byte mask;
    bool noticed_on_nan;  // all NaNs are equal
  };
  constexpr std::array faults{fault{true, std::byte{0x40}, true}, fault{true, std::byte{0x80}, false},
                              fault{false, std::byte{0x01}, false}};
  const rapidjson::Document vectors = read_vectors();
  std::size_t changed = 0;
  std::size_t missed = 0;
  for (const json& one : vectors.GetArray())
    with_desc(one, [&](const auto& desc, std::string_view) {
      outcome played = play(one, desc);
      if (!played.right()) return;  // needs a policy, or is refused
      for (output& o : played.outputs) {
        const json& data = *o.data;
        const std::size_t width = element_size_in_bytes(o.type);
        for (std::size_t i = 0; i * width < o.got.size(); ++i)
          for (const fault& f : faults) {
            if (o.tolerance != nullptr && !(f.highest_byte && f.noticed_on_nan)) continue;  // may be tolerated
            const bool expected = i < data.Size();
            const bool nan = expected && data[static_cast<rapidjson::SizeType>(i)].IsString() &&
                             text_of(data[static_cast<rapidjson::SizeType>(i)]) == "NaN";
            std::byte& changing = (expected ? o.expected : o.got)[i * width + (f.highest_byte ? width - 1 : 0)];
            changing ^= f.mask;
            ++changed;
            const bool noticed = o.wrong() == std::vector{i} && !played.right();
            if (noticed != (!nan || f.noticed_on_nan)) ++missed;
            changing ^= f.mask;
          }
      }
      if (!played.right()) ++missed;  // nothing is changed here
    });
  CHECK(missed == 0);
  CHECK(changed == 3 * 76503 + 661);  // the output elements of 2055 cases, and of 18 with a tolerance
}

TEST_CASE("published vectors: an output of another length is detected", "[published]") {
  const bytes four(4);
  CHECK(differences(data_type::uint32, four, four).empty());
  CHECK(differences(data_type::uint32, four, {}) == std::vector<std::size_t>{0});
  CHECK(differences(data_type::uint32, {}, four) == std::vector<std::size_t>{0});
  CHECK(differences(data_type::uint32, {}, bytes(4, sentinel)).empty());
  CHECK_FALSE(output{"OutputTensor", data_type::uint32, {}, {}}.right());  // nothing was compared
}

TEST_CASE("published vectors: cases without a vector are refused", "[published]") {
  // README.md lists them: a size of 0 is T5. TensorFlow's index 6 of 6 rows is S10.
  const auto f32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  const auto i64 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::int64, .sizes = sizes}; };
  const auto u32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::uint32, .sizes = sizes}; };
  for (const dimensions& sizes : {dimensions{0, 5}, dimensions{3, 0, 5}})
    CHECK(rule_of(validate(diagonal_matrix1_desc{}, f32(sizes), f32(sizes))) == "T5");
  CHECK(rule_of(validate(nonzero_coordinates_desc{}, f32({1, 0, 2}), u32({1}), u32({1, 3}))) == "T5");
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  for (const dimensions& sizes : {dimensions{0, 1}, dimensions{1, 0}})
    CHECK(rule_of(validate(desc, f32({1, 3}), i64(sizes), f32({1, 1}), f32({1, 3}))) == "T5");
  const tensor<float> rows({1, 6});
  const tensor<float> update({1, 1});
  CHECK(refusal_of([&] {
          return scatter_nd(reference, rows, tensor<std::int32_t>({1, 1}, {6}), update, desc);
        }) == "S10");
  CHECK(refusal_of([&] {
          return scatter_nd(reference, rows, tensor<std::int32_t>({1, 1}, {-1}), update, desc);
        }) == "none");
}
