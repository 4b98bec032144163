// A write outside the tensor is a failure; a write into padding and gaps is a note. clang-format off: Catch2 comes
// first.
#include "../catch.hpp"
// clang-format on

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/catch2.hpp>

#include "../support/every_operator.hpp"
#include "golden.hpp"

using namespace goldml;
using oracle::gap_bytes;
using oracle::watched_output;

namespace {

// UINT8 {2,2} with strides {3,1}: bytes 0 1 3 4 of 8, gap at 2, padding 5 to 7.
const tensor_desc rows{.data_type = data_type::uint8, .sizes = {2, 2}, .strides = {3, 1}};

oracle::golden golden() {
  host_tensor values(rows);
  const auto view = values.ref().as<std::uint8_t>();
  std::uint8_t next = 1;
  for (const coordinate_tuple& c : coordinates_of(rows.sizes)) view[c] = next++;
  return judged::golden_of({std::move(values), output_verdicts(4)});
}

// The correct output.
watched_output answered() {
  watched_output output(rows);
  std::uint8_t next = 1;
  for (const coordinate_tuple& c : coordinates_of(rows.sizes)) output.ref().as<std::uint8_t>()[c] = next++;
  return output;
}

std::string report_of(const watched_output& output, const oracle::compare_options& options = {}) {
  const oracle::golden expected = golden();
  const std::array<const_tensor_ref, 1> refs{output.ref()};
  return oracle::report(expected, refs, oracle::compare(expected, output, options), options, {"OP", {"OutputTensor"}},
                        "");
}

}  // namespace

TEST_CASE("a correct output that changes no other byte agrees", "[oracle]") {
  for (const gap_bytes gaps : {gap_bytes::may_change, gap_bytes::must_survive}) {
    const watched_output output = answered();
    CHECK(oracle::compare(golden(), output, {.gaps = gaps}).result.agrees());
    CHECK(report_of(output, {.gaps = gaps}) ==
          "OP: agrees\nOutputTensor UINT8 {2,2}: 4 compared, 0 ignored, 0 differ\n");
    CHECK(oracle::agrees_with(golden(), {.gaps = gaps}).match(output));
  }
}

TEST_CASE("each byte before the tensor and past its TotalTensorSizeInBytes is a failure with its offset", "[oracle]") {
  const watched_output right = answered();
  const std::uint64_t begin = right.offset_in_bytes();
  CHECK(begin == 256);
  CHECK(right.bytes().size() == 256 + 8 + 256);
  for (std::size_t i = 0; i < right.bytes().size(); ++i) {
    watched_output output = right;
    output.bytes()[i] ^= std::byte{1};
    const auto offset = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(begin);
    const bool element = offset == 0 || offset == 1 || offset == 3 || offset == 4;
    const bool outside = offset < 0 || offset >= 8;
    const auto lax = oracle::compare(golden(), output);
    const auto strict = oracle::compare(golden(), output, {.gaps = gap_bytes::must_survive});
    CHECK(lax.result.agrees() == (!element && !outside));
    CHECK_FALSE(strict.result.agrees());
    CHECK(lax.result.wrote_outside() == outside);
    CHECK(strict.result.wrote_outside() == !element);
    CHECK(lax.result.differing() == (element ? 1U : 0U));
    if (!outside) continue;
    const std::string text = report_of(output);
    CHECK(text.find("OP: wrote outside its tensor\n") == 0);
    CHECK(text.find(fmt::format("  wrote outside its tensor: byte {} is 0x", offset)) != std::string::npos);
  }
}

TEST_CASE("changed padding and gaps are a note, or a failure with the option", "[oracle]") {
  watched_output output = answered();
  const std::byte was = output.bytes()[256 + 2];
  for (const std::size_t offset : {2U, 6U}) output.bytes()[256 + offset] = std::byte{0};
  const std::string changed =
      fmt::format("padding or gaps: byte 2 is 0x00, was 0x{:02X}; 2 bytes changed\n", std::to_integer<unsigned>(was));
  CHECK(report_of(output) ==
        "OP: agrees\nOutputTensor UINT8 {2,2}: 4 compared, 0 ignored, 0 differ\n  note: wrote into " + changed);
  CHECK(report_of(output, {.gaps = gap_bytes::must_survive}) ==
        "OP: wrote outside its tensor\nOutputTensor UINT8 {2,2}: 4 compared, 0 ignored, 0 differ\n  wrote into " +
            changed);
  CHECK(oracle::agrees_with(golden()).match(output));
  CHECK_FALSE(oracle::agrees_with(golden(), {.gaps = gap_bytes::must_survive}).match(output));
  CHECK_FALSE(oracle::agrees_with(oracle::golden()).match(output));  // there is no answer
  // Besides a byte outside they are a note.
  output.bytes()[0] ^= std::byte{1};
  CHECK(report_of(output).find("\n  note: wrote into " + changed) != std::string::npos);
}

