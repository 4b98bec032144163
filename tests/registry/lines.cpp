// The lines of tests/lines: legal examples and refusals of each operator. A case as text stands alone in its line; the
// lines below it, indented, are "legal" or the messages of all its violations. What "# " begins is a comment. That
// calls refuse with the first violation, and then write nothing, is tested in registry/refusals.cpp.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/case.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

// "legal", or the messages.
std::vector<std::string> outcome_of(const oracle::any_operator& op, const std::string& line) {
  const auto c = oracle::parse_case<any_desc>(*op.description, line);
  std::vector<std::string> messages;
  for (const violation& v : goldml_test::violations_of(c.desc, c.tensors)) messages.push_back(to_string(v));
  if (messages.empty()) messages.push_back("legal");
  return messages;
}

const oracle::any_operator& operator_of(const std::string& line) {
  const std::string_view name = std::string_view(line).substr(0, line.find(' '));
  for (const oracle::any_operator* op : oracle::every_operator())
    if (op->name() == name) return *op;
  FAIL("no operator of this name: " << line);
  throw;
}

}  // namespace

TEST_CASE("lines: legal examples, and refusals by all their messages", "[registry]") {
  const auto folder = std::filesystem::path(GOLDML_PUBLISHED_VECTORS).parent_path().parent_path() / "lines";
  std::size_t legal = 0, refused = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream lines(file.path());
    REQUIRE(lines);
    std::string title, text;
    std::vector<std::string> wanted, got;
    bool has_case = false;  // above, since the last empty line or comment
    const auto compare = [&] {
      CAPTURE(file.path().filename().string(), title, text);
      CHECK(wanted == got);
      ++(wanted == std::vector<std::string>{"legal"} ? legal : refused);
    };
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  ")) {
        if (!has_case) FAIL(file.path().filename().string() << ": no case above \"" << line << '"');
        wanted.push_back(line.substr(2));
        continue;
      }
      if (!text.empty()) compare();
      text.clear();
      wanted.clear();
      has_case = !line.empty() && !line.starts_with("# ");
      if (line.starts_with("# ")) {
        title = line;
      } else if (has_case) {
        const oracle::any_operator& op = operator_of(line);
        if (!goldml_test::visits(*op.description)) continue;
        text = line;
        got = outcome_of(op, line);
      }
    }
    if (!text.empty()) compare();
  }
  std::printf("lines: %u legal examples, %u refusals\n", static_cast<unsigned>(legal), static_cast<unsigned>(refused));
  CHECK((!goldml_test::visits_every_operator() || legal > 0));
  CHECK((!goldml_test::visits_every_operator() || refused > 0));
}

TEST_CASE("lines: lists that are null or have more than eight entries, which no line can say", "[registry]") {
  const auto codes = [](const auto& desc, const dimensions& input, const dimensions& output,
                        data_type output_type = data_type::float32) {
    return rules::codes_of(violations(desc, tensor_desc{.data_type = data_type::float32, .sizes = input},
                                      tensor_desc{.data_type = output_type, .sizes = output}));
  };
  const auto with_axes = [&](auto desc, const std::vector<std::uint32_t>& axes, const dimensions& sizes) {
    desc.axes = dimensions(axes);
    return codes(desc, sizes, dimensions::filled(sizes.size(), 1), data_type::uint32);
  };
  CHECK(with_axes(argmin_desc{}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {2, 3, 4}) == "A5 A5 A5 A5 A5 A5");
  CHECK(with_axes(argmin_desc{}, {0, 1, 2, 3, 4, 5, 6, 7, 7}, dimensions::filled(8, 1)) == "A5");
  CHECK(with_axes(argmax_desc{}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {2, 3, 4}) == "AX5 AX5 AX5 AX5 AX5 AX5");
  CHECK(codes(argmax_desc{.axes = dimensions::null()}, {2, 3, 4}, {9, 9, 9}, data_type::uint32) == "AX6");
  const dimensions nine(std::vector<std::uint32_t>(9, 0)), small{1, 1, 2, 2}, large{1, 1, 4, 4};
  const slice_desc slice{.offsets = {0, 0, 1, 0}, .sizes = {1, 1, 2, 2}, .strides = {1, 1, 2, 3}};
  for (const auto member : {&slice_desc::offsets, &slice_desc::sizes, &slice_desc::strides}) {
    slice_desc desc = slice;
    desc.*member = nine;
    CHECK(codes(desc, large, small) == "SL4");
  }
  CHECK(codes(slice_grad_desc{.input_window_offsets = {0, 0, 0, 1},
                              .input_window_sizes = nine,
                              .input_window_strides = {1, 1, -2, 2}},
              small, large) == "SG4");
  CHECK(codes(padding_desc{.start_padding = nine, .end_padding = {0, 0, 1, 1}}, small, large) == "PA4");
  CHECK(codes(padding_desc{.start_padding = {0, 0, 1, 1}, .end_padding = nine}, small, large) == "PA4");
}

TEST_CASE("lines: the calls of docs/from-onnx.md are legal", "[registry]") {
  const auto source = std::filesystem::path(GOLDML_PUBLISHED_VECTORS).parent_path().parent_path().parent_path();
  std::ifstream page(source / "docs" / "from-onnx.md");
  REQUIRE(page);
  std::size_t count = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || !line.ends_with("` |")) continue;
    const std::size_t end = line.size() - 3, begin = line.rfind('`', end - 1) + 1;
    const std::string text = line.substr(begin, end - begin);
    const oracle::any_operator& op = operator_of(text);
    CAPTURE(text);
    CHECK(line.find("| " + std::string(op.name()) + " |") != std::string::npos);
    CHECK(outcome_of(op, text) == std::vector<std::string>{"legal"});
    ++count;
  }
  CHECK(count > 90);
}
