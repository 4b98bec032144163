// What an element depends on in products and convolutions of integers (oracle/element_part.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/operators/convolution_integer.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>
#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>
#include <goldml/oracle/element_part.hpp>

namespace goldml::oracle {

namespace detail {

// Of a scale or zero point for each line, that of the line.
inline void take_parameter(std::optional<tensor_part>& part, std::uint32_t line) {
  if (!part) return;
  const std::size_t axis = goldml::detail::parameter_axis_of(part->desc.sizes);
  if (part->desc.sizes[axis] > 1) part->take(axis, line);
}
// The row of the first matrix, the column of the matrix b, and the element.
inline void take_product(tensor_parts t, std::size_t b, std::size_t output, const coordinate_tuple& at) {
  const std::size_t column = at.size() - 1, row = column - 1;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    if (axis != column) t[0]->take(axis, at[axis]);
    if (axis != row) t[b]->take(axis, at[axis]);
    t[output]->take(axis, at[axis]);
  }
}
// The same of a convolution of the first tensor; `bias` may be absent.
template <class Desc>
void take_convolution(Desc& desc, std::optional<tensor_part>& input, std::optional<tensor_part>& filter,
                      std::optional<tensor_part>& bias, std::optional<tensor_part>& output,
                      const coordinate_tuple& at) {
  convolution_desc forward = goldml::detail::forward_convolution(desc);
  std::array<std::optional<tensor_part>, 4> parts{input, filter, bias, output};
  element_part<convolution_desc>::take(forward, parts, at);
  input = parts[0];
  filter = parts[1];
  bias = parts[2];
  output = parts[3];
  goldml::detail::take_attributes(desc, forward);
}

}  // namespace detail

template <>
struct element_part<matrix_multiply_integer_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(matrix_multiply_integer_desc&, tensor_parts t, const coordinate_tuple& at) {
    detail::take_product(t, 2, 4, at);
    detail::take_parameter(t[1], at[at.size() - 2]);
    detail::take_parameter(t[3], at[at.size() - 1]);
  }
};

template <>
struct element_part<quantized_linear_matrix_multiply_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(quantized_linear_matrix_multiply_desc&, tensor_parts t, const coordinate_tuple& at) {
    detail::take_product(t, 3, 8, at);
    for (const std::size_t i : {1U, 2U, 6U, 7U}) detail::take_parameter(t[i], at[at.size() - 2]);
    for (const std::size_t i : {4U, 5U}) detail::take_parameter(t[i], at[at.size() - 1]);
  }
};

template <>
struct element_part<matrix_multiply_integer_to_float_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(matrix_multiply_integer_to_float_desc&, tensor_parts t, const coordinate_tuple& at) {
    detail::take_product(t, 3, 7, at);
    for (std::size_t axis = 0; t[6] && axis < at.size(); ++axis) t[6]->take(axis, at[axis]);
    for (const std::size_t i : {1U, 2U}) detail::take_parameter(t[i], at[at.size() - 2]);
    for (const std::size_t i : {4U, 5U}) detail::take_parameter(t[i], at[at.size() - 1]);
  }
};

template <>
struct element_part<convolution_integer_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(convolution_integer_desc& desc, tensor_parts t, const coordinate_tuple& at) {
    std::optional<tensor_part> no_bias;
    detail::take_convolution(desc, t[0], t[2], no_bias, t[4], at);
    detail::take_parameter(t[3], at[1]);
  }
};

template <>
struct element_part<quantized_linear_convolution_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(quantized_linear_convolution_desc& desc, tensor_parts t, const coordinate_tuple& at) {
    detail::take_convolution(desc, t[0], t[3], t[6], t[9], at);
    for (const std::size_t i : {4U, 5U}) detail::take_parameter(t[i], at[1]);
  }
};

// The scales and the zero points have one element.
template <>
struct element_part<element_wise_quantized_linear_add_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(element_wise_quantized_linear_add_desc&, tensor_parts t, const coordinate_tuple& at) {
    for (const std::size_t i : {0U, 3U, 8U})
      for (std::size_t axis = 0; axis < at.size(); ++axis) t[i]->take(axis, at[axis]);
  }
};

}  // namespace goldml::oracle
