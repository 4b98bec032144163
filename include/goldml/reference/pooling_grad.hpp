// AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD, following their pages and the ledger (PO-R1 to PO-R5).
#pragma once

#include <concepts>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/pooling_grad.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::pooling_grad_operator Desc>
struct kernel<Desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto gradient = inputs.back().as<T>();
      const auto output = outputs[0].as<T>();
      const detail::image_windows windows(detail::window_lists_of(desc), output.sizes(), gradient.sizes());
      for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
        if constexpr (Desc::of_max) {
          const auto x = inputs[0].as<T>();
          detail::extended_sum sum;
          windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
            if (detail::greatest_tap(x, windows.taps_of(o), desc.nan_policy) == c)
              sum.add(exact_double(T(gradient[o])));
          });
          output[c] = rounded<T>(sum.value());
        } else {
          detail::quotient_sum sum;
          windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
            sum.add(exact_double(T(gradient[o])), detail::divisors_of(desc, windows, o));
          });
          output[c] = rounded<T>(sum.value());
        }
      }
    });
  }
};

}  // namespace goldml
