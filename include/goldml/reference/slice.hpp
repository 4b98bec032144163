// SLICE, following its page.
#pragma once

#include <cstddef>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/slice.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<slice_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const slice_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      coordinate_tuple from = c;
      for (std::size_t i = 0; i < c.size(); ++i) from[i] = desc.offsets[i] + desc.strides[i] * c[i];
      output[c] = input[from];
    }
  }
};

}  // namespace goldml

GOLDML_COMPILED_KERNEL(slice_desc, reference_backend);
