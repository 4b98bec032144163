// What a device may answer to the element-wise operators besides the golden value (ledger L20 to L22, L24, L25).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>

namespace goldml::detail {

// The alternatives of an element, combined with |.
namespace element_wise_alternative {
inline constexpr std::uint8_t undefined = 1;
inline constexpr std::uint8_t any_nan = 2;
inline constexpr std::uint8_t either_zero = 4;
inline constexpr std::uint8_t greatest = 8;  // the greatest integer
inline constexpr std::uint8_t low = 16;      // Min of CLIP and CLIP1
inline constexpr std::uint8_t high = 32;     // Max
}  // namespace element_wise_alternative

template <class T>
bool has_sign(T x) {
  if constexpr (is_floating_type<T>)
    return magnitude_bits(x) != std::bit_cast<typename float_bits<T>::type>(x);
  else
    return false;
}

// Whether there are zeros of both signs among these.
template <class... T>
bool are_zeros_of_both_signs(T... x) {
  return ((is_zero(x) && has_sign(x)) || ...) && ((is_zero(x) && !has_sign(x)) || ...);
}

// The alternatives of f(x) = golden, or of f(a, b) = golden with x = a. A policy that is not the default leaves less
// open.
template <element_wise_op Op, class T>
unsigned element_wise_alternatives(const element_wise_desc<Op>& desc, T x, T b, T golden) {
  namespace is = element_wise_alternative;
  using op = element_wise_op;
  unsigned result = 0;
  if constexpr (requires { desc.shift_policy; }) {
    if (desc.shift_policy == shift_policy::zero && b >= std::numeric_limits<T>::digits) result |= is::undefined;
  } else if constexpr (Op == op::abs || Op == op::negate) {
    if constexpr (is_floating_type<T>)
      result |= Op == op::negate && is_zero(golden) ? is::either_zero : 0u;
    else if (sizeof(T) <= 2 && x == (std::numeric_limits<T>::min)())
      result |= is::greatest;
  } else if constexpr (is_floating_type<T> || requires { desc.min; }) {
    bool skips_nan = false;
    if constexpr (requires { desc.nan_policy; }) skips_nan = desc.nan_policy == nan_policy::skip;
    if constexpr (requires { desc.min; }) {
      const T low = clip_bound<T>(desc.min);
      const T high = clip_bound<T>(desc.max);
      if (skips_nan && (is_nan(x) || is_nan(low) || is_nan(high))) result |= is::any_nan;
      const bool inverted = !is_nan(low) && !is_nan(high) && order_key(low) > order_key(high);
      if (inverted || (skips_nan && is_nan(x))) result |= is::low | is::high;
      if (is_zero(golden) && are_zeros_of_both_signs(x, low, high)) result |= is::either_zero;
    } else if constexpr (Op == op::min || Op == op::max) {
      if (skips_nan && (is_nan(x) || is_nan(b))) result |= is::any_nan;
      if (are_zeros_of_both_signs(x, b)) result |= is::either_zero;
    } else {
      if (skips_nan && is_nan(x)) result |= is::any_nan;
      if (is_zero(golden)) result |= is::either_zero;
    }
  }
  return result;
}

// The values that a device may give, computed when an element differs.
template <element_wise_op Op, class T>
alternative_reader element_wise_reader(const element_wise_desc<Op>& desc,
                                       std::shared_ptr<const std::vector<std::uint8_t>> flags) {
  return [desc, flags = std::move(flags)](std::size_t element, const std::function<bool(const scalar&)>& f) {
    namespace is = element_wise_alternative;
    (void)desc;  // used by CLIP and CLIP1 alone
    const unsigned flag = (*flags)[element];
    bool found = false;
    const auto offer = [&](unsigned which, T value) {
      if (!found && (flag & which) != 0) found = f(scalar(value));
    };
    if constexpr (is_floating_type<T>) {
      offer(is::any_nan, std::numeric_limits<T>::quiet_NaN());
      offer(is::either_zero, static_cast<T>(0.0F));
      offer(is::either_zero, static_cast<T>(-0.0F));
    }
    offer(is::greatest, (std::numeric_limits<T>::max)());
    if constexpr (requires { desc.min; }) {
      offer(is::low, clip_bound<T>(desc.min));
      offer(is::high, clip_bound<T>(desc.max));
    }
  };
}

template <element_wise_op Op>
void add_element_wise_verdicts(const element_wise_desc<Op>& desc, std::span<const const_tensor_ref> inputs,
                               const tensor_ref& golden, output_verdicts& result) {
  namespace is = element_wise_alternative;
  using types = typename types_of_operand<element_wise_desc<Op>, 0>::type;
  visit_data_type(types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto x = inputs.front().as<T>();
    const auto b = inputs.back().as<T>();
    const auto y = golden.as<T>();
    auto flags = std::make_shared<std::vector<std::uint8_t>>(result.size());
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      const auto flag = static_cast<std::uint8_t>(element_wise_alternatives<Op, T>(desc, x[c], b[c], y[c]));
      (*flags)[element] = flag;
      if ((flag & is::undefined) != 0)
        result.make_undefined(element);
      else if (flag != 0)
        result.allow_what_is_read(element);
      ++element;
    }
    result.read_alternatives_with(element_wise_reader<Op, T>(desc, std::move(flags)));
  });
}

}  // namespace goldml::detail
