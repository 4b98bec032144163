// What a device may answer to the element-wise operators besides the golden value (ledger 7.4, L20 to L22, L24, L25).
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
#include <goldml/oracle/verdicts/cast.hpp>

namespace goldml::detail {

// The alternatives of an element, combined with |.
namespace element_wise_alternative {
inline constexpr std::uint8_t any_nan = 2;
inline constexpr std::uint8_t either_zero = 4;
inline constexpr std::uint8_t greatest = 8;          // the greatest integer
inline constexpr std::uint8_t low = 16;              // Min of CLIP and CLIP1
inline constexpr std::uint8_t high = 32;             // Max
inline constexpr std::uint8_t low_toward_zero = 64;  // Min of CLIP, rounded toward zero
inline constexpr std::uint8_t high_toward_zero = 128;
}  // namespace element_wise_alternative

// A bound of CLIP on FLOAT16 as a device may convert it that rounds toward zero, as CAST may be (ledger L23, L35);
// other bounds as they are.
template <class T, class Bound>
T clip_bound_toward_zero(const Bound& bound) {
  const T nearest = clip_bound<T>(bound);
  if constexpr (std::is_same_v<T, float16> && std::is_same_v<Bound, float>) {
    const cast_source source(bound);
    return other_cast(source, nearest, freedom_of(source, nearest));
  } else {
    return nearest;
  }
}

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

// Calls f with what the lesser or the greater of two numbers may be: of equal ones either. Flushed ones are compared
// as such, and returned as they are (ledger 7.4).
template <class T, class F>
void offer_extreme(T a, T b, bool greater, bool flushes, const F& f) {
  if (is_nan(a)) return f(b);
  if (is_nan(b)) return f(a);
  const auto of_a = order_key(flushes ? flushed(a) : a);
  const auto of_b = order_key(flushes ? flushed(b) : b);
  if (of_a == of_b || (of_a > of_b) == greater) f(a);
  if (of_a == of_b || (of_a > of_b) != greater) f(b);
}

// The same for the result of CLIP, CLIP1 or THRESHOLD.
template <element_wise_op Op, class T, class F>
void offer_clipped(T x, T low, T high, bool flushes, const F& f) {
  if constexpr (Op == element_wise_op::threshold)
    offer_extreme(low, x, true, flushes, f);
  else if constexpr (Op == element_wise_op::clip)
    offer_extreme(low, x, true, flushes, [&](T inner) { offer_extreme(high, inner, false, flushes, f); });
  else
    offer_extreme(x, high, false, flushes, [&](T inner) { offer_extreme(low, inner, true, flushes, f); });
}

// Whether the result of CLIP or CLIP1 is a zero of either sign.
template <element_wise_op Op, class T>
unsigned either_zero_of_clip(T x, T low, T high) {
  unsigned zeros = 0;
  offer_clipped<Op>(x, low, high, false, [&](T y) {
    if (is_zero(y)) zeros |= has_sign(y) ? 1u : 2u;
  });
  return zeros == 3 ? element_wise_alternative::either_zero : 0u;
}

// Whether any result of CLIP or CLIP1 may also be a bound: the bounds are inverted.
template <class T>
bool are_inverted(T low, T high) {
  return !is_nan(low) && !is_nan(high) && order_key(low) > order_key(high);
}

// The alternatives of f(x) = golden, or of f(a, b) = golden with x = a. A policy that is not the default leaves less
// open.
template <element_wise_op Op, class T>
unsigned element_wise_alternatives(const element_wise_desc<Op>& desc, T x, T b, T golden) {
  namespace is = element_wise_alternative;
  using op = element_wise_op;
  unsigned result = 0;
  if constexpr (Op == op::abs || Op == op::negate) {
    if constexpr (is_floating_type<T>)
      result |= Op == op::negate && is_zero(golden) ? is::either_zero : 0u;
    else if (sizeof(T) <= 2 && x == (std::numeric_limits<T>::min)())
      result |= is::greatest;
  } else if constexpr (is_floating_type<T> || requires { desc.min; }) {
    bool skips_nan = false;
    if constexpr (requires { desc.nan_policy; }) skips_nan = desc.nan_policy == nan_policy::skip;
    if constexpr (requires { desc.min; }) {
      const T low = clip_bound<T>(desc.min);
      const T high = clip_bound<T>(upper_bound_of(desc));
      if (is_nan(x) || is_nan(low) || is_nan(high)) {
        if (!skips_nan) return 0;
        result |= is::any_nan;
      }
      if (are_inverted(low, high) || is_nan(x)) result |= is::low | is::high;
      result |= either_zero_of_clip<Op>(x, low, high);
      const T low_cut = clip_bound_toward_zero<T>(desc.min);
      const T high_cut = clip_bound_toward_zero<T>(upper_bound_of(desc));
      if (scalar(low_cut) != scalar(low) || scalar(high_cut) != scalar(high)) {
        if (are_inverted(low_cut, high_cut) || is_nan(x)) result |= is::low_toward_zero | is::high_toward_zero;
        // The result is x or a bound; if it is x, so is the golden one, or x is the bound.
        offer_clipped<Op>(x, low_cut, high_cut, false, [&](T y) {
          if (scalar(y) == scalar(low_cut)) result |= is::low_toward_zero;
          if (scalar(y) == scalar(high_cut)) result |= is::high_toward_zero;
        });
        result |= either_zero_of_clip<Op>(x, low_cut, high_cut);
      }
      if constexpr (Op == op::threshold) result &= ~unsigned{is::high | is::high_toward_zero};  // there is none
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
      offer(is::high, clip_bound<T>(upper_bound_of(desc)));
    }
  };
}

// Adds the readers of these values: of the bounds of CLIP those apart that are rounded toward zero.
template <element_wise_op Op, class T>
void read_element_wise_values(const element_wise_desc<Op>& desc, std::shared_ptr<const std::vector<std::uint8_t>> flags,
                              output_verdicts& result) {
  if constexpr (std::is_same_v<T, float16> && requires { desc.min; })
    result.read_values_toward_zero_with(
        [desc, flags](std::size_t element, const std::function<bool(const scalar&)>& f) {
          namespace is = element_wise_alternative;
          const unsigned flag = (*flags)[element];
          if ((flag & is::low_toward_zero) != 0 && f(scalar(clip_bound_toward_zero<T>(desc.min)))) return;
          if ((flag & is::high_toward_zero) != 0) f(scalar(clip_bound_toward_zero<T>(upper_bound_of(desc))));
        });
  result.read_alternatives_with(element_wise_reader<Op, T>(desc, std::move(flags)));
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
      if (flag != 0) result.allow_what_is_read(element);
      ++element;
    }
    read_element_wise_values<Op, T>(desc, std::move(flags), result);
  });
}

