// Results of NONZERO_COORDINATES: the worked examples, numbers of columns, every data type, special floats,
// dimension counts, layouts and memory. Refusals: nonzero_coordinates_rules.cpp.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using layouts::laid_out;
using layouts::layout;
using row_list = std::vector<std::vector<std::uint32_t>>;

constexpr std::uint32_t untouched = 0xA5A5'A5A5;

template <class... T, class F>
void for_each_type(type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}

// The defined rows, with N columns. Checks that rows past the count and the input are unchanged.
template <class T>
row_list rows_of(const tensor<T>& x, std::uint32_t columns, const nonzero_coordinates_desc& desc = {}) {
  const bool equal_ranks = desc.feature_level < feature_level::level_4_0;
  const std::size_t rank = equal_ranks ? x.sizes().size() : 2;
  tensor<std::uint32_t> count(dimensions::filled(equal_ranks ? rank : 1, 1));
  tensor<std::uint32_t> rows(left_pad({x.size(), columns}, rank, 1),
                             std::vector<std::uint32_t>(x.size() * columns, untouched));
  const auto before = bits(x.elements());
  nonzero_coordinates(reference, x, count, rows, desc);
  CHECK(bits(x.elements()) == before);

  const std::uint32_t k = count.elements()[0];
  REQUIRE(k <= x.size());
  row_list result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto row = std::span(rows.elements()).subspan(i * columns, columns);
    if (i < k) result.emplace_back(row.begin(), row.end());
    for (const std::uint32_t entry : row)
      if (i >= k) CHECK(entry == untouched);
  }
  return result;
}

// The indices of the nonzero elements of a list.
template <class T>
std::vector<std::uint32_t> nonzero_in(const std::vector<T>& list) {
  std::vector<std::uint32_t> places;
  for (const auto& row : rows_of(tensor<T>({list.size()}, list), 1)) places.push_back(row[0]);
  return places;
}

template <class T, class Bits>
std::vector<T> floats(const std::vector<Bits>& patterns) {
  std::vector<T> result;
  for (const Bits pattern : patterns) result.push_back(std::bit_cast<T>(pattern));
  return result;
}

// Zeros at 0 and 1; then subnormals, normal numbers, infinities and NaNs of both signs.
void check_special_floats() {
  const std::vector<std::uint32_t> all_but_zeros{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  CHECK(nonzero_in(floats<float, std::uint32_t>(
            {0x0000'0000, 0x8000'0000, 0x0000'0001, 0x8000'0001, 0x007F'FFFF, 0x807F'FFFF, 0x0080'0000, 0xBF80'0000,
             0x7F80'0000, 0xFF80'0000, 0x7FC0'0000, 0xFFC0'0000, 0x7F80'0001, 0xFFFF'FFFF})) == all_but_zeros);
  CHECK(nonzero_in(floats<float16, std::uint16_t>({0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400, 0xBC00,
                                                   0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7C01, 0xFFFF})) == all_but_zeros);
}

}  // namespace

TEST_CASE("NONZERO_COORDINATES: the page's example", "[nonzero_coordinates]") {
  const std::vector<float> input{1, 0, 0, 2, -0.0f, 3.5f, 0, -5.2f};
  std::vector<std::uint32_t> count(1, untouched);
  std::vector<std::uint32_t> rows(24, untouched);
  nonzero_coordinates(reference, tensor_view{input, {1, 1, 2, 4}}, tensor_view{count, {1, 1, 1, 1}},
                      tensor_view{rows, {1, 1, 8, 3}});
  CHECK(count[0] == 4);
  std::vector<std::uint32_t> wanted{0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3};
  wanted.resize(24, untouched);
  CHECK(rows == wanted);
}

TEST_CASE("NONZERO_COORDINATES: ascending row-major order", "[nonzero_coordinates]") {
  tensor<std::int32_t> x({2, 6});
  x[{1, 0}] = 1;
  x[{1, 2}] = -1;
  x[{0, 5}] = 7;
  CHECK(rows_of(x, 2) == row_list{{0, 5}, {1, 0}, {1, 2}});
}

TEST_CASE("NONZERO_COORDINATES: a single element", "[nonzero_coordinates]") {
  CHECK(rows_of(tensor<float>({1, 1, 1, 1}, {7}), 1) == row_list{{0}});
  CHECK(rows_of(tensor<float>({1, 1, 1, 1}, {0}), 1).empty());
  CHECK(rows_of(tensor<float>({1, 1, 1, 1}, {7}), 4) == row_list{{0, 0, 0, 0}});
  CHECK(rows_of(tensor<float>({1}, {-2}), 1) == row_list{{0}});
}

