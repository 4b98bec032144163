// Scores of a row of attention to weights, and sums of weighted values to results, as vector loops in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/branchless.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

inline constexpr std::size_t attention_lanes = 32;  // the scores of a row are in blocks of so many
constexpr std::size_t attention_blocks_of(std::size_t keys) { return (keys + attention_lanes - 1) / attention_lanes; }
inline constexpr double least_attention_difference = -110;  // a weight below e to it is 0 (MH-R6)

// The greatest of some blocks of scores. NaN is passed over.
struct greatest_attention_score {
  template <class Set>
  GOLDML_INLINE static double run(Set, const double* scores, std::size_t blocks) {
    double most[attention_lanes], x[attention_lanes];
    for (double& each : most) each = -std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < blocks; ++b) {
      std::memcpy(x, scores + b * attention_lanes, sizeof x);
      for (std::size_t k = 0; k < attention_lanes; ++k) most[k] = choose(x[k] > most[k], x[k], most[k]);
    }
    for (std::size_t k = 1; k < attention_lanes; ++k) most[0] = choose(most[k] > most[0], most[k], most[0]);
    return most[0];
  }
};

// What a row of weights has: its sum, that of squares, and whether a weight may be 0 or not.
struct attention_totals {
  double sum = 0, squares = 0;
  bool is_open = false;
};

// Scores s become weights e^(s - greatest), which are off, relatively, by 2^-53 |s - greatest| of the difference and
// by 2^-50 of the function (five roundings, as of softmax/blocks.hpp). The sum is off by a rounding for each block and
// one for each lane.
struct attention_weights {
  template <class Set>
  GOLDML_INLINE static attention_totals run(Set, double* scores, std::size_t blocks, double greatest,
                                            double unsure_to) {
    double sums[attention_lanes] = {}, squares[attention_lanes] = {}, w[attention_lanes];
    std::uint64_t unsure[attention_lanes] = {};
    for (std::size_t b = 0; b < blocks; ++b) {
      double* const block = scores + b * attention_lanes;
      std::memcpy(w, block, sizeof w);
      for (std::size_t k = 0; k < attention_lanes; ++k) {
        const double x = w[k] - greatest;
        unsure[k] |= mask_of<std::uint64_t>(magnitude_of(x - least_attention_difference) <= unsure_to);
        w[k] = choose(x < least_attention_difference, 0.0, fast_exp(x));
        sums[k] += w[k];
        squares[k] += w[k] * w[k];
      }
      std::memcpy(block, w, sizeof w);
    }
    attention_totals totals;
    for (std::size_t k = 0; k < attention_lanes; ++k) {
      totals.sum += sums[k];
      totals.squares += squares[k];
      totals.is_open = totals.is_open || unsure[k] != 0;
    }
    return totals;
  }
};

// Of a row: the relative error of its weights, that of its sums by their own additions, and of their total by its own.
struct attention_errors {
  double weights, sums, total;
};

// Sums of weighted values in blocks of eight to results, by the Euclidean norm of the weights, and those of the columns
// of values with their greatest magnitudes; `open` has all bits set of one that is not decided.
//
// Let the weights be w_i = w'_i (1 + e_i), |e_i| at most e, and y' the exact result, that of the w'_i, for which
// sum w'_i (v_i - y') = 0. Then
//   sum w_i v_i / sum w_i - y' = sum w_i (v_i - y') / sum w_i = sum w'_i e_i (v_i - y') / sum w_i,
// which is at most e (A + |y'|), A the mean of the |v_i|, weighted: at most the greatest |v_i|; and by Cauchy and
// Schwarz at most the norm of the weights times that of the values over the total. The factor 1 + 2^-18 is for products
// of two errors, which are below 2^-20 each, and for the roundings of these bounds.
template <class T>
struct attention_results {
  template <class Set>
  GOLDML_INLINE static void run(Set, const double* sums, std::size_t blocks, const attention_totals& totals,
                                double norm, const attention_errors& errors, const double* norms_of_values,
                                const double* greatest_values, number_bits_of<T>* results, number_bits_of<T>* open) {
    constexpr std::size_t lanes = 8;
    for (std::size_t b = 0; b < blocks; ++b) {
      double x[lanes], norms[lanes], greatest[lanes];
      number_bits_of<T> low[lanes], unknown[lanes];
      std::memcpy(x, sums + b * lanes, sizeof x);
      std::memcpy(norms, norms_of_values + b * lanes, sizeof norms);
      std::memcpy(greatest, greatest_values + b * lanes, sizeof greatest);
      for (std::size_t k = 0; k < lanes; ++k) {
        const double y = x[k] / totals.sum, by_norms = norm * norms[k] / totals.sum;
        const double mean = choose(by_norms < greatest[k], by_norms, greatest[k]);
        const double error =
            ((errors.weights + errors.sums) * mean + (errors.weights + errors.total + 0x1p-53) * magnitude_of(y)) *
                (1 + 0x1p-18) +
            0x1p-900;
        low[k] = rounded_bits<T>(y - error);
        const auto high = rounded_bits<T>(y + error);
        // The sign of a zero is not known.
        const auto is_zero = mask_of<number_bits_of<T>>(number_bits<T>::magnitude(low[k]) == 0);
        unknown[k] = static_cast<number_bits_of<T>>((low[k] ^ high) | is_zero);
      }
      std::memcpy(results + b * lanes, low, sizeof low);
      std::memcpy(open + b * lanes, unknown, sizeof unknown);
    }
  }
};

}  // namespace goldml::detail
