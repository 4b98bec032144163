// LOCAL_RESPONSE_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION_GRAD, following their pages and the ledger (LR-R1 to
// LR-R3).
#pragma once

#include <goldml/arithmetic/local_response.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/local_response_normalization.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<local_response_normalization_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const local_response_normalization_desc& desc) {
    const auto x = [&](const coordinate_tuple& c) { return exact_double(T(input[c])); };
    const arithmetic::local_response<T, decltype(x)> response(detail::local_response_form_of(desc), input.sizes(), x);
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = response.normalised(c);
  }
};

template <>
struct kernel<local_response_normalization_grad_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const T>& gradient,
                  const tensor_view<T>& output, const local_response_normalization_grad_desc& desc) {
    const auto x = [&](const coordinate_tuple& c) { return exact_double(T(input[c])); };
    const auto dy = [&](const coordinate_tuple& c) { return exact_double(T(gradient[c])); };
    const arithmetic::local_response<T, decltype(x)> response(detail::local_response_form_of(desc), input.sizes(), x);
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) output[c] = response.gradient(c, dy);
  }
};

}  // namespace goldml
