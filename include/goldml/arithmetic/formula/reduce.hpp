// The functions of REDUCE that round, each as one formula over a number type N (SPEC-arithmetic 3.3). A slice has one
// element at least.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/dimensions.hpp>

namespace goldml::formula {

template <class N>
using row = std::span<const N>;

// Elements that are read as numbers N where a formula asks for them, so that a long slice takes no memory for them.
// at(i) gives element i as a double.
template <class N, class Mode, class At>
class elements {
 public:
  elements(std::size_t count, At at, const Mode& mode) : count_(count), at_(std::move(at)), mode_(&mode) {}

  class iterator {
   public:
    iterator(const elements& of, std::size_t i) : of_(&of), i_(i) {}
    N operator*() const { return (*of_)[i_]; }
    iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator!=(const iterator& other) const { return i_ != other.i_; }

   private:
    const elements* of_;
    std::size_t i_;
  };
  std::size_t size() const { return count_; }
  N operator[](std::size_t i) const { return {at_(i), *mode_}; }
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, count_}; }

 private:
  std::size_t count_;
  At at_;
  const Mode* mode_;
};
template <class N, class Mode, class At>
elements<N, Mode, At> elements_of(std::size_t count, At at, const Mode& mode) {
  return {count, std::move(at), mode};
}

// The specification allows either; they are equal but for roundings.
template <class F, class G>
auto either(F f, G g) {
  return decltype(f())::either(f, g);
}

template <class N, class Row>
N sum(const Row& x) {
  typename N::terms s;
  for (const N& e : x) s.add(e);
  return s.total();
}
template <class N, class Row>
N sum_of_magnitudes(const Row& x) {
  typename N::terms s;
  for (const N& e : x) s.add(abs(e));
  return s.total_from_zero();
}
template <class N, class Row>
N sum_of_squares(const Row& x) {
  typename N::terms s;
  for (const N& e : x) s.add(e, e);
  return s.total_from_zero();
}
// Of a slice of these sizes, which may be averaged axis after axis.
template <class N, class Row>
N average(const Row& x, const dimensions& sizes) {
  typename N::terms s;
  for (const N& e : x) s.add(e);
  return s.mean(sizes);
}
template <class N>
N norm(row<N> x) {
  return sqrt(sum_of_squares<N>(x));
}
template <class N>
N log_sum(row<N> x) {
  return log(sum<N>(x));
}

template <class N>
N greatest(row<N> x) {
  N result = x[0];
  for (const N& e : x.subspan(1)) result = maximum(result, e);
  return result;
}
// e^(x - top), which are not negative.
template <class N>
std::vector<N> powers(row<N> x, const N& top) {
  std::vector<N> result;
  result.reserve(x.size());
  for (const N& e : x) result.push_back(exp(e - top));
  return result;
}
template <class N>
N log_sum_exp(row<N> x) {
  const auto shifted = [&] {
    const N top = greatest(x);
    typename N::terms s;
    for (const N& e : x) s.add(exp(e - top));
    return top + log(s.total_from_zero());
  };
  const auto literal = [&] {
    typename N::terms s;
    for (const N& e : x) s.add(exp(e));
    return log(s.total_from_zero());
  };
  return either(shifted, literal);
}

}  // namespace goldml::formula
