// The engine of pooling that adds: a row of windows along the last axis at once. Sums of a window are those of its
// columns, in double, with a bound on their error; where that leaves open how the result is rounded, it is computed
// exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/lp_norm.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/inner_windows.hpp>
#include <goldml/cpu/engine/reduce.hpp>
#include <goldml/cpu/engine/row_of_sums.hpp>
#include <goldml/cpu/engine/windows.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_values.hpp>

namespace goldml::detail {

// The rows of the input that the windows of one row cover: calls f(first element, number of rows, pitch) where they
// are so many rows, `pitch` elements apart.
template <class T, class F>
void for_input_rows(const tensor_view<const T>& x, const window_taps& taps, const F& f) {
  const std::size_t rank = x.sizes().size(), last = rank - 2;
  dimensions blocks = taps.counts;
  const std::uint32_t rows = blocks[last];
  blocks[last] = rows == 0 ? 0 : 1;
  blocks[rank - 1] = 1;
  for (const coordinate_tuple& r : coordinates_of(blocks)) {
    coordinate_tuple c = taps[r];
    c[rank - 1] = 0;
    f(x.data() + offset_of(c, x.strides()), rows, std::uint64_t{taps.steps[last]} * x.strides()[last]);
  }
}

// The divisors of the windows of any row on its axis, and of a row on the others.
template <class Desc>
std::vector<double> divisors_along(const Desc& desc, const window_axis& axis) {
  std::vector<double> result;
  for (std::uint64_t q = 0; q < axis.output; ++q) result.push_back(static_cast<double>(divisor_on(desc, axis, q)));
  return result;
}
template <class Desc>
double divisor_across(const Desc& desc, const image_windows& windows, const coordinate_tuple& o) {
  double result = 1;
  for (std::size_t i = 0; i + 1 < windows.size(); ++i)
    result *= static_cast<double>(divisor_on(desc, windows[i], o[2 + i]));
  return result;
}

// The golden value of a window.
template <class T, class Desc>
T exactly_pooled(const tensor_view<const T>& x, const window_taps& taps, const dimensions& divisors, const Desc& desc) {
  std::vector<double> numbers;
  for (const coordinate_tuple& r : coordinates_of(taps.counts)) numbers.push_back(exact_double(T(x[taps[r]])));
  if constexpr (Desc::function == pooling_function::average)
    return goldml::rounded<T>(value_of_average_over(numbers, divisors));
  else
    return rounded_lp_norm<T>(numbers, desc.p);
}

// AVERAGE, and LP with P 1 and 2: the sums of the columns that a row of windows covers, and those of the windows.
template <class T, class Desc, bool Squares>
class summed_row {
 public:
  summed_row(instruction_set set, const tensor_view<const T>& x, const tensor_view<T>& y, const image_windows& windows,
             const Desc& desc)
      : set_(set),
        x_(x),
        y_(y),
        windows_(windows),
        desc_(desc),
        columns_(x.sizes().back()),
        totals_(y.sizes().back()),
        results_(y.sizes().back()) {
    const window_axis& axis = windows[windows.size() - 1];
    for (std::uint64_t q = 0; q < axis.output; ++q) taps_.push_back(static_cast<double>(axis.taps_of(q).count));
    if constexpr (is_average) divisors_ = divisors_along(desc, axis);
    divisors_.resize(taps_.size(), 1);
    taps_ = numbers_of_row(taps_);
    divisors_ = numbers_of_row(divisors_);
  }

  void operator()(coordinate_tuple o) {
    if (reduce_slice(o)) return;
    if (!average_inside(o)) sum_columns(o);
    results_.store(y_.data() + offset_of(o, y_.strides()), y_.strides().back(), [&](std::size_t q) {
      coordinate_tuple at = o;
      at[at.size() - 1] = static_cast<std::uint32_t>(q);
      dimensions divisors;
      if constexpr (is_average) divisors = divisors_of(desc_, windows_, at);
      return exactly_pooled(x_, windows_.taps_of(at), divisors, desc_);
    });
  }

