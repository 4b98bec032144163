// CONVOLUTION on the CPU.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/convolution.hpp>
#include <goldml/operators/convolution.hpp>

namespace goldml {

template <>
struct kernel<convolution_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<const T>& filter,
                  const std::optional<tensor_view<const T>>& bias, const tensor_view<T>& output,
                  const convolution_desc& desc) {
    const std::uint64_t products = operator_traits<convolution_desc>::work(
                                       desc, {to_operand(input), to_operand(filter), operand{}, to_operand(output)})
                                       .terms;
    detail::convolution_engine<T>(input, filter, bias, output, desc).run(backend, products);
  }
};

}  // namespace goldml
