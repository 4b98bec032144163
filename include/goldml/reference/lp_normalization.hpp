// LP_NORMALIZATION, following its page and the ledger (LP-R1, LP-R2).
#pragma once

#include <cstdint>
#include <vector>

#include <goldml/arithmetic/normalisation.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/lp_normalization.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<lp_normalization_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const lp_normalization_desc& desc) {
    const dimensions axes{desc.axis}, box = candidate_box(output.sizes(), axes);
    for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(output.sizes(), axes))) {
      std::vector<double> slice;
      for (const coordinate_tuple& r : coordinates_of(box))
        slice.push_back(exact_double(T(input[reduction_candidate(first, r)])));
      const arithmetic::exact_affine step(
          slice.size(), [&](std::uint64_t i) { return slice[static_cast<std::size_t>(i)]; },
          detail::lp_form(desc, desc.lp_epsilon));
      std::size_t i = 0;
      for (const coordinate_tuple& r : coordinates_of(box))
        output[reduction_candidate(first, r)] = step.rounded<T>(std::nullopt, slice[i++], {});
    }
  }
};

}  // namespace goldml
