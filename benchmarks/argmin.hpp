// Data of the workloads of ARGMIN, shared by goldml and its peers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <goldml/operators/argmin.hpp>

#include "workloads.hpp"

namespace benchmarks {

template <class T>
struct argmin_data {
  std::vector<T> elements;
  goldml::dimensions sizes;
  goldml::dimensions strides;  // empty: packed
  goldml::argmin_desc desc;
  judged_output<std::uint32_t> output;

  argmin_data(const goldml::dimensions& s, const goldml::dimensions& t, const goldml::dimensions& axes)
      : elements(random_elements<T>(memory_of(s, t))),
        sizes(s),
        strides(t),
        desc{.axes = axes},
        output(element_count(sizes_after_reduction(s, axes))) {}

  template <class Backend>
  void call(const Backend& backend) {
    argmin(backend, goldml::tensor_view{elements, sizes, strides},
           goldml::tensor_view{output.elements(), sizes_after_reduction(sizes, desc.axes)}, desc);
  }
  void spoil() { output.spoil(); }
  void keep_as_golden() { output.keep_as_golden(); }
  std::string difference() const { return output.difference(); }

  // The number of elements of the buffer: whole cache lines if a stride leaves gaps.
  static std::size_t memory_of(const goldml::dimensions& sizes, const goldml::dimensions& strides) {
    if (strides.empty()) return element_count(sizes);
    std::size_t count = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) count = (std::max<std::size_t>)(count, sizes[i] * strides[i]);
    return count;
  }
};

// The peers, once the data has its golden output: Eigen Tensor, and xtensor if it is
// installed and supports these axes and strides.
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<float>>& data);
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<goldml::float16>>& data);
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<std::int8_t>>& data);
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<std::int64_t>>& data);

}  // namespace benchmarks
