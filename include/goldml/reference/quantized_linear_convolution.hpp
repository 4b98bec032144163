// QUANTIZED_LINEAR_CONVOLUTION, following its page and the ledger (QU-R6, QU-R7).
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/reference/backend.hpp>
#include <goldml/reference/convolution_integer.hpp>

namespace goldml {

template <>
struct kernel<quantized_linear_convolution_desc, reference_backend> {
  template <class X, class W, class Y>
  static void run(const reference_backend&, const tensor_view<const X>& input,
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
    detail::sums_of_convolution(desc, input, input_zero_point, filter, filter_zero_point, output.sizes(),
                                [&](const coordinate_tuple& o, std::int64_t sum) {
                                  const arithmetic::requantising_scales scales{exact_double(input_scale.data()[0]),
                                                                               exact_double(filter_scales.at(o[1])),
                                                                               exact_double(output_scale.data()[0])};
                                  const double total = static_cast<double>(sum + addends.at(o[1]));
                                  output[o] = arithmetic::quantised(arithmetic::requantised_quotient(scales, total),
                                                                    zero, desc.quantize_ties);
                                });
  }
};

}  // namespace goldml
