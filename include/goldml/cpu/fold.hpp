// FOLD and UNFOLD on the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/row_of_sums.hpp>
#include <goldml/cpu/engine/windows.hpp>
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
      return [&, row = row_of<T>(backend.instruction_set(), input, shape)](coordinate_tuple c) mutable {
        row.add(c);
        row.store(output.data() + offset_of(c, output.strides()), output.strides()[last], [&](std::size_t i) {
          c[last] = static_cast<std::uint32_t>(i);
          return exact(c);
        });
      };
    });
  }

 private:
  // The sums of a row of the image: of integers modulo 2^bits, of floats in double. FLOAT64 has none.
  template <class T>
  class row_of {
   public:
    row_of(instruction_set set, const tensor_view<const T>& input, const detail::fold_shape& shape)
        : set_(set),
          input_(input),
          shape_(shape),
          axis_(shape.windows()[shape.windows().size() - 1]),
          line_(is_float ? axis_.output : 0),
          sums_(is_float ? axis_.input : 0),
          results_(is_float ? axis_.input : 0),
          integers_(static_cast<std::size_t>(is_float ? 0 : axis_.input)) {
      for (std::uint64_t i = 0; is_float && i < axis_.input; ++i)
        hits_.push_back(static_cast<double>(axis_.hits_of(i).count));
      hits_ = detail::numbers_of_row(hits_);
      ones_.assign(hits_.size(), 1);
    }

    void add(const coordinate_tuple& c) {
      if constexpr (std::is_same_v<T, double>) return;
      const std::size_t axes = shape_.windows().size(), rank = input_.sizes().size();
      const std::uint64_t column = input_.strides()[rank - 1], row = input_.strides()[rank - 2];
      sums_.clear(set_);
      std::fill(integers_.begin(), integers_.end(), integer{0});
      double outer = 0;
      shape_.windows().for_hits(c, axes - 1, [&](coordinate_tuple o, coordinate_tuple tap) {
        ++outer;
        o[1 + axes] = tap[1 + axes] = 0;
        const T* const from = input_.data() + offset_of(shape_.column_of(o, tap, rank), input_.strides());
        for (std::uint64_t j = 0; j < axis_.window; ++j) {
          const auto [begin, end] = axis_.windows_inside(j);
          if (begin == end) continue;
          const std::uint64_t at = begin * axis_.stride + j * axis_.dilation - axis_.start;
          add_line(from + j * row + begin * column, column, at, end - begin);
        }
      });
      if constexpr (is_float) results_.round(set_, sums_, hits_, ones_, outer, 1);
    }

    template <class F>
    void store(T* to, std::uint64_t step, const F& exactly) const {
      if constexpr (is_float)
        results_.store(to, step, exactly);
      else
        for (std::size_t i = 0; i < integers_.size(); ++i)
          to[i * step] = std::is_same_v<T, double> ? exactly(i) : static_cast<T>(integers_[i]);
    }

   private:
    static constexpr bool is_float = !std::is_integral_v<T> && !std::is_same_v<T, double>;
    using integer = simd::bits_of_size<sizeof(T)>;
    using rounded = std::conditional_t<is_float, T, float>;

    void add_line(const T* from, std::uint64_t step, std::uint64_t at, std::uint64_t count) {
      if constexpr (is_float) {
        if (axis_.stride == 1) return sums_.add_numbers(set_, at, from, step, count);
        line_.clear(set_);
        line_.add_numbers(set_, 0, from, step, count);
        sums_.add(set_, at, axis_.stride, line_, 0, 1, count);
      } else {
        for (std::uint64_t i = 0; i < count; ++i) {
          integer& sum = integers_[at + i * axis_.stride];
          sum = static_cast<integer>(sum + static_cast<integer>(from[i * step]));
        }
      }
    }

    instruction_set set_;
    const tensor_view<const T>& input_;
    const detail::fold_shape& shape_;
    const detail::window_axis& axis_;
    detail::row_of_sums line_, sums_;
    detail::rounded_row<rounded, detail::window_loops::finish::quotient> results_;
    std::vector<integer> integers_;
    std::vector<double> hits_, ones_;
  };
};

}  // namespace goldml
