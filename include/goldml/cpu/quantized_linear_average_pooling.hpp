// QUANTIZED_LINEAR_AVERAGE_POOLING on the CPU: sums of the columns that a row of windows covers, and those of the
// windows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/pooling.hpp>
#include <goldml/cpu/engine/windows.hpp>
#include <goldml/operators/quantized_linear_average_pooling.hpp>

namespace goldml {

template <>
struct kernel<quantized_linear_average_pooling_desc, cpu_backend> {
  template <class X, class Y>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input,
                  const tensor_view<const float>& input_scale,
                  const std::optional<tensor_view<const X>>& input_zero_point,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const quantized_linear_average_pooling_desc& desc) {
    const detail::line_parameters<float> input_scales(input_scale), output_scales(output_scale);
    const detail::line_parameters<X> input_zeros(input_zero_point);
    const detail::line_parameters<Y> output_zeros(output_zero_point);
    const detail::image_windows windows(detail::window_lists_of(desc), input.sizes(), output.sizes());
    const detail::window_axis& axis = windows[windows.size() - 1];
    const std::uint64_t taps = detail::taps_of_windows(desc.window_size, input.sizes(), output.sizes());
    detail::for_window_rows(backend, 8 * taps, output.sizes(), [&] {
      return [&, columns = std::vector<std::int64_t>(input.sizes().back())](coordinate_tuple o) mutable {
        const std::uint32_t channel = o[1];
        const std::int64_t zero = input_zeros.at(channel);
        const std::uint64_t step = input.strides().back();
        std::fill(columns.begin(), columns.end(), 0);
        detail::for_input_rows(input, windows.taps_of(o), [&](const X* from, std::uint32_t rows, std::uint64_t pitch) {
          for (std::uint32_t row = 0; row < rows; ++row, from += pitch)
            for (std::size_t i = 0; i < columns.size(); ++i) columns[i] += from[i * step] - zero;
        });
        for (std::uint32_t q = 0; q < output.sizes().back(); ++q) {
          const auto [first, count, place] = axis.taps_of(q);
          std::int64_t sum = 0;
          for (std::uint64_t j = 0; j < count; ++j) sum += columns[place + j * axis.dilation];
          o[o.size() - 1] = q;
          const double average =
              detail::quantised_average(desc, windows, o, exact_double(input_scales.at(channel)),
                                        exact_double(output_scales.at(channel)), static_cast<double>(sum));
          output[o] = arithmetic::quantised(average, output_zeros.at(channel), desc.quantize_ties);
        }
      };
    });
  }
};

}  // namespace goldml
