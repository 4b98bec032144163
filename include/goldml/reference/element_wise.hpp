// The element-wise operators, following their pages and the ledger (L20 to L28, AR-R2, AR-R11, FN-R6 to FN-R8).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/pairs.hpp>
#include <goldml/arithmetic/power.hpp>
#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail::reference_element_wise {

template <element_wise_op Op>
struct op {};  // selects a function below
using enum element_wise_op;

template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
bits_of<T> bits(T x) {
  return std::bit_cast<bits_of<T>>(x);
}
template <class T>
T from_bits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<bits_of<T>>(bits));
}

template <class T>
constexpr int width = std::numeric_limits<bits_of<T>>::digits;
template <class T>
constexpr std::uint64_t top_bit = std::uint64_t{1} << (width<T> - 1);  // of a float: its sign

// Whether the sign bit of a float is set, or an integer is below 0.
template <class T>
bool is_negative(T x) {
  if constexpr (is_floating_type<T>)
    return (bits(x) & top_bit<T>) != 0;
  else
    return x < 0;
}

// Comparisons. No comparison with NaN is true; -0 == +0.
template <class T>
bool less(T a, T b) {
  return !goldml::is_nan(a) && !goldml::is_nan(b) && order_key(a) < order_key(b);
}
template <class T>
bool equal(T a, T b) {
  return !goldml::is_nan(a) && !goldml::is_nan(b) && order_key(a) == order_key(b);
}

// MIN and MAX (ledger L20): the number where the other is NaN, or NaN; -0 is below +0.
template <class T>
T lesser(T a, T b, nan_policy policy) {
  if (goldml::is_nan(a)) return policy == nan_policy::skip ? b : a;
  if (goldml::is_nan(b)) return policy == nan_policy::skip ? a : b;
  if (equal(a, b)) return is_negative(a) ? a : b;
  return less(a, b) ? a : b;
}
template <class T>
T greater(T a, T b, nan_policy policy) {
  if (goldml::is_nan(a)) return policy == nan_policy::skip ? b : a;
  if (goldml::is_nan(b)) return policy == nan_policy::skip ? a : b;
  if (equal(a, b)) return is_negative(a) ? b : a;
  return less(a, b) ? b : a;
}

// The magnitude of x, which is below 2^23, split into its integer and its fraction. Exact: FLOAT16 and FLOAT32 are
// doubles.
struct split_magnitude {
  std::uint32_t whole;
  double fraction;
};
template <class T>
split_magnitude split(T x) {
  const double magnitude = widened(static_cast<float>(from_bits<T>(bits(x) & ~top_bit<T>)));
  const auto whole = static_cast<std::uint32_t>(magnitude);
  return {whole, magnitude - whole};
}

// x rounded to an integer: away(split_magnitude) says whether its magnitude is rounded up. The sign is kept, also of a
// zero (ledger L25). NaN, infinities and numbers without a fraction are unchanged.
template <class T, class F>
T round_magnitude(T x, const F& away) {
  constexpr float no_fraction_from = std::is_same_v<T, float> ? 8388608.0F : 1024.0F;
  if (goldml::is_nan(x) || magnitude_bits(x) >= magnitude_bits(static_cast<T>(no_fraction_from))) return x;
  const split_magnitude parts = split(x);
  const T result = static_cast<T>(static_cast<float>(parts.whole + (away(parts) ? 1 : 0)));
  return from_bits<T>(bits(result) | (bits(x) & top_bit<T>));
}

inline bool rounds_away(const split_magnitude& x, rounding_mode mode) {
  switch (mode) {
    case rounding_mode::halves_to_nearest_even:
      return x.fraction > 0.5 || (x.fraction == 0.5 && x.whole % 2 == 1);
    case rounding_mode::toward_zero:
      return false;
    case rounding_mode::toward_infinity:
      return x.fraction >= 0.5;
  }
  return false;
}

