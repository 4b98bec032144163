// What the rules of the operators' pages have in common: elements as bits, the values that an element may have, and
// conversions of numbers, with built-in comparisons and independently of the library.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/oracle/generate.hpp>

namespace judged {

using namespace goldml;

using bits = std::uint64_t;
using values = std::vector<bits>;  // of a tensor, in logical row-major order

template <class T>
bits bits_of(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<T>>(x);
  else
    return std::bit_cast<typename goldml::detail::float_bits<T>::type>(x);
}

template <class T>
T value_of(bits b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(b);
  else
    return std::bit_cast<T>(static_cast<typename goldml::detail::float_bits<T>::type>(b));
}

inline values values_of(const const_tensor_ref& ref) {
  values result;
  const readable_tensor readable(ref);
  visit_data_type(all_types{}, readable.ref().desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto view = readable.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(ref.desc().sizes)) result.push_back(bits_of(view[c]));
  });
  return result;
}

inline std::size_t number_of(const coordinate_tuple& c, const dimensions& sizes) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) number = number * sizes[i] + c[i];
  return number;
}

using floating_types = type_list<float, float16, double>;

inline bool is_nan_of(data_type type, bits b) {
  bool result = false;
  visit_data_type(floating_types{}, type, [&]<class T>(std::type_identity<T>) {
    const T x = value_of<T>(b);
    result = x != x;
  });
  return result;
}

template <class T>
inline constexpr bits sign_bit_of = bits{1} << (8 * sizeof(T) - 1);

// The NaN that stands for all NaNs where any is allowed.
template <class T>
bits quiet_nan_of() {
  return bits_of(std::numeric_limits<T>::quiet_NaN());
}

// A FLOAT32 subnormal as the zero of its sign; other elements as they are.
template <class T>
bits flushed(bits b) {
  if constexpr (std::is_same_v<T, float>)
    if ((b & 0x7F80'0000) == 0) return b & 0x8000'0000;
  return b;
}
inline bits flushed(data_type type, bits b) { return type == data_type::float32 ? flushed<float>(b) : b; }

// A number of any type, without rounding.
struct exact_number {
  bool negative;
  bool is_integer;
  double magnitude;       // of a float
  std::uint64_t integer;  // of an integer: its magnitude

  template <class T>
  explicit exact_number(T x) : negative(x < T(0)), is_integer(std::is_integral_v<T>), magnitude(0), integer(0) {
    if constexpr (std::is_integral_v<T>) {
      integer = negative ? ~static_cast<std::uint64_t>(x) + 1 : static_cast<std::uint64_t>(x);
    } else {
      negative = std::signbit(static_cast<double>(x));
      magnitude = std::abs(static_cast<double>(x));
    }
  }

  // Below 0, 0 or above 0, as the magnitude is less than, equal to or greater than this number.
  int compared_with(double other) const {
    if (!is_integer) return magnitude < other ? -1 : magnitude > other ? 1 : 0;
    if (other >= 0x1p64) return -1;
    const auto whole = static_cast<std::uint64_t>(other);
    if (integer != whole) return integer < whole ? -1 : 1;
    return static_cast<double>(whole) < other ? -1 : 0;
  }
};

// The numbers of a floating type next to a number that is no NaN, found by search.
struct neighbours {
  bits toward_zero;
  bits away;  // the same if the type holds the number
  bits nearest;
};

template <class T>
neighbours neighbours_of(const exact_number& x) {
  constexpr bits infinity = goldml::detail::float_bits<T>::infinity;
  const bits sign = x.negative ? sign_bit_of<T> : 0;
  const auto number = [](bits magnitude) { return static_cast<double>(value_of<T>(magnitude)); };
  if (!x.is_integer && x.magnitude > std::numeric_limits<double>::max())
    return {sign | infinity, sign | infinity, sign | infinity};
  bits below = 0;
  bits above = infinity;
  while (above - below > 1) {
    const bits middle = (below + above) / 2;
    (x.compared_with(number(middle)) < 0 ? above : below) = middle;
  }
  if (x.compared_with(number(below)) == 0) return {sign | below, sign | below, sign | below};
  // Where an infinity is rounded to, the next number would be a power of 2.
  const double end = above == infinity ? std::ldexp(1.0, std::numeric_limits<T>::max_exponent) : number(above);
  bool is_above = x.compared_with(end) >= 0;
  if (!is_above && x.is_integer) {  // all three are integers
    const std::uint64_t down = x.integer - static_cast<std::uint64_t>(number(below));
    const std::uint64_t up = (end == 0x1p64 ? 0 : static_cast<std::uint64_t>(end)) - x.integer;
    is_above = up < down || (up == down && below % 2 == 1);
  } else if (!is_above) {
    const int side = x.compared_with((number(below) + end) / 2);
    is_above = side > 0 || (side == 0 && below % 2 == 1);
  }
  return {sign | below, sign | above, sign | (is_above ? above : below)};
}

// Whether w, or another number within `off` of it, is rounded to T as something else than w. FLOAT16 may also be
// rounded toward zero.
template <class T>
bool is_changed_by_rounding(long double w, long double off) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(w - off) != w || static_cast<float>(w + off) != w;
  } else {
    const bits nearest = neighbours_of<T>(exact_number(static_cast<double>(w))).nearest;
    return off != 0 || static_cast<double>(value_of<T>(nearest)) != w;
  }
}

inline double as_number(data_type type, bits b) {
  double result = 0;
  visit_data_type(all_types{}, unpacked_type(type),
                  [&]<class T>(std::type_identity<T>) { result = static_cast<double>(value_of<T>(b)); });
  return result;
}

