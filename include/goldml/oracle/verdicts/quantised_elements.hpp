// What a device may answer to elements that are quantised, for all operators that do so (SPEC-quantised 2.2).
#pragma once

#include <cstddef>
#include <optional>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::detail {

// The element of an optional tensor, or 0.
template <class T>
T zero_point_at(const std::optional<tensor_view<const T>>& zero_point, const coordinate_tuple& c) {
  return zero_point ? T((*zero_point)[c]) : T(0);
}
template <class T>
std::optional<tensor_view<const T>> optional_view(const const_tensor_ref& ref) {
  return ref.present() ? std::optional(ref.as<T>()) : std::nullopt;
}

// The integers of a quotient that is defined.
template <class Q>
void allow_quantised(std::size_t element, const arithmetic::quantise_freedom& free, Q zero_point, quantize_ties ties,
                     output_verdicts& result, const arithmetic::integer_range& range = arithmetic::range_of_type<Q>) {
  const auto at = [&](double by) { return arithmetic::quantised(free.v + by, zero_point, ties, range); };
  if (is_zero(free.error) || at(-free.error) == at(free.error)) return;
  const interval allowed = arithmetic::quantised_interval(free, free.error, zero_point, ties, range);
  result.allow_interval(element, allowed);
  const interval close = arithmetic::quantised_interval(free, free.close_error, zero_point, ties, range);
  if (close != allowed) result.narrow_interval(element, close, interval_refusal::reciprocals);
}

}  // namespace goldml::detail
