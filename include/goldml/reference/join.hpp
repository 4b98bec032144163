// JOIN, following its page.
#pragma once

#include <cstdint>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/join.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<join_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const std::vector<tensor_view<const T>>& inputs,
                  const tensor_view<T>& output, const join_desc& desc) {
    std::uint32_t base = 0;
    for (const tensor_view<const T>& input : inputs) {
      for (const coordinate_tuple& c : coordinates_of(input.sizes())) {
        coordinate_tuple to = c;
        to[desc.axis] += base;
        output[to] = input[c];
      }
      base += input.sizes()[desc.axis];
    }
  }
};

}  // namespace goldml
