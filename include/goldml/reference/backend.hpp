// The backend `reference`: the specification as loops over coordinates, for any strides. It is slow and simple, without
// fast paths or special cases, so that a reader can check it line by line.
#pragma once

#include <goldml/core/float16.hpp>  // kernels of `reference` compute with elements of each type

namespace goldml {

struct reference_backend {
  static constexpr bool writes_elements_only = true;    // io/model_watch.hpp
  static constexpr bool has_rates_of_reference = true;  // core/cost.hpp
};
inline constexpr reference_backend reference{};

}  // namespace goldml
