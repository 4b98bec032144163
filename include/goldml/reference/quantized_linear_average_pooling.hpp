// QUANTIZED_LINEAR_AVERAGE_POOLING, following its page and the ledger (QU-R6, PO-R1 to PO-R3).
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/quantized_linear_average_pooling.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<quantized_linear_average_pooling_desc, reference_backend> {
  template <class X, class Y>
  static void run(const reference_backend&, const tensor_view<const X>& input,
                  const tensor_view<const float>& input_scale,
                  const std::optional<tensor_view<const X>>& input_zero_point,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const quantized_linear_average_pooling_desc& desc) {
    const detail::line_parameters<float> input_scales(input_scale), output_scales(output_scale);
    const detail::line_parameters<X> input_zeros(input_zero_point);
    const detail::line_parameters<Y> output_zeros(output_zero_point);
    const detail::image_windows windows(detail::window_lists_of(desc), input.sizes(), output.sizes());
    for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
      const std::uint32_t channel = o[1];
      const detail::window_taps taps = windows.taps_of(o);
      std::int64_t sum = 0;
      for (const coordinate_tuple& r : coordinates_of(taps.counts)) sum += input[taps[r]] - input_zeros.at(channel);
      const double average =
          detail::quantised_average(desc, windows, o, exact_double(input_scales.at(channel)),
                                    exact_double(output_scales.at(channel)), static_cast<double>(sum));
      output[o] = arithmetic::quantised(average, output_zeros.at(channel), desc.quantize_ties);
    }
  }
};

}  // namespace goldml
