// The golden value of an activation of a sum, as operators fuse it: f of the exact sum rounded once. SOFTMAX, which
// needs a whole row, is in fused_softmax.hpp.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/activations.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/arithmetic/wide.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::arithmetic {

namespace detail {

// The sum rounded to odd after 128 bits.
inline wide wide_of(const exact_sum& sum) {
  wide result;
  if (sum.is_zero_sum()) return result;
  const exact_sum::leading_bits bits = sum.leading();
  result.negative = sum.is_negative();
  result.exponent = bits.exponent;
  result.high = bits.high;
  result.low = bits.low;
  return result;
}

// a * sum + b, rounded to odd; a is not 0. With a = A * 2^e, A odd: 2^e * (A * sum + b / 2^e), where b / 2^e is a
// multiple of 2^-253 below 2^277. For sums of products of three FLOAT32.
inline double scaled_sum(exact_sum sum, double a, double b) {
  const auto scale = goldml::detail::odd_part(a);
  const bool negative = goldml::detail::is_negative_double(a);
  sum.multiply(static_cast<std::uint32_t>(scale.significand));
  if (!is_zero(b)) {
    const auto term = goldml::detail::odd_part(b);
    sum.add_bits(term.significand, term.exponent - scale.exponent, goldml::detail::is_negative_double(b) != negative);
  }
  if (sum.is_zero_sum()) return 0;
  const double result = std::ldexp(sum.value(), scale.exponent);
  return negative ? -result : result;
}

// Scale * sum + Bias, rounded to odd; a zero has the sign of IEEE 754.
inline double scaled_exactly(const scale_bias& by, const goldml::detail::extended_sum& sum) {
  const double a = goldml::detail::widened(by.scale), b = goldml::detail::widened(by.bias);
  if (!sum.is_finite()) return sum.special() * a + b;
  const bool finite = goldml::detail::is_finite_double(a) && goldml::detail::is_finite_double(b);
  if (!finite || is_zero(a) || sum.finite.is_zero_sum()) return sum.finite.value() * a + b;  // nothing is rounded
  return scaled_sum(sum.finite, a, b);
}

inline bool has_scale_bias(const activation& f) { return f.scale_bias && type_of(f) == activation_type::clip; }

// f of a finite sum, rounded once. Where f is piecewise linear, exact arithmetic decides; elsewhere numbers of 128
// bits. The sum rounded to odd is on the same side of every FLOAT32 as the sum.
template <class T>
T fused_exactly(const activation& f, const exact_sum& sum) {
  using enum activation_type;
  const double s = sum.value();
  const approximation y = activation_value(f, s);
  if (y.error == 0) return goldml::rounded<T>(y.value);
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  const auto shifted = [&](double by) {
    exact_sum result = sum;
    result.add(by);
    return goldml::rounded<T>(result.value());
  };
  switch (type_of(f)) {
    case leaky_relu:
      return goldml::rounded<T>(scaled_sum(sum, a, 0));
    case scaled_elu:
      if (s > 0) return goldml::rounded<T>(scaled_sum(sum, b, 0));
      break;
    case linear:
    case hard_sigmoid: {
      const double value = is_zero(a) ? a * s + b : scaled_sum(sum, a, b);
      if (type_of(f) == linear) return goldml::rounded<T>(value);
      return goldml::rounded<T>(value < 0 ? 0.0 : value > 1 ? 1.0 : value);
    }
    case shrink:
      return shifted(s > b ? -a : a);  // between -b and b it is an exact 0
    default:
      break;
  }
  return arithmetic::rounded<T>(activation_of(f, wide_of(sum)));
}

// Whether f turns, jumps or changes its formula between the two.
inline bool is_broken_between(const activation& f, double low, double high) {
  using enum activation_type;
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  const auto has = [&](double x) { return low <= x && x <= high; };
  switch (type_of(f)) {
    case leaky_relu:
    case elu:
    case scaled_elu:
    case celu:
      return has(0);
    case gelu:
      return low <= least_gelu + 1e-6 && high >= least_gelu - 1e-6;
    case swish:
      return !is_zero(a) && low <= least_swish / a + 1e-6 / std::abs(a) && high >= least_swish / a - 1e-6 / std::abs(a);
    case hard_swish:
      return true;
    case thresholded_relu:
      return has(a);
    case shrink:
      return has(b) || has(-b);
    default:
      return false;
  }
}

template <class T>
bool same_bits(T a, T b) {
  using bits = typename goldml::detail::float_bits<T>::type;
  return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
}

}  // namespace detail

