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
  unsigned answers = 0;

  std::map<std::string, int> listed_operators;
  std::map<std::string, int> listed_sources;
  for (const json& one : vectors.GetArray()) {
    const std::string source(text_of(one["source"]));
    if (is_answer(one)) {  // see intervals.cpp
      ++answers;
      continue;
    }
    ++listed_operators[std::string(text_of(one["op"]).substr(std::string_view("DML_OPERATOR_").size()))];
    ++listed_sources[source.substr(0, source.find(':'))];
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
      } else if (has_tag(one, "nearest-tie")) {
        CHECK((!by_default.refusal && !by_default.right()));  // the other neighbour (ledger RM-R1)
        suit_policies(one, desc);
        passed = play(one, desc).right();
        by_value += passed;
      } else if (has_tag(one, "channel-counts-policy")) {
        CHECK(by_default.refused_with("VS4"));
        passed = set_policy(desc, "channel_counts", "any") && play(one, desc).right();
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
  fmt::print(
      "published vectors: {} of {} that are no answers pass ({} by value, {} refused as they must be, {} inverted)\n",
      by_value + refused + inverted, vectors.Size() - answers, by_value, refused, inverted);
  CHECK(by_operator == listed_operators);  // every case of the file was run, and passed
  CHECK(by_source == listed_sources);
  CHECK(vectors.Size() >= 1999);
  CHECK(refused == 24);
  CHECK(answers == 7);
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
  std::size_t expected_changes = 0;  // three for each element of an output, one where there is a tolerance
  for (const json& one : vectors.GetArray())
    with_desc(one, [&](const auto& desc, std::string_view) {
      if (is_answer(one)) return;
      outcome played = play(one, desc);
      const bool other_policy = has_tag(one, "nan-propagating-policy") || has_tag(one, "clamp-policy") ||
                                has_tag(one, "channel-counts-policy") || has_tag(one, "nearest-tie") ||
                                has_tag(one, "dml-dtype-unsupported") ||
                                is_literal_inverted(one, desc);
      CHECK(played.right() == !other_policy);
      if (other_policy) return;
      for (const output& o : played.outputs)
        for (std::size_t i = 0; i * element_size_in_bytes(o.type) < o.got.size(); ++i)
          if (!o.is_open(i)) expected_changes += o.tolerance == nullptr ? 3 : 1;
      for (output& o : played.outputs) {
        if (o.omitted) continue;
        const json& data = *o.data;
        const std::size_t width = element_size_in_bytes(o.type);
        for (std::size_t i = 0; i * width < o.got.size(); ++i)
          for (const fault& f : faults) {
            if (o.is_open(i)) continue;
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
  CHECK(changed == expected_changes);
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
