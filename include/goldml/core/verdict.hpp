// The verdicts on the elements of an output: the values that they may have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/element_verdict.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/scalar.hpp>

namespace goldml {

// The verdicts on one output tensor. Elements are numbered in logical row-major order. Initially all are exact. Takes
// one byte per element, plus what allow(), allow_interval(), narrow_interval() and the reader store. A template only so
// that translation units that use no verdicts do not instantiate it.
template <class Scalar>
class basic_output_verdicts : private detail::element_states {
 public:
  explicit basic_output_verdicts(std::uint64_t element_count) : states_(static_cast<std::size_t>(element_count)) {}

  std::size_t size() const { return states_.size(); }
  verdict operator[](std::size_t element) const {
    const std::uint8_t state = states_[element];
    return state == is_exact                               ? verdict::exact
           : state == is_undefined                         ? verdict::undefined
           : state == is_dependent                         ? verdict::depends
           : (state & (has_an_interval | has_others)) != 0 ? verdict::within
                                                           : verdict::one_of;
  }

  void make_undefined(std::size_t element) { states_[element] = is_undefined; }
  void make_dependent(std::size_t element) { states_[element] = is_dependent; }
  void make_all_undefined() { states_.assign(states_.size(), is_undefined); }

  // The functions below leave undefined and dependent elements as they are.
  void allow(std::size_t element, const Scalar& value) {
    if (!add(element, has_values)) return;
    std::vector<Scalar>& values = values_[element];
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }

  // Replaces the element's interval. The first call allocates the intervals of all elements.
  void allow_interval(std::size_t element, const interval& allowed) {
    add(element, has_an_interval);
    if (intervals_.empty()) intervals_.resize(states_.size());
    intervals_[element] = allowed;
  }
  // The same, unless the interval has the golden value alone: of a NaN no number and no infinity. Of a zero either sign
  // is allowed, so that its interval is kept.
  template <class Number, class T>
  void allow_interval_beside(std::size_t element, const basic_interval<Number>& allowed, T golden) {
    const auto low = order_key(allowed.low);
    const auto high = order_key(allowed.high);
    const bool only_this = is_nan(golden) ? low > high && (allowed.also & interval_also::infinities) == 0
                                          : low == high && allowed.also == 0 && !is_zero(golden);
    if (!only_this) allow_interval(element, allowed);
  }
  // What remains of the element's interval if the comparer refuses `by`, a flag of interval_refusal. The first call
  // allocates an interval for each element. Throws std::invalid_argument unless `by` is the same for all of an output.
  void narrow_interval(std::size_t element, const interval& close, std::uint8_t by) {
    if (is_closed(element)) return;
    if (refused_by_ != 0 && refused_by_ != by)
      throw std::invalid_argument("goldml: one option narrows the intervals of an output");
    refused_by_ = by;
    add(element, has_a_close_interval);
    if (close_intervals_.empty()) close_intervals_.resize(states_.size());
    close_intervals_[element] = close;
  }
  // Both, unless the interval has the golden value alone; and the second only if it is another.
  template <class T>
  void allow_interval_beside(std::size_t element, const graded_interval& both, std::uint8_t by, T golden) {
    allow_interval_beside(element, both.allowed, golden);
    if ((states_[element] & has_an_interval) != 0 && both.close != both.allowed)
      narrow_interval(element, both.close, by);
  }
  // One more interval, apart from the element's. Those that mirror it are of any number; of others an output has a few
  // different ones, and more are joined to the element's.
  void allow_other_interval(std::size_t element, const interval& other, std::uint8_t by = 0) {
    if (is_closed(element)) return;
    if (by != 0) refused_by_ = by;
    others_of_.resize(states_.size());
    auto found = std::find(others_.begin(), others_.end(), other);
    unsigned bit = static_cast<unsigned>(found - others_.begin());
    if (!intervals_.empty() && (states_[element] & has_an_interval) != 0 && other == mirrored(intervals_[element])) {
      bit = most_others;
    } else if (bit == most_others) {
      interval joined = (states_[element] & has_an_interval) != 0 ? intervals_[element] : other;
      detail::extend(joined, other);
      if ((states_[element] & has_a_close_interval) != 0) detail::extend(close_intervals_[element], other);
      return allow_interval(element, joined);
    } else if (found == others_.end()) {
      others_.push_back(other);
    }
    others_of_[element] = static_cast<std::uint16_t>(others_of_[element] | 1U << bit);
    add(element, has_others);
  }
  // All of them; unless the first has the golden value alone, that too. Numbers for which there is no room are values.
  template <class T>
  void allow_interval_beside(std::size_t element, const element_intervals& all, T golden) {
    allow_interval_beside(element, all.main, all.by, golden);
    for (const interval& other : all.others)
      if (others_.size() < most_others || !detail::is_a_number(other))
        allow_other_interval(element, other, all.by);
      else if (allow(element, static_cast<T>(other.low)); is_zero(other.low))
        allow(element, static_cast<T>(-other.low));
  }
  void allow_intervals(std::size_t element, const element_intervals& all) {
    allow_interval(element, all.main.allowed);
    if (all.main.close != all.main.allowed) narrow_interval(element, all.main.close, all.by);
    for (const interval& other : all.others) allow_other_interval(element, other, all.by);
  }
  // Only these intervals, and nothing that was allowed before.
  void replace_intervals(std::size_t element, const element_intervals& all) {
    if (is_closed(element)) return;
    states_[element] = is_exact;
    if (!others_of_.empty()) others_of_[element] = 0;
    allow_intervals(element, all);
  }
  // An interval of an output of FLOAT64, or of integers of 16 bits and more.
  void allow_interval(std::size_t element, const basic_interval<double>& allowed) {
    add(element, has_an_interval);
    if (double_intervals_.empty()) double_intervals_.resize(states_.size());
    double_intervals_[element] = allowed;
  }

