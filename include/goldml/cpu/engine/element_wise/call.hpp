// An element-wise call for the data types of its tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/elementary.hpp>
#include <goldml/cpu/engine/element_wise/functions.hpp>
#include <goldml/cpu/engine/element_wise/fused.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
#include <goldml/cpu/engine/element_wise/power.hpp>
#include <goldml/cpu/engine/element_wise/scale_bias.hpp>

namespace goldml::detail {

// Computes blocks. The results of a block are stored together, so that an output that is an input does not prevent
// vectorisation.
struct element_wise_loop {
  template <class Set, class Kernel, class Out>
  GOLDML_INLINE static void run(Set set, const Kernel& kernel, const element_wise_blocks& blocks,
                                std::type_identity<Out>) {
    using bits = typename Kernel::bits;
    for (std::size_t b = 0; b < blocks.count; ++b) {
      blocks.prefetch_after(b);
      Out results[element_wise_block];
      const std::byte* const x = blocks.from[0] + b * blocks.step[0];
      if constexpr (Kernel::input_count == 3) {
        const std::byte* const y = blocks.from[1] + b * blocks.step[1];
        const std::byte* const z = blocks.from[2] + b * blocks.step[2];
        for (std::size_t i = 0; i < element_wise_block; ++i)
          results[i] = kernel(load<std::uint8_t>(x, i), load<bits>(y, i), load<bits>(z, i));
      } else if constexpr (Kernel::input_count == 2) {
        const std::byte* const y = blocks.from[1] + b * blocks.step[1];
        for (std::size_t i = 0; i < element_wise_block; ++i)
          results[i] = static_cast<Out>(kernel(load<bits>(x, i), load<bits>(y, i)));
      } else {
        for (std::size_t i = 0; i < element_wise_block; ++i)
          if constexpr (requires { kernel(set, bits{}); })  // it uses instructions of the set
            results[i] = static_cast<Out>(kernel(set, load<bits>(x, i)));
          else
            results[i] = static_cast<Out>(kernel(load<bits>(x, i)));
      }
      (void)set;
      simd::store_block<Set, sizeof results>(blocks.to + b * sizeof results, results, blocks.streamed);
    }
  }

 private:
  template <class Bits>
  GOLDML_INLINE static Bits load(const std::byte* from, std::size_t i) {
    Bits bits;
    std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
    return bits;
  }
};

// The type that a kernel is compiled for: operators on bits depend on the width alone.
template <element_wise_op Op, class T>
constexpr auto element_wise_engine_type() {
  constexpr bool on_bits = element_wise_row_of<Op>.codes.data_type == "BI1" || Op == element_wise_op::condition;
  if constexpr (on_bits)
    return std::type_identity<number_bits_of<T>>{};
  else
    return std::type_identity<T>{};
}

// Inputs of type T. Out has the output's width; it is unsigned.
template <element_wise_op Op, class T, class Out>
void element_wise_of(const cpu_backend& backend, const element_wise_tensors& tensors,
                     const element_wise_desc<Op>& desc) {
  if constexpr (Op == element_wise_op::add1)
    if (desc.fused_activation) {
      const auto fused = [&](const element_wise_blocks& blocks) {
        simd::dispatch<fused_sum_loop>(backend.instruction_set(), *desc.fused_activation, blocks,
                                       std::type_identity<T>{});
      };
      return run_element_wise(backend, tensors, element_wise_body(fused));
    }
  if constexpr (is_function<Op>) {
    elementary_call<T>(backend, tensors, elementary_of<Op>, desc.scale_bias);
  } else if constexpr (is_power<Op>) {
    std::optional<float> exponent;
    if constexpr (Op == element_wise_op::constant_pow) exponent = desc.exponent;
    power_call<T>(backend, tensors, exponent, desc.scale_bias);
  } else {
    using engine_type = typename decltype(element_wise_engine_type<Op, T>())::type;
    using kernel_type = element_wise_kernel<Op, engine_type>;
    const auto run = [&](const auto& kernel) {
      const auto set = backend.instruction_set();
      const auto body = [&](const element_wise_blocks& blocks) {
        simd::dispatch<element_wise_loop>(set, kernel, blocks, std::type_identity<Out>{});
      };
      run_element_wise(backend, tensors, element_wise_body(body));
    };
    if constexpr (has_scale_bias<Op>)
      if (desc.scale_bias)
        return run(
            scaled_kernel<kernel_type, engine_type>{kernel_type(desc), scale_and_bias<engine_type>(*desc.scale_bias)});
    if constexpr (Op != element_wise_op::identity) run(kernel_type(desc));
  }
}

// The C++ types that the inputs take at some level: not those of a condition.
template <element_wise_op Op>
using element_wise_types =
    typename types_of_operand<element_wise_desc<Op>, element_wise_row_of<Op>.input_count == 3 ? 1 : 0>::type;

template <element_wise_op Op>
void element_wise_call(const cpu_backend& backend, const element_wise_tensors& tensors,
                       const element_wise_desc<Op>& desc) {
  require_found(visit_data_type(element_wise_types<Op>{}, tensors.type, [&]<class T>(std::type_identity<T>) {
    if constexpr (element_wise_row_of<Op>.is(element_wise_flag::free_type)) {
      if (element_size_in_bytes(tensors.output_type) == 4)
        return element_wise_of<Op, T, std::uint32_t>(backend, tensors, desc);
      element_wise_of<Op, T, std::uint8_t>(backend, tensors, desc);
    } else {
      element_wise_of<Op, T, number_bits_of<T>>(backend, tensors, desc);
    }
  }));
}

}  // namespace goldml::detail
