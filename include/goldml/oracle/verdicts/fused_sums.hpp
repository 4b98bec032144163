// How the fit measures a sum behind a fused activation: where that returns it, and through its slope elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <goldml/arithmetic/activation_bounds.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/oracle/fit/sums.hpp>

namespace goldml::oracle {

namespace detail {

// Nothing where f is flatter than 2^-4, or bends or jumps within about `off`.
inline std::optional<fit_slope> slope_at(const activation& f, double sum, double off) {
  const double step = (std::max)(off, 0x1p-12 * (std::max)(std::abs(sum), 1.0));
  if (arithmetic::detail::is_broken_between(f, sum - step, sum + step)) return std::nullopt;
  const auto value_at = [&f](double x) { return arithmetic::activation_value(f, x).value; };
  const double value = value_at(sum), before = value - value_at(sum - step), after = value_at(sum + step) - value;
  if (std::abs(after - before) > 0.1 * std::abs(after + before)) return std::nullopt;
  fit_slope result{value, (before + after) / (2 * step), 0};
  result.error = arithmetic::activation_error(f, sum) + 0x1p-24 * std::abs(result.value) + 0x1p-126;
  if (!(std::abs(result.slope) >= 0x1p-4) || !goldml::detail::is_finite_double(result.slope + result.error))
    return std::nullopt;
  return result;
}

}  // namespace detail

// Says which results are sums, and how others follow from them; false for an activation of which that is not known.
// `single`: of FLOAT32 tensors that are summed in FLOAT32; no other sums are measured through a slope, as they may be
// rounded before.
inline bool set_fused_sums(const std::optional<activation>& f, bool single, fit_sums& sums) {
  if (!f) return true;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  using enum arithmetic::activation_type;
  bool has_slope = single;
  switch (arithmetic::type_of(*f)) {
    case identity:
      return true;
    case relu:
      has_slope = false;
      sums.low = 0;
      break;
    case leaky_relu:
    case elu:
      has_slope = has_slope && std::abs(f->parameters[0]) >= 0x1p-4F;
      sums.low = 0;
      break;
    case thresholded_relu:
      has_slope = false;
      sums.low = exact_double(f->parameters[0]);
      break;
    case clip:
      if (f->scale_bias) return false;
      has_slope = false;
      sums.low = exact_double(f->parameters[0]);
      sums.high = exact_double(f->parameters[1]);
      break;
    case celu:
    case gelu:
    case hard_sigmoid:
    case linear:
    case parametric_softplus:
    case scaled_elu:
    case scaled_tanh:
    case shrink:
    case sigmoid:
    case softplus:
    case softsign:
    case swish:
    case tanh:
      if (!single) return false;
      sums.low = infinity;
      break;
    default:
      return false;
  }
  if (has_slope) sums.fused = [f = *f](double sum, double off) { return detail::slope_at(f, sum, off); };
  return true;
}

}  // namespace goldml::oracle
