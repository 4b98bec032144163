// ACTIVATION_SOFTMAX, ACTIVATION_LOG_SOFTMAX and their 1-versions, following their pages and the ledger (SO-R1 to
// SO-R3).
#pragma once

#include <cstddef>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/softmax_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::softmax_operator Desc>
struct kernel<Desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const dimensions axes = detail::softmax_axes(desc, input.sizes().size());
    const dimensions box = candidate_box(input.sizes(), axes);
    for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(input.sizes(), axes))) {
      std::vector<double> slice;
      slice.reserve(static_cast<std::size_t>(element_count(box)));
      for (const coordinate_tuple& r : coordinates_of(box))
        slice.push_back(exact_double(input[reduction_candidate(first, r)]));
      detail::softmax_values<Desc::kind> softmax(slice);
      std::size_t i = 0;
      for (const coordinate_tuple& r : coordinates_of(box))
        output[reduction_candidate(first, r)] = softmax.template rounded<T>(i++);
    }
  }
};

}  // namespace goldml
