// CONVOLUTION, following its page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// An element of the input that contributes to an output coordinate, on one axis, and the tap of the filter through
// which it does.
struct convolution_tap {
  std::uint32_t input, filter;
};

// Those of each output coordinate of one axis.
inline std::vector<std::vector<convolution_tap>> convolution_taps(const convolution_desc& desc, std::size_t axis,
                                                                  std::uint32_t input_size, std::uint32_t filter_size,
                                                                  std::uint32_t output_size) {
  const std::int64_t stride = desc.strides[axis], dilation = desc.dilations[axis], start = desc.start_padding[axis];
  std::vector<std::vector<convolution_tap>> taps(output_size);
  for (std::uint32_t j = 0; j < filter_size; ++j)
    if (desc.direction == convolution_direction::forward) {
      for (std::uint32_t q = 0; q < output_size; ++q) {
        const std::int64_t i = q * stride + j * dilation - start;
        if (i >= 0 && i < input_size) taps[q].push_back({static_cast<std::uint32_t>(i), j});
      }
    } else {
      for (std::uint32_t i = 0; i < input_size; ++i) {
        const std::int64_t q = i * stride + j * dilation - start;
        if (q >= 0 && q < output_size) taps[static_cast<std::size_t>(q)].push_back({i, j});
      }
    }
  return taps;
}

}  // namespace detail

template <>
struct kernel<convolution_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const T>& filter,
                  const std::optional<tensor_view<const T>>& bias, const tensor_view<T>& output,
                  const convolution_desc& desc) {
    const bool backward = desc.direction == convolution_direction::backward;
    const std::size_t axes = input.sizes().size() - 2;
    const std::uint32_t inputs = input.sizes()[1] / desc.group_count;     // channels of a group
    const std::uint32_t outputs = output.sizes()[1] / desc.group_count;   // channels of a group
    std::vector<std::vector<std::vector<detail::convolution_tap>>> taps;  // by axis and output coordinate
    for (std::size_t axis = 0; axis < axes; ++axis)
      taps.push_back(detail::convolution_taps(desc, axis, input.sizes()[2 + axis], filter.sizes()[2 + axis],
                                              output.sizes()[2 + axis]));
    for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
      const std::uint32_t group = o[1] / outputs;
      detail::extended_sum sum;
      if (bias) {
        coordinate_tuple b = coordinate_tuple::filled(o.size(), 0);
        b[1] = o[1];
        sum.add(exact_double((*bias)[b]));
      }
      dimensions counts;  // of the taps
      for (std::size_t axis = 0; axis < axes; ++axis)
        counts.push_back(static_cast<std::uint32_t>(taps[axis][o[2 + axis]].size()));
      for (std::uint32_t c = 0; c < inputs; ++c)
        for (const coordinate_tuple& t : coordinates_of(counts)) {
          coordinate_tuple x{o[0], group * inputs + c};
          coordinate_tuple w =
              backward ? coordinate_tuple{group * inputs + c, o[1] - group * outputs} : coordinate_tuple{o[1], c};
          for (std::size_t axis = 0; axis < axes; ++axis) {
            const auto [i, j] = taps[axis][o[2 + axis]][t[axis]];
            x.push_back(i);
            w.push_back(desc.mode == convolution_mode::cross_correlation ? j : filter.sizes()[2 + axis] - 1 - j);
          }
          sum.add(exact_double(input[x]) * exact_double(filter[w]));  // exact
        }
      output[o] = arithmetic::fused_rounded<T>(desc.fused_activation, sum);
    }
  }
};

}  // namespace goldml
