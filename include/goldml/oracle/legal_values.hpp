// What a correct device may hold in a tensor that it computed: of each element the least and the greatest number.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// What is known of the element that a correct device holds.
enum class certainty : std::uint8_t {
  exact,    // it is the golden value
  any_nan,  // it is a NaN, as the golden value is
  between,  // it is a number from a least to a greatest one, which may be infinite
  unknown,  // nothing
};

// What a correct device may hold in a tensor.
struct legal_values {
  const_tensor_ref golden = {};                    // absent: an optional tensor that is omitted
  std::shared_ptr<const host_tensor> packed = {};  // the memory of `golden`, if its elements have 4 bits
  // The least and the greatest number that each element may be; the golden value where `states` has no `between`. They
  // have the desc of `golden`, but elements of 4 bits as bytes.
  host_tensor low = {}, high = {};
  std::vector<certainty> states = {};  // of the elements in row-major order; none: all are exact

  legal_values() = default;
  legal_values(const const_tensor_ref& exact) : golden(exact) {}  // NOLINT(google-explicit-constructor): it is one

  bool exact() const { return states.empty(); }
};

namespace detail {

// Like a < b, but -0.0 is below +0.0. Not for NaN.
template <element T>
bool is_below(T a, T b) {
  if constexpr (is_floating_type<T>) {
    using bits = typename goldml::detail::float_bits<T>::type;
    constexpr auto sign = std::numeric_limits<bits>::digits - 1;
    if (order_key(a) == order_key(b)) return std::bit_cast<bits>(a) >> sign > std::bit_cast<bits>(b) >> sign;
  }
  return order_key(a) < order_key(b);
}

// The float `steps` representable numbers above or below x, an infinity if it is beyond. x is not NaN.
template <element T>
T stepped(T x, bool up, std::uint64_t steps) {
  using bits = typename goldml::detail::float_bits<T>::type;
  using key = std::make_signed_t<bits>;
  constexpr auto infinity = static_cast<std::int64_t>(goldml::detail::float_bits<T>::infinity);
  const std::int64_t from = up ? order_key(x) : -std::int64_t{order_key(x)};
  const std::uint64_t room = static_cast<std::uint64_t>(infinity) - static_cast<std::uint64_t>(from);
  std::int64_t to = infinity;
  if (steps < room) to = static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + steps);
  if (!up) to = -to;
  const auto magnitude = static_cast<bits>(static_cast<key>(to < 0 ? -to : to));
  constexpr auto sign = static_cast<bits>(bits{1} << (std::numeric_limits<bits>::digits - 1));
  return std::bit_cast<T>(static_cast<bits>(magnitude | (to < 0 || (to == 0 && !up) ? sign : bits{0})));
}

// The values that an element may have: none at first.
template <element T>
struct value_range {
  bool empty = true;
  certainty state = certainty::exact;
  T low{};
  T high{};

  void add(const value_range& other) {
    if (other.empty) return;
    if (empty) {
      *this = other;
    } else if (state == certainty::unknown || other.state == certainty::unknown) {
      state = certainty::unknown;
    } else if (is_nan(low) || is_nan(other.low)) {
      if (!same_bits(low, other.low))
        state = is_nan(low) && is_nan(other.low) ? certainty::any_nan : certainty::unknown;
    } else {
      if (is_below(other.low, low)) low = other.low;
      if (is_below(high, other.high)) high = other.high;
      state = same_bits(low, high) ? certainty::exact : certainty::between;
    }
  }
  void add(T value) { add({false, certainty::exact, value, value}); }

  static bool same_bits(T a, T b) {
    if constexpr (is_floating_type<T>) {
      using bits = typename goldml::detail::float_bits<T>::type;
      return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
    } else {
      return a == b;
    }
  }
  friend bool operator==(const value_range& a, const value_range& b) {
    return a.state == b.state && same_bits(a.low, b.low) && same_bits(a.high, b.high);
  }
};

// Adds the numbers of an interval, and its infinities. A NaN that it also allows makes the element unknown, unless the
// golden value is one.
template <element T, class Number>
void add_interval(const basic_interval<Number>& allowed, T golden, const compare_options& options,
                  value_range<T>& range) {
  const auto has = [&](std::uint8_t flag) { return (allowed.also & flag) != 0; };
  if (!is_nan(allowed.low) && !is_nan(allowed.high) && order_key(allowed.low) <= order_key(allowed.high)) {
    auto low = static_cast<T>(allowed.low);
    auto high = static_cast<T>(allowed.high);
    if (!options.narrow_toward_zero && has(interval_also::low_toward_zero)) low = stepped(low, true, 1);
    if (!options.narrow_toward_zero && has(interval_also::high_toward_zero)) high = stepped(high, false, 1);
    if (order_key(low) <= order_key(high)) {  // either zero is allowed
      range.add(is_zero(low) ? static_cast<T>(-0.0F) : low);
      range.add(is_zero(high) ? static_cast<T>(0.0F) : high);
    }
  }
  const auto add = [&](std::uint8_t flag, float special) {
    const auto value = static_cast<T>(special);
    if (has(flag) && !(options.stable && is_overflow(allowed, golden, value))) range.add(value);
  };
  add(interval_also::positive_infinity, std::numeric_limits<float>::infinity());
  add(interval_also::negative_infinity, -std::numeric_limits<float>::infinity());
  add(interval_also::nan, std::numeric_limits<float>::quiet_NaN());
}

