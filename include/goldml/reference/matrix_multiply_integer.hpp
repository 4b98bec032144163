// MATRIX_MULTIPLY_INTEGER, following its page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// The sum of the products of row o[last - 1] of a and column o[last] of b, less their zero points.
template <class A, class B>
std::int64_t sum_of_products(const tensor_view<const A>& a, const line_parameters<A>& a_zeros,
                             const tensor_view<const B>& b, const line_parameters<B>& b_zeros,
                             const coordinate_tuple& o) {
  const std::size_t column = o.size() - 1, row = column - 1;
  std::int64_t sum = 0;
  coordinate_tuple left = o, right = o;
  for (std::uint32_t k = 0; k < a.sizes()[column]; ++k) {
    left[column] = right[row] = k;
    sum += (std::int64_t{a[left]} - a_zeros.at(o[row])) * (std::int64_t{b[right]} - b_zeros.at(o[column]));
  }
  return sum;
}

}  // namespace detail

template <>
struct kernel<matrix_multiply_integer_desc, reference_backend> {
  template <class A, class B>
  static void run(const reference_backend&, const tensor_view<const A>& a,
                  const std::optional<tensor_view<const A>>& a_zero_point, const tensor_view<const B>& b,
                  const std::optional<tensor_view<const B>>& b_zero_point, const tensor_view<std::int32_t>& output,
                  const matrix_multiply_integer_desc&) {
    const detail::line_parameters<A> a_zeros(a_zero_point);
    const detail::line_parameters<B> b_zeros(b_zero_point);
    for (const coordinate_tuple& o : coordinates_of(output.sizes()))
      output[o] = detail::low_word(detail::sum_of_products(a, a_zeros, b, b_zeros, o));
  }
};

}  // namespace goldml
