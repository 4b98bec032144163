// Chains of calls, whose inputs are results of earlier calls: a correct device may hold another number in such an
// intermediate than the golden one, and has to be judged by what it makes of its own.
//
// If the device's own intermediate is at hand, it is an input of expect() like any other. If it is not,
// legal_values_of() says what a correct device may hold there, and expect_in_chain() what it may then answer. An
// element for which that is not known has the verdict `depends`: comparing it is neither an agreement nor a difference.
//
//   const auto quotient = oracle::expect(divide, inputs, descs);
//   const auto rounded = oracle::expect_in_chain(ceil, std::array{oracle::legal_values_of(quotient)}, descs);
//   const auto judged = oracle::judge(rounded, actual);
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/oracle/chained_inputs.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/expect_sample.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/golden_calls.hpp>
#include <goldml/oracle/legal_values.hpp>
#include <goldml/oracle/uncertain_parts.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

namespace detail {

// Such a call, and what it answers.
class chained_call : private chained_inputs {
 public:
  using chained_inputs::as_exact;
  using chained_inputs::chained_inputs;
  using chained_inputs::is_exact;

  // The golden answer, with the verdicts of a device whose inputs are as they are known.
  golden carried(std::size_t most_calls) {
    golden base = as_exact();
    std::vector<output_range> ranges;
    for (const golden_output& output : base.answers.front()) ranges.emplace_back(output.values);
    const bool moves = find_rule();
    std::vector<std::vector<point>> runs;
    if (has(carries::by_parts)) {
      if (base.answers.size() == 1 && most_calls > 2) return with_readers(std::move(base));
    } else if (moves || how_ != 0) {
      runs = points(moves);
    }
    const bool marked = moves && any(certainty::unknown);
    if (runs.empty() || runs.size() + (marked ? 3 : 1) > most_calls) {
      for (output_range& range : ranges) range.states.assign(range.states.size(), certainty::unknown);
    } else {
      add(base, ranges);
      for (const std::vector<point>& run : runs) add(expect_at(run), ranges);
      if (marked)
        add_marks(ranges);
      else
        add_unknown(ranges);
    }
    return with_verdicts(std::move(base), ranges, moves);
  }

 private:
  // What the calls that have been computed answered in an output.
  struct output_range {
    host_tensor low, high;
    std::vector<certainty> states;
    std::vector<double> beyond;  // how far numbers were allowed beyond the golden one, at most
    bool empty = true;

    explicit output_range(const host_tensor& golden)
        : low(golden),
          high(golden),
          states(golden.omitted() ? 0 : static_cast<std::size_t>(element_count(golden.desc().sizes))),
          beyond(states.size()) {}
  };

  // Adds what a call answers to the ranges.
  void add(const golden& run, std::vector<output_range>& ranges) const {
    for (std::size_t output = 0; output < ranges.size(); ++output) {
      output_range& range = ranges[output];
      if (range.low.omitted()) continue;
      with_type_of(range.low.desc(), [&]<class T>(std::type_identity<T>) {
        const auto golden = run.answers.front()[output].values.ref().template as<T>();
        const auto low = range.low.ref().as<T>();
        const auto high = range.high.ref().as<T>();
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
          const auto added = range_of<T>(run, output, element, options_);
          value_range<T> all{range.empty, range.states[element], low[c], high[c]};
          all.add(added);
          low[c] = all.low;
          high[c] = all.high;
          range.states[element] = all.state;
          if constexpr (is_floating_type<T>)
            if (added.state == certainty::between)
              for (const double by : {static_cast<double>(added.high) - static_cast<double>(golden[c]),
                                      static_cast<double>(golden[c]) - static_cast<double>(added.low)})
                if (std::isfinite(by)) range.beyond[element] = (std::max)(range.beyond[element], by);
          ++element;
        }
      });
      range.empty = false;
    }
  }

