// Kernels under test: sums of products as devices compute them, in the orders and precisions that are legal. They share
// no code with the backends.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/oracle/random.hpp>

namespace trial {

using goldml::float16;
using goldml::oracle::random_source;

// The precision of intermediate results. half_products: factors, products, exponentials and quotients are FLOAT16, sums
// FLOAT32. `real` is double: exact on small integers, and nearly exact elsewhere.
enum class steps { single, half_products, half, real };

enum class order { forward, backward, pairwise, blocked, lanes, shuffled, fused, compensated };
inline constexpr std::array orders{order::forward, order::backward, order::pairwise, order::blocked,
                                   order::lanes,   order::shuffled, order::fused,    order::compensated};

struct method {  // how a kernel computes
  trial::order order = order::forward;
  trial::steps steps = steps::single;
  bool cuts = false;           // narrows FLOAT32 to FLOAT16 toward zero
  bool flushes = false;        // replaces intermediate results below the least normal number of the precision by zeros
  bool scales_first = false;   // multiplies by Alpha or 1/n before it adds
  std::uint64_t seed = 0;      // of order::shuffled
  bool cuts_products = false;  // of half_products: rounds to FLOAT16 toward zero
  // How far reciprocals and roots are off, relatively, before they are rounded: at most the 2^-21 of `rcp`, or what
  // roots made of `rsq` reach.
  double reciprocal = 0, root = 0;
};
inline constexpr double rcp_error = 0x7p-24, rsq_error = 0x1.fp-24;

// A FLOAT32 rounded to FLOAT16, to nearest even or toward zero.
inline float16 to_half(double x, bool cuts) {
  const auto single = static_cast<float>(x);
  const auto nearest = static_cast<float16>(single);
  if (!cuts || !(std::abs(static_cast<float>(nearest)) > std::abs(single))) return nearest;
  return std::bit_cast<float16>(static_cast<std::uint16_t>(std::bit_cast<std::uint16_t>(nearest) - 1));
}

// A number that a kernel of precision A holds.
template <class A>
A held(double x) {
  if constexpr (std::is_same_v<A, float16>)
    return static_cast<float16>(static_cast<float>(x));
  else
    return static_cast<A>(x);
}
template <class A>
double wide(A x) {
  if constexpr (std::is_same_v<A, float16>)
    return static_cast<double>(static_cast<float>(x));
  else
    return static_cast<double>(x);
}

// The arithmetic of a kernel. Operations on FLOAT16 are those on FLOAT32, rounded, which is the same.
template <class A>
struct arithmetic {
  bool flushes = false;
  bool half_products = false;
  bool cuts_products = false;
  double reciprocal = 0;

  A kept(A x) const {
    constexpr double least = std::is_same_v<A, float16> ? 0x1p-14 : std::is_same_v<A, float> ? 0x1p-126 : 0;
    return flushes && std::abs(wide(x)) < least ? held<A>(0) : x;
  }
  A add(A x, A y) const {
    return kept(operate(x, y, [](auto p, auto q) { return p + q; }));
  }
  A subtract(A x, A y) const {
    return kept(operate(x, y, [](auto p, auto q) { return p - q; }));
  }
  // What a product, an exponential or a factor of a product becomes.
  A product(A x) const { return half_products ? held<A>(wide(to_half(wide(x), cuts_products))) : x; }
  A multiply(A x, A y) const {
    return product(kept(operate(product(x), product(y), [](auto p, auto q) { return p * q; })));
  }
  A divide(A x, A y) const {
    int exponent = 0;
    const bool is_power = std::abs(std::frexp(wide(y), &exponent)) == 0.5;  // exact
    if (reciprocal == 0 || is_power) return product(kept(operate(x, y, [](auto p, auto q) { return p / q; })));
    return multiply(x, held<A>(1 / wide(y) * (1 + reciprocal)));
  }
  A fused(A x, A y, A z) const {
    if (half_products) return add(multiply(x, y), z);
    if constexpr (std::is_same_v<A, float16>)
      return kept(held<A>(wide(x) * wide(y) + wide(z)));
    else
      return kept(std::fma(x, y, z));
  }

