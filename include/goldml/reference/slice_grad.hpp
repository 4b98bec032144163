// SLICE_GRAD, following its page and the ledger (L19, L34).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/operators/slice_grad.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

// The input's element at q is put at slice1_position(desc, q).
inline std::optional<coordinate_tuple> origin_of(const slice_grad_desc& desc, const dimensions& input,
                                                 const dimensions&, coordinate_tuple c) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::int64_t steps = std::int64_t{c[i]} - slice1_position(desc, i, 0);
    const std::int64_t stride = desc.input_window_strides[i];
    if (steps % stride != 0 || steps / stride < 0 || steps / stride >= input[i]) return std::nullopt;
    c[i] = static_cast<std::uint32_t>(steps / stride);
  }
  return c;
}

}  // namespace goldml
