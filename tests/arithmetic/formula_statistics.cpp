// The mean and the variance of a slice beside kernels in FLOAT32 that share no code with them: two passes, Welford's
// recurrence, lanes that are merged, E[x^2] - E[x]^2. And products, and forms that have a number twice.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"
#include "formula_data.hpp"

namespace {

using namespace formula_test;
using floats = std::vector<float>;
using policy = goldml::variance_policy;

struct statistics {
  float mean = 0, variance = 0;
};
float serial(const floats& x) {
  float s = 0;
  for (const float each : x) s += each;
  return s;
}
statistics two_pass(const floats& x, bool by_reciprocal) {
  const auto n = static_cast<float>(x.size());
  const auto divided = [&](float s) { return by_reciprocal ? s * (1 / n) : s / n; };
  statistics result{divided(serial(x)), 0};
  floats squares;
  for (const float each : x) squares.push_back((each - result.mean) * (each - result.mean));
  result.variance = divided(serial(squares));
  return result;
}
statistics welford(const floats& x) {
  statistics result;
  float m2 = 0, k = 0;
  for (const float each : x) {
    const float before = each - result.mean;
    result.mean += before / ++k;
    m2 += before * (each - result.mean);
  }
  result.variance = m2 / k;
  return result;
}
// Two halves, the second not larger than the first.
statistics merged(const floats& x) {
  const std::size_t first = (x.size() + 1) / 2;
  const statistics a = welford({x.begin(), x.begin() + static_cast<std::ptrdiff_t>(first)});
  if (first == x.size()) return a;
  const statistics b = welford({x.begin() + static_cast<std::ptrdiff_t>(first), x.end()});
  const auto n = static_cast<float>(x.size()), of_a = static_cast<float>(first), of_b = n - of_a;
  const float apart = b.mean - a.mean;
  return {a.mean + apart * (of_b / n), (a.variance * of_a + b.variance * of_b + apart * apart * (of_a * of_b / n)) / n};
}
statistics one_pass(const floats& x) {
  const auto n = static_cast<float>(x.size());
  floats squares;
  for (const float each : x) squares.push_back(each * each);
  const float mean = serial(x) / n;
  return {mean, serial(squares) / n - mean * mean};
}

bool is_within(const fm::device_number& y, float z) {
  return place_in(answer_of(y).allowed, z) != interval_place::outside;
}

}  // namespace

TEST_CASE("A4: means and variances of right kernels are inside", "[formula]") {
  drawn draws(5);
  int outputs = 0, refused = 0;
  for (const double offset : {0.0, 1.0, 1000.0})
    for (int c = 0; c < 300; ++c) {
      numbers x = draws.list(1 + draws.bits() % 100, c % 2 == 0 ? data::normal : data::positive, true, 1, 8);
      floats elements;
      for (double& each : x) {
        each = static_cast<double>(static_cast<float>(each + offset));
        elements.push_back(static_cast<float>(each));
      }
      const std::vector<fm::device_number> given = device_numbers(x, modes[0]);
      const fm::moments m(given);
      for (const statistics& s :
           {two_pass(elements, false), two_pass(elements, true), welford(elements), merged(elements)}) {
        INFO("n " << x.size() << ", offset " << offset << ": mean " << s.mean << ", variance " << s.variance);
        REQUIRE(is_within(m.mean(), s.mean));
        REQUIRE(is_within(m.variance(policy::centred, 0), s.variance));
        REQUIRE(is_within(m.variance(policy::any, 0), s.variance));
        outputs += 2;
      }
      const statistics s = one_pass(elements);
      REQUIRE(is_within(m.variance(policy::one_pass, 0), s.variance));
      refused += !is_within(m.variance(policy::any, 0), s.variance);
      if (offset == 0) REQUIRE(is_within(m.variance(policy::any, 0), s.variance));
      // The sample variance, a missing element, and no mean.
      const auto n = static_cast<float>(x.size());
      if (x.size() > 1 && x.size() < 50 && offset == 0)
        CHECK(!is_within(m.variance(policy::centred, 0), two_pass(elements, false).variance * n / (n - 1)));
      if (offset == 1) CHECK(!is_within(m.mean(), 1.01F * s.mean));
    }
  WARN(outputs << " means and variances inside; of one pass, " << refused << " outside without its policy");
  CHECK(refused > 100);
}

TEST_CASE("A4: a mean and a variance by hand", "[formula]") {
  const std::vector<fm::device_number> x = device_numbers({1, 2, 3, 6}, modes[0]);
  const fm::moments m(x);
  const interval mean = answer_of(m.mean()).allowed, variance = answer_of(m.variance(policy::centred, 0)).allowed;
  // G(4) * 12/4 + G(8 + 6 * 2) * 6 * (1 + G(4)) = 132 * 2^-24.
  CHECK(mean.high == Approx(3 + 132 * 0x1p-24).epsilon(1e-7));
  CHECK(mean.low == Approx(3 - 132 * 0x1p-24).epsilon(1e-7));
  // V = 3.5; G(4 + 14) * V + 3 * sqrt(V) * 132 * 2^-24.
  const double error = (18 * 3.5 + 3 * std::sqrt(3.5) * 132) * 0x1p-24;
  CHECK(variance.high == Approx(3.5 + error).epsilon(1e-6));
  CHECK(variance.low == Approx(3.5 - error).epsilon(1e-6));
  // 2^-23 * the largest of them all may be lost where subnormals are flushed; NaN of inf - inf.
  const std::vector<fm::device_number> infinite =
      device_numbers({1, std::numeric_limits<double>::infinity()}, modes[0]);
  CHECK((answer_of(fm::moments(infinite).variance(policy::any, 0)).allowed.also & goldml::interval_also::nan) != 0);
}

TEST_CASE("A4: affine and mix are not wider than their corners", "[formula]") {
  const arithmetic_mode& single = modes[0];
  const auto exactly = [&](double x) { return fm::device_number(x, single); };
  // a is within 2^-10 of 1: a * (100.5 - 100) is within 2^-11 of 1/2, though a * 100.5 is not.
  const fm::device_number a(fm::possible{1 - 0x1p-10, 1 + 0x1p-10, 0}, single);
  const interval folded = answer_of(affine(a, exactly(100.5), exactly(100), exactly(0))).allowed;
  CHECK(folded.low > 0.5 - 0x1p-11 - 1e-4);
  CHECK(folded.high < 0.5 + 0x1p-11 + 1e-4);
  // (1 - z) * 1 + z * 1.001, z anywhere from 0 to 1: not below 1, nor above 1.001, but for roundings.
  const fm::device_number z(fm::possible{0, 1, 0}, single);
  const interval between = answer_of(mix(z, exactly(1), exactly(static_cast<double>(1.001F)))).allowed;
  CHECK(between.low > 1 - 1e-6);
  CHECK(between.high < 1.001F + 1e-6);
}

TEST_CASE("A4: a product of elements", "[formula]") {
  const auto product_of = [](const numbers& x) { return answer_of(fm::product(device_numbers(x, modes[0]))).allowed; };
  CHECK(product_of({2, 3, -4}).low == -24);
  CHECK(product_of({2, 3, -4}).high == -24);
  // Orders give infinity, 0 and 1.
  const interval any = product_of({1e30, 1e30, 1e-30, 1e-30});
  CHECK(any.low < 0.5F);
  CHECK((any.also & goldml::interval_also::positive_infinity) != 0);
}
