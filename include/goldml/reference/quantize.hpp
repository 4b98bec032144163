// QUANTIZE and DEQUANTIZE, following the ledger (QU-R1 to QU-R4, QU-R13 to QU-R15).
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/quantize.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::block_quantize_operator Desc>
struct kernel<Desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    constexpr bool quantises = std::same_as<Desc, quantize_desc>;
    const data_type integer = quantises ? outputs[0].desc().data_type : inputs[0].desc().data_type;
    const readable_tensor from(inputs[0]), zeros(inputs.size() > 2 ? inputs[2] : const_tensor_ref());
    const writable_tensor to(outputs[0]);
    const dimensions blocks = detail::blocks_of(inputs[0].desc().sizes, inputs[1].desc().sizes);
    detail::visit_block_types(
        inputs[1].desc().data_type, integer, [&]<class X, class Q>(std::type_identity<X>, std::type_identity<Q>) {
          const auto scale = inputs[1].as<X>();
          const auto absent = static_cast<Q>(detail::absent_zero(integer, desc.absent_zero_point));
          for (const coordinate_tuple& c : coordinates_of(inputs[0].desc().sizes)) {
            const coordinate_tuple b = detail::block_at(c, blocks);
            const Q zero = zeros.ref().present() ? Q(zeros.ref().template as<Q>()[b]) : absent;
            const double s = exact_double(X(scale[b]));
            if constexpr (quantises)
              to.ref().template as<Q>()[c] =
                  arithmetic::quantised(exact_double(X(from.ref().template as<X>()[c])) / s, zero, desc.quantize_ties,
                                        arithmetic::range_of_quantised<Q>(integer));
            else
              to.ref().template as<X>()[c] = rounded<X>(
                  arithmetic::dequantised(std::int64_t{from.ref().template as<Q>()[c]} - std::int64_t{zero}, s));
          }
        });
  }
};

}  // namespace goldml