// The numbers of a type from low to high. Those outside this range and inside the outer one are undecided:
// they are neither tried as a right answer nor as a fault.
struct float_range {
  data_type type = data_type::float32;
  double low = 0, high = 0;
  double outer_low = 0, outer_high = 0;
  bool nan = false, above = false, below = false;  // also NaN, +infinity, -infinity
  bool of_terms = false;                           // these are terms that a device may add or not
  bool integers = false;                           // of the numbers only the integers
  bool open = false;                               // anything is undecided

  bool has(bits b) const {
    const double x = as_number(type, b);
    if (open) return true;
    if (x != x) return nan;
    if (integers && std::trunc(x) != x) return false;
    return (x >= outer_low && x <= outer_high) || (above && x == std::numeric_limits<double>::infinity()) ||
           (below && x == -std::numeric_limits<double>::infinity());
  }
  // Whether b, which it has, is an infinity beyond its ends, or a NaN beside such.
  bool overflows(bits b) const {
    if (of_terms) return false;
    const double x = as_number(type, b);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const bool to_above = above && outer_high != infinite && outer_low != infinite;
    const bool to_below = below && outer_low != -infinite && outer_high != -infinite;
    return x != x ? to_above || to_below : std::isinf(x) && (x > 0 ? to_above : to_below);
  }
  // A number that is surely allowed, by a random number; nothing if there is none.
  std::optional<bits> pick(bits random) const {
    if (!(low <= high)) return std::nullopt;
    const double share = static_cast<double>(random % 5) / 4;  // both ends, too
    const bool is_between = random % 5 != 0 && random % 5 != 4 && std::isfinite(low) && std::isfinite(high);
    double x = is_between ? low + (high - low) * share : random % 5 == 0 ? low : high;
    if (integers) x = std::floor(x);
    std::optional<bits> integer;  // from low to high
    visit_data_type(a8_types{}, type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>) integer = bits_of(static_cast<T>(x));
    });
    if (integer) return integer;
    if (type == data_type::float64) return bits_of(x);
    if (type == data_type::float32) return bits_of(static_cast<float>(x));
    return neighbours_of<float16>(exact_number(x)).toward_zero;
  }
};

// Any NaN, and no number.
inline float_range any_nan_of(data_type type) {
  return {.type = type, .low = 1, .high = 0, .outer_low = 1, .outer_high = 0, .nan = true};
}

struct element_rule {
  bool defined = true;
  values allowed = {};          // the golden value first
  std::uint64_t any_below = 0;  // every integer from 0 to this minus 1
  bool exact_nan = false;       // a NaN is no other NaN
  std::optional<float_range> range = {};
  std::optional<bits> golden = {};      // if a strict judgement may refuse what overflows
  std::vector<float_range> apart = {};  // beside `range`, which has their NaN and infinities

  bool allows(bits b) const {
    const auto has = [&](const float_range& one) { return one.has(b); };
    return !defined || (range && range->has(b)) || std::any_of(apart.begin(), apart.end(), has) || b < any_below ||
           std::find(allowed.begin(), allowed.end(), b) != allowed.end();
  }
  // A number that one of the ranges surely allows, by a random number; nothing if there is none.
  std::optional<bits> pick(bits random) const {
    if (!range) return std::nullopt;
    const std::size_t number = random / 5 % (1 + apart.size());
    return (number == 0 ? *range : apart[number - 1]).pick(random);
  }
  // Whether b is allowed only because an intermediate result may overflow: refused by --strict (RE-R2).
  bool overflows(bits b) const {
    return defined && golden && range && std::isfinite(as_number(range->type, *golden)) && range->has(b) &&
           range->overflows(b);
  }
  // If any NaN is accepted for a NaN.
  bool allows_nan(data_type type, bits b) const {
    return !exact_nan && is_nan_of(type, b) &&
           std::any_of(allowed.begin(), allowed.end(), [&](bits a) { return is_nan_of(type, a); });
  }
};

using output_rules = std::vector<element_rule>;

// One value for each element: f(coordinate).
template <class F>
output_rules exactly(const dimensions& sizes, F&& f) {
  output_rules rules;
  for (const coordinate_tuple& c : coordinates_of(sizes)) rules.push_back({true, {f(c)}});
  return rules;
}

// What the second rules allow is allowed, too.
inline void add_allowed(output_rules& rules, const output_rules& others) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    rules[i].allowed.insert(rules[i].allowed.end(), others[i].allowed.begin(), others[i].allowed.end());
}

// A float truncated toward zero, if an integer type holds it; the rule is undefined otherwise.
template <class T, class From>
element_rule truncated_to(From x) {
  const double whole = std::trunc(static_cast<double>(x));
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (!(whole < end && whole >= (std::is_signed_v<T> ? -end : 0.0))) return {false};
  return {true, {bits_of(static_cast<T>(whole))}};
}

// The elements that a FLOAT attribute may become, rounded to nearest even or toward zero. A NaN is the quiet one.
template <class T>
element_rule attribute_rule(float value) {
  if constexpr (std::is_integral_v<T>) {
    return truncated_to<T>(value);
  } else {
    if (value != value) return {true, {std::is_same_v<T, float> ? bits_of(value) : quiet_nan_of<T>()}};
    const neighbours near = neighbours_of<T>(exact_number(value));
    return {true, {near.nearest, near.toward_zero}};
  }
}

}  // namespace judged
