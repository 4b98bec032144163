// What a device may answer to QUANTIZE and DEQUANTIZE besides the golden value: as ELEMENT_WISE_QUANTIZE_LINEAR and
// ELEMENT_WISE_DEQUANTIZE_LINEAR, by the scale and the zero point of the element's block (ledger QU-R13, QU-R14).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/operators/quantize.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/quantize_linear.hpp>

namespace goldml::oracle {

template <goldml::detail::block_quantize_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc, 1> {
  static constexpr bool quantises = operator_traits<Desc>::quantises;

  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    const data_type integer = quantises ? golden[0].desc().data_type : inputs[0].desc().data_type;
    const readable_tensor from(inputs[0]), zeros(inputs.size() > 2 ? inputs[2] : const_tensor_ref());
    const dimensions blocks = goldml::detail::blocks_of(inputs[0].desc().sizes, inputs[1].desc().sizes);
    goldml::detail::visit_block_types(
        inputs[1].desc().data_type, integer, [&]<class X, class Q>(std::type_identity<X>, std::type_identity<Q>) {
          const auto scale_at = [&, scale = inputs[1].as<X>()](const coordinate_tuple& c) {
            return exact_double(X(scale[goldml::detail::block_at(c, blocks)]));
          };
          const auto absent = static_cast<Q>(goldml::detail::absent_zero(integer, desc.absent_zero_point));
          const auto zero_point = goldml::detail::optional_view<Q>(zeros.ref());
          const auto zero_at = [&](const coordinate_tuple& c) {
            return zero_point ? Q((*zero_point)[goldml::detail::block_at(c, blocks)]) : absent;
          };
          if constexpr (quantises)
            goldml::detail::add_quantised_verdicts<Q>(desc, from.ref().template as<X>(), scale_at, zero_at,
                                                      arithmetic::range_of_quantised<Q>(integer), flushes, result[0]);
          else
            goldml::detail::add_dequantised_verdicts<Q, X>(desc, from.ref().template as<Q>(), scale_at, zero_at,
                                                           const_tensor_ref(golden[0]).as<X>(), flushes, result[0]);
        });
  }
  // A byte, two intervals and a zero point; and the tensors of 4 bits as bytes.
  static std::uint64_t verdict_memory(const Desc& desc, const operands_of<Desc>& t) {
    return saturating_add(saturating_multiply(element_count(t.back().desc->sizes), 2 + 2 * sizeof(interval)),
                          saturating_multiply(2, operator_traits<Desc>::scratch(desc, t).reference));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc, 1>::flushing_options();
};

}  // namespace goldml::oracle
