// What a device may answer to GEMM (ledger GM-R1, AR-R1, AR-R5 to AR-R7).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/fused_interval.hpp>
#include <goldml/arithmetic/softmax_bounds.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/gemm.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/fused_sums.hpp>
#include <goldml/oracle/verdicts/gemm_bounds.hpp>

namespace goldml::detail {

// What a device may answer to SOFTMAX of sums within bounds, in the order of the elements.
template <class T>
void add_fused_softmax_verdicts(const dimensions& axes, const std::vector<bound>& sums, const arithmetic_mode& mode,
                                const tensor_view<const T>& golden, output_verdicts& result) {
  const dimensions& sizes = golden.sizes();
  const dimensions box = candidate_box(sizes, axes), strides = packed_strides(sizes);
  std::vector<bound> slice;
  slice.reserve(static_cast<std::size_t>(element_count(box)));
  for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(sizes, axes))) {
    const auto number_of = [&](const coordinate_tuple& c) { return static_cast<std::size_t>(offset_of(c, strides)); };
    slice.clear();
    for (const coordinate_tuple& r : coordinates_of(box))
      slice.push_back(sums[number_of(reduction_candidate(first, r))]);
    const arithmetic::fused_softmax_bounds<T> bounds(slice, mode);
    std::size_t i = 0;
    for (const coordinate_tuple& r : coordinates_of(box)) {
      const coordinate_tuple c = reduction_candidate(first, r);
      result.allow_interval_beside(number_of(c), bounds.of(i++), interval_refusal::reciprocals, T(golden[c]));
    }
  }
}

template <class T>
void add_gemm_verdicts(const gemm_desc& desc, const tensor_view<const T>& a, const tensor_view<const T>& b,
                       const std::optional<tensor_view<const T>>& c, const tensor_view<const T>& golden, bool flushes,
                       output_verdicts& result) {
  const arithmetic_mode mode{std::is_same_v<T, float>, flushes, desc.accumulation};
  if (flushes && !flushing_matters<T>(desc, a, b, c)) return;
  const dimensions& sizes = golden.sizes();
  const dimensions batches = sizes.slice(0, sizes.size() - 2);
  const tile_grid grid{sizes[sizes.size() - 2], sizes[sizes.size() - 1], matrix_tile::most_lines};
  const std::optional<dimensions> softmax_axes = fused_softmax_axes(desc.fused_activation, sizes.size());
  if (desc.fused_activation) result.range.width = softmax_axes ? 1 : arithmetic::range_width(*desc.fused_activation);
  std::vector<bound> sums_of_softmax(softmax_axes ? static_cast<std::size_t>(element_count(sizes)) : 0);
  matrix_tile tile;
  std::size_t first_element = 0;
  for (const coordinate_tuple& batch : coordinates_of(batches)) {
    const matrix_view<T> left = transformed(matrix_of<T>(a, batch), desc.trans_a);
    const matrix_view<T> right = transformed(matrix_of<T>(b, batch), desc.trans_b).transposed();
    const matrix_view<T> wanted = matrix_of<T>(golden, batch);
    std::optional<matrix_view<T>> addends;
    if (c) addends = matrix_of<T>(*c, batch);
    const gemm_bounds bounds(desc, left.columns, c.has_value(), mode);
    for (std::uint64_t number = 0; number < grid.count(); ++number) {
      const tile_grid::place at = grid.at(number);
      const matrix_view<T> rows = left.rows_from(at.row, at.rows), columns = right.rows_from(at.column, at.columns);
      tile.multiply(rows, columns, true);
      for (std::uint64_t i = 0; i < at.rows; ++i)
        for (std::uint64_t j = 0; j < at.columns; ++j) {
          const std::uint64_t y = at.row + i, x = at.column + j;
          const gemm_sums sums = sums_of(tile, i, j, rows, columns, bounds);
          const bound w = bounds.of(sums, tile.rows[i], tile.columns[j], addends ? addends->at(y, x) : 0);
          const std::size_t element = first_element + static_cast<std::size_t>(y * grid.columns + x);
          if (softmax_axes) {
            sums_of_softmax[element] = w;
            continue;
          }
          result.allow_interval_beside(element, arithmetic::fused_interval<T>(desc.fused_activation, w, mode),
                                       wanted.at(y, x));
        }
    }
    first_element += static_cast<std::size_t>(grid.rows * grid.columns);
  }
  if (softmax_axes) add_fused_softmax_verdicts<T>(*softmax_axes, sums_of_softmax, mode, golden, result);
}

}  // namespace goldml::detail

