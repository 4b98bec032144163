// ADD1 with a fused activation: a block of sums at a time, without branches in its loops. A sum of doubles that is not
// exact, and an activation whose rounding is not decided, are computed again exactly.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/cpu/engine/activations/functions.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>

namespace goldml::detail {

struct number_range {
  double low, high;
};

// Numbers that f(w) lies between, for a finite w; both are f(w) where it is computed without error.
template <arithmetic::activation_type F>
GOLDML_INLINE number_range fused_range(double a, double b, double w) {
  using enum arithmetic::activation_type;
  const auto around = [](double y, double error) GOLDML_INLINE_LAMBDA { return number_range{y - error, y + error}; };
  const auto magnitude = [](double x) GOLDML_INLINE_LAMBDA { return choose(x < 0, -x, x); };
  constexpr double relative = 2 * arithmetic::function_error;
  if constexpr (F == identity) {
    return {w, w};
  } else if constexpr (F == relu) {
    const double y = choose(w < 0, 0, w);
    return {y, y};
  } else if constexpr (F == thresholded_relu) {
    const double y = choose(w > a, w, 0);
    return {y, y};
  } else if constexpr (F == shrink) {
    const double y = choose(w > b, w - a, choose(w < -b, w + a, 0));
    return around(y, choose(y == 0, 0, 0x1p-50 * (magnitude(w) + magnitude(a))));
  } else if constexpr (F == linear || F == hard_sigmoid) {
    const double product = a * w;
    const number_range y = around(product + b, 0x1p-50 * (magnitude(product) + magnitude(b)));
    if constexpr (F == linear) return y;
    const auto clamped = [](double x) GOLDML_INLINE_LAMBDA { return choose(x < 0, 0, choose(x > 1, 1, x)); };
    return {clamped(y.low), clamped(y.high)};
  } else {
    double y = 0;
    if constexpr (F == leaky_relu)
      y = choose(w < 0, a * w, w);
    else
      y = fast_activation<F>(a, b, w);
    return {y * (1 - relative), y * (1 + relative)};
  }
}

template <class T>
extended_sum exact_sum_of(number_bits_of<T> x, number_bits_of<T> y) {
  extended_sum sum;
  sum.add(exact_double(std::bit_cast<T>(x)));
  sum.add(exact_double(std::bit_cast<T>(y)));
  return sum;
}

template <arithmetic::activation_type F, class T>
GOLDML_INLINE void fuse_block(const activation& f, const number_bits_of<T>* x, const number_bits_of<T>* y,
                              number_bits_of<T>* results) {
  using bits = number_bits_of<T>;
  const double a = widened(f.parameters[0]), b = widened(f.parameters[1]);
  // The limits for a parameter of 0 are no quotients. The middle of SHRINK is exact only if it is told from a zero sum.
  const bool limit = (F == arithmetic::activation_type::celu || F == arithmetic::activation_type::softplus) && a == 0;
  bits undecided[element_wise_block];
  bits any = 0;
  for (std::size_t i = 0; i < element_wise_block; ++i) {
    const double p = double_of_bits<T>(x[i]);
    const double q = double_of_bits<T>(y[i]);
    const double w = p + q;
    const double part = w - p;
    const double rest = (p - (w - part)) + (q - part);  // NaN of infinities
    const number_range range = fused_range<F>(a, b, w);
    results[i] = rounded_bits<T>(range.low);
    const bits decided =
        static_cast<bits>(mask_of<bits>(rest == 0) & mask_of<bits>(w - w == 0) &
                          mask_of<bits>(results[i] == rounded_bits<T>(range.high)) & mask_of<bits>(!limit));
    undecided[i] = static_cast<bits>(~decided);
    any |= undecided[i];
  }
  if (any == 0) return;
  for (std::size_t i = 0; i < element_wise_block; ++i)
    if (undecided[i] != 0)
      results[i] = std::bit_cast<bits>(arithmetic::fused_rounded<T>(f, exact_sum_of<T>(x[i], y[i])));
}

struct fused_sum_loop {
  template <class Set, class T>
  GOLDML_INLINE static void run(Set set, const activation& f, const element_wise_blocks& blocks,
                                std::type_identity<T> type) {
    using enum arithmetic::activation_type;
    // clang-format off
    switch (arithmetic::type_of(f)) {
      case clip:
      case swish:
      case hard_swish: return;  // AR8: not of ADD1
      case gelu: return run_blocks<gelu>(set, f, blocks, type);
      case elu: return run_blocks<elu>(set, f, blocks, type);
      case hard_sigmoid: return run_blocks<hard_sigmoid>(set, f, blocks, type);
      case identity: return run_blocks<identity>(set, f, blocks, type);
      case leaky_relu: return run_blocks<leaky_relu>(set, f, blocks, type);
      case linear: return run_blocks<linear>(set, f, blocks, type);
      case parametric_softplus: return run_blocks<parametric_softplus>(set, f, blocks, type);
      case relu: return run_blocks<relu>(set, f, blocks, type);
      case scaled_elu: return run_blocks<scaled_elu>(set, f, blocks, type);
      case scaled_tanh: return run_blocks<scaled_tanh>(set, f, blocks, type);
      case sigmoid: return run_blocks<sigmoid>(set, f, blocks, type);
      case softplus: return run_blocks<softplus>(set, f, blocks, type);
      case softsign: return run_blocks<softsign>(set, f, blocks, type);
      case arithmetic::activation_type::tanh:
        return run_blocks<arithmetic::activation_type::tanh>(set, f, blocks, type);
      case thresholded_relu: return run_blocks<thresholded_relu>(set, f, blocks, type);
      case shrink: return run_blocks<shrink>(set, f, blocks, type);
      case celu: return run_blocks<celu>(set, f, blocks, type);
    }
    // clang-format on
  }

 private:
  template <arithmetic::activation_type F, class Set, class T>
  GOLDML_INLINE static void run_blocks(Set, const activation& f, const element_wise_blocks& blocks,
                                       std::type_identity<T>) {
    using bits = number_bits_of<T>;
    for (std::size_t block = 0; block < blocks.count; ++block) {
      bits x[element_wise_block], y[element_wise_block], results[element_wise_block];
      std::memcpy(x, blocks.from[0] + block * blocks.step[0], sizeof x);
      std::memcpy(y, blocks.from[1] + block * blocks.step[1], sizeof y);
      fuse_block<F, T>(f, x, y, results);
      simd::store_block<Set, sizeof results>(blocks.to + block * sizeof results, results, blocks.streamed);
    }
  }
};

}  // namespace goldml::detail
