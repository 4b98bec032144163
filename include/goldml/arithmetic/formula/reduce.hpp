// The functions of REDUCE that round, each as one formula over a number type N (SPEC-arithmetic 3.3). A slice has one
// element at least.
#pragma once

#include <span>
#include <vector>

#include <goldml/core/dimensions.hpp>

namespace goldml::formula {

template <class N>
using row = std::span<const N>;

// The specification allows either; they are equal but for roundings.
template <class F, class G>
auto either(F f, G g) {
  return decltype(f())::either(f, g);
}

template <class N>
N sum(row<N> x) {
  typename N::terms s;
  for (const N& e : x) s.add(e);
  return s.total();
}
template <class N>
N sum_of_magnitudes(row<N> x) {
  typename N::terms s;
  for (const N& e : x) s.add(abs(e));
  return s.total_from_zero();
}
template <class N>
N sum_of_squares(row<N> x) {
  typename N::terms s;
  for (const N& e : x) s.add(e, e);
  return s.total_from_zero();
}
// Of a slice of these sizes, which may be averaged axis after axis.
template <class N>
N average(row<N> x, const dimensions& sizes) {
  typename N::terms s;
  for (const N& e : x) s.add(e);
  return s.mean(sizes);
}
template <class N>
N norm(row<N> x) {
  return sqrt(sum_of_squares(x));
}
template <class N>
N log_sum(row<N> x) {
  return log(sum(x));
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
