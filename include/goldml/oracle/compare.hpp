// Compares the output of a device with the golden answer and its verdicts, element by element.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/distinct_addresses.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/memory_watch.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/oracle/compare_options.hpp>
#include <goldml/oracle/comparison.hpp>
#include <goldml/oracle/fit/result.hpp>
#include <goldml/oracle/matches.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// Why an output cannot be compared; empty if it can.
inline std::string mismatch_text(const tensor_desc& wanted, const const_tensor_ref& actual) {
  if (!actual.present() || actual.data() == nullptr) return "there is no output";
  const tensor_desc& desc = actual.desc();
  if (desc.data_type != wanted.data_type || desc.sizes != wanted.sizes)
    return fmt::format("it is {} {}, wanted {} {}", name_of(desc.data_type), desc.sizes, name_of(wanted.data_type),
                       wanted.sizes);
  const dimensions strides = effective_strides(desc);
  if (strides.size() != desc.sizes.size() || strides.overlong() || last_index(desc.sizes, strides) >= most_elements ||
      addresses_shared(desc.sizes, strides) != address_sharing::distinct)  // T4, T6 and T9 for outputs
    return fmt::format("its strides are {}, wanted an address of its own for each element of {}", strides, desc.sizes);
  const std::uint64_t needed = addressed_size_in_bytes(desc.data_type, desc.sizes, strides);
  if (actual.memory().size_in_bytes < needed)
    return fmt::format("it holds {} bytes, wanted {}", actual.memory().size_in_bytes, needed);
  return "";
}

namespace detail {

// Tells the elements of an output that are hardly tested.
template <class T>
class range_of_answers {
 public:
  range_of_answers(const golden_output& golden, const compare_options& options)
      : golden_(golden),
        refused_(options.refused()),
        flushes_(options.fp32_flush),
        values_(golden.values.ref().template as<T>()) {}

  const auto* interval_of(std::size_t element) const {
    return golden_.verdicts.template interval_of<interval_number<T>>(element, refused_);
  }
  bool hardly_tests(std::size_t element, T expected) {
    if (flushes_ && golden_.is_open_to_flushing(element)) return true;
    if (const auto* allowed = interval_of(element))
      return static_cast<double>(allowed->high) - static_cast<double>(allowed->low) > limit(element, expected);
    return false;
  }

 private:
  double limit(std::size_t element, T expected) {
    const answer_range& range = golden_.verdicts.range;
    if (range.width > 0) return range.width / 4;
    if (range.row == 0) return std::abs(static_cast<double>(expected));
    const std::size_t row = element / range.row;
    if (row != row_) {
      row_ = row;
      greatest_ = 0;
      for (std::size_t i = row * range.row; i < (row + 1) * range.row; ++i) {
        const double x = std::abs(static_cast<double>(values_[coordinate_at(values_.sizes(), i)]));
        if (x > greatest_) greatest_ = x;
      }
    }
    return greatest_ / 4;
  }

  const golden_output& golden_;
  std::uint8_t refused_;
  bool flushes_;
  tensor_view<const T> values_;
  std::size_t row_ = static_cast<std::size_t>(-1);
  double greatest_ = 0;
};

// Calls f(coordinate in the output, number in the golden answer) for each element that a golden output has.
template <class F>
void for_each_judged(const golden_output& golden, F f) {
  const dimensions& sizes = golden.whole().sizes;
  std::size_t element = 0;
  if (golden.sample)
    for (const std::uint64_t number : golden.sample->numbers) f(coordinate_at(sizes, number), element++);
  else
    for (const coordinate_tuple& c : coordinates_of(sizes)) f(c, element++);
}

// Calls f(number in the golden answer, golden value, that of the device, coordinate) for the same elements. Where both
// tensors are packed the coordinate is null, as the number tells it.
template <class T, class F>
void for_each_compared(const golden_output& golden, const const_tensor_ref& actual, F f) {
  const auto expected = golden.values.ref().template as<T>();
  const auto got = actual.as<T>();
  const auto is_packed = [](const auto& view) { return view.strides() == packed_strides(view.sizes()); };
  if (golden.sample || !is_packed(expected) || !is_packed(got))
    return for_each_judged(golden, [&](const coordinate_tuple& c, std::size_t element) {
      f(element, expected[golden.coordinate_of(c, element)], got[c], &c);
    });
  for (std::size_t element = 0; element < golden.verdicts.size(); ++element)
    f(element, expected.data()[element], got.data()[element], static_cast<const coordinate_tuple*>(nullptr));
}

// Whether a number is in the usual part of the element's own interval, so that place_of() is usual under all options:
// a finite number has not overflowed, and what else an option or an alternative has to say is not asked.
template <class Number, class T>
bool is_plainly_usual(const basic_interval<Number>* own, T got) {
  if (own == nullptr) return false;
  if constexpr (is_floating_type<T>)
    if (goldml::detail::magnitude_bits(got) >= goldml::detail::float_bits<T>::infinity) return false;
  return place_in(*own, got) == interval_place::usual;
}

}  // namespace detail

