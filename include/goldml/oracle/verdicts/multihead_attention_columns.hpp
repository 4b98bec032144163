// Sums over the keys of a row of attention, of several columns of values at once.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/arithmetic/values.hpp>
#include <goldml/oracle/verdicts/multihead_attention_head.hpp>

namespace goldml::detail {

// A score as a device may have it, and what becomes of it.
struct attention_score {
  double value = 0, error = 0, usual = 0, rest = 0;  // `rest`: what is added to the product
  double weight = 0;                                 // its share of the row
  bool alive = false;                                // a device may give it a weight
  bool above = false, below = false;                 // it may overflow
  bool product_is_zero = true, sure = true;
};

// The least and the greatest of some values, the sum of their magnitudes, and what they are rounded by.
struct attention_values {
  double low = infinite_double, high = -infinite_double, sum = 0, off = 0;
  std::uint8_t also = 0;

  void add(double v, double e) {
    low = (std::min)(low, v);
    high = (std::max)(high, v);
    sum += std::abs(v);
    off = (std::max)(off, e);
  }
};

template <class T>
struct attention_columns {
  static constexpr std::size_t lanes = attention_head<T>::columns;
  using numbers = std::array<double, lanes>;

  std::size_t first;
  numbers y, size;               // of weighted values and magnitudes
  numbers spread, usual_spread;  // of weighted errors
  numbers given{};               // of weighted errors of values
  std::array<attention_values, lanes> of_alive;

  // Of columns f .. f + lanes - 1. The sums of a loop are in arrays of their own, which alias nothing.
  attention_columns(const attention_head<T>& head, std::span<const attention_score> keys, std::size_t f) : first(f) {
    numbers a{}, b{}, c{}, low, high;
    low.fill(infinite_double), high.fill(-infinite_double);
    for (std::size_t t = 0; t < keys.size(); ++t) {
      const double weight = keys[t].weight;
      const double* const v = head.values(t) + first;
      for (std::size_t i = 0; i < lanes; ++i) {
        a[i] += weight * v[i];
        b[i] += weight * std::abs(v[i]);
      }
      if (!keys[t].alive) continue;
      for (std::size_t i = 0; i < lanes; ++i) {
        low[i] = v[i] < low[i] ? v[i] : low[i];
        high[i] = v[i] > high[i] ? v[i] : high[i];
        c[i] += std::abs(v[i]);
      }
    }
    y = a, size = b;
    for (std::size_t i = 0; i < lanes; ++i) of_alive[i] = {low[i], high[i], c[i], 0, 0};
    b.fill(0), c.fill(0);
    for (const attention_score& s : keys) {
      if (!s.alive) continue;
      const double error = s.weight * s.error, usual = s.weight * s.usual;
      const double* const v = head.values(static_cast<std::size_t>(&s - keys.data())) + first;
      for (std::size_t i = 0; i < lanes; ++i) {
        const double distance = std::abs(v[i] - a[i]);
        b[i] += error * distance;
        c[i] += usual * distance;
      }
    }
    spread = b, usual_spread = c;
    for (std::size_t t = 0; head.has_bias() && t < keys.size(); ++t)
      for (std::size_t i = 0; keys[t].alive && i < lanes; ++i) {
        const double e = head.value_error(t, first + i);
        given[i] += keys[t].weight * e;
        of_alive[i].off = (std::max)(of_alive[i].off, e);
      }
  }
};

}  // namespace goldml::detail
