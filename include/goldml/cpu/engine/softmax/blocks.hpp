// SOFTMAX and LOG_SOFTMAX of blocks of 64 elements in double precision, without branches in their loops.
//
// Errors, in units of 2^-53 and relatively. e^d: 5 (the argument is reduced with an error of half a unit; the series,
// whose rest is below 2^-57, and what follows are a few roundings of numbers that do not cancel), and |d| if the
// difference d = x - M is rounded. Of the sum: in the mean at most 5 + ln n, since the mean of |d|, weighted by e^d, is
// the entropy of the results less the logarithm of the sum; and additions whose errors are added again, 3. A result:
// less than 64 + |d|, two of them for the two ends and the quotient. A result with |d| of 126 or more rounds to 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/functions.hpp>
#include <goldml/cpu/engine/activations/functions.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>

namespace goldml::detail {

inline constexpr std::size_t softmax_lanes = 64;
using softmax_block = std::array<double, softmax_lanes>;

// What is known of each lane: the greatest number, whether there is a NaN (all bits set), and the sum of the terms with
// the errors of its additions.
struct softmax_state {
  softmax_block greatest;
  std::array<std::uint64_t, softmax_lanes> has_nan{};
  softmax_block sum{};
  softmax_block rest{};

  softmax_state() { greatest.fill(-std::numeric_limits<double>::infinity()); }

  // Makes all lanes one slice.
  void join_greatest() {
    double most = greatest[0];
    std::uint64_t nan = 0;
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      most = (std::max)(most, greatest[i]);
      nan |= has_nan[i];
    }
    greatest.fill(most);
    has_nan.fill(nan);
  }
  void join_sums() {
    double total = 0, rests = 0;
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      const double next = total + sum[i];
      const double part = next - total;
      rests += (total - (next - part)) + (sum[i] - part) + rest[i];
      total = next;
    }
    sum.fill(total);
    rest.fill(rests);
  }
  // The sums; NaN of a slice whose results are NaN.
  softmax_block totals() const {
    softmax_block result;
    for (std::size_t i = 0; i < softmax_lanes; ++i)
      result[i] =
          has_nan[i] != 0 || std::isinf(greatest[i]) ? std::numeric_limits<double>::quiet_NaN() : sum[i] + rest[i];
    return result;
  }
};

template <class T>
using softmax_bits = std::array<number_bits_of<T>, softmax_lanes>;

struct softmax_greatest {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, std::type_identity<T>, const softmax_bits<T>& x, softmax_state& state) {
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      const double number = double_of_bits<T>(x[i]);
      state.greatest[i] = choose(number > state.greatest[i], number, state.greatest[i]);
      state.has_nan[i] |= mask_of<std::uint64_t>(number != number);
    }
  }
};

// The terms e^(x - M), and their sums if `sums`.
struct softmax_terms {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set, std::type_identity<T>, const softmax_bits<T>& x, softmax_state& state,
                                double* terms, bool sums) {
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      const double d = double_of_bits<T>(x[i]) - state.greatest[i];
      terms[i] = choose(d < -700, 0, fast_exp(d));
    }
    if (!sums) return;
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      const double next = state.sum[i] + terms[i];
      const double part = next - state.sum[i];
      state.rest[i] += (state.sum[i] - (next - part)) + (terms[i] - part);
      state.sum[i] = next;
    }
  }
};

// The results; returns whether all are decided. `undecided` has all bits set for one that is not.
struct softmax_results {
  template <class Set, class T>
  GOLDML_INLINE static bool run(Set, std::type_identity<T>, const double* terms, const softmax_block& totals,
                                softmax_bits<T>& results, softmax_bits<T>& undecided) {
    using bits = number_bits_of<T>;
    bits any = 0;
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      const double p = terms[i] / totals[i];
      const double error = choose(terms[i] > 0x1p-23, (64 + 16) * 0x1p-53, (64 + 126) * 0x1p-53);
      results[i] = rounded_bits<T>(p * (1 - error));
      undecided[i] = static_cast<bits>(~mask_of<bits>(results[i] == rounded_bits<T>(p * (1 + error))));
      any |= undecided[i];
    }
    return any == 0;
  }
};

// The results of LOG_SOFTMAX, d - ln S of numbers that do not cancel. `logarithms` has ln S, and NaN of a slice whose
// results are NaN; `errors` how far the results may be off, relatively. A result of 0 is +0.
struct log_softmax_results {
  template <class Set, class T>
  GOLDML_INLINE static bool run(Set, std::type_identity<T>, const softmax_state& state, const softmax_block& logarithms,
                                const softmax_block& errors, softmax_bits<T>& results, softmax_bits<T>& undecided) {
    using bits = number_bits_of<T>;
    constexpr auto sign = static_cast<bits>(bits{1} << (8 * sizeof(bits) - 1));
    bits any = 0;
    for (std::size_t i = 0; i < softmax_lanes; ++i) {
      const double y = (double_of_bits<T>(results[i]) - state.greatest[i]) - logarithms[i];
      const bits least = rounded_bits<T>(y * (1 - errors[i]));
      undecided[i] = static_cast<bits>(~mask_of<bits>(least == rounded_bits<T>(y * (1 + errors[i]))));
      results[i] = static_cast<bits>(least & static_cast<bits>(~mask_of<bits>(least == sign)));
      any |= undecided[i];
    }
    return any == 0;
  }
};

// ln S of the first lanes, and the relative errors of the results of LOG_SOFTMAX, of slices for whose sums each lane
// has made so many additions. In units of 2^-53: those of ln S are 12 of the logarithm, 5 + ln n - ln r of the terms
// but the greatest, whose sum is r, and those of the additions: each is off by less than the term that is added, and
// twice the sum of the terms and by 2^-53 S; a result has 3 more. S - 1 is exact but for the sum of the errors of
// additions.
inline void to_logarithms(const softmax_state& state, double additions, std::size_t lanes, softmax_block& sums,
                          softmax_block& errors) {
  for (std::size_t i = 0; i < lanes; ++i) {
    const double r = (std::max)(0.0, (state.sum[i] - 1) + state.rest[i]);
    errors[i] = 64 * 0x1p-53;
    if (r > 0) {
      const double of_sum = additions * 0x1p-53 * (std::min)(2.0, additions * 0x1p-53 * (1 + 1 / r));
      errors[i] += (std::max)(0.0, -arithmetic::log(r)) * 0x1p-53 + 2 * of_sum;
    }
    sums[i] = std::isnan(sums[i]) ? sums[i] : arithmetic::log1p(r);
  }
}

}  // namespace goldml::detail
