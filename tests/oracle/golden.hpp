// Golden answers written by hand.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/oracle/verdict.hpp>

namespace judged {

using namespace goldml;

// An output with these elements, all exact.
template <class T>
oracle::golden_output output_of(const dimensions& sizes, const std::vector<T>& elements) {
  host_tensor tensor({.data_type = data_type_of<T>, .sizes = sizes});
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) tensor.ref().as<T>()[c] = elements[element++];
  return {std::move(tensor), output_verdicts(elements.size())};
}

// One answer with one output.
inline oracle::golden golden_of(oracle::golden_output output) {
  oracle::golden result;
  result.answers.emplace_back();
  result.answers.back().push_back(std::move(output));
  return result;
}

template <class T>
oracle::golden golden_of(const dimensions& sizes, const std::vector<T>& elements) {
  return golden_of(output_of(sizes, elements));
}

}  // namespace judged
