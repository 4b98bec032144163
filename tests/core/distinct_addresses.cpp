// T9, core/distinct_addresses.hpp: whether the strides of an output give each element a distinct address. Compared with
// a list of the addresses; also the limit of the search.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/distinct_addresses.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::missing_from;

// Whether all addresses are distinct, by listing them.
bool all_differ(const dimensions& sizes, const dimensions& strides) {
  std::vector<std::uint64_t> addresses{0};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t count = addresses.size();
    for (std::uint64_t c = 1; c < sizes[i]; ++c)
      for (std::size_t j = 0; j < count; ++j) addresses.push_back(addresses[j] + c * strides[i]);
  }
  std::sort(addresses.begin(), addresses.end());
  return std::adjacent_find(addresses.begin(), addresses.end()) == addresses.end();
}

// Every list of `count` sizes 1..most_size with strides 0..most_stride.
void check_all(std::size_t count, std::uint32_t most_size, std::uint32_t most_stride) {
  const std::uint64_t choices = std::uint64_t{most_size} * (most_stride + 1);
  std::uint64_t lists = 1;
  for (std::size_t i = 0; i < count; ++i) lists *= choices;
  std::size_t distinct = 0;
  for (std::uint64_t list = 0; list < lists; ++list) {
    dimensions sizes;
    dimensions strides;
    for (std::uint64_t rest = list; sizes.size() < count; rest /= choices) {
      sizes.push_back(rest % choices % most_size + 1);
      strides.push_back(rest % choices / most_size);
    }
    const bool differ = all_differ(sizes, strides);
    const auto wanted = differ ? address_sharing::distinct : address_sharing::shared;
    distinct += differ ? 1u : 0u;
    if (addresses_shared(sizes, strides) != wanted)
      FAIL_CHECK(fmt::format("sizes {} strides {}: they {}", sizes, strides, differ ? "differ" : "do not differ"));
  }
  CHECK(distinct > 0);
  CHECK(distinct < lists);
}

std::string rule_for(const dimensions& sizes, const dimensions& strides) {
  return rule_of(validate(diagonal_matrix1_desc{},
                          tensor_desc{.data_type = data_type::uint8, .sizes = sizes, .strides = strides}));
}

// Eight strides, none of which exceeds the span of the smaller ones, although all addresses are distinct. The search
// for shared addresses has about 760,000 nodes for the first sizes and 1,450,000 for the second; the limit is 2^20.
const dimensions searched_sizes{5, 3, 5, 5, 5, 5, 5, 5};
const dimensions many_sizes{6, 5, 5, 5, 5, 5, 5, 5};
const dimensions many_strides{104395301, 104395303, 104729047, 105000017, 105943003, 106000081, 107100013, 109000027};

}  // namespace

TEST_CASE("T9: all small layouts of one and two dimensions", "[distinct_addresses]") {
  check_all(1, 6, 13);
  check_all(2, 6, 13);
}

TEST_CASE("T9: all small layouts of three dimensions", "[distinct_addresses]") { check_all(3, 4, 9); }

TEST_CASE("T9: all small layouts of four dimensions", "[distinct_addresses]") { check_all(4, 3, 5); }

TEST_CASE("T9: layouts of four to eight dimensions, strides up to 200", "[distinct_addresses]") {
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  std::size_t distinct = 0;
  for (int n = 0; n < 20000; ++n) {
    dimensions sizes;
    dimensions strides;
    const std::size_t count = 4 + next(5);
    for (std::size_t i = 0; i < count; ++i) {
      sizes.push_back(1 + next(3));
      strides.push_back(next(201));
    }
    const bool differ = all_differ(sizes, strides);
    distinct += differ ? 1u : 0u;
    if (addresses_shared(sizes, strides) != (differ ? address_sharing::distinct : address_sharing::shared))
      FAIL_CHECK(fmt::format("sizes {} strides {}: they {}", sizes, strides, differ ? "differ" : "do not differ"));
  }
  CHECK(distinct > 1000);
  CHECK(distinct < 19000);
}

TEST_CASE("T9: layouts that callers use", "[distinct_addresses]") {
  const auto check = [](const dimensions& sizes, const dimensions& strides) {
    return addresses_shared(sizes, strides);
  };
  CHECK(check({2, 3}, {3, 1}) == address_sharing::distinct);        // packed
  CHECK(check({2, 3}, {1, 2}) == address_sharing::distinct);        // permuted
  CHECK(check({2, 3}, {8, 2}) == address_sharing::distinct);        // padded and stepped
  CHECK(check({20, 4}, {2, 40}) == address_sharing::distinct);      // transposed and doubled: {2, 2*M}
  CHECK(check({2, 3}, {3, 2}) == address_sharing::distinct);        // interleaved but distinct: 0 2 4 3 5 7
  CHECK(check({1, 1, 1}, {0, 0, 7}) == address_sharing::distinct);  // strides of sizes of 1 are ignored
  CHECK(check({1, 3}, {0, 1}) == address_sharing::distinct);
  CHECK(check({}, {}) == address_sharing::distinct);
  CHECK(check({2, 3}, {0, 1}) == address_sharing::shared);  // broadcast
  CHECK(check({2, 3}, {1, 1}) == address_sharing::shared);
  CHECK(check({3, 3}, {2, 1}) == address_sharing::shared);  // 0 1 2, 2 ..
  CHECK(check({2, 2}, {1, 1}) == address_sharing::shared);
}

