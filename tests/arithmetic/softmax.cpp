// SOFTMAX against MPFR, and its bound against devices in FLOAT32, legally and wrongly.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <vector>

#include <goldml/arithmetic/fused_softmax.hpp>
#include <goldml/arithmetic/softmax.hpp>
#include <goldml/arithmetic/softmax_bounds.hpp>

#include "../catch.hpp"
#include "precise.hpp"

namespace {

using namespace goldml;
namespace ar = goldml::arithmetic;
using precise::nearest;
using precise::number;

void judge(const std::vector<double>& slice, std::size_t i, mpfr_t y) {
  number sum(0.0), term;
  for (const double x : slice) {
    mpfr_set_d(term.value, x, MPFR_RNDN);
    mpfr_exp(term.value, term.value, MPFR_RNDN);
    mpfr_add(sum.value, sum.value, term.value, MPFR_RNDN);
  }
  mpfr_set_d(y, slice[i], MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_div(y, y, sum.value, MPFR_RNDN);
}

// In FLOAT32, one element after another or backward; every e^x is off by `by`, of either sign.
std::vector<float> device(const std::vector<double>& slice, double by, bool backward, bool without_maximum = false) {
  const auto greatest = static_cast<float>(without_maximum ? 0 : *std::max_element(slice.begin(), slice.end()));
  std::vector<float> terms;
  for (const double x : slice) {
    const float exponent = (static_cast<float>(x) - greatest) * 1.44269504F;
    terms.push_back(static_cast<float>(std::exp2(static_cast<double>(exponent)) * (1 + by)));
    by = -by;
  }
  float sum = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) sum += terms[backward ? terms.size() - 1 - i : i];
  for (float& term : terms) term /= sum;
  return terms;
}

bool is_accepted(const ar::softmax_of& softmax, std::size_t i, float answer, bool flushes = true) {
  if (std::isnan(answer)) return softmax.undefined();
  const double error = ar::softmax_bounds(softmax, {.flushes = flushes}).error(i);
  return order_key(goldml::rounded<float>(softmax.value(i) - error)) <= order_key(answer) &&
         order_key(answer) <= order_key(goldml::rounded<float>(softmax.value(i) + error));
}

std::vector<double> random_slice(std::mt19937& random, double spread) {
  std::vector<double> slice(1 + random() % 40);
  for (double& x : slice)
    x = static_cast<double>(static_cast<float>((static_cast<double>(random()) * 0x1p-31 - 1) * spread));
  return slice;
}

}  // namespace

TEST_CASE("softmax rounds as MPFR's does, and devices are within its bound", "[arithmetic]") {
  std::mt19937 random(1);
  std::uint64_t wrong = 0, refused = 0, caught = 0, changed = 0;
  for (int round = 0; round < 300; ++round) {
    const auto slice = random_slice(random, round % 3 == 0 ? 0.5 : round % 3 == 1 ? 8 : 60);
    ar::softmax_of softmax(slice);
    REQUIRE(!softmax.undefined());
    for (std::size_t i = 0; i < slice.size(); ++i) {
      number expected;
      judge(slice, i, expected.value);
      if (softmax.rounded<float>(i) != nearest<float>(expected)) ++wrong;
      if (!(softmax.rounded<float16>(i) == nearest<float16>(expected))) ++wrong;
    }
    for (const bool backward : {false, true})
      for (const double by : {0.0, 0x1.cp-22, -0x1.cp-22}) {
        const auto answer = device(slice, by, backward);
        for (std::size_t i = 0; i < slice.size(); ++i)
          if (!is_accepted(softmax, i, answer[i])) ++refused;
      }
    // A sum that leaves out the last element.
    if (slice.size() == 1 || softmax.value(slice.size() - 1) < 1e-3) continue;
    ++changed;
    const auto shorter = device({slice.begin(), slice.end() - 1}, 0, false);
    if (!is_accepted(softmax, 0, shorter[0])) ++caught;
  }
  CHECK(wrong == 0);
  CHECK(refused == 0);
  CHECK(changed > 100);
  CHECK(caught * 10 > changed * 9);
}

