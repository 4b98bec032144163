// SCATTER_ND on `cpu`: each policy with each kind of index, at the boundaries of each algorithm, and which violation is
// reported. Other tests: scatter_nd.cpp.
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/long_run.hpp"
#include "scatter_nd.hpp"

namespace {

using namespace goldml;
using goldml_test::all_ranges;
using goldml_test::both_rules;
using goldml_test::compare;
using goldml_test::for_each_type;
using goldml_test::shapes;
using goldml_test::some_places;

}  // namespace

TEST_CASE("cpu SCATTER_ND: each policy, with an unusual tuple at each boundary") {
  // Single elements with few and many places, and rows: every algorithm for duplicates and for writing.
  std::vector<shapes> all{{{1, 700}, {600, 1}, 1, 2},  {{1, 40'000}, {600, 1}, 1, 2}, {{1, 40'000}, {300, 1}, 1, 2},
                          {{700, 16}, {600, 1}, 2, 2}, {{1500, 9}, {600, 1}, 2, 2},   {{700, 16}, {600, 1}, 2, 2}};
  all.back().of_output.strides = {1, 700};
  goldml_test::thinned cases(11);
  for (const shapes& s : all) {
    const std::uint32_t places = s.r == 1 ? s.data[1] : s.data[0];
    const std::uint32_t count = s.indices[0];
    const auto usual = some_places<std::int64_t>(places, count);
    for (const std::uint32_t at : {0u, 255u, 256u, count - 1})
      for (const std::int64_t odd :
           {std::int64_t{places}, -std::int64_t{places} - 1, std::int64_t{-1}, usual[count / 2]})
        for (const range_policy range : all_ranges)
          for (const duplicates rule : both_rules) {
            if (cases.skips()) continue;
            std::vector<std::int64_t> values = usual;
            values[at] = odd;
            const bool outside = odd >= places || odd < -std::int64_t{places};
            const std::string refused = compare<float>(s, values, range, rule);
            if (outside && range == range_policy::refuse) CHECK(refused == "S10");
            if (odd == usual[count / 2] && rule == duplicates::refuse) CHECK(refused == "S11");
            if ((!outside || range != range_policy::refuse) && rule == duplicates::last_wins) CHECK(refused.empty());
          }
  }
}

TEST_CASE("cpu SCATTER_ND: which of several violations is reported") {
  // S10 for all tuples before S11, and for each rule the lowest tuple.
  std::vector<std::int32_t> values = some_places<std::int32_t>(900, 800);
  const shapes s{{1, 900}, {800, 1}, 1, 2};
  values[10] = values[3];
  CHECK(compare<float>(s, values, range_policy::refuse, duplicates::refuse) == "S11");
  values[700] = 900;
  values[790] = -901;
  CHECK(compare<float>(s, values, range_policy::refuse, duplicates::refuse) == "S10");
  CHECK(compare<float>(s, values, range_policy::refuse, duplicates::last_wins) == "S10");
  CHECK(compare<float>(s, values, range_policy::drop, duplicates::refuse) == "S11");
  CHECK(compare<float>(s, values, range_policy::clamp, duplicates::refuse) == "S11");
}

TEST_CASE("cpu SCATTER_ND: the limits of each index type, on each axis") {
  const auto check = []<class Index>(std::type_identity<Index>) {
    const Index lowest = std::numeric_limits<Index>::min();
    const Index highest = std::numeric_limits<Index>::max();
    const auto minus = [](int v) { return static_cast<Index>(0 - v); };  // for an unsigned type, a large value
    for (const Index v : {lowest, static_cast<Index>(lowest + 1), minus(6), minus(5), minus(4), minus(1), Index{0},
                          Index{3}, Index{4}, Index{5}, static_cast<Index>(highest / 2), highest})
      for (const range_policy range : all_ranges)
        for (const duplicates rule : both_rules) {
          // Pairs that point to places of {4,5}, with elements and with slices of 6: v is the first or the last index
          // of one pair.
          const std::vector<Index> pairs{v, 1, 2, 2, 1, v};
          const std::string elements = compare<double>({{1, 4, 5}, {1, 3, 2}, 2, 2}, pairs, range, rule);
          CHECK(compare<double>({{4, 5, 6}, {1, 3, 2}, 3, 2}, pairs, range, rule) == elements);
        }
  };
  for_each_type(ix_types{}, check);
}
