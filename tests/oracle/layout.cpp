// The lines of reports that say where an element of a layout operator, or of CAST, comes from.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/oracle/report.hpp>

#include "../catch.hpp"
#include "../support/run_case.hpp"

using namespace goldml;

namespace {

// The coordinate in a line of a report, "... at {1,2} ...".
coordinate_tuple coordinate_in(const std::string& text) {
  coordinate_tuple result;
  std::size_t i = text.find('{');
  while (text[i] != '}') {
    std::size_t length = 0;
    result.push_back(std::stoul(text.substr(i + 1), &length));
    i += 1 + length;
  }
  return result;
}

std::vector<std::byte> bytes_at(const const_tensor_ref& tensor, const coordinate_tuple& c) {
  const auto bytes = goldml_test::logical_bytes(tensor);
  const std::size_t size = element_size_in_bytes(tensor.desc().data_type);
  std::size_t number = 0;
  for (std::size_t i = 0; i < c.size(); ++i) number = number * tensor.desc().sizes[i] + c[i];
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(number * size);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

template <class Desc>
void check_deciding_texts() {
  for (const auto& c : oracle::cases<Desc>({.count = 60, .seed = 10, .most_elements = 40})) {
    const auto inputs = c.input_refs();
    const auto names = oracle::names_of(c.text.desc, std::span<const const_tensor_ref>(inputs), c.outputs.size());
    const oracle::golden_output& golden = c.expected.answers[0][0];
    for (const coordinate_tuple& where : coordinates_of(golden.values.desc().sizes)) {
      const std::string text = names.deciding(0, golden, where, golden.values.ref());
      CAPTURE(c.line(), where, text);
      const std::vector<std::byte> wanted = bytes_at(golden.values.ref(), where);
      if (text.find("zero") != std::string::npos) {
        REQUIRE(std::count(wanted.begin(), wanted.end(), std::byte{0}) == std::ssize(wanted));
      } else if (text.find("it is PaddingValue") != std::string::npos) {
        REQUIRE(c.outputs[0].sizes != inputs[0].desc().sizes);
      } else {
        const std::size_t bracket = text.find('[');
        const std::size_t input = bracket == std::string::npos ? 0 : std::stoul(text.substr(bracket + 1));
        REQUIRE(bytes_at(inputs[input], coordinate_in(text)) == wanted);
      }
    }
  }
}

}  // namespace

TEST_CASE("oracle: reports name the element that a layout operator copies", "[oracle]") {
  check_deciding_texts<join_desc>();
  check_deciding_texts<tile_desc>();
  check_deciding_texts<padding_desc>();
  check_deciding_texts<padding1_desc>();
  check_deciding_texts<space_to_depth_desc>();
  check_deciding_texts<space_to_depth1_desc>();
  check_deciding_texts<depth_to_space_desc>();
  check_deciding_texts<depth_to_space1_desc>();
  check_deciding_texts<slice_desc>();
  check_deciding_texts<slice_grad_desc>();
}

TEST_CASE("37: reports of PADDING say that PaddingValue was got in place of an element", "[oracle]") {
  const std::vector<std::int32_t> x{1, 2}, got{7, 1, 7};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::int32, .sizes = {3}}};
  const auto report_of = [&](const auto& desc) {
    return oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), tensor_view(got, {3})).report;
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  const std::string_view replaced = "    input:    it is the input's element at {1}, and PaddingValue was got\n";
  CHECK(has(report_of(padding_desc{.padding_value = 7.5F, .start_padding = {1}, .end_padding = {0}}), replaced));
  CHECK(has(report_of(padding1_desc{.padding_value = scalar(7), .start_padding = {1}, .end_padding = {0}}), replaced));
  CHECK_FALSE(has(report_of(padding_desc{.padding_value = 8, .start_padding = {1}, .end_padding = {0}}),
                  "PaddingValue was got"));
  CHECK_FALSE(has(report_of(padding_desc{.padding_mode = padding_mode::edge, .start_padding = {1}, .end_padding = {0}}),
                  "PaddingValue was got"));
}

TEST_CASE("oracle: reports of CAST name the number that is converted", "[oracle]") {
  const std::vector<float> x{2.5F, -1.0F};
  const const_tensor_ref input = tensor_view{x, {2}};
  const tensor_desc output{.data_type = data_type::int8, .sizes = {2}};
  const auto golden = oracle::expect(cast_desc{}, std::span(&input, 1), std::span(&output, 1));
  const std::vector<std::int8_t> wrong{2, 1};
  const const_tensor_ref actual = tensor_view{wrong, {2}};
  const auto judged = oracle::compare(golden, std::span(&actual, 1));
  const auto names = oracle::names_of(cast_desc{}, std::span(&input, 1), 1);
  const std::string text = oracle::report(golden, std::span(&actual, 1), judged, {}, names, "");
  CAPTURE(text);
  CHECK(text.find("input:    -1 (0xBF800000)") != std::string::npos);
}
