// GEMM on the CPU.
#pragma once

#include <concepts>
#include <optional>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/gemm.hpp>
#include <goldml/operators/gemm.hpp>

namespace goldml {

template <>
struct kernel<gemm_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& a, const tensor_view<const T>& b,
                  const std::optional<tensor_view<const T>>& c, const tensor_view<T>& output, const gemm_desc& desc) {
    if (const auto axes = detail::fused_softmax_axes(desc.fused_activation, output.sizes().size()))
      return detail::gemm_softmax<T>(backend, a, b, c, output, desc, *axes);
    detail::gemm_matrices<T>(backend, a, b, c, output, desc);
  }
};

}  // namespace goldml
