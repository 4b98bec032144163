// Two more number types for formulas: what one legal device happens to compute, drawn at random, and the exact result.
// They share the formulas with formula::device_number, and no bound: errors of primitives are written again here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <goldml/arithmetic/precision.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/dimensions.hpp>

namespace simulated {

using real = long double;
using goldml::arithmetic_mode;
using goldml::dimensions;

inline real f_of(const goldml::activation& f, real x) {
  const real a = static_cast<real>(f.parameters[0]), b = static_cast<real>(f.parameters[1]);
  switch (f.operator_type) {
    case 35:
      return x < 0 ? a * std::expm1(x) : x;  // ELU
    case 39:
      return x < 0 ? a * x : x;  // LEAKY_RELU
    case 40:
      return a * x + b;  // LINEAR
    case 44:
      return std::fmax(real{0}, x);  // RELU
    case 47:
      return 1 / (1 + std::exp(-x));  // SIGMOID
    case 51:
      return std::tanh(x);  // TANH
    default:
      return x;  // IDENTITY
  }
}

// A row of the elements of a slice of these sizes in which only one axis is averaged: calls use(elements).
template <class N>
std::vector<N> averaged_along(const std::vector<N>& x, dimensions& sizes, std::size_t axis) {
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < sizes.size(); ++i) inner *= sizes[i];
  const std::size_t n = sizes[axis];
  std::vector<N> result;
  for (std::size_t o = 0; o < x.size() / (n * inner); ++o)
    for (std::size_t i = 0; i < inner; ++i) {
      typename N::terms s;
      for (std::size_t k = 0; k < n; ++k) s.add(x[(o * n + k) * inner + i]);
      result.push_back(over(s.total(), static_cast<double>(n)));
    }
  sizes[axis] = 1;
  return result;
}

// ---- The exact result

struct exact_number {
  real v = 0;
  struct terms {
    real s = 0, count = 0;
    void add(exact_number x) { s += x.v, ++count; }
    void add(exact_number a, exact_number b) { s += a.v * b.v, ++count; }
    exact_number total() const { return {s}; }
    exact_number total_from_zero() const { return {s}; }
    exact_number mean(const dimensions&) const { return {s / count}; }
  };
  exact_number like(double x) const { return {x}; }
  bool narrows() const { return false; }
  friend exact_number operator+(exact_number a, exact_number b) { return {a.v + b.v}; }
  friend exact_number operator-(exact_number a, exact_number b) { return {a.v - b.v}; }
  friend exact_number operator*(exact_number a, exact_number b) { return {a.v * b.v}; }
  friend exact_number operator/(exact_number a, exact_number b) { return {a.v / b.v}; }
  friend exact_number share(exact_number a, exact_number b) { return {a.v / b.v}; }
  friend exact_number over(exact_number a, double n) { return {a.v / n}; }
  friend exact_number exp(exact_number a) { return {std::exp(a.v)}; }
  friend exact_number log(exact_number a) { return {std::log(a.v)}; }
  friend exact_number sqrt(exact_number a) { return {std::sqrt(a.v)}; }
  friend exact_number rsqrt(exact_number a) { return {1 / std::sqrt(a.v)}; }
  friend exact_number abs(exact_number a) { return {std::fabs(a.v)}; }
  friend exact_number maximum(exact_number a, exact_number b) { return {std::fmax(a.v, b.v)}; }
  friend exact_number minimum(exact_number a, exact_number b) { return {std::fmin(a.v, b.v)}; }
  friend exact_number apply(const goldml::activation& f, exact_number a) { return {f_of(f, a.v)}; }
  friend exact_number may_store(exact_number a) { return a; }
  friend exact_number mix(exact_number z, exact_number a, exact_number b) { return {(1 - z.v) * a.v + z.v * b.v}; }
  friend exact_number affine(exact_number a, exact_number x, exact_number c, exact_number b) {
    return {a.v * (x.v - c.v) + b.v};
  }
  template <class F, class G>
  static exact_number either(F f, G) {
    return f();
  }
};

// ---- One device

// How it adds, how often it flushes, rounds, fuses and stores, and where the errors of its functions lie.
struct device {
  arithmetic_mode mode;
  std::mt19937_64 bits;
  int order = 0;   // forward, backward, pairwise, random tree, lanes
  int errors = 0;  // spread, none, all up, all down, the greatest of random sign
  double flush = 0, keep = 0, fuse = 0, store = 0, second = 0, halves = 0;
  bool reciprocals = true;  // with the instructions `rcp` and `rsq`
  int narrowing = 0;        // to nearest, toward zero, either