 private:
  // The only window of a row is a slice, as REDUCE has it. Whether that was possible.
  bool reduce_slice(const coordinate_tuple& o) {
    const window_taps taps = windows_.taps_of(o);
    if (windows_[windows_.size() - 1].output != 1 || taps.count() == 0) return false;
    if constexpr (is_average)
      if (divisor_across(desc_, windows_, o) * divisors_[0] != static_cast<double>(taps.count())) return false;
    loop_nest<1> loops;
    for (std::size_t i = 0; i < o.size(); ++i)
      loops.add(taps.counts[i], {std::uint64_t{taps.steps[i]} * x_.strides()[i]});
    loops.merge();
    const loop<1> run = loops.take_innermost();
    y_[o] = sum_slice < Squares ? reduction::summand::square
                                : reduction::summand::number >
                                      (set_,
                                       is_average ? reduce_function::average
                                       : Squares  ? reduce_function::l2
                                                  : reduce_function::l1,
                                       slice_walk<T>{x_.data() + offset_of(taps.first, x_.strides()), loops, run});
    return true;
  }
  // The same.
  bool average_inside(const coordinate_tuple& o) {
    if constexpr (is_average) {
      std::optional<double> divisor;
      const auto of_row = [&] {
        if (!divisor) divisor = divisor_across(desc_, windows_, o);
        return *divisor;
      };
      return for_inner_windows(
          x_, windows_, o,
          [&]<std::size_t Size, std::size_t Step>(const inner_rows<Size>& all) {
            simd::dispatch<window_loops::average_inside<Size, Step>, instruction_set::avx2>(
                set_, all.rows, all.end - all.begin, of_row() * divisors_[all.begin], results_.results() + all.begin,
                results_.doubt() + all.begin);
          },
          [&](std::uint64_t q, const auto& rows) {
            const window_axis::taps taps = windows_[1].taps_of(q);
            window_loops::term_sum sum;
            for (const float* const row : rows)
              for (std::uint64_t i = 0; i < taps.count; ++i) sum.add(static_cast<double>(row[taps.place + i]));
            window_loops::round_sum<T, how>(sum, static_cast<double>(rows.size()) * taps_[q], of_row() * divisors_[q],
                                            0x1p28, results_.results()[q], results_.doubt()[q]);
          });
    }
    return false;
  }

  void sum_columns(const coordinate_tuple& o) {
    const window_taps taps = windows_.taps_of(o);
    const std::uint64_t width = x_.sizes().back();
    columns_.clear(set_);
    for_input_rows(x_, taps, [&](const T* from, std::uint32_t rows, std::uint64_t pitch) {
      for (std::uint32_t row = 0; row < rows; ++row)
        columns_.template add_numbers<T, Squares>(set_, 0, from + row * pitch, x_.strides().back(), width);
    });
    totals_.clear(set_);
    for_columns(
        windows_[windows_.size() - 1],
        [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
          totals_.add(set_, q, 1, columns_, at, step, n);
        },
        [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
          for (std::uint64_t i = 0; i < n; ++i) totals_.add_one(q, columns_, at + i * step);
        });
    double rows = 1, divisor = 1;
    for (std::size_t i = 2; i + 1 < o.size(); ++i) rows *= taps.counts[i];
    if constexpr (is_average) divisor = divisor_across(desc_, windows_, o);
    results_.round(set_, totals_, taps_, divisors_, rows, divisor);
  }

  static constexpr bool is_average = Desc::function == pooling_function::average;
  static constexpr auto how = is_average ? window_loops::finish::quotient
                              : Squares  ? window_loops::finish::root
                                         : window_loops::finish::magnitude;

  instruction_set set_;
  const tensor_view<const T>& x_;
  const tensor_view<T>& y_;
  const image_windows& windows_;
  const Desc& desc_;
  row_of_sums columns_, totals_;
  rounded_row<T, how> results_;
  std::vector<double> taps_, divisors_;  // of each window, along the row
};

}  // namespace goldml::detail
