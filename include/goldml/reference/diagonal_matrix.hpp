// DIAGONAL_MATRIX, following its page and the ledger (L18).
#pragma once

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/diagonal_matrix.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<diagonal_matrix_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<T>& output, const diagonal_matrix_desc& desc) {
    const T value = convert_value(desc.value, data_type_of<T>, desc.value_conversion)->template as<T>();
    for (const coordinate_tuple& c : coordinates_of(output.sizes()))
      output[c] = is_on_diagonal(c, desc.offset) ? value : T(0);
  }
};

}  // namespace goldml
