// What a device may answer to FILL_VALUE_SEQUENCE: floats to within two units in the last place (ledger L65).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/attributes.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// Whether a finite FLOAT32 or FLOAT16 is significand * 2^exponent.
template <class T>
bool is_representable(std::uint64_t significand, int exponent) {
  if (significand == 0) return true;
  const int zeros = std::countr_zero(significand);
  const int bits = static_cast<int>(std::bit_width(significand >> zeros));
  const int lowest = exponent + zeros;
  constexpr int precision = float_format<T>::precision;
  constexpr int greatest = 1 - float_format<T>::least_normal;
  return bits <= precision && lowest >= float_format<T>::least_normal + 1 - precision && lowest + bits <= greatest + 1;
}

// A unit in the last place of a finite magnitude, also above the numbers that T has.
template <class T>
double unit_in_last_place(double magnitude) {
  constexpr int precision = float_format<T>::precision;
  constexpr int least = float_format<T>::least_normal;
  const int exponent = (std::max)(least, std::ilogb(magnitude));
  return std::ldexp(1.0, exponent + 1 - precision);
}

// The elements of a sequence of T.
template <class T>
struct sequence_of {
  T start;
  T delta;

  double first() const { return exact_double(start); }
  double step() const { return exact_double(delta); }
  double value(std::uint64_t number) const { return value_of_sequence(first(), number, step()); }

  // Whether number, number * delta and the sum need no rounding.
  bool is_exact(std::uint64_t number) const {
    if (!is_representable<T>(number, 0)) return false;
    const odd_double part = is_zero(delta) ? odd_double{0, 0} : odd_part(step());
    const double y = value(number);
    return is_representable<T>(part.significand * number, part.exponent) && exact_double(rounded<T>(y)) == y;
  }

  // What a device may give that rounds number, product and sum.
  interval allowed(std::uint64_t number) const {
    const double y = value(number);
    interval result;
    if (number == 0) {
      result = interval_of<T>(first(), 0, 0, float16_narrowing::nearest_even);
      if (!is_finite_double(step())) result.also = interval_also::nan;  // 0 * inf
      return result;
    }
    const double product = static_cast<double>(number) * step();
    const double greatest = exact_double((std::numeric_limits<T>::max)());
    const bool is_finite = is_finite_double(first()) && is_finite_double(step());
    // A finite intermediate result overflows. An infinite one times 0 is NaN.
    const bool may_overflow =
        is_finite_double(step()) && (static_cast<double>(number) > greatest || std::abs(product) > greatest);
    if (!is_finite) {
      result = interval_of<T>(y, 0, 0, float16_narrowing::nearest_even);
      if (may_overflow) result.also = interval_also::nan;  // inf - inf
      return result;
    }
    if (is_exact(number)) return interval_of<T>(y, 0, 0, float16_narrowing::nearest_even);
    const double by = 2 * unit_in_last_place<T>((std::max)({std::abs(first()), std::abs(product), std::abs(y)}));
    // The golden value, or the number itself where T has none.
    const double golden = std::abs(y) > greatest ? y : exact_double(rounded<T>(y));
    result.low = end(golden - by, false);
    result.high = end(golden + by, true);
    result.usual_low = result.low;
    result.usual_high = result.high;
    if (may_overflow && std::is_same_v<T, float>)  // the product is an infinity
      result.also = product > 0 ? interval_also::positive_infinity : interval_also::negative_infinity;
    if (may_overflow && std::is_same_v<T, float16>) {  // reported, but not wrong
      result.low = -std::numeric_limits<float>::infinity();
      result.high = std::numeric_limits<float>::infinity();
      result.also = interval_also::nan;
    }
    return result;
  }

 private:
  // The least number of T that is not below x or, of a high end, the greatest that is not above it; from half a unit
  // past the greatest number on, infinity.
  static float end(double x, bool is_high) {
    const double nearest = exact_double(rounded<T>(x));
    const bool is_beyond = is_finite_double(nearest) && (is_high ? nearest > x : nearest < x);
    const double step = is_beyond ? unit_in_last_place<T>(std::abs(x)) : 0;
    return static_cast<float>(exact_double(rounded<T>(is_high ? nearest - step : nearest + step)));
  }
};

