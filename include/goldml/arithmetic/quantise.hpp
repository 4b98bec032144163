// Quantisation and its inverse: the exact results, and how far a device may be from them (SPEC-quantised 2.3, 2.4).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/precision.hpp>
#include <goldml/arithmetic/primitives.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

// An element to quantise, or a scale, as a double, which holds it exactly.
template <class T>
double quantised_number(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<double>(x);
  else
    return exact_double(x);
}

// The integers of a quantised type.
struct integer_range {
  std::int32_t least, greatest;
};
template <class Q>
inline constexpr integer_range range_of_type{(std::numeric_limits<Q>::min)(), (std::numeric_limits<Q>::max)()};
// Those of 4 bits are held in bytes.
constexpr integer_range range_of_4_bits(data_type type) {
  return type == data_type::int4 ? integer_range{-8, 7} : integer_range{0, 15};
}
template <class Q>
constexpr integer_range range_of_quantised(data_type type) {
  return is_4_bit(type) ? range_of_4_bits(type) : range_of_type<Q>;
}

// The integer of type Q for v, which is x / scale: v rounded to an integer, the zero point added, then the nearest
// integer of the range. Of NaN the least (ledger QU-R4).
template <class Q>
Q quantised(double v, Q zero_point, quantize_ties ties, const integer_range& range = range_of_type<Q>) {
  if (is_nan(v)) return static_cast<Q>(range.least);
  const double near_range = std::clamp(v, -0x1p20, 0x1p20);
  const double whole = std::floor(near_range);
  const double middle = whole + 0.5;  // exact, which v - whole is not just above -0.5
  auto k = static_cast<std::int32_t>(whole);
  if (near_range > middle || (near_range == middle && (ties == quantize_ties::even ? k % 2 != 0 : v > 0))) ++k;
  return static_cast<Q>(std::clamp<std::int32_t>(k + std::int32_t{zero_point}, range.least, range.greatest));
}

// difference * scale, rounded to odd, so that rounding it to FLOAT32 or FLOAT16 rounds once.
inline double dequantised(std::int64_t difference, double scale) {
  const double number = static_cast<double>(difference);
  constexpr std::int64_t short_number = 1 << 29;  // the product of these has 53 bits
  if ((difference < short_number && difference > -short_number) || !goldml::detail::is_finite_double(scale) ||
      is_zero(scale))
    return number * scale;
  const goldml::detail::odd_double part = goldml::detail::odd_part(scale);
  const std::uint64_t product =
      static_cast<std::uint64_t>(difference < 0 ? -difference : difference) * part.significand;
  const int lost = (std::max)(0, static_cast<int>(std::bit_width(product)) - 53);
  const std::uint64_t kept = product >> lost;
  const double magnitude = static_cast<double>(kept | (kept << lost == product ? 0U : 1U));
  return std::ldexp((difference < 0) != goldml::detail::is_negative_double(scale) ? -magnitude : magnitude,
                    part.exponent + lost);
}

// What a device may make of x / scale before it rounds to an integer.
struct quantise_freedom {
  bool undefined = false;
  bool also_zero = false;  // or 0
  double v = 0;            // the exact quotient, rounded to double
  double error = 0;
  double close_error = 0;  // with divisions of two steps
  double usual_error = 0;  // and without what the operator says of unusual devices
};

