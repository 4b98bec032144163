// ARGMAX: results, allowed results of a device, and violations. Code shared with ARGMIN is tested here too, with
// separate values.
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/core/verdict.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/reference/argmax.hpp>

#include "../core/flush_subnormals.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using indices = std::vector<std::uint32_t>;

constexpr auto last = axis_direction::decreasing;
constexpr auto propagate = nan_policy::propagate;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// {first, last}: the index in a list, INCREASING and DECREASING.
template <class T>
indices both(const std::vector<T>& list, nan_policy policy = nan_policy::skip) {
  const tensor<T> x({static_cast<std::uint32_t>(list.size())}, list);
  return {argmax(reference, x, {.axes = {0}, .nan_policy = policy})[{0}],
          argmax(reference, x, {.axes = {0}, .axis_direction = last, .nan_policy = policy})[{0}]};
}

// The same numbers in FLOAT32 and FLOAT16.
void check_both(const std::vector<float>& list, const indices& wanted, nan_policy policy = nan_policy::skip) {
  CHECK(both(list, policy) == wanted);
  std::vector<float16> half;
  for (const float x : list) half.push_back(static_cast<float16>(x));
  CHECK(both(half, policy) == wanted);
}

void check_subnormals() {
  const auto least = from_bits<float>(1);
  const auto minus_least = from_bits<float>(0x8000'0001);
  CHECK(both<float>({0, least, 0}) == indices{1, 1});
  CHECK(both<float>({minus_least, 0, minus_least}) == indices{1, 1});
  CHECK(both<float>({least, from_bits<float>(0x007F'FFFF), least}) == indices{1, 1});
  const auto least_half = from_bits<float16>(1);
  CHECK(both<float16>({float16(0), least_half, float16(0)}) == indices{1, 1});
}

}  // namespace

TEST_CASE("ARGMAX: the page's examples", "[argmax]") {
  const tensor<float> x({3, 3}, {1, 2, 3, 3, 0, 4, 2, 5, 2});
  CHECK(argmax(reference, x, {.axes = {0}}) == tensor<std::uint32_t>({1, 3}, {1, 2, 1}));
  CHECK(argmax(reference, x, {.axes = {1}}) == tensor<std::uint32_t>({3, 1}, {2, 2, 1}));
  CHECK(argmax(reference, x, {.axes = {0, 1}}) == tensor<std::uint32_t>({1, 1}, {7}));
  CHECK(both<float>({3, 2, 1, 2, 3}) == indices{0, 4});
}

TEST_CASE("ARGMAX: the data of the REDUCE page, in which 4 occurs twice", "[argmax]") {
  const tensor<float> x({3, 3}, {1, 2, 3, 3, 0, 4, 2, 4, 2});
  CHECK(argmax(reference, x, {.axes = {0}}).elements() == indices{1, 2, 1});
  CHECK(argmax(reference, x, {.axes = {1}}).elements() == indices{2, 2, 1});
  CHECK(argmax(reference, x, {.axes = {0, 1}}).elements() == indices{5});
  CHECK(argmax(reference, x, {.axes = {0, 1}, .axis_direction = last}).elements() == indices{7});
}

TEST_CASE("ARGMAX: several axes are flattened row-major, in any order of the list", "[argmax]") {
  const tensor<float> x({2, 3, 2}, {5, 4, 9, 1, 7, 3, 8, 1, 0, 6, 2, 2});
  CHECK(argmax(reference, x, {.axes = {0, 2}}) == tensor<std::uint32_t>({1, 3, 1}, {2, 0, 0}));
  CHECK(argmax(reference, x, {.axes = {2, 0}}) == tensor<std::uint32_t>({1, 3, 1}, {2, 0, 0}));
  CHECK(argmax(reference, x, {.axes = {2, 1, 0}}) == tensor<std::uint32_t>({1, 1, 1}, {2}));
  for (std::uint32_t b = 0; b < 3; ++b)
    for (std::uint32_t d = 0; d < 5; ++d) {
      tensor<std::int16_t> y({2, 3, 4, 5}, std::vector<std::int16_t>(120, -9));
      y[{1, b, 2, d}] = 4;
      tensor<std::uint32_t> wanted({2, 1, 4, 1});  // elsewhere all are equal
      wanted[{1, 0, 2, 0}] = b * 5 + d;
      CHECK(argmax(reference, y, {.axes = {1, 3}}) == wanted);
    }
}

TEST_CASE("ARGMAX L9: without axes nothing is reduced, and every index is 0", "[argmax]") {
  const tensor<float> x({2, 3}, {5, not_a_number, 9, -infinity, 7, 3});
  for (const auto policy : {nan_policy::skip, propagate})
    for (const auto direction : {axis_direction::increasing, last})
      CHECK(argmax(reference, x, {.axes = {}, .axis_direction = direction, .nan_policy = policy}) ==
            tensor<std::uint32_t>({2, 3}));
  CHECK(argmax<std::int64_t>(reference, x, {}) == tensor<std::int64_t>({2, 3}));
}

TEMPLATE_TEST_CASE("ARGMAX: the least and greatest numbers of every data type", "[argmax]", float, std::uint32_t,
                   std::uint16_t, std::uint8_t, std::int32_t, std::int16_t, std::int8_t, std::uint64_t, std::int64_t) {
  using limits = std::numeric_limits<TestType>;
  const TestType low = limits::lowest();
  const TestType high = limits::max();
  CHECK(both<TestType>({low, 1, high, low, high, 1}) == indices{2, 4});
  CHECK(both<TestType>({low, low, low}) ==
        indices{0, 2});  // values are not negated, and the search does not start from 0
  CHECK(both<TestType>({high, high}) == indices{0, 1});
  CHECK(both<TestType>({low, static_cast<TestType>(low + 1), low}) ==
        (low + 1 == low ? indices{0, 2} : indices{1, 1}));  // adding 1 does not change the least float
}

TEST_CASE("ARGMAX: unsigned numbers are compared as unsigned, 64-bit numbers in full", "[argmax]") {
  CHECK(both<std::uint32_t>({0x8000'0000, 1}) == indices{0, 0});
  CHECK(both<std::uint8_t>({0x80, 0xFF, 0x7F}) == indices{1, 1});
  CHECK(both<std::int8_t>({-1, 1, 0}) == indices{1, 1});
  CHECK(both<std::int64_t>({4611686018427387905, 4611686018427387906, 4611686018427387904}) == indices{1, 1});
  CHECK(both<std::uint64_t>({9223372036854775808u, 9223372036854775809u, 1}) == indices{1, 1});
}

TEMPLATE_TEST_CASE("ARGMAX: every index type is written in full", "[argmax]", std::uint32_t, std::int32_t,
                   std::uint64_t, std::int64_t) {
  const std::vector<std::int8_t> x{5, 3, 5, 4, 1, 0, 2, 0, 9, 9};
  std::vector<TestType> y(2, static_cast<TestType>(-1));  // all bits set
  argmax(reference, tensor_view{x, {2, 5}}, tensor_view{y, {2, 1}}, argmax_desc{.axes = {1}, .axis_direction = last});
  CHECK(y == std::vector<TestType>{2, 4});
  argmax(reference, const_tensor_ref(tensor_view{x, {2, 5}}), tensor_ref(tensor_view{y, {2, 1}}),
         argmax_desc{.axes = {1}});
  CHECK(y == std::vector<TestType>{0, 3});
}

TEST_CASE("ARGMAX 7.1: NaN is never the maximum if there is a number", "[argmax]") {
  const float nan = not_a_number;
  check_both({nan, 2, nan, 2}, {1, 3});
  check_both({nan, -infinity}, {1, 1});
  check_both({-infinity, nan, -infinity}, {0, 2});
  check_both({4, 6, nan, 6, 2}, {1, 3});
  check_both({4, 2, nan}, {0, 0});
  check_both({nan, nan, nan}, {0, 2});  // all are equal
  check_both({nan}, {0, 0});
  for (const std::uint64_t bits : {0x7FC0'0000u, 0xFFC0'0000u, 0x7F80'0001u, 0xFFFF'FFFFu})
    CHECK(both<float>({1, from_bits<float>(bits), 0}) == indices{0, 0});
}

TEST_CASE("ARGMAX 7.1: with propagate NaN is greater than every number", "[argmax]") {
  const float nan = not_a_number;
  check_both({nan, 2, nan, 2}, {0, 2}, propagate);
  check_both({infinity, nan, infinity}, {1, 1}, propagate);
  check_both({8, 3, -nan}, {2, 2}, propagate);
  check_both({nan, nan, nan}, {0, 2}, propagate);
  check_both({1, 2, 2}, {1, 2}, propagate);
}

TEST_CASE("ARGMAX: infinities are numbers, and zeros of both signs are equal", "[argmax]") {
  check_both({-infinity, -infinity, -infinity}, {0, 2});
  check_both({infinity, 65504, infinity}, {0, 2});
  check_both({-infinity, -65504, -infinity}, {1, 1});
  check_both({-0.0f, 0.0f}, {0, 1});
  check_both({0.0f, -0.0f}, {0, 1});
  check_both({-1, 0.0f, -0.0f, 0.0f, -1}, {1, 3});
}

TEST_CASE("ARGMAX 7.4: subnormals are ordered, also when the processor flushes them", "[argmax]") {
  check_subnormals();
  const flush_subnormals flushing;
  check_subnormals();
}

TEST_CASE("ARGMAX: one to eight dimensions, reduced along each, in all layouts; gaps are unchanged", "[argmax]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions sizes = dimensions::filled(rank, 2);
      sizes[axis] = 3;
      tensor<float> x(sizes);
      tensor<std::uint32_t> wanted(sizes_after_reduction(sizes, {axis}));
      std::uint32_t number = 0;
      for (const coordinate_tuple& o : coordinates_of(wanted.sizes())) {
        wanted[o] = number++ % 3;
        for (std::uint32_t i = 0; i < 3; ++i) {
          coordinate_tuple c = o;
          c[axis] = i;
          x[c] = i == wanted[o] ? -1.0f : -2.0f;
        }
      }
      INFO("rank " << rank << " axis " << axis);
      for (const auto each : all_layouts) {
        laid_out<float> in(sizes, strides_of(each, sizes), x.elements());
        laid_out<std::uint32_t> out(wanted.sizes(), strides_of(each, wanted.sizes()), indices(wanted.size(), 77));
        argmax(reference, in.view(), out.view(), {.axes = {axis}});
        CHECK(out.elements() == wanted.elements());
        CHECK((in.gaps_untouched() && out.gaps_untouched()));
      }
    }
  const tensor<float> broadcast({1, 3}, {1, 4, 4});
  tensor<std::uint32_t> y({1, 1});
  argmax(reference, tensor_view{broadcast.elements(), {2, 3}, {0, 1}}, y, {.axes = {0, 1}, .axis_direction = last});
  CHECK(y[{0, 0}] == 5);
}

TEST_CASE("ARGMAX: allowed results for a slice of NaN, and for flushed subnormals", "[argmax]") {
  const auto least = from_bits<float>(1);
  const tensor<float> x({3, 3}, {not_a_number, not_a_number, not_a_number, 0, least, 0, 1, not_a_number, 2});
  const std::vector<const_tensor_ref> inputs{x.view()};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint32, .sizes = {3, 1}}};
  const auto golden_of = [&](nan_policy policy) {
    const auto golden = oracle::expect(argmax_desc{.axes = {1}, .nan_policy = policy}, inputs, outputs);
    REQUIRE(golden.answers.size() == 1);
    return golden.answers[0][0];
  };
  const oracle::golden_output golden = golden_of(nan_policy::skip);
  const output_verdicts& exact = golden.verdicts;
  CHECK(exact[0] == verdict::one_of);
  CHECK(exact.alternatives_of(0).any_index_below == 3);
  CHECK(exact[1] == verdict::exact);
  CHECK(exact[2] == verdict::exact);
  REQUIRE(golden.flushed);
  const auto flushed = golden.flushed->ref().as<std::uint32_t>();
  CHECK(golden.values.ref().as<std::uint32_t>()[{1, 0}] == 1);
  CHECK(flushed[{1, 0}] == 0);  // the subnormal is a zero
  CHECK(flushed[{2, 0}] == golden.values.ref().as<std::uint32_t>()[{2, 0}]);
  CHECK(golden_of(propagate).verdicts[0] == verdict::exact);
}

TEST_CASE("ARGMAX: the order of violations, T12 last; each kind of call refuses", "[argmax]") {
  std::vector<std::uint32_t> memory(12, 1);
  const tensor_view view{memory, {2, 3}};
  CHECK(refusal_of([&] { argmax(reference, view, tensor_view{memory, {2, 1}}, {.axes = {1}}); }) == "T12");
  CHECK(refusal_of([&] { argmax(reference, view, tensor_view{memory, {2, 2}}, {.axes = {1}}); }) == "AX3");
  CHECK(refusal_of([&] {
          argmax(reference, view, tensor_ref(tensor_view{memory, {2, 1}}), {.axes = {1, 1}});
        }) == "AX5");
  CHECK(refusal_of([&] { static_cast<void>(argmax(reference, tensor<float>({2, 3}), {.axes = {2}})); }) == "AX4");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
}
