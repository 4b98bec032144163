// CONVOLUTION_INTEGER on the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/convolution_blocks.hpp>
#include <goldml/operators/convolution_integer.hpp>

namespace goldml {

// Products of matrices of doubles, which are exact: the sums are below 2^49.
template <>
struct kernel<convolution_integer_desc, cpu_backend> {
  template <class X, class W>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input,
                  const std::optional<tensor_view<const X>>& input_zero_point, const tensor_view<const W>& filter,
                  const std::optional<tensor_view<const W>>& filter_zero_point, const tensor_view<std::int32_t>& output,
                  const convolution_integer_desc& desc) {
    using detail::convolution_blocks;
    const convolution_blocks blocks(detail::convolution_shape_of(desc, input.sizes(), filter.sizes(), output.sizes()));
    const detail::convolution_shape& shape = blocks.shape();
    const detail::convolution_operands<X, W> operands(shape, input, filter);
    const int input_zero = detail::line_parameters<X>(input_zero_point).at(0);
    const detail::line_parameters<W> filter_zeros(filter_zero_point);
    const auto strides = detail::convolution_strides(output.strides());
    const std::uint64_t products = saturating_multiply(element_count(output.sizes()), shape.terms());
    detail::parallel_for(backend, products, blocks.units(), [&](std::uint64_t begin, std::uint64_t end) {
      detail::double_matrix weights, elements, sums;
      for (std::uint64_t unit = begin; unit < end; ++unit)
        blocks.for_each_block(unit, [&](const detail::convolution_block& block) {
          const auto rows = static_cast<Eigen::Index>(block.channels);
          const auto columns = static_cast<Eigen::Index>(block.positions);
          const std::uint64_t first_channel = block.group * shape.outputs + block.first_channel;
          const std::uint64_t terms = shape.inputs * block.taps();
          sums.setZero(rows, columns);
          for (std::uint64_t first = 0; first < terms; first += convolution_blocks::most_terms) {
            const auto count = static_cast<Eigen::Index>((std::min)(convolution_blocks::most_terms, terms - first));
            weights.resize(rows, count);
            operands.pack_filter(block, first, weights, [](W w) { return static_cast<double>(w); });
            for (Eigen::Index o = 0; o < rows; ++o)
              weights.row(o).array() -= filter_zeros.at(first_channel + static_cast<std::uint64_t>(o));
            elements.resize(count, columns);
            operands.pack_input(block, first, elements, [&](X x) { return static_cast<double>(x - input_zero); });
            detail::add_matrix_product(weights, elements, sums);
          }
          for (std::uint64_t p = 0; p < block.positions; ++p) {
            const auto at = block.output(p);
            std::uint64_t offset = block.batch * strides[0];
            for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[2 + i];
            for (std::uint64_t o = 0; o < block.channels; ++o)
              output.data()[offset + (first_channel + o) * strides[1]] =
                  detail::low_word(static_cast<std::int64_t>(sums.data()[o * block.positions + p]));
          }
        });
    });
  }
};

}  // namespace goldml
