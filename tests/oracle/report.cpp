// The exact text of reports.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "device.hpp"
#include "golden.hpp"

using namespace goldml;

namespace {

std::string report_on(const oracle::golden& golden, const std::vector<const_tensor_ref>& actual,
                      const oracle::judged_names& names = {"ARGMIN", {"OutputTensor"}},
                      std::string_view case_line = "THE CASE") {
  const oracle::compare_options options;
  return oracle::report(golden, actual, oracle::compare(golden, actual, options), options, names, case_line);
}

template <class T>
std::string report_on(const oracle::golden& golden, const std::vector<T>& got) {
  return report_on(golden, {tensor_view(got, golden.answers[0][0].values.desc().sizes)});
}

}  // namespace

TEST_CASE("report: coordinates, values, bits, distance, neighbours, map and case", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::uint32_t>({3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(report_on<std::uint32_t>(golden, {0, 1, 2, 3, 9, 5, 6, 7, 0}) == R"(ARGMIN: differs
OutputTensor UINT32 {3,3}: 9 compared, 0 ignored, 2 differ
  {1,1}: expected 4 (0x00000004), got 9 (0x00000009), off by +5
    expected: 1 2 3 [4] 5 6 7
    got:      1 2 3 [9] 5 6 7
  {2,2}: expected 8 (0x00000008), got 0 (0x00000000), off by -8
    expected: 5 6 7 [8]
    got:      5 6 7 [0]
  where it differs, 1 by 1 elements a character:
    ...
    .X.
    ..X
case: THE CASE
)");
  CHECK(report_on<std::uint32_t>(golden, {0, 1, 2, 3, 4, 5, 6, 7, 8}) == R"(ARGMIN: agrees
OutputTensor UINT32 {3,3}: 9 compared, 0 ignored, 0 differ
case: THE CASE
)");
}

TEST_CASE("report: all candidates, and undefined elements", "[oracle]") {
  oracle::golden_output output = judged::output_of<std::int64_t>({1, 4}, {2, 1, 0, -5});
  output.verdicts.allow(0, scalar(std::int64_t{-7}));
  output.verdicts.allow(0, scalar(std::int64_t{9}));
  output.verdicts.allow_any_index_below(1, 3);
  output.verdicts.make_undefined(3);
  CHECK(report_on<std::int64_t>(judged::golden_of(output), {3, 3, 0, 77}) == R"(ARGMIN: differs
OutputTensor INT64 {1,4}: 3 compared, 1 ignored, 2 differ
  {0,0}: expected 2 (0x0000000000000002) or -7 (0xFFFFFFFFFFFFFFF9) or 9 (0x0000000000000009), got 3 (0x0000000000000003), off by +1
    expected: [2] 1 0 -5
    got:      [3] 3 0 77
  {0,1}: expected 1 (0x0000000000000001) or any index from 0 to 2, got 3 (0x0000000000000003), off by +2
    expected: 2 [1] 0 -5
    got:      3 [3] 0 77
  where it differs, 1 by 1 elements a character:
    XX.?
case: THE CASE
)");
}

TEST_CASE("report: many candidates are listed once each, and only the first ones", "[oracle]") {
  oracle::golden_output output = judged::output_of<std::int32_t>({1, 1}, {0});
  for (int i = 0; i < 16; ++i) output.verdicts.allow(0, scalar(i));
  const std::string fifteen = report_on<std::int32_t>(judged::golden_of(output), {-1});
  CHECK(fifteen.find("expected 0 (0x00000000) or 1 (0x00000001) or 2 ") != std::string::npos);
  CHECK(fifteen.find(" or 15 (0x0000000F), got -1") != std::string::npos);
  output.verdicts.allow(0, scalar(16));
  const std::string more = report_on<std::int32_t>(judged::golden_of(output), {-1});
  CHECK(more.find(" or 15 (0x0000000F) or another of the values allowed, got -1") != std::string::npos);
}

TEST_CASE("report: floats that look equal are printed with their bits", "[oracle]") {
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  const auto one_up = std::bit_cast<float>(0x3F80'0001U);
  const oracle::golden golden = judged::golden_of<float>({4}, {-0.0F, 1, not_a_number, 2});
  CHECK(report_on<float>(golden, {0.0F, one_up, -1, 2}) == R"(ARGMIN: differs
OutputTensor FLOAT32 {4}: 4 compared, 0 ignored, 3 differ
  {0}: expected -0 (0x80000000), got 0 (0x00000000), 0 ULP
    expected: [-0] 1 nan 2
    got:      [0] 1.0000001 -1 2
  {1}: expected 1 (0x3F800000), got 1.0000001 (0x3F800001), 1 ULP
    expected: -0 [1] nan 2
    got:      0 [1.0000001] -1 2
  {2}: expected nan (0x7FC00000), got -1 (0xBF800000), NaN
    expected: -0 1 [nan] 2
    got:      0 1.0000001 [-1] 2
case: THE CASE
)");
}

TEST_CASE("report: differences of integers are exact", "[oracle]") {
  using limits = std::numeric_limits<std::int64_t>;
  const std::string text =
      report_on<std::int64_t>(judged::golden_of<std::int64_t>({2}, {limits::lowest(), (std::int64_t{1} << 53) + 1}),
                              {(limits::max)(), std::int64_t{1} << 53});
  CHECK(text.find("got 9223372036854775807 (0x7FFFFFFFFFFFFFFF), off by +18446744073709551615") != std::string::npos);
  CHECK(text.find("expected 9007199254740993 (0x0020000000000001), got 9007199254740992 (0x0020000000000000), "
                  "off by -1") != std::string::npos);
  CHECK(report_on<std::int8_t>(judged::golden_of<std::int8_t>({1}, {-128}), {127})
            .find("{0}: expected -128 (0x80), got 127 (0x7F), off by +255") != std::string::npos);
  CHECK(report_on<std::uint64_t>(judged::golden_of<std::uint64_t>({1}, {0}), {~std::uint64_t{0}})
            .find("off by +18446744073709551615") != std::string::npos);
}

TEST_CASE("report: ten differences, then how many more; large matrices by blocks", "[oracle]") {
  // 40 by 130: 14 by 44 blocks of 3 rows and 3 columns. All of row 3 is wrong, and the last element.
  std::vector<std::uint8_t> values(40 * 130, 1);
  const oracle::golden golden = judged::golden_of<std::uint8_t>({1, 40, 130}, values);
  for (std::size_t i = 0; i < 130; ++i) values[3 * 130 + i] = 2;
  values.back() = 3;
  const std::string text = report_on(golden, values);
  CHECK(text.find("{1,40,130}: 5200 compared, 0 ignored, 131 differ\n") != std::string::npos);
  CHECK(text.find("\n  {0,3,9}: ") != std::string::npos);
  CHECK(text.find("\n  {0,3,10}: ") == std::string::npos);
  std::string map = "  and 121 more\n  where it differs, 3 by 3 elements a character:\n";
  const auto row = [&](const std::string& marks) { map += "    " + marks + "\n"; };
  row(std::string(44, '.'));
  row(std::string(44, 'X'));
  for (int i = 2; i < 13; ++i) row(std::string(44, '.'));
  row(std::string(43, '.') + "X");
  CHECK(text.substr(text.find("  and ")) == map + "case: THE CASE\n");
}

TEST_CASE("report: 16 rows and 64 columns are printed element by element, larger matrices by blocks", "[oracle]") {
  const auto title = [](const dimensions& sizes) {
    std::vector<std::uint8_t> values(element_count(sizes), 1);
    const oracle::golden golden = judged::golden_of<std::uint8_t>(sizes, values);
    values[0] = 2;
    const std::string text = report_on(golden, values);
    const std::size_t at = text.find("  where it differs, ");
    return at == std::string::npos ? "no map" : text.substr(at + 20, text.find(" elements", at) - at - 20);
  };
  CHECK(title({16, 64}) == "1 by 1");
  CHECK(title({17, 64}) == "2 by 1");
  CHECK(title({16, 65}) == "1 by 2");
  CHECK(title({1, 1, 4, 4}) == "1 by 1");
  CHECK(title({2, 4, 4}) == "1 by 1");
  CHECK(title({16}) == "no map");
}

TEST_CASE("report: a block is undefined only if all its elements are", "[oracle]") {
  oracle::golden_output output = judged::output_of<std::uint32_t>({34, 1}, std::vector<std::uint32_t>(34, 5));
  for (std::size_t i = 4; i < 34; ++i) output.verdicts.make_undefined(i);  // rows 0..2, 3..5, 6..8, ...
  std::vector<std::uint32_t> got(34, 6);
  got[1] = got[2] = got[3] = 5;
  const std::string text = report_on(judged::golden_of(output), got);
  CHECK(text.find("3 by 1 elements a character:\n    X\n    .\n    ?\n    ?\n") != std::string::npos);
}

TEST_CASE("report: outputs that were not compared, and several outputs with their names", "[oracle]") {
  const oracle::judged_names names = oracle::names_of<nonzero_coordinates_desc>();
  oracle::golden golden;
  golden.answers.push_back(
      {judged::output_of<std::uint32_t>({1}, {1}), judged::output_of<std::uint32_t>({2, 1}, {1, 0})});
  golden.answers[0][1].verdicts.make_undefined(1);
  const std::vector<std::uint32_t> two{2};
  const std::vector<std::uint32_t> rows{1, 1};
  CHECK(report_on(golden, {tensor_view(two, {1}), tensor_view(rows, {2, 1})}, names, "") ==
        R"(NONZERO_COORDINATES: differs
OutputCountTensor UINT32 {1}: 1 compared, 0 ignored, 1 differs
  {0}: expected 1 (0x00000001), got 2 (0x00000002), off by +1
    expected: [1]
    got:      [2]
OutputCoordinatesTensor UINT32 {2,1}: 1 compared, 1 ignored, 0 differ
)");
  CHECK(report_on(golden, {tensor_view(two, {1}), tensor_view(rows, {1, 2}), {}}, names) ==
        R"(NONZERO_COORDINATES: cannot be compared
OutputCountTensor UINT32 {1}: 1 compared, 0 ignored, 1 differs
  {0}: expected 1 (0x00000001), got 2 (0x00000002), off by +1
    expected: [1]
    got:      [2]
OutputCoordinatesTensor: it is UINT32 {1,2}, wanted UINT32 {2,1}
outputs: 3 outputs were given, wanted 2
case: THE CASE
)");
  oracle::golden counted = golden;
  counted.answers[0][1].counted_by = 0;
  CHECK(report_on(counted, {tensor_view(two, {1}), tensor_view(rows, {2, 1})}, {"OP", {}})
            .find("outputs UINT32 {2,1}: not compared, as the count is wrong\n") != std::string::npos);
  golden.answers[0][0].verdicts.make_all_undefined();
  golden.answers[0][1].verdicts.make_all_undefined();
  CHECK(report_on(golden, {tensor_view(two, {1}), tensor_view(rows, {2, 1})}, names) ==
        R"(NONZERO_COORDINATES: tolerated, nothing to compare: no element is defined
OutputCountTensor UINT32 {1}: 0 compared, 1 ignored, 0 differ
OutputCoordinatesTensor UINT32 {2,1}: 0 compared, 2 ignored, 0 differ
case: THE CASE
)");
  CHECK(report_on({}, {}, names) ==
        "NONZERO_COORDINATES: cannot be compared: there is no answer\n"
        "case: THE CASE\n");
}

namespace {

// The report on the outputs of a device for a call, with the inputs that determine an element.
template <class Desc, class T>
std::string report_on_call(const Desc& desc, const std::vector<const_tensor_ref>& inputs,
                           const std::vector<tensor_desc>& outputs, const std::vector<std::vector<T>>& got) {
  const oracle::golden golden =
      oracle::expect(desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
  std::vector<const_tensor_ref> actual;
  for (std::size_t i = 0; i < got.size(); ++i) actual.push_back(tensor_view(got[i], outputs[i].sizes));
  return report_on(golden, actual, oracle::names_of(desc, std::span<const const_tensor_ref>(inputs), outputs.size()),
                   "");
}

}  // namespace

TEST_CASE("report: the determining inputs: tied values with their indices", "[oracle]") {
  const std::vector<float> x{4, -0.0F, 0, 7, 5, 6, 3, 9};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2, 4})};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint32, .sizes = {2, 1}}};
  const argmin_desc argmin{.axes = {1}};
  CHECK(report_on_call<argmin_desc, std::uint32_t>(argmin, inputs, index, {{2, 9}}) == R"(ARGMIN: differs
OutputTensor UINT32 {2,1}: 2 compared, 0 ignored, 2 differ
  {0,0}: expected 1 (0x00000001), got 2 (0x00000002), off by +1
    expected: [1] 2
    got:      [2] 9
    ties:     -0 (0x80000000) at index 1 {0,1}, 0 (0x00000000) at index 2 {0,2}; index 2 is 0 (0x00000000), the last of the ties
  {1,0}: expected 2 (0x00000002), got 9 (0x00000009), off by +7
    expected: 1 [2]
    got:      2 [9]
    input:    3 (0x40400000) at index 2 {1,2}; there are 4 indices
  where it differs, 1 by 1 elements a character:
    X
    X
)");
  const std::vector<std::int32_t> equal(9, 5);
  const std::vector<tensor_desc> one{{.data_type = data_type::int64, .sizes = {1}}};
  const std::string many =
      report_on_call<argmax_desc, std::int64_t>({.axes = {0}}, {tensor_view(equal, {9})}, one, {{-1}});
  CHECK(many.find("    ties:     5 (0x00000005) at index 0 {0}, ") != std::string::npos);
  CHECK(many.find(" at index 5 {5}, and 3 more; there are 9 indices\n") != std::string::npos);
  const auto which_tie = [&](axis_direction direction, std::int64_t got) {
    return report_on_call<argmax_desc, std::int64_t>({.axes = {0}, .axis_direction = direction},
                                                     {tensor_view(equal, {9})}, one, {{got}});
  };
  CHECK(which_tie(axis_direction::increasing, 8).find("; index 8 is 5 (0x00000005), the last of the ties\n") !=
        std::string::npos);
  CHECK(which_tie(axis_direction::increasing, 7).find("; index 7 is 5 (0x00000005), not the first of the ties\n") !=
        std::string::npos);
  CHECK(which_tie(axis_direction::decreasing, 7).find("; index 7 is 5 (0x00000005), not the last of the ties\n") !=
        std::string::npos);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> with_nan{nan, 2};
  const std::vector<tensor_desc> scalar_index{{.data_type = data_type::uint32, .sizes = {1}}};
  CHECK(report_on_call<argmin_desc, std::uint32_t>({.axes = {0}}, {tensor_view(with_nan, {2})}, scalar_index, {{0}})
            .find("    input:    2 (0x40000000) at index 1 {1}; index 0 is nan (0x7FC00000)\n") != std::string::npos);
  const std::vector<float> tied_nans{2, nan, nan};
  CHECK(report_on_call<argmin_desc, std::uint32_t>({.axes = {0}, .nan_policy = nan_policy::propagate},
                                                   {tensor_view(tied_nans, {3})}, scalar_index, {{0}})
            .find("    ties:     nan (0x7FC00000) at index 1 {1}, nan (0x7FC00000) at index 2 {2}; index 0 is 2 ") !=
        std::string::npos);
}

