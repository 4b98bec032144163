// The backend `reference`: the specification as loops over coordinates, for any strides. It is slow and simple, without
// fast paths or special cases, so that a reader can check it line by line.
#pragma once

#include <goldml/core/backend_options.hpp>
#include <goldml/core/float16.hpp>  // kernels of `reference` compute with elements of each type

namespace goldml {

struct reference_backend {};
inline constexpr reference_backend reference{};

template <>
inline constexpr backend_options options_of_backend<reference_backend>{.writes_elements_only = true,
                                                                       .has_rates_of_reference = true};

}  // namespace goldml
