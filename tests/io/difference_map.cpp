// The page of `goldml check --report`: the maps of its elements, the counts of differences by their size, and the page
// around them.
#include "difference_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/core/tensor_view.hpp>
#include <goldml/oracle/verdict.hpp>

#include "../catch.hpp"
#include "html_report.hpp"

using namespace goldml;

namespace {

// The golden output of a copy of `values`.
template <class T>
oracle::golden golden_copy(const std::vector<T>& values, const dimensions& sizes) {
  const std::vector<const_tensor_ref> inputs{tensor_view(values, sizes)};
  const std::vector<tensor_desc> outputs{{.data_type = data_type_of<T>, .sizes = sizes}};
  return oracle::expect(element_wise_identity_desc{}, inputs, outputs);
}

template <class T>
tool::difference_map map_of(const std::vector<T>& expected, const std::vector<T>& got, const dimensions& sizes) {
  const oracle::golden golden = golden_copy(expected, sizes);
  return tool::map_of_differences("out", golden.answers.front().front(), tensor_view(got, sizes), {});
}

// Of a histogram: the shade below and above the accepted interval, and a fifth of the interval.
std::uint64_t below(const tool::difference_map& map, std::size_t shade) { return map.histogram[tool::shades - shade]; }
std::uint64_t above(const tool::difference_map& map, std::size_t shade) {
  return map.histogram[tool::shades + tool::accepted_ranges - 1 + shade];
}
std::uint64_t accepted(const tool::difference_map& map, std::size_t fifth) {
  return map.histogram[tool::shades + fifth];
}

tool::checked_model differing_model(std::string name, std::string report) {
  tool::checked_model model{std::move(name), "ARGMIN", tool::model_outcome::differs};
  model.report = std::move(report);
  return model;
}

std::size_t occurrences(const std::string& text, const std::string& of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("37.9: a map has a cell for each element, in slices side by side") {
  const tool::difference_map map = map_of<std::int32_t>({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 4, 4, 5, 6, 7, 0}, {2, 2, 2});
  CHECK(map.cells ==
        ".. .."
        "1. .2");
  CHECK(map.sizes == dimensions{2, 2, 2});
  CHECK(map.differing == 2);
  CHECK(map.first == dimensions{0, 1, 0});
  CHECK(map.last == dimensions{1, 1, 1});
  CHECK(above(map, 1) == 1);
  CHECK(below(map, 2) == 1);
  CHECK(accepted(map, 2) == 6);
  CHECK(map.farthest == 8);
  CHECK(map.farthest_at == dimensions{1, 1, 1});
}

TEST_CASE("37.9: differences of integers do not overflow") {
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  const tool::difference_map map = map_of<std::int64_t>({most}, {-most - 1}, {1});
  CHECK(map.cells == "5");
  CHECK(below(map, 5) == 1);
  CHECK(map.farthest == 0x1p64);
}

TEST_CASE("37.9: exact floats differ in steps, and NaN is apart") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const tool::difference_map map =
      map_of<float>({1, 1, nan, 2, -0.0F, 3, infinity}, {1, 1.0000001F, 0, nan, 0.0F, infinity, 3}, {7});
  CHECK(map.cells == ".1NN1NN");
  CHECK(above(map, 1) == 2);
  CHECK(map.not_numbers == 4);
  CHECK(map.differing == 6);
  CHECK(map.farthest == 1);
  CHECK(map.farthest_at == dimensions{1});
}

TEST_CASE("37.9: differences are counted in widths of the accepted interval") {
  const std::vector<float> expected(8, 10);
  oracle::golden golden = golden_copy(expected, {8});
  oracle::golden_output& output = golden.answers.front().front();
  for (std::size_t i = 0; i < 7; ++i) output.verdicts.allow_interval(i, interval{8, 12, 8, 12, 0});
  output.verdicts.make_undefined(7);
  const std::vector<float> got{8, 9, 10, 20, 7, -1e6F, 12, 0};
  const tool::difference_map map = tool::map_of_differences("out", output, tensor_view(got, dimensions{8}), {});
  CHECK(map.cells == "...215.-");
  CHECK(accepted(map, 0) == 1);
  CHECK(accepted(map, 1) == 1);
  CHECK(accepted(map, 2) == 1);
  CHECK(accepted(map, 4) == 1);
  CHECK(above(map, 2) == 1);  // 8 / 4
  CHECK(below(map, 1) == 1);  // 1 / 4
  CHECK(below(map, 5) == 1);
  CHECK(map.farthest == 1000008.0 / 4);
  // A tolerance that the user accepts is an interval, too.
  oracle::compare_options options;
  options.floats = oracle::float_match::tolerance;
  options.absolute = 10;
  const tool::difference_map wide = tool::map_of_differences("out", output, tensor_view(got, dimensions{8}), options);
  CHECK(wide.cells == ".....5.-");
  CHECK(wide.farthest == 1000000.0 / 20);
}

TEST_CASE("37.9: the map of a large output has all of it, in blocks that show the farthest element") {
  std::vector<std::uint8_t> expected(300 * 300, 7);
  std::vector<std::uint8_t> got = expected;
  got[1] = 8;
  got[2] = 57;
  got.back() = 6;
  const tool::difference_map map = map_of(expected, got, {300, 300});
  REQUIRE(map.cells.size() == 100 * 100);
  CHECK(map.cells.front() == '3');
  CHECK(map.cells.back() == '1');
  CHECK(std::count(map.cells.begin(), map.cells.end(), '.') == 100 * 100 - 2);
  for (const dimensions& sizes :
       {dimensions{}, dimensions{1}, dimensions{65}, dimensions{100000}, dimensions{1, 1, 1, 3}, dimensions{5000, 2},
        dimensions{2, 5000, 1, 1}, dimensions{1000, 2, 2}, dimensions{3, 700, 2, 3}, dimensions{900, 700, 5, 5},
        dimensions{4, 1, 5, 6, 7, 3}, dimensions{40000, 3, 3}}) {
    CAPTURE(sizes.size());
    const auto [rows, columns] = tool::layout_of(sizes);
    const std::uint64_t elements = element_count(sizes);
    const std::uint64_t slices = (elements - 1) / (rows.size * columns.size) + 1;
    CHECK(rows.slices * columns.slices >= slices);
    for (const tool::map_axis& axis : {rows, columns}) {
      CHECK(axis.cells() <= tool::most_cells);
      CHECK(axis.cell_of(axis.slices - 1, axis.size - 1) == axis.cells() - 1);
    }
  }
}

TEST_CASE("37.9: nothing that a page shows is markup, and its size has a bound") {
  const std::string hostile = "\"'><script>&\x1b</style><img src=x onerror=1>\xff";
  tool::check_results results{hostile};
  results.parts.push_back({hostile, 7});
  results.models.push_back({hostile, hostile, tool::model_outcome::missing});
  results.models.back().missing = {hostile};
  results.models.push_back({hostile, hostile, tool::model_outcome::refused});
  results.models.back().refusal = tool::result_error{hostile};
  results.models.push_back(differing_model(hostile, hostile));
  results.models.back().again = hostile;
  results.models.back().maps.push_back(map_of<float>({1}, {2}, {1}));
  results.models.back().maps.back().name = hostile;
  results.models.back().maps.back().explanation = hostile;
  const std::string page = tool::page_text(results, hostile, hostile);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("&quot;'&gt;&lt;script&gt;&amp;?") != std::string::npos);
  CHECK(occurrences(page, "</style>") == 1);
  CHECK(page.find('\x1b') == std::string::npos);

  tool::check_results many;
  for (std::size_t i = 0; i < 3 * tool::most_models_in_page; ++i)
    many.models.push_back(differing_model("m", std::string(100'000, '"')));
  for (std::size_t i = 0; i < 2 * tool::most_missing_in_page; ++i) {
    many.models.push_back({"m", "ARGMIN", tool::model_outcome::missing});
    many.models.back().missing = {std::string(4000, '"')};
  }
  const std::string bounded = tool::page_text(many, std::string(1'000'000, '"'), "today");
  CHECK(bounded.size() < 2 * tool::most_page_bytes);
  CHECK(bounded.find("more models that do not agree, which this page leaves out") != std::string::npos);
  const std::size_t sections = occurrences(bounded, "<section");
  CHECK(occurrences(bounded, "<tr><td><a href=\"#m") == sections + 1);  // of the index, and of the operator
}
