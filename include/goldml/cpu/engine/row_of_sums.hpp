// Sums of the taps of a row of windows, in double, and their results: loops that are compiled for the instruction set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/cpu/engine/windows.hpp>

namespace goldml::detail {

namespace window_loops {

// Three rows of numbers: sums, those of the magnitudes, and the least magnitudes other than 0; `pitch` apart.
struct sums {
  double* first;
  std::uint64_t pitch;
};

// Of no terms.
struct clear {
  template <class Set>
  GOLDML_INLINE static void run(Set, const sums& to) {
    constexpr double values[3] = {-0.0, 0, std::numeric_limits<double>::infinity()};
    simd::vector<double, Set::vector_bytes / sizeof(double)> v;
    for (std::size_t part = 0; part < 3; ++part) {
      simd::splat(v, values[part]);
      double* const first = to.first + part * to.pitch;
      for (std::uint64_t i = 0; i < to.pitch; i += sizeof v / sizeof(double)) simd::store(first + i, v);
    }
  }
};

template <std::size_t ToStep, std::size_t FromStep>
struct add {
  template <class Set>
  GOLDML_INLINE static void run(Set, const sums& to, std::uint64_t at, const sums& from, std::uint64_t first,
                                std::uint64_t count) {
    constexpr std::size_t lanes = Set::vector_bytes / sizeof(double);
    for (std::size_t part = 0; part < 3; ++part) {
      double* const sum = to.first + part * to.pitch + at;
      const double* const term = from.first + part * from.pitch + first;
      std::uint64_t i = 0;
      if constexpr (ToStep == 1 && FromStep == 1)
        for (simd::vector<double, lanes> v, w; i + lanes <= count; i += lanes) {
          simd::load(v, sum + i);
          simd::load(w, term + i);
          part < 2 ? void(v = v + w) : simd::least(v, w, v);
          simd::store(sum + i, v);
        }
      for (; i < count; ++i) {
        double& v = sum[i * ToStep];
        const double w = term[i * FromStep];
        v = part < 2 ? v + w : w < v ? w : v;
      }
    }
  }
};

// Adds numbers, times `factor` and those of a row of factors in whole blocks if there is one; or their squares. The
// last block adds -0 to the sums that follow.
template <class T, bool Squares>
struct add_numbers {
  template <class Set>
  GOLDML_INLINE static void run(Set, const T* from, std::uint64_t step, std::uint64_t count, double factor,
                                const double* factors, const sums& to, std::uint64_t at) {
    constexpr std::size_t lanes = Set::vector_bytes / sizeof(double);
    using doubles = simd::vector<double, lanes>;
    doubles infinity, zero;
    simd::splat(infinity, std::numeric_limits<double>::infinity());
    simd::splat(zero, 0.0);
    for (std::uint64_t first = 0; first < count; first += block) {
      number_bits_of<T> bits[block];
      const std::uint64_t rest = (std::min)(std::uint64_t{block}, count - first);
      for (std::size_t i = rest; i < block; ++i) bits[i] = number_bits<T>::sign;
      if (rest == block && step == 1)
        simd::copy_block<block>(bits, from + first);
      else
        for (std::uint64_t i = 0; i < rest; ++i) bits[i] = std::bit_cast<number_bits_of<T>>(from[(first + i) * step]);
      double x[block], magnitude[block];
      for (std::size_t i = 0; i < block; ++i) x[i] = double_of_bits<T>(bits[i]);
      if constexpr (Squares) {
        for (std::size_t i = 0; i < block; ++i) x[i] = x[i] * x[i];
        for (std::size_t i = rest; i < block; ++i) x[i] = -0.0;
      } else if (factors != nullptr) {
        for (std::size_t i = 0; i < block; ++i) x[i] = x[i] * (factor * factors[first + i]);
      }
      for (std::size_t i = 0; i < block; ++i) magnitude[i] = magnitude_of(x[i]);
      for (std::size_t i = 0; i < block; i += lanes) {
        double* const sum = to.first + at + first + i;
        doubles v, w, other;
        simd::load(v, sum);
        simd::load(w, x + i);
        simd::store(sum, v + w);
        simd::load(v, sum + to.pitch);
        simd::load(w, magnitude + i);
        simd::store(sum + to.pitch, v + w);
        simd::select(other, zero < w, w, infinity);
        simd::load(v, sum + 2 * to.pitch);
        simd::least(v, other, v);
        simd::store(sum + 2 * to.pitch, v);
      }
    }
  }
};

template <class T, finish How>
struct round_sums {
  template <class Set>
  GOLDML_INLINE static void run(Set, const sums& of, const double* taps, const double* divisors, std::uint64_t count,
                                double rows, double divisor, double exact, T* to, std::uint32_t* doubt,
                                bool& has_doubt) {
    std::uint32_t any[block] = {};
    for (std::uint64_t first = 0; first < count; first += block) {
      T results[block];
      std::uint32_t doubts[block];
      const double* const at = of.first + first;
      for (std::size_t i = 0; i < block; ++i)
        round_sum<T, How>({at[i], at[of.pitch + i], at[2 * of.pitch + i]}, rows * taps[first + i],
                          divisor * divisors[first + i], exact, results[i], doubts[i]);
      simd::copy_block<block>(to + first, results);
      simd::copy_block<block>(doubt + first, doubts);
      for (std::size_t i = 0; i < block; ++i) any[i] |= doubts[i];
    }
    has_doubt = std::any_of(any, any + block, [](std::uint32_t each) { return each != 0; });
  }
};

}  // namespace window_loops

// Sums in double, of a row of windows or of elements, with room for a block after them.
class row_of_sums {
 public:
  explicit row_of_sums(std::uint64_t width)
      : width_(window_loops::whole_blocks(width) + window_loops::block), numbers_(3 * width_) {}

