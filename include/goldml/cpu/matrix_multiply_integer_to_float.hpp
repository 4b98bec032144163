// MATRIX_MULTIPLY_INTEGER_TO_FLOAT on the CPU.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <goldml/arithmetic/integer_total.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/integer_products.hpp>
#include <goldml/operators/integer_operands.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>

namespace goldml {

template <>
struct kernel<matrix_multiply_integer_to_float_desc, cpu_backend> {
  // A template, so that only a unit with a call instantiates the engine for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const matrix_multiply_integer_to_float_desc&) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const target<T> to(inputs, outputs[0]);
      const auto are_bytes = [&](std::size_t i) {
        return detail::quantised_bytes.contains(inputs[i].desc().data_type);
      };
      if (are_bytes(0) && are_bytes(3))
        multiply_bytes(backend, inputs, to);
      else
        multiply(backend, inputs, to);
    });
  }

 private:
  // Where results go.
  template <class T>
  struct target {
    target(std::span<const const_tensor_ref> inputs, const tensor_ref& output)
        : all(inputs), y(output.as<T>()), batches(y.sizes().slice(0, y.sizes().size() - 2)) {
      if (inputs[6].present()) bias_strides = effective_strides(inputs[6].desc());
    }

    // The element of these lines.
    void store(const coordinate_tuple& batch, std::uint64_t i, std::uint64_t j, double a_scale, double b_scale,
               const arithmetic::integer_total& total) const {
      const std::size_t column = y.sizes().size() - 1, row = column - 1;
      const auto offset = [&](const dimensions& strides) {
        std::uint64_t result = i * strides[row] + j * strides[column];
        for (std::size_t d = 0; d < batch.size(); ++d) result += std::uint64_t{batch[d]} * strides[d];
        return result;
      };
      const double bias = bias_strides.size() == 0 ? 0 : detail::float_at(all[6], offset(bias_strides));
      y.data()[offset(y.strides())] = rounded<T>(arithmetic::scaled_total(total, a_scale, b_scale, bias));
    }

    std::span<const const_tensor_ref> all;
    tensor_view<T> y;
    dimensions batches, bias_strides = {};
  };

  template <class T>
  static void multiply_bytes(const cpu_backend& backend, std::span<const const_tensor_ref> inputs,
                             const target<T>& to) {
    using bytes = type_list<std::int8_t, std::uint8_t>;
    visit_data_type(bytes{}, inputs[0].desc().data_type, [&]<class A>(std::type_identity<A>) {
      visit_data_type(bytes{}, inputs[3].desc().data_type, [&]<class B>(std::type_identity<B>) {
        const auto zeros = [&]<class Q>(std::type_identity<Q>, std::size_t i) {
          return detail::line_parameters<Q>(inputs[i].present() ? std::optional(inputs[i].as<Q>()) : std::nullopt);
        };
        detail::integer_products(backend, inputs[0].as<A>(), zeros(std::type_identity<A>{}, 2), inputs[3].as<B>(),
                                 zeros(std::type_identity<B>{}, 5), to.y.sizes(),
                                 [&](const coordinate_tuple& batch, const tile_grid::place& at, const auto& sums) {
                                   const detail::ieee_arithmetic mode;
                                   for (std::uint64_t i = 0; i < at.rows; ++i) {
                                     const double a_scale = detail::scale_at(inputs[1], at.row + i);
                                     for (std::uint64_t j = 0; j < at.columns; ++j) {
                                       arithmetic::integer_total total;
                                       total.add(static_cast<std::int64_t>(sums.data()[i * at.columns + j]));
                                       to.store(batch, at.row + i, at.column + j, a_scale,
                                                detail::scale_at(inputs[4], at.column + j), total);
                                     }
                                   }
                                 });
      });
    });
  }

  // Row by row, with the columns of a tile as integers of 64 bits.
  template <class T>
  static void multiply(const cpu_backend& backend, std::span<const const_tensor_ref> inputs, const target<T>& to) {
    constexpr std::uint64_t most_columns = 64;
    const dimensions& sizes = to.y.sizes();
    const std::uint64_t m = sizes[sizes.size() - 2], n = sizes.back(), parts = (n + most_columns - 1) / most_columns;
    const std::uint64_t work = saturating_multiply(element_count(sizes), inputs[0].desc().sizes.back());
    detail::parallel_for(backend, work, element_count(to.batches) * parts, [&](std::uint64_t begin, std::uint64_t end) {
      const detail::ieee_arithmetic mode;
      std::vector<std::int64_t> row;
      std::vector<std::vector<std::int64_t>> columns;
      for (std::uint64_t number = begin; number < end; ++number) {
        const coordinate_tuple batch = coordinate_at(to.batches, number / parts);
        const std::uint64_t first = number % parts * most_columns;
        columns.resize(static_cast<std::size_t>((std::min)(most_columns, n - first)));
        for (std::size_t j = 0; j < columns.size(); ++j) detail::columns_of(inputs).read(batch, first + j, columns[j]);
        for (std::uint64_t i = 0; i < m; ++i) {
          detail::rows_of(inputs).read(batch, i, row);
          const double a_scale = detail::scale_at(inputs[1], i);
          for (std::size_t j = 0; j < columns.size(); ++j) {
            arithmetic::integer_total total;
            for (std::size_t k = 0; k < row.size(); ++k) total.add_product(row[k], columns[j][k]);
            to.store(batch, i, first + j, a_scale, detail::scale_at(inputs[4], first + j), total);
          }
        }
      }
    });
  }
};

}  // namespace goldml
