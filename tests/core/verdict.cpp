// Verdicts of an output's elements: exact, undefined, or one of several values.
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/core/scalar.hpp>
#include <goldml/core/verdict.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using scalars = std::vector<scalar>;

}  // namespace

TEST_CASE("verdicts: an element is exact until something else is allowed, and undefined for good", "[core]") {
  output_verdicts verdicts(4);
  CHECK(verdicts.size() == 4);
  verdicts.allow(1, scalar(5.0F));
  verdicts.allow(1, scalar(6.0F));
  verdicts.allow(1, scalar(5.0F));
  verdicts.make_undefined(2);
  verdicts.allow(2, scalar(5.0F));
  verdicts.allow_any_index_below(2, 7);
  verdicts.allow_what_is_read(2);
  CHECK(verdicts[0] == verdict::exact);
  CHECK(verdicts[1] == verdict::one_of);
  CHECK(verdicts[2] == verdict::undefined);
  CHECK(verdicts.alternatives_of(1).values == scalars{scalar(5.0F), scalar(6.0F)});
  CHECK(verdicts.any_index_below(2) == 0);
  CHECK(verdicts.alternatives_of(2).values.empty());
  verdicts.make_all_undefined();
  for (std::size_t i = 0; i < 4; ++i) CHECK(verdicts[i] == verdict::undefined);
}

TEST_CASE("verdicts: any index below one bound", "[core]") {
  output_verdicts verdicts(3);
  verdicts.make_undefined(2);
  verdicts.allow_any_index_below(2, 9);  // leaves it undefined, and sets no bound
  verdicts.allow_any_index_below(0, 4);
  verdicts.allow_any_index_below(1, 4);
  CHECK(verdicts[0] == verdict::one_of);
  CHECK(verdicts.any_index_below(0) == 4);
  CHECK(verdicts.any_index_below(1) == 4);
  CHECK(verdicts.any_index_below(2) == 0);
  CHECK_THROWS_AS(verdicts.allow_any_index_below(1, 5), std::invalid_argument);
}

TEST_CASE("verdicts: values that are read, after those that are kept, until one is taken", "[core]") {
  output_verdicts verdicts(2);
  verdicts.allow_what_is_read(0);
  verdicts.allow_what_is_read(1);
  verdicts.allow(1, scalar(1.0F));
  CHECK(verdicts.alternatives_of(0).values.empty());  // no reader yet
  std::vector<std::size_t> asked;
  verdicts.read_alternatives_with([&](std::size_t element, const auto& f) {
    asked.push_back(element);
    for (const float value : {1.0F, 2.0F, 2.0F})
      if (f(scalar(value))) return;
  });
  CHECK(verdicts[0] == verdict::one_of);
  CHECK(verdicts.alternatives_of(0).values == scalars{scalar(1.0F), scalar(2.0F)});
  CHECK(verdicts.alternatives_of(1).values == scalars{scalar(1.0F), scalar(2.0F)});
  CHECK(asked == std::vector<std::size_t>{0, 1});
  CHECK(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(1.0F); }));
  CHECK(asked.size() == 2);  // it was among those that are kept
  CHECK(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(2.0F); }));
  CHECK_FALSE(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(3.0F); }));
}

TEST_CASE("verdicts: several readers are asked in turn, until one has the value", "[core]") {
  output_verdicts verdicts(2);
  CHECK(verdicts.all_exact());
  verdicts.allow_what_is_read(1);
  CHECK_FALSE(verdicts.all_exact());
  std::string asked;
  const auto reader = [&](char name, float value) {
    return [&asked, name, value](std::size_t, const auto& f) {
      asked += name;
      f(scalar(value));
    };
  };
  verdicts.read_alternatives_with(reader('a', 1));
  verdicts.read_alternatives_with(reader('b', 2));
  verdicts.read_alternatives_with(reader('c', 3));
  CHECK(verdicts.alternatives_of(1).values == scalars{scalar(1.0F), scalar(2.0F), scalar(3.0F)});
  asked.clear();
  CHECK(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(2.0F); }));
  CHECK(asked == "ab");
  CHECK_FALSE(verdicts.any_alternative(0, [](const scalar&) { return true; }));
}