TEST_CASE("the matcher accepts watched outputs, alone and in a list, and reports the changed bytes", "[oracle]") {
  std::vector<watched_output> outputs{answered()};
  const oracle::golden expected = golden();
  const auto matcher = oracle::agrees_with(expected);
  CHECK_THAT(outputs, matcher);
  CHECK_THAT(outputs.front(), matcher);
  outputs.front().bytes()[256 + 8] ^= std::byte{0x10};
  CHECK_FALSE(matcher.match(outputs));
  CHECK(matcher.describe().find("wrote outside its tensor: byte 8 is 0x") != std::string::npos);
  CHECK_FALSE(matcher.match(outputs.front()));
  outputs.front() = answered();
  outputs.front().ref().as<std::uint8_t>()[{1, 1}] = 9;
  outputs.front().bytes()[0] ^= std::byte{0x10};
  CHECK_FALSE(matcher.match(outputs));
  CHECK(matcher.describe().find("differs") != std::string::npos);
  CHECK(matcher.describe().find("wrote outside its tensor: byte -256 is 0x") != std::string::npos);
}

TEST_CASE("a write outside the tensor is a failure even if no element is defined", "[oracle]") {
  oracle::golden expected = golden();
  expected.answers[0][0].verdicts.make_all_undefined();
  watched_output output(rows);
  CHECK_FALSE(oracle::compare(expected, output).result.wrote_outside());
  output.bytes()[255] ^= std::byte{1};
  CHECK(oracle::compare(expected, output).result.wrote_outside());
  CHECK_FALSE(oracle::compare(expected, output).result.agrees());
}

TEST_CASE("buffers are bound as DirectML requires, for every guaranteed alignment", "[oracle]") {
  for (const std::uint32_t alignment : {0U, 1U, 256U, 4096U, 65536U, 131072U, 0x8000'0000U}) {
    tensor_desc desc = rows;
    desc.guaranteed_base_offset_alignment = alignment;
    desc.total_tensor_size_in_bytes = 9;
    const watched_output output(desc);
    CHECK(output.offset_in_bytes() % 16 == 0);
    if (alignment != 0) CHECK(output.offset_in_bytes() % alignment == 0);
    CHECK(output.size_in_bytes() == 12);
    CHECK(output.bytes().size() == output.offset_in_bytes() + 12 + 256);
    CHECK(output.bytes().size() <= 66000);
    CHECK((output.offset_in_bytes() == 0) == (alignment > 65536));
  }
}

TEST_CASE("the pattern fills the whole buffer including elements, and depends on the seed", "[oracle]") {
  const watched_output one(rows, 1);
  const watched_output two(rows, 2);
  std::size_t same = 0;
  for (std::size_t i = 0; i < one.bytes().size(); ++i) {
    CHECK(one.bytes()[i] != std::byte{0});
    same += one.bytes()[i] == two.bytes()[i] ? 1U : 0U;
  }
  CHECK(same < 20);
  CHECK(one.changes().outside == 0);
  CHECK(two.changes().gaps == 0);
}

TEST_CASE("reference writes only elements, for every operator", "[oracle]") {
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    std::uint64_t with_gaps = 0;
    for (const auto& c : oracle::cases<any_desc>(*op, {.count = 150, .seed = 14})) {
      CAPTURE(c.line());
      std::vector<watched_output> outputs;
      const auto initial = c.initial_refs();
      for (const tensor_desc& output : c.outputs)
        outputs.emplace_back(output, 1, initial.empty() ? const_tensor_ref() : initial[outputs.size()]);
      std::vector<tensor_ref> refs;
      for (watched_output& output : outputs) {
        refs.push_back(output.ref());
        const std::uint64_t elements = size_in_bytes_of(output.desc().data_type, element_count(output.desc().sizes));
        if (total_tensor_size_in_bytes(output.desc()) > elements) ++with_gaps;
      }
      const auto inputs = c.input_refs();
      op->golden->evaluate(c.text.desc.get(), inputs, refs);
      const auto judged = oracle::compare(c.expected, outputs, {.gaps = gap_bytes::must_survive});
      REQUIRE_FALSE(judged.result.wrote_outside());
      REQUIRE(judged.result.differing() == 0);
    }
    CHECK(with_gaps > 20);
  }
}

TEST_CASE("watched_output: without a seed it is seed 1", "[oracle]") {
  const tensor_desc desc{.data_type = data_type::uint8, .sizes = {5}};
  CHECK(oracle::watched_output(desc).bytes() == oracle::watched_output(desc, 1).bytes());
  CHECK(oracle::watched_output(desc).bytes() != oracle::watched_output(desc, 2).bytes());
}

TEST_CASE("A7: compare() with no tensors is not ambiguous", "[oracle]") {
  const oracle::golden none{{{}}};
  CHECK(oracle::compare(none, {}).outcome() == oracle::compare(none, std::span<const const_tensor_ref>()).outcome());
  const std::vector<watched_output> outputs{answered()};
  CHECK(oracle::compare(golden(), outputs).outcome() == oracle::outcome::agrees);
  CHECK(oracle::compare(golden(), outputs.front()).outcome() == oracle::outcome::agrees);
  CHECK(oracle::compare(golden(), std::span<const watched_output>(outputs)).outcome() == oracle::outcome::agrees);
}
