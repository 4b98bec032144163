// REVERSE_SUBSEQUENCES, following its page.
#pragma once

#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/reverse_subsequences.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<reverse_subsequences_desc, reference_backend> {
  template <class T, class Length>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const Length>& lengths,
                  const tensor_view<T>& output, const reverse_subsequences_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      coordinate_tuple of_length = c;
      of_length[desc.axis] = 0;
      coordinate_tuple from = c;
      from[desc.axis] =
          static_cast<std::uint32_t>(reversed_position(c[desc.axis], lengths[of_length], input.sizes()[desc.axis]));
      output[c] = input[from];
    }
  }
};

}  // namespace goldml