namespace goldml::oracle {

namespace detail {

// Rows of the left matrices, columns of the right ones, batch after batch.
template <class T>
void set_gemm_sums(const gemm_desc& desc, std::span<const const_tensor_ref> inputs, const dimensions& sizes,
                   fit_sums& result) {
  const auto lines_of = [&](const const_tensor_ref& input, bool transposed, std::uint64_t count) {
    return [view = input.as<T>(), transposed, count, batches = sizes.slice(0, sizes.size() - 2)](
               std::uint64_t line, std::vector<float>& numbers) {
      matrix_view<T> m = matrix_of<T>(view, coordinate_at(batches, line / count));
      if (transposed) m = m.transposed();
      numbers.resize(m.columns);
      for (std::uint64_t k = 0; k < m.columns; ++k)
        numbers[k] = static_cast<float>(m.data[line % count * m.row_stride + k * m.column_stride]);
    };
  };
  const std::uint64_t rows = sizes[sizes.size() - 2], columns = sizes[sizes.size() - 1];
  const bool trans_a = desc.trans_a == matrix_transform::transpose;
  const bool trans_b = desc.trans_b == matrix_transform::transpose;
  result.rows = element_count(sizes) / columns;
  result.columns = columns;
  result.left = lines_of(inputs[0], trans_a, rows);
  result.right = lines_of(inputs[1], !trans_b, columns);
  const std::uint64_t count = inputs[0].desc().sizes[sizes.size() - (trans_a ? 2 : 1)];
  std::optional<tensor_view<const T>> c;
  if (inputs[2].present() && !is_zero(desc.beta)) c = inputs[2].as<T>();
  result.place_of = [=, beta = exact_double(desc.beta)](std::uint64_t e) {
    return fit_place{e / columns, e / columns / rows * columns + e % columns, count,
                     c ? beta * exact_double((*c)[coordinate_at(sizes, e)]) : 0};
  };
  result.has_right = result.is_matrix = true;
  result.model.has_addend = c.has_value();
}

}  // namespace detail

template <std::same_as<gemm_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const gemm_desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      std::optional<tensor_view<const T>> c;
      if (inputs[2].present()) c = inputs[2].as<T>();
      goldml::detail::add_gemm_verdicts<T>(desc, inputs[0].as<T>(), inputs[1].as<T>(), c, golden[0].as<T>(), flushes,
                                           result[0]);
    });
  }
  // A byte and an interval for each element, with an activation another and two bytes, with SOFTMAX also a bound, and
  // the doubles of a tile.
  static std::uint64_t verdict_memory(const gemm_desc& desc, const std::array<operand, 4>& t) {
    const bool keeps_bounds =
        goldml::detail::fused_softmax_axes(desc.fused_activation, t[3].desc->sizes.size()).has_value();
    const std::uint64_t elements = saturating_multiply(element_count(t[3].desc->sizes),
                                                       1 + sizeof(interval) + (keeps_bounds ? 2 * sizeof(bound) : 0) +
                                                           (desc.fused_activation ? more_interval_memory : 0));
    return saturating_add(elements, matrix_tile::most_memory);
  }

  static bool sums(const gemm_desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                   fit_sums& result) {
    const bool single = output.data_type == data_type::float32 && desc.accumulation == accumulation::single;
    if (is_zero(desc.alpha) || !set_fused_sums(desc.fused_activation, single, result)) return false;
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      detail::set_gemm_sums<T>(desc, inputs, output.sizes, result);
    });
    result.alpha = exact_double(desc.alpha);
    result.model.scales = std::abs(result.alpha) != 1;
    result.model.set(output.data_type, desc.accumulation);
    return true;
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options(&sums);
};

}  // namespace goldml::oracle
