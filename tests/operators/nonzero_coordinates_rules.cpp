// Violations of NONZERO_COORDINATES: N1, N3..N6, and the T codes that restate N2, N6, N7 and N8.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using rules::codes_of;
using rules::missing_from;

// FLOAT32 {2,3}. Valid; each test changes it.
struct search {
  nonzero_coordinates_desc desc;
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3}};
  tensor_desc count{.data_type = data_type::uint32, .sizes = {1}};
  tensor_desc rows{.data_type = data_type::uint32, .sizes = {6, 2}};

  static search of(const dimensions& input_sizes, const dimensions& count_sizes, const dimensions& rows_sizes,
                   feature_level level = feature_level::latest) {
    search result;
    result.desc.feature_level = level;
    result.input.sizes = input_sizes;
    result.count.sizes = count_sizes;
    result.rows.sizes = rows_sizes;
    return result;
  }
};

// All codes, "N1 N5"; the call refuses with the first.
std::string refused(const search& s) {
  return goldml_test::refused(
      2048, s.desc, [&](const auto&... t) { nonzero_coordinates(reference, t..., s.desc); }, s.input, s.count, s.rows);
}

std::string refused(const dimensions& input, const dimensions& count, const dimensions& rows,
                    feature_level level = feature_level::latest) {
  return refused(search::of(input, count, rows, level));
}

violation only(const search& s) { return goldml_test::only_violation(s.desc, s.input, s.count, s.rows); }

}  // namespace

TEST_CASE("NONZERO_COORDINATES: a valid desc violates no rule", "[nonzero_coordinates]") {
  CHECK(refused(search{}) == "");
  CHECK(refused({5}, {1}, {5, 1}) == "");
  CHECK(refused({1, 1, 2, 4}, {1, 1, 1, 1}, {1, 1, 8, 3}) == "");
  CHECK(refused({2, 1, 2, 1, 2, 1, 2, 1}, {1}, {16, 8}) == "");
}

TEST_CASE("NONZERO_COORDINATES N1: a size of the count other than 1", "[nonzero_coordinates]") {
  CHECK(refused({2, 3}, {2}, {6, 2}) == "N1");
  CHECK(refused({2, 3}, {6}, {6, 2}) == "N1");
  CHECK(refused({2, 3}, {1, 1, 1, 1, 1, 1, 1, 2}, {6, 2}) == "N1");
  CHECK(refused({2, 3}, {2, 1, 3}, {6, 2}) == "N1 N1");
  CHECK(missing_from(only(search::of({2, 3}, {1, 4}, {6, 2})),
                     {"NONZERO_COORDINATES N1: OutputCountTensor.Sizes[1] is 4", "wanted 1", "{1,4}"}) == "");
}

TEST_CASE("NONZERO_COORDINATES N2 as T3: an output that is not UINT32", "[nonzero_coordinates]") {
  for (const auto type : {data_type::int32, data_type::uint64, data_type::int64, data_type::float32, data_type::uint16,
                          data_type::uint8, data_type::unknown}) {
    search of_count;
    of_count.count.data_type = type;
    CHECK(refused(of_count) == "T3");
    search of_rows;
    of_rows.rows.data_type = type;
    CHECK(refused(of_rows) == "T3");
  }
}

TEST_CASE("NONZERO_COORDINATES N3: the number of rows is not the number of elements", "[nonzero_coordinates]") {
  CHECK(refused({2, 3}, {1}, {5, 2}) == "N3");
  CHECK(refused({2, 3}, {1}, {7, 2}) == "N3");
  CHECK(refused({2, 3}, {1}, {1, 2}) == "N3");
  CHECK(refused({2, 3}, {1}, {1, 1, 12, 2}) == "N3");
  CHECK(missing_from(only(search::of({2, 3}, {1}, {1, 5, 2})),
                     {"NONZERO_COORDINATES N3: OutputCoordinatesTensor.Sizes[1] is 5", "wanted 6", "{2,3}"}) == "");
  // A broadcast input: its logical elements count.
  search broadcast = search::of({2, 3}, {1}, {3, 2});
  broadcast.input.strides = {0, 1};
  CHECK(refused(broadcast) == "N3");
  broadcast.rows.sizes = {6, 2};
  CHECK(refused(broadcast) == "");
}