// Shifts: the count is the whole element (ledger L22).
template <class T>
bool is_too_far(T& count, shift_policy policy) {
  if (policy == shift_policy::mask) count = static_cast<T>(count % (width<T> == 64 ? 64 : 32));
  return count >= width<T>;
}

// ADD, SUBTRACT, MULTIPLY, DIVIDE on floats: one operation on doubles, which is rounded to T. That is the exact result
// rounded once, as the operands have at most p = 24 bits:
// - A product has at most 2p bits, so as a double it is exact. Its exponent is at least -298.
// - A sum that is subnormal in T is a multiple of T's least subnormal, and exact. A sum that is no double has an
// operand
//   below 2^-28 times the other; then it and the double lie strictly between the same number of p bits and the same
//   midpoint beside it.
// - A quotient a/b is T's midpoint m, or differs from it by at least 1/(M*B) > 2^-50 relative to m, where M and B,
// below
//   2^25 and 2^24, are the integers that m and b are multiples of: a - m*b is no less than the lower of the last places
//   of a and m*b. So the double, which is within 2^-53, is on the same side of m, or is m if a/b is.
// FLOAT16 likewise, with p = 11.

// The magnitude of an integer.
template <class T>
std::uint64_t magnitude(T x) {
  return bits(is_negative(x) ? from_bits<T>(std::uint64_t{0} - bits(x)) : x);
}

// x * Scale + Bias, if the operator has a ScaleBias (ledger L28).
template <class T, class D>
T scaled(T x, const D& desc) {
  if constexpr (requires { desc.scale_bias; })
    if (desc.scale_bias) return arithmetic::scaled(x, *desc.scale_bias);
  return x;
}

