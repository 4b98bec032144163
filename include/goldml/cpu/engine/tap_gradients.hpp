// Gradients of a plane of windows, each of which goes to one tap: the sums of those of each element. Where doubles hold
// all of these sums exactly, nothing but the sums is computed; otherwise also what the additions lose.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/double_pair.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/cpu/engine/float_bounds.hpp>

namespace goldml::detail {

namespace tap_loops {

inline constexpr std::size_t block = 16;  // elements of which results are whole vectors, of two bytes too

// A sum, and the magnitudes of what its additions lost: the exact sum is between sum - lost and sum + lost, but for the
// roundings of `lost`, which are less than 2^-20 of it for up to 2^32 terms. Both are -0 before the first term; a sum
// of zeros has the sign of IEEE 754, and `lost` is +0 then, or NaN where a term is not finite.
struct lossless_sum {
  double sum = -0.0, lost = -0.0;

  void add(double x) {
    const arithmetic::double_pair total = arithmetic::sum_pair(sum, x);
    lost += magnitude_of(total.low);
    sum = total.high;
  }
};

// Rounds sums in whole blocks; of the second kind doubt[i] is 0 where that is certain.
template <class T>
struct round_row {
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* of, std::uint64_t count, number_bits_of<T>* to) {
    for (std::uint64_t first = 0; first < count; first += block) {
      number_bits_of<T> results[block];
      for (std::size_t i = 0; i < block; ++i) results[i] = rounded_bits<T>(of[first + i]);
      simd::copy_block<block>(to + first, results);
    }
  }
  template <class Set>
  GOLDML_INLINE static void run(Set, const lossless_sum* of, std::uint64_t count, number_bits_of<T>* to,
                                std::uint32_t* doubt) {
    for (std::uint64_t first = 0; first < count; first += block) {
      number_bits_of<T> results[block];
      std::uint32_t open[block];
      for (std::size_t i = 0; i < block; ++i) {
        const lossless_sum each = of[first + i];
        const double off = each.lost * (1 + 0x1p-20);
        const auto low = rounded_bits<T>(each.sum - off), high = rounded_bits<T>(each.sum + off);
        results[i] = low;  // of zeros -0 - 0 = -0 or 0 - 0 = 0; of no terms -0 - -0 = 0
        open[i] = static_cast<std::uint32_t>(((low != high) & (off != 0)) | !(off < 0x1p900));
      }
      simd::copy_block<block>(to + first, results);
      simd::copy_block<block>(doubt + first, open);
    }
  }
};

}  // namespace tap_loops

template <class T>
class tap_gradients {
 public:
  // Of planes of `size` elements, in rows of `width`.
  tap_gradients(instruction_set set, std::uint64_t size, std::uint64_t width)
      : set_(set),
        size_(static_cast<std::size_t>(size + tap_loops::block)),
        width_(width),
        results_(static_cast<std::size_t>(width + tap_loops::block)),
        doubt_(results_.size()) {}

  // Before the others: each row of gradients is shown; and each element gets at most so many.
  void clear() { bounds_ = {}; }
  void show(const T* from, std::uint64_t step, std::uint64_t count) {
    simd::dispatch<find_bounds<T>, instruction_set::avx2>(set_, from, step, count, bounds_);
  }
  void begin(double terms) {
    is_exact_ = bounds_.are_exact(terms);
    if (!is_exact_) return lossless_.assign(size_, {});
    exact_.resize(size_);
    std::memset(exact_.data(), 0, size_ * sizeof(double));
  }
  // Adds a row of gradients to the elements with these numbers, of which the plane's first one is `first`.
  template <class Number>
  void add(const T* from, std::uint64_t step, std::uint64_t count, const Number* numbers, Number first, Number none) {
    const auto add_to = [&](const auto& f) {
      for (std::uint64_t q = 0; q < count; ++q)
        if (numbers[q] != none) f(numbers[q] - first, exact_double(from[q * step]));
    };
    if (is_exact_) return add_to([sums = exact_.data()](Number i, double x) { sums[i] += x; });
    add_to([sums = lossless_.data()](Number i, double x) { sums[i].add(x); });
  }
  // Stores the row that begins with element `first` of the plane; exactly(i) computes what is in doubt.
  template <class F>
  void store(std::uint64_t first, T* to, std::uint64_t step, const F& exactly) {
    auto* const results = reinterpret_cast<number_bits_of<T>*>(results_.data());
    if (!is_exact_) {
      simd::dispatch<tap_loops::round_row<T>, most_set>(set_, lossless_.data() + first, width_, results, doubt_.data());
      for (std::size_t i = 0; i < width_; ++i) to[i * step] = doubt_[i] == 0 ? results_[i] : exactly(i);
      return;
    }
    const std::uint64_t whole = step == 1 ? width_ / tap_loops::block * tap_loops::block : 0;
    simd::dispatch<tap_loops::round_row<T>, most_set>(set_, exact_.data() + first, whole,
                                                      reinterpret_cast<number_bits_of<T>*>(to));
    simd::dispatch<tap_loops::round_row<T>, most_set>(set_, exact_.data() + first + whole, width_ - whole, results);
    for (std::size_t i = whole; i < width_; ++i) to[i * step] = results_[i - whole];
  }

 private:
  static constexpr auto most_set = instruction_set::avx2;

  instruction_set set_;
  std::size_t size_;
  std::uint64_t width_;
  bool is_exact_ = false;
  float_bounds bounds_;
  std::vector<double> exact_;
  std::vector<tap_loops::lossless_sum> lossless_;
  std::vector<T> results_;
  std::vector<std::uint32_t> doubt_;
};

}  // namespace goldml::detail
