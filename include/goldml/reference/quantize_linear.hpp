// ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR, following their pages and the ledger (QU-R1 to
// QU-R4).
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/quantize_linear.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<element_wise_quantize_linear_desc, reference_backend> {
  template <class X, class S, class Q>
  static void run(const reference_backend&, const tensor_view<const X>& input, const tensor_view<const S>& scale,
                  const std::optional<tensor_view<const Q>>& zero_point, const tensor_view<Q>& output,
                  const element_wise_quantize_linear_desc& desc) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const double quotient = arithmetic::quantised_number(X(input[c])) / exact_double(S(scale[c]));
      output[c] = arithmetic::quantised(quotient, zero_point ? Q((*zero_point)[c]) : Q(0), desc.quantize_ties);
    }
  }
};

template <>
struct kernel<element_wise_dequantize_linear_desc, reference_backend> {
  template <class Q, class S>
  static void run(const reference_backend&, const tensor_view<const Q>& input, const tensor_view<const S>& scale,
                  const std::optional<tensor_view<const Q>>& zero_point, const tensor_view<S>& output,
                  const element_wise_dequantize_linear_desc&) {
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const std::int64_t zero = zero_point ? std::int64_t{(*zero_point)[c]} : 0;
      output[c] = rounded<S>(arithmetic::dequantised(std::int64_t{input[c]} - zero, exact_double(S(scale[c]))));
    }
  }
};

}  // namespace goldml
