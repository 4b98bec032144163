// Numbers as sums of two doubles. No product of two doubles is used whose rounding counts: factors are split into their
// first 26 bits and the rest, and products of 26 by 27 bits are exact, so that it does not matter whether the compiler
// fuses them with additions. Without branches, so that compilers vectorise loops.
#pragma once

#include <bit>
#include <cstdint>

#include <goldml/arithmetic/functions.hpp>
#include <goldml/core/inline.hpp>

namespace goldml::arithmetic {

// a + b, exactly, as sum + rest; V is a double or a vector of doubles. `rest` is none of the others.
template <class V>
GOLDML_INLINE void add_exactly(V& sum, V& rest, const V& a, const V& b) {
  const V total = a + b;
  const V other = total - a;
  rest = (a - (total - other)) + (b - other);
  sum = total;
}

struct double_pair {
  double high, low;
};
GOLDML_INLINE double_pair sum_pair(double x, double y) {
  double_pair result;
  add_exactly(result.high, result.low, x, y);
  return result;
}

// x as its first 26 bits and the other 27, which are below 2^-25 |x|.
inline constexpr std::uint64_t first_26_bits = ~((std::uint64_t{1} << 27) - 1);
GOLDML_INLINE double_pair split_pair(double x) {
  const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & first_26_bits);
  return {high, x - high};
}

// a * b + c of pairs whose second numbers are below 2^-52 of the first, off by less than 2^-74 (|a b| + |c|): what is
// added to the product of the first 26 bits is below 2^-23 |a b|, and has five roundings of 2^-24 |a b| at most.
GOLDML_INLINE double_pair multiply_add(const double_pair& a, const double_pair& b, const double_pair& c) {
  const double_pair x = split_pair(a.high), y = split_pair(b.high);
  const double rest = (x.high * y.low + x.low * y.high) + (x.low * y.low + (a.high * b.low + a.low * b.high));
  const double_pair sum = sum_pair(x.high * y.high, c.high);
  return sum_pair(sum.high, sum.low + (rest + c.low));
}

// e^x of an x from -110 to 0, off by less than 2^-62, relatively. ln 2 has three parts: k times the first or the second
// is exact, and so is x less the first product. The first five terms of the series are pairs, each step off by 2^-73
// at most; the others are below 2^-14 of the result, and off by 2^-51 of that; what is cut off is below 2^-79.
GOLDML_INLINE double_pair exp_of_pair(const double_pair& x) {
  constexpr double to_integer = 0x1.8p52;  // as in branchless.hpp
  const double shifted = x.high * 1.4426950408889634 + to_integer;
  const double k = shifted - to_integer;
  double_pair r = sum_pair(x.high - k * detail::ln2_high, -(k * 0x1.a39ef35793c00p-33));
  r = sum_pair(r.high, r.low + (x.low - k * 0x1.d9cc01f97b57ap-79));
  double_pair sum{detail::horner(r.high, 1.0 / 355687428096000, 1.0 / 20922789888000, 1.0 / 1307674368000,
                                 1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                                 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120),
                  0};
  sum = multiply_add(sum, r, {0x1.5555555555555p-5, 0x1.5555555555555p-59});  // 1/24
  sum = multiply_add(sum, r, {0x1.5555555555555p-3, 0x1.5555555555555p-57});  // 1/6
  sum = multiply_add(sum, r, {0.5, 0});
  sum = multiply_add(sum, r, {1, 0});
  sum = multiply_add(sum, r, {1, 0});
  const double power =
      std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + (std::uint64_t{1023} << 52));
  return {sum.high * power, sum.low * power};
}

}  // namespace goldml::arithmetic
