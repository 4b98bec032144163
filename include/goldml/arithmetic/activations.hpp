// The values of activations (core/attribute_values.hpp): f(x) as a double with a bound on its error, and rounded once.
// Pages: DML_ACTIVATION_*_OPERATOR_DESC.
//
//   IDENTITY       x                                 LINEAR            Alpha x + Beta
//   RELU           max(0, x)                         LEAKY_RELU        x >= 0 ? x : Alpha x
//   ELU            x >= 0 ? x : Alpha (e^x - 1)      SCALED_ELU        x > 0 ? Gamma x : Gamma Alpha (e^x - 1)
//   SIGMOID        1 / (1 + e^-x)                    CELU              max(0, x) + min(0, Alpha (e^(x / Alpha) - 1))
//   TANH           tanh x                            SCALED_TANH       Alpha tanh(Beta x)
//   SOFTPLUS       ln(1 + e^(Steepness x)) / Steepness
//   SOFTSIGN       x / (1 + |x|)                     PARAMETRIC_SOFTPLUS  Alpha ln(1 + e^(Beta x))
//   HARD_SIGMOID   max(0, min(Alpha x + Beta, 1))    THRESHOLDED_RELU  x > Alpha ? x : 0
//   SHRINK         x > Threshold ? x - Bias : x < -Threshold ? x + Bias : 0
//   HARD_SWISH     x max(0, min(Alpha x + Beta, 1))  SWISH            x / (1 + e^(-SigmoidInputScale x))
//   GELU           x (1 + erf(x / sqrt(2))) / 2
//   CLIP           min(Max, max(Min, x)); with a ScaleBias of Scale x + Bias  (ELEMENT_WISE_CLIP, fused)
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <goldml/arithmetic/elementary.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/cost.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml::arithmetic {

// DirectML's numbers of the activations that an operator can fuse.
enum class activation_type : std::uint32_t {
  clip = 8,
  elu = 35,
  hard_sigmoid = 37,
  identity = 38,
  leaky_relu = 39,
  linear = 40,
  parametric_softplus = 43,
  relu = 44,
  scaled_elu = 45,
  scaled_tanh = 46,
  sigmoid = 47,
  softplus = 49,
  softsign = 50,
  tanh = 51,
  thresholded_relu = 52,
  shrink = 90,
  celu = 128,
  gelu = 157,
  swish = 167,
  hard_swish = 168,
};

// DirectML's, without DML_OPERATOR_.
constexpr std::string_view name_of(activation_type f) { return find_activation(static_cast<std::uint32_t>(f))->name; }

constexpr activation_type type_of(const activation& f) { return static_cast<activation_type>(f.operator_type); }

// Where GELU, and SWISH of a SigmoidInputScale of 1, are least.
inline constexpr double least_gelu = -0.7517915246935645;
inline constexpr double least_swish = -1.2784645427610738;

// What f of `count` exact numbers takes, beside reading and writing them.
constexpr work_counts work_of(activation_type f, std::uint64_t count) {
  using enum activation_type;
  if (f == identity) return {};
  const bool has_logarithm = f == softplus || f == parametric_softplus;
  if (f == gelu) return {.results = count, .functions = saturating_multiply(100, count), .judged = count};
  const bool has_exponential =
      f == swish || f == elu || f == celu || f == scaled_elu || f == sigmoid || f == tanh || f == scaled_tanh;
  return {.results = count,
          .functions = saturating_multiply(count, has_logarithm     ? 5
                                                  : has_exponential ? 1
                                                                    : 0),
          .judged = count};
}

namespace detail {

inline double absolute(double x) { return std::abs(x); }
inline wide absolute(const wide& x) { return abs(x); }
inline double gelu_of(double x) { return goldml::detail::fast_gelu(x); }
inline wide gelu_of(const wide& x) { return arithmetic::gelu(x); }
inline bool is_less(double a, double b) { return a < b; }
inline bool is_less(const wide& a, const wide& b) { return less(a, b); }

// CLIP's MIN and MAX: -0 is below +0, and NaN is skipped (ledger L20, L24). The bounds are no NaN.
inline double clipped(double lowest, double highest, double x) {
  const auto is_below = [](double p, double q) {
    const auto p_key = goldml::order_key(p), q_key = goldml::order_key(q);
    return p_key < q_key || (p_key == q_key && std::signbit(p) && !std::signbit(q));
  };
  const double y = goldml::is_nan(x) || is_below(x, lowest) ? lowest : x;
  return is_below(highest, y) ? highest : y;
}
// x between the bounds of CLIP.
inline double clipped(const activation& f, double x) {
  return clipped(goldml::detail::widened(f.parameters[0]), goldml::detail::widened(f.parameters[1]), x);
}

// f(x) for a finite x, without what rounds: with Number wide, exact where f is rational. An infinite bound of CLIP is a
// wide of 2^1024; its ScaleBias is finite.
template <class Number>
Number activation_of(const activation& f, const Number& x) {
  using enum activation_type;
  const Number zero(0.0), one(1.0);
  const Number a(goldml::detail::widened(f.parameters[0])), b(goldml::detail::widened(f.parameters[1]));
  const bool negative = is_less(x, zero);
  switch (type_of(f)) {
    case clip: {
      const auto& by = f.scale_bias;
      const Number v =
          by ? Number(goldml::detail::widened(by->scale)) * x + Number(goldml::detail::widened(by->bias)) : x;
      const Number y = is_less(v, a) ? a : v;
      return is_less(b, y) ? b : y;
    }
    case identity:
      return x;
    case linear:
      return a * x + b;
    case relu:
      return negative ? zero : x;
    case leaky_relu:
      return negative ? a * x : x;
    case elu:
      return negative ? a * expm1(x) : x;
    // Of -0 they are sums of a +0: Alpha - Alpha, max(0, x).
    case scaled_elu:
      return negative ? b * a * expm1(x) : b * absolute(x);
    case celu:
      return negative ? scaled_expm1(a, x) : absolute(x);
    case sigmoid:
      return arithmetic::sigmoid(x);
    case tanh:
      return arithmetic::tanh(x);
    case scaled_tanh:
      return a * arithmetic::tanh(b * x);
    case hard_sigmoid:
    case hard_swish: {
      const Number y = a * x + b, share = is_less(y, zero) ? zero : is_less(one, y) ? one : y;
      return type_of(f) == hard_sigmoid ? share : x * share;
    }
    case gelu:
      return gelu_of(x);
    case swish:
      return x * arithmetic::sigmoid(a * x);
    case softsign:
      return x / (one + absolute(x));
    case softplus:
      return arithmetic::softplus(a * x) / a;
    case parametric_softplus:
      return a * arithmetic::softplus(b * x);
    case thresholded_relu:
      return is_less(a, x) ? x : zero;
    case shrink:
      return is_less(b, x) ? x - a : is_less(x, zero - b) ? x + a : zero;
  }
  throw std::invalid_argument("goldml: this operator is no activation that can be fused");
}

}  // namespace detail

// Scale x + Bias in double precision, in any mode of rounding; as IEEE 754 where it is no number.
inline approximation scaled_value(const scale_bias& by, double x) {
  const double product = goldml::detail::widened(by.scale) * x, bias = goldml::detail::widened(by.bias);
  const double value = product + bias;
  const bool finite = goldml::detail::magnitude_bits(value) < goldml::detail::float_bits<double>::infinity;
  return {value, finite ? 0x1p-51 * (std::abs(product) + std::abs(bias)) : 0};
}

// How far apart the least and the greatest value of f are; 0 if that is infinite.
inline double range_width(const activation& f) {
  using enum activation_type;
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  switch (type_of(f)) {
    case sigmoid:
    case hard_sigmoid:
      return 1;
    case tanh:
    case softsign:
      return 2;
    case scaled_tanh:
      return 2 * std::abs(a);
    case clip:
      return b > a && b - a <= (std::numeric_limits<double>::max)() ? b - a : 0;
    default:
      return 0;
  }
}

// f(x) for any double x that is at most 2^200; its parameters are finite, but for the bounds of CLIP. Infinite and
// undefined results have error 0.
//
// Bounds: the product of two FLOAT32 is exact; other sums and products are wrong by 2^-52 of their greatest operand.
// CELU's argument x / Alpha is wrong by 2^-52 relatively, which matters only while e^(x/Alpha) is not negligible
// beside 1: below 745 * 2^-52 relatively.
inline approximation activation_value(const activation& f, double x) {
  using enum activation_type;
  const activation_type type = type_of(f);
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto exactly = [](double value) { return approximation{value, 0}; };
  if (type == clip && f.scale_bias) {
    const approximation v = scaled_value(*f.scale_bias, x);
    const bool is_sure = detail::clipped(f, v.value - v.error) == detail::clipped(f, v.value + v.error);
    return {detail::clipped(f, v.value), is_sure ? 0 : v.error};
  }
  if (type == clip) return exactly(detail::clipped(f, x));
  // Comparisons with NaN are false, and D3D's max and min skip it (AR-R4).
  if (goldml::is_nan(x)) {
    if (type == relu || type == thresholded_relu || type == shrink || type == celu) return exactly(0);
    if (type == hard_sigmoid) return exactly(1);
    return exactly(std::numeric_limits<double>::quiet_NaN());
  }
  if (goldml::detail::magnitude_bits(x) == goldml::detail::float_bits<double>::infinity) {
    const bool negative = x < 0;
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    const auto times = [&](double y) { return y == 0 ? undefined : y < 0 ? -x : x; };
    // clang-format off
    switch (type) {
      case linear: return exactly(times(a));
      case leaky_relu: return exactly(negative ? times(a) : x);
      case elu: return exactly(negative ? -a : x);
      case scaled_elu: return exactly(negative ? -(a * b) : times(b));
      case celu: return exactly(!negative ? x : a < 0 ? -infinity : -a);
      case sigmoid: return exactly(negative ? 0 : 1);
      case tanh: return exactly(negative ? -1 : 1);
      case scaled_tanh: return exactly(b == 0 ? undefined : (b < 0) == negative ? a : -a);
      case hard_sigmoid: return exactly(a == 0 || (a < 0) == negative ? 1 : 0);
      case swish:
      case hard_swish: return exactly(a == 0 || (a < 0) != negative ? undefined : x);
      case gelu: return exactly(negative ? undefined : x);
      case softsign: return exactly(undefined);
      case softplus: return exactly(a == 0 ? undefined : (a < 0) != negative ? 0 / a : a < 0 ? -infinity : infinity);
      case parametric_softplus:
        if (b == 0) return exactly(undefined);
        if ((b < 0) != negative) return exactly(a * 0);
        return exactly(a == 0 ? undefined : a < 0 ? -infinity : infinity);
      case relu:
      case thresholded_relu: return exactly(negative ? 0 : x);
      case clip:
      case identity:
      case shrink: return exactly(x);
    }
    // clang-format on
  }
  if (type == softplus && a == 0) return exactly(infinity);   // ln 2 / 0
  if (type == celu && a == 0) return exactly(x > 0 ? x : 0);  // e^(x / 0) - 1 is -1 for x < 0
  const double value = detail::activation_of(f, x);
  if (type == identity || type == relu || type == thresholded_relu) return exactly(value);
  if ((type == leaky_relu || type == elu || type == celu) && !(x < 0)) return exactly(value);
  if (type == linear || type == hard_sigmoid) return {value, 0x1p-50 * (std::abs(a * x) + std::abs(b))};
  if (type == hard_swish) {  // the sum of exact numbers is rounded once, and the product once; 0 and x are exact
    const double share = a * x + b;
    return {value, share <= 0 || share >= 1 ? 0 : std::abs(value) * 0x1p-51};
  }
  if (type == shrink) return {value, std::abs(value) * 0x1p-52};  // one rounding, which keeps an exact 0
  return {value, std::abs(value) * function_error};
}

// f(x) rounded once to nearest even. x is an element: a FLOAT32 or FLOAT16 as a double.
template <class T>
T activation_rounded(const activation& f, double x) {
  const approximation y = activation_value(f, x);
  if (y.error == 0) return goldml::rounded<T>(y.value);
  return rounded_once<T>(y.value, y.error, [&] { return detail::activation_of(f, wide(x)); });
}

}  // namespace goldml::arithmetic
