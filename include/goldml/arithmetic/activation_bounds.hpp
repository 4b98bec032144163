// How far a device that computes an activation in FLOAT32 may be from its exact value, before the result is rounded to
// the type of the tensor. The primitives are those of Direct3D: e^x and ln x are off by 2^-21, a division by nine
// roundings, usually by three, a sum or product by one (ledger AR-R8, AR-R10).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <goldml/arithmetic/activations.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/primitives.hpp>

namespace goldml::arithmetic {

namespace detail {

// Of tanh by an exp, without what hardware needs besides.
inline double tanh_error(double x) {
  const double s = arithmetic::tanh(x);
  return (1 - s * s) / 2 * exp_error(2 * x) + 0x1p-21 * std::abs(s) + u32;
}

// Of ln(1 + e^w), where w is rounded once. Far below 0 the sum may be 1, and the result 0: the error is absolute.
inline double softplus_error(double w) {
  const double s = arithmetic::softplus(w);
  return arithmetic::sigmoid(w) * (exp_error(w) + u32 * std::abs(w)) + u32 + log_error(s) + least_normal;
}

}  // namespace detail

// Which errors of functions and quotients count.
enum class error_grade {
  possible,  // of an operator of its own: what Direct3D's conformance tests permit of tanh, and approximate reciprocals
  in_host,   // of an activation that is fused, or in a recurrent layer: `close`, but for the reciprocals
  close,     // what known algorithms and hardware need
};

// How far off the steps of a device are.
struct step_errors {
  double factor = 1;  // times as much as in FLOAT32
  double more = 0;    // and the result by this besides
  error_grade grade = error_grade::in_host;

