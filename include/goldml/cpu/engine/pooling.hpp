// The engine of pooling: a row of windows along the last axis at once. Sums of a window are those of its columns, in
// double, with a bound on their error; where that leaves open how the result is rounded, it is computed exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/lp_norm.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/inner_windows.hpp>
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
        line_(x.sizes().back()),
        columns_(x.sizes().back()),
        totals_(y.sizes().back()),
        results_(y.sizes().back()) {
    const window_axis& axis = windows[windows.size() - 1];
    for (std::uint64_t q = 0; q < axis.output; ++q) taps_.push_back(static_cast<double>(axis.taps_of(q).count));
    if constexpr (is_average)
      divisors_ = divisors_along(desc, axis);
    else
      divisors_.assign(taps_.size(), 1);
  }

  void operator()(coordinate_tuple o) {
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
  // Whether that was possible.
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
                                            results_.results()[q], results_.doubt()[q]);
          });
    }
    return false;
  }

  void sum_columns(const coordinate_tuple& o) {
    const window_taps taps = windows_.taps_of(o);
    const std::uint64_t width = x_.sizes().back();
    columns_.clear();
    for_input_rows(x_, taps, [&](const T* from, std::uint32_t rows, std::uint64_t pitch) {
      for (std::uint32_t row = 0; row < rows; ++row) {
        line_.template read<T, Squares>(set_, from + row * pitch, x_.strides().back(), width);
        columns_.add(set_, 0, 1, line_, 0, 1, width);
      }
    });
    totals_.clear();
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
  row_of_sums line_, columns_, totals_;
  rounded_row<T, how> results_;
  std::vector<double> taps_, divisors_;  // of each window, along the row
};

// MAX: for each window of a row its greatest tap, and the number of that in the input.
template <class T>
class greatest_row {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  greatest_row(instruction_set set, const tensor_view<const T>& x, const image_windows& windows, std::uint64_t count,
               nan_policy policy, bool with_indices)
      : set_(set), x_(x), windows_(windows), propagates_(policy == nan_policy::propagate), with_indices_(with_indices) {
    line_.resize(x.sizes().back());
    keys_.resize(x.sizes().back());
    best_.resize(static_cast<std::size_t>(count));
    best_keys_.resize(best_.size());
    indices_.resize(with_indices ? best_.size() : 0);
  }

  T value(std::size_t q) const { return std::bit_cast<T>(best_[q]); }
  std::uint64_t index(std::size_t q) const { return indices_[q]; }

  void find(coordinate_tuple o) {
    if (with_indices_ || !find_inside(o)) see_rows(o);
    // Windows of which no tap is greater than the least key: the first tap, or none.
    for (std::size_t q = 0; q < best_.size(); ++q) {
      if (best_keys_[q] != least) continue;
      o[o.size() - 1] = static_cast<std::uint32_t>(q);
      const window_taps all = windows_.taps_of(o);
      if (all.count() == 0) continue;
      best_[q] = std::bit_cast<bits>(T(x_[all.first]));
      if (with_indices_) indices_[q] = number_of(all.first, x_.sizes());
    }
  }

 private:
  using bits = simd::bits_of_size<sizeof(T)>;
  using key = std::make_signed_t<bits>;
  static constexpr key least = (std::numeric_limits<key>::min)();

  // NaN is the least or, if it is propagated, the greatest.
  key key_of_nan() const { return propagates_ ? (std::numeric_limits<key>::max)() : least; }

  // Whether that was possible.
  bool find_inside(const coordinate_tuple& o) {
    if constexpr (std::is_same_v<T, float>)
      return for_inner_windows(
          x_, windows_, o,
          [&]<std::size_t Size, std::size_t Step>(const inner_rows<Size>& all) {
            simd::dispatch<window_loops::greatest_inside<Size, Step>, instruction_set::avx2>(
                set_, all.rows, all.end - all.begin, key_of_nan(), best_.data() + all.begin,
                best_keys_.data() + all.begin);
          },
          [&](std::uint64_t q, const auto& rows) {
            const window_axis::taps taps = windows_[1].taps_of(q);
            window_loops::greatest_bits<T> greatest;
            for (const float* const row : rows)
              for (std::uint64_t i = 0; i < taps.count; ++i) greatest.see(row[taps.place + i], key_of_nan());
            best_[q] = greatest.bits;
            best_keys_[q] = greatest.key;
          });
    else
      return false;
  }

  void see_rows(const coordinate_tuple& o) {
    std::fill(best_.begin(), best_.end(), std::bit_cast<bits>(least_of<T>()));
    std::fill(best_keys_.begin(), best_keys_.end(), least);
    std::fill(indices_.begin(), indices_.end(), none);
    const window_taps taps = windows_.taps_of(o);
    dimensions blocks = taps.counts;
    blocks[blocks.size() - 1] = 1;
    for (const coordinate_tuple& r : coordinates_of(blocks)) {
      coordinate_tuple c = taps[r];
      c[c.size() - 1] = 0;
      simd::dispatch<window_loops::read_keys<T>, instruction_set::avx2>(
          set_, x_.data() + offset_of(c, x_.strides()), std::uint64_t{x_.strides().back()}, std::uint64_t{line_.size()},
          key_of_nan(), line_.data(), keys_.data());
      with_indices_ ? see<true>(number_of(c, x_.sizes())) : see<false>(0);
    }
  }

  template <bool WithIndices>
  void see(std::uint64_t number) {
    using namespace window_loops;
    constexpr auto most = instruction_set::avx2;
    for_columns(
        windows_[windows_.size() - 1],
        [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
          std::uint64_t* const indices = WithIndices ? indices_.data() + q : nullptr;
          const auto take = [&]<std::size_t Step>(std::integral_constant<std::size_t, Step>) {
            simd::dispatch<take_greater<Step, WithIndices>, most>(set_, line_.data() + at, keys_.data() + at, step, n,
                                                                  best_.data() + q, best_keys_.data() + q, indices,
                                                                  number + at);
          };
          if (step == 1) return take(std::integral_constant<std::size_t, 1>{});
          if (step == 2) return take(std::integral_constant<std::size_t, 2>{});
          take(std::integral_constant<std::size_t, 0>{});
        },
        [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
          for (std::uint64_t i = 0; i < n; ++i) {
            if (keys_[at + i * step] <= best_keys_[q]) continue;
            best_[q] = line_[at + i * step];
            best_keys_[q] = keys_[at + i * step];
            if constexpr (WithIndices) indices_[q] = number + at + i * step;
          }
        });
  }

  instruction_set set_;
  const tensor_view<const T>& x_;
  const image_windows& windows_;
  bool propagates_, with_indices_;
  std::vector<bits> line_, best_;
  std::vector<key> keys_, best_keys_;
  std::vector<std::uint64_t> indices_;
};

}  // namespace goldml::detail
