// Whether the element of a device is what the golden value, its verdict and the options allow.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/oracle/compare_options.hpp>
#include <goldml/oracle/golden.hpp>

namespace goldml::oracle {

// The number of representable numbers from one to the other; nullopt if either is NaN. -0.0 and +0.0 have distance 0.
template <element T>
std::optional<std::uint64_t> ulp_distance(T a, T b) {
  static_assert(is_floating_type<T>);
  if (is_nan(a) || is_nan(b)) return std::nullopt;
  const std::int64_t x = order_key(a);
  const std::int64_t y = order_key(b);
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

// Whether `got` matches `expected`.
template <element T>
bool matches(T expected, T got, const compare_options& options) {
  if constexpr (!is_floating_type<T>) {
    return expected == got;
  } else {
    using bits = typename goldml::detail::float_bits<T>::type;
    if (std::bit_cast<bits>(expected) == std::bit_cast<bits>(got)) return true;
    if (is_nan(expected) || is_nan(got)) return options.nans == nan_match::any_nan && is_nan(expected) && is_nan(got);
    if (is_zero(expected) && is_zero(got)) return options.zeros == zero_match::either_sign;
    const auto greatest = (std::max)(goldml::detail::magnitude_bits(expected), goldml::detail::magnitude_bits(got));
    if (greatest == goldml::detail::float_bits<T>::infinity) return false;  // the same infinity has the same bits
    if (options.floats == float_match::ulp) return *ulp_distance(expected, got) <= options.ulp;
    if (options.floats == float_match::tolerance) {
      const auto wanted = static_cast<double>(expected);
      const auto actual = static_cast<double>(got);
      return std::abs(actual - wanted) <= options.absolute + options.relative * std::abs(wanted);
    }
    return false;
  }
}

// The same for an element with a verdict: how it lies in what the golden value and the verdict allow.
template <element T>
interval_place place_of(const golden_output& golden, std::size_t element, T expected, T got,
                        const compare_options& given) {
  compare_options options = given;
  if (golden.exact_nans) options.nans = nan_match::same_bits;
  interval_place best = interval_place::outside;
  bool overflowed = false;  // which flushing allows, too
  if constexpr (is_floating_type<T>) {
    using number = interval_number<T>;
    constexpr number infinity = std::numeric_limits<number>::infinity();
    const auto* main = golden.verdicts.template interval_of<number>(element, options.refused());
    basic_interval<number> all = main != nullptr ? *main : basic_interval<number>();
    bool at_end = false;  // an end of an interval is rounded to that infinity
    golden.verdicts.for_each_other(element, [&](const interval& other) {  // such as f of an infinite sum
      all.also = static_cast<std::uint8_t>(all.also | (other.also & interval_also::specials));
      if (order_key(other.low) > order_key(other.high)) return;
      const bool alone = order_key(other.low) == order_key(other.high);
      const bool above = order_key(number{other.high}) == order_key(infinity);
      const bool below = order_key(number{other.low}) == order_key(-infinity);
      if (above && alone) all.also |= interval_also::positive_infinity;
      if (below && alone) all.also |= interval_also::negative_infinity;
      at_end = at_end || (!alone && !is_nan(got) && (order_key(got) > 0 ? above : below));
    });
    overflowed = !at_end && is_overflow(all, expected, got);
  }
  if (overflowed && !options.stable) best = interval_place::overflowed;
  // Whether the value is what these verdicts allow, as usual.
  const auto has = [&](const output_verdicts& verdicts) {
    if (const auto* allowed = verdicts.template interval_of<interval_number<T>>(element, options.refused());
        allowed != nullptr && !overflowed) {
      const interval_place place = place_in(*allowed, got);
      if (options.narrow_toward_zero || place != interval_place::toward_zero) best = (std::max)(best, place);
      if (best == interval_place::usual) return true;
    }
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>) {
      const interval_place place =
          overflowed ? interval_place::outside : verdicts.place_in_others(element, got, options.refused());
      if (options.narrow_toward_zero || place != interval_place::toward_zero) best = (std::max)(best, place);
      if (best == interval_place::usual) return true;
    }
    const auto is_equal = [&](const scalar& other) { return matches(other.as<T>(), got, options); };
    if (verdicts.any_nearest_alternative(element, is_equal)) return true;
    if (options.narrow_toward_zero && verdicts.any_alternative_toward_zero(element, is_equal))
      best = (std::max)(best, interval_place::toward_zero);
    return false;
  };
  const verdict v = golden.verdicts[element];
  if (v == verdict::undefined || v == verdict::depends || matches(expected, got, options)) return interval_place::usual;
  if (v != verdict::exact) {
    if constexpr (std::is_integral_v<T>)
      if (got >= 0 && static_cast<std::uint64_t>(got) < golden.verdicts.any_index_below(element))
        return interval_place::usual;
    if (has(golden.verdicts)) return interval_place::usual;
  }
  if (!options.fp32_flush) return best;
  if (golden.is_open_to_flushing(element)) return interval_place::usual;
  if (golden.flushed) {
    const auto flushed = golden.flushed->ref().template as<T>();
    if (matches(flushed[coordinate_at(flushed.sizes(), element)], got, options)) return interval_place::usual;
  }
  return golden.flushed_verdicts && has(*golden.flushed_verdicts) ? interval_place::usual : best;
}

}  // namespace goldml::oracle