TEST_CASE("T9: large sizes and strides, without overflow", "[distinct_addresses]") {
  constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();
  CHECK(addresses_shared({top}, {1}) == address_sharing::distinct);
  CHECK(addresses_shared({65535, 65537}, {65537, 1}) == address_sharing::distinct);
  CHECK(addresses_shared({65537, 65535}, {1, 65537}) == address_sharing::distinct);
  CHECK(addresses_shared({65535, 65537}, {65536, 1}) == address_sharing::shared);
  CHECK(addresses_shared({2, 2}, {2147483647, 2147483647}) == address_sharing::shared);
  CHECK(addresses_shared({2, 2}, {2147483647, 2147483646}) == address_sharing::distinct);
  CHECK(addresses_shared({40000, 40000}, {50000, 49999}) == address_sharing::distinct);  // 49999 > 39999: no solution
  CHECK(addresses_shared({50001, 50001}, {50000, 25000}) == address_sharing::shared);
}

TEST_CASE("T9: an output is refused after a search of 2^20 nodes", "[distinct_addresses]") {
  REQUIRE(all_differ(many_sizes, many_strides));
  CHECK(addresses_shared(many_sizes, many_strides) == address_sharing::not_provably_distinct);
  CHECK(addresses_shared(searched_sizes, many_strides) == address_sharing::distinct);

  const tensor_desc wide{.data_type = data_type::uint8, .sizes = many_sizes, .strides = many_strides};
  const tensor_desc index{.data_type = data_type::uint32, .sizes = dimensions::filled(8, 1)};
  tensor_desc packed = wide;
  packed.strides = {};
  const scatter_nd_desc desc{.input_dimension_count = 8};
  tensor_desc updates{.data_type = data_type::uint8, .sizes = many_sizes};
  updates.sizes[0] = 1;
  CHECK(rule_of(validate(desc, wide, index, updates, packed)) != "T9");  // inputs may share addresses
  const auto v = validate(desc, packed, index, updates, wide);
  REQUIRE(rule_of(v) == "T9");
  CHECK(missing_from(*v, {"OutputTensor.Strides", "not provably distinct"}) == "");
}

TEST_CASE("T9: the message gives the strides and the sizes", "[distinct_addresses]") {
  const auto v = validate(diagonal_matrix1_desc{},
                          tensor_desc{.data_type = data_type::float32, .sizes = {4, 5}, .strides = {0, 1}});
  REQUIRE(rule_of(v) == "T9");
  CHECK(missing_from(*v, {"DIAGONAL_MATRIX1 T9: OutputTensor.Strides is {0,1}", "address of its own", "Sizes {4,5}",
                          "two elements share one"}) == "");
}

TEST_CASE("T9: on every output, on no input", "[distinct_addresses]") {
  CHECK(rule_for({4, 5}, {0, 1}) == "T9");
  CHECK(rule_for({4, 5}, {5, 1}) == "none");
  CHECK(rule_for({4, 5}, {}) == "none");

  const tensor_desc input{.data_type = data_type::uint8, .sizes = {4, 5}, .strides = {0, 1}};
  tensor_desc output{.data_type = data_type::uint32, .sizes = {4, 1}};
  CHECK(rule_of(validate(argmin_desc{.axes = {1}}, input, output)) == "none");
  output.strides = {0, 1};
  CHECK(rule_of(validate(argmin_desc{.axes = {1}}, input, output)) == "T9");

  const tensor_desc count{.data_type = data_type::uint32, .sizes = {1}, .strides = {0}};
  tensor_desc rows{.data_type = data_type::uint32, .sizes = {20, 2}, .strides = {1, 20}};
  CHECK(rule_of(validate(nonzero_coordinates_desc{}, input, count, rows)) == "none");
  rows.strides = {1, 1};
  CHECK(rule_of(validate(nonzero_coordinates_desc{}, input, count, rows)) == "T9");
}

TEST_CASE("T9: a refused call writes nothing", "[distinct_addresses]") {
  const std::vector<float> input{3, 1, 2, 9, 8, 7};
  std::vector<std::uint32_t> output(2, 77);
  CHECK(refusal_of([&] {
          argmin(reference, tensor_view{input, {2, 3}}, tensor_view{output, {2, 1}, {0, 1}}, argmin_desc{.axes = {1}});
        }) == "T9");
  CHECK(output == std::vector<std::uint32_t>{77, 77});
}
