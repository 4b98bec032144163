// QUANTIZED_LINEAR_CONVOLUTION on the CPU.
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/integer_products.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>

namespace goldml {

template <>
struct kernel<quantized_linear_convolution_desc, cpu_backend> {
  template <class X, class W, class Y>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input,
                  const tensor_view<const float>& input_scale,
                  const std::optional<tensor_view<const X>>& input_zero_point, const tensor_view<const W>& filter,
                  const tensor_view<const float>& filter_scale,
                  const std::optional<tensor_view<const W>>& filter_zero_point,
                  const std::optional<tensor_view<const std::int32_t>>& bias,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const quantized_linear_convolution_desc& desc) {
    const detail::line_parameters<float> filter_scales(filter_scale);
    const detail::line_parameters<std::int32_t> addends(bias);
    const Y zero = detail::line_parameters<Y>(output_zero_point).at(0);
    const double of_input = exact_double(input_scale.data()[0]), of_output = exact_double(output_scale.data()[0]);
    detail::integer_convolution(
        backend, detail::convolution_shape_of(desc, input.sizes(), filter.sizes(), output.sizes()), input,
        detail::line_parameters<X>(input_zero_point).at(0), filter, detail::line_parameters<W>(filter_zero_point),
        output.strides(), [&](std::uint64_t offset, std::uint64_t o, double sum) {
          const detail::ieee_arithmetic mode;
          const arithmetic::requantising_scales scales{of_input, exact_double(filter_scales.at(o)), of_output};
          output.data()[offset] = arithmetic::quantised(arithmetic::requantised_quotient(scales, sum + addends.at(o)),
                                                        zero, desc.quantize_ties);
        });
  }
};

}  // namespace goldml
