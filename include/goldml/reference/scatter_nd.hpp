// SCATTER_ND, following its page and the ledger (7.5 to 7.8).
#pragma once

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/scatter_nd.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<scatter_nd_desc, reference_backend> {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const Index>& indices,
                  const tensor_view<const T>& updates, const tensor_view<T>& output, const scatter_nd_desc& desc) {
    const scatter_nd_shape shape(desc, input.sizes(), indices.sizes());
    if (const auto broken = check_indices(desc, indices, shape)) throw error(*broken);

    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = input[c];

    for (const coordinate_tuple& t : coordinates_of(shape.tuples))
      if (const auto place = place_of(indices, shape, t, desc.range_policy))
        for (const coordinate_tuple& s : coordinates_of(shape.slice))
          output[shape.at(*place, s)] = updates[shape.at(t, s)];
  }
};

}  // namespace goldml
