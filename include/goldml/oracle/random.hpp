// The one source of chance in goldml: std::mt19937_64, whose output the C++ standard fixes to the bit, and arithmetic
// of our own on it. No std::uniform_*_distribution: their results differ between standard libraries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>

namespace goldml::oracle {

class random_source {
 public:
  // `most_elements`: of any tensor whose sizes are drawn here.
  explicit random_source(std::uint64_t seed, std::uint64_t most_elements = 300)
      : engine_(seed), most_elements_(most_elements) {}

  std::uint64_t bits() { return engine_(); }

  // 0 .. count-1; count >= 1. (The low bits of a product of 64 bits favour some values by less than count / 2^64.)
  std::uint64_t below(std::uint64_t count) { return bits() % count; }

  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    return lowest + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(highest - lowest) + 1));
  }

  bool chance(std::uint32_t percent) { return below(100) < percent; }

  data_type pick(data_type_set types) {
    for (;;) {
      const auto type = static_cast<data_type>(below(12));
      if (types.contains(type)) return type;
    }
  }

  std::uint64_t most_elements() const { return most_elements_; }

  // Sizes with fewest..most dimensions and at most most_elements() elements.
  dimensions sizes(std::size_t fewest, std::size_t most) {
    dimensions result;
    const std::size_t count = fewest + below(most - fewest + 1);
    std::uint64_t left = most_elements_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t size = 1 + below(chance(20) ? 1 : std::min<std::uint64_t>(left, i + 1 == count ? 64 : 8));
      result.push_back(size);
      left = std::max<std::uint64_t>(left / size, 1);
    }
    shuffle(result);
    return result;
  }

  void shuffle(dimensions& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
  std::uint64_t most_elements_;
};

}  // namespace goldml::oracle
