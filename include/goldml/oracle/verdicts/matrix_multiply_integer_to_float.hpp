// What a device may answer to MATRIX_MULTIPLY_INTEGER_TO_FLOAT (SPEC-quantised 4.9; ledger QU-R11, QU-R17).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/integer_total.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/operators/integer_operands.hpp>
#include <goldml/operators/integer_products.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// The sums of products of elements and of their magnitudes: of integers of 8 bits as products of matrices.
class scaled_sums {
 public:
  scaled_sums(std::span<const const_tensor_ref> inputs, const precision& of)
      : inputs_(inputs), rows_(rows_of(inputs)), columns_(columns_of(inputs)), precision_(of) {
    const auto width = [&](std::size_t i) { return element_size_in_bytes(inputs[i].desc().data_type); };
    are_bytes_ = width(0) == 1 && width(3) == 1;
  }

  // Reads the lines of a batch.
  void start(const coordinate_tuple& batch, std::uint64_t m, std::uint64_t n) {
    batch_ = batch;
    const auto read = [&](const line_reader& from, std::size_t scale, std::uint64_t count, std::vector<line>& lines,
                          std::vector<arithmetic::integer_line>& known) {
      lines.resize(static_cast<std::size_t>(count));
      known.assign(static_cast<std::size_t>(count), {});
      for (std::size_t i = 0; i < lines.size(); ++i) {
        auto& [differences, lost, any_lost] = lines[i];
        from.read(batch, i, differences);
        const std::int64_t zero = zero_point_at(from.zero_point, i);
        const double of_scale = scale_at(inputs_[scale], i);
        lost.clear();
        any_lost = false;
        for (const std::int64_t d : differences) {
          lost.push_back(are_bytes_ ? 0 : arithmetic::lost_in_difference(d, zero, precision_));
          any_lost = any_lost || lost.back() > 0;
          known[i].add(d, zero, of_scale, lost.back());
        }
        if (are_bytes_) lines[i] = {};
      }
    };
    read(rows_, 1, m, row_elements_, rows);
    read(columns_, 4, n, column_elements_, columns);
  }
  // Computes a tile, of which element (i, j) is that of row at.row + i and column at.column + j.
  void compute(const tile_grid::place& at) {
    at_ = at;
    if (!are_bytes_) return;
    using bytes = type_list<std::int8_t, std::uint8_t>;
    visit_data_type(bytes{}, inputs_[0].desc().data_type, [&]<class A>(std::type_identity<A>) {
      visit_data_type(bytes{}, inputs_[3].desc().data_type, [&]<class B>(std::type_identity<B>) {
        const auto zeros = [&]<class Q>(std::type_identity<Q>, std::size_t i) {
          return line_parameters<Q>(inputs_[i].present() ? std::optional(inputs_[i].as<Q>()) : std::nullopt);
        };
        tile_.multiply(matrix_of<A>(inputs_[0].as<A>(), batch_).rows_from(at.row, at.rows),
                       zeros(std::type_identity<A>{}, 2), at.row,
                       matrix_of<B>(inputs_[3].as<B>(), batch_).transposed().rows_from(at.column, at.columns),
                       zeros(std::type_identity<B>{}, 5), at.column, true);
      });
    });
  }
  // Adds what is known of an element of the tile.
  void get(std::uint64_t i, std::uint64_t j, arithmetic::integer_total& total, arithmetic::scaled_sum& sum) const {
    sum.magnitude = sum.lost = 0;
    if (are_bytes_) {
      total.add(static_cast<std::int64_t>(tile_.sums.data()[i * at_.columns + j]));
      sum.magnitude = tile_.magnitudes.data()[i * at_.columns + j];
    } else {
      const line &row = row_elements_[at_.row + i], &column = column_elements_[at_.column + j];
      const bool any_lost = row.any_lost || column.any_lost;
      for (std::size_t k = 0; k < row.differences.size(); ++k) {
        total.add_product(row.differences[k], column.differences[k]);
        const double a = std::abs(static_cast<double>(row.differences[k]));
        const double b = std::abs(static_cast<double>(column.differences[k]));
        sum.magnitude += a * b;
        if (any_lost) sum.lost += row.lost[k] * (b + column.lost[k]) + a * column.lost[k];
      }
    }
    sum.sum = total.nearly();
  }

  std::vector<arithmetic::integer_line> rows, columns;

