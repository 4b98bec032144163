// ELEMENT_WISE_QUANTIZED_LINEAR_ADD, following its page.
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<element_wise_quantized_linear_add_desc, reference_backend> {
  template <class A, class B, class Y>
  static void run(const reference_backend&, const tensor_view<const A>& a, const tensor_view<const float>& a_scale,
                  const std::optional<tensor_view<const A>>& a_zero_point, const tensor_view<const B>& b,
                  const tensor_view<const float>& b_scale, const std::optional<tensor_view<const B>>& b_zero_point,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const element_wise_quantized_linear_add_desc& desc) {
    const arithmetic::requantising_scales scales{exact_double(a_scale.data()[0]), exact_double(b_scale.data()[0]),
                                                 exact_double(output_scale.data()[0])};
    const int a_zero = detail::line_parameters<A>(a_zero_point).at(0);
    const int b_zero = detail::line_parameters<B>(b_zero_point).at(0);
    const Y zero = detail::line_parameters<Y>(output_zero_point).at(0);
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const double v = arithmetic::quotient_of_sum(scales, int{a[c]} - a_zero, int{b[c]} - b_zero);
      output[c] = arithmetic::quantised(v, zero, desc.quantize_ties);
    }
  }
};

}  // namespace goldml
