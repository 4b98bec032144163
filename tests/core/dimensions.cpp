// core/dimensions.hpp: lists of at most eight UINT32 values, the arithmetic on them that never wraps, effective rank.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/dimensions.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();

}  // namespace

// All constructors are usable in constant expressions.
static_assert(goldml::left_pad({2}, 3, 1) == goldml::dimensions{1, 1, 2});
static_assert(goldml::dimensions(std::array<unsigned, 2>{3, 4}) == goldml::dimensions{3, 4});
static_assert(goldml::concatenate({2, 3}, {4}).slice(1, 3) == goldml::dimensions{3, 4});

TEST_CASE("dimensions: made from values, any integer type", "[dimensions]") {
  const dimensions none;
  CHECK(none.size() == 0);
  CHECK(none.empty());
  CHECK_FALSE(none.overlong());

  const std::size_t rows = 3;
  const dimensions mixed{rows, 4, std::int64_t{5}, std::uint8_t{6}};
  CHECK(mixed.size() == 4);
  CHECK_FALSE(mixed.empty());
  CHECK(mixed[0] == 3);
  CHECK(mixed[1] == 4);
  CHECK(mixed[2] == 5);
  CHECK(mixed[3] == 6);
  CHECK(mixed.back() == 6);
  CHECK(std::vector<std::uint32_t>(mixed.begin(), mixed.end()) == std::vector<std::uint32_t>{3, 4, 5, 6});
  CHECK(dimensions{0, top}[1] == top);
}

TEST_CASE("dimensions: made from ranges", "[dimensions]") {
  const std::vector<std::int64_t> values{7, 8, 9};
  CHECK(dimensions(values) == dimensions{7, 8, 9});
  CHECK(dimensions(std::span(values).first(2)) == dimensions{7, 8});
  CHECK(dimensions(std::array<unsigned char, 2>{1, 2}) == dimensions{1, 2});
  const int plain[] = {5, 4};
  CHECK(dimensions(plain) == dimensions{5, 4});
  CHECK(dimensions(std::vector<int>{}) == dimensions{});
  CHECK_FALSE(std::is_convertible_v<std::vector<int>, dimensions>);
}