TEST_CASE("report: the determining inputs: index tuples, including negative indices", "[oracle]") {
  const std::vector<float> x{1, 2, 3, 4};
  const std::vector<std::int32_t> at{1, -2};
  const std::vector<float> updates{10, 20};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {1, 4}), tensor_view(at, {2, 1}),
                                             tensor_view(updates, {1, 2})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 4}}};
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  CHECK(report_on_call<scatter_nd_desc, float>(desc, inputs, outputs, {{1, 10, 3, 5}}) == R"(SCATTER_ND: differs
OutputTensor FLOAT32 {1,4}: 4 compared, 0 ignored, 2 differ
  {0,2}: expected 20 (0x41A00000), got 3 (0x40400000), 4 bits of a value that is moved unchanged
    expected: 1 10 [20] 4
    got:      1 10 [3] 5
    input:    tuple {1} (-2), which counts from the end, writes 20 (0x41A00000)
  {0,3}: expected 4 (0x40800000), got 5 (0x40A00000), 1 bit of a value that is moved unchanged
    expected: 1 10 20 [4]
    got:      1 10 3 [5]
    input:    no index tuple names it: it is the input's element
  differs everywhere from column 2 on, and only there
  where it differs, 1 by 1 elements a character:
    ..XX
)");
  const std::vector<std::int32_t> first{1, 0};
  const std::vector<const_tensor_ref> at_0{tensor_view(x, {1, 4}), tensor_view(first, {2, 1}),
                                           tensor_view(updates, {1, 2})};
  CHECK(report_on_call<scatter_nd_desc, float>(desc, at_0, outputs, {{7, 10, 3, 4}})
            .find("    input:    tuple {1} (0) writes 20 (0x41A00000)\n") != std::string::npos);
  // A tuple out of range that the policy drops names nothing.
  const std::vector<std::int32_t> beyond{9, 0};
  const scatter_nd_desc drops{
      .input_dimension_count = 1, .indices_dimension_count = 2, .range_policy = range_policy::drop};
  CHECK(report_on_call<scatter_nd_desc, float>(
            drops, {tensor_view(x, {1, 4}), tensor_view(beyond, {2, 1}), tensor_view(updates, {1, 2})}, outputs,
            {{7, 2, 3, 4}})
            .find("    input:    tuple {1} (0) writes 20 (0x41A00000)\n") != std::string::npos);
  // Tuples that name one place, of which the last wins; six are listed.
  const std::vector<std::int32_t> zeros(7, 0);
  const std::vector<float> seven{1, 2, 3, 4, 5, 6, 7};
  const scatter_nd_desc last{
      .input_dimension_count = 1, .indices_dimension_count = 2, .duplicates = duplicates::last_wins};
  const std::string text = report_on_call<scatter_nd_desc, float>(
      last, {tensor_view(x, {1, 4}), tensor_view(zeros, {7, 1}), tensor_view(seven, {1, 7})}, outputs, {{1, 2, 3, 4}});
  CHECK(text.find("{0,0}: expected 7 (0x40E00000)") != std::string::npos);
  CHECK(text.find("tuple {5} (0) writes 6 (0x40C00000), and 1 more\n") != std::string::npos);
}

