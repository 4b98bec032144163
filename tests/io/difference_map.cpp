// What the page of `goldml check --report` draws: marks of elements, and counts of differences by their size.
#include "difference_map.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <goldml/core/tensor_view.hpp>
#include <goldml/oracle/verdict.hpp>

#include "../catch.hpp"

using namespace goldml;
using counts = std::vector<std::pair<std::string, std::uint64_t>>;

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

}  // namespace

TEST_CASE("a map has a mark for each element in row-major order, and the sizes of all dimensions") {
  const tool::difference_map map = map_of<std::int32_t>({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 4, 4, 5, 6, 7, 0}, {2, 2, 2});
  CHECK(map.marks == "..X....X");
  CHECK(map.sizes == dimensions{2, 2, 2});
  CHECK(map.differing == 2);
  CHECK(map.histogram == counts{{"off by 1", 1}, {"off by 8 to 15", 1}});
}

TEST_CASE("differences of integers do not overflow") {
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  CHECK(map_of<std::int64_t>({most}, {-most - 1}, {1}).histogram ==
        counts{{"off by 9223372036854775808 to 18446744073709551615", 1}});
}

TEST_CASE("differences of floats are in ULP, and NaN is apart") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const tool::difference_map map = map_of<float>({1, 1, nan, 2, -0.0F}, {1, 1.0000001F, 0, nan, 0.0F}, {5});
  CHECK(map.marks == ".XXXX");
  CHECK(map.histogram == counts{{"0 ULP", 1}, {"1 ULP", 1}, {"NaN", 2}});
}

TEST_CASE("a large output has marks of its first elements, and counts of all") {
  const std::vector<std::uint8_t> expected(tool::most_marks + 3, 7);
  std::vector<std::uint8_t> got = expected;
  got.back() = 6;
  const tool::difference_map map = map_of<std::uint8_t>(expected, got, {static_cast<std::uint32_t>(expected.size())});
  CHECK(map.marks == std::string(tool::most_marks, '.'));
  CHECK(map.differing == 1);
}
