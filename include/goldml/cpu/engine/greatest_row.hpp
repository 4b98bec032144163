// The engine of MAX_POOLING and its gradient: for each window of a row the first of its greatest taps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/greatest_loops.hpp>
#include <goldml/cpu/engine/inner_windows.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

enum class greatest_parts { values, numbers, both };

// Rows of the image are searched once for all windows with that column, and the latest results are kept.
template <class T>
class greatest_row {
 public:
  using word = window_loops::word_of<T>;
  static constexpr word none = window_loops::no_number<T>;

  greatest_row(instruction_set set, const tensor_view<const T>& x, const image_windows& windows, std::uint64_t count,
               nan_policy policy, greatest_parts parts)
      : set_(set), x_(x), windows_(windows), axis_(windows[windows.size() - 1]), count_(whole_blocks(count)) {
    of_nan_ = policy == nan_policy::propagate ? (std::numeric_limits<key>::max)() : least;
    parts_ = parts;
    std::uint64_t rows = 1;
    for (std::size_t i = 0; i + 1 < windows.size(); ++i) rows *= (std::min)(windows[i].window, most_rows);
    line_.resize(whole_blocks(x.sizes().back()));
    keys_.resize(line_.size());
    kept_.resize(static_cast<std::size_t>((std::min)(rows, most_rows)), ~std::uint64_t{0});
    const std::size_t size = (1 + kept_.size()) * count_;
    best_keys_.resize(size);
    if (parts != greatest_parts::numbers) best_.resize(size);
    if (parts != greatest_parts::values) numbers_.resize(size);
  }

  T value(std::size_t q) const { return window_loops::element_of_word<T>(best_[q]); }
  // The number of that element in the input; `none` of a window without taps.
  word number(std::size_t q) const { return numbers_[q]; }
  const word* numbers() const { return numbers_.data(); }

  void find(coordinate_tuple o) {
    if (parts_ != greatest_parts::values || !find_inside(o)) find_in_rows(o);
    // Windows of which no tap is greater than the least key: the first tap, or none.
    bool has_least = false;
    simd::dispatch<window_loops::find_in_blocks, instruction_set::avx2>(set_, best_keys_.data(), count_, least,
                                                                        has_least);
    for (std::size_t q = 0; has_least && q < axis_.output; ++q) {
      if (best_keys_[q] != least) continue;
      o[o.size() - 1] = static_cast<std::uint32_t>(q);
      const window_taps all = windows_.taps_of(o);
      if (all.count() != 0)
        taps_of(0).set(q, window_loops::word_of_element(T(x_[all.first])), least,
                       static_cast<word>(number_of(all.first, x_.sizes())));
    }
  }

 private:
  using key = window_loops::key_of<T>;
  using taps = window_loops::greatest_taps<T>;
  static constexpr key least = window_loops::least_key<T>;
  static constexpr std::uint64_t most_rows = 8;

  static std::size_t whole_blocks(std::uint64_t count) {
    return static_cast<std::size_t>((count + window_loops::block - 1) / window_loops::block * window_loops::block);
  }
  // The results, and those of kept row k at 1 + k.
  taps taps_of(std::size_t row) {
    return taps{best_.empty() ? nullptr : best_.data(), best_keys_.data(), numbers_.empty() ? nullptr : numbers_.data()}
        .from(row * count_);
  }
  // Calls f.operator()<with values, with numbers>().
  template <class F>
  void with_parts(const F& f) const {
    if (parts_ == greatest_parts::values) return f.template operator()<true, false>();
    if (parts_ == greatest_parts::numbers) return f.template operator()<false, true>();
    f.template operator()<true, true>();
  }

  // Whether that was possible.
  bool find_inside(const coordinate_tuple& o) {
    if constexpr (std::is_same_v<T, float>)
      return for_inner_windows(
          x_, windows_, o,
          [&]<std::size_t Size, std::size_t Step>(const inner_rows<Size>& all) {
            simd::dispatch<window_loops::greatest_inside<Size, Step>, instruction_set::avx2>(
                set_, all.rows, all.end - all.begin, of_nan_, best_.data() + all.begin, best_keys_.data() + all.begin);
          },
          [&](std::uint64_t q, const auto& rows) {
            const window_axis::taps all = axis_.taps_of(q);
            window_loops::greatest_bits<T> greatest;
            for (const float* const row : rows)
              for (std::uint64_t i = 0; i < all.count; ++i) greatest.see(row[all.place + i], of_nan_);
            best_[q] = greatest.bits;
            best_keys_[q] = greatest.key;
          });
    else
      return false;
  }

