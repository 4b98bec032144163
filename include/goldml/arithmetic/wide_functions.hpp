// Functions of numbers of 128 bits. Relative errors are below 2^-100: of a sum of at most 60 terms, each below the one
// before it, every term has two operations more than the last at most, each wrong by less than 2^-126; k *
// ln2 is wrong by k * 2^-121; and the rest is a few operations of numbers that do not cancel.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <goldml/arithmetic/wide.hpp>

namespace goldml::arithmetic {

namespace detail {

// z + z^3/3 + z^5/5 + ..., |z| at most 1/3.
inline wide atanh_series(const wide& z) {
  const wide square = z * z;
  wide sum = z;
  wide power = z;
  for (double n = 3; !power.is_zero() && power.exponent > sum.exponent - 130; n += 2) {
    power = power * square;
    sum = sum + power / wide(n);
  }
  return sum;
}

// ln 2 = 2 atanh(1/3).
inline const wide& ln2() {
  static const wide value = times_power_of_two(atanh_series(wide(1) / wide(3)), 1);
  return value;
}

// 1 / n!, n below 64.
inline const wide& inverse_factorial(std::size_t n) {
  static const auto values = [] {
    std::array<wide, 64> result;
    result[0] = wide(1);
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = result[i - 1] / wide(static_cast<double>(i));
    return result;
  }();
  return values[n];
}

// r + r^2/2! + r^3/3! + ..., which is e^r - 1, |r| below 0.36.
inline wide expm1_series(const wide& r) {
  wide sum, power = r, term = r;
  for (std::size_t n = 2; !term.is_zero() && (sum.is_zero() || term.exponent > sum.exponent - 130); ++n) {
    sum = sum + term;
    power = power * r;
    term = power * inverse_factorial(n);
  }
  return sum;
}

// The higher 128 bits of a product, and at most 3 less.
inline product multiply_high(const product& a, const product& b) {
  product result = multiply(a.high, b.high);
  result.high += add_to(result.low, multiply(a.high, b.low).high);
  result.high += add_to(result.low, multiply(a.low, b.high).high);
  return result;
}

// x as an integer, in units of 2^-unit; what is below is cut. x is not negative, and below 2^(128 - unit).
inline product fixed_point(const wide& x, std::int32_t unit) {
  product result{x.high, x.low};
  if (!x.is_zero()) shift_right(result.high, result.low, (std::min)(128, 127 - unit - x.exponent));
  return result;
}

// e^r - 1, |r| from 2^-9 to 0.36, with an absolute error below 2^-118, in integers of 128 bits. r modulo 1 is i/64 +
// j/4096 + u, and e^r is the product of e^(i/64), or e^(i/64 - 1), e^(j/4096) and 1 + u q, where q is the sum of
// u^n/(n + 1)! for n from 0 to 8. u is below 2^-12, so that what is left out is below 2^-140. The numbers in the tables
// are wrong by less than 2^-121, each product of 128 bits by less than 2^-124, and the terms from u^5 on, which have 64
// bits, by less than 2^-60 * u^6.
inline wide expm1_by_tables(const wide& r) {
  static const auto powers = [] {
    std::array<std::array<product, 64>, 2> table;
    for (std::size_t i = 0; i < 64; ++i) {
      const double x = static_cast<double>(i);
      table[0][i] = fixed_point(wide(1) + expm1_series(wide(i < 32 ? x / 64 : x / 64 - 1)), 127);
      table[1][i] = fixed_point(wide(1) + expm1_series(wide(x / 4096)), 127);
    }
    return table;
  }();
  static const auto inverse = [] {  // 1 / (n + 1)!, in units of 2^-127
    std::array<product, 9> table;
    for (std::size_t n = 0; n < table.size(); ++n) table[n] = fixed_point(inverse_factorial(n + 1), 127);
    return table;
  }();
  product u = fixed_point(abs(r), 128);
  if (r.negative) {
    u.high = ~u.high + (u.low == 0 ? 1 : 0);
    u.low = ~u.low + 1;
  }
  const auto i = static_cast<std::size_t>(u.high >> 58), j = static_cast<std::size_t>(u.high >> 52 & 63);
  u.high &= (std::uint64_t{1} << 52) - 1;
  std::uint64_t last = inverse[8].high;
  for (std::size_t n = 8; n-- > 5;) last = inverse[n].high + multiply(u.high, last).high;
  product q{last, 0};
  for (std::size_t n = 5; n-- > 0;) {
    q = multiply_high(u, q);
    q.high += inverse[n].high + add_to(q.low, inverse[n].low);
  }
  q = multiply_high(u, q);  // u q, below 2^-11, in units of 2^-127, and then of 2^-128
  q = {q.high << 1 | q.low >> 63, q.low << 1};
  product power = multiply_high(powers[0][i], powers[1][j]);  // in units of 2^-126
  const product change = multiply_high(power, q);
  power.high += change.high + add_to(power.low, change.low);
  return normalized(false, 1, power.high, power.low) - wide(1);
}

// e^x = 2^k * (1 + tail), 1 + tail between 0.7 and 1.42. |x| is below 4096.
struct exp_parts {
  std::int32_t k;
  wide tail;
};
inline exp_parts exp_of(const wide& x) {
  const auto k = static_cast<std::int32_t>(std::floor(to_double(x) * 1.4426950408889634 + 0.5));
  const wide r = k == 0 ? x : x - wide(k) * ln2();
  return {k, r.exponent < -9 ? expm1_series(r) : expm1_by_tables(r)};
}

// x, at most 4095 from 0: e to it is beyond any result of T already.
inline wide clamped(const wide& x) {
  if (x.exponent < 12) return x;
  return wide(x.negative ? -4095.0 : 4095.0);
}

}  // namespace detail

inline wide exp(const wide& x) {
  const auto parts = detail::exp_of(detail::clamped(x));
  return times_power_of_two(wide(1) + parts.tail, parts.k);
}

inline wide expm1(const wide& x) {
  const auto parts = detail::exp_of(detail::clamped(x));
  if (parts.k == 0) return parts.tail;
  return times_power_of_two(wide(1) + parts.tail, parts.k) - wide(1);
}

// a * (e^(x / a) - 1). Near 0, x + x^2/(2a) + x^3/(6a^2), for the same reason as tanh below.
inline wide scaled_expm1(const wide& a, const wide& x) {
  const wide r = x / a;
  if (r.exponent >= -50) return a * expm1(r);
  return x + x * r * (wide(0.5) + r / wide(6));
}

// x is greater than 0. With x = 2^e * m, m between 3/4 and 3/2: e * ln2 + 2 atanh((m - 1) / (m + 1)).
inline wide log(const wide& x) {
  wide m = x;
  m.exponent = 0;
  std::int32_t e = x.exponent;
  if (m.high >= std::uint64_t{3} << 62) {
    m.exponent = -1;
    ++e;
  }
  return wide(e) * detail::ln2() + times_power_of_two(detail::atanh_series((m - wide(1)) / (m + wide(1))), 1);
}

// ln(1 + x). x is greater than -1.
inline wide log1p(const wide& x) {
  if (!x.is_zero() && x.exponent >= -2) return log(wide(1) + x);
  return times_power_of_two(detail::atanh_series(x / (wide(2) + x)), 1);
}

// Near 0, x - x^3/3 + 2x^5/15: below x also where x^3 has no bit among the 128, so that a tie of two results is
// decided.
inline wide tanh(const wide& x) {
  if (x.exponent < -25) {
    const wide square = x * x;
    return x - x * square * (wide(1) / wide(3) - square * (wide(2) / wide(15)));
  }
  const wide e = expm1(times_power_of_two(x, 1));
  return e / (e + wide(2));
}

inline wide sigmoid(const wide& x) { return wide(1) / (wide(1) + exp(-x)); }

// ln(1 + e^x)
inline wide softplus(const wide& x) {
  if (x.negative) return log1p(exp(x));
  return x + log1p(exp(-x));
}

// x is at least 0. Two steps of Newton's method, which double the 52 bits of the start.
inline wide sqrt(const wide& x) {
  if (x.is_zero()) return x;
  const std::int32_t half = (x.exponent - (x.exponent & 1)) / 2;
  const wide scaled = times_power_of_two(x, -2 * half);
  wide root(std::sqrt(to_double(scaled)));
  for (int i = 0; i < 2; ++i) root = times_power_of_two(root + scaled / root, -1);
  return times_power_of_two(root, half);
}

}  // namespace goldml::arithmetic
