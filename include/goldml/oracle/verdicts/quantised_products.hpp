// What a device may answer to QUANTIZED_LINEAR_MATRIX_MULTIPLY, QUANTIZED_LINEAR_CONVOLUTION and
// ELEMENT_WISE_QUANTIZED_LINEAR_ADD besides the golden value (SPEC-quantised 2.6, 4.3, 4.5, 4.6; ledger QU-R11,
// QU-R12).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/operators/integer_products.hpp>
#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/quantised_elements.hpp>

namespace goldml::detail {

// Intervals of more than two integers find few faults.
inline void set_range_of_products(output_verdicts& result) {
  result.range.width = 4;
  result.range.remedy = "small integers and scales that are powers of two, so that sums are exact, would test them";
  result.range.unusual =
      "float accumulation, or approximate reciprocals: farther off than one scaling of exact sums "
      "gets (ledger QU-R11)";
}

// A sum that INT32 does not hold may also be taken modulo 2^32. `limits` are kept for the next element.
template <class Q>
void allow_requantised(std::size_t element, const arithmetic::requantising_scales& scale,
                       const arithmetic::integer_sum& sum, const arithmetic::requantise_growths& growths, Q zero_point,
                       const auto& desc, std::optional<arithmetic::requantise_limits>& limits,
                       output_verdicts& result) {
  const arithmetic_mode mode{true, false, desc.accumulation};
  if (!limits || limits->scale != scale) limits.emplace(scale, mode);
  const arithmetic::quantise_freedom free =
      arithmetic::requantise_freedom_of(*limits, sum, growths, desc.fixed_point, mode);
  if (free.undefined) {
    result.make_undefined(element);
    return;
  }
  allow_quantised(element, free, zero_point, desc.quantize_ties, result);
  const std::int32_t low = low_word(static_cast<std::int64_t>(sum.sum));
  if (static_cast<double>(low) == sum.sum) return;
  const double other = arithmetic::requantised_quotient(scale, low);
  const auto end = [&](double error) {
    return static_cast<int>(arithmetic::quantised(other + error, zero_point, desc.quantize_ties));
  };
  const double error = growths.integers * std::abs(other) * (1 + 0x1p-20);
  for (int k = end(-error); k <= end(error); ++k) result.allow(element, scalar(static_cast<Q>(k)));
}

// The magnitudes of the elements of a line less its zero point, for half precision; 0 otherwise.
template <class T>
double magnitude_of_line(const matrix_view<T>& m, std::uint64_t line, int zero, const arithmetic_mode& mode) {
  double sum = 0;
  for (std::uint64_t k = 0; mode.rounds_to_half() && k < m.columns; ++k)
    sum += std::abs(int{m.data[line * m.row_stride + k * m.column_stride]} - zero);
  return sum;
}

template <class A, class B, class Y>
void add_product_verdicts(const quantized_linear_matrix_multiply_desc& desc, std::span<const const_tensor_ref> inputs,
                          const dimensions& sizes, output_verdicts& result) {
  const arithmetic_mode mode{true, false, desc.accumulation};
  const line_parameters<float> a_scales(inputs[1].as<float>()), b_scales(inputs[4].as<float>()),
      output_scales(inputs[6].as<float>());
  const line_parameters<A> a_zeros(optional_view<A>(inputs[2]));
  const line_parameters<B> b_zeros(optional_view<B>(inputs[5]));
  const line_parameters<Y> output_zeros(optional_view<Y>(inputs[7]));
  const arithmetic::requantise_growths growths(inputs[0].desc().sizes.back(), false);
  const std::size_t rank = sizes.size();
  const tile_grid grid{sizes[rank - 2], sizes[rank - 1], matrix_tile::most_lines};
  integer_sums tile;
  std::optional<arithmetic::requantise_limits> limits;
  std::size_t first_element = 0;
  for (const coordinate_tuple& batch : coordinates_of(sizes.slice(0, rank - 2))) {
    const matrix_view<A> left = matrix_of<A>(inputs[0].as<A>(), batch);
    const matrix_view<B> right = matrix_of<B>(inputs[3].as<B>(), batch).transposed();
    for (std::uint64_t number = 0; number < grid.count(); ++number) {
      const tile_grid::place at = grid.at(number);
      tile.multiply(left.rows_from(at.row, at.rows), a_zeros, at.row, right.rows_from(at.column, at.columns), b_zeros,
                    at.column, true);
      for (std::uint64_t i = 0; i < at.rows; ++i) {
        const std::uint64_t y = at.row + i;
        const double of_row = magnitude_of_line(left, y, a_zeros.at(y), mode);
        for (std::uint64_t j = 0; j < at.columns; ++j) {
          const std::uint64_t x = at.column + j, place = i * at.columns + j;
          const arithmetic::integer_sum sum{.sum = tile.sums.data()[place],
                                            .magnitude = tile.magnitudes.data()[place],
                                            .terms = static_cast<double>(left.columns),
                                            .a_magnitude = of_row,
                                            .b_magnitude = magnitude_of_line(right, x, b_zeros.at(x), mode)};
          allow_requantised(
              first_element + static_cast<std::size_t>(y * grid.columns + x),
              {exact_double(a_scales.at(y)), exact_double(b_scales.at(x)), exact_double(output_scales.at(y))}, sum,
              growths, output_zeros.at(y), desc, limits, result);
        }
      }
    }
    first_element += static_cast<std::size_t>(grid.rows * grid.columns);
  }
}

template <class X, class W, class Y>
void add_product_verdicts(const quantized_linear_convolution_desc& desc, std::span<const const_tensor_ref> inputs,
                          const dimensions& sizes, output_verdicts& result) {
  const arithmetic_mode mode{true, false, desc.accumulation};
  const double of_input = exact_double(inputs[1].as<float>().data()[0]);
  const double of_output = exact_double(inputs[7].as<float>().data()[0]);
  const line_parameters<float> filter_scales(inputs[4].as<float>());
  const int input_zero = line_parameters<X>(optional_view<X>(inputs[2])).at(0);
  const line_parameters<W> filter_zeros(optional_view<W>(inputs[5]));
  const line_parameters<std::int32_t> addends(optional_view<std::int32_t>(inputs[6]));
  const Y zero = line_parameters<Y>(optional_view<Y>(inputs[8])).at(0);
  const convolution_blocks blocks(convolution_shape_of(desc, inputs[0].desc().sizes, inputs[3].desc().sizes, sizes));
  const convolution_operands<X, W> operands(blocks.shape(), inputs[0].as<X>(), inputs[3].as<W>());
  const auto strides = convolution_strides(packed_strides(sizes));
  integer_sums part;
  std::optional<arithmetic::requantise_limits> limits;
  for (std::uint64_t unit = 0; unit < blocks.units(); ++unit)
    blocks.for_each_block(unit, [&](const convolution_block& block) {
      const auto terms = static_cast<double>(blocks.shape().inputs * block.taps());
      const arithmetic::requantise_growths growths(terms, inputs[6].present());
      part.multiply(operands, block, input_zero, filter_zeros, true);
      for (std::uint64_t p = 0; p < block.positions; ++p) {
        const auto at = block.output(p);
        std::uint64_t offset = block.batch * strides[0];
        for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[2 + i];
        for (std::uint64_t o = 0; o < block.channels; ++o) {
          const std::uint64_t channel = block.group * blocks.shape().outputs + block.first_channel + o;
          const std::uint64_t place = o * block.positions + p;
          const double bias = addends.at(channel);
          arithmetic::integer_sum sum{.sum = part.sums.data()[place] + bias,
                                      .magnitude = part.magnitudes.data()[place] + std::abs(bias),
                                      .terms = terms};
          if (mode.rounds_to_half()) {
            const int filter_zero = filter_zeros.at(channel);
            const auto add_weight = [&](W w) { sum.b_magnitude += std::abs(int{w} - filter_zero); };
            operands.for_each_term(
                block, o, p,
                [&](X x, W w) {
                  sum.a_magnitude += std::abs(int{x} - input_zero);
                  add_weight(w);
                  return true;
                },
                add_weight);
          }
          allow_requantised(static_cast<std::size_t>(offset + channel * strides[1]),
                            {of_input, exact_double(filter_scales.at(channel)), of_output}, sum, growths, zero, desc,
                            limits, result);
        }
      }
    });
}

template <class A, class B, class Y>
void add_product_verdicts(const element_wise_quantized_linear_add_desc& desc, std::span<const const_tensor_ref> inputs,
                          const dimensions& sizes, output_verdicts& result) {
  const arithmetic_mode mode{true, false, desc.accumulation};
  const auto scale_of = [&](std::size_t i) { return exact_double(inputs[i].as<float>().data()[0]); };
  const arithmetic::requantising_scales scales{scale_of(1), scale_of(4), scale_of(6)};
  const int a_zero = line_parameters<A>(optional_view<A>(inputs[2])).at(0);
  const int b_zero = line_parameters<B>(optional_view<B>(inputs[5])).at(0);
  const Y zero = line_parameters<Y>(optional_view<Y>(inputs[7])).at(0);
  const auto a = inputs[0].as<A>();
  const auto b = inputs[3].as<B>();
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) {
    const arithmetic::quantise_freedom free =
        arithmetic::requantise_sum_freedom_of(scales, int{a[c]} - a_zero, int{b[c]} - b_zero, mode);
    if (free.undefined)
      result.make_undefined(element);
    else
      allow_quantised(element, free, zero, desc.quantize_ties, result);
    ++element;
  }
}