// f of a sum, rounded once to T; without f the sum. For sums of products of up to three FLOAT32, FLOAT16 or FLOAT32
// factors. Throws std::invalid_argument for an operator that is no activation of one element.
template <class T>
T fused_rounded(const std::optional<activation>& f, const goldml::detail::extended_sum& sum) {
  if (!f) return goldml::rounded<T>(sum.value());
  if (detail::has_scale_bias(*f))
    return goldml::rounded<T>(detail::clipped(*f, detail::scaled_exactly(*f->scale_bias, sum)));
  if (!sum.is_finite()) return goldml::rounded<T>(activation_value(*f, sum.special()).value);
  return detail::fused_exactly<T>(*f, sum.finite);
}

// The same of a number of 128 bits that is no sum; f is not CLIP.
template <class T>
T fused_rounded(const std::optional<activation>& f, const wide& w) {
  if (!f) return arithmetic::rounded<T>(w);
  const approximation y = activation_value(*f, to_double(w));
  return y.error == 0 ? goldml::rounded<T>(y.value) : arithmetic::rounded<T>(detail::activation_of(*f, w));
}

// The same bits, where the sum is known to within `error` of w, in double precision. If that does not decide the
// rounding, exact() is called: it returns the sum as an extended_sum, or the number as a wide. An infinite or undefined w is the sum, and an
// error of 0 says that w is it.
template <class T, class Exact>
T fused_rounded(const std::optional<activation>& f, double w, double error, const Exact& exact) {
  if (!goldml::detail::is_finite_double(w)) return goldml::rounded<T>(f ? activation_value(*f, w).value : w);
  if (error == 0 && !f) return goldml::rounded<T>(w);
  double low = goldml::detail::below(w, error), high = goldml::detail::above(w, error);
  if (f && detail::has_scale_bias(*f)) {
    const approximation v = scaled_value(*f->scale_bias, w);
    const double off = std::abs(goldml::detail::widened(f->scale_bias->scale)) * error + v.error;
    if (!goldml::detail::is_finite_double(v.value + off)) return fused_rounded<T>(f, exact());
    low = goldml::detail::below(v.value, off);
    high = goldml::detail::above(v.value, off);
    if (low <= 0 && 0 <= high) return fused_rounded<T>(f, exact());  // a zero has a sign
    const T result = goldml::rounded<T>(detail::clipped(*f, low));
    if (detail::same_bits(result, goldml::rounded<T>(detail::clipped(*f, high)))) return result;
  } else if (!f) {
    const T result = goldml::rounded<T>(low);
    if (detail::same_bits(result, goldml::rounded<T>(high))) return result;
  } else if (error == 0 || (!(low <= 0 && 0 <= high) && !detail::is_broken_between(*f, low, high))) {
    // Not around 0: the sum may be -0, whose f may differ from that of both ends in its sign. Between breaks f is
    // monotone. The product of a parameter and a double is rounded, hence twice the error.
    const auto at = [&](double x) -> std::optional<T> {
      const approximation y = activation_value(*f, x);
      const T least = goldml::rounded<T>(y.value - 2 * y.error);
      if (!detail::same_bits(least, goldml::rounded<T>(y.value + 2 * y.error))) return {};
      return least;
    };
    const std::optional<T> first = at(low);
    const std::optional<T> last = error == 0 ? first : at(high);
    if (first && last && detail::same_bits(*first, *last)) return *first;
  }
  return fused_rounded<T>(f, exact());
}

}  // namespace goldml::arithmetic
