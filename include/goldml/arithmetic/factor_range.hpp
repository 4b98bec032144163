// What the elements of a tensor have in common, as factors of sums of products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_view.hpp>

namespace goldml {

// Of the elements added. Infinities and NaN count only as such.
class factor_range {
 public:
  void add(double x) {
    if (!detail::is_finite_double(x)) {
      all_finite_ = false;
      return;
    }
    if (is_zero(x)) return;
    const detail::odd_double part = detail::odd_part(x);
    lowest_ = (std::min)(lowest_, part.exponent);
    greatest_ = (std::max)(greatest_, std::abs(x));
    has_subnormal_ = has_subnormal_ || std::abs(x) < single_precision.least;
    are_halves_ = are_halves_ && part.exponent >= -24 && part.significand < 2048;
  }

  // 2^lowest() divides every element. The greatest int if all are 0.
  int lowest() const { return lowest_; }
  double greatest() const { return greatest_; }
  bool all_finite() const { return all_finite_; }
  bool has_subnormal() const { return has_subnormal_; }  // of FLOAT32
  // Whether all are FLOAT16 numbers.
  bool are_halves() const { return are_halves_ && greatest_ <= half_precision.greatest; }

  // 2^result divides all products of the elements of two tensors.
  friend int lowest_of_products(const factor_range& a, const factor_range& b) {
    constexpr int none = (std::numeric_limits<int>::max)();
    return a.lowest_ == none || b.lowest_ == none ? none : a.lowest_ + b.lowest_;
  }

 private:
  int lowest_ = (std::numeric_limits<int>::max)();
  double greatest_ = 0;
  bool all_finite_ = true;
  bool has_subnormal_ = false;
  bool are_halves_ = true;
};

// Of all elements of a tensor.
template <class T>
factor_range range_of(const tensor_view<const T>& view) {
  factor_range result;
  const std::size_t last = view.sizes().size() - 1;
  const std::uint64_t count = view.sizes()[last], stride = view.strides()[last];
  const dimensions outer_strides = view.strides().slice(0, last);
  for (const coordinate_tuple& c : coordinates_of(view.sizes().slice(0, last))) {
    const T* const row = view.data() + offset_of(c, outer_strides);
    for (std::uint64_t i = 0; i < count; ++i) result.add(exact_double(row[i * stride]));
  }
  return result;
}

}  // namespace goldml
