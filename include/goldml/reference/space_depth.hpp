// SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1, following their pages and the ledger (L32).
#pragma once

#include <cstdint>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/space_depth.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::space_depth_operator Desc>
struct kernel<Desc, reference_backend> {
  // The depth form's coordinate of an element of the space form, which has `channels` channels.
  static coordinate_tuple in_depth(const coordinate_tuple& space, std::uint32_t channels, const Desc& desc) {
    const std::uint32_t block = desc.block_size;
    const std::uint32_t ch = space[1];
    const std::uint32_t y = space[2] % block;
    const std::uint32_t x = space[3] % block;
    const std::uint32_t channel = detail::order_of(desc) == depth_space_order::depth_column_row
                                      ? (y * block + x) * channels + ch
                                      : (ch * block + y) * block + x;
    return {space[0], channel, space[2] / block, space[3] / block};
  }

  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const dimensions& space = detail::is_to_depth<Desc> ? input.sizes() : output.sizes();
    for (const coordinate_tuple& c : coordinates_of(space)) {
      const coordinate_tuple depth = in_depth(c, space[1], desc);
      if constexpr (detail::is_to_depth<Desc>)
        output[depth] = input[c];
      else
        output[c] = input[depth];
    }
  }
};

}  // namespace goldml

GOLDML_COMPILED_KERNEL(space_to_depth_desc, reference_backend);
GOLDML_COMPILED_KERNEL(space_to_depth1_desc, reference_backend);
GOLDML_COMPILED_KERNEL(depth_to_space_desc, reference_backend);
GOLDML_COMPILED_KERNEL(depth_to_space1_desc, reference_backend);
