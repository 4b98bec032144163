// Loops of the engines with windows, compiled for the instruction set: a row of windows at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

// Calls row(c) for the first element of each row of a tensor of these sizes, with the last coordinate 0; make() gives
// each thread its `row`.
template <class MakeRow>
void for_window_rows(const cpu_backend& backend, std::uint64_t bytes, dimensions sizes, const MakeRow& make) {
  sizes[sizes.size() - 1] = 1;
  parallel_for(backend, bytes, element_count(sizes), [&](std::uint64_t begin, std::uint64_t end) {
    const ieee_arithmetic mode;
    auto row = make();
    for (std::uint64_t i = begin; i < end; ++i) row(coordinate_at(sizes, i));
  });
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

namespace window_loops {

// Three rows of numbers: sums, those of the magnitudes, and the least magnitudes other than 0; `pitch` apart.
struct sums {
  double* first;
  std::uint64_t pitch;
};

// The same of one window, and how a term is added.
struct term_sum {
  double sum = -0.0, magnitude = 0, least = std::numeric_limits<double>::infinity();

  GOLDML_INLINE void add(double x) {
    const double a = magnitude_of(x), other = choose(a > 0, a, std::numeric_limits<double>::infinity());
    sum += x;
    magnitude += a;
    least = choose(other < least, other, least);
  }
};

template <std::size_t ToStep, std::size_t FromStep>
struct add {
  template <class Set>
  GOLDML_INLINE static void run(Set, const sums& to, std::uint64_t at, const sums& from, std::uint64_t first,
                                std::uint64_t count) {
    for (std::size_t part = 0; part < 2; ++part) {
      double* const sum = to.first + part * to.pitch + at;
      const double* const term = from.first + part * from.pitch + first;
      for (std::uint64_t i = 0; i < count; ++i) sum[i * ToStep] += term[i * FromStep];
    }
    double* const least = to.first + 2 * to.pitch + at;
    const double* const other = from.first + 2 * from.pitch + first;
    for (std::uint64_t i = 0; i < count; ++i)
      least[i * ToStep] = other[i * FromStep] < least[i * ToStep] ? other[i * FromStep] : least[i * ToStep];
  }
};

// Numbers as terms of sums, divided by `divisor` times those of a row of divisors; a square if it is to be one.
template <class T, bool Squares>
struct read_terms {
  template <class Set>
  GOLDML_INLINE static void run(Set, const T* from, std::uint64_t step, std::uint64_t count, double divisor,
                                const double* divisors, const sums& to) {
    for (std::uint64_t i = 0; i < count; ++i) {
      double x = double_of_bits<T>(std::bit_cast<number_bits_of<T>>(from[i * step]));
      if constexpr (Squares) x = x * x;
      if (divisors != nullptr) x = x / (divisor * divisors[i]);
      const double magnitude = std::abs(x);
      to.first[i] = x;
      to.first[to.pitch + i] = magnitude;
      to.first[2 * to.pitch + i] = magnitude > 0 ? magnitude : std::numeric_limits<double>::infinity();
    }
  }
};

// A key by which taps are compared, of the bits of a float: NaN has this one.
template <class Bits>
GOLDML_INLINE std::make_signed_t<Bits> key_of_bits(Bits all, Bits infinity, std::make_signed_t<Bits> of_nan) {
  using key = std::make_signed_t<Bits>;
  const auto magnitude = static_cast<key>(all & static_cast<Bits>((std::numeric_limits<key>::max)()));
  const auto sign = static_cast<key>(static_cast<key>(all) >> (std::numeric_limits<Bits>::digits - 1));
  const auto ordered = static_cast<key>((magnitude ^ sign) - sign);
  return magnitude > static_cast<key>(infinity) ? of_nan : ordered;
}
template <class T>
struct read_keys {
  using bits = simd::bits_of_size<sizeof(T)>;
  using key = std::make_signed_t<bits>;
  template <class Set>
  GOLDML_INLINE static void run(Set, const T* from, std::uint64_t step, std::uint64_t count, key of_nan, bits* line,
                                key* keys) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const bits each = std::bit_cast<bits>(from[i * step]);
      line[i] = each;
      if constexpr (is_floating_type<T>)
        keys[i] = key_of_bits<bits>(each, float_bits<T>::infinity, of_nan);
      else if constexpr (std::is_signed_v<T>)
        keys[i] = static_cast<key>(each);
      else
        keys[i] = static_cast<key>(each ^ static_cast<bits>(bits{1} << (std::numeric_limits<bits>::digits - 1)));
    }
  }
};

// Takes what is greater.
template <std::size_t Step, bool WithIndices>
struct take_greater {
  template <class Set, class Bits, class Key>
  GOLDML_INLINE static void run(Set, const Bits* line, const Key* keys, std::uint64_t step, std::uint64_t count,
                                Bits* best, Key* best_keys, std::uint64_t* indices, std::uint64_t number) {
    const std::uint64_t by = Step == 0 ? step : Step;
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool greater = keys[i * by] > best_keys[i];
      best[i] = greater ? line[i * by] : best[i];
      best_keys[i] = greater ? keys[i * by] : best_keys[i];
      if constexpr (WithIndices) indices[i] = greater ? number + i * by : indices[i];
    }
  }
};

