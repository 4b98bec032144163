// VALUE_SCALE_2D, following its page.
#pragma once

#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/value_scale_2d.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<value_scale_2d_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const value_scale_2d_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      output[c] = arithmetic::scaled(T(input[c]), {desc.scale, desc.bias[c[1]]});
  }
};

}  // namespace goldml
