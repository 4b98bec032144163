// VALUE_SCALE_2D on the CPU: each channel is an ELEMENT_WISE_IDENTITY with a ScaleBias.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/element_wise.hpp>
#include <goldml/operators/value_scale_2d.hpp>

namespace goldml {

template <>
struct kernel<value_scale_2d_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const value_scale_2d_desc& desc) {
    const data_type type = outputs[0].desc().data_type;
    const std::size_t width = element_size_in_bytes(type);
    for (std::size_t channel = 0; channel < desc.bias.size(); ++channel) {
      detail::host_input from(inputs[0]);
      detail::host_output to(outputs[0]);
      take(channel, width, from);
      take(channel, width, to);
      detail::element_wise_call(backend, {to, {from, from, from}, 1, type, type},
                                element_wise_identity_desc{.scale_bias = scale_bias{desc.scale, desc.bias[channel]}});
    }
  }

 private:
  template <class Operand>
  static void take(std::size_t channel, std::size_t width, Operand& operand) {
    operand.data += channel * operand.strides[1] * width;
    operand.sizes[1] = 1;
  }
};

}  // namespace goldml
