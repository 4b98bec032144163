// TILE, following its page.
#pragma once

#include <cstddef>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/tile.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<tile_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const tile_desc&) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      coordinate_tuple from = c;
      for (std::size_t i = 0; i < c.size(); ++i) from[i] = c[i] % input.sizes()[i];
      output[c] = input[from];
    }
  }
};

}  // namespace goldml

GOLDML_COMPILED_KERNEL(tile_desc, reference_backend);
