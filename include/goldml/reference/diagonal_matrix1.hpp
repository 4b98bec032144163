// DIAGONAL_MATRIX1, following its page and the ledger (7.10).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<diagonal_matrix1_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const std::optional<tensor_view<const T>>& input,
                  const tensor_view<T>& output, const diagonal_matrix1_desc& desc) {
    const T value = desc.value.as<T>();
    const T zero = scalar().as<T>();

    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const std::int64_t y = c[c.size() - 2];
      const std::int64_t x = c[c.size() - 1];
      if (diagonal_is_filled(x - y, desc.diagonal_fill_begin, desc.diagonal_fill_end))
        output[c] = value;
      else
        output[c] = input ? (*input)[c] : zero;
    }
  }
};

}  // namespace goldml