// X is FLOAT32, FLOAT16 or INT32.
template <class X>
quantise_freedom quantise_freedom_of(X element, double s, const arithmetic_mode& mode) {
  constexpr bool is_integer = std::is_integral_v<X>, is_single = std::is_same_v<X, float>;
  const double x = quantised_number(element);
  const double size = std::abs(s);
  quantise_freedom result{.v = x / s};
  const bool single_scale = !std::is_same_v<X, float16>;
  result.undefined = is_nan(x) || is_nan(s) || is_nan(result.v) || is_zero(s) ||
                     (single_scale && size < single_precision.least) ||
                     (goldml::detail::is_infinite_double(x) && size > 0x1p126);
  const bool half = mode.rounds_to_half();
  if (half)
    result.undefined =
        result.undefined || size < 0x1p-14 || size >= half_precision.greatest || std::abs(x) >= half_precision.greatest;
  if (result.undefined || is_zero(x) || goldml::detail::is_infinite_double(x)) return result;
  int exponent = 0;
  const bool is_power = std::abs(std::frexp(size, &exponent)) == 0.5;
  const double q = std::abs(result.v);
  if (half) {
    if (is_power && size <= 0x1p14 && goldml::detail::is_half(x)) return result;
    double error = error_of_quotient(mode, granted::possible) * q + (size >= 0x1p14 ? std::abs(x) * 0x1p-24 : 0);
    if (single_scale)
      error += (is_integer ? 3 : 2) * half_precision.unit * q * (1 + 0x1p-8) + 0x1p-24 * ((1 + q) / size + 1);
    result.error = result.close_error = result.usual_error = error * (1 + 0x1p-8);
    return result;
  }
  if (goldml::detail::is_infinite_double(s)) return result;
  const bool is_held = !is_integer || static_cast<double>(static_cast<float>(x)) == x;
  if (is_single && mode.flushes && std::abs(x) < single_precision.least) result.also_zero = true;
  if (is_power && size <= 0x1p126 && is_held) return result;
  const double conversion = is_held ? 0 : 2 * single_precision.unit * (1 + 0x1p-18);
  result.error = (error_of_quotient(mode, granted::possible) + conversion) * q;
  result.close_error = (error_of_quotient(mode, granted::close) + conversion) * q;
  if (single_scale && size >= least_divisor_of_subnormal) {
    result.also_zero = true;
    result.error += std::abs(x) * 0x1p-149;
    result.close_error += std::abs(x) * 0x1p-149;
  }
  const auto with_own = [&](double& error) { error = error * (1 + 0x1p-40) + q * 0x1p-50; };
  with_own(result.error);
  with_own(result.close_error);
  result.usual_error = result.close_error;
  return result;
}

// The integers that this allows if the quotient is within `error`.
template <class Q>
interval quantised_interval(const quantise_freedom& free, double error, Q zero_point, quantize_ties ties,
                            const integer_range& range = range_of_type<Q>) {
  const auto at = [&](double by) { return static_cast<float>(quantised(free.v + by, zero_point, ties, range)); };
  return {at(-error), at(error), at(-free.usual_error), at(free.usual_error), 0};
}

// What a device may make of (element - zero point) * scale.
struct dequantise_freedom {
  bool undefined = false;
  bool anything = false;  // beyond FLOAT16
  bool also_zero = false;
  bool wraps = false;     // the difference may be taken modulo 2^32
  std::uint8_t also = 0;  // flags of interval_also
  std::int64_t difference = 0;
  double y = 0;  // the exact product, rounded to odd
  double error = 0;
};

// Flags for the products with an infinite scale, negative or not, of differences of a and z that a device converts to Y
// before it subtracts, each to nearest or toward zero: both may become equal, which gives NaN. None if only the exact
// product is possible.
template <class Y>
std::uint8_t products_by_infinity(double a, double z, bool negative) {
  const auto flag_of = [&](double x, double y) {
    if (x == y) return interval_also::nan;
    return (x > y) != negative ? interval_also::positive_infinity : interval_also::negative_infinity;
  };
  std::uint8_t all = 0;
  for (const rounding of_a : {rounding::nearest_even, rounding::toward_zero})
    for (const rounding of_z : {rounding::nearest_even, rounding::toward_zero})
      all = static_cast<std::uint8_t>(
          all | flag_of(exact_double(goldml::rounded<Y>(a, of_a)), exact_double(goldml::rounded<Y>(z, of_z))));
  return all == flag_of(a, z) ? std::uint8_t{0} : all;
}

