// AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD, following their pages and the ledger (PO-R1 to PO-R5).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

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
      std::vector<std::uint64_t> winners;  // of each window the number of the element that it gives its gradient to
      if constexpr (Desc::of_max)
        for (const coordinate_tuple& o : coordinates_of(gradient.sizes())) {
          const auto winner = detail::greatest_tap(inputs[0].as<T>(), windows.taps_of(o), desc.nan_policy);
          winners.push_back(winner ? detail::number_of(*winner, output.sizes()) : element_count(output.sizes()));
        }
      for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
        if constexpr (Desc::of_max) {
          const std::uint64_t number = detail::number_of(c, output.sizes());
          detail::extended_sum sum;
          windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
            const auto window = static_cast<std::size_t>(detail::number_of(o, gradient.sizes()));
            if (winners[window] == number) sum.add(exact_double(T(gradient[o])));
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