TEST_CASE("report: a wrong count is one difference, and the report has the missing element", "[oracle]") {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> x{0, 5, tiny, 7};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2, 2})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint32, .sizes = {1}},
                                         {.data_type = data_type::uint32, .sizes = {4, 2}}};
  // {0,1} is missing: wrong with and without flushing.
  CHECK(report_on_call<nonzero_coordinates_desc, std::uint32_t>({}, inputs, outputs, {{1}, {1, 1, 0, 0, 0, 0, 0, 0}}) ==
        R"(NONZERO_COORDINATES: differs
OutputCountTensor UINT32 {1}: 1 compared, 0 ignored, 1 differs
  {0}: expected 3 (0x00000003), got 1 (0x00000001), off by -2
    expected: [3]
    got:      [1]
OutputCoordinatesTensor UINT32 {4,2}: not compared, as OutputCountTensor is wrong; the first difference:
  {0,0}: expected 0 (0x00000000), got 1 (0x00000001), off by +1
    expected: [0] 1 1 0
    got:      [1] 1 0 0
    input:    {0,1} is 5 (0x40A00000); {1,1} is 7 (0x40E00000)
)");
  // A coordinate that the input does not have.
  const std::vector<float> y{0, 5, 0, 7};
  CHECK(report_on_call<nonzero_coordinates_desc, std::uint32_t>({}, {tensor_view(y, {2, 2})}, outputs,
                                                                {{2}, {0, 9, 1, 1, 0, 0, 0, 0}})
            .find("    input:    {0,1} is 5 (0x40A00000); {0,9} is outside the input\n") != std::string::npos);
  CHECK(report_on_call<nonzero_coordinates_desc, std::uint32_t>({}, {tensor_view(y, {2, 2})}, outputs,
                                                                {{2}, {9, 1, 1, 1, 0, 0, 0, 0}})
            .find("    input:    {0,1} is 5 (0x40A00000); {9,1} is outside the input\n") != std::string::npos);
}

