// MATRIX_MULTIPLY_INTEGER on the CPU.
#pragma once

#include <optional>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/integer_products.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>

namespace goldml {

template <>
struct kernel<matrix_multiply_integer_desc, cpu_backend> {
  template <class A, class B>
  static void run(const cpu_backend& backend, const tensor_view<const A>& a,
                  const std::optional<tensor_view<const A>>& a_zero_point, const tensor_view<const B>& b,
                  const std::optional<tensor_view<const B>>& b_zero_point, const tensor_view<std::int32_t>& output,
                  const matrix_multiply_integer_desc&) {
    const detail::line_parameters<A> a_zeros(a_zero_point);
    const detail::line_parameters<B> b_zeros(b_zero_point);
    detail::integer_products(
        backend, a, a_zeros, b, b_zeros, output.sizes(),
        [&](const coordinate_tuple& batch, const tile_grid::place& at, const auto& sums) {
          const auto target = matrix_of<std::int32_t>(tensor_view<const std::int32_t>(output), batch);
          std::int32_t* const first = output.data() + (target.data - output.data());
          for (std::uint64_t i = 0; i < at.rows; ++i)
            for (std::uint64_t j = 0; j < at.columns; ++j)
              first[(at.row + i) * target.row_stride + (at.column + j) * target.column_stride] = detail::low_word(
                  static_cast<std::int64_t>(sums(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))));
        });
  }
};

}  // namespace goldml
