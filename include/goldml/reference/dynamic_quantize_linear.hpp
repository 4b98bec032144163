// DYNAMIC_QUANTIZE_LINEAR, following its page and the ledger (QU-R5, QU-R16).
#pragma once

#include <goldml/arithmetic/dynamic_quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/dynamic_quantize_linear.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<dynamic_quantize_linear_desc, reference_backend> {
  template <class X, class Q>
  static void run(const reference_backend&, const tensor_view<const X>& input, const tensor_view<Q>& output,
                  const tensor_view<float>& scale, const tensor_view<Q>& zero_point,
                  const dynamic_quantize_linear_desc& desc) {
    arithmetic::number_range range;
    for (const coordinate_tuple& c : coordinates_of(input.sizes())) range.add(exact_double(X(input[c])));
    const float s = arithmetic::scale_of(range, desc.zero_range);
    const Q z = arithmetic::zero_point_of<Q>(range, s);
    for (const coordinate_tuple& c : coordinates_of(input.sizes()))
      output[c] = arithmetic::quantised(exact_double(X(input[c])) / exact_double(s), z, quantize_ties::even);
    scale.data()[0] = s;
    zero_point.data()[0] = z;
  }
};

}  // namespace goldml
