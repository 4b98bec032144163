// Pooling, following its pages and the ledger (PO-R1 to PO-R5).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/lp_norm.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::pooling_operator Desc>
struct kernel<Desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const dimensions& counts = outputs[0].desc().sizes;
    const detail::image_windows windows(detail::window_lists_of(desc), inputs[0].desc().sizes, counts);
    using types = std::conditional_t<Desc::function == pooling_function::max, a10_types, type_list<float, float16>>;
    visit_data_type(types{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto x = inputs[0].as<T>();
      const auto y = outputs[0].as<T>();
      for (const coordinate_tuple& o : coordinates_of(counts)) {
        const detail::window_taps taps = windows.taps_of(o);
        if constexpr (Desc::function == pooling_function::max) {
          const auto winner = detail::greatest_tap(x, taps, desc.nan_policy);
          y[o] = winner ? T(x[*winner]) : detail::least_of<T>();
          if (outputs.size() > 1 && outputs[1].present()) detail::store_index(outputs[1], o, x.sizes(), winner);
        } else {
          std::vector<double> numbers;
          for (const coordinate_tuple& r : coordinates_of(taps.counts)) numbers.push_back(exact_double(T(x[taps[r]])));
          if constexpr (Desc::function == pooling_function::average)
            y[o] = rounded<T>(detail::value_of_average_over(numbers, detail::divisors_of(desc, windows, o)));
          else
            y[o] = rounded_lp_norm<T>(numbers, desc.p);
        }
      }
    });
  }
};

}  // namespace goldml
