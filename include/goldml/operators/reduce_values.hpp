// The exact results of REDUCE's functions of FLOAT32 and FLOAT16 that are sums or products, for kernels to round.
#pragma once

#include <span>
#include <stdexcept>

#include <goldml/arithmetic/values.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml::detail {

// The exact result, which is then rounded once.
inline double reduced_number(reduce_function function, std::span<const double> x) {
  switch (function) {
    case reduce_function::average:
      return value_of_average(x);
    case reduce_function::l1:
      return value_of_sum_of_magnitudes(x);
    case reduce_function::l2:
      return value_of_norm(x);
    case reduce_function::log_sum:
      return value_of_log_sum(x);
    case reduce_function::log_sum_exp:
      return value_of_log_sum_exp(x);
    case reduce_function::multiply:
      return value_of_product(x);
    case reduce_function::sum:
      return value_of_sum(x);
    case reduce_function::sum_square:
      return value_of_sum_of_squares(x);
    default:
      throw std::logic_error("goldml: REDUCE has no sum by this function");
  }
}

}  // namespace goldml::detail
