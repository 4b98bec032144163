// Sets of numbers, apart from each other, that one element may be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/core/element_verdict.hpp>

namespace goldml::detail {

// That of the golden value is the first, which has the flags of all.
struct possible_sets {
  using possible = formula::possible;
  std::vector<possible> all = std::vector<possible>(1);

  void flag(unsigned flags) { all[0].flag(flags); }
  void add(const possible& x) {
    flag(x.also);
    if (x.none()) return;
    if (all[0].none()) {
      all[0].low = x.low;
      all[0].high = x.high;
    } else if (x.low < all[0].low || x.high > all[0].high) {
      all.push_back({x.low, x.high, 0});
    }
  }
  void add(double x) { add(possible::of(x)); }
};

// What the comparer accepts: if it refuses `by`, of the main set what is close, and the others that a close device has.
template <class T>
element_intervals intervals_of_sets(const std::vector<formula::possible>& all,
                                    const std::vector<formula::possible>& close, const arithmetic_mode& mode,
                                    std::uint8_t by) {
  using formula::possible;
  const auto interval_at = [&](const possible& x) {
    return formula::interval_of<T>(formula::device_number(x, mode)).allowed;
  };
  element_intervals result{{interval_at(all[0]), interval_at(close[0])}, by};
  interval& allowed = result.main.allowed;
  allowed.usual_low = (std::max)(allowed.low, result.main.close.low);
  allowed.usual_high = (std::min)(allowed.high, result.main.close.high);
  for (std::size_t i = 1; i < all.size(); ++i) {
    interval other = interval_at(all[i]);
    other.usual_low = std::numeric_limits<float>::infinity(), other.usual_high = -other.usual_low;
    for (const possible& each : close)
      if (each.low >= all[i].low && each.high <= all[i].high) {
        const interval usual = interval_at(each);
        other.usual_low = (std::min)(other.usual_low, usual.low),
        other.usual_high = (std::max)(other.usual_high, usual.high);
      }
    result.others.push_back(other);
  }
  return result;
}

}  // namespace goldml::detail