TEST_CASE("report: the source of a copied element", "[oracle]") {
  const std::vector<std::int32_t> x{1, 2, 3, 4};
  const std::vector<tensor_desc> two{{.data_type = data_type::int32, .sizes = {2}}};
  const slice1_desc slice{.input_window_offsets = {1}, .input_window_sizes = {3}, .input_window_strides = {-2}};
  CHECK(report_on_call<slice1_desc, std::int32_t>(slice, {tensor_view(x, {4})}, two, {{4, 3}})
            .find("    input:    it is the input's element at {1}\n") != std::string::npos);
  const std::vector<tensor_desc> square{{.data_type = data_type::int32, .sizes = {2, 2}}};
  const diagonal_matrix1_desc diagonal{.value = std::int32_t{9}, .diagonal_fill_begin = 0, .diagonal_fill_end = 1};
  const std::string text =
      report_on_call<diagonal_matrix1_desc, std::int32_t>(diagonal, {tensor_view(x, {2, 2})}, square, {{0, 0, 0, 9}});
  CHECK(text.find("    input:    diagonal 0 is filled: it is Value\n") != std::string::npos);
  CHECK(text.find("    input:    diagonal 1 is not filled: it is the input's element\n") != std::string::npos);
  CHECK(text.find("    input:    diagonal -1 is not filled: it is the input's element\n") != std::string::npos);
}

