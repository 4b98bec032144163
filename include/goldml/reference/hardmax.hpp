// ACTIVATION_HARDMAX and ACTIVATION_HARDMAX1, following their pages and the ledger (FN-R15): ARGMAX's choice.
#pragma once

#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/hardmax.hpp>
#include <goldml/reference/arg_reduce.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::hardmax_operator Desc>
struct kernel<Desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const dimensions axes = detail::softmax_axes(desc, input.sizes().size());
    const dimensions box = candidate_box(input.sizes(), axes);
    for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(input.sizes(), axes))) {
      std::optional<coordinate_tuple> greatest;
      for (const coordinate_tuple& r : coordinates_of(box)) {
        const coordinate_tuple c = reduction_candidate(first, r);
        if (!greatest || detail::greatest_wins::better(input[c], input[*greatest], desc.nan_policy)) greatest = c;
        output[c] = static_cast<T>(0.0F);
      }
      output[*greatest] = static_cast<T>(1.0F);
    }
  }
};

}  // namespace goldml
