// SOFTMAX of a slice as one formula over a number type N (SPEC-arithmetic 3.9).
#pragma once

#include <vector>

#include <goldml/arithmetic/formula/reduce.hpp>

namespace goldml::formula {

template <class N>
std::vector<N> softmax(row<N> x) {
  std::vector<N> p = powers(x, greatest(x));
  typename N::terms s;
  for (const N& e : p) s.add(e);
  const N total = s.total_from_zero();
  for (N& e : p) e = share(e, total);
  return p;
}

}  // namespace goldml::formula
