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
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/reduce/estimates.hpp>
#include <goldml/cpu/engine/reduce/sums.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_values.hpp>

namespace goldml::detail {

// Calls f(o) for the first window of each row, with the last coordinate 0.
template <class MakeRow>
void for_window_rows(const cpu_backend& backend, std::uint64_t bytes, dimensions counts, const MakeRow& make) {
  counts[counts.size() - 1] = 1;
  parallel_for(backend, bytes, element_count(counts), [&](std::uint64_t begin, std::uint64_t end) {
    auto row = make();
    for (std::uint64_t i = begin; i < end; ++i) row(coordinate_at(counts, i));
  });
}

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

// Calls f(q, at, count, step) for runs of windows q, q + 1, .. that have a tap at the columns at, at + step, ..; or,
// where windows are longer than the row, for single ones with the columns of all of their taps: g(q, at, count, step).
template <class F, class G>
void for_columns(const window_axis& axis, const F& f, const G& g) {
  const window_axis::taps first = axis.taps_of(0);
  const std::uint64_t begin = axis.taps_of(axis.output - 1).first;
  const std::uint64_t end = first.count != 0 ? first.first + first.count : axis.window;
  if (begin < end && end - begin > axis.output) {
    for (std::uint64_t q = 0; q < axis.output; ++q)
      if (const auto taps = axis.taps_of(q); taps.count != 0) g(q, taps.place, taps.count, axis.dilation);
    return;
  }
  for (std::uint64_t j = begin; j < end; ++j) {
    const auto [from, to] = axis.windows_inside(j);
    if (from < to) f(from, from * axis.stride + j * axis.dilation - axis.start, to - from, axis.stride);
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

// AVERAGE, and LP with P 1 and 2.
template <class T, class Desc, reduction::summand S>
class summed_row {
 public:
  summed_row(instruction_set set, const tensor_view<const T>& x, const tensor_view<T>& y, const image_windows& windows,
             const Desc& desc)
      : set_(set), x_(x), y_(y), windows_(windows), desc_(desc) {
    columns_.resize(2 * std::size_t{x.sizes().back()});
    totals_.resize(2 * std::size_t{y.sizes().back()});
    const window_axis& axis = windows[windows.size() - 1];
    for (std::uint64_t q = 0; q < axis.output; ++q) taps_.push_back(static_cast<double>(axis.taps_of(q).count));
    if constexpr (Desc::function == pooling_function::average) divisors_ = divisors_along(desc, axis);
  }

  void operator()(coordinate_tuple o) {
    const window_taps taps = windows_.taps_of(o);
    std::fill(columns_.begin(), columns_.end(), -0.0);
    for_input_rows(x_, taps, [&](const T* from, std::uint32_t rows, std::uint64_t pitch) { add(from, rows, pitch); });
    const window_axis& axis = windows_[windows_.size() - 1];
    const std::size_t width = columns_.size() / 2, count = totals_.size() / 2;
    std::fill(totals_.begin(), totals_.end(), -0.0);
    for (std::size_t part = 0; part < 2; ++part) {  // the sums, and those of the magnitudes
      const double* const from = columns_.data() + part * width;
      double* const to = totals_.data() + part * count;
      for_columns(
          axis,
          [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
            const double* const first = from + at;
            double* const result = to + q;
            for (std::uint64_t i = 0; i < n; ++i) result[i] += first[i * step];
          },
          [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
            for (std::uint64_t i = 0; i < n; ++i) to[q] += from[at + i * step];
          });
    }
    double rows = 1, divisor = 1;
    for (std::size_t i = 2; i + 1 < o.size(); ++i) rows *= taps.counts[i];
    if constexpr (Desc::function == pooling_function::average) divisor = divisor_across(desc_, windows_, o);
    T* to = y_.data() + offset_of(o, y_.strides());
    for (std::size_t q = 0; q < count; ++q, to += y_.strides().back()) {
      const double v = divisors_.empty() ? 1 : divisor * divisors_[q];
      *to = element(o, q, {totals_[q], totals_[count + q]}, rows * taps_[q], v);
    }
  }

 private:
  void add(const T* from, std::uint32_t rows, std::uint64_t pitch) {
    const std::size_t width = columns_.size() / 2, step = x_.strides().back();
    double *const sums = columns_.data(), *const magnitudes = sums + width;
    const std::size_t whole = step == 1 ? width / reduction::lanes * reduction::lanes : 0;
    if (whole != 0)
      simd::dispatch<reduction::add_rows<S>, instruction_set::avx2>(
          set_, reinterpret_cast<const number_bits_of<T>*>(from), pitch, rows, whole, sums, magnitudes,
          std::type_identity<T>{});
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::size_t i = whole; i < width; ++i) {
        const double x = reduction::summand_of(S, exact_double(from[row * pitch + i * step]));
        sums[i] += x;
        magnitudes[i] += std::abs(x);
      }
  }

  T element(coordinate_tuple& o, std::size_t q, const reduction::double_sums& sums, double n, double divisor) const {
    if (is_zero(n)) return T(0);
    if (is_zero(sums.magnitude))  // of squares and magnitudes +0
      return goldml::rounded<T>(Desc::function == pooling_function::average ? sums.sum : 0.0);
    if constexpr (Desc::function == pooling_function::average) {
      // Sums of so few FLOAT16 are exact in double.
      if (std::is_same_v<T, float16> && n <= 4096 && divisor < 0x1p32 && is_finite_double(sums.magnitude)) {
        if (const auto result = certain_of_exact<T>(reduce_function::average, divisor, sums);
            result && !is_zero(*result))
          return *result;
      } else {
        const double g = growth(n + 6, 0x1p-53);
        if (const auto result = certain<T>({sums.sum / divisor, g * sums.magnitude / divisor})) return *result;
      }
    } else {
      const auto function = S == reduction::summand::square ? reduce_function::l2 : reduce_function::l1;
      if (const auto result = certain<T>(estimate_of(function, n, sums))) return *result;
    }
    o[o.size() - 1] = static_cast<std::uint32_t>(q);
    dimensions divisors;
    if constexpr (Desc::function == pooling_function::average) divisors = divisors_of(desc_, windows_, o);
    return exactly_pooled(x_, windows_.taps_of(o), divisors, desc_);
  }

  instruction_set set_;
  const tensor_view<const T>& x_;
  const tensor_view<T>& y_;
  const image_windows& windows_;
  const Desc& desc_;
  std::vector<double> columns_, totals_;  // sums, then sums of magnitudes
  std::vector<double> taps_, divisors_;   // of each window, along the row
};

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

// An integer by which taps are compared: NaN is the least or, if it is propagated, the greatest.
template <class T>
auto tap_key(T x, bool propagates) {
  using bits = std::make_unsigned_t<decltype([] {
    if constexpr (is_floating_type<T>)
      return typename float_bits<T>::type{};
    else
      return T{};
  }())>;
  using key = std::make_signed_t<bits>;
  if constexpr (is_floating_type<T>) {
    const auto all = std::bit_cast<bits>(x);
    const auto magnitude = static_cast<key>(magnitude_bits(x));
    const auto ordered = static_cast<key>(all > (std::numeric_limits<bits>::max)() / 2 ? -magnitude : magnitude);
    const key of_nan = propagates ? (std::numeric_limits<key>::max)() : (std::numeric_limits<key>::min)();
    return magnitude > static_cast<key>(float_bits<T>::infinity) ? of_nan : ordered;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<key>(x);
  } else {
    return static_cast<key>(x ^ static_cast<T>(T{1} << (std::numeric_limits<T>::digits - 1)));
  }
}

// MAX: for each window of a row its greatest tap, and the number of that in the input.
template <class T>
class greatest_row {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  greatest_row(const tensor_view<const T>& x, const image_windows& windows, std::uint64_t count, nan_policy policy,
               bool with_indices)
      : x_(x), windows_(windows), propagates_(policy == nan_policy::propagate), with_indices_(with_indices) {
    line_.resize(x.sizes().back());
    keys_.resize(x.sizes().back());
    best_.resize(static_cast<std::size_t>(count));
    best_keys_.resize(best_.size());
    indices_.resize(with_indices ? best_.size() : 0);
  }

  const T& value(std::size_t q) const { return best_[q]; }
  std::uint64_t index(std::size_t q) const { return indices_[q]; }

  void find(coordinate_tuple o) {
    std::fill(best_.begin(), best_.end(), least_of<T>());
    std::fill(best_keys_.begin(), best_keys_.end(), (std::numeric_limits<key>::min)());
    std::fill(indices_.begin(), indices_.end(), none);
    const window_taps taps = windows_.taps_of(o);
    const std::uint64_t width = line_.size();
    dimensions blocks = taps.counts;
    blocks[blocks.size() - 1] = 1;
    const std::uint64_t step = x_.strides().back();
    for (const coordinate_tuple& r : coordinates_of(blocks)) {
      coordinate_tuple c = taps[r];
      c[c.size() - 1] = 0;
      const T* const from = x_.data() + offset_of(c, x_.strides());
      for (std::uint64_t i = 0; i < width; ++i) {
        line_[i] = from[i * step];
        keys_[i] = tap_key(line_[i], propagates_);
      }
      with_indices_ ? see<true>(number_of(c, x_.sizes())) : see<false>(0);
    }
    // Windows of which no tap is greater than the least key: the first tap, or none.
    for (std::size_t q = 0; q < best_.size(); ++q) {
      if (best_keys_[q] != (std::numeric_limits<key>::min)()) continue;
      o[o.size() - 1] = static_cast<std::uint32_t>(q);
      const window_taps all = windows_.taps_of(o);
      if (all.count() == 0) continue;
      best_[q] = x_[all.first];
      if (with_indices_) indices_[q] = number_of(all.first, x_.sizes());
    }
  }

 private:
  using key = decltype(tap_key(T{}, false));

  template <bool WithIndices>
  void see(std::uint64_t number) {
    const auto take = [&](std::uint64_t q, std::uint64_t at) {
      const bool greater = keys_[at] > best_keys_[q];
      best_[q] = greater ? line_[at] : best_[q];
      best_keys_[q] = greater ? keys_[at] : best_keys_[q];
      if constexpr (WithIndices) indices_[q] = greater ? number + at : indices_[q];
    };
    for_columns(
        windows_[windows_.size() - 1],
        [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
          for (std::uint64_t i = 0; i < n; ++i) take(q + i, at + i * step);
        },
        [&](std::uint64_t q, std::uint64_t at, std::uint64_t n, std::uint64_t step) {
          for (std::uint64_t i = 0; i < n; ++i) take(q, at + i * step);
        });
  }

  const tensor_view<const T>& x_;
  const image_windows& windows_;
  bool propagates_, with_indices_;
  std::vector<T> line_, best_;
  std::vector<key> keys_, best_keys_;
  std::vector<std::uint64_t> indices_;
};

}  // namespace goldml::detail
