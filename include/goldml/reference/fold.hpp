// FOLD and UNFOLD, following their pages and the ledger (FO-R1, FO-R2).
#pragma once

#include <concepts>
#include <optional>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/fold.hpp>
#include <goldml/operators/fold_values.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

inline std::optional<coordinate_tuple> origin_of(const unfold_desc& desc, const dimensions& input, const dimensions&,
                                                 const coordinate_tuple& c) {
  return detail::fold_shape(desc, input).place_of(c);
}

template <>
struct kernel<fold_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const fold_desc& desc) {
    const detail::fold_shape shape(desc, output.sizes());
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      detail::golden_sum<T> sum;
      shape.windows().for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple& tap) {
        sum.add(input[shape.column_of(o, tap, input.sizes().size())]);
      });
      output[c] = sum.value();
    }
  }
};

}  // namespace goldml
