// ROI_ALIGN_GRAD on the CPU: rows of the input's gradient, and corners, on the threads of the pool.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/operators/roi_align_grad_values.hpp>

namespace goldml {

template <>
struct kernel<roi_align_grad_desc, cpu_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const roi_align_grad_desc& desc) {
    detail::run_roi_align_grad(desc, inputs, outputs, [&](std::uint64_t bytes, std::uint64_t count, const auto& f) {
      detail::parallel_for(backend, bytes, count, [&](std::uint64_t begin, std::uint64_t end) {
        for (; begin < end; ++begin) f(begin);
      });
    });
  }
};

}  // namespace goldml
