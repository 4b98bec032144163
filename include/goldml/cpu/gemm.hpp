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

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void evaluate<gemm_desc, cpu_backend>(const cpu_backend&, const gemm_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