  // Throws std::invalid_argument unless `end` is the same for all elements of an output.
  void allow_any_index_below(std::size_t element, std::uint64_t end) {
    if (is_closed(element)) return;
    if (index_end_ != 0 && index_end_ != end)
      throw std::invalid_argument("goldml: an output has one bound for the indices that it allows");
    index_end_ = end;
    add(element, has_any_index);
  }

  // Allows the values that the readers give for the element.
  void allow_what_is_read(std::size_t element) { add(element, has_reader); }
  // Adds a reader. Each is asked for every element for which allow_what_is_read() was called.
  void read_alternatives_with(alternative_reader reader) {
    if (!reader_) {
      reader_ = std::move(reader);
      return;
    }
    reader_ = [first = std::move(reader_), second = std::move(reader)](std::size_t element,
                                                                       const std::function<bool(const Scalar&)>& f) {
      bool found = false;
      const auto offer = [&](const Scalar& value) { return found = f(value); };
      first(element, offer);
      if (!found) second(element, offer);
    };
  }

  // Adds a reader of the values that only a rounding to FLOAT16 toward zero explains (AR-R7).
  void read_values_toward_zero_with(alternative_reader reader) { toward_zero_reader_ = std::move(reader); }

  // Gives an element, of which nothing is known yet, what element `number` of another output of the operator has.
  // Alternatives that are computed on demand are stored.
  void copy(std::size_t element, const basic_output_verdicts& from, std::size_t number) {
    range = {from.range.width, 0, from.range.remedy, from.range.unusual};  // a row may not be copied whole
    const std::uint8_t state = from.states_[number];
    if (from.is_closed(number)) {
      states_[element] = state;
      return;
    }
    from.any_nearest_alternative(number, [&](const Scalar& value) {
      allow(element, value);
      return false;
    });
    from.any_alternative_toward_zero(number, [&](const Scalar& value) {
      add(element, has_reader);
      toward_zero_values_[element].push_back(value);
      return false;
    });
    if (from.any_index_below(number) > 0) allow_any_index_below(element, from.any_index_below(number));
    if (const auto* allowed = from.template interval_of<float>(number)) allow_interval(element, *allowed);
    if (const auto* allowed = from.template interval_of<double>(number)) allow_interval(element, *allowed);
    if (from.refused_by_ != 0) refused_by_ = from.refused_by_;
    if ((state & has_a_close_interval) != 0) narrow_interval(element, from.close_intervals_[number], from.refused_by_);
    from.for_each_other(number, [&](const interval& other) { allow_other_interval(element, other); });
  }

  bool all_exact() const {
    return std::all_of(states_.begin(), states_.end(), [](std::uint8_t state) { return state == is_exact; });
  }

  answer_range range = {};

  // 0 if none is allowed.
  std::uint64_t any_index_below(std::size_t element) const {
    return (states_[element] & has_any_index) != 0 ? index_end_ : 0;
  }