  device(const arithmetic_mode& m, std::uint64_t seed) : mode(m), bits(seed) { change(); }
  bool yes(double p) { return p > 0 && std::uniform_real_distribution<double>(0, 1)(bits) < p; }
  int below(int n) { return static_cast<int>(bits() % static_cast<unsigned>(n)); }
  void change() {
    const auto level = [&] { return below(3) / 2.0; };
    order = below(5);
    errors = below(5);
    flush = mode.flushes && !mode.half() ? level() : 0;
    keep = below(4) == 0 ? 0.3 : 0;
    fuse = level();
    store = level();
    second = level();
    halves = mode.half_products() ? level() : 0;
    reciprocals = below(2) == 0;
    narrowing = below(3);
  }
  real unit() const { return mode.half() ? 0x1p-11L : 0x1p-24L; }
  real least() const { return mode.half() ? 0x1p-24L : 0x1p-149L; }
  real least_normal() const { return mode.half() ? 0x1p-14L : 0x1p-126L; }
  real error() {  // from -1 to 1
    switch (errors) {
      case 0:
        return std::uniform_real_distribution<double>(-1, 1)(bits);
      case 1:
        return 0;
      case 2:
        return 1 - 0x1p-20L;
      case 3:
        return -1 + 0x1p-20L;
      default:
        return yes(0.5) ? 1 - 0x1p-20L : -1 + 0x1p-20L;
    }
  }
  static real place(real v) { return std::fmax(v != 0 ? std::ldexp(1.0L, std::ilogb(v) - 10) : 0, 0x1p-24L); }
  static real round(real v, bool half) {
    if (!half) return static_cast<real>(static_cast<float>(v));
    if (!std::isfinite(v)) return v;
    const real y = std::nearbyint(v / place(v)) * place(v);
    return std::fabs(y) > 65504 ? std::copysign(std::numeric_limits<real>::infinity(), v) : y;
  }
  real step(real v) {
    if (!std::isfinite(v)) return v;
    if (v != 0 && std::fabs(v) < least_normal() && yes(flush)) return std::copysign(0.0L, v);
    if (std::fabs(v) < (mode.half() ? 65520.0L : 0x1.ffffffp127L) && yes(keep)) return v;
    return round(v, mode.half());
  }
  // Of a product, which half_products may round to FLOAT16.
  real product_step(real v) {
    const real y = step(v);
    return yes(halves) ? narrow(y) : y;
  }
  // Of a function, whose error includes its rounding.
  real settle(real v) {
    const double kept = std::exchange(keep, 0.0);
    v = step(v);
    keep = kept;
    return v;
  }
  real narrow(real v) {  // to an element of FLOAT16
    const bool zero = narrowing == 1 || (narrowing == 2 && yes(0.5));
    if (!zero || !std::isfinite(v)) return round(v, true);
    if (std::fabs(v) > 65504) return std::copysign(65504.0L, v);
    return std::trunc(v / place(v)) * place(v);
  }
};

class number {
 public:
  number() = default;
  // An element.
  number(double x, device& d) : v(static_cast<real>(x)), at(&d), is_element(true) {}
  real v = 0;
  device* at = nullptr;
  bool is_element = false;

  const arithmetic_mode& mode() const { return at->mode; }
  number like(double x) const { return {x, *at}; }
  bool narrows() const { return !mode().float32 && !mode().half(); }
  real read() const {
    if (!is_element || !mode().float32 || !std::isfinite(v)) return v;
    if (mode().half() || at->yes(at->halves)) return mode().half() ? device::round(v, true) : at->narrow(v);
    return v != 0 && std::fabs(v) < 0x1p-126L && at->yes(at->flush) ? std::copysign(0.0L, v) : v;
  }

