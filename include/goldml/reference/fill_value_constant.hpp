// FILL_VALUE_CONSTANT, following its page.
#pragma once

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/fill_value_constant.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<fill_value_constant_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<T>& output, const fill_value_constant_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = desc.value.as<T>();
  }
};

}  // namespace goldml
