// SLICE, following its page.
#pragma once

#include <cstddef>

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

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void evaluate<slice_desc, reference_backend>(const reference_backend&, const slice_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
