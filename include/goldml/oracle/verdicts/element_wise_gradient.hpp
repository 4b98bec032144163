// What a device may answer to CLIP_GRAD, CLIP_GRAD1 and RELU_GRAD besides the golden value (ledger FN-R8, 7.4, L23,
// AR-R1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic_half.hpp>
#include <goldml/oracle/verdicts/element_wise_values.hpp>

namespace goldml::detail {

// The numbers that a device may read an element or a bound as.
template <class Number>
struct read_range {
  Number low, high;
};

template <class T>
auto read_as(T x, bool flushes, bool half) {
  if constexpr (is_floating_type<T>) {
    read_range<double> result{widened(x), widened(x)};
    if constexpr (std::is_same_v<T, float>) {
      const double error = half ? float16_rounding(x) : 0;
      result = {result.low - error, result.high + error};
      if (flushes && is_zero(flushed(x))) result = {(std::min)(result.low, 0.0), (std::max)(result.high, 0.0)};
    }
    return result;
  } else {
    return read_range<T>{x, x};
  }
}

// Which of its two values an element may have.
struct gradient_branches {
  bool passes, drops;
};

// Both bounds are excluded; an absent one, a NaN, does not bound. `between`: x may also be any number between its ends.
template <class Number>
gradient_branches branches_of(const read_range<Number>& x, const std::optional<read_range<Number>>& low,
                              const std::optional<read_range<Number>>& high, bool between) {
  const auto is_above = [&](Number number) { return !(low && number <= low->low); };
  const auto is_below = [&](Number number) { return !(high && number >= high->high); };
  const bool any_between = between && is_above(x.high) && is_below(x.low) && !(low && high && low->low >= high->high);
  return {.passes = any_between || (is_above(x.low) && is_below(x.low)) || (is_above(x.high) && is_below(x.high)),
          .drops = (low && x.low <= low->high) || (high && x.high >= high->low)};
}

template <class T>
struct open_gradient {
  std::size_t element;
  T gradient;
  gradient_branches by_default, toward_zero;
};

template <element_wise_op Op, class Verdicts>
void add_gradient_verdicts(const element_wise_desc<Op>& desc, const const_tensor_ref& input,
                           const const_tensor_ref& gradients, bool flushes, Verdicts& result) {
  using types = typename types_of_operand<element_wise_desc<Op>, 0>::type;
  visit_data_type(types{}, input.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const bool half = std::is_same_v<T, float> && desc.accumulation != accumulation::single;
    using range = decltype(read_as(T{}, false, false));
    std::optional<range> low, high, low_cut, high_cut;
    bool bound_is_great = false;  // beyond FLOAT16
    if constexpr (Op == element_wise_op::relu_grad) {
      low = low_cut = read_as(T(0), false, false);
    } else {
      const auto read_bound = [&](const auto& given, std::optional<range>& nearest, std::optional<range>& cut) {
        const T bound = clip_bound<T>(given);
        if (goldml::is_nan(bound)) return;
        nearest = cut = read_as(bound, flushes, half);
        const range other = read_as(clip_bound_toward_zero<T>(given), flushes, half);
        cut = range{(std::min)(cut->low, other.low), (std::max)(cut->high, other.high)};
        if constexpr (std::is_same_v<T, float>) bound_is_great |= is_finite(bound) && std::abs(bound) > 65504;
      };
      read_bound(desc.min, low, low_cut);
      read_bound(desc.max, high, high_cut);
    }
    const auto x = input.as<T>();
    const auto dy = gradients.as<T>();
    auto open = std::make_shared<std::vector<open_gradient<T>>>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
      const T number = x[c], gradient = dy[c];
      open_gradient<T> one{element, gradient, {true, true}, {true, true}};
      if (!goldml::is_nan(number)) {
        one.by_default = branches_of(read_as(number, flushes, half), low, high, half);
        one.toward_zero = branches_of(read_as(number, flushes, half), low_cut, high_cut, half);
      }
      bool is_open = one.toward_zero.passes && one.toward_zero.drops;
      if constexpr (std::is_same_v<T, float>) {
        is_open = is_open || (flushes && !is_zero(gradient) && is_zero(flushed(gradient)));
        const auto is_great = [](float value) { return is_finite(value) && std::abs(value) > 65504; };
        if (half && (bound_is_great || is_great(number) || is_great(gradient))) {
          result.make_undefined(element);
        } else if (half && one.by_default.passes && float16_rounding(gradient) != 0) {
          const double error = float16_rounding(gradient);
          result.allow_interval(element, interval_of<float>(widened(gradient), error, error));
        }
      }
      if (is_open) {
        result.allow_what_is_read(element);
        open->push_back(one);
      }
      ++element;
    }
    if (open->empty()) return;
    // Calls f with the values of an element by these branches.
    const auto reader = [open, flushes](gradient_branches open_gradient<T>::*branches) {
      return [=](std::size_t i, const std::function<bool(const scalar&)>& f) {
        const auto found = std::lower_bound(open->begin(), open->end(), i,
                                            [](const auto& one, std::size_t wanted) { return one.element < wanted; });
        if (found == open->end() || found->element != i) return;
        const gradient_branches may = (*found).*branches;
        if (may.drops && f(scalar(T(0)))) return;
        if (may.passes && f(scalar(found->gradient))) return;
        if (may.passes && flushes) f(scalar(flushed(found->gradient)));
      };
    };
    result.read_alternatives_with(reader(&open_gradient<T>::by_default));
    if constexpr (std::is_same_v<T, float16>)
      result.read_values_toward_zero_with(reader(&open_gradient<T>::toward_zero));
  });
}

}  // namespace goldml::detail