TEST_CASE("dimensions: a range of more than eight values keeps the first eight and is overlong", "[dimensions]") {
  const std::vector<int> eight{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int> nine = eight;
  nine.push_back(9);
  CHECK(dimensions(eight).size() == 8);
  CHECK_FALSE(dimensions(eight).overlong());
  CHECK(dimensions(nine).size() == 8);
  CHECK(dimensions(nine).overlong());
  CHECK(dimensions(nine)[7] == 8);
  CHECK(dimensions(nine) != dimensions(eight));
  // 37: a refusal says how many were given.
  CHECK(dimensions(eight).given() == 8);
  CHECK(dimensions(nine).given() == 9);
  CHECK(dimensions(std::vector<int>(300, 1)).given() == 300);
  CHECK(dimensions::null().given() == 0);
  CHECK(dimensions::filled(20, 1).given() == 20);
  CHECK(dimensions::filled(20, 1).size() == 8);
  CHECK(dimensions::filled(top, 1).given() == top);
}

TEST_CASE("dimensions: values that do not fit UINT32 are refused, not truncated", "[dimensions]") {
  CHECK_THROWS_AS((dimensions{2, -1}), std::invalid_argument);
  CHECK_THROWS_AS((dimensions{std::uint64_t{top} + 1}), std::invalid_argument);
  CHECK_THROWS_AS(dimensions(std::vector<std::int64_t>{1, std::int64_t{top} + 1}), std::invalid_argument);
  CHECK_THROWS_AS(dimensions(std::vector<std::int8_t>{-128}), std::invalid_argument);
  CHECK_THROWS_AS(dimensions(std::vector<int>{1, 1, 1, 1, 1, 1, 1, 1, -1}), std::invalid_argument);
}

TEST_CASE("dimensions: equal if their numbers of values and all values are equal", "[dimensions]") {
  CHECK(dimensions{2, 3} == dimensions{2, 3});
  CHECK(dimensions{2, 3} != dimensions{3, 2});
  CHECK(dimensions{2} != dimensions{2, 0});
  CHECK(dimensions{} != dimensions{0});
}

TEST_CASE("dimensions: filled, slices, joining, padding, searching", "[dimensions]") {
  CHECK(dimensions::filled(3, 7) == dimensions{7, 7, 7});
  CHECK(dimensions::filled(0, 7) == dimensions{});
  const dimensions d{3, 4, 5, 6, 7};
  CHECK(d.slice(3, 5) == dimensions{6, 7});
  CHECK(d.slice(0, 2) == dimensions{3, 4});
  CHECK(d.slice(2, 2) == dimensions{});
  CHECK(d.slice(0, 5) == d);
  CHECK(concatenate({1, 2}, {3}) == dimensions{1, 2, 3});
  CHECK(concatenate({}, {3}) == dimensions{3});
  CHECK(left_pad({2, 3}, 4, 1) == dimensions{1, 1, 2, 3});
  CHECK(left_pad({2, 3}, 2, 9) == dimensions{2, 3});
  CHECK(left_pad({}, 3, 0) == dimensions{0, 0, 0});
  CHECK(d.contains(3));
  CHECK(d.contains(7));
  CHECK_FALSE(d.contains(0));  // unused entries are not searched
  CHECK_FALSE(dimensions{}.contains(0));
}

TEST_CASE("dimensions: text", "[dimensions]") {
  CHECK(fmt::format("{}", dimensions{4, 3}) == "{4,3}");
  CHECK(fmt::format("{}", dimensions{}) == "{}");
  CHECK(fmt::format("{}", dimensions{top}) == "{4294967295}");
  CHECK(fmt::format("{}", dimensions(std::vector<int>(9, 1))) == "{1,1,1,1,1,1,1,1,...}");
}

TEST_CASE("saturating arithmetic stops at 2^64-1", "[dimensions]") {
  CHECK(saturating_add(2, 3) == 5);
  CHECK(saturating_add(saturated - 1, 1) == saturated);
  CHECK(saturating_add(saturated, 1) == saturated);
  CHECK(saturating_add(saturated - 1, 0) == saturated - 1);
  CHECK(saturating_multiply(6, 7) == 42);
  CHECK(saturating_multiply(0, saturated) == 0);
  CHECK(saturating_multiply(saturated, 0) == 0);
  CHECK(saturating_multiply(saturated, 1) == saturated);
  CHECK(saturating_multiply(saturated / 2, 2) == saturated - 1);  // the last product that fits
  CHECK(saturating_multiply(std::uint64_t{1} << 32, std::uint64_t{1} << 32) == saturated);
  CHECK(saturating_multiply((std::uint64_t{1} << 32) - 1, (std::uint64_t{1} << 32) + 1) == saturated);  // exact
  CHECK(saturating_multiply(std::uint64_t{1} << 31, std::uint64_t{1} << 32) == std::uint64_t{1} << 63);
}

TEST_CASE("element_count: the product of the sizes", "[dimensions]") {
  CHECK(element_count({4, 5}) == 20);
  CHECK(element_count({}) == 1);
  CHECK(element_count({3, 0, 2}) == 0);
  CHECK(element_count({65536, 65536}) == std::uint64_t{1} << 32);
  CHECK(element_count({top, top}) == std::uint64_t{top} * top);
  CHECK(element_count({top, top, 2}) == saturated);
  CHECK(element_count(dimensions::filled(8, top)) == saturated);
}

TEST_CASE("packed_strides: row-major, the last dimension fastest", "[dimensions]") {
  CHECK(packed_strides({2, 3, 4}) == dimensions{12, 4, 1});
  CHECK(packed_strides({7}) == dimensions{1});
  CHECK(packed_strides({}) == dimensions{});
  CHECK(packed_strides({1, 1, 5, 1}) == dimensions{5, 5, 1, 1});
  CHECK(packed_strides({2, 2, 2, 2, 2, 2, 2, 2}) == dimensions{128, 64, 32, 16, 8, 4, 2, 1});
  CHECK(packed_strides({2, 65536, 65535}) == dimensions{4294901760u, 65535, 1});
  CHECK(packed_strides({2, 65536, 65536}) == dimensions{top, 65536, 1});  // 2^32 saturates
  CHECK(packed_strides({2, 2, top, top}) == dimensions{top, top, top, 1});
}

TEST_CASE("last_index: sum (size-1)*stride", "[dimensions]") {
  CHECK(last_index({4, 5}, {5, 1}) == 19);
  CHECK(last_index({2, 3}, {5, 1}) == 7);
  CHECK(last_index({2, 3}, {0, 1}) == 2);
  CHECK(last_index({1, 3}, {top, 1}) == 2);  // the stride of a size of 1 is ignored
  CHECK(last_index({}, {}) == 0);
  CHECK(last_index({2, 2}, {top, top}) == 2 * std::uint64_t{top});
  CHECK(last_index(dimensions::filled(8, top), dimensions::filled(8, top)) == saturated);
}

TEST_CASE("offset_of: sum c*stride, in 64 bits", "[dimensions]") {
  CHECK(offset_of({1, 2}, {5, 1}) == 7);
  CHECK(offset_of({1, 2, 3}, {0, 4, 1}) == 11);
  CHECK(offset_of({}, {}) == 0);
  CHECK(offset_of({65536, 1}, {65536, 3}) == (std::uint64_t{1} << 32) + 3);
}

TEST_CASE("effective_rank: DimensionCount minus the number of leading ones", "[dimensions]") {
  CHECK(effective_rank({1, 2, 3, 4}) == 3);
  CHECK(effective_rank({1, 1, 5, 5, 5}) == 3);
  CHECK(effective_rank({1, 1, 1, 1}) == 0);
  CHECK(effective_rank({1, 1, 12, 5}) == 2);
  CHECK(effective_rank({5, 1}) == 2);  // trailing ones count
  CHECK(effective_rank({1, 2, 1, 1}) == 3);
  CHECK(effective_rank({1}) == 0);
  CHECK(effective_rank({9}) == 1);
  CHECK(effective_rank({2, 2, 2, 2, 2, 2, 2, 2}) == 8);
  CHECK(effective_rank({}) == 0);
}

TEST_CASE("B4: sizes in 64 bits keep what no tensor has, and are clamped to what one may have", "[dimensions]") {
  wide_sizes sizes = dimensions{0x1'0000, 3, 0};
  sizes[0] *= 0x1'0000;
  CHECK(sizes == wide_sizes{std::uint64_t{1} << 32, 3, 0});
  CHECK(sizes.clamped() == dimensions{top, 3, 1});
  CHECK(fmt::format("{}", sizes) == "{4294967296,3,0}");
  sizes.push_back(7);
  CHECK(sizes.size() == 4);
  CHECK(sizes != dimensions{top, 3, 0, 7});
  CHECK(wide_sizes(dimensions{2, 5}) == dimensions{2, 5});
}
