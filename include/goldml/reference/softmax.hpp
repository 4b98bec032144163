// ACTIVATION_SOFTMAX and ACTIVATION_SOFTMAX1, following their pages and the ledger (SO-R1, SO-R2).
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/softmax.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/softmax.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <class Desc>
requires(std::same_as<Desc, activation_softmax_desc> ||
         std::same_as<Desc, activation_softmax1_desc>) struct kernel<Desc, reference_backend> {
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
      arithmetic::softmax_of softmax(slice);
      std::size_t i = 0;
      for (const coordinate_tuple& r : coordinates_of(box))
        output[reduction_candidate(first, r)] = softmax.rounded<T>(i++);
    }
  }
};

}  // namespace goldml
