// PADDING and PADDING1 on the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move/grow.hpp>
#include <goldml/operators/padding.hpp>

namespace goldml {

template <class Desc>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const detail::host_input input(inputs[0]);
    const detail::host_output output(outputs[0]);
    const data_type type = outputs[0].desc().data_type;
    const auto value = bytes_of(desc.padding_value, type);
    detail::growing_tensor<Backend> tensor(backend, input, output, desc.start_padding, element_size_in_bytes(type));
    for (std::size_t i = input.sizes.size(); i-- > 0;) {
      const std::uint64_t begin = desc.start_padding[i];
      const std::uint64_t size = input.sizes[i];
      const std::uint64_t end = begin + size;
      const std::uint64_t after = desc.end_padding[i];
      if (desc.padding_mode == padding_mode::constant) {
        tensor.fill(i, 0, begin, value);
        tensor.fill(i, end, after, value);
      } else if (desc.padding_mode == padding_mode::edge || (is_reflection(desc) && size == 1)) {
        tensor.copy(i, 0, begin, begin, 0);
        tensor.copy(i, end, end - 1, after, 0);
      } else {
        // A mirrored copy of `mirrored` elements on either side completes a period.
        const std::uint64_t left_out = is_reflection(desc) ? 1 : 0;  // the elements at the ends, which are not repeated
        const std::uint64_t mirrored = desc.padding_mode == padding_mode::wrap ? 0 : size - 2 * left_out;
        const std::uint64_t left = (std::min)(mirrored, begin);
        const std::uint64_t right = (std::min)(mirrored, after);
        tensor.copy(i, end, end - 1 - left_out, right, -1);
        tensor.copy(i, begin - left, begin + left - 1 + left_out, left, -1);
        tensor.repeat_after(i, begin, size + mirrored);
        tensor.repeat_before(i, begin - left, size + mirrored);
      }
      tensor.finish(i);
    }
  }

 private:
  // The value as an element, in the first bytes.
  static std::array<std::byte, 8> bytes_of(const scalar& value, data_type) {
    return std::bit_cast<std::array<std::byte, 8>>(value.as<std::uint64_t>());
  }
  static std::array<std::byte, 8> bytes_of(float value, data_type type) {
    return bytes_of(*convert_value(value, type, value_conversion::saturate), type);
  }

  static bool is_reflection(const Desc& desc) { return desc.padding_mode == padding_mode::reflection; }
};

}  // namespace goldml
