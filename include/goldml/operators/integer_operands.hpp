// The operands of MATRIX_MULTIPLY_INTEGER_TO_FLOAT without their types: differences from zero points as integers of 64
// bits, scales and biases as doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml::detail {

using integer_types = type_list<std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t, std::uint8_t>;

inline std::int64_t integer_at(const const_tensor_ref& t, std::uint64_t offset) {
  std::int64_t result = 0;
  visit_data_type(integer_types{}, t.desc().data_type,
                  [&]<class T>(std::type_identity<T>) { result = static_cast<const T*>(t.data())[offset]; });
  return result;
}
inline double float_at(const const_tensor_ref& t, std::uint64_t offset) {
  if (t.desc().data_type == data_type::float32) return exact_double(static_cast<const float*>(t.data())[offset]);
  return exact_double(static_cast<const float16*>(t.data())[offset]);
}

// The offset of a line's scale or zero point.
inline std::uint64_t parameter_offset(const const_tensor_ref& t, std::uint64_t line) {
  const dimensions& sizes = t.desc().sizes;
  const std::size_t axis = parameter_axis_of(sizes);
  return sizes[axis] == 1 ? 0 : line * effective_strides(t.desc())[axis];
}
inline double scale_at(const const_tensor_ref& t, std::uint64_t line) { return float_at(t, parameter_offset(t, line)); }
inline std::int64_t zero_point_at(const const_tensor_ref& t, std::uint64_t line) {
  return t.present() ? integer_at(t, parameter_offset(t, line)) : 0;
}

// A row of A or a column of B at `batch`, less its zero point.
struct line_reader {
  const_tensor_ref matrix, zero_point;
  std::size_t along, across;  // dimensions, counted from the last: of the elements of a line, and of the lines

  void read(const coordinate_tuple& batch, std::uint64_t line, std::vector<std::int64_t>& to) const {
    const dimensions &sizes = matrix.desc().sizes, strides = effective_strides(matrix.desc());
    const std::size_t last = sizes.size() - 1;
    std::uint64_t offset = line * strides[last - across];
    for (std::size_t i = 0; i < batch.size(); ++i) offset += std::uint64_t{batch[i]} * strides[i];
    const std::int64_t zero = zero_point_at(zero_point, line);
    const std::uint64_t step = strides[last - along];
    to.resize(sizes[last - along]);
    visit_data_type(integer_types{}, matrix.desc().data_type, [&]<class T>(std::type_identity<T>) {
      const T* const from = static_cast<const T*>(matrix.data()) + offset;
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = std::int64_t{from[k * step]} - zero;
    });
  }
};
inline line_reader rows_of(std::span<const const_tensor_ref> inputs) { return {inputs[0], inputs[2], 0, 1}; }
inline line_reader columns_of(std::span<const const_tensor_ref> inputs) { return {inputs[3], inputs[5], 1, 0}; }

}  // namespace goldml::detail
