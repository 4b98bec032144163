// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT on the CPU.
#pragma once

#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/cumulative/elements.hpp>
#include <goldml/cpu/engine/cumulative/sums.hpp>
#include <goldml/operators/cumulative.hpp>

namespace goldml {

template <detail::cumulative_operator Desc>
struct kernel<Desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    if constexpr (is_floating_type<T> && !detail::multiplies<Desc>)
      detail::cumulate_floats<T>(backend, input, output, desc.axis, desc.axis_direction == axis_direction::decreasing,
                                 detail::is_exclusive(desc));
    else
      detail::cumulate_elements<Desc, T>(backend, input, output, desc);
  }
};

}  // namespace goldml