  class terms {
   public:
    void add(const number& x) { at_ = x.at, list_.push_back({x.read(), 1, false}), given_.push_back(x); }
    void add(const number& a, const number& b) { at_ = a.at, list_.push_back({a.read(), b.read(), true}); }
    number total_from_zero() const { return total(); }
    number total() const {
      device& d = *at_;
      std::vector<term> t = list_;
      if (d.order == 1) std::reverse(t.begin(), t.end());
      if (d.order == 3) std::shuffle(t.begin(), t.end(), d.bits);
      const auto value = [&](const term& x) { return x.is_product ? d.product_step(x.a * x.b) : x.a; };
      const auto plus = [&](real s, const term& x) {
        return x.is_product && d.yes(d.fuse) && !d.yes(d.halves) ? d.step(s + x.a * x.b) : d.step(s + value(x));
      };
      std::vector<real> parts;
      if (d.order == 2 || (d.order == 3 && d.yes(0.5))) {
        for (const term& x : t) parts.push_back(value(x));
      } else {
        const std::size_t lanes = std::min<std::size_t>(d.order == 4 ? 4 : 1, t.size());
        for (std::size_t i = 0; i < lanes; ++i) {
          real s = value(t[i]);
          for (std::size_t k = i + lanes; k < t.size(); k += lanes) s = plus(s, t[k]);
          parts.push_back(s);
        }
      }
      while (parts.size() > 1) {
        if (d.order == 3) {
          const auto i = static_cast<std::size_t>(d.below(static_cast<int>(parts.size()) - 1));
          parts[i] = d.step(parts[i] + parts[i + 1]);
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        } else {
          std::vector<real> next;
          for (std::size_t i = 0; i + 1 < parts.size(); i += 2) next.push_back(d.step(parts[i] + parts[i + 1]));
          if (parts.size() % 2 != 0) next.push_back(parts.back());
          parts.swap(next);
        }
      }
      return of(parts.empty() ? 0 : parts[0], d);
    }
    // The sum, divided; each element, divided; or axis after axis, in any order.
    number mean(const dimensions& sizes) const {
      const arithmetic_mode& mode = at_->mode;
      const double n = static_cast<double>(list_.size());
      const int way = at_->below(mode.half_products() ? 2 : 3);  // the bound counts one product of half_products
      if (way == 0) return over(total(), n);
      if (way == 1) {
        terms s;
        for (const number& x : given_) s.add(over(x, n));
        return s.total();
      }
      std::vector<number> x = given_;
      dimensions left = sizes;
      std::vector<std::size_t> axes;
      for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] > 1) axes.push_back(i);
      std::shuffle(axes.begin(), axes.end(), at_->bits);
      for (const std::size_t axis : axes) x = averaged_along(x, left, axis);
      return x[0];
    }

   private:
    struct term {
      real a, b;
      bool is_product;
    };
    std::vector<term> list_;
    std::vector<number> given_;
    device* at_ = nullptr;
  };

  friend number operator+(const number& a, const number& b) { return a.made(a.read() + b.read()); }
  friend number operator-(const number& a, const number& b) { return a.made(a.read() - b.read()); }
  friend number operator*(const number& a, const number& b) {
    return of(a.at->product_step(a.read() * b.read()), *a.at);
  }
  friend number operator/(const number& a, const number& b) {
    device& d = *a.at;
    const real x = a.read(), y = b.read();
    if (y == 1) return a.made(x);
    if (d.yes(0.3) || !std::isfinite(y) || y == 0) return of(d.product_step(x / y), d);
    real reciprocal = device::round(1 / y, d.mode.half());
    if (!std::isfinite(reciprocal) || reciprocal == 0) return of(d.product_step(x * d.step(reciprocal)), d);
    if (d.reciprocals && !d.mode.half() && d.yes(0.7)) {
      const real by_rcp = 1 / y * (1 + 7 * d.unit() * d.error());  // and rounded: within 2^-21
      reciprocal = device::round(by_rcp, false);
    } else if (d.yes(0.5)) {  // its neighbour on the other side
      const real place = std::fmax(std::ldexp(2 * d.unit(), std::ilogb(reciprocal)), d.least());
      reciprocal += reciprocal <= 1 / y ? place : -place;
    }
    return of(d.product_step(x * d.step(reciprocal)), d);
  }
  friend number share(const number& a, const number& b) { return a / b; }
  friend number over(const number& a, double n) {
    if (std::exp2(std::ilogb(n)) == n) return of(a.at->product_step(a.read() / static_cast<real>(n)), *a.at);
    return a / number(of(static_cast<real>(n), *a.at));
  }
  friend number exp(const number& a) {
    device& d = *a.at;
    const real x = a.read(), y = std::exp(x);
    if (!std::isfinite(x)) return of(d.product_step(y), d);
    const bool half = d.mode.half();
    const real u = half ? 0x1p-10L : 0x1p-23L, own = half ? 3.8L : 3.99L;
    const real most = half ? (4 + 2 * std::fabs(x)) * 0x1p-10L : 0x1p-21L + std::fabs(x) * 0x1p-22L;
    const real computed = std::exp(x * (1 + (half ? 1.9L : 1.99L) * u * d.error())) * (1 + own * u * d.error());
    const number result = a.function(computed, y, y * most);
    return d.yes(d.halves) ? of(d.narrow(result.v), d) : result;
  }
  friend number log(const number& a) {
    const real y = std::log(a.read()), size = std::fabs(y);
    if (!std::isfinite(y)) return a.made(y);
    const real by =
        a.mode().half() ? 0x1p-9L * std::fmax(1.0L, size) : 0x1p-21L * std::fmax(0.7L, size) + 0x1p-22L * size;
    return a.function(y + by * a.at->error(), y, by);
  }
  friend number sqrt(const number& a) {
    const real y = std::sqrt(a.read());
    const real by = (a.mode().half() || a.at->reciprocals ? 3 : 2) * a.at->unit() * y;
    return a.function(y + by * a.at->error(), y, by);
  }
  friend number rsqrt(const number& a) {
    const real y = 1 / std::sqrt(a.read()), by = (a.mode().half() ? 6 : 8) * a.at->unit() * y;
    return std::isfinite(y) ? a.function(y + by * a.at->error(), y, by) : a.made(y);
  }
  friend number abs(const number& a) { return moved(std::fabs(a.v), a, a); }
  friend number maximum(const number& a, const number& b) {
    if ((std::isnan(a.v) || std::isnan(b.v)) && a.at->yes(0.5)) return moved(std::nan(""), a, b);
    return moved(std::fmax(a.v, b.v), a, b);
  }
  friend number minimum(const number& a, const number& b) {
    if ((std::isnan(a.v) || std::isnan(b.v)) && a.at->yes(0.5)) return moved(std::nan(""), a, b);
    return moved(std::fmin(a.v, b.v), a, b);
  }
  friend number may_store(const number& a) {
    number result = a;
    if (a.at->yes(a.at->store)) {
      const real y = a.at->step(a.v);
      result = of(a.mode().float32 ? y : a.at->narrow(y), *a.at);
    }
    result.is_element = true;
    return result;
  }
  friend number apply(const goldml::activation& f, const number& a) {
    const number one = of(1, *a.at), minus = of(-a.read(), *a.at);
    device& d = *a.at;
    const real alpha = static_cast<real>(f.parameters[0]), beta = static_cast<real>(f.parameters[1]);
    const auto parameter = [&](real x) { return number(static_cast<double>(x), d); };
    switch (f.operator_type) {
      case 35:
        return a.read() < 0 ? parameter(alpha) * (exp(a) - one) : a;
      case 39:
        return a.read() < 0 ? parameter(alpha) * a : a;
      case 40:
        return parameter(alpha) * a + parameter(beta);
      case 44:
        return maximum(one - one, a);
      case 47:
        return one / (one + exp(minus));
      case 51: {
        // tanh(+-0) is +-0, and no device leaves +-(1 + the error of a division).
        const real x = a.read(), y = std::tanh(x);
        if (x == 0 || !std::isfinite(x)) return of(y, d);
        if (std::fabs(x) < 40 && d.yes(0.5) && !d.mode.rounds_to_half()) {
          const number e = exp(a + a);
          return of(std::clamp(((e - one) / (e + one)).v, -1.0L, 1.0L), d);
        }
        const real by = (d.mode.half() ? 0 : 1e-5L) + (1 - y * y) / 2 * (0x1p-21L + std::fabs(x) * 0x1p-21L);
        const real z = d.settle(y + by * (d.mode.half() ? 0x1p12L : 1) * d.error());
        return of(d.mode.half() ? z : std::clamp(z, -1.0L, 1.0L), d);
      }
      default:
        return a;
    }
  }
  friend number mix(const number& z, const number& a, const number& b) {
    const number one = of(1, *z.at);
    if (z.at->yes(0.5)) return (one - z) * a + z * b;
    const number difference = b - a;
    return z.at->yes(z.at->fuse) ? z.made(a.read() + z.read() * difference.read()) : a + z * difference;
  }
  friend number affine(const number& a, const number& x, const number& c, const number& b) {
    if (a.at->yes(0.5)) return a * (x - c) + b;
    const number rest = b - a * c;  // folded, fused or not
    return a.at->yes(a.at->fuse) ? a.made(a.read() * x.read() + rest.read()) : a * x + rest;
  }
  template <class F, class G>
  static number either(F f, G g) {
    const number first = f();
    return first.at->yes(first.at->second) ? g() : first;
  }

  // The element that the device writes.
  double element() const {
    const real y = device::round(at->step(read()), false);
    return static_cast<double>(mode().float32 ? y : at->narrow(y));
  }

 private:
  static number of(real x, device& d) {
    number r;
    r.v = x;
    r.at = &d;
    return r;
  }
  static number moved(real x, const number& a, const number& b) {
    number r = of(x, *a.at);
    r.is_element = a.is_element || b.is_element;
    return r;
  }
  number made(real x) const { return of(at->step(x), *at); }
  // x, which is within `error` of the function's result y, rounded so that it stays there.
  number function(real x, real y, real error) const {
    if (!std::isfinite(y)) return made(y);
    real r = at->settle(x);
    if (std::isfinite(r) && std::fabs(y) >= 2 * at->least_normal() && std::fabs(r - y) > error)
      r = device::round(y, mode().half());
    return of(r, *at);
  }
};

}  // namespace simulated