// Sums that are not numbers of a double: x + e, the e among the errors.
TEST_CASE("softmax of numbers known to within an error rounds as that of the exact ones", "[arithmetic]") {
  std::mt19937 random(5);
  std::uint64_t wrong = 0;
  for (int round = 0; round < 100; ++round) {
    const auto slice = random_slice(random, 6);
    const std::vector<double> errors(slice.size(), 0x1p-30);
    ar::softmax_of softmax(slice, errors);
    const auto exact = [&](std::size_t i) { return ar::wide(slice[i]) + ar::wide(i % 2 == 0 ? 0x1p-31 : -0x1.8p-40); };
    number sum(0.0), term, expected;
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const number x(exact(i));
      mpfr_exp(term.value, x.value, MPFR_RNDN);
      mpfr_add(sum.value, sum.value, term.value, MPFR_RNDN);
    }
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const number x(exact(i));
      mpfr_exp(term.value, x.value, MPFR_RNDN);
      mpfr_div(expected.value, term.value, sum.value, MPFR_RNDN);
      if (softmax.rounded<float>(i, exact) != nearest<float>(expected)) ++wrong;
      if (!(softmax.rounded<float16>(i, exact) == nearest<float16>(expected))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

// Sums as GEMM makes them, some so great that their differences are lost in 128 bits.
TEST_CASE("softmax of exact sums rounds as MPFR's", "[arithmetic]") {
  std::mt19937 random(9);
  std::uniform_real_distribution<float> any(-3, 3);
  std::uint64_t wrong = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = 1 + random() % 12;
    const double base = round % 3 == 0 ? 0 : round % 3 == 1 ? 0x1p40 : -0x1.23456p250;
    std::vector<goldml::detail::extended_sum> sums(n);
    std::deque<number> exact;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<double> terms{base, static_cast<double>(any(random)) * static_cast<double>(any(random)),
                                      static_cast<double>(any(random)) * 0x1p-60, i % 5 == 4 ? -0x1p90 : 0.0};
      number& x = exact.emplace_back(0.0);
      for (const double term : terms) {
        sums[i].add(term);
        mpfr_add_d(x.value, x.value, term, MPFR_RNDN);
      }
    }
    number total(0.0), expected;
    std::deque<number> powers;
    for (const number& x : exact) {
      number& power = powers.emplace_back();
      mpfr_sub(power.value, x.value, exact[0].value, MPFR_RNDN);
      mpfr_exp(power.value, power.value, MPFR_RNDN);
      mpfr_add(total.value, total.value, power.value, MPFR_RNDN);
    }
    ar::exact_softmax softmax(sums);
    for (std::size_t i = 0; i < n; ++i) {
      mpfr_div(expected.value, powers[i].value, total.value, MPFR_RNDN);
      if (softmax.rounded<float>(i) != nearest<float>(expected)) ++wrong;
      if (!(softmax.rounded<float16>(i) == nearest<float16>(expected))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("softmax in half precision", "[arithmetic]") {
  const std::vector<double> three{1, 2, 3};
  const ar::softmax_of softmax(three);
  const arithmetic_mode half{.accumulation = accumulation::half};
  const ar::softmax_bounds bounds(softmax, half);
  // (4 + 2|x - M|) 2^-10 + 2^-11 (|x - M| + x) for the term, the same in the mean for the sum, 6 additions.
  CHECK(bounds.error(2) == Approx(0.665 * (4 * 0x1p-10 + 3 * 0x1p-11 + 0.0053 + 0.0013 + 6 * 0x1p-11)).epsilon(0.1));
  CHECK(place_in(bounds.of<float>(2).allowed, 0.6701F) != interval_place::outside);
  CHECK(place_in(bounds.of<float>(2).allowed, 0.69F) == interval_place::outside);
  CHECK(place_in(ar::softmax_bounds(softmax, {}).of<float>(2).allowed, 0.6701F) == interval_place::outside);
  // 70000 may be infinite: anything from 0 to 1, and NaN.
  const std::vector<double> great{70000, 1};
  const ar::softmax_of infinite(great);
  const interval any = ar::softmax_bounds(infinite, half).of<float>(1).allowed;
  CHECK(place_in(any, std::numeric_limits<float>::quiet_NaN()) != interval_place::outside);
  CHECK(place_in(any, 1.0F) != interval_place::outside);
  CHECK(place_in(any, 1.1F) == interval_place::outside);
  CHECK(place_in(any, -1e-20F) == interval_place::outside);
  CHECK(place_in(ar::softmax_bounds(infinite, {}).of<float>(1).allowed, 0.5F) == interval_place::outside);
  // The sum of 70000 ones is infinite.
  const std::vector<double> few(100, 0.0), many(70000, 0.0);
  const ar::softmax_of of_few(few), of_many(many);
  CHECK(place_in(ar::softmax_bounds(of_few, half).of<float>(0).allowed, 0.0F) == interval_place::outside);
  CHECK(place_in(ar::softmax_bounds(of_many, half).of<float>(0).allowed, 0.0F) != interval_place::outside);
  CHECK(place_in(ar::softmax_bounds(of_many, {}).of<float>(0).allowed, 0.0F) == interval_place::outside);
  // Far below the greatest 0, whatever e^x is off relatively.
  const std::vector<double> spread{3e38, -3e38, 0, -1e9};
  const ar::softmax_of far_apart(spread);
  for (const std::size_t i : {1U, 2U, 3U}) {
    const interval zero = ar::softmax_bounds(far_apart, {.flushes = true}).of<float>(i).allowed;
    CHECK(place_in(zero, 0.0F) != interval_place::outside);
    CHECK(place_in(zero, 1e-37F) == interval_place::outside);
  }
  CHECK(place_in(ar::softmax_bounds(far_apart, {}).of<float>(1).allowed, 0x1p-149F) == interval_place::outside);
  // Elements to within an error of 1: a factor of e in the term and in the sum.
  const std::vector<double> ones{1, 1, 1};
  const ar::softmax_of loose(three, ones);
  CHECK(place_in(ar::softmax_bounds(loose, {}).of<float>(0).allowed, 1.0F) != interval_place::outside);
}

// By hand.
TEST_CASE("softmax of single slices", "[arithmetic]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> three{1, 2, 3};
  ar::softmax_of softmax(three);
  CHECK(softmax.rounded<float>(0) == 0.0900305733F);
  CHECK(softmax.rounded<float>(1) == 0.244728476F);
  CHECK(softmax.rounded<float>(2) == 0.665240943F);
  const ar::softmax_bounds bounds(softmax, {.flushes = true});
  const std::array errors{2.2e-7, 5.1e-7, 1.2e-6}, usual_errors{1.8e-7, 4.2e-7, 9.6e-7};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(bounds.error(i) == Approx(errors[i]).epsilon(0.05));
    CHECK(bounds.usual_error(i) == Approx(usual_errors[i]).epsilon(0.05));
    CHECK(bounds.close_error(i) == Approx(usual_errors[i]).epsilon(0.05));
  }

  const std::vector<double> great{1000, 1000};
  ar::softmax_of equal(great);
  CHECK(equal.rounded<float>(0) == 0.5F);
  CHECK(!is_accepted(equal, 0, device(great, 0, false, true)[0]));  // the literal formula gives NaN (SO-R2)

  // e^-100 is 27 * 2^-149, and half of it, 13.5, is stored as 13 or 14; 13 is nearest to the exact result.
  const std::vector<double> distant{0, 0, -100};
  ar::softmax_of tiny(distant);
  CHECK(tiny.rounded<float>(2) == 13 * 0x1p-149F);
  CHECK(is_accepted(tiny, 2, 14 * 0x1p-149F, false));
  CHECK(!is_accepted(tiny, 2, 16 * 0x1p-149F, false));

  const std::vector<double> with_infinity{-infinity, 0, 0};
  ar::softmax_of half(with_infinity);
  CHECK(half.rounded<float>(0) == 0);
  CHECK(ar::softmax_bounds(half, {.flushes = true}).error(0) == 0);
  CHECK(half.rounded<float>(1) == 0.5F);
  for (const std::vector<double>& undefined :
       {std::vector<double>{0, std::numeric_limits<double>::quiet_NaN()}, {infinity, 0}, {-infinity, -infinity}}) {
    ar::softmax_of none(undefined);
    CHECK(none.undefined());
    CHECK(std::isnan(none.rounded<float>(0)));
    CHECK(ar::softmax_bounds(none, {.flushes = true}).error(0) == 0);
  }
}
