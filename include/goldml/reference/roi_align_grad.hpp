// ROI_ALIGN_GRAD, following its page and the ledger (RG-R1, RG-R2): exactly, and rounded once.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/operators/roi_align_grad_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<roi_align_grad_desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const roi_align_grad_desc& desc) {
    detail::run_roi_align_grad(desc, inputs, outputs, [](std::uint64_t, std::uint64_t count, const auto& f) {
      for (std::uint64_t i = 0; i < count; ++i) f(i);
    });
  }
};

}  // namespace goldml