  // Three roundings in other precisions (AR-R3).
  double quotient() const {
    return grade == error_grade::close || factor != 1 ? two_step_quotient_error : quotient_error;
  }
  // tanh x, in full.
  double tanh(double x) const {
    if (factor == 1 && x == 0) return 0;
    if (factor == 1 && grade == error_grade::possible) return 0.0008;
    const double of_exp = detail::tanh_error(x) * detail::slack * factor;
    if (factor != 1) return grade == error_grade::possible ? (std::max)(of_exp, 0x1p-7) : of_exp;
    return 1e-5 + of_exp;
  }
};

// The bound at a finite x of which the device has the exact value, in FLOAT32 and without flushing, or with other
// `steps`. An IDENTITY that is an operator of its own moves bits, which is not asked here. Infinite: any result.
// `value` is f(x).
inline double activation_error(const activation& f, double x, const step_errors& steps, const approximation& value) {
  using enum activation_type;
  using detail::u32;
  const double factor = steps.factor, more = steps.more;
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  const double s = std::abs(value.value);
  if (!(s < (std::numeric_limits<double>::max)())) return 0;  // infinite or undefined: nothing to be wrong about
  double error = 0;
  switch (type_of(f)) {
    case clip:
    case identity:
    case relu:
    case thresholded_relu:
      break;
    case linear:
      error = 2 * u32 * (std::abs(a * x) + std::abs(b));
      break;
    case hard_sigmoid:  // that of LINEAR, as far as it is between 0 and 1
    case hard_swish: {
      const bool is_product = type_of(f) == hard_swish;
      const double terms = std::abs(a * x) + std::abs(b), w = a * x + b;
      const double of_w = ((is_product ? 4 : 2) * u32 * detail::slack * factor + 0x1p-50) * terms + more;
      const auto clamped = [](double v) { return (std::min)((std::max)(v, 0.0), 1.0); };
      const double share = clamped(w);
      const double reach = (std::max)({share - clamped(w - of_w), clamped(w + of_w) - share, 0.0});
      if (!is_product) return reach;
      if (reach == 0 && (is_zero(share) || share == 1)) return factor == 1 ? more : 0;  // 0, or x
      return (std::abs(x) * reach + u32 * factor * s) * detail::slack + more + value.error;
    }
    case gelu: {
      constexpr double by_root_of_pi = 0x1.20dd750429b6dp-1;
      const double w = x * 0x1.6a09e667f3bcdp-1, a_x = std::abs(x);
      const bool is_possible = steps.grade == error_grade::possible && std::abs(w) < 4;
      const double of_erf = factor != 1 ? 0x1p-6 : is_possible ? 0x1p-10 : 0x1p-18;
      error = u32 * (2 * a_x * std::abs(w) * arithmetic::exp(-w * w) * by_root_of_pi + a_x) + 3 * u32 * s;
      return a_x / 2 * of_erf + error * detail::slack * factor + more + value.error;
    }
    case swish: {
      const double w = a * x, p = arithmetic::sigmoid(w);
      const double of_sigmoid = p * (1 - p) * 1.01 * u32 * std::abs(w) +
                                p * ((1 - p) * detail::exp_error(w) + 2 * u32 + steps.quotient()) +
                                detail::least_normal;
      error = std::abs(x) * of_sigmoid + u32 * s;
      break;
    }
    case leaky_relu:
      error = x < 0 ? u32 * s : 0;
      break;
    case elu:
      error = x < 0 ? std::abs(a) * arithmetic::exp(x) * detail::exp_error(x) + 4 * u32 * s : 0;
      break;
    case scaled_elu:
      // Alpha * e^x may be rounded before Alpha is subtracted.
      error = x > 0 ? u32 * s : std::abs(a * b) * arithmetic::exp(x) * (detail::exp_error(x) + 2 * u32) + 4 * u32 * s;
      break;
    case celu:
      if (a != 0) {
        const double w = x / a, of_w = steps.quotient() * std::abs(w);
        if (x < 0) {
          const double argument = std::expm1((std::min)(of_w, 700.0));  // finite, where e^w is 0
          error = std::abs(a) * arithmetic::exp(w) * (detail::exp_error(w) + argument) + 4 * u32 * s;
        } else {  // min(0, Alpha * (e^w - 1)) is below 0 only where the error of e^w is greater than e^w - 1
          const double nearest = std::abs(w) - (std::min)(of_w * factor, std::abs(w));
          const double moved = std::abs(arithmetic::expm1(std::copysign((std::min)(nearest, 700.0), w)));
          const double of_exp = (std::min)(detail::exp_error(w) * factor, 1.0);
          const double below = std::abs(a) * (of_exp - (1 - std::copysign(of_exp, w)) * moved);
          return (std::max)(below, 0.0) * (1 + 3 * u32 * factor) + more + value.error;
        }
      }
      break;
    case sigmoid:
      error = s * ((1 - s) * detail::exp_error(x) + 2 * u32 + steps.quotient()) + detail::least_normal;
      break;
    case tanh:
      return steps.tanh(x) + more + value.error;
    case scaled_tanh: {
      const double w = b * x;  // rounded once, by at most u32 * |w|; tanh changes by (1 - tanh^2) times that
      const double t = arithmetic::tanh(w);
      error = std::abs(a) * (1 - t * t) * u32 * std::abs(w) * (1 + 0x1p-10) + u32 * s;
      return error * detail::slack * factor + std::abs(a) * steps.tanh(w) + more + value.error;
    }
    case softsign:
      error = (u32 + steps.quotient()) * s;
      if (std::abs(x) >= least_divisor_of_subnormal) error += std::abs(x) * 0x1p-149;
      break;
    case softplus:
      error = detail::softplus_error(a * x) / std::abs(a);
      if (a != 1) error += steps.quotient() * s;
      if (std::abs(a) >= least_divisor_of_subnormal) error += s * std::abs(a) * 0x1p-149;
      break;
    case parametric_softplus:
      error = std::abs(a) * detail::softplus_error(b * x) + u32 * s;
      break;
    case shrink:
      error = u32 * s;
      break;
  }
  return error * detail::slack * factor + more + value.error;
}
inline double activation_error(const activation& f, double x, const step_errors& steps = {}) {
  return activation_error(f, x, steps, activation_value(f, x));
}

namespace detail {

// w + by; if that is rounded, the next double away from w.
inline double outer_sum(double w, double by) {
  const double sum = w + by, part = sum - w;
  const double rest = (w - (sum - part)) + (by - part);  // what the double lacks
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return rest == 0 ? sum : std::nextafter(sum, by < 0 ? -infinity : infinity);
}

}  // namespace detail

// What a device may answer that has w to within an error: `value` to within `error`.
struct composed_value {
  double value;
  double error;
};

// f(w), how much less and how much more f is where the device has w to within an error, and f's greatest own error
// there.
struct composed_ends {
  double value, below, above, own;
};
// f is monotone but for the points that are added: where it turns or jumps, and where its own error is greatest.
inline composed_ends composed_ends_of(const activation& f, double w, double error, const step_errors& steps,
                                      const approximation& value) {
  const double y = value.value;
  if (error == 0) return {y, 0, 0, activation_error(f, w, steps, value)};
  const double low = detail::outer_sum(w, -error), high = detail::outer_sum(w, error);
  const double a = goldml::detail::widened(f.parameters[0]), b = goldml::detail::widened(f.parameters[1]);
  double below = 0, above = 0, own = 0;
  const auto look_at = [&](double x) {
    if (x < low || x > high) return;
    const double difference = activation_value(f, x).value - y;
    below = (std::max)(below, -difference);
    above = (std::max)(above, difference);
    own = (std::max)(own, activation_error(f, x, steps));
  };
  const auto look_around = [&](double x) {
    look_at(x);
    look_at(std::nextafter(x, -std::numeric_limits<double>::infinity()));
    look_at(std::nextafter(x, std::numeric_limits<double>::infinity()));
  };
  look_at(low);
  look_at(w);
  look_at(high);
  look_around(0);
  // The own errors of TANH and SIGMOID have their greatest values here.
  const double scale = type_of(f) == activation_type::scaled_tanh && b != 0 ? b : 1;
  for (const double x : {0.38, 0.76}) {
    look_at(x / scale);
    look_at(-x / scale);
  }
  const bool is_product = type_of(f) == activation_type::hard_swish;
  if ((is_product || type_of(f) == activation_type::hard_sigmoid) && a != 0) {
    look_around(-b / a);
    look_around((1 - b) / a);
    if (is_product) look_around(-b / a / 2);
  }
  if (type_of(f) == activation_type::gelu) look_at(least_gelu);
  if (type_of(f) == activation_type::swish && a != 0) look_at(least_swish / a);
  if (type_of(f) == activation_type::thresholded_relu) look_around(a);
  if (type_of(f) == activation_type::shrink) {
    look_around(b);
    look_around(-b);
  }
  return {y, below, above, own};
}
inline composed_ends composed_ends_of(const activation& f, double w, double error, const step_errors& steps = {}) {
  return composed_ends_of(f, w, error, steps, activation_value(f, w));
}

// f where the device has w to within `error`: the error has the greatest difference of values, and the greatest own
// error, on the interval. The value is f(w), but of a function that jumps halfway between the ends: no device answers
// on the other side of f(w).
inline composed_value composed(const activation& f, double w, double error, const step_errors& steps,
                               const approximation& value) {
  const auto [y, below, above, own] = composed_ends_of(f, w, error, steps, value);
  const bool jumps = type_of(f) == activation_type::shrink || type_of(f) == activation_type::thresholded_relu;
  if (error == 0) return {y, own};
  if (!jumps || !goldml::detail::is_finite_double(below + above)) return {y, (std::max)(below, above) + own};
  const double middle = y + (above - below) / 2;
  return {middle, (above + below) / 2 * (1 + 0x1p-50) + own + 0x1p-50 * std::abs(middle)};
}
inline composed_value composed(const activation& f, double w, double error, const step_errors& steps = {}) {
  return composed(f, w, error, steps, activation_value(f, w));
}

}  // namespace goldml::arithmetic