TEST_CASE("NONZERO_COORDINATES: all zero and all non-zero", "[nonzero_coordinates]") {
  CHECK(rows_of(tensor<std::uint8_t>({2, 3}), 2).empty());
  CHECK(rows_of(tensor<std::uint8_t>({2, 2}, {1, 2, 3, 4}), 2) == row_list{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
}

TEST_CASE("NONZERO_COORDINATES: from the effective rank to DimensionCount columns", "[nonzero_coordinates]") {
  tensor<std::int8_t> x({1, 1, 3, 2});
  x[{0, 0, 0, 1}] = 1;
  x[{0, 0, 2, 0}] = 1;
  CHECK(rows_of(x, 2) == row_list{{0, 1}, {2, 0}});
  CHECK(rows_of(x, 3) == row_list{{0, 0, 1}, {0, 2, 0}});
  CHECK(rows_of(x, 4) == row_list{{0, 0, 0, 1}, {0, 0, 2, 0}});
  // Trailing ones count.
  CHECK(rows_of(tensor<float>({3, 1}, {0, 5, 5}), 2) == row_list{{1, 0}, {2, 0}});
  CHECK(rows_of(tensor<float>({1, 3, 1}, {0, 5, 5}), 3) == row_list{{0, 1, 0}, {0, 2, 0}});
}

TEST_CASE("NONZERO_COORDINATES: one to eight dimensions, every column", "[nonzero_coordinates]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    const dimensions sizes = dimensions::filled(rank, 2);
    tensor<std::int16_t> x(sizes);
    row_list wanted;
    for (std::uint32_t e = 0; e < x.size(); ++e)
      if (e % 3 == 1) {
        x.data()[e] = -1;
        std::vector<std::uint32_t> row;
        for (std::uint32_t i = rank; i-- > 0;) row.push_back(e >> i & 1);  // the coordinates are the binary digits
        wanted.push_back(row);
      }
    INFO("rank " << rank);
    CHECK(rows_of(x, rank) == wanted);
  }
}

TEST_CASE("NONZERO_COORDINATES: outputs of other DimensionCounts than the input's", "[nonzero_coordinates]") {
  const std::vector<float> input{0, 4, 0, 4, 4, 0};
  for (std::uint32_t count_rank = 1; count_rank <= 8; ++count_rank)
    for (std::uint32_t rows_rank = 2; rows_rank <= 8; ++rows_rank) {
      std::vector<std::uint32_t> count(1, untouched);
      std::vector<std::uint32_t> rows(12, untouched);
      nonzero_coordinates(reference, tensor_view{input, {2, 3}}, tensor_view{count, dimensions::filled(count_rank, 1)},
                          tensor_view{rows, left_pad({6, 2}, rows_rank, 1)});
      CHECK(count[0] == 3);
      std::vector<std::uint32_t> wanted{0, 1, 1, 0, 1, 1};
      wanted.resize(12, untouched);
      CHECK(rows == wanted);
    }
}

TEST_CASE("NONZERO_COORDINATES: at level 3_0, four and five dimensions, all three the same", "[nonzero_coordinates]") {
  const nonzero_coordinates_desc desc{.feature_level = feature_level::level_3_0};
  CHECK(rows_of(tensor<float16>({1, 1, 1, 3}, std::vector<float16>(3, float16(2))), 1, desc) ==
        row_list{{0}, {1}, {2}});
  CHECK(rows_of(tensor<float>({1, 2, 1, 1, 2}, {0, 1, 1, 0}), 4, desc) == row_list{{0, 0, 0, 1}, {1, 0, 0, 0}});
  const auto result = nonzero_coordinates(reference, tensor<float>({1, 1, 1, 2}, {0, 5}), desc);
  CHECK(result.count == 1);
  CHECK(result.coordinates == tensor<std::uint32_t>({2, 4}, {0, 0, 0, 1, 0, 0, 0, 0}));
}

TEMPLATE_TEST_CASE("NONZERO_COORDINATES: integers are nonzero if any bit is set", "[nonzero_coordinates]",
                   std::uint32_t, std::uint16_t, std::uint8_t, std::int32_t, std::int16_t, std::int8_t) {
  std::vector<TestType> input;
  std::vector<std::uint32_t> wanted;
  for (unsigned bit = 0; bit < 8 * sizeof(TestType); ++bit) {
    input.push_back(0);
    wanted.push_back(static_cast<std::uint32_t>(input.size()));
    input.push_back(static_cast<TestType>(std::uint64_t{1} << bit));
  }
  CHECK(nonzero_in(input) == wanted);
  using limits = std::numeric_limits<TestType>;
  CHECK(nonzero_in<TestType>({limits::max(), 0, limits::lowest(), 1}) ==
        (limits::lowest() == 0 ? std::vector<std::uint32_t>{0, 3} : std::vector<std::uint32_t>{0, 2, 3}));
}

TEST_CASE("NONZERO_COORDINATES 7.2: both zeros are zero; NaN, infinities and subnormals are not",
          "[nonzero_coordinates]") {
  check_special_floats();
}

TEST_CASE("NONZERO_COORDINATES 7.4: the same when the processor flushes subnormals", "[nonzero_coordinates]") {
  const flush_subnormals flushing;
  check_special_floats();
}

TEST_CASE("NONZERO_COORDINATES: every binary16 except the zeros is nonzero", "[nonzero_coordinates]") {
  std::vector<float16> all;
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    all.push_back(std::bit_cast<float16>(static_cast<std::uint16_t>(pattern)));
    if ((pattern & 0x7FFF) != 0) wanted.push_back(pattern);
  }
  std::vector<std::uint32_t> count(1);
  std::vector<std::uint32_t> rows(65536);
  nonzero_coordinates(reference, all, count, tensor_view{rows, {65536, 1}});
  REQUIRE(count[0] == 65534);
  rows.resize(65534);
  CHECK((rows == wanted));
}

