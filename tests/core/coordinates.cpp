// core/coordinates.hpp: ascending row-major order, each coordinate tuple once.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/core/coordinates.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

std::vector<std::vector<std::uint32_t>> listed(const dimensions& sizes) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const coordinate_tuple& c : coordinates_of(sizes)) all.emplace_back(c.begin(), c.end());
  return all;
}

using tuples = std::vector<std::vector<std::uint32_t>>;

}  // namespace

TEST_CASE("coordinates_of: the last dimension varies fastest", "[coordinates]") {
  CHECK(listed({2, 3}) == tuples{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}});
  CHECK(listed({2, 1, 2}) == tuples{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}});
  CHECK(listed({4}) == tuples{{0}, {1}, {2}, {3}});
  CHECK(listed({1, 1, 1, 1, 1, 1, 1, 1}) == tuples{{0, 0, 0, 0, 0, 0, 0, 0}});
}

TEST_CASE("coordinates_of: empty sizes have one tuple, a size of 0 has none", "[coordinates]") {
  CHECK(listed({}) == tuples{{}});
  CHECK(listed({0}).empty());
  CHECK(listed({2, 0, 3}).empty());
  CHECK(listed({2, 3, 0}).empty());
}

TEST_CASE("coordinates_of: the row-major number increases by one, eight dimensions", "[coordinates]") {
  const dimensions sizes{2, 1, 3, 2, 1, 2, 3, 2};
  std::uint64_t count = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    std::uint64_t rank = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) rank = rank * sizes[i] + c[i];
    REQUIRE(c.size() == 8);
    REQUIRE(rank == count);
    ++count;
  }
  CHECK(count == 144);
}

TEST_CASE("coordinates_of: using an iterator directly", "[coordinates]") {
  const coordinates_of all(dimensions{2});
  auto i = all.begin();
  CHECK(i == all.begin());
  CHECK(i != all.end());
  i++;
  CHECK(*i == coordinate_tuple{1});
  CHECK(i != all.begin());
  ++i;
  CHECK(i == all.end());
}

TEST_CASE("coordinate_at: the tuple with a row-major number", "[coordinates]") {
  const dimensions sizes{2, 1, 3, 2, 1, 2, 3, 2};
  std::uint64_t number = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) REQUIRE(coordinate_at(sizes, number++) == c);
  CHECK(coordinate_at({65536, 65535}, 4294901759) == coordinate_tuple{65535, 65534});
  CHECK(coordinate_at({}, 0) == coordinate_tuple{});
}
