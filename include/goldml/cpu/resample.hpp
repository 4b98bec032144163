// RESAMPLE, its newer versions and its gradients on the CPU.
#pragma once

#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/weigh.hpp>
#include <goldml/operators/resample.hpp>

namespace goldml {

template <detail::resample_operator Desc>
struct kernel<Desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const std::vector<detail::axis_taps> axes = detail::resample_taps(desc, input.sizes(), output.sizes());
    if (desc.interpolation_mode != interpolation_mode::linear && !detail::resample_gradient<Desc>)
      return detail::pick_elements(backend, input, output, axes);
    detail::weigh_elements(
        backend, input, output, axes, [](T x) { return detail::double_of(x); },
        [&](double x) { return detail::resampled<T>(x, desc); });
  }
};

}  // namespace goldml
