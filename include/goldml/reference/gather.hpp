// GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1, following their pages and the ledger (L60 to L62).
#pragma once

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

// Where each element comes from is source_of() of the operator.
template <detail::gather_operator Desc>
struct kernel<Desc, reference_backend> {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const Index>& indices,
                  const tensor_view<T>& output, const Desc& desc) {
    using traits = operator_traits<Desc>;
    if (const auto broken = traits::check_indices(desc, input.sizes(), const_tensor_ref(indices))) throw error(*broken);

    for (const coordinate_tuple& o : coordinates_of(output.sizes()))
      output[o] = input[*traits::source_of(desc, input.sizes(), indices, o, desc.range_policy)];
  }
};

}  // namespace goldml