  // The interval of an element, without what is refused: flags of interval_refusal. Null if it has none. Number is
  // double for outputs of FLOAT64 and of integers.
  template <class Number = float>
  const basic_interval<Number>* interval_of(std::size_t element, std::uint8_t refused = 0) const {
    if constexpr (std::is_same_v<Number, float>)
      if ((states_[element] & has_a_close_interval) != 0 && (refused & refused_by_) != 0)
        return &close_intervals_[element];
    const std::vector<basic_interval<Number>>* intervals = nullptr;
    if constexpr (std::is_same_v<Number, double>)
      intervals = &double_intervals_;
    else
      intervals = &intervals_;
    return (states_[element] & has_an_interval) != 0 && !intervals->empty() ? &(*intervals)[element] : nullptr;
  }

  // How a value lies in the other intervals of an element, without what is refused.
  template <class T>
  interval_place place_in_others(std::size_t element, T value, std::uint8_t refused) const {
    interval_place best = interval_place::outside;
    for_each_other(element, [&](const interval& other) {
      const interval_place place = place_in(other, value);
      if (place == interval_place::suspicious && (refused & refused_by_) != 0) return;
      best = (std::max)(best, place);
    });
    return best;
  }
  template <class F>
  void for_each_other(std::size_t element, F&& f) const {
    if ((states_[element] & has_others) == 0) return;
    for (std::size_t i = 0; i < others_.size(); ++i)
      if ((others_of_[element] >> i & 1U) != 0) f(others_[i]);
    if ((others_of_[element] >> most_others & 1U) != 0) f(mirrored(intervals_[element]));
  }

  // Calls f with each alternative of an element, except those of allow_any_index_below, until f returns true. Returns
  // whether it did. Values may repeat, and may include the golden value.
  template <class F>
  bool any_alternative(std::size_t element, F&& f) const {
    return any_nearest_alternative(element, f) || any_alternative_toward_zero(element, f);
  }
  // The same of those that no rounding toward zero explains, and of the others.
  template <class F>
  bool any_nearest_alternative(std::size_t element, F&& f) const {
    bool found = false;
    if ((states_[element] & has_values) != 0) {
      const std::vector<Scalar>& values = values_.at(element);
      found = std::any_of(values.begin(), values.end(), f);
    }
    if (!found && (states_[element] & has_reader) != 0 && reader_)
      reader_(element, [&](const Scalar& value) { return found = f(value); });
    return found;
  }

  template <class F>
  bool any_alternative_toward_zero(std::size_t element, F&& f) const {
    bool found = false;
    if (const auto values = toward_zero_values_.find(element); values != toward_zero_values_.end())
      found = std::any_of(values->second.begin(), values->second.end(), f);
    if (!found && (states_[element] & has_reader) != 0 && toward_zero_reader_)
      toward_zero_reader_(element, [&](const Scalar& value) { return found = f(value); });
    return found;
  }

  // A copy of those of an element that is one_of or within.
  alternatives alternatives_of(std::size_t element) const {
    alternatives result{{}, any_index_below(element)};
    any_alternative(element, [&](const Scalar& value) {
      if (std::find(result.values.begin(), result.values.end(), value) == result.values.end())
        result.values.push_back(value);
      return false;
    });
    return result;
  }

 private:
  bool is_closed(std::size_t element) const {
    return states_[element] == is_undefined || states_[element] == is_dependent;
  }
  bool add(std::size_t element, std::uint8_t what) {
    if (is_closed(element)) return false;
    states_[element] = static_cast<std::uint8_t>(states_[element] | what);
    return true;
  }

  std::vector<std::uint8_t> states_;
  std::map<std::size_t, std::vector<Scalar>> values_;
  std::map<std::size_t, std::vector<Scalar>> toward_zero_values_;
  std::vector<interval> intervals_;  // of all elements, or empty
  std::vector<basic_interval<double>> double_intervals_;
  std::vector<interval> close_intervals_;  // likewise
  static constexpr std::size_t most_others = 15;
  std::vector<interval> others_;
  std::vector<std::uint16_t> others_of_;  // of all elements, a bit for each of these, and for a mirrored one; or empty
  std::uint8_t refused_by_ = 0;           // the flag of interval_refusal that narrows to them
  std::uint64_t index_end_ = 0;
  alternative_reader reader_;
  alternative_reader toward_zero_reader_;
};

using output_verdicts = basic_output_verdicts<scalar>;

}  // namespace goldml
