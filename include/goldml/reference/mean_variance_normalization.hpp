// MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and MEAN_VARIANCE_NORMALIZATION2, following their pages and
// the ledger (NO-R1 to NO-R6, MV-R1, MV-R2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <goldml/arithmetic/normalisation.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/mean_variance_normalization.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::mean_variance_operator Desc>
struct kernel<Desc, reference_backend> {
  static void run(const reference_backend&, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::normalisation_inputs<T> t(detail::mean_variance_places, inputs);
      const tensor_view<T> output = outputs[0].as<T>();
      const dimensions axes = detail::normalisation_axes(desc), box = candidate_box(output.sizes(), axes);
      for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(output.sizes(), axes))) {
        std::vector<double> slice;
        for (const coordinate_tuple& r : coordinates_of(box))
          slice.push_back(exact_double(T(t.input[reduction_candidate(first, r)])));
        const arithmetic::exact_affine step(
            slice.size(), [&](std::uint64_t i) { return slice[static_cast<std::size_t>(i)]; },
            detail::normalisation_form_of(desc));
        for (const coordinate_tuple& r : coordinates_of(box)) {
          const coordinate_tuple c = reduction_candidate(first, r);
          output[c] = step.rounded<T>(desc.fused_activation, exact_double(T(t.input[c])), t.at(c));
        }
      }
    });
  }
};

}  // namespace goldml