// A shift by the width and more is 0, or by the count modulo 32, of 64-bit types modulo 64 (ledger L22). A policy that
// is not the default leaves nothing open.
template <element_wise_op Op>
void add_shift_verdicts(const element_wise_desc<Op>& desc, std::span<const const_tensor_ref> inputs,
                        output_verdicts& result) {
  if (desc.shift_policy != shift_policy::zero) return;
  using types = typename types_of_operand<element_wise_desc<Op>, 0>::type;
  visit_data_type(types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    constexpr auto width = static_cast<T>(std::numeric_limits<T>::digits);
    const auto x = inputs[0].as<T>();
    const auto counts = inputs[1].as<T>();
    std::shared_ptr<std::vector<T>> masked;
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(x.sizes())) {
      if (const T count = counts[c]; count >= width) {
        if (!masked) masked = std::make_shared<std::vector<T>>(result.size());
        const auto by = static_cast<T>(count % (width == 64 ? 64 : 32));
        const T value = x[c];
        if (by < width)
          (*masked)[element] = static_cast<T>(Op == element_wise_op::bit_shift_left ? value << by : value >> by);
        result.allow_what_is_read(element);
      }
      ++element;
    }
    if (masked)
      result.read_alternatives_with(
          [masked](std::size_t i, const std::function<bool(const scalar&)>& f) { f(scalar((*masked)[i])); });
  });
}

// What MIN, MAX, CLIP and CLIP1 may give on FLOAT32 if numbers are flushed where they are compared: of two that are
// zeros then, either, as it is or flushed. Of CLIP and CLIP1 also the bounds are flushed (ledger 7.4).
template <element_wise_op Op>
void add_flushed_extremes(const element_wise_desc<Op>& desc, std::span<const const_tensor_ref> inputs,
                          output_verdicts& result) {
  constexpr bool clips = requires { desc.min; };
  const auto a = inputs.front().as<float>();
  const auto b = inputs.back().as<float>();
  const auto is_subnormal = [](float x) { return !is_zero(x) && is_zero(flushed(x)); };
  bool always = false;
  if constexpr (clips)
    always = is_subnormal(clip_bound<float>(desc.min)) || is_subnormal(clip_bound<float>(upper_bound_of(desc)));
  bool any = false;
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(a.sizes())) {
    if (always || is_subnormal(a[c]) || is_subnormal(b[c])) {
      result.allow_what_is_read(element);
      any = true;
    }
    ++element;
  }
  if (!any) return;
  auto operands = std::make_shared<std::vector<std::pair<float, float>>>();
  operands->reserve(result.size());
  for (const coordinate_tuple& c : coordinates_of(a.sizes())) operands->emplace_back(a[c], b[c]);
  result.read_alternatives_with(
      [desc, operands = std::move(operands)](std::size_t i, const std::function<bool(const scalar&)>& f) {
        (void)desc;  // used by CLIP and CLIP1 alone
        const auto [x, y] = (*operands)[i];
        bool found = false;
        const auto offer = [&](float value) { found = found || f(scalar(value)) || f(scalar(flushed(value))); };
        if constexpr (clips) {
          const float low = clip_bound<float>(desc.min);
          const float high = clip_bound<float>(upper_bound_of(desc));
          const bool has_nan = is_nan(x) || is_nan(low) || is_nan(high);
          if (has_nan && desc.nan_policy == nan_policy::propagate) return;
          offer_clipped<Op>(x, low, high, true, offer);
          if (are_inverted(low, high) || is_nan(x)) {
            offer(low);
            if constexpr (Op != element_wise_op::threshold) offer(high);
          }
        } else if (!is_nan(x) && !is_nan(y)) {
          offer_extreme(x, y, Op == element_wise_op::max, true, offer);
        }
      });
}

}  // namespace goldml::detail
