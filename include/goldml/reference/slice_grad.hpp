// SLICE_GRAD, following its page and the ledger (L19, L34).
#pragma once

#include <cstddef>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/slice_grad.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<slice_grad_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const slice_grad_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = T(0);
    for (const coordinate_tuple& c : coordinates_of(input.sizes())) output[slice1_position(desc, c)] = input[c];
  }
};

}  // namespace goldml

GOLDML_COMPILED_KERNEL(slice_grad_desc, reference_backend);
