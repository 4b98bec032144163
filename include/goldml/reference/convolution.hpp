// CONVOLUTION, following its page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// The coordinate of the input that tap j of one axis contributes to output coordinate q; nullopt if there is none.
inline std::optional<std::uint32_t> convolution_input(const convolution_desc& desc, std::size_t axis, std::uint32_t q,
                                                      std::uint32_t j, std::uint32_t input_size) {
  const std::int64_t stride = desc.strides[axis];
  const std::int64_t reach = std::int64_t{j} * desc.dilations[axis] - desc.start_padding[axis];
  std::int64_t i = 0;
  if (desc.direction == convolution_direction::forward) {
    i = q * stride + reach;
  } else {  // i * stride + reach = q
    if ((q - reach) % stride != 0) return std::nullopt;
    i = (q - reach) / stride;
  }
  if (i < 0 || i >= input_size) return std::nullopt;
  return static_cast<std::uint32_t>(i);
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
    const std::uint32_t inputs = input.sizes()[1] / desc.group_count;    // channels of a group
    const std::uint32_t outputs = output.sizes()[1] / desc.group_count;  // channels of a group
    const dimensions taps = filter.sizes().slice(2, filter.sizes().size());
    for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
      const std::uint32_t group = o[1] / outputs;
      detail::extended_sum sum;
      if (bias) {
        coordinate_tuple b = coordinate_tuple::filled(o.size(), 0);
        b[1] = o[1];
        sum.add(exact_double((*bias)[b]));
      }
      for (std::uint32_t c = 0; c < inputs; ++c)
        for (const coordinate_tuple& j : coordinates_of(taps)) {
          coordinate_tuple x{o[0], group * inputs + c};
          coordinate_tuple w =
              backward ? coordinate_tuple{group * inputs + c, o[1] - group * outputs} : coordinate_tuple{o[1], c};
          bool inside = true;
          for (std::size_t axis = 0; axis < axes; ++axis) {
            const auto i = detail::convolution_input(desc, axis, o[2 + axis], j[axis], input.sizes()[2 + axis]);
            inside = inside && i.has_value();
            x.push_back(i.value_or(0));
            w.push_back(desc.mode == convolution_mode::cross_correlation ? j[axis] : taps[axis] - 1 - j[axis]);
          }
          if (inside) sum.add(exact_double(input[x]) * exact_double(filter[w]));  // exact
        }
      output[o] = arithmetic::fused_rounded<T>(desc.fused_activation, sum);
    }
  }
};

}  // namespace goldml

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void evaluate<convolution_desc, reference_backend>(const reference_backend&, const convolution_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