inline output_comparison compare_output(const golden_output& golden, const const_tensor_ref& actual,
                                        const compare_options& options) {
  constexpr std::size_t most_listed = 10;
  output_comparison result;
  if (golden.values.omitted()) {
    if (actual.present()) result.mismatch = "it is omitted in the case, and was given";
    return result;
  }
  const tensor_desc& wanted = golden.whole();
  result.mismatch = mismatch_text(wanted, actual);
  if (!result.mismatch.empty()) return result;
  const readable_tensor readable(actual);
  visit_data_type(all_types{}, golden.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
    detail::range_of_answers<T> range(golden, options);
    const auto count = [&](std::size_t element, T expected, T got, const coordinate_tuple* c) {
      if (golden.verdicts[element] == verdict::undefined) {
        ++result.ignored;
      } else if (golden.verdicts[element] == verdict::depends) {
        ++result.depending;
      } else {
        ++result.compared;
        if (range.hardly_tests(element, expected)) ++result.hardly_tested;
        if (detail::is_plainly_usual(range.interval_of(element), got)) return;
        const interval_place place = place_of<T>(golden, element, expected, got, options);
        if (place == interval_place::suspicious) ++result.suspicious;
        if (place == interval_place::toward_zero) ++result.toward_zero;
        if (place == interval_place::overflowed) ++result.overflowed;
        if (place == interval_place::outside) {
          ++result.differing;
          if (result.first.size() < most_listed)
            result.first.push_back({c != nullptr ? *c : coordinate_at(wanted.sizes, element), element});
        }
      }
    };
    detail::for_each_compared<T>(golden, readable.ref(), count);
  });
  return result;
}

enum class outcome {
  agrees,
  flagged,          // agrees with an alternative that is tolerated and flagged: deviation::listing_order
  nothing_defined,  // no element is defined, so nothing was compared
  depends,          // nothing differs, and elements depend on what is not known of an intermediate (oracle/chain.hpp)
  differs,          // or cannot be compared
};

struct judgement {
  comparison result;
  std::size_t answer = 0;  // index in golden::answers
  deviation from_golden = deviation::none;
  std::shared_ptr<const golden_outputs> given = {};  // the answer, if its verdicts followed from the device's
  std::vector<fit_result> fits = {};                 // of each output, if judge() measured them

  goldml::oracle::outcome outcome() const {
    if (result.agrees())
      return from_golden == deviation::listing_order ? oracle::outcome::flagged : oracle::outcome::agrees;
    return result.depends()           ? oracle::outcome::depends
           : result.nothing_defined() ? oracle::outcome::nothing_defined
                                      : oracle::outcome::differs;
  }
  // Whether no element is wrong.
  bool tolerated() const { return outcome() != oracle::outcome::differs; }
};

// The answer with the verdicts by which a device was judged.
inline const golden_outputs& judged_outputs(const golden& expected, const judgement& judged) {
  return judged.given ? *judged.given : expected.answers[judged.answer];
}

namespace detail {

// golden_outputs::given for what a device answered, or null.
inline std::shared_ptr<const golden_outputs> given_outputs(const golden_outputs& outputs,
                                                           std::span<const const_tensor_ref> actual) {
  if (!outputs.given) return nullptr;
  std::vector<const_tensor_ref> comparable(outputs.size());
  for (std::size_t i = 0; i < outputs.size() && i < actual.size(); ++i)
    if (!outputs[i].values.omitted() && mismatch_text(outputs[i].whole(), actual[i]).empty()) comparable[i] = actual[i];
  return outputs.given(outputs, comparable);
}

inline comparison compare_answer(const golden_outputs& outputs, std::span<const const_tensor_ref> actual,
                                 const compare_options& options) {
  comparison result;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    result.outputs.push_back(compare_output(outputs[i], i < actual.size() ? actual[i] : const_tensor_ref(), options));
  // If the count is wrong, rows are at other positions: this is one difference, not one per element.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    output_comparison& output = result.outputs[i];
    if (!outputs[i].counted_by || result.outputs[*outputs[i].counted_by].differing == 0 || !output.mismatch.empty())
      continue;
    output.miscounted = true;
    output.ignored += std::exchange(output.compared, 0) + std::exchange(output.depending, 0);
    output.differing = 0;
    if (output.first.size() > 1) output.first.resize(1);
  }
  if (actual.size() > outputs.size()) {
    result.outputs.emplace_back();
    result.outputs.back().mismatch = fmt::format("{} outputs were given, wanted {}", actual.size(), outputs.size());
  }
  return result;
}

// Orders comparisons from best to worst: agreement, dependent elements, nothing to compare, differences (fewer are
// better), a wrong count.
inline bool is_better(const comparison& a, const comparison& b) {
  const auto rank = [](const comparison& c) {
    const bool miscounted =
        std::any_of(c.outputs.begin(), c.outputs.end(), [](const auto& output) { return output.miscounted; });
    return c.agrees() ? 0 : c.depends() ? 1 : c.nothing_defined() ? 2 : miscounted ? 4 : 3;
  };
  return std::pair(rank(a), a.differing()) < std::pair(rank(b), b.differing());
}

}  // namespace detail

// Compares the outputs of one call, in the order of the C structure, with each answer that the options accept. Returns
// the comparison with the first answer that agrees, otherwise with the nearest one.
inline judgement compare(const golden& expected, std::span<const const_tensor_ref> actual,
                         const compare_options& options = {}) {
  std::optional<judgement> best;
  for (std::size_t answer = 0; answer < expected.answers.size(); ++answer) {
    const golden_outputs& outputs = expected.answers[answer];
    if (!is_granted(deviation_of(outputs), options)) continue;
    std::shared_ptr<const golden_outputs> given = detail::given_outputs(outputs, actual);
    comparison result = detail::compare_answer(given ? *given : outputs, actual, options);
    if (!best || detail::is_better(result, best->result))
      best = judgement{std::move(result), answer, deviation_of(outputs), std::move(given)};
  }
  if (!best) return {};  // no answer: nothing was compared, so there is no agreement
  return *best;
}

}  // namespace goldml::oracle