  void clear(instruction_set set) { simd::dispatch<window_loops::clear, instruction_set::avx2>(set, rows()); }
  window_loops::sums rows() const { return {const_cast<double*>(numbers_.data()), width_}; }

  // this[at + i * to_step] += from[first + i * from_step].
  void add(instruction_set set, std::uint64_t at, std::uint64_t to_step, const row_of_sums& from, std::uint64_t first,
           std::uint64_t from_step, std::uint64_t count) {
    const window_loops::sums to = rows(), terms = from.rows();
    constexpr auto most = instruction_set::avx2;
    if (to_step == 1 && from_step == 1)
      return simd::dispatch<window_loops::add<1, 1>, most>(set, to, at, terms, first, count);
    if (to_step == 1 && from_step == 2)
      return simd::dispatch<window_loops::add<1, 2>, most>(set, to, at, terms, first, count);
    if (to_step == 2 && from_step == 1)
      return simd::dispatch<window_loops::add<2, 1>, most>(set, to, at, terms, first, count);
    for (std::uint64_t i = 0; i < count; ++i) add_one(at + i * to_step, from, first + i * from_step);
  }
  void add_one(std::uint64_t at, const row_of_sums& from, std::uint64_t i) {
    const window_loops::sums to = rows(), terms = from.rows();
    to.first[at] += terms.first[i];
    to.first[to.pitch + at] += terms.first[terms.pitch + i];
    double& least = to.first[2 * to.pitch + at];
    least = (std::min)(least, terms.first[2 * terms.pitch + i]);
  }
  // this[at + i] += the numbers, as add_numbers() takes them.
  template <class T, bool Squares = false>
  void add_numbers(instruction_set set, std::uint64_t at, const T* from, std::uint64_t step, std::uint64_t count,
                   double factor = 1, const double* factors = nullptr) {
    const window_loops::sums to = rows();
    simd::dispatch<window_loops::add_numbers<T, Squares>, instruction_set::avx2>(set, from, step, count, factor,
                                                                                 factors, to, at);
  }

 private:
  std::size_t width_;
  std::vector<double> numbers_;
};

// A row of numbers in whole blocks.
inline std::vector<double> numbers_of_row(std::vector<double> numbers) {
  numbers.resize(window_loops::whole_blocks(numbers.size()), 1);
  return numbers;
}

// The results of such a row, and where they are in doubt.
template <class T, window_loops::finish How>
class rounded_row {
 public:
  explicit rounded_row(std::uint64_t width)
      : width_(width), results_(window_loops::whole_blocks(width)), doubt_(results_.size()) {}

  // `taps` and `divisors` are numbers_of_row().
  void round(instruction_set set, const row_of_sums& of, const std::vector<double>& taps,
             const std::vector<double>& divisors, double rows, double divisor, double exact = 0x1p28) {
    const window_loops::sums all = of.rows();
    simd::dispatch<window_loops::round_sums<T, How>, instruction_set::avx2>(set, all, taps.data(), divisors.data(),
                                                                            width_, rows, divisor, exact,
                                                                            results_.data(), doubt_.data(), has_doubt_);
  }
  // To be written by others.
  T* results() { return results_.data(); }
  std::uint32_t* doubt() {
    has_doubt_ = true;
    return doubt_.data();
  }
  // Stores all of them; exactly(i) computes what is in doubt.
  template <class F>
  void store(T* to, std::uint64_t step, const F& exactly) const {
    if (!has_doubt_ && step == 1) return void(std::copy_n(results_.begin(), width_, to));
    for (std::size_t i = 0; i < width_; ++i) to[i * step] = doubt_[i] == 0 ? results_[i] : exactly(i);
  }

 private:
  std::uint64_t width_;
  bool has_doubt_ = true;  // unless round() finds none
  std::vector<T> results_;
  std::vector<std::uint32_t> doubt_;
};

}  // namespace goldml::detail
