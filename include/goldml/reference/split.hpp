// SPLIT, following its page.
#pragma once

#include <cstdint>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/split.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<split_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input,
                  const std::vector<tensor_view<T>>& outputs, const split_desc& desc) {
    std::uint32_t base = 0;
    for (const tensor_view<T>& output : outputs) {
      for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
        coordinate_tuple from = c;
        from[desc.axis] += base;
        output[c] = input[from];
      }
      base += output.sizes()[desc.axis];
    }
  }
};

}  // namespace goldml
