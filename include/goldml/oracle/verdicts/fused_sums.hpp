// Where a fused activation returns its argument, so that the fit can measure the sum.
#pragma once

#include <limits>
#include <optional>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/oracle/fit/sums.hpp>

namespace goldml::oracle {

// Sets the range of sums that are results; false for an activation that has none.
inline bool set_range_of_sums(const std::optional<activation>& f, fit_sums& sums) {
  if (!f) return true;
  using enum arithmetic::activation_type;
  const arithmetic::activation_type type = arithmetic::type_of(*f);
  if (type == identity) return true;
  if (type == relu || type == leaky_relu || type == elu) {
    sums.low = 0;
  } else if (type == thresholded_relu) {
    sums.low = exact_double(f->parameters[0]);
  } else if (type == clip && !f->scale_bias) {
    sums.low = exact_double(f->parameters[0]);
    sums.high = exact_double(f->parameters[1]);
  } else {
    return false;
  }
  return true;
}

}  // namespace goldml::oracle
