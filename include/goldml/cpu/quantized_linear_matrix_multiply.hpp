// QUANTIZED_LINEAR_MATRIX_MULTIPLY on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/integer_products.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>

namespace goldml {

template <>
struct kernel<quantized_linear_matrix_multiply_desc, cpu_backend> {
  template <class A, class B, class Y>
  static void run(const cpu_backend& backend, const tensor_view<const A>& a, const tensor_view<const float>& a_scale,
                  const std::optional<tensor_view<const A>>& a_zero_point, const tensor_view<const B>& b,
                  const tensor_view<const float>& b_scale, const std::optional<tensor_view<const B>>& b_zero_point,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const quantized_linear_matrix_multiply_desc& desc) {
    const detail::line_parameters<float> a_scales(a_scale), b_scales(b_scale), output_scales(output_scale);
    const detail::line_parameters<Y> output_zeros(output_zero_point);
    detail::integer_products(
        backend, a, detail::line_parameters<A>(a_zero_point), b, detail::line_parameters<B>(b_zero_point),
        output.sizes(), [&](const coordinate_tuple& batch, const tile_grid::place& at, const auto& sums) {
          const detail::ieee_arithmetic mode;
          const auto target = matrix_of<Y>(tensor_view<const Y>(output), batch);
          Y* const first = output.data() + (target.data - output.data());
          for (std::uint64_t i = at.row; i < at.row + at.rows; ++i) {
            const Y zero = output_zeros.at(i);
            for (std::uint64_t j = at.column; j < at.column + at.columns; ++j) {
              const arithmetic::requantising_scales scales{exact_double(a_scales.at(i)), exact_double(b_scales.at(j)),
                                                           exact_double(output_scales.at(i))};
              const double sum = sums.data()[(i - at.row) * at.columns + (j - at.column)];
              first[i * target.row_stride + j * target.column_stride] =
                  arithmetic::quantised(arithmetic::requantised_quotient(scales, sum), zero, desc.quantize_ties);
            }
          }
        });
  }
};

}  // namespace goldml