// What sums of n terms are rounded to, with the bound on their error, n + 8 roundings of the magnitudes: doubt[i] is 0
// where that is certain. A sum is divided by a divisor; or it is the magnitude, the root of that, or of terms that may
// have been rounded.
enum class finish { quotient, magnitude, root, terms };
template <class T, finish How>
GOLDML_INLINE void round_sum(const term_sum& of, double n, double v, T& to, std::uint32_t& doubt) {
  using bits = number_bits_of<T>;
  constexpr auto sign = static_cast<bits>(~bits{0} ^ static_cast<bits>(~bits{0}) >> 1);
  double y = 0, error = 0;
  if constexpr (How == finish::root) {
    y = std::sqrt(of.magnitude);
    error = (n + 8) * 0x1p-53 * y;
  } else {
    const double dividend = How == finish::magnitude ? of.magnitude : of.sum;
    y = dividend / v;
    error = (n + 8) * 0x1p-53 * (of.magnitude / v);
    if constexpr (How != finish::terms) {
      // The terms have 24 bits, so that no sum of so many rounds; nor does a quotient whose product is the sum.
      const bool exact = (of.magnitude <= of.least * 0x1p28) & (v < 0x1p24);
      const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) >> 27 << 27);
      const bool whole = (high * v - dividend) + (y - high) * v == 0;
      error = choose(exact, choose(whole, 0.0, 0x1p-52 * std::abs(y)), error);
    }
  }
  const bits low = rounded_bits<T>(y - error), up = rounded_bits<T>(y + error);
  const auto size = static_cast<bits>(low & static_cast<bits>(~sign));
  const bool same = low == up && size != 0 && size < float_bits<T>::infinity;
  const bool zero = of.magnitude <= 0;  // nothing but zeros was added; -0 if all are
  const bool negative = n > 0 && std::bit_cast<std::uint64_t>(of.sum) >> 63 != 0;
  const bits of_zero = How == finish::quotient && negative ? sign : bits{0};
  const bool known_zero = zero && (How != finish::terms || !negative);
  to = std::bit_cast<T>(zero ? of_zero : low);
  doubt = same || known_zero ? 0 : 1;
}
template <class T, finish How>
struct round_sums {
  template <class Set>
  GOLDML_INLINE static void run(Set, const sums& of, const double* taps, const double* divisors, std::uint64_t count,
                                double rows, double divisor, T* to, std::uint32_t* doubt) {
    for (std::uint64_t i = 0; i < count; ++i)
      round_sum<T, How>({of.first[i], of.first[of.pitch + i], of.first[2 * of.pitch + i]}, rows * taps[i],
                        divisor * divisors[i], to[i], doubt[i]);
  }
};

}  // namespace window_loops

// Sums in double, of a row of windows or of elements.
class row_of_sums {
 public:
  explicit row_of_sums(std::uint64_t width) : numbers_(static_cast<std::size_t>(3 * width)), width_(width) {}

  void clear() {
    const auto part = static_cast<std::ptrdiff_t>(width_);
    std::fill(numbers_.begin(), numbers_.begin() + part, -0.0);
    std::fill(numbers_.begin() + part, numbers_.begin() + 2 * part, 0.0);
    std::fill(numbers_.begin() + 2 * part, numbers_.end(), std::numeric_limits<double>::infinity());
  }
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
  template <class T, bool Squares = false>
  void read(instruction_set set, const T* from, std::uint64_t step, std::uint64_t count, double divisor = 1,
            const double* divisors = nullptr) {
    const window_loops::sums to = rows();
    simd::dispatch<window_loops::read_terms<T, Squares>, instruction_set::avx2>(set, from, step, count, divisor,
                                                                                divisors, to);
  }

 private:
  std::vector<double> numbers_;
  std::uint64_t width_;
};

// The results of such a row, and where they are in doubt.
template <class T, window_loops::finish How>
class rounded_row {
 public:
  explicit rounded_row(std::uint64_t width) : results_(static_cast<std::size_t>(width)), doubt_(results_.size()) {}

  void round(instruction_set set, const row_of_sums& of, const std::vector<double>& taps,
             const std::vector<double>& divisors, double rows, double divisor) {
    const window_loops::sums all = of.rows();
    simd::dispatch<window_loops::round_sums<T, How>, instruction_set::avx2>(set, all, taps.data(), divisors.data(),
                                                                            std::uint64_t{results_.size()}, rows,
                                                                            divisor, results_.data(), doubt_.data());
  }
  T* results() { return results_.data(); }
  std::uint32_t* doubt() { return doubt_.data(); }
  // Stores all of them; exactly(i) computes what is in doubt.
  template <class F>
  void store(T* to, std::uint64_t step, const F& exactly) const {
    for (std::size_t i = 0; i < results_.size(); ++i) to[i * step] = doubt_[i] == 0 ? results_[i] : exactly(i);
  }

 private:
  std::vector<T> results_;
  std::vector<std::uint32_t> doubt_;
};

}  // namespace goldml::detail