  // What moved elements of which nothing is known: those that change if all these elements change.
  void add_marks(std::vector<output_range>& ranges) const {
    std::vector<golden> marks;
    for (const point p : {point::mark_zero, point::mark_one}) {
      std::vector<point> run;
      for (std::size_t i = 0; i < inputs_.size(); ++i) run.push_back(is_exact(i) ? point::golden : p);
      marks.push_back(expect_at(run));
    }
    for (std::size_t output = 0; output < ranges.size(); ++output)
      if (!ranges[output].low.omitted())
        with_type_of(ranges[output].low.desc(), [&]<class T>(std::type_identity<T>) {
          for (std::size_t element = 0; element < ranges[output].states.size(); ++element)
            if (!(range_of<T>(marks[0], output, element, options_) == range_of<T>(marks[1], output, element, options_)))
              ranges[output].states[element] = certainty::unknown;
        });
  }

  // Elements that read what is not exact depend on it; the others are as before.
  golden with_readers(golden base) const {
    std::vector<std::optional<tensor_desc>> tensors;
    std::vector<uncertain_elements> uncertain;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      tensors.push_back(refs_[i].present() ? std::optional(refs_[i].desc()) : std::nullopt);
      uncertain.emplace_back(refs_[i].present() ? refs_[i].desc().sizes : dimensions(), states_[i]);
    }
    sample_numbers numbers;
    for (const tensor_desc& output : outputs_) {
      tensors.push_back(output.sizes.empty() ? std::nullopt : std::optional(output));
      numbers.emplace_back(output.sizes.empty() ? 0 : static_cast<std::size_t>(element_count(output.sizes)));
      std::iota(numbers.back().begin(), numbers.back().end(), std::uint64_t{0});
    }
    bool depends = false;
    for_each_element_call(calls_, desc_, tensors, inputs_.size(), numbers,
                          [&](const element_call& call, bool is_new, std::size_t output, std::size_t element) {
                            if (is_new) {
                              depends = false;
                              for (std::size_t i = 0; i < uncertain.size(); ++i)
                                depends = depends || (call.parts[i] && uncertain[i].are_in(*call.parts[i]));
                            }
                            if (depends) base.answers.front()[output].verdicts.make_dependent(element);
                          });
    return base;
  }

  // What element-wise operators make of elements of which nothing is known; and the outputs that a sort leaves open.
  void add_unknown(std::vector<output_range>& ranges) const {
    if (has(carries::sorts)) {
      for (std::size_t output = 1; output < ranges.size(); ++output)
        ranges[output].states.assign(ranges[output].states.size(), certainty::unknown);
      return;
    }
    for (const std::vector<certainty>& states : states_)
      for (std::size_t element = 0; element < states.size(); ++element)
        if (states[element] == certainty::unknown) ranges[0].states.at(element) = certainty::unknown;
  }

  // Whether a moved element is undefined, whatever the inputs have, or an element-wise one whose inputs are exact.
  bool remains_undefined(bool moves, std::size_t element) const {
    return moves || (has(carries::by_ends) &&
                     std::all_of(states_.begin(), states_.end(), [&](const std::vector<certainty>& states) {
                       return states.empty() || states[element] == certainty::exact ||
                              states[element] == certainty::any_nan;
                     }));
  }

  golden with_verdicts(golden base, const std::vector<output_range>& ranges, bool moves) const {
    base.answers.resize(1);
    base.answers.front().given = nullptr;  // it would judge by the golden inputs
    for (std::size_t output = 0; output < ranges.size(); ++output) {
      golden_output& answer = base.answers.front()[output];
      const output_range& range = ranges[output];
      answer.flushed = nullptr;
      answer.flushed_verdicts = nullptr;
      const output_verdicts of_golden = std::exchange(answer.verdicts, output_verdicts(range.states.size()));
      answer.verdicts.range = of_golden.range;
      if (range.low.omitted()) continue;
      with_type_of(range.low.desc(), [&]<class T>(std::type_identity<T>) {
        const auto low = range.low.ref().as<T>();
        const auto high = range.high.ref().as<T>();
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(low.sizes())) {
          if (range.states[element] == certainty::unknown && of_golden[element] == verdict::undefined &&
              remains_undefined(moves, element))
            answer.verdicts.make_undefined(element);
          else if (range.states[element] == certainty::unknown)
            answer.verdicts.make_dependent(element);
          else if (range.states[element] == certainty::between)
            allow<T>(low[c], high[c], range.beyond[element], element, answer.verdicts);
          ++element;
        }
      });
    }
    return base;
  }

  // Allows the numbers of a range. A bound of rounding errors changes less than the result: at a point between those
  // that were computed it is less than twice the greatest of theirs, `beyond`.
  template <class T>
  void allow(T low, T high, double beyond, std::size_t element, output_verdicts& verdicts) const {
    if constexpr (is_floating_type<T>) {
      using number = interval_number<T>;
      if (beyond > 0) {
        low = stepped(rounded_to<T>(static_cast<double>(low) - 2 * beyond), false, 1);
        high = stepped(rounded_to<T>(static_cast<double>(high) + 2 * beyond), true, 1);
      }
      const auto least = static_cast<number>(low);
      const auto most = static_cast<number>(high);
      const std::uint8_t also = has(carries::integral) ? interval_also::integers : std::uint8_t{0};
      verdicts.allow_interval(element, basic_interval<number>{least, most, least, most, also});
    } else {
      constexpr std::uint64_t most_values = 256;
      const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
      if (width >= most_values) return verdicts.make_dependent(element);
      for (std::uint64_t i = 0; i <= width; ++i)
        verdicts.allow(element, scalar(static_cast<T>(static_cast<std::uint64_t>(low) + i)));
    }
  }
  template <class T>
  static T rounded_to(double x) {
    if constexpr (std::is_same_v<T, double>)
      return x;
    else
      return rounded<T>(x);
  }
};