 private:
  // The elements less the zero point, and by how much each may be off in the device's precision.
  struct line {
    std::vector<std::int64_t> differences;
    std::vector<double> lost;
    bool any_lost = false;
  };

  std::span<const const_tensor_ref> inputs_;
  line_reader rows_, columns_;
  const precision& precision_;
  bool are_bytes_ = false;
  coordinate_tuple batch_;
  tile_grid::place at_{};
  std::vector<line> row_elements_, column_elements_;
  integer_sums tile_;
};

template <class T>
void add_scaled_verdicts(const matrix_multiply_integer_to_float_desc& desc, std::span<const const_tensor_ref> inputs,
                         const tensor_view<const T>& golden, bool flushes, output_verdicts& result) {
  constexpr bool single = std::is_same_v<T, float>;
  const arithmetic_mode mode{single, flushes && single, desc.accumulation};
  const dimensions& sizes = golden.sizes();
  const tile_grid grid{sizes[sizes.size() - 2], sizes.back(), matrix_tile::most_lines};
  const auto terms = static_cast<double>(inputs[0].desc().sizes.back());
  const dimensions strides = inputs[6].present() ? effective_strides(inputs[6].desc()) : dimensions{};
  result.range.unusual = single ? "float accumulation: farther off than a sum of integers gets (ledger QU-R11)"
                                : "float accumulation, or operands in half precision: farther off than a sum of "
                                  "integers gets (ledger QU-R11)";
  scaled_sums sums(inputs, mode.rounds_to_half() ? half_precision : single_precision);
  std::uint64_t first_element = 0;
  for (const coordinate_tuple& batch : coordinates_of(sizes.slice(0, sizes.size() - 2))) {
    sums.start(batch, grid.rows, grid.columns);
    for (std::uint64_t number = 0; number < grid.count(); ++number) {
      const tile_grid::place at = grid.at(number);
      sums.compute(at);
      for (std::uint64_t place = 0; place < at.rows * at.columns; ++place) {
        const std::uint64_t i = at.row + place / at.columns, j = at.column + place % at.columns;
        const auto element = static_cast<std::size_t>(first_element + i * grid.columns + j);
        arithmetic::integer_total total;
        arithmetic::scaled_sum sum{.terms = terms,
                                   .a_scale = scale_at(inputs[1], i),
                                   .b_scale = scale_at(inputs[4], j),
                                   .has_bias = inputs[6].present()};
        sums.get(place / at.columns, place % at.columns, total, sum);
        coordinate_tuple c = batch;
        c.push_back(static_cast<std::uint32_t>(i));
        c.push_back(static_cast<std::uint32_t>(j));
        sum.bias = sum.has_bias ? float_at(inputs[6], offset_of(c, strides)) : 0;
        const arithmetic::scaled_freedom free =
            arithmetic::scaled_freedom_of(sum, sums.rows[i], sums.columns[j], single, mode);
        if (free.undefined || !total.is_int32()) {
          result.make_undefined(element);
          continue;
        }
        const double y = arithmetic::scaled_total(total, sum.a_scale, sum.b_scale, sum.bias);
        interval allowed = interval_of<T>(y, free.error, free.usual_error);
        allowed.also = static_cast<std::uint8_t>(allowed.also | free.also);
        result.allow_interval_beside(element, allowed, T(golden[c]));
      }
    }
    first_element += grid.rows * grid.columns;
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<matrix_multiply_integer_to_float_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc, 1> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      goldml::detail::add_scaled_verdicts<T>(desc, inputs, const_tensor_ref(golden[0]).as<T>(), flushes, result[0]);
    });
  }
  // A byte and an interval for each element, the lines of a batch with what is known of them, and a tile.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    const dimensions &a = t[0].desc->sizes, &b = t[3].desc->sizes;
    const std::uint64_t lines =
        saturating_multiply(std::uint64_t{a[a.size() - 2]} + b.back(), 2 * std::uint64_t{a.back()} + 16);
    constexpr std::uint64_t most = matrix_tile::most_lines;
    return saturating_add(saturating_add(saturating_multiply(element_count(t[7].desc->sizes), 1 + sizeof(interval)),
                                         saturating_multiply(lines, sizeof(std::int64_t))),
                          goldml::detail::integer_sums::memory(most, most, most));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc, 1>::flushing_options();
};

}  // namespace goldml::oracle
