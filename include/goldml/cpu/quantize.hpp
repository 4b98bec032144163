// QUANTIZE and DEQUANTIZE on the CPU. Tensors of 4 bits are computed as bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/quantize.hpp>

namespace goldml {

namespace detail {

// output[c] = f(input[c], scale[b], zeros[b]), row by row; without zero points those are `absent`.
template <class Z, class X, class S, class Y, class F>
void for_each_in_blocks(const cpu_backend& backend, const tensor_view<const X>& input,
                        const tensor_view<const S>& scale, const const_tensor_ref& zeros, Z absent,
                        const tensor_view<Y>& output, const F& f) {
  const dimensions blocks = blocks_of(input.sizes(), scale.sizes());
  const Z* const zero = zeros.present() ? zeros.as<Z>().data() : &absent;
  const dimensions zero_strides =
      zeros.present() ? effective_strides(zeros.desc()) : dimensions::filled(scale.sizes().size(), 0);
  dimensions rows = input.sizes();
  rows[rows.size() - 1] = 1;
  parallel_for(backend, 4 * element_count(input.sizes()) * (sizeof(X) + sizeof(Y)), element_count(rows),
               [&](std::uint64_t begin, std::uint64_t end) {
                 const ieee_arithmetic mode;
                 for (std::uint64_t row = begin; row < end; ++row) {
                   const coordinate_tuple c = coordinate_at(rows, row), b = block_at(c, blocks);
                   const X* from = input.data() + offset_of(c, input.strides());
                   Y* to = output.data() + offset_of(c, output.strides());
                   const S* s = scale.data() + offset_of(b, scale.strides());
                   const Z* z = zero + offset_of(b, zero_strides);
                   for (std::uint32_t k = 0; k < scale.sizes().back(); ++k) {
                     for (std::uint32_t i = 0; i < blocks.back(); ++i) {
                       *to = f(*from, *s, *z);
                       from += input.strides().back();
                       to += output.strides().back();
                     }
                     s += scale.strides().back();
                     z += zero_strides.back();
                   }
                 }
               });
}

}  // namespace detail

template <detail::block_quantize_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates it for all types.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    constexpr bool quantises = std::same_as<Desc, quantize_desc>;
    const data_type integer = quantises ? outputs[0].desc().data_type : inputs[0].desc().data_type;
    const readable_tensor from(inputs[0]), zeros(inputs.size() > 2 ? inputs[2] : const_tensor_ref());
    const writable_tensor to(outputs[0]);
    detail::visit_block_types(
        inputs[1].desc().data_type, integer, [&]<class X, class Q>(std::type_identity<X>, std::type_identity<Q>) {
          const auto absent = static_cast<Q>(detail::absent_zero(integer, desc.absent_zero_point));
          const auto scale = inputs[1].as<X>();
          if constexpr (quantises)
            detail::for_each_in_blocks(
                backend, from.ref().template as<X>(), scale, zeros.ref(), absent, to.ref().template as<Q>(),
                [&, range = arithmetic::range_of_quantised<Q>(integer)](X x, X s, Q z) {
                  return arithmetic::quantised(exact_double(x) / exact_double(s), z, desc.quantize_ties, range);
                });
          else
            detail::for_each_in_blocks(
                backend, from.ref().template as<Q>(), scale, zeros.ref(), absent, to.ref().template as<X>(),
                [](Q x, X s, Q z) {
                  return rounded<X>(arithmetic::dequantised(std::int64_t{x} - std::int64_t{z}, exact_double(s)));
                });
        });
  }
};

}  // namespace goldml
