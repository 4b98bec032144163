// TILE, following its page.
#pragma once

#include <cstddef>
#include <optional>

#include <goldml/operators/tile.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

inline std::optional<coordinate_tuple> origin_of(const tile_desc&, const dimensions& input, const dimensions&,
                                                 coordinate_tuple c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] %= input[i];
  return c;
}

}  // namespace goldml