TEST_CASE("NONZERO_COORDINATES N4: columns below the effective rank or above DimensionCount", "[nonzero_coordinates]") {
  // {1,1,12,5}: 2 to 4 columns.
  const auto columns = [](const dimensions& sizes, std::uint32_t n) {
    return refused(sizes, {1}, {element_count(sizes), n});
  };
  CHECK(columns({1, 1, 12, 5}, 1) == "N4");
  CHECK(columns({1, 1, 12, 5}, 2) == "");
  CHECK(columns({1, 1, 12, 5}, 3) == "");
  CHECK(columns({1, 1, 12, 5}, 4) == "");
  CHECK(columns({1, 1, 12, 5}, 5) == "N4");
  CHECK(columns({5, 1}, 1) == "N4");  // trailing ones count
  CHECK(columns({5, 1}, 2) == "");
  CHECK(columns({1, 1, 1, 1}, 1) == "");  // effective rank 0 still needs one column
  CHECK(columns({1, 1, 1, 1}, 4) == "");
  CHECK(columns({1, 1, 1, 1}, 5) == "N4");
  CHECK(columns({4}, 1) == "");
  CHECK(columns({4}, 2) == "N4");
  CHECK(columns({2, 2, 2, 2, 2, 2, 2, 2}, 7) == "N4");
  CHECK(columns({2, 2, 2, 2, 2, 2, 2, 2}, 8) == "");
  CHECK(missing_from(
            only(search::of({1, 1, 12, 5}, {1}, {60, 1})),
            {"NONZERO_COORDINATES N4: OutputCoordinatesTensor.Sizes[1] is 1", "wanted 2 to 4", "{1,1,12,5}"}) == "");
  CHECK(missing_from(only(search::of({4}, {1}, {4, 2})), {"is 2, wanted 1 ("}) == "");
}

TEST_CASE("NONZERO_COORDINATES N5: a size before the last two is not 1", "[nonzero_coordinates]") {
  CHECK(refused({2, 3}, {1}, {2, 6, 2}) == "N5");
  CHECK(refused({2, 3}, {1}, {1, 3, 6, 2}) == "N5");
  CHECK(refused({2, 3}, {1}, {2, 2, 6, 2}) == "N5 N5");
  CHECK(refused({2, 3}, {1}, {2, 3, 2}) == "N3 N5");  // not folded into the rows
  CHECK(missing_from(only(search::of({2, 3}, {1}, {1, 4, 6, 2})),
                     {"NONZERO_COORDINATES N5: OutputCoordinatesTensor.Sizes[1] is 4", "wanted 1"}) == "");
}

TEST_CASE("NONZERO_COORDINATES N6 as T4: fewer than two dimensions of coordinates, or not 4..5 at 3_0",
          "[nonzero_coordinates]") {
  CHECK(refused({3}, {1}, {3}) == "T4");
  CHECK(refused({1, 1, 2}, {1, 1, 1}, {1, 2, 1}, feature_level::level_3_0) == "T4 T4 T4");
  CHECK(refused({1, 1, 2, 3}, {1, 1, 1, 1}, {6, 2}, feature_level::level_3_0) == "T4");
  CHECK(refused({1, 1, 2, 3}, {1}, {1, 1, 6, 2}, feature_level::level_3_1) == "T4");
  CHECK(refused({1, 1, 1, 1, 2, 3}, {1, 1, 1, 1}, {1, 1, 6, 2}, feature_level::level_3_1) == "T4");
}