inline golden expect_in_chain(const golden_calls& calls, const void* desc, std::span<const legal_values> inputs,
                              std::span<const tensor_desc> outputs, const compare_options& options,
                              std::size_t most_calls, std::span<const const_tensor_ref> initial) {
  chained_call call(calls, desc, inputs, outputs, options, initial);
  return call.is_exact() ? call.as_exact() : call.carried(most_calls);
}

}  // namespace detail

// Like expect(), of inputs of which it is known what a correct device may hold in them. Operators that move elements,
// comparisons, logic, element-wise operators, activations, CAST and the values of TOP_K carry it to their outputs: the
// call is computed at the ends of the inputs' ranges, at most `most_calls` times. Elements that another operator
// computes from one that is not exact `depend`; where it is not known what an operator's elements are computed from, as
// of RNN and UPSAMPLE_2D, all do. So do those of which nothing is known, and all where more calls would be needed.
// `options` are those of the comparison that follows, and `initial` is that of expect(): exact.
template <described Desc>
golden expect_in_chain(const Desc& desc, std::span<const legal_values> inputs, std::span<const tensor_desc> outputs,
                       const compare_options& options = {},
                       std::size_t most_calls = (std::numeric_limits<std::size_t>::max)(),
                       std::span<const const_tensor_ref> initial = {}) {
  return detail::expect_in_chain(detail::golden_calls_of<Desc>(), &desc, inputs, outputs, options, most_calls, initial);
}
// The same of an operator of the list.
template <class Operators = all_operators>
golden expect_in_chain(const any_desc& desc, std::span<const legal_values> inputs, std::span<const tensor_desc> outputs,
                       const compare_options& options = {},
                       std::size_t most_calls = (std::numeric_limits<std::size_t>::max)(),
                       std::span<const const_tensor_ref> initial = {}) {
  return detail::expect_in_chain(*any_operator_of<Operators>(desc.description()).golden, desc.get(), inputs, outputs,
                                 options, most_calls, initial);
}

}  // namespace goldml::oracle
