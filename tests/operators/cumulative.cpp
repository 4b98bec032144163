// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT: the pages' example, results by hand, rules, and what devices may answer:
// legal scans are accepted, wrong ones are not.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <goldml/operators/cumulative.hpp>
#include <goldml/oracle/verdicts/cumulative.hpp>
#include <goldml/reference/cumulative.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using floats = std::vector<float>;
using halves = std::vector<float16>;
using enum axis_direction;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
tensor<T> row(const std::vector<T>& x) {
  return tensor<T>({static_cast<std::uint32_t>(x.size())}, x);
}
template <class T>
std::vector<T> sums(const std::vector<T>& x, const cumulative_summation_desc& desc = {}) {
  return cumulative_summation(reference, row(x), desc).elements();
}
template <class T>
std::vector<T> products(const std::vector<T>& x, const cumulative_product_desc& desc = {}) {
  return cumulative_product(reference, row(x), desc).elements();
}

// How element i of a row may be `value`, with and without flushing.
template <class Desc, class T>
interval_place judged(const Desc& desc, const std::vector<T>& x, std::size_t i, T value, bool may_flush = true) {
  const tensor<T> input = row(x);
  tensor<T> golden(input.sizes());
  if constexpr (detail::multiplies<Desc>)
    cumulative_product(reference, input, golden, desc);
  else
    cumulative_summation(reference, input, golden, desc);
  const T wanted = golden.elements()[i];
  if (is_nan(value) ? is_nan(wanted) : scalar(value) == scalar(wanted)) return interval_place::usual;
  const std::vector<const_tensor_ref> inputs{input.view()};
  const std::vector<tensor_ref> outputs{golden.view()};
  std::vector<output_verdicts> result{output_verdicts(x.size())};
  oracle::verdict_traits<Desc>::verdicts(desc, inputs, outputs, result);
  if (may_flush) oracle::verdict_traits<Desc>::flushed_verdicts(desc, inputs, outputs, result);
  interval_place best = interval_place::outside;
  if (const interval* const allowed = result[0].interval_of(i)) best = place_in(*allowed, value);
  result[0].any_alternative(i, [&](const scalar& other) {
    const bool same = is_nan(value) ? is_nan(other.as<T>()) : scalar(value) == other;
    if (same) best = interval_place::usual;
    return same;
  });
  return best;
}
template <class Desc, class T>
bool accepted(const Desc& desc, const std::vector<T>& x, std::size_t i, T value) {
  return judged(desc, x, i, value) != interval_place::outside;
}
const cumulative_summation_desc sum;
const cumulative_summation_desc exclusive_sum{.has_exclusive_sum = true};
const cumulative_product_desc product;

template <class Desc>
std::string refused(const Desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc,
      [&](const auto&... t) {
        if constexpr (detail::multiplies<Desc>)
          cumulative_product(reference, t..., desc);
        else
          cumulative_summation(reference, t..., desc);
      },
      input, output);
}
tensor_desc of(data_type type, const dimensions& sizes) { return {.data_type = type, .sizes = sizes}; }

}  // namespace

TEST_CASE("CUMULATIVE_SUMMATION: the examples of the page", "[cumulative]") {
  const tensor<float> x({1, 1, 3, 4}, {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4});
  const auto y = [&](const cumulative_summation_desc& desc) { return cumulative_summation(reference, x, desc).elements(); };
  CHECK(y({.axis = 3}) == floats{2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21});
  CHECK(y({.axis = 3, .has_exclusive_sum = true}) == floats{0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17});
  CHECK(y({.axis = 3, .axis_direction = decreasing}) == floats{11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4});
  CHECK(y({.axis = 3, .axis_direction = decreasing, .has_exclusive_sum = true}) ==
        floats{9, 8, 5, 0, 18, 10, 3, 0, 12, 6, 4, 0});
  CHECK(y({.axis = 2}) == floats{2, 1, 3, 5, 5, 9, 10, 8, 14, 15, 12, 12});
  CHECK(y({.axis = 0}) == x.elements());
}