TEST_CASE("NONZERO_COORDINATES N6: below 4_0 all DimensionCounts are equal", "[nonzero_coordinates]") {
  for (const auto level : {feature_level::level_3_0, feature_level::level_3_1}) {
    CHECK(refused({1, 1, 2, 3}, {1, 1, 1, 1}, {1, 1, 6, 2}, level) == "");
    CHECK(refused({1, 1, 1, 2, 3}, {1, 1, 1, 1, 1}, {1, 1, 1, 6, 2}, level) == "");
    CHECK(refused({1, 1, 2, 3}, {1, 1, 1, 1, 1}, {1, 1, 6, 2}, level) == "N6");
    CHECK(refused({1, 1, 2, 3}, {1, 1, 1, 1}, {1, 1, 1, 6, 2}, level) == "N6");
    CHECK(refused({1, 1, 1, 2, 3}, {1, 1, 1, 1}, {1, 1, 6, 2}, level) == "N6 N6");
  }
  for (const auto level : {feature_level::level_4_0, feature_level::level_5_0, feature_level::latest}) {
    CHECK(refused({1, 1, 2, 3}, {1, 1, 1, 1, 1}, {1, 1, 6, 2}, level) == "");
    CHECK(refused({2, 3}, {1, 1, 1}, {1, 1, 1, 6, 2}, level) == "");
    CHECK(refused({6}, {1}, {6, 1}, level) == "");
  }
  CHECK(missing_from(only(search::of({1, 1, 2, 3}, {1, 1, 1, 1, 1}, {1, 1, 6, 2}, feature_level::level_3_0)),
                     {"NONZERO_COORDINATES N6: OutputCountTensor.DimensionCount is 5", "wanted 4", "4_0"}) == "");
}

TEST_CASE("NONZERO_COORDINATES N7 as T3: a 64-bit input", "[nonzero_coordinates]") {
  for (const auto type : {data_type::float64, data_type::int64, data_type::uint64}) {
    search s;
    s.input.data_type = type;
    CHECK(refused(s) == "T3");
  }
}

TEST_CASE("NONZERO_COORDINATES N8 as T12: overlapping outputs are refused after N1..N6", "[nonzero_coordinates]") {
  const std::vector<float> input(6, 1);
  std::vector<std::uint32_t> output(16, 77);
  const auto x = tensor_view{input, {2, 3}};
  const auto rows = tensor_view{output, {6, 2}};
  const auto count = tensor_view{output, {1}};
  const auto two = tensor_view{output, {2}};
  CHECK(refusal_of([&] { nonzero_coordinates(reference, x, count, rows); }) == "T12");
  CHECK(refusal_of([&] { nonzero_coordinates(reference, x, two, rows); }) == "N1");
  CHECK(output == std::vector<std::uint32_t>(16, 77));
}

TEST_CASE("NONZERO_COORDINATES T6: more rows times columns than a tensor can have", "[nonzero_coordinates]") {
  // 2^31 elements and two columns: the coordinates would have 2^32 entries.
  const auto s = search::of({65536, 32768}, {1}, {2147483648u, 2});
  CHECK(codes_of(violations(s.desc, s.input, s.count, s.rows)) == "T6");
  const auto fits = search::of({1, 2147483648u}, {1}, {2147483648u, 1});
  CHECK(codes_of(violations(fits.desc, fits.input, fits.count, fits.rows)) == "");
}

TEST_CASE("NONZERO_COORDINATES: empty tensors are refused", "[nonzero_coordinates]") {
  CHECK(refusal_of([] { static_cast<void>(nonzero_coordinates(reference, tensor<float>({2, 0}))); }) == "T5");
  const nonzero_coordinates_desc old{.feature_level = feature_level::level_3_0};
  CHECK(refusal_of([&] { static_cast<void>(nonzero_coordinates(reference, tensor<float>({2, 3}), old)); }) == "T4");
}
