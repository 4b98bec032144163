// Numbers of any length, and roots that are compared with them.
#include <cmath>
#include <cstdint>
#include <random>

#include <goldml/arithmetic/quotient_by_root.hpp>
#include <goldml/arithmetic/wide_functions.hpp>

#include "../catch.hpp"

using goldml::arithmetic::big_number;
using goldml::arithmetic::to_double;

namespace {

double value_of(const big_number& x) { return to_double(x.rounded_to_odd()); }

}  // namespace

TEST_CASE("big_number: sums and products of doubles are exact", "[arithmetic]") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto number = [&] {
      return std::ldexp(static_cast<double>(static_cast<std::int32_t>(random()) / 64),
                        static_cast<int>(random() % 200) - 100);
    };
    const double a = number(), b = number();
    CHECK(value_of(big_number(a) * big_number(b)) == a * b);
    // a + b - a is b, however far they are apart.
    CHECK(value_of(big_number(a) + big_number(b) - big_number(a)) == b);
    CHECK((big_number(a) - big_number(b)).sign() == (a > b) - (a < b));
    CHECK((big_number(a) - big_number(a)).sign() == 0);
    goldml::exact_sum sum;
    sum.add(a);
    sum.add(b);
    CHECK((big_number(sum) - big_number(a) - big_number(b)).sign() == 0);
  }
  CHECK(value_of(big_number(-0.0)) == 0);
  CHECK(value_of(big_number(0x1p300) * big_number(0x1p300) * big_number(0x1p-600)) == 1);
  CHECK(value_of(big_number(1.0) + big_number(0x1p-200)) == std::nextafter(1.0, 2.0));  // rounded to odd
}

TEST_CASE("big_number: a quotient by a root is rounded once, and ties go to even", "[arithmetic]") {
  using goldml::arithmetic::compare_with_root;
  const auto rounded = [](double p, double d, double b, double more = 0) {
    const big_number divisor(d);
    return goldml::arithmetic::rounded_quotient_by_root<float>(
        big_number(p), divisor, goldml::arithmetic::sqrt(divisor.rounded_to_odd()), big_number(b) + big_number(more));
  };
  CHECK(rounded(3, 9, 0) == 1);
  CHECK(rounded(1, 2, 0) == 0.70710678F);
  CHECK(rounded(1, 1, 0x1p-24) == 1);                       // a tie
  CHECK(rounded(1 + 0x1p-23, 1, 0x1p-24) == 1 + 0x1p-22F);  // a tie, to even
  CHECK(rounded(1, 1, 0x1p-24, 0x1p-100) == 1 + 0x1p-23F);  // just above
  CHECK(rounded(1, 1 + 0x1p-50, 0x1p-24) == 1);             // just below
  CHECK(rounded(2, 4, -1) == 0);
  CHECK(rounded(1, 2, -0.7071067811865475) == 6.26858359e-17F);  // what a double leaves of the root
  CHECK(rounded(-0x1.ffffffp127, 1, 0) == -INFINITY);
  CHECK(rounded(0x1.fffffefp127, 1, 0) == 0x1.fffffep127F);
  CHECK(rounded(-1, 0x1p298, 0) == -0x1p-149F);
  CHECK(rounded(1, 0x1p300, 0) == 0);
  CHECK(compare_with_root(big_number(1), big_number(2.0), big_number(0.7071067811865475)) == 1);
  CHECK(compare_with_root(big_number(-1), big_number(2.0), big_number(-0.7071067811865475)) == -1);
  CHECK(compare_with_root(big_number(3), big_number(9.0), big_number(1.0)) == 0);
  CHECK(compare_with_root(big_number(-3), big_number(9.0), big_number(1.0)) == -1);
  CHECK(compare_with_root(big_number(), big_number(9.0), big_number(-1.0)) == 1);
}
