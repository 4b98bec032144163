// core/tensor.hpp: the owning tensor.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <goldml/core/arguments.hpp>
#include <goldml/core/tensor.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;

}  // namespace

TEST_CASE("tensor: zeros of given sizes", "[tensor]") {
  const tensor<float> t({2, 3});
  CHECK(t.sizes() == dimensions{2, 3});
  CHECK(t.size() == 6);
  CHECK(t.elements() == std::vector<float>(6, 0.0f));
  CHECK(tensor<int>().size() == 0);
  CHECK(tensor<int>(dimensions{3, 0}).size() == 0);  // kept, so that T5 can refuse it
}

TEST_CASE("tensor: elements in row-major order, by coordinates and by iteration", "[tensor]") {
  tensor<int> t({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(t[{0, 0}] == 1);
  CHECK(t[{1, 0}] == 4);
  CHECK(t[{1, 2}] == 6);
  t[{0, 1}] = 20;
  CHECK(t.elements() == std::vector<int>{1, 20, 3, 4, 5, 6});
  CHECK(std::vector<int>(t.begin(), t.end()) == t.elements());
  const tensor<int>& same = t;
  CHECK(same[{0, 1}] == 20);
  CHECK(std::vector<int>(same.begin(), same.end()) == t.elements());
  CHECK(same.data() == t.data());
}

TEST_CASE("tensor: a view of it", "[tensor]") {
  tensor<int> t({2, 3});
  CHECK(t.view().data() == t.data());
  CHECK(t.view().capacity() == 6);
  CHECK(t.view().strides() == dimensions{3, 1});
  t.view()[{1, 1}] = 9;
  CHECK(t[{1, 1}] == 9);
  const tensor<int>& same = t;
  CHECK(same.view()[{1, 1}] == 9);
}

template <class T>
concept has_view = requires(T&& t) {
  std::forward<T>(t).view();
};

TEST_CASE("tensor: no view of a temporary", "[tensor]") {
  CHECK(has_view<tensor<int>&>);
  CHECK(has_view<const tensor<int>&>);
  CHECK_FALSE(has_view<tensor<int>>);
  CHECK_FALSE(has_view<const tensor<int>>);
}

TEST_CASE("tensor: equal if sizes and elements are equal", "[tensor]") {
  const tensor<int> t({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(t == tensor<int>({2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(t != tensor<int>({3, 2}, {1, 2, 3, 4, 5, 6}));
  CHECK(t != tensor<int>({2, 3}, {1, 2, 3, 4, 5, 7}));
}

TEST_CASE("tensor T7: the number of elements must match the sizes", "[tensor]") {
  CHECK(refusal_of([] { tensor<int>({2, 3}, {1, 2, 3, 4, 5}); }) == "T7");
  CHECK(refusal_of([] { tensor<int>({2, 3}, {1, 2, 3, 4, 5, 6, 7}); }) == "T7");
  try {
    tensor<int>({2, 3}, {1});
  } catch (const error& refusal) {
    CHECK(rules::missing_from(refusal.violation(), {"T7", "elements is 1", "wanted 6", "{2,3}"}) == "");
  }
}

TEST_CASE("tensor T6: too many elements are refused before memory is allocated", "[tensor]") {
  CHECK(refusal_of([] { tensor<double>(dimensions{65536, 65536}); }) == "T6");
  CHECK(refusal_of([] { tensor<double>(dimensions::filled(8, std::numeric_limits<std::uint32_t>::max())); }) == "T6");
  CHECK(refusal_of([] { tensor<double>({65536, 65536}, {1, 2}); }) == "T6");
  try {
    tensor<double>(dimensions{65536, 65536});
  } catch (const error& refusal) {
    CHECK(rules::missing_from(refusal.violation(), {"T6", "Sizes is {65536,65536}", "4294967295"}) == "");
  }
}