 private:
  template <class F>
  static A operate(A x, A y, const F& f) {
    if constexpr (std::is_same_v<A, float16>)
      return static_cast<float16>(f(static_cast<float>(x), static_cast<float>(y)));
    else
      return f(x, y);
  }
};

// Calls f with the arithmetic of a kernel.
template <class F>
auto with_arithmetic(const method& k, const F& f) {
  switch (k.steps) {
    case steps::half:
      return f(arithmetic<float16>{k.flushes});
    case steps::real:
      return f(arithmetic<double>{});
    case steps::half_products:
      return f(arithmetic<float>{k.flushes, true, k.cuts_products});
    default:
      return f(arithmetic<float>{k.flushes, false, false, k.reciprocal});
  }
}

struct term {  // a * b; of a plain sum, b is 1
  double a = 0;
  double b = 1;
};

template <class A>
A pairwise_sum(const arithmetic<A>& in, std::span<const A> p) {
  if (p.size() == 1) return p[0];
  const std::size_t half = p.size() / 2;
  return in.add(pairwise_sum(in, p.first(half)), pairwise_sum(in, p.subspan(half)));
}

template <class A>
A serial_sum(const arithmetic<A>& in, std::span<const A> p) {
  A sum = p[0];
  for (const A x : p.subspan(1)) sum = in.add(sum, x);
  return sum;
}

// The sum of products in the order of the kernel.
template <class A>
A sum_of(const arithmetic<A>& in, const method& k, std::span<const term> terms) {
  if (terms.empty()) return held<A>(0);
  std::vector<A> p;
  p.reserve(terms.size());
  if (k.order == order::fused) {
    A sum = in.multiply(held<A>(terms[0].a), held<A>(terms[0].b));
    for (const term& t : terms.subspan(1)) sum = in.fused(held<A>(t.a), held<A>(t.b), sum);
    return sum;
  }
  for (const term& t : terms) p.push_back(in.multiply(held<A>(t.a), held<A>(t.b)));
  const std::span<const A> all(p);
  switch (k.order) {
    case order::backward:
      std::reverse(p.begin(), p.end());
      break;
    case order::pairwise:
      return pairwise_sum(in, all);
    case order::blocked: {  // tiles of 32, one after the other
      std::vector<A> sums;
      for (std::size_t i = 0; i < p.size(); i += 32)
        sums.push_back(serial_sum(in, all.subspan(i, (std::min)(std::size_t{32}, p.size() - i))));
      return serial_sum<A>(in, sums);
    }
    case order::lanes: {  // 8 lanes with stride 8, and a tree
      std::vector<A> sums(all.begin(), all.begin() + static_cast<std::ptrdiff_t>((std::min)(std::size_t{8}, p.size())));
      for (std::size_t i = 8; i < p.size(); ++i) sums[i % 8] = in.add(sums[i % 8], p[i]);
      return pairwise_sum<A>(in, sums);
    }
    case order::shuffled: {
      random_source random(k.seed);
      for (std::size_t i = p.size(); i > 1; --i) std::swap(p[i - 1], p[random.below(i)]);
      break;
    }
    case order::compensated: {  // Kahan; not past an overflow, where inf - inf would be a NaN that no plain sum has
      A sum = p[0];
      A lost = held<A>(0);
      for (const A x : all.subspan(1)) {
        const A y = in.subtract(x, lost);
        const A next = in.add(sum, y);
        lost = std::isinf(wide(next)) ? held<A>(0) : in.subtract(in.subtract(next, sum), y);
        sum = next;
      }
      return sum;
    }
    default:
      break;
  }
  return serial_sum(in, all);
}

// How one output element is computed: Alpha * (the sum of the terms) + Beta * C, divided by a count, or its root.
struct summation {
  std::vector<term> terms = {};
  float alpha = 1;
  std::optional<term> added = {};
  std::uint32_t count = 1;
  bool root = false;
};

template <class A>
A value_of(const arithmetic<A>& in, const method& k, summation s) {
  const double share = 1 / static_cast<double>(s.count) * (1 + (std::has_single_bit(s.count) ? 0 : k.reciprocal));
  if (k.scales_first && k.steps != steps::real) {
    if (s.alpha != 1)
      for (term& t : s.terms) t.a = wide(in.multiply(held<A>(t.a), held<A>(double{s.alpha})));
    if (s.count != 1)  // of a plain sum
      for (term& t : s.terms) t.b = wide(held<A>(share));
    s.alpha = 1;
    s.count = 1;
  }
  A sum = sum_of(in, k, std::span<const term>(s.terms));
  if (s.alpha != 1) sum = in.multiply(held<A>(double{s.alpha}), sum);
  if (s.added) sum = in.add(sum, in.multiply(held<A>(s.added->a), held<A>(s.added->b)));
  if (s.count != 1) sum = in.divide(sum, held<A>(static_cast<double>(s.count)));
  if (s.root) sum = held<A>(std::sqrt(wide(sum)) * (1 + k.root));
  return sum;
}
inline double value_of(const method& k, const summation& s) {
  return with_arithmetic(k, [&](const auto& in) { return wide(value_of(in, k, s)); });
}

// An element of the output: what the kernel holds, rounded to nearest even or cut.
template <class T>
T stored(double value, bool cuts) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(value);
  } else {
    return to_half(value, cuts);
  }
}

}  // namespace trial
