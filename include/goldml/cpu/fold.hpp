// FOLD and UNFOLD on the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/pooling.hpp>
#include <goldml/operators/fold.hpp>
#include <goldml/operators/fold_values.hpp>

namespace goldml {

// Row by row of the columns, a run of windows along the last axis at once.
template <>
struct kernel<unfold_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates it for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const unfold_desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    detail::visit_width(outputs[0].desc().data_type, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      unfold<Size>(backend, input, output, detail::fold_shape(desc, input.sizes));
    });
  }

 private:
  template <std::size_t Size>
  static void unfold(const cpu_backend& backend, const detail::host_input& input, const detail::host_output& output,
                     const detail::fold_shape& shape) {
    const std::size_t rank = output.sizes.size(), axes = shape.windows().size();
    const std::uint64_t rows = output.sizes[rank - 2], window = shape.window();
    const detail::window_axis& last = shape.windows()[axes - 1];
    dimensions blocks = shape.counts().slice(2, 2 + axes);
    blocks[axes - 1] = 1;
    const std::uint64_t to_step = std::uint64_t{output.strides[rank - 1]} * Size;
    const std::uint64_t from_step = last.stride * input.strides[1 + axes] * Size;
    const std::uint64_t bytes = 2 * Size * element_count(output.sizes);
    detail::parallel_for(backend, bytes, output.sizes[rank - 3] * rows, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t number = begin; number < end; ++number) {
        const std::uint64_t batch = number / rows, row = number % rows;
        const coordinate_tuple tap = coordinate_at(shape.taps(), row % window);
        std::byte* to = output.data + (batch * output.strides[rank - 3] + row * output.strides[rank - 2]) * Size;
        const std::byte* const plane = input.data + (batch * input.strides[0] + row / window * input.strides[1]) * Size;
        const auto [first, past] = last.windows_inside(tap[axes - 1]);
        for (const coordinate_tuple& block : coordinates_of(blocks)) {
          std::uint64_t offset = 0;
          bool inside = first < past;
          for (std::size_t i = 0; i + 1 < axes && inside; ++i) {
            const detail::window_axis& axis = shape.windows()[i];
            const std::uint64_t at = block[i] * axis.stride + tap[i] * axis.dilation;
            inside = at >= axis.start && at - axis.start < axis.input;
            offset += (at - axis.start) * input.strides[2 + i];
          }
          const std::uint64_t begin_inside = inside ? first : last.output, end_inside = inside ? past : last.output;
          clear<Size>(to, to_step, begin_inside);
          if (inside) {
            offset += (first * last.stride + tap[axes - 1] * last.dilation - last.start) * input.strides[1 + axes];
            copy<Size>(to + first * to_step, to_step, plane + offset * Size, from_step, past - first);
          }
          clear<Size>(to + end_inside * to_step, to_step, last.output - end_inside);
          to += last.output * to_step;
        }
      }
    });
  }

  template <std::size_t Size>
  static void clear(std::byte* to, std::uint64_t step, std::uint64_t count) {
    if (step == Size)
      std::memset(to, 0, static_cast<std::size_t>(count * Size));
    else
      for (std::uint64_t i = 0; i < count; ++i) std::memset(to + i * step, 0, Size);
  }
  template <std::size_t Size>
  static void copy(std::byte* to, std::uint64_t to_step, const std::byte* from, std::uint64_t from_step,
                   std::uint64_t count) {
    if (to_step == Size && from_step == Size)
      std::memcpy(to, from, static_cast<std::size_t>(count * Size));
    else
      for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, Size);
  }
};

// Row by row of the image: FLOAT32 and FLOAT16 in double, and again exactly where that does not decide how the sum is
// rounded; FLOAT64 exactly.
template <>
struct kernel<fold_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const fold_desc& desc) {
    const dimensions& sizes = output.sizes();
    const detail::fold_shape shape(desc, sizes);
    const std::size_t rank = input.sizes().size(), last = sizes.size() - 1;
    const auto exact = [&](const coordinate_tuple& c) {
      detail::golden_sum<T> sum;
      shape.windows().for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple& tap) {
        sum.add(input[shape.column_of(o, tap, rank)]);
      });
      return sum.value();
    };
    const std::uint64_t bytes = 2 * sizeof(T) * element_count(input.sizes());
    detail::for_window_rows(backend, bytes, sizes, [&] {
      return [&, sums = std::vector<cell<T>>(sizes.back())](coordinate_tuple c) mutable {
        std::fill(sums.begin(), sums.end(), cell<T>{});
        if constexpr (!std::is_same_v<T, double>) add_row(input, shape, c, sums);
        for (std::size_t i = 0; i < sums.size(); ++i) {
          c[last] = static_cast<std::uint32_t>(i);
          std::optional<T> result;
          if constexpr (!std::is_same_v<T, double>) result = sums[i].value();
          output[c] = result ? *result : exact(c);
        }
      };
    });
  }

 private:
  // A sum: of integers modulo 2^64.
  template <class T>
  struct cell {
    std::conditional_t<std::is_integral_v<T>, std::uint64_t, double> sum{};
    double magnitude = 0;
    std::uint32_t terms = 0;

    void add(T x) {
      if constexpr (std::is_integral_v<T>) {
        sum += static_cast<std::uint64_t>(x);
      } else {
        const double number = exact_double(x);
        sum = terms++ == 0 ? number : sum + number;  // the sign of a zero
        magnitude += std::abs(number);
      }
    }
    std::optional<T> value() const {
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(sum);
      } else {
        if (terms == 0) return T(0);
        if (terms == 1 && detail::is_finite_double(sum)) return goldml::rounded<T>(sum);
        return detail::certain<T>({sum, growth(terms + 3.0, 0x1p-53) * magnitude});
      }
    }
  };

  template <class T>
  static void add_row(const tensor_view<const T>& input, const detail::fold_shape& shape, const coordinate_tuple& c,
                      std::vector<cell<T>>& sums) {
    const std::size_t axes = shape.windows().size(), rank = input.sizes().size();
    const detail::window_axis& axis = shape.windows()[axes - 1];
    const std::uint64_t column = input.strides()[rank - 1], row = input.strides()[rank - 2];
    shape.windows().for_hits(c, axes - 1, [&](coordinate_tuple o, coordinate_tuple tap) {
      o[1 + axes] = tap[1 + axes] = 0;
      const T* const from = input.data() + offset_of(shape.column_of(o, tap, rank), input.strides());
      for (std::uint64_t j = 0; j < axis.window; ++j) {
        const auto [begin, end] = axis.windows_inside(j);
        if (begin == end) continue;
        const std::uint64_t at = begin * axis.stride + j * axis.dilation - axis.start;
        const T* const line = from + j * row + begin * column;
        for (std::uint64_t i = 0; i < end - begin; ++i) sums[at + i * axis.stride].add(line[i * column]);
      }
    });
  }
};

}  // namespace goldml
