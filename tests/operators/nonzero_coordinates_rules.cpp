// Violations of NONZERO_COORDINATES: N1, N3..N6, and the T codes that restate N2, N6, N7 and N8.
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
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

TEST_CASE("NONZERO_COORDINATES: empty tensors are refused", "[nonzero_coordinates]") {
  CHECK(refusal_of([] { static_cast<void>(nonzero_coordinates(reference, tensor<float>({2, 0}))); }) == "T5");
  const nonzero_coordinates_desc old{.feature_level = feature_level::level_3_0};
  CHECK(refusal_of([&] { static_cast<void>(nonzero_coordinates(reference, tensor<float>({2, 3}), old)); }) == "T4");
}