TEST_CASE("CUMULATIVE_PRODUCT: the examples of the page", "[cumulative]") {
  const tensor<float> x({1, 1, 3, 4}, {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4});
  const auto y = [&](const cumulative_product_desc& desc) { return cumulative_product(reference, x, desc).elements(); };
  CHECK(y({.axis = 3}) == floats{2, 2, 6, 30, 3, 24, 168, 504, 9, 54, 108, 432});
  CHECK(y({.axis = 3, .has_exclusive_product = true}) == floats{1, 2, 2, 6, 1, 3, 24, 168, 1, 9, 54, 108});
  CHECK(y({.axis = 3, .axis_direction = decreasing}) == floats{30, 15, 15, 5, 504, 168, 21, 3, 432, 48, 8, 4});
  CHECK(y({.axis = 3, .axis_direction = decreasing, .has_exclusive_product = true}) ==
        floats{15, 15, 5, 1, 168, 21, 3, 1, 48, 8, 4, 1});
}

TEST_CASE("CUMULATIVE_SUMMATION: each sum is exact and rounded once", "[cumulative]") {
  CHECK(sums(floats{1e8F, 1, -1e8F}) == floats{1e8F, 1e8F, 1});
  CHECK(sums(floats{16777216, 1, 1}) == floats{16777216, 16777216, 16777218});
  CHECK(sums(floats{16777216, 1, 0x1p-100F}) == floats{16777216, 16777216, 16777218});
  CHECK(sums(floats{3e38F, 3e38F, -3e38F}) == floats{3e38F, inf, 3e38F});
  CHECK(sums(floats{1e30F, 0x1p-149F, -1e30F}) == floats{1e30F, 1e30F, 0x1p-149F});
  const std::vector<float16> ones(4096, float16(1.0F));
  CHECK(static_cast<float>(sums(ones).back()) == 4096);
  CHECK(static_cast<float>(sums(ones)[2048]) == 2048);  // 2049, a tie
  CHECK(static_cast<float>(sums(ones)[2049]) == 2050);
}

TEST_CASE("CUMULATIVE_SUMMATION: infinities and NaN change only the sums that have them", "[cumulative]") {
  const floats y = sums(floats{1, inf, 2, -inf, 3}, {.axis_direction = increasing});
  CHECK(y[0] == 1);
  CHECK((y[1] == inf && y[2] == inf));
  CHECK((is_nan(y[3]) && is_nan(y[4])));
  const floats z = sums(floats{1, not_a_number, 2}, {.axis_direction = decreasing, .has_exclusive_sum = true});
  CHECK(is_nan(z[0]));
  CHECK((z[1] == 2 && z[2] == 0));
  const floats p = products(floats{2, inf, 0, 1});
  CHECK((p[0] == 2 && p[1] == inf && is_nan(p[2]) && is_nan(p[3])));
}

TEST_CASE("CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT: the signs of zeros", "[cumulative]") {
  CHECK(layouts::bits(sums(floats{-0.0F, -0.0F, 0.0F, -0.0F})) == layouts::bits(floats{-0.0F, -0.0F, 0.0F, 0.0F}));
  CHECK(layouts::bits(sums(floats{-0.0F, -0.0F}, {.has_exclusive_sum = true})) == layouts::bits(floats{0.0F, -0.0F}));
  CHECK(layouts::bits(products(floats{-1, 0, -1})) == layouts::bits(floats{-1, -0.0F, 0.0F}));
  for (const float other : {0.0F, -0.0F}) CHECK(accepted(sum, floats{1, -1, 2}, 1, other));
  CHECK(accepted(exclusive_sum, floats{1, 2}, 0, -0.0F));
}

TEST_CASE("CUMULATIVE_PRODUCT: each product is exact and rounded once", "[cumulative]") {
  CHECK(products(floats{1e30F, 1e30F, 1e-30F, 1e-30F}) == floats{1e30F, inf, 1e30F, 1});
  CHECK(products(floats{1e-30F, 1e-30F, 1e30F, 1e30F})[3] == 1);
  CHECK(products(floats{3, 1.0F / 3})[1] == 1);
  const halves h = products(halves{float16(300.0F), float16(300.0F), float16(0.5F)});
  CHECK(static_cast<float>(h[1]) == inf);
  CHECK(static_cast<float>(h[2]) == 44992);  // 45000 to a multiple of 32, a tie would be 45008
}

