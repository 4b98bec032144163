// How far a device may be from a sum of numbers each divided by a count: averages of windows, and their adjoint.
#pragma once

#include <algorithm>

#include <goldml/arithmetic/bounds.hpp>

namespace goldml {

// The sum of x / v, each divided before or after additions, or axis after axis. `quotients` has the terms x / v,
// `numbers` the x. `axes`: of how many a count is no power of two; a division counts 9 roundings as with the
// instruction `rcp`, 3 in two steps (ledger AR-R8).
inline bound bound_of_quotients(const sum_terms& quotients, const sum_terms& numbers, int axes, bool divides,
                                const arithmetic_mode& mode) {
  const double n = quotients.count();
  const double of_two_steps = n + 3 * axes;
  const int to_half = mode.half_products() ? (mode.float32 ? 2 : 1) : 0;
  const sum_growth by(n, mode.half() ? of_two_steps : n + 9 * axes, to_half, mode);
  const sum_growth by_two_steps(n, of_two_steps, to_half, mode);
  bound result = numbers.bound_with(by, mode);  // what a sum may become infinite by
  if (!detail::is_finite_double(result.value)) return result;
  result.value = quotients.sum();
  result.error = result.usual_error = 0;
  if (is_zero(quotients.magnitude()) || (axes == 0 && quotients.is_exact(mode) && numbers.is_exact(mode)))
    return result;
  const double magnitude = quotients.magnitude();
  double lost = numbers.lost(mode);
  if (divides)  // and what quotients lose where they or 1 / v are subnormal
    lost += mode.half()                     ? (n + numbers.magnitude()) * 0x1p-25 * (1 + by.worst)
            : mode.half_products()          ? (n + numbers.magnitude()) * half_cut_least
            : mode.float32 && !mode.flushes ? n * 0x1p-150
                                            : 0;
  const double in_double = growth(n + 6, 0x1p-53) * magnitude;
  result.error = by.worst * magnitude + lost + in_double;
  result.usual_error = by_two_steps.usual * magnitude + lost + in_double;
  result.close_error = by_two_steps.worst * magnitude + lost + in_double;
  return result;
}

}  // namespace goldml
