// RESAMPLE and its newer versions and gradients, following their pages: exactly, and rounded once.
#pragma once

#include <vector>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/resample.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::resample_operator Desc>
struct kernel<Desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const std::vector<detail::axis_taps> axes = detail::resample_taps(desc, input.sizes(), output.sizes());
    const bool moves = desc.interpolation_mode != interpolation_mode::linear && !detail::resample_gradient<Desc>;
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      if (moves)
        detail::for_each_tap(axes, c, [&](double, const coordinate_tuple& at) { output[c] = input[at]; });
      else
        output[c] = detail::weighted_value(
            axes, c, [&](const coordinate_tuple& at) { return detail::double_of(T(input[at])); },
            [&](double x) { return detail::resampled<T>(x, desc); });
    }
  }
};

}  // namespace goldml