TEST_CASE("report: the source of an element that indices or lengths choose", "[oracle]") {
  const std::vector<std::int32_t> x{1, 2, 3, 4};
  const std::vector<std::uint32_t> at{3, 0};
  const std::vector<tensor_desc> two{{.data_type = data_type::int32, .sizes = {2}}};
  CHECK(
      report_on_call<gather_elements_desc, std::int32_t>({}, {tensor_view(x, {4}), tensor_view(at, {2})}, two, {{0, 1}})
          .find("    input:    it is the input's element at {3}\n") != std::string::npos);
  const std::vector<std::uint32_t> one{1};
  const std::vector<std::int32_t> nine{9};
  const std::vector<tensor_desc> four{{.data_type = data_type::int32, .sizes = {4}}};
  const std::string scattered = report_on_call<scatter_elements_desc, std::int32_t>(
      {}, {tensor_view(x, {4}), tensor_view(one, {1}), tensor_view(nine, {1})}, four, {{0, 8, 3, 4}});
  CHECK(scattered.find("    input:    no index names it: it is the input's element\n") != std::string::npos);
  CHECK(scattered.find("    input:    index 1 at {0} writes 9") != std::string::npos);
  // Indices that name one place, of which the last wins; six are listed.
  const std::vector<std::uint32_t> ones(7, 1);
  const std::vector<std::int32_t> updates{10, 11, 12, 13, 14, 15, 16};
  const std::string tied = report_on_call<scatter_elements_desc, std::int32_t>(
      {.duplicates = duplicates::last_wins}, {tensor_view(x, {4}), tensor_view(ones, {7}), tensor_view(updates, {7})},
      four, {{1, 8, 3, 4}});
  CHECK(tied.find("{1}: expected 16 ") != std::string::npos);
  CHECK(tied.find("    input:    index 1 at {0} writes 10 (0x0000000A), index 1 at {1} writes 11 ") !=
        std::string::npos);
  CHECK(tied.find("index 1 at {5} writes 15 (0x0000000F), and 1 more\n") != std::string::npos);
  // Off the axis there are fewer indices than elements.
  const std::vector<tensor_desc> square{{.data_type = data_type::int32, .sizes = {2, 2}}};
  CHECK(report_on_call<scatter_elements_desc, std::int32_t>(
            {.axis = 1, .off_axis_sizes = off_axis_sizes::partial},
            {tensor_view(x, {2, 2}), tensor_view(one, {1, 1}), tensor_view(nine, {1, 1})}, square, {{1, 9, 8, 4}})
            .find("{1,0}: expected 3 (0x00000003), got 8 ") != std::string::npos);
  const std::vector<std::int32_t> image{1, 2, 3, 4, 5, 6, 7};
  const std::vector<tensor_desc> unpooled{{.data_type = data_type::int32, .sizes = {1, 1, 1, 8}}};
  const std::string pooled = report_on_call<max_unpooling_desc, std::int32_t>(
      {.duplicates = duplicates::last_wins}, {tensor_view(image, {1, 1, 1, 7}), tensor_view(ones, {1, 1, 1, 7})},
      unpooled, {{0, 1, 0, 0, 0, 0, 0, 0}});
  CHECK(pooled.find("    input:    place 1: the index at {0,0,0,0} writes 1 (0x00000001), the index at {0,0,0,1} ") !=
        std::string::npos);
  CHECK(pooled.find("the index at {0,0,0,5} writes 6 (0x00000006), and 1 more\n") != std::string::npos);
  const std::vector<std::int32_t> columns{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> lengths{1, 3};
  const std::vector<tensor_desc> same{{.data_type = data_type::int32, .sizes = {3, 2}}};
  CHECK(report_on_call<reverse_subsequences_desc, std::int32_t>(
            {}, {tensor_view(columns, {3, 2}), tensor_view(lengths, {1, 2})}, same, {{1, 0, 3, 4, 5, 2}})
            .find("    input:    it is the input's element at {2,1}; the length of its sequence is 3\n") !=
        std::string::npos);
}

TEST_CASE("report: how far outside an interval, only where that is a number", "[oracle]") {
  oracle::golden_output output = judged::output_of<float>({2}, {1, 1});
  const float infinity = std::numeric_limits<float>::infinity();
  output.verdicts.allow_interval(0, interval{1, infinity, 1, infinity, 0});
  output.verdicts.allow_interval(1, interval{1, 3, 1, 3, 0});
  CHECK(oracle::detail::outside_text(output, 0, 0.0F, {}) == "");
  CHECK(oracle::detail::outside_text(output, 1, 0.0F, {}) == ", outside by 0.5 times the interval");
  CHECK(oracle::detail::outside_text(output, 1, -infinity, {}) == "");
}

TEST_CASE("report: the interval where subnormals are flushed, unless it is the same", "[oracle]") {
  const auto text_with = [](float flushed_low) {
    oracle::golden golden = judged::golden_of<float>({1}, {2});
    oracle::golden_output& output = golden.answers[0][0];
    output.verdicts.allow_interval(0, interval{1, 3, 1, 3, 0});
    output_verdicts flushed(1);
    flushed.allow_interval(0, interval{flushed_low, 3, flushed_low, 3, 0});
    output.flushed_verdicts = std::make_shared<const output_verdicts>(flushed);
    return report_on<float>(golden, {4});
  };
  CHECK(text_with(0).find(
            ": expected 2 (0x40000000) or from 1 to 3 or from 0 to 3 where subnormals are flushed, got 4 ") !=
        std::string::npos);
  CHECK(text_with(1).find(": expected 2 (0x40000000) or from 1 to 3, got 4 ") != std::string::npos);
}

TEST_CASE("report: a flagged output, and the values that a flushing device may return", "[oracle]") {
  const std::vector<float> x{0, -std::numeric_limits<float>::denorm_min(), 5};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint32, .sizes = {1}}};
  CHECK(report_on_call<argmin_desc, std::uint32_t>({.axes = {0}}, {tensor_view(x, {3})}, index, {{2}})
            .find("expected 1 (0x00000001) or 0 (0x00000000) where subnormals are flushed, got 2 ") !=
        std::string::npos);
  const std::vector<std::int32_t> y{5, 4, 9, 1, 7, 3};
  const std::vector<tensor_desc> one{{.data_type = data_type::uint32, .sizes = {1, 1}}};
  CHECK(report_on_call<argmin_desc, std::uint32_t>({.axes = {1, 0}}, {tensor_view(y, {2, 3})}, one, {{1}}) ==
        "ARGMIN: tolerated and flagged: numbered in the order of Axes, not in ascending order (ledger 7.3)\n"
        "OutputTensor UINT32 {1,1}: 1 compared, 0 ignored, 0 differ\n");
  // One of two slices is right in that order alone, and the other one wrong; inputs are not named in that order.
  const std::vector<std::int32_t> twice{5, 4, 9, 1, 7, 3, 5, 4, 9, 1, 7, 3};
  const std::vector<tensor_desc> two{{.data_type = data_type::uint32, .sizes = {2, 1, 1}}};
  const std::string nearest =
      report_on_call<argmin_desc, std::uint32_t>({.axes = {2, 1}}, {tensor_view(twice, {2, 2, 3})}, two, {{1, 5}});
  CHECK(
      nearest.starts_with("ARGMIN: differs; nearest is the answer numbered in the order of Axes\n"
                          "OutputTensor UINT32 {2,1,1}: 2 compared, 0 ignored, 1 differs\n"
                          "  {1,0,0}: expected 1 (0x00000001), got 5 "));
  CHECK(nearest.find("input:") == std::string::npos);
}