  void find_in_rows(const coordinate_tuple& o) {
    const window_taps all = windows_.taps_of(o);
    dimensions rows = all.counts;
    rows[rows.size() - 1] = 1;
    const auto see = [&] {
      with_parts([&]<bool Values, bool Numbers>() {
        simd::dispatch<window_loops::see_rows<T, Values, Numbers>, instruction_set::avx2>(
            set_, seen_.data(), std::size_t{seen_.size()}, std::uint64_t{count_}, taps_of(0));
      });
      seen_.assign(1, taps_of(0));
    };
    seen_.clear();
    for (const coordinate_tuple& r : coordinates_of(rows)) {
      coordinate_tuple c = all[r];
      c[c.size() - 1] = 0;
      const std::uint64_t first = number_of(c, x_.sizes());
      const std::size_t place = static_cast<std::size_t>(first / x_.sizes().back() % kept_.size());
      const taps here = taps_of(1 + place);
      if (kept_[place] != first) {
        if (std::any_of(seen_.begin(), seen_.end(), [&](const taps& row) { return row.keys == here.keys; })) see();
        find_in_row(c, static_cast<word>(first), here);
        kept_[place] = first;
      }
      seen_.push_back(here);
    }
    if (!seen_.empty()) return see();
    for (std::size_t q = 0; q < count_; ++q)
      taps_of(0).set(q, window_loops::word_of_element<T>(least_of<T>()), least, none);
  }

  // The row at c, whose first element has this number: a block of windows that are inside at once, and others one by
  // one.
  void find_in_row(const coordinate_tuple& c, word number, const taps& to) {
    simd::dispatch<window_loops::read_keys<T>, instruction_set::avx2>(
        set_, x_.data() + offset_of(c, x_.strides()), std::uint64_t{x_.strides().back()},
        std::uint64_t{x_.sizes().back()}, of_nan_, line_.data(), keys_.data());
    std::uint64_t begin = axis_.windows_inside(0).begin, end = axis_.windows_inside(axis_.window - 1).end;
    if (end < begin + window_loops::block) begin = end = axis_.output;
    const auto find_one = [&](std::uint64_t q) {
      const window_axis::taps all = axis_.taps_of(q);
      to.set(q, window_loops::word_of_element<T>(least_of<T>()), least, none);
      for (std::uint64_t i = 0, at = all.place; i < all.count; ++i, at += axis_.dilation)
        if (keys_[at] > to.keys[q]) to.set(q, line_[at], keys_[at], static_cast<word>(number + static_cast<word>(at)));
    };
    for (std::uint64_t q = 0; q < begin; ++q) find_one(q);
    for (std::uint64_t q = end; q < axis_.output; ++q) find_one(q);
    if (begin == end) return;
    const std::uint64_t at = begin * axis_.stride - axis_.start;
    with_parts([&]<bool Values, bool Numbers>() {
      const auto see = [&]<std::size_t Step>(std::integral_constant<std::size_t, Step>) {
        simd::dispatch<window_loops::see_taps<T, Step, Values, Numbers>, instruction_set::avx2>(
            set_, line_.data() + at, keys_.data() + at, axis_, end - begin,
            static_cast<word>(number + static_cast<word>(at)), to.from(begin));
      };
      axis_.stride == 1 ? see(std::integral_constant<std::size_t, 1>{}) : see(std::integral_constant<std::size_t, 0>{});
    });
  }

  instruction_set set_;
  const tensor_view<const T>& x_;
  const image_windows& windows_;
  const window_axis& axis_;
  std::size_t count_;
  key of_nan_;  // NaN is the least or, if it is propagated, the greatest
  greatest_parts parts_;
  std::vector<std::uint64_t> kept_;  // the numbers of the first elements
  std::vector<taps> seen_;
  std::vector<word> line_, best_, numbers_;  // the latter two are empty if they are not wanted
  std::vector<key> keys_, best_keys_;
};

}  // namespace goldml::detail