// Q is an integer type; `single`: Scale and output are FLOAT32.
template <class Q>
dequantise_freedom dequantise_freedom_of(Q element, Q zero_point, double s, bool single, const arithmetic_mode& mode) {
  const auto a = static_cast<double>(element), z = static_cast<double>(zero_point);
  const bool half = mode.rounds_to_half();
  dequantise_freedom result;
  result.difference = static_cast<std::int64_t>(element) - static_cast<std::int64_t>(zero_point);
  const auto d = static_cast<double>(result.difference);
  result.y = dequantised(result.difference, s);
  // A FLOAT32 scale that FLOAT16 does not hold; FLOAT16 keeps its own, subnormals too.
  result.undefined = is_zero(s) || (half && single && !is_nan(s) &&
                                    !(std::abs(s) >= 0x1p-14 && std::abs(s) < half_precision.greatest));
  if constexpr (sizeof(Q) == 4)
    result.wraps = result.difference < std::int64_t{(std::numeric_limits<Q>::min)()} ||
                   result.difference > std::int64_t{(std::numeric_limits<Q>::max)()};
  if (result.undefined || is_nan(s)) return result;
  if (half)
    result.anything = std::abs(a) >= half_precision.greatest || std::abs(z) >= half_precision.greatest ||
                      std::abs(d) >= half_precision.greatest;
  if (goldml::detail::is_infinite_double(s)) {
    const bool negative = goldml::detail::is_negative_double(s);
    result.also = half ? products_by_infinity<float16>(a, z, negative) : products_by_infinity<float>(a, z, negative);
    return result;
  }
  const double y = std::abs(result.y);
  const auto lost = [&](double x, bool is_held) { return is_held ? 0.0 : std::abs(x); };
  if (half) {
    constexpr double u = half_precision.unit;
    const double of_a = lost(a, goldml::detail::is_half(a)), of_z = lost(z, goldml::detail::is_half(z));
    const double of_d = lost(d, of_a == 0 && of_z == 0 && goldml::detail::is_half(d));
    result.error = (std::abs(s) * u * (of_a + of_z + of_d) + (single ? 3 * u * y : 0)) * (1 + 0x1p-8);
    if (single) result.error += 0x1p-25;
    result.anything = result.anything || (single && y + result.error >= half_precision.greatest);
  } else {
    constexpr double u = single_precision.unit;
    const auto is_held = [](double x) { return static_cast<double>(static_cast<float>(x)) == x; };
    const double of_a = lost(a, is_held(a)), of_z = lost(z, is_held(z));
    const double of_d = lost(d, of_a == 0 && of_z == 0 && is_held(d));
    // The output is rounded once more: a product in FLOAT32, if it is FLOAT16.
    const double of_product = single || sizeof(Q) == 1 ? 0 : u * y;
    result.error = std::abs(s) * (std::max)(2 * u * of_d, 2 * u * of_a + 2 * u * of_z + u * of_d) + of_product;
    result.error *= 1 + 0x1p-20;
    if (mode.flushes && single && result.difference != 0)
      result.also_zero = std::abs(s) < single_precision.least || y - result.error < single_precision.least;
  }
  return result;
}

// Calls f(y) for each product that a device may give of a difference that it takes modulo 2^32, as INT32 or as UINT32,
// until f returns true.
template <class Y, class F>
void for_each_wrapped(std::int64_t difference, double s, const F& f) {
  using bits = typename goldml::detail::float_bits<Y>::type;
  const auto low = static_cast<std::uint32_t>(difference);
  for (const std::int64_t d : {std::int64_t{static_cast<std::int32_t>(low)}, std::int64_t{low}}) {
    const double y = dequantised(d, s), size = std::abs(y);
    const bool is_finite = goldml::detail::is_finite_double(y);
    const double e = is_finite ? single_precision.unit * 3 * size * (1 + 0x1p-20) : 0;
    const auto most = std::bit_cast<bits>(goldml::rounded<Y>(size + e));
    for (bits x = std::bit_cast<bits>(goldml::rounded<Y>(size - e, rounding::toward_zero)); x <= most; ++x)
      if (f(goldml::detail::is_negative_double(y) ? -std::bit_cast<Y>(x) : std::bit_cast<Y>(x))) return;
  }
}

}  // namespace goldml::arithmetic
