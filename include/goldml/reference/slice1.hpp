// SLICE1, following its page and the ledger (L19).
#pragma once

#include <cstddef>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/slice1.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<slice1_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const slice1_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = input[slice1_position(desc, c)];
  }
};

}  // namespace goldml

GOLDML_COMPILED_KERNEL(slice1_desc, reference_backend);
