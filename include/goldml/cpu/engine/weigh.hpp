// Sums of elements by weights that are products of one for each axis, rounded once; and copies of one element each.
// Rows are summed across the other axes first, in double, and what that does not decide is computed exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

namespace goldml::detail {

// Calls f(coordinates with 0 on the last axis) for the rows of an output, on the threads of the backend's pool.
template <class F>
void for_each_row(const cpu_backend& backend, std::uint64_t bytes, const dimensions& sizes, const F& make_row) {
  const std::size_t last = sizes.size() - 1;
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i < last; ++i) rows *= sizes[i];
  parallel_for(backend, bytes, rows, [&](std::uint64_t begin, std::uint64_t end) {
    auto row = make_row();
    for (std::uint64_t number = begin; number < end; ++number) {
      coordinate_tuple c = coordinate_tuple::filled(sizes.size(), 0);
      std::uint64_t rest = number;
      for (std::size_t i = last; i-- > 0; rest /= sizes[i]) c[i] = static_cast<std::uint32_t>(rest % sizes[i]);
      row(c);
    }
  });
}

// The elements of the input's rows that are read, and which of these each tap of the last axis reads.
struct row_columns {
  std::vector<std::uint32_t> used;
  std::vector<axis_taps> taps;  // one, with numbers of `used` as elements

  row_columns(const axis_taps& axis, std::uint32_t inputs) {
    std::vector<bool> is_used(inputs);
    for (std::uint32_t q = 0; q < axis.size(); ++q)
      for (const axis_tap& tap : axis.of(q)) is_used[tap.at] = true;
    std::vector<std::uint32_t> number(inputs);
    for (std::uint32_t i = 0; i < inputs; ++i)
      if (is_used[i]) {
        number[i] = static_cast<std::uint32_t>(used.size());
        used.push_back(i);
      }
    axis_taps numbered;
    numbered.reserve(axis.size(), axis.tap_count());
    for (std::uint32_t q = 0; q < axis.size(); ++q) {
      for (const axis_tap& tap : axis.of(q)) numbered.add(number[tap.at], tap.weight);
      numbered.end_coordinate();
    }
    taps.push_back(std::move(numbered));
  }
};

// output[c] = store(the sum by the weights of all axes). value(x) is an element as a double.
template <class T, class Value, class Store>
void weigh_elements(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                    std::span<const axis_taps> axes, const Value& value, const Store& store) {
  const std::size_t last = axes.size() - 1;
  const row_columns columns(axes[last], input.sizes()[last]);
  const std::size_t width = columns.used.size();
  const std::uint64_t step = input.strides()[last];
  const auto make_row = [&] {
    return
        [&, sums = std::vector<double>(width), magnitudes = std::vector<double>(width)](coordinate_tuple& c) mutable {
          double rows = 0;
          for_each_tap(axes.first(last), c, [&](double weight, const coordinate_tuple& at) {
            coordinate_tuple first = at;
            first[last] = 0;
            const T* const from = input.data() + offset_of(first, input.strides());
            const bool is_first = is_zero(rows++);
            for (std::size_t i = 0; i < width; ++i) {
              const double x = weight * value(from[columns.used[i] * step]);
              sums[i] = is_first ? x : sums[i] + x;
              magnitudes[i] = is_first ? std::abs(x) : magnitudes[i] + std::abs(x);
            }
          });
          T* const to = output.data() + offset_of(c, output.strides());
          for (std::uint32_t q = 0; q < output.sizes()[last]; ++q) {
            double sum = 0, magnitude = 0;
            const auto taps = columns.taps[0].of(q);
            if (!is_zero(rows))
              for (const axis_tap& tap : taps) {
                sum += tap.weight * sums[tap.at];
                magnitude += tap.weight * magnitudes[tap.at];
              }
            const weighted_estimate estimate{sum, magnitude, rows * static_cast<double>(taps.size())};
            const auto result = certain_store(estimate.value, estimate.error(), store);
            c[last] = q;
            to[std::uint64_t{q} * output.strides()[last]] =
                result ? *result
                       : store(weighted_sum(axes, c, [&](const coordinate_tuple& at) { return value(T(input[at])); }));
          }
          c[last] = 0;
        };
  };
  for_each_row(backend, 8 * element_count(output.sizes()) * sizeof(T), output.sizes(), make_row);
}

// output[c] = the one element that c is made of.
template <class T>
void pick_elements(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                   std::span<const axis_taps> axes) {
  const std::size_t last = axes.size() - 1;
  const std::uint64_t step = input.strides()[last], out_step = output.strides()[last];
  const auto make_row = [&] {
    return [&](coordinate_tuple& c) {
      for_each_tap(axes.first(last), c, [&](double, const coordinate_tuple& at) {
        coordinate_tuple first = at;
        first[last] = 0;
        const T* const from = input.data() + offset_of(first, input.strides());
        T* const to = output.data() + offset_of(c, output.strides());
        for (std::uint32_t q = 0; q < output.sizes()[last]; ++q)  // bits, whatever they are as numbers
          std::memcpy(to + q * out_step, from + axes[last].of(q)[0].at * step, sizeof(T));
      });
    };
  };
  for_each_row(backend, 2 * element_count(output.sizes()) * sizeof(T), output.sizes(), make_row);
}

}  // namespace goldml::detail
