// What a device may answer to an activation besides the golden value (ledger AR-R4 to AR-R7, AR-R9, AR-R10).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/activation_interval.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::detail {

// RELU of integers is exact.
inline void add_activation_verdicts(const activation& f, accumulation precision, const const_tensor_ref& input,
                                    const tensor_ref& golden, output_verdicts& result) {
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      const interval allowed = arithmetic::own_activation_interval<T>(f, widened(x[c]), false, precision);
      result.allow_interval_beside(element, allowed, T(y[c]));
      ++element;
    }
  });
}

// What flushing FLOAT32 subnormals adds.
inline void add_flushed_activation(const activation& f, accumulation precision, const const_tensor_ref& input,
                                   output_verdicts& result) {
  const auto x = input.as<float>();
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
    const double number = widened(x[c]);
    const interval allowed = arithmetic::own_activation_interval<float>(f, number, true, precision);
    if (allowed != arithmetic::own_activation_interval<float>(f, number, false, precision))
      result.allow_interval(element, allowed);
    ++element;
  }
}

}  // namespace goldml::detail