TEST_CASE("CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT: integers wrap at their width", "[cumulative]") {
  constexpr std::int32_t most = (std::numeric_limits<std::int32_t>::max)();
  constexpr std::int32_t least = (std::numeric_limits<std::int32_t>::min)();
  CHECK(sums(std::vector<std::int32_t>{most, 1, -1}) == std::vector<std::int32_t>{most, least, most});
  CHECK(sums(std::vector<std::uint32_t>{4294967295, 2}) == std::vector<std::uint32_t>{4294967295, 1});
  CHECK(sums(std::vector<std::int64_t>{(std::numeric_limits<std::int64_t>::max)(), 1})[1] ==
        (std::numeric_limits<std::int64_t>::min)());
  CHECK(products(std::vector<std::int32_t>{0x10000, 0x10001, -1}) ==
        std::vector<std::int32_t>{0x10000, 0x10000, -0x10000});
  CHECK(products(std::vector<std::uint64_t>{1ULL << 63, 3, 2}) == std::vector<std::uint64_t>{1ULL << 63, 1ULL << 63, 0});
  CHECK(products(std::vector<std::uint32_t>{5, 7}, {.has_exclusive_product = true}) == std::vector<std::uint32_t>{1, 5});
}

TEST_CASE("CUMULATIVE_SUMMATION: in place, and at run time", "[cumulative]") {
  for (const bool exclusive : {false, true})
    for (const auto direction : {increasing, decreasing}) {
      const cumulative_summation_desc desc{.axis = 1, .axis_direction = direction, .has_exclusive_sum = exclusive};
      tensor<std::int32_t> x({2, 3}, {1, 2, 3, 4, 5, 6});
      const auto wanted = cumulative_summation(reference, x, desc).elements();
      cumulative_summation(reference, const_tensor_ref(x.view()), tensor_ref(x.view()), desc);
      CHECK(x.elements() == wanted);
    }
}

TEST_CASE("CUMULATIVE_SUMMATION: one to eight dimensions, in all layouts; gaps are unchanged", "[cumulative]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[rank / 2] = 3;
    const auto count = static_cast<std::size_t>(element_count(sizes));
    std::vector<std::int32_t> elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back(static_cast<std::int32_t>(i * i % 23));
    for (std::uint32_t axis = 0; axis < rank; ++axis)
      for (const auto each : layouts::all_layouts) {
        layouts::laid_out<std::int32_t> x(sizes, layouts::strides_of(each, sizes), elements);
        layouts::laid_out<std::int32_t> y(sizes, layouts::strides_of(each, sizes), elements);
        cumulative_summation(reference, x.view(), y.view(), {.axis = axis});
        // Each element is the difference of its sum and the sum before.
        const dimensions strides = packed_strides(sizes);
        const auto z = y.elements();
        std::size_t i = 0;
        for (const coordinate_tuple& c : coordinates_of(sizes)) {
          CHECK(z[i] - (c[axis] == 0 ? 0 : z[i - strides[axis]]) == elements[i]);
          ++i;
        }
        CHECK(y.gaps_untouched());
      }
  }
}

TEST_CASE("CUMULATIVE_SUMMATION: what devices may answer", "[cumulative]") {
  // One number, and the sum of two, are rounded at most once.
  const floats x{1e8F, 1, -1e8F, 0.1F};
  CHECK_FALSE(accepted(sum, x, 0, std::nextafterf(1e8F, 0)));
  CHECK_FALSE(accepted(sum, x, 1, std::nextafterf(1e8F, inf)));
  CHECK_FALSE(accepted(sum, floats{3, 0.1F, 5}, 1, std::nextafterf(3.1F, 0)));
  // The sum of three: of ((1e8 + 1) - 1e8) 0, and E = g(2, 2^-24) * 200000001 = 23.84.
  for (const float right : {0.0F, 1.0F, 8.0F, -22.8F}) CHECK(accepted(sum, x, 2, right));
  for (const float wrong : {-30.0F, 25.0F, inf}) CHECK_FALSE(accepted(sum, x, 2, wrong));
  // The total minus the element itself is no sum of the elements before.
  CHECK_FALSE(accepted(exclusive_sum, floats{1, 2, 3, 1e8F}, 3, 8.0F));
  CHECK_FALSE(accepted(exclusive_sum, floats{1, 2, inf}, 2, not_a_number));
  // Small integers: exact in every order.
  CHECK_FALSE(accepted(sum, floats{1, 2, 3, 4}, 3, 9.0F));
  CHECK_FALSE(accepted(sum, floats{1, 2, 3, 4}, 3, std::nextafterf(10.0F, 0)));
  CHECK_FALSE(accepted(sum, floats{1, 2, 3, 4}, 2, 10.0F));  // the sum of the next element
  // Partial sums may overflow.
  CHECK(accepted(sum, floats{3e38F, 3e38F, -3e38F}, 2, inf));
  CHECK_FALSE(accepted(sum, floats{3e38F, 3e38F, -3e38F}, 2, -inf));
  CHECK_FALSE(accepted(sum, floats{3e38F, -3e38F, 1}, 1, inf));
}