template <class Desc>
concept quantised_product_operator = std::same_as<Desc, quantized_linear_matrix_multiply_desc> ||
    std::same_as<Desc, quantized_linear_convolution_desc> || std::same_as<Desc, element_wise_quantized_linear_add_desc>;

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::quantised_product_operator Desc>
struct verdict_traits<Desc> {
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    using bytes = type_list<std::uint8_t, std::int8_t>;
    if constexpr (!std::same_as<Desc, element_wise_quantized_linear_add_desc>)
      goldml::detail::set_range_of_products(result[0]);
    visit_data_type(bytes{}, inputs[0].desc().data_type, [&]<class A>(std::type_identity<A>) {
      visit_data_type(bytes{}, inputs[3].desc().data_type, [&]<class B>(std::type_identity<B>) {
        visit_data_type(bytes{}, golden[0].desc().data_type, [&]<class Y>(std::type_identity<Y>) {
          goldml::detail::add_product_verdicts<A, B, Y>(desc, inputs, golden[0].desc().sizes, result[0]);
        });
      });
    });
  }
  // A byte and two intervals for each element, the matrices of a tile or a block, and the taps of each axis.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    std::uint64_t total = saturating_multiply(element_count(t.back().desc->sizes), 1 + 2 * sizeof(interval));
    if constexpr (std::same_as<Desc, element_wise_quantized_linear_add_desc>) return total;
    if constexpr (std::same_as<Desc, quantized_linear_convolution_desc>)
      for (std::size_t i = 2; i < t[3].desc->sizes.size(); ++i)
        total = saturating_add(total, std::uint64_t{48} * t[3].desc->sizes[i]);
    constexpr std::uint64_t most = matrix_tile::most_lines;
    return saturating_add(total, goldml::detail::integer_sums::memory(most, most, most));
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts, .verdict_memory = &verdict_memory};
};

}  // namespace goldml::oracle