TEST_CASE("NONZERO_COORDINATES: layouts of input and outputs; inputs and gaps are unchanged", "[nonzero_coordinates]") {
  const std::vector<float> elements{0, 1, 0, 2, 3, 0, 0, 0, 4, 5, 0, 6};
  std::vector<std::uint32_t> wanted{0, 0, 1, 0, 1, 1, 0, 2, 0, 1, 1, 0, 1, 1, 1, 1, 2, 1};  // of {2,3,2}
  wanted.resize(36, untouched);
  for (const layout of_input : layouts::all_layouts)
    for (const layout of_rows : layouts::all_layouts) {
      laid_out<float> x({2, 3, 2}, strides_of(of_input, {2, 3, 2}), elements);
      laid_out<std::uint32_t> rows({12, 3}, strides_of(of_rows, {12, 3}), std::vector<std::uint32_t>(36, untouched));
      laid_out<std::uint32_t> count({1, 1}, {5, 0}, {untouched});
      INFO("layouts " << static_cast<int>(of_input) << " " << static_cast<int>(of_rows));
      nonzero_coordinates(reference, x.view(), count.view(), rows.view());
      CHECK(count.elements()[0] == 6);
      CHECK(rows.elements() == wanted);
      CHECK(rows.gaps_untouched());
      CHECK(count.gaps_untouched());
      CHECK(bits(x.elements()) == bits(elements));
      CHECK(x.gaps_untouched());
    }
}

TEST_CASE("NONZERO_COORDINATES: transposed and doubled rows, as ONNX Runtime binds them", "[nonzero_coordinates]") {
  const std::vector<std::int32_t> input{0, 9, 9, 0};
  std::vector<std::uint32_t> count(1);
  std::vector<std::uint32_t> rows(16, untouched);
  nonzero_coordinates(reference, tensor_view{input, {2, 2}}, count, tensor_view{rows, {4, 2}, {2, 8}});
  CHECK(count[0] == 2);
  std::vector<std::uint32_t> wanted(16, untouched);
  wanted[0] = 0;  // row 0: (0,1)
  wanted[8] = 1;
  wanted[2] = 1;  // row 1: (1,0)
  wanted[10] = 0;
  CHECK(rows == wanted);
}

TEST_CASE("NONZERO_COORDINATES: every coordinate of a broadcast input counts", "[nonzero_coordinates]") {
  std::vector<std::int32_t> input{0, 5};
  std::vector<std::uint32_t> count(1);
  std::vector<std::uint32_t> rows(12, untouched);
  nonzero_coordinates(reference, tensor_view{input, {3, 2}, {0, 1}}, count, tensor_view{rows, {6, 2}});
  CHECK(count[0] == 3);
  CHECK(rows ==
        std::vector<std::uint32_t>{0, 1, 1, 1, 2, 1, untouched, untouched, untouched, untouched, untouched, untouched});
}

TEST_CASE("NONZERO_COORDINATES: the run-time call gives the results of the typed call, for all types",
          "[nonzero_coordinates]") {
  for_each_type(a8_types{}, []<class T>(std::type_identity<T>) {
    const std::vector<T> elements{T(1), T(0), T(3), T(0), T(0), T(2)};
    laid_out<T> x({2, 3}, {1, 3}, elements);
    std::vector<std::uint32_t> count(1);
    std::vector<std::uint32_t> rows(12, untouched);
    INFO(name_of(data_type_of<T>));
    nonzero_coordinates(reference, const_tensor_ref(x.view()), count, tensor_ref(tensor_view{rows, {6, 2}}));
    CHECK(count[0] == 3);
    rows.resize(6);
    CHECK(rows == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 2});
    CHECK(bits(x.elements()) == bits(elements));

    const auto result = nonzero_coordinates(reference, tensor<T>({2, 3}, elements));
    CHECK(result.count == 3);
    CHECK(result.coordinates.sizes() == dimensions{6, 2});
    CHECK(std::vector<std::uint32_t>(result.coordinates.begin(), result.coordinates.begin() + 6) == rows);
  });
}
