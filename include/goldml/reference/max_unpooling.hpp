// MAX_UNPOOLING, following its page and the ledger (L67).
#pragma once

#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/max_unpooling.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<max_unpooling_desc, reference_backend> {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const Index>& indices,
                  const tensor_view<T>& output, const max_unpooling_desc& desc) {
    const std::uint64_t places = element_count(output.sizes());
    if (const auto broken = check_indices(desc, indices, places)) throw error(*broken);

    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = T(0);

    for (const coordinate_tuple& c : coordinates_of(input.sizes()))
      if (indices[c] < places) output[coordinate_at(output.sizes(), indices[c])] = input[c];
  }
};

}  // namespace goldml
