// NONZERO_COORDINATES, following its page and the ledger (7.2, 7.4, 7.9).
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<nonzero_coordinates_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<std::uint32_t>& count,
                  const tensor_view<std::uint32_t>& output, const nonzero_coordinates_desc&) {
    const std::size_t dimension_count = input.sizes().size();
    const std::size_t columns = output.sizes().back();  // N

    std::uint32_t k = 0;
    for (const coordinate_tuple& c : coordinates_of(input.sizes())) {
      if (is_zero(input[c])) continue;
      for (std::uint32_t j = 0; j < columns; ++j)
        output[left_pad({k, j}, output.sizes().size(), 0)] = c[dimension_count - columns + j];
      ++k;
    }
    count[dimensions::filled(count.sizes().size(), 0)] = k;  // rows from k on are unchanged
  }
};

}  // namespace goldml
