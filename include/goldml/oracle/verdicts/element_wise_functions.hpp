// What a device may answer to an elementary function of x, or of x * Scale + Bias, besides the golden value (ledger
// FN-R1 to FN-R4, L28, 7.4).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/elementary_bounds.hpp>
#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic_half.hpp>
#include <goldml/oracle/verdicts/scale_bias_interval.hpp>

namespace goldml::detail {

// The numbers that a device may have of x, or of x * Scale + Bias. Nothing if nothing is known of them: beyond what
// FLOAT16 holds, in half precision.
template <class T>
std::optional<formula::possible> argument_of(T x, const std::optional<scale_bias>& by, const arithmetic_mode& mode) {
  using formula::possible;
  const bool rounds = std::is_same_v<T, float> && mode.rounds_to_half();
  const auto is_great = [&](double number) {
    return rounds && is_finite(number) && std::abs(number) > half_precision.greatest;
  };
  const double number = widened(x);
  if (is_great(number)) return {};
  possible result = possible::of(number);
  if (!by) {
    if (rounds) result.widen(float16_rounding(static_cast<float>(x)));
    return result;
  }
  const auto g = scaled_interval(x, *by, mode.flushes);
  const double scale = widened(by->scale), bias = widened(by->bias), product = number * scale;
  if (is_great(scale) || is_great(bias) || is_great(product) || is_great(product + bias)) return {};
  result = {};
  result.flag(g.also & interval_also::specials);
  result.flag(interval_also::nan, is_nan(product + bias));
  for (const double end : {widened(g.low), widened(g.high)}) {
    if (widened(g.low) > widened(g.high)) break;
    result.add(end);
    // Of numbers up to an infinity the greatest, too.
    if (g.low < g.high && !is_finite(end)) result.add(std::copysign(single_precision.greatest, end));
  }
  if (rounds)
    result.widen(0x1p-10 * (4 * std::abs(product) + 2 * std::abs(bias)) +
                 0x1p-24 * (4 + std::abs(number) + std::abs(scale)));
  if (!mode.flushes || !(is_subnormal_float32(x) || is_subnormal_float32(by->scale))) return result;
  if (!is_finite(number) || !is_finite(scale))
    result.flag(interval_also::nan);  // inf * 0
  else if (!is_nan(bias))
    result.add(bias);
  return result;
}

// What a device may answer that computes in FLOAT32, and what is close: no more than that.
template <class T>
graded_interval interval_of_grades(const formula::possible& all, formula::possible close, const arithmetic_mode& mode,
                                   std::optional<T> golden) {
  close.low = (std::max)(close.low, all.low);
  close.high = (std::min)(close.high, all.high);
  if constexpr (std::is_same_v<T, float>) {  // the same without its generality: nearly always
    if (!all.none() && !close.none() && close != all) {
      const auto low = rounded<float>(all.low), high = rounded<float>(all.high);
      const auto usual_low = rounded<float>(close.low), usual_high = rounded<float>(close.high);
      return {{low, high, usual_low, usual_high, all.also}, {usual_low, usual_high, usual_low, usual_high, close.also}};
    }
  }
  const auto graded = formula::device_number::graded(
      mode, [&](arithmetic::granted what) { return what == arithmetic::granted::possible ? all : close; });
  return formula::interval_of<T>(graded, golden);
}

template <class T>
graded_interval elementary_interval(arithmetic::elementary f, T x, const std::optional<scale_bias>& by,
                                    const arithmetic_mode& mode, std::optional<T> golden = {}) {
  const auto argument = argument_of(x, by, mode);
  if (!argument) return {any_answer, any_answer};
  const auto at = [&](arithmetic::granted what) {
    return arithmetic::elementary_bounds(f, mode, what).over(*argument);
  };
  const formula::possible all = at(arithmetic::granted::possible);
  if (mode.rounds_to_half()) return formula::interval_of<T>(formula::device_number(all, mode), golden);
  return interval_of_grades<T>(all, at(arithmetic::granted::close), mode, golden);
}

// Whether flushing may change what is accepted for a function of x. To great results it adds 2^-126 at most, which is
// lost in the slack of their errors.
template <class T>
bool may_be_flushed(T x, T golden) {
  if constexpr (std::is_same_v<T, float>)
    return is_subnormal_float32(x) || !is_finite(golden) || std::abs(golden) < 0x1p-6F;
  else
    return false;
}

// The same for an x that a device has exactly, and f(x): elementary_bounds::over() of one number is at() of it.
template <class T>
graded_interval elementary_interval_at(const arithmetic::elementary_bounds& all,
                                       const arithmetic::elementary_bounds& close, T x,
                                       const arithmetic::approximation& value, const arithmetic_mode& mode, T golden) {
  const double number = widened(x);
  return interval_of_grades<T>(all.at(number, value), close.at(number, value), mode, golden);
}

// What a device may answer that flushes nothing. Functions of numbers that are not scaled are computed in blocks.
template <class T, class Verdicts>
void add_elementary_intervals(arithmetic::elementary f, const std::optional<scale_bias>& by,
                              const arithmetic_mode& mode, const tensor_view<const T>& input,
                              const tensor_view<T>& golden, std::uint8_t refusal, Verdicts& result) {
  const arithmetic::elementary_bounds all(f, mode, arithmetic::granted::possible),
      close(f, mode, arithmetic::granted::close);
  std::array<T, 64> x{}, y{};
  std::array<double, 64> numbers{}, values{};
  std::size_t count = 0, element = 0;
  const auto add_block = [&] {
    const bool is_plain = !by && !mode.rounds_to_half();
    if (is_plain) arithmetic::detail::elementary_doubles(f, numbers.data(), values.data(), count);
    for (std::size_t i = 0; i < count; ++i, ++element)
      result.allow_interval_beside(
          element,
          is_plain && is_finite(numbers[i])
              ? elementary_interval_at<T>(all, close, x[i], arithmetic::approximation_of(values[i]), mode, y[i])
              : elementary_interval<T>(f, x[i], by, mode, y[i]),
          refusal, y[i]);
    count = 0;
  };
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    x[count] = input[c];
    y[count] = golden[c];
    numbers[count] = widened(x[count]);
    if (++count == x.size()) add_block();
  }
  add_block();
}

// Of RECIP and SQRT the option `reciprocals` decides, of the others `functions`.
template <class Verdicts>
void add_elementary_verdicts(arithmetic::elementary f, const std::optional<scale_bias>& by, accumulation precision,
                             const const_tensor_ref& input, const tensor_ref& golden, bool flushes, Verdicts& result) {
  using enum arithmetic::elementary;
  if (f == sin || f == cos || f == arithmetic::elementary::tanh || f == erf) result.range.width = 2;
  const std::uint8_t refusal =
      f == recip || f == arithmetic::elementary::sqrt ? interval_refusal::reciprocals : interval_refusal::functions;
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, false, precision},
        flushing{std::is_same_v<T, float>, true, precision};
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    if (!flushes) return add_elementary_intervals<T>(f, by, mode, x, y, refusal, result);
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      if (by || may_be_flushed<T>(x[c], y[c])) {
        const graded_interval allowed = elementary_interval<T>(f, x[c], by, mode, T(y[c]));
        if (const auto more = elementary_interval<T>(f, x[c], by, flushing); more != allowed) {
          result.allow_interval(element, more.allowed);
          result.narrow_interval(element, more.close, refusal);
        }
      }
      ++element;
    }
  });
}

}  // namespace goldml::detail