// clang-format off
template <class T, class D> T apply(op<identity>, T x, const D&) { return x; }
template <class T, class D> T apply(op<element_wise_op::abs>, T x, const D&) {
  if constexpr (is_floating_type<T>) return from_bits<T>(bits(x) & ~top_bit<T>);
  else return is_negative(x) ? from_bits<T>(std::uint64_t{0} - bits(x)) : x;
}
template <class T, class D> T apply(op<negate>, T x, const D&) {
  if constexpr (is_floating_type<T>) return from_bits<T>(bits(x) ^ top_bit<T>);
  else return from_bits<T>(std::uint64_t{0} - bits(x));
}
template <class T, class D> T apply(op<sign>, T x, const D& desc) {
  if (goldml::is_nan(x) && desc.nan_policy == nan_policy::propagate) return x;
  if (goldml::is_nan(x) || is_zero(x)) return T(0);
  return is_negative(x) ? T(-1) : T(1);
}
template <class T, class D> bool apply(op<element_wise_op::is_nan>, T x, const D&) { return goldml::is_nan(x); }
template <class T, class D> bool apply(op<is_infinity>, T x, const D& desc) {
  if (magnitude_bits(x) != float_bits<T>::infinity) return false;
  return desc.infinity_mode == is_infinity_mode::either ||
         (desc.infinity_mode == is_infinity_mode::negative) == is_negative(x);
}
template <class T, class D> T apply(op<element_wise_op::ceil>, T x, const D&) {
  return round_magnitude(x, [&](const auto& parts) { return !is_negative(x) && parts.fraction > 0; });
}
template <class T, class D> T apply(op<element_wise_op::floor>, T x, const D&) {
  return round_magnitude(x, [&](const auto& parts) { return is_negative(x) && parts.fraction > 0; });
}
template <class T, class D> T apply(op<element_wise_op::round>, T x, const D& desc) {
  return round_magnitude(x, [&](const auto& parts) { return rounds_away(parts, desc.rounding_mode); });
}
template <class T, class D> T apply(op<clip>, T x, const D& desc) {
  return lesser(clip_bound<T>(desc.max), greater(clip_bound<T>(desc.min), x, desc.nan_policy), desc.nan_policy);
}
template <class T, class D> T apply(op<clip1>, T x, const D& desc) {
  return greater(clip_bound<T>(desc.min), lesser(x, clip_bound<T>(desc.max), desc.nan_policy), desc.nan_policy);
}
template <class T, class D> T apply(op<threshold>, T x, const D& desc) { return greater(clip_bound<T>(desc.min), x, desc.nan_policy); }
template <element_wise_op Op, class T, class D>
requires(is_function<Op>) T apply(op<Op>, T x, const D&) {
  return arithmetic::elementary_rounded<T>(elementary_of<Op>, widened(x));
}
template <class T, class E, class D> T apply(op<element_wise_op::pow>, T x, E y, const D&) {
  using arithmetic::detail::element_as_double;
  return arithmetic::power_of<T>(element_as_double(x), element_as_double(y), std::is_integral_v<E>);
}
template <class T, class D> T apply(op<constant_pow>, T x, const D& desc) { return apply(op<element_wise_op::pow>{}, x, desc.exponent, desc); }
template <class T, class D> T apply(op<element_wise_op::min>, T a, T b, const D& desc) { return lesser(a, b, desc.nan_policy); }
template <class T, class D> T apply(op<element_wise_op::max>, T a, T b, const D& desc) { return greater(a, b, desc.nan_policy); }
template <class T, class D> T apply(op<add>, T a, T b, const D&) {
  if constexpr (is_floating_type<T>) return goldml::rounded<T>(widened(a) + widened(b));
  else return from_bits<T>(std::uint64_t{bits(a)} + bits(b));
}
template <class T, class D> T apply(op<subtract>, T a, T b, const D&) {
  if constexpr (is_floating_type<T>) return goldml::rounded<T>(widened(a) - widened(b));
  else return from_bits<T>(std::uint64_t{bits(a)} - bits(b));
}
template <class T, class D> T apply(op<multiply>, T a, T b, const D&) {
  if constexpr (is_floating_type<T>) return goldml::rounded<T>(widened(a) * widened(b));
  else return from_bits<T>(std::uint64_t{bits(a)} * bits(b));
}
template <class T, class D> T apply(op<divide>, T a, T b, const D&) {
  if constexpr (is_floating_type<T>) {
    return goldml::rounded<T>(widened(a) / widened(b));
  } else {
    if (b == 0) return from_bits<T>(~std::uint64_t{0});  // ledger AR-R2
    const std::uint64_t quotient = magnitude(a) / magnitude(b);  // truncated
    return from_bits<T>(is_negative(a) != is_negative(b) ? std::uint64_t{0} - quotient : quotient);
  }
}
template <class T, class D> T apply(op<add1>, T a, T b, const D& desc) {
  detail::extended_sum sum;
  sum.add(exact_double(a));
  sum.add(exact_double(b));
  return arithmetic::fused_rounded<T>(desc.fused_activation, sum);
}
template <class T, class D> T apply(op<mean>, T a, T b, const D&) { return arithmetic::mean_of(a, b); }
template <class T, class D> T apply(op<difference_square>, T a, T b, const D&) { return arithmetic::difference_square_of(a, b); }
template <class T, class D> T apply(op<modulus_truncate>, T a, T b, const D&) { return arithmetic::modulus_of(a, b, false); }
template <class T, class D> T apply(op<modulus_floor>, T a, T b, const D&) { return arithmetic::modulus_of(a, b, true); }
template <class T, class D> T apply(op<atan_yx>, T y, T x, const D&) { return arithmetic::angle_of(y, x); }
template <class T, class D> T apply(op<clip_grad>, T x, T gradient, const D& desc) {
  const T low = clip_bound<T>(desc.min), high = clip_bound<T>(desc.max);
  return less(x, low) || equal(x, low) || less(high, x) || equal(x, high) ? T(0) : gradient;
}
template <class T, class D> T apply(op<clip_grad1>, T x, T gradient, const D& desc) { return apply(op<clip_grad>{}, x, gradient, desc); }
template <class T, class D> T apply(op<relu_grad>, T x, T gradient, const D&) { return less(T(0), x) ? gradient : T(0); }
template <class T, class D> T apply(op<parameterized_relu>, T x, T slope, const D& desc) {
  return less(x, T(0)) || goldml::is_nan(x) ? apply(op<multiply>{}, x, slope, desc) : x;
}
template <class T, class D> T apply(op<condition>, std::uint8_t c, T a, T b, const D&) { return c != 0 ? a : b; }
template <class T, class D> bool apply(op<logical_and>, T a, T b, const D&) { return a != 0 && b != 0; }
template <class T, class D> bool apply(op<logical_or>, T a, T b, const D&) { return a != 0 || b != 0; }
template <class T, class D> bool apply(op<logical_xor>, T a, T b, const D&) { return (a != 0) != (b != 0); }
template <class T, class D> bool apply(op<logical_not>, T x, const D&) { return x == 0; }
template <class T, class D> bool apply(op<logical_equals>, T a, T b, const D&) { return equal(a, b); }
template <class T, class D> bool apply(op<logical_greater_than>, T a, T b, const D&) { return less(b, a); }
template <class T, class D> bool apply(op<logical_less_than>, T a, T b, const D&) { return less(a, b); }
template <class T, class D> bool apply(op<logical_greater_than_or_equal>, T a, T b, const D&) { return less(b, a) || equal(a, b); }
template <class T, class D> bool apply(op<logical_less_than_or_equal>, T a, T b, const D&) { return less(a, b) || equal(a, b); }
template <class T, class D> T apply(op<bit_and>, T a, T b, const D&) { return from_bits<T>(bits(a) & bits(b)); }
template <class T, class D> T apply(op<bit_or>, T a, T b, const D&) { return from_bits<T>(bits(a) | bits(b)); }
template <class T, class D> T apply(op<bit_xor>, T a, T b, const D&) { return from_bits<T>(bits(a) ^ bits(b)); }
template <class T, class D> T apply(op<bit_not>, T x, const D&) { return from_bits<T>(~std::uint64_t{bits(x)}); }
template <class T, class D> int apply(op<bit_count>, T x, const D&) { return std::popcount(bits(x)); }
template <class T, class D> T apply(op<bit_shift_left>, T x, T count, const D& desc) {
  return is_too_far(count, desc.shift_policy) ? T(0) : static_cast<T>(x << count);
}
template <class T, class D> T apply(op<bit_shift_right>, T x, T count, const D& desc) {
  return is_too_far(count, desc.shift_policy) ? T(0) : static_cast<T>(x >> count);
}
// clang-format on

}  // namespace detail::reference_element_wise

template <element_wise_op Op>
struct kernel<element_wise_desc<Op>, reference_backend> {
  static constexpr detail::reference_element_wise::op<Op> op{};

  template <class T, class Out>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<Out>& output,
                  const element_wise_desc<Op>& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      output[c] = static_cast<Out>(apply(op, detail::reference_element_wise::scaled(T(input[c]), desc), desc));
  }
  template <class T, class B, class Out>
  static void run(const reference_backend&, const tensor_view<const T>& a, const tensor_view<const B>& b,
                  const tensor_view<Out>& output, const element_wise_desc<Op>& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      output[c] = static_cast<Out>(apply(op, detail::reference_element_wise::scaled(T(a[c]), desc), B(b[c]), desc));
  }
  template <class T>
  static void run(const reference_backend&, const tensor_view<const std::uint8_t>& condition,
                  const tensor_view<const T>& a, const tensor_view<const T>& b, const tensor_view<T>& output,
                  const element_wise_desc<Op>& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      output[c] = apply(op, condition[c], a[c], b[c], desc);
  }
};

}  // namespace goldml