template <class T, class Verdicts>
void add_sequence_verdicts(const fill_value_sequence_desc& desc, Verdicts& result) {
  if (desc.sequence != sequence::multiply) return;
  const sequence_of<T> all{desc.value_start.as<T>(), desc.value_delta.as<T>()};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const interval allowed = all.allowed(i);
    const bool exact = allowed.also == 0 && order_key(allowed.low) == order_key(allowed.high) && !is_zero(allowed.low);
    const bool nothing = allowed.also == 0 && order_key(allowed.low) > order_key(allowed.high);
    if (!exact && !nothing) result.allow_interval(i, allowed);
  }
}

// Whether any of what is allowed may be subnormal.
inline bool has_subnormal(const interval& allowed) {
  return order_key(allowed.low) < order_key(0x1p-126F) && order_key(allowed.high) > order_key(-0x1p-126F);
}

// Calls f with what flushing adds: start or delta may count as zeros, and so may the result; of zeros, either sign.
template <class F>
void offer_flushed_sequence(const sequence_of<float>& all, std::uint64_t number, const F& f) {
  const auto zeros = [&] {
    f(0.0F);
    f(-0.0F);
  };
  if (has_subnormal(all.allowed(number))) zeros();
  for (const bool flushes_start : {false, true})
    for (const bool flushes_delta : {false, true}) {
      const sequence_of<float> other{flushes_start ? flushed(all.start) : all.start,
                                     flushes_delta ? flushed(all.delta) : all.delta};
      if (order_key(other.start) == order_key(all.start) && order_key(other.delta) == order_key(all.delta)) continue;
      const interval allowed = other.allowed(number);
      if (order_key(allowed.low) > order_key(allowed.high)) continue;
      // Two units on each side at most, as start and result have no greater unit than the product, or there is none.
      float value = allowed.usual_low;
      for (int i = 0; i < 16 && order_key(value) <= order_key(allowed.usual_high); ++i) {
        f(value);
        if (is_zero(value)) zeros();
        value = std::nextafter(value, std::numeric_limits<float>::infinity());
      }
    }
}

template <class Verdicts>
void add_flushed_sequence(const fill_value_sequence_desc& desc, Verdicts& result) {
  const sequence_of<float> all{desc.value_start.as<float>(), desc.value_delta.as<float>()};
  if (desc.sequence == sequence::accumulate) {
    const float delta = flushed(all.delta);
    auto values = std::make_shared<std::vector<float>>();
    float value = flushed(all.start);
    for (std::size_t i = 0; i < result.size(); ++i) {
      values->push_back(value);
      result.allow_what_is_read(i);
      value = flushed(rounded<float>(value_of_sequence(exact_double(value), 1, exact_double(delta))));
    }
    return result.read_alternatives_with(
        [values = std::move(values)](std::size_t i, const std::function<bool(const scalar&)>& f) {
          const float each = (*values)[i];
          if (!f(scalar(each)) && is_zero(each)) f(scalar(-each));
        });
  }
  bool any = false;
  const bool flushes_all =
      order_key(flushed(all.start)) != order_key(all.start) || order_key(flushed(all.delta)) != order_key(all.delta);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!flushes_all && !has_subnormal(all.allowed(i))) continue;
    result.allow_what_is_read(i);
    any = true;
  }
  if (any)
    result.read_alternatives_with([all](std::size_t i, const std::function<bool(const scalar&)>& f) {
      bool found = false;
      offer_flushed_sequence(all, i, [&](float value) { found = found || f(scalar(value)); });
    });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<fill_value_sequence_desc> Desc>
struct verdict_traits<Desc> {
  static void verdicts(const fill_value_sequence_desc& desc, std::span<const const_tensor_ref>,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type,
                    [&]<class T>(std::type_identity<T>) { goldml::detail::add_sequence_verdicts<T>(desc, result[0]); });
  }
  static void flushed_verdicts(const fill_value_sequence_desc& desc, std::span<const const_tensor_ref>,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (flushed[0].desc().data_type == data_type::float32) goldml::detail::add_flushed_sequence(desc, result[0]);
  }
  // A byte per element and, of floats, an interval, or the sequence of a device that flushes.
  static std::uint64_t verdict_memory(const fill_value_sequence_desc&, const std::array<operand, 1>& t) {
    const data_type type = t[0].desc->data_type;
    const bool is_float = type == data_type::float32 || type == data_type::float16;
    return saturating_multiply(element_count(t[0].desc->sizes), is_float ? 1 + sizeof(interval) : 1);
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::in_verdicts>};
};

}  // namespace goldml::oracle
