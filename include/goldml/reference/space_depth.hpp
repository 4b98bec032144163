// SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1, following their pages and the ledger (L32).
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/operators/space_depth.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

// A block is the channels of an element of the depth form: for each place in the block, rows first, the channels of the
// space form; or for each channel the places.
template <detail::space_depth_operator Desc>
std::optional<coordinate_tuple> origin_of(const Desc& desc, const dimensions& input, const dimensions& output,
                                          const coordinate_tuple& c) {
  const std::uint32_t block = desc.block_size, places = block * block;
  const bool by_places = detail::order_of(desc) == depth_space_order::depth_column_row;
  if constexpr (detail::is_to_depth<Desc>) {
    const std::uint32_t channels = input[1];
    const std::uint32_t channel = by_places ? c[1] % channels : c[1] / places;
    const std::uint32_t place = by_places ? c[1] / channels : c[1] % places;
    return coordinate_tuple{c[0], channel, c[2] * block + place / block, c[3] * block + place % block};
  } else {
    const std::uint32_t place = c[2] % block * block + c[3] % block;
    const std::uint32_t channel = by_places ? place * output[1] + c[1] : c[1] * places + place;
    return coordinate_tuple{c[0], channel, c[2] / block, c[3] / block};
  }
}

}  // namespace goldml