TEST_CASE("CUMULATIVE_PRODUCT: what devices may answer", "[cumulative]") {
  const floats x{1e30F, 1e30F, 1e-30F, 1e-30F};
  for (const float right : {1.0F, inf}) CHECK(accepted(product, x, 3, right));
  CHECK(accepted(product, x, 3, 0.0F));  // 1e-30 * 1e-30 vanishes in a tree
  CHECK_FALSE(accepted(product, x, 1, 3e38F));
  CHECK_FALSE(accepted(product, x, 0, std::nextafterf(1e30F, 0)));
  CHECK_FALSE(accepted(product, floats{3, 0.1F}, 1, std::nextafterf(0.3F, 1)));
  CHECK(accepted(product, floats{3, 0.1F, 0.7F}, 2, std::nextafterf(0.21F, 1)));
  CHECK_FALSE(accepted(product, floats{3, 0.1F, 0.7F}, 2, 0.2100003F));
  CHECK_FALSE(accepted(product, floats{2, 3, 5}, 2, 31.0F));
  CHECK_FALSE(accepted(product, floats{2, 3, 0, 1e30F, 1e30F}, 3, 1.0F));
  CHECK(accepted(product, floats{2, 3, 0, 1e30F, 1e30F}, 4, not_a_number));  // inf * 0 in a tree
  CHECK_FALSE(accepted(product, floats{2, 3, 0, 1e30F, 1e30F}, 3, not_a_number));
}

TEST_CASE("CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT: subnormals may be flushed, by default", "[cumulative]") {
  const float small = 0x1p-127F;
  const float least = 0x1p-126F;
  for (const float right : {0.0F, -0.0F}) {
    CHECK(accepted(sum, floats{small, 1}, 0, right));
    CHECK(judged(sum, floats{small, 1}, 0, right, false) == interval_place::outside);
  }
  CHECK(accepted(sum, floats{small, least}, 1, least));        // the input is flushed
  CHECK(accepted(sum, floats{1.5F * least, -least}, 1, 0.0F));  // the result is
  CHECK_FALSE(accepted(sum, floats{small, least}, 1, 0.0F));
  CHECK_FALSE(accepted(sum, floats{small, 1}, 0, least));
  CHECK(accepted(product, floats{small, 2}, 1, 0.0F));
  CHECK_FALSE(accepted(product, floats{small, 2}, 1, 2 * least));
  CHECK(accepted(sum, floats{small, small, small}, 2, 0.0F));
  const halves h{layouts::from_bits<float16>(3), float16(0.0F)};
  CHECK_FALSE(accepted(sum, h, 0, float16(0.0F)));
}

TEST_CASE("CUMULATIVE_SUMMATION: accumulation in FLOAT16 is accepted only if it is allowed", "[cumulative]") {
  const halves ones(4096, float16(1.0F));
  const cumulative_summation_desc half{.accumulation = accumulation::half};
  CHECK_FALSE(accepted(sum, ones, 4095, float16(2048.0F)));
  CHECK(accepted(half, ones, 4095, float16(2048.0F)));
  CHECK_FALSE(accepted(half, ones, 1, float16(3.0F)));
  // FLOAT32 elements are rounded to FLOAT16 first.
  CHECK_FALSE(accepted(sum, floats{1.0001F, 1}, 0, 1.0F));
  CHECK(accepted(half, floats{1.0001F, 1}, 0, 1.0F));
  CHECK_FALSE(accepted(half, floats{1.0001F, 1}, 0, 1.1F));
  // FLOAT16 narrowed toward zero: 2049 is 2048 or, rounded to even, 2048; 2051 is 2050 or 2052.
  const halves odd{float16(2048.0F), float16(3.0F)};
  CHECK(judged(sum, odd, 1, float16(2050.0F)) == interval_place::toward_zero);
  CHECK_FALSE(accepted(sum, odd, 1, float16(2054.0F)));
}

