// The values that an output element may have where the specification leaves a choice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <goldml/core/interval.hpp>
#include <goldml/core/scalar.hpp>

namespace goldml {

enum class verdict : std::uint8_t {
  exact,      // the golden value
  undefined,  // anything
  one_of,     // the golden value, or one of the alternatives
  within,     // the golden value, or what an interval has, or one of the alternatives
  depends,    // not known: the element depends on what is not known of an intermediate (oracle/chain.hpp)
};

// What one element may be besides its golden value.
struct alternatives {
  std::vector<scalar> values;         // distinct
  std::uint64_t any_index_below = 0;  // any integer from 0 to this minus 1; 0: none
};

// What an option of the comparer may refuse of an interval (oracle::compare_options). Flags, combined with |.
namespace interval_refusal {
inline constexpr std::uint8_t reciprocals = 1;  // what only an approximate reciprocal or root explains
inline constexpr std::uint8_t functions = 2;    // what only the tolerance of a conformance test explains
}  // namespace interval_refusal

// What an element may be by default, and what remains of it if an option refuses the rest.
struct graded_interval {
  interval allowed;
  interval close;

  friend bool operator==(const graded_interval&, const graded_interval&) = default;
};

// The numbers that an element may be: those of an interval, and those of others apart from it, as f(inf) beside f(x).
// If the comparer refuses `by`, a flag of interval_refusal, `close` of the former and what is usual of the others.
struct element_intervals {
  graded_interval main;
  std::uint8_t by = 0;
  std::vector<interval> others = {};

  // The least interval that has all of them.
  interval hull() const;

  friend bool operator==(const element_intervals&, const element_intervals&) = default;
};

// The bytes of an element that verdicts take for element_intervals, at most, beside those of one interval.
inline constexpr std::size_t more_interval_memory = 2 + sizeof(interval);

namespace detail {

inline bool is_a_number(const interval& x) {
  return x.also == 0 && order_key(x.low) == order_key(x.high) && magnitude_bits(x.low) < float_bits<float>::infinity;
}

// The first interval, and what the other has and what lies between.
inline void extend(interval& all, const interval& other) {
  all.also = static_cast<std::uint8_t>(all.also | (other.also & ~interval_also::integers));
  if (order_key(other.low) > order_key(other.high)) return;
  if (order_key(other.low) < order_key(all.low)) {
    all.low = all.usual_low = other.low;
    all.also = static_cast<std::uint8_t>(all.also & ~interval_also::low_toward_zero);
  }
  if (order_key(other.high) > order_key(all.high)) {
    all.high = all.usual_high = other.high;
    all.also = static_cast<std::uint8_t>(all.also & ~interval_also::high_toward_zero);
  }
}

}  // namespace detail

inline interval element_intervals::hull() const {
  interval result = main.allowed;
  for (const interval& other : others) detail::extend(result, other);
  return result;
}

// Alternatives that are computed on demand instead of stored: calls f with each alternative of an element until f
// returns true. Values may repeat, and may include the golden value. Owns the data it reads.
using alternative_reader = std::function<void(std::size_t element, const std::function<bool(const scalar&)>& f)>;

// What the intervals of an output are measured by. An element is hardly tested if its interval is wider than a quarter
// of `width` or, if that is 0, of the greatest golden magnitude in its row of `row` elements; if that is 0 too, if it
// is wider than the golden magnitude of the element.
struct answer_range {
  double width = 0;              // such as 2 for TANH
  std::size_t row = 0;           // of recurrent layers: the last size
  std::string_view remedy = {};  // what would test such elements, for the report
  // What explains elements that are not usual; empty: roundings that are not independent.
  std::string_view unusual = {};
};

namespace detail {

// How what one element may be is stored: either is_undefined or is_dependent alone, or any combination of the others.
struct element_states {
  static constexpr std::uint8_t is_exact = 0;
  static constexpr std::uint8_t is_undefined = 1;
  static constexpr std::uint8_t has_values = 2;
  static constexpr std::uint8_t has_any_index = 4;
  static constexpr std::uint8_t has_reader = 8;
  static constexpr std::uint8_t has_an_interval = 16;
  static constexpr std::uint8_t is_dependent = 32;
  static constexpr std::uint8_t has_others = 128;
  static constexpr std::uint8_t has_a_close_interval = 64;  // beside the other one
};

}  // namespace detail

}  // namespace goldml
