// ONE_HOT, following its page and the ledger (L49).
#pragma once

#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/one_hot.hpp>
#include <goldml/operators/scatter_nd_places.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<one_hot_desc, reference_backend> {
  template <class Index, class T>
  static void run(const reference_backend&, const tensor_view<const Index>& indices, const tensor_view<const T>& values,
                  const tensor_view<T>& output, const one_hot_desc& desc) {
    const T off = values[coordinate_at(values.sizes(), 0)];
    const T on = values[coordinate_at(values.sizes(), 1)];
    const std::uint32_t size = output.sizes()[desc.axis];
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      coordinate_tuple of_index = c;
      of_index[desc.axis] = 0;
      const std::optional<std::uint32_t> position = resolve_index(indices[of_index], size, range_policy::refuse);
      output[c] = position == c[desc.axis] ? on : off;
    }
  }
};

}  // namespace goldml
