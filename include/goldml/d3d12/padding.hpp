// PADDING and PADDING1 by shaders.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/strided_copy.hpp>
#include <goldml/operators/padding.hpp>

namespace goldml::d3d12 {

template <class Desc>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc>
struct program<Desc> {
  static void record(recorder& work, const Desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const dimensions& sizes = inputs[0].desc.sizes;
    const dimensions from = effective_strides(inputs[0].desc), to = effective_strides(outputs[0].desc);
    if (desc.padding_mode == padding_mode::constant) {
      record_fill(work, outputs[0], value_of(desc.padding_value, outputs[0].desc.data_type));
      std::uint64_t first = 0;
      for (std::size_t i = 0; i < to.size(); ++i)  // the stride of a dimension of size 1 is unused
        if (desc.start_padding[i] != 0) first += std::uint64_t{desc.start_padding[i]} * to[i];
      record_copy(work, outputs[0], inputs[0], sizes, first);
      return;
    }
    copied_box box;
    for (std::size_t i = to.size(); i-- > 0;)
      box.dimensions.push_back(
          {outputs[0].desc.sizes[i], from[i], to[i], extension_of(desc.padding_mode, sizes[i], desc.start_padding[i])});
    record_copy(work, outputs[0], inputs[0], box);
  }

 private:
  static extension extension_of(padding_mode mode, std::uint32_t size, std::uint32_t start) {
    switch (mode) {
      case padding_mode::wrap:
        return {size, start, size};
      case padding_mode::symmetric:
        return {size, start, 2 * size, 2 * size - 1};
      case padding_mode::reflection:
        if (size > 1) return {size, start, 2 * (size - 1), 2 * (size - 1)};
        return {size, start};
      default:
        return {size, start};  // EDGE
    }
  }

  static scalar value_of(const scalar& value, data_type) { return value; }
  static scalar value_of(float value, data_type type) {
    return *convert_value(value, type, value_conversion::saturate);
  }
};

}  // namespace goldml::d3d12

namespace goldml {

template <class Desc>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc>
struct kernel<Desc, d3d12::device> : d3d12::host_kernel<Desc> {
};

}  // namespace goldml
