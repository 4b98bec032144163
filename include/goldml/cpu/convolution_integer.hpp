// CONVOLUTION_INTEGER on the CPU.
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/integer_products.hpp>
#include <goldml/operators/convolution_integer.hpp>

namespace goldml {

template <>
struct kernel<convolution_integer_desc, cpu_backend> {
  template <class X, class W>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input,
                  const std::optional<tensor_view<const X>>& input_zero_point, const tensor_view<const W>& filter,
                  const std::optional<tensor_view<const W>>& filter_zero_point, const tensor_view<std::int32_t>& output,
                  const convolution_integer_desc& desc) {
    detail::integer_convolution(
        backend, detail::convolution_shape_of(desc, input.sizes(), filter.sizes(), output.sizes()), input,
        detail::line_parameters<X>(input_zero_point).at(0), filter, detail::line_parameters<W>(filter_zero_point),
        output.strides(), [&](std::uint64_t offset, std::uint64_t, double sum) {
          output.data()[offset] = detail::low_word(static_cast<std::int64_t>(sum));
        });
  }
};

}  // namespace goldml