// Adds what the tolerance of the options allows beside each value of a range.
template <element T>
void add_tolerance(const compare_options& options, value_range<T>& range) {
  if (options.floats == float_match::bits || range.state == certainty::unknown || is_nan(range.low)) return;
  const auto add = [&](T end, bool up) {
    if (goldml::detail::magnitude_bits(end) == goldml::detail::float_bits<T>::infinity) return;
    if (options.floats == float_match::ulp) return range.add(stepped(end, up, options.ulp));
    const auto value = static_cast<double>(end);
    const double by = options.absolute + options.relative * std::abs(value);
    range.add(stepped(static_cast<T>(up ? value + by : value - by), up, 1));
  };
  if (options.relative >= 1) {
    range.state = certainty::unknown;
    return;
  }
  add(range.low, false);
  add(range.high, true);
}

// What a correct device may answer for one element, as the options accept it.
template <element T>
value_range<T> range_of(const golden& answers, std::size_t output, std::size_t element,
                        const compare_options& options) {
  value_range<T> range;
  for (const golden_outputs& answer : answers.answers) {
    if (!is_granted(deviation_of(answer), options)) continue;
    const golden_output& golden = answer[output];
    const auto values = golden.values.ref().template as<T>();
    const T expected = values[coordinate_at(values.sizes(), element)];
    const auto add_verdict = [&](const output_verdicts& verdicts) {
      if (verdicts[element] == verdict::exact) return;
      if constexpr (is_floating_type<T>)
        if (const auto* allowed = verdicts.template interval_of<interval_number<T>>(element, options.refused()))
          add_interval(*allowed, expected, options, range);
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>)
        verdicts.for_each_other(element, [&](const interval& other) { add_interval(other, expected, options, range); });
      if constexpr (std::is_integral_v<T>) {
        if (const std::uint64_t end = verdicts.any_index_below(element); end > 0) {
          range.add(T{0});
          range.add(static_cast<T>(end - 1));
        }
        if (const auto* allowed = verdicts.template interval_of<interval_number<T>>(element, options.refused())) {
          range.add(static_cast<T>(allowed->low));
          range.add(static_cast<T>(allowed->high));
        }
      }
      verdicts.any_alternative(element, [&](const scalar& other) {
        range.add(other.as<T>());
        return false;
      });
    };
    if (golden.verdicts[element] == verdict::undefined || golden.verdicts[element] == verdict::depends ||
        (options.fp32_flush && golden.is_open_to_flushing(element))) {
      range.empty = false;
      range.state = certainty::unknown;
      return range;
    }
    range.add(expected);
    add_verdict(golden.verdicts);
    if (options.fp32_flush && golden.flushed) {
      const auto flushed = golden.flushed->ref().template as<T>();
      range.add(flushed[coordinate_at(flushed.sizes(), element)]);
    }
    if (options.fp32_flush && golden.flushed_verdicts) add_verdict(*golden.flushed_verdicts);
    if constexpr (is_floating_type<T>) {
      if (range.state == certainty::unknown) return range;
      if (is_nan(range.low)) {
        if (options.nans == nan_match::any_nan && !golden.exact_nans) range.state = certainty::any_nan;
        continue;
      }
      if (options.zeros == zero_match::either_sign && is_zero(range.low)) range.add(static_cast<T>(-0.0F));
      if (options.zeros == zero_match::either_sign && is_zero(range.high)) range.add(static_cast<T>(0.0F));
      add_tolerance(options, range);
    }
  }
  return range;
}

// Calls f(type_identity<T>) with the data type of a tensor.
template <class F>
void with_type_of(const tensor_desc& desc, F&& f) {
  visit_data_type(all_types{}, desc.data_type, f);
}

}  // namespace detail

// What a correct device may hold in an output of a call, as the options accept it. The golden answer must outlive the
// result.
inline legal_values legal_values_of(const golden& answers, std::size_t output = 0,
                                    const compare_options& options = {}) {
  const golden_output& answer = answers.answers.front()[output];
  legal_values result(answer.values.ref());
  if (!result.golden.present()) return result;
  detail::with_type_of(result.golden.desc(), [&]<class T>(std::type_identity<T>) {
    const dimensions& sizes = result.golden.desc().sizes;
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const auto range = detail::range_of<T>(answers, output, element, options);
      if (range.state != certainty::exact) {
        if (result.exact()) {
          result.low = host_tensor(result.golden);
          result.high = result.low;
          result.states.resize(static_cast<std::size_t>(element_count(sizes)));
        }
        result.states[element] = range.state;
        if (range.state == certainty::between) {
          result.low.ref().template as<T>()[c] = range.low;
          result.high.ref().template as<T>()[c] = range.high;
        }
      }
      ++element;
    }
  });
  if (answer.packed) {
    result.packed = std::make_shared<const host_tensor>(stored_values(answer));
    result.golden = result.packed->ref();
  }
  return result;
}

}  // namespace goldml::oracle
