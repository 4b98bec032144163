// QUANTIZED_LINEAR_MATRIX_MULTIPLY, following its page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>
#include <goldml/reference/backend.hpp>
#include <goldml/reference/matrix_multiply_integer.hpp>

namespace goldml {

template <>
struct kernel<quantized_linear_matrix_multiply_desc, reference_backend> {
  template <class A, class B, class Y>
  static void run(const reference_backend&, const tensor_view<const A>& a, const tensor_view<const float>& a_scale,
                  const std::optional<tensor_view<const A>>& a_zero_point, const tensor_view<const B>& b,
                  const tensor_view<const float>& b_scale, const std::optional<tensor_view<const B>>& b_zero_point,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const quantized_linear_matrix_multiply_desc& desc) {
    const detail::line_parameters<float> a_scales(a_scale), b_scales(b_scale), output_scales(output_scale);
    const detail::line_parameters<A> a_zeros(a_zero_point);
    const detail::line_parameters<B> b_zeros(b_zero_point);
    const detail::line_parameters<Y> output_zeros(output_zero_point);
    for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
      const std::uint32_t i = o[o.size() - 2], j = o[o.size() - 1];
      const std::int64_t sum = detail::sum_of_products(a, a_zeros, b, b_zeros, o);
      const arithmetic::requantising_scales scales{exact_double(a_scales.at(i)), exact_double(b_scales.at(j)),
                                                   exact_double(output_scales.at(i))};
      output[o] = arithmetic::quantised(arithmetic::requantised_quotient(scales, static_cast<double>(sum)),
                                        output_zeros.at(i), desc.quantize_ties);
    }
  }
};

}  // namespace goldml
