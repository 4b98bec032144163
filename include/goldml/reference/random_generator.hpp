// RANDOM_GENERATOR, following its page and the ledger (PH-R1).
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/random_generator.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<random_generator_desc, reference_backend> {
  static void run(const reference_backend&, const tensor_view<const std::uint32_t>& input_state,
                  const tensor_view<std::uint32_t>& output,
                  const std::optional<tensor_view<std::uint32_t>>& output_state, const random_generator_desc&) {
    const philox_state state = detail::read_state(input_state);
    std::uint64_t number = 0;  // of c in row-major order
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      output[c] = philox_4x32_10(advanced(state, number / 4))[number % 4];
      ++number;
    }
    if (output_state) detail::write_state(*output_state, advanced(state, philox_blocks(number)));
  }
};

}  // namespace goldml
