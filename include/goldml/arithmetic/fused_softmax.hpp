// SOFTMAX of sums, as GEMM fuses it: its golden value, that of the exact sums rounded once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/softmax.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/arithmetic/wide.hpp>

namespace goldml::arithmetic {

// Of a slice of exact sums. SOFTMAX depends on their differences to the greatest, which are computed exactly: near it
// they may be far below what a double, or 128 bits, hold of the sums.
class exact_softmax {
 public:
  explicit exact_softmax(std::span<const goldml::detail::extended_sum> sums)
      : elements_(sums.size()), errors_(sums.size()), differences_(sums.size()) {
    std::optional<std::size_t> top;
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i].is_finite() && (!top || !minus(sums[i], sums[*top]).is_negative())) top = i;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!sums[i].is_finite()) {
        elements_[i] = sums[i].special();
        continue;
      }
      const exact_sum difference = minus(sums[i], sums[*top]);
      elements_[i] = (std::max)(difference.value(), lowest);
      errors_[i] = std::abs(elements_[i]) * 0x1p-52;
      differences_[i] = elements_[i] == lowest ? wide(lowest) : detail::wide_of(difference);
    }
    // As spans: to find out whether a vector converts to one takes long to compile.
    softmax_.emplace(std::span<const double>(elements_), std::span<const double>(errors_));
  }
  exact_softmax(const exact_softmax&) = delete;
  exact_softmax& operator=(const exact_softmax&) = delete;

  template <class T>
  T rounded(std::size_t i) {
    return softmax_->rounded<T>(i, [&](std::size_t j) { return difference(j); });
  }
  // Of sum i, which is finite, to the greatest finite one.
  const wide& difference(std::size_t i) const { return differences_[i]; }

 private:
  static constexpr double lowest = -2000;  // e to this is far below every result

  static exact_sum minus(const goldml::detail::extended_sum& a, const goldml::detail::extended_sum& b) {
    exact_sum result = a.finite;
    result.subtract(b.finite);
    return result;
  }

  std::vector<double> elements_;
  std::vector<double> errors_;
  std::vector<wide> differences_;
  std::optional<softmax_of> softmax_;
};

}  // namespace goldml::arithmetic