TEST_CASE("CUMULATIVE_SUMMATION: scans in any order are accepted, scans with a mistake are not", "[cumulative]") {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<float>(static_cast<int>(engine() % 2000) - 1000) / 64 + 0.013F; };
  int caught = 0;
  int tried = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 3 + engine() % 60;
    floats x(n);
    for (float& each : x) each = random();
    // Serial; the tree of Hillis and Steele; Blelloch's, of whose sums the exclusive ones are made.
    floats serial(n), tree = x, blocks(n);
    float total = 0;
    for (std::size_t i = 0; i < n; ++i) serial[i] = total += x[i];
    for (std::size_t d = 1; d < n; d *= 2) {
      const floats before = tree;
      for (std::size_t i = d; i < n; ++i) tree[i] = before[i - d] + before[i];
    }
    float carry = 0;
    for (std::size_t b = 0; b < n; b += 8) {
      float own = 0;
      for (std::size_t i = b; i < (std::min)(n, b + 8); ++i) blocks[i] = carry + (own += x[i]);
      carry = carry + own;
    }
    for (const floats& each : {serial, tree, blocks})
      for (std::size_t i = 0; i < n; ++i) CHECK(accepted(sum, x, i, each[i]));
    for (std::size_t i = 2; i < n; ++i) {
      ++tried;
      caught += accepted(sum, x, i, serial[i] - x[i / 2]) ? 0 : 1;  // an element is missing
      CHECK_FALSE(accepted(sum, x, i, serial[i] + 1));
    }
  }
  CHECK(caught > tried * 99 / 100);
}

TEST_CASE("CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT CU1..CU5: what is refused", "[cumulative]") {
  const auto check = [](const auto& desc) {
    const tensor_desc x = of(data_type::float32, {2, 3});
    CHECK(refused(desc, x, x) == "");
    CHECK(refused(desc, x, of(data_type::float16, {2, 3})) == "CU1");
    CHECK(refused(desc, x, of(data_type::float32, {1, 2, 3})) == "CU2");
    CHECK(refused(desc, x, of(data_type::float32, {2, 4})) == "CU3");
    auto wrong = desc;
    wrong.axis = 2;
    CHECK(refused(wrong, x, x) == "CU4");
    wrong = desc;
    wrong.axis_direction = static_cast<axis_direction>(2);
    CHECK(refused(wrong, x, x) == "CU5");
    // In this order; of a tensor that breaks a T rule, only that.
    wrong.axis = 7;
    CHECK(refused(wrong, x, of(data_type::float16, {2, 4})) == "CU1 CU3 CU4 CU5");
    CHECK(refused(wrong, of(data_type::float32, {2, 0}), x) == "T5 CU5");
  };
  check(sum);
  check(product);
  CHECK(to_string(goldml_test::only_violation(cumulative_summation_desc{.axis = 5}, of(data_type::int32, {2, 3}),
                                              of(data_type::int32, {2, 3}))) ==
        "CUMULATIVE_SUMMATION CU4: Axis is 5, wanted below DimensionCount 2");
  CHECK(to_string(goldml_test::only_violation(
            cumulative_product_desc{.axis_direction = static_cast<axis_direction>(3)}, of(data_type::int32, {2, 3}),
            of(data_type::int32, {2, 3}))) ==
        "CUMULATIVE_PRODUCT CU5: AxisDirection is 3, wanted 0 (INCREASING) or 1 (DECREASING)");
}

TEST_CASE("CUMULATIVE_SUMMATION T12: the output may be the input, but not a part of it", "[cumulative]") {
  std::vector<float> data(8, 1.0F);
  CHECK(refusal_of([&] {
          cumulative_summation(reference, const_tensor_ref(tensor_view{data.data(), {4}}),
                               tensor_ref(tensor_view{data.data() + 1, {4}}), {});
        }) == "T12");
  CHECK(refusal_of([&] {
          cumulative_summation(reference, const_tensor_ref(tensor_view{data.data(), {2, 2}}),
                               tensor_ref(tensor_view{data.data(), {2, 2}, {1, 2}}), {});
        }) == "T12");
  CHECK(data == std::vector<float>(8, 1.0F));
}
