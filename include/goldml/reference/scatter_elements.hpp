// SCATTER_ELEMENTS, following the page of SCATTER and the ledger (L61, L63).
#pragma once

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/scatter_elements.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<scatter_elements_desc, reference_backend> {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const Index>& indices,
                  const tensor_view<const T>& updates, const tensor_view<T>& output,
                  const scatter_elements_desc& desc) {
    using traits = operator_traits<scatter_elements_desc>;
    if (const auto broken = traits::check_indices(desc, input.sizes(), const_tensor_ref(indices))) throw error(*broken);

    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = input[c];

    for (const coordinate_tuple& c : coordinates_of(indices.sizes()))
      if (const auto place = traits::place_of(desc, input.sizes(), indices, c)) output[*place] = updates[c];
  }
};

}  // namespace goldml