TEST_CASE("report: the nearest of two answers is shown", "[oracle]") {
  oracle::golden golden = judged::golden_of<std::uint8_t>({3}, {1, 1, 1});
  golden.answers.push_back({judged::output_of<std::uint8_t>({3}, {2, 2, 2})});
  const std::string text = report_on<std::uint8_t>(golden, {2, 3, 2});
  CHECK(text.find("1 differs\n  {1}: expected 2 (0x02), got 3 (0x03), off by +1\n    expected: 2 [2] 2") !=
        std::string::npos);
}

TEST_CASE("report: the last line reproduces a generated case", "[oracle]") {
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    for (const auto& c : oracle::cases<any_desc>(*op, {.count = goldml_test::random_count(50), .seed = 5})) {
      auto outputs = judged::golden_values(c.expected.answers.front());
      oracle::random_source random(1);
      for (judged::bits& b : outputs[0]) b ^= 1;
      const auto tensors = judged::in_memory(random, c.outputs, outputs, judged::layout::as_golden);
      const std::string text = report_on(c.expected, judged::refs_of(tensors),
                                         oracle::names_of(*op->description, c.outputs.size()), c.line());
      const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
      REQUIRE(text.substr(last, 6) == "case: ");
      const std::string line = text.substr(last + 6, text.size() - last - 7);
      CHECK(oracle::make_case(*op, oracle::parse_case(*op->description, line)).inputs == c.inputs);
    }
  }
}

TEST_CASE("report: the blocks of a map, up to the largest sizes", "[oracle]") {
  using oracle::detail::block_count;
  CHECK(block_count(1, 16) == 1);
  CHECK(block_count(16, 16) == 1);
  CHECK(block_count(17, 16) == 2);
  CHECK(block_count(4294967280U, 16) == 268435455);  // 2^28 - 1 blocks exactly
  CHECK(block_count(4294967295U, 16) == 268435456);
  CHECK(block_count(4294967295U, 64) == 67108864);
  CHECK(block_count(4294967295U, 67108864) == 64);  // the number of characters in a line
}

TEST_CASE("report: what half precision explains is asked of a desc that does not permit it", "[oracle]") {
  const std::vector<float> x{1, 2};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2}), tensor_view(x, {2})};
  const auto asks = [&](accumulation precision) {
    return oracle::names_of(element_wise_add_desc{.accumulation = precision}, std::span<const const_tensor_ref>(inputs),
                            1)
               .half != nullptr;
  };
  CHECK(asks(accumulation::single));
  CHECK_FALSE(asks(accumulation::half));
}
