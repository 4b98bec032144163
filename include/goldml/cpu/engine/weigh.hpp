// Sums of elements by weights that are products of one for each axis, rounded once; and copies of one element each.
// Rows are summed across the other axes first, in double, and what that does not decide is computed exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/cpu/engine/float_bounds.hpp>
#include <goldml/cpu/engine/weigh_loops.hpp>

namespace goldml::detail {

// Calls f(coordinates with 0 on the last axis) for the rows of an output, on the threads of the backend's pool.
template <class F>
void for_each_row(const cpu_backend& backend, std::uint64_t bytes, const dimensions& sizes, const F& make_row) {
  const std::size_t last = sizes.size() - 1;
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i < last; ++i) rows *= sizes[i];
  parallel_for(backend, bytes, rows, [&](std::uint64_t begin, std::uint64_t end) {
    const ieee_arithmetic mode;
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

// The taps of the last axis, as many for each output: those that are missing have the weight 0.
struct row_of_taps {
  std::vector<std::uint32_t> at;
  std::vector<double> weights;
  std::size_t taps = 0, count = 0;

  row_of_taps() = default;
  explicit row_of_taps(const axis_taps& axis) : count(weigh_loops::whole_blocks(axis.size())) {
    for (std::uint32_t q = 0; q < axis.size(); ++q) taps = (std::max)(taps, axis.of(q).size());
    at.resize(taps * count);
    weights.resize(at.size());
    for (std::uint32_t q = 0; q < axis.size(); ++q)
      for (std::size_t k = 0; k < axis.of(q).size(); ++k) {
        at[k * count + q] = axis.of(q)[k].at;
        weights[k * count + q] = axis.of(q)[k].weight;
      }
  }
};

// What all products of the weights of the axes are multiples of, if these are exact and have few bits; otherwise 0.
inline double unit_of_weights(std::span<const axis_taps> axes) {
  double unit = 1;
  for (const axis_taps& axis : axes) {
    double least = 1;
    for (std::uint32_t q = 0; q < axis.size(); ++q)
      for (const axis_tap& tap : axis.of(q)) {
        if (tap.weight > 1) return 0;
        least = (std::min)(least, std::ldexp(1.0, odd_part(tap.weight).exponent));
      }
    unit *= axis.has_exact_weights ? least : 0;
  }
  return unit >= 0x1p-20 ? unit : 0;
}
// The most that the weights of an element of the output add up to.
inline double most_of_weights(std::span<const axis_taps> axes) {
  double result = 1;
  for (const axis_taps& axis : axes) {
    double most = 0;
    for (std::uint32_t q = 0; q < axis.size(); ++q) {
      double sum = 0;
      for (const axis_tap& tap : axis.of(q)) sum += tap.weight;
      most = (std::max)(most, sum);
    }
    result *= most;
  }
  return result;
}

// output[c] = store(the sum by the weights of all axes). value(x) is an element as a double.
template <class T, class Value, class Store>
void weigh_elements(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                    std::span<const axis_taps> axes, const Value& value, const Store& store) {
  const std::size_t last = axes.size() - 1;
  const row_columns columns(axes[last], input.sizes()[last]);
  const std::size_t width = columns.used.size();
  const std::uint64_t step = input.strides()[last];
  // Rows of which all elements are used, one after the other; of more taps than these the padding would cost.
  const bool at_once = std::is_same_v<T, float> && step == 1 && width == input.sizes()[last] && width != 0;
  const row_of_taps padded = at_once ? row_of_taps(columns.taps[0]) : row_of_taps();
  const bool by_rows = at_once && padded.taps <= 8;
  // A sum of numbers with 24 bits by such weights, as long as it is not greater than the least one by more than this.
  const double unit = by_rows ? unit_of_weights(axes) : 0, exact = unit * 0x1p28;
  const double units = unit > 0 ? most_of_weights(axes) / unit : 0;
  const std::size_t room = by_rows ? weigh_loops::whole_blocks(width) : width;
  const instruction_set set = backend.instruction_set();
  const auto make_row = [&] {
    return [&, rows = std::vector<std::pair<const T*, double>>(), sums = std::vector<double>(room),
            magnitudes = std::vector<double>(room), results = std::vector<float>(padded.count),
            doubt = std::vector<std::uint32_t>(padded.count)](coordinate_tuple& c) mutable {
      const std::uint64_t out_step = output.strides()[last];
      T* const to = output.data() + offset_of(c, output.strides());
      rows.clear();
      for_each_tap(axes.first(last), c, [&](double weight, const coordinate_tuple& at) {
        coordinate_tuple first = at;
        first[last] = 0;
        rows.emplace_back(input.data() + offset_of(first, input.strides()), weight);
      });
      double least = infinite_double;
      if constexpr (std::is_same_v<T, float>) {
        constexpr auto most = instruction_set::avx2;
        float_bounds bounds;
        for (const auto& row : rows)
          if (unit > 0) simd::dispatch<find_bounds<float>, most>(set, row.first, 1U, width, bounds);
        if (unit > 0 && !rows.empty() && bounds.are_exact(units)) {
          for (const auto& row : rows)
            simd::dispatch<weigh_loops::add_exactly, most>(set, row.first, width, row.second, &row == rows.data(),
                                                           sums.data());
          simd::dispatch<weigh_loops::round_exactly, most>(set, sums.data(), padded.at.data(), padded.weights.data(),
                                                           padded.taps, padded.count, results.data());
          if (out_step == 1) return void(std::copy_n(results.begin(), output.sizes()[last], to));
          for (std::size_t q = 0; q < output.sizes()[last]; ++q) to[q * out_step] = results[q];
          return;
        }
        if (by_rows) {
          std::fill(sums.begin(), sums.end(), 0.0);
          std::fill(magnitudes.begin(), magnitudes.end(), 0.0);
          for (const auto& [from, weight] : rows)
            simd::dispatch<weigh_loops::add_row, most>(set, from, width, weight, sums.data(), magnitudes.data(), least);
        }
      }
      for (std::size_t row = 0; !by_rows && row < rows.size(); ++row)
        for (std::size_t i = 0; i < width; ++i) {
          const double x = rows[row].second * value(rows[row].first[columns.used[i] * step]);
          sums[i] = row == 0 ? x : sums[i] + x;
          magnitudes[i] = row == 0 ? std::abs(x) : magnitudes[i] + std::abs(x);
        }
      const double row_count = static_cast<double>(rows.size());
      const bool rounds = by_rows && !rows.empty();
      if (rounds) {
        const weighted_estimate one{0, 1, row_count * static_cast<double>(padded.taps)};
        simd::dispatch<weigh_loops::round_row, instruction_set::avx2>(
            set, sums.data(), magnitudes.data(), padded.at.data(), padded.weights.data(), padded.taps, padded.count,
            exact * least, one.error() * (1 + 0x1p-40), results.data(), doubt.data());
      }
      for (std::uint32_t q = 0; q < output.sizes()[last]; ++q) {
        if (rounds && doubt[q] == 0) {
          if constexpr (std::is_same_v<T, float>) to[q * out_step] = results[q];
          continue;
        }
        double sum = 0, magnitude = 0;
        const auto taps = columns.taps[0].of(q);
        if (!rows.empty())
          for (const axis_tap& tap : taps) {
            sum += tap.weight * sums[tap.at];
            magnitude += tap.weight * magnitudes[tap.at];
          }
        const weighted_estimate estimate{sum, magnitude, row_count * static_cast<double>(taps.size())};
        const auto result = certain_store(estimate.value, estimate.error(), store);
        c[last] = q;
        to[q * out_step] =
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
  const std::uint64_t out_step = output.strides()[last];
  std::vector<std::uint64_t> offsets;
  for (std::uint32_t q = 0; q < output.sizes()[last]; ++q)
    offsets.push_back(std::uint64_t{axes[last].of(q)[0].at} * input.strides()[last]);
  const auto make_row = [&] {
    // The row before, which is often of the same elements.
    return [&, last_from = static_cast<const T*>(nullptr),
            last_to = static_cast<const T*>(nullptr)](coordinate_tuple& c) mutable {
      for_each_tap(axes.first(last), c, [&](double, const coordinate_tuple& at) {
        coordinate_tuple first = at;
        first[last] = 0;
        const T* const from = input.data() + offset_of(first, input.strides());
        T* const to = output.data() + offset_of(c, output.strides());
        if (from == last_from && out_step == 1)
          std::memcpy(to, last_to, offsets.size() * sizeof(T));
        else
          for (std::size_t q = 0; q < offsets.size(); ++q)  // bits, whatever they are as numbers
            std::memcpy(to + q * out_step, from + offsets[q], sizeof(T));
        last_from = from;
        last_to = to;
      });
    };
  };
  for_each_row(backend, 2 * element_count(output.sizes()) * sizeof(T), output.sizes(), make_row);
}

}  // namespace goldml::detail
