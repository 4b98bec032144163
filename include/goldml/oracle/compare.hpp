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
#include <goldml/core/tensor_rules.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// How floating-point elements are compared. An infinity is equal only to itself. Integers must always be equal, as
// values of their own type.
enum class float_match {
  bits,       // the same bits, except for nan_match and zero_match
  ulp,        // at most `ulp` representable numbers apart
  tolerance,  // |got - expected| <= absolute + relative * |expected|
};
enum class nan_match { any_nan, same_bits };       // whether any NaN matches any other NaN
enum class zero_match { same_sign, either_sign };  // whether -0.0 matches +0.0
// Quotients and roots that use an approximate reciprocal (Direct3D's `rcp` and `rsq`, 2^-21 off) instead of a division
// or root of Direct3D: accepted and counted as suspicious, or refused (ledger AR-R8).
enum class reciprocal_errors { accept, refuse };
// Functions whose accuracy no specification states: what the tolerance of Direct3D's conformance tests permits is
// accepted, and what known hardware does not need counted as suspicious; or that is refused (ledger AR-R10).
enum class function_errors { conformance, close };
enum class gap_bytes { may_change, must_survive };  // padding and gaps in an output's TotalTensorSizeInBytes

// By default everything is accepted that Direct3D and DirectML leave open (ledger 7.3, 7.4, AR-R7).
struct compare_options {
  float_match floats = float_match::bits;
  nan_match nans = nan_match::any_nan;
  zero_match zeros = zero_match::same_sign;
  bool fp32_flush = true;     // FLOAT32 subnormals may be flushed if they are compared or computed with
  bool listing_order = true;  // elements that unsorted Axes reduce may be numbered in the order of the list
  std::uint64_t ulp = 0;
  double absolute = 0;
  double relative = 0;
  bool narrow_toward_zero = true;  // FLOAT32 results of arithmetic may be narrowed to FLOAT16 toward zero
  reciprocal_errors reciprocals = reciprocal_errors::accept;
  function_errors functions = function_errors::conformance;
  bool stable = false;  // no intermediate result may overflow where the golden value is finite (ledger RE-R2)
  gap_bytes gaps = gap_bytes::may_change;  // of a watched_output

  // Only the bits of the golden answer. What the operator itself leaves open remains open.
  static constexpr compare_options strict() {
    return {.nans = nan_match::same_bits, .fp32_flush = false, .listing_order = false, .stable = true};
  }

  // Flags of interval_refusal.
  constexpr std::uint8_t refused() const {
    return static_cast<std::uint8_t>((reciprocals == reciprocal_errors::refuse ? interval_refusal::reciprocals : 0) |
                                     (functions == function_errors::close ? interval_refusal::functions : 0));
  }
};

constexpr bool is_granted(deviation d, const compare_options& options) {
  return d == deviation::none || (d == deviation::fp32_flush ? options.fp32_flush : options.listing_order);
}

// One element with a wrong value.
struct difference {
  coordinate_tuple where;
  std::size_t element;  // its number among those that are judged: if all are, in row-major order
};

// One output compared.
struct output_comparison {
  std::string mismatch;  // why the output could not be compared, such as wrong sizes; empty if it could
  std::uint64_t compared = 0;
  std::uint64_t ignored = 0;    // undefined elements
  std::uint64_t depending = 0;  // elements that depend on an intermediate that was not given: not compared
  std::uint64_t differing = 0;
  std::uint64_t suspicious = 0;     // accepted, but farther from the golden value than is usual
  std::uint64_t toward_zero = 0;    // accepted only because FLOAT16 may be rounded toward zero
  std::uint64_t overflowed = 0;     // infinities and NaNs, accepted only because an intermediate result may overflow
  std::uint64_t hardly_tested = 0;  // compared, but nearly anything would be accepted: answer_range
  std::vector<difference> first;    // the first ten
  // The output that counts this one's rows differs. Then nothing is compared, and `first` has the first difference.
  bool miscounted = false;
  memory_changes memory = {};  // of a watched_output: changed bytes outside elements
  bool wrote_outside = false;  // a byte changed that must not
};

// The comparison with one answer, output by output. They agree if something was compared and nothing differs.
struct comparison {
  std::vector<output_comparison> outputs;

  std::uint64_t compared() const { return sum(&output_comparison::compared); }
  std::uint64_t ignored() const { return sum(&output_comparison::ignored); }
  std::uint64_t depending() const { return sum(&output_comparison::depending); }
  std::uint64_t differing() const { return sum(&output_comparison::differing); }
  std::uint64_t suspicious() const { return sum(&output_comparison::suspicious); }
  std::uint64_t toward_zero() const { return sum(&output_comparison::toward_zero); }
  std::uint64_t overflowed() const { return sum(&output_comparison::overflowed); }
  std::uint64_t hardly_tested() const { return sum(&output_comparison::hardly_tested); }
  bool mismatched() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return !output.mismatch.empty(); });
  }
  bool wrote_outside() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return output.wrote_outside; });
  }
  bool agrees() const { return !differs() && depending() == 0 && compared() > 0; }
  bool depends() const { return !differs() && depending() > 0; }
  bool nothing_defined() const { return !differs() && depending() == 0 && compared() == 0 && ignored() > 0; }

 private:
  bool differs() const { return mismatched() || wrote_outside() || differing() > 0; }
  std::uint64_t sum(std::uint64_t output_comparison::*member) const {
    std::uint64_t total = 0;
    for (const output_comparison& output : outputs) total += output.*member;
    return total;
  }
};

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
  if constexpr (is_floating_type<T>)
    if (const auto* allowed = golden.verdicts.template interval_of<interval_number<T>>(element, options.refused()))
      overflowed = is_overflow(*allowed, expected, got);
  if (overflowed && !options.stable) best = interval_place::overflowed;
  // Whether the value is what these verdicts allow, as usual.
  const auto has = [&](const output_verdicts& verdicts) {
    if constexpr (is_floating_type<T>)
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
  if (golden.flushed) {
    const auto flushed = golden.flushed->ref().template as<T>();
    if (matches(flushed[coordinate_at(flushed.sizes(), element)], got, options)) return interval_place::usual;
  }
  return golden.flushed_verdicts && has(*golden.flushed_verdicts) ? interval_place::usual : best;
}

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
      : golden_(golden), refused_(options.refused()), values_(golden.values.ref().template as<T>()) {}

  bool hardly_tests(std::size_t element, T expected) {
    if constexpr (is_floating_type<T>)
      if (const auto* allowed = golden_.verdicts.template interval_of<interval_number<T>>(element, refused_))
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
  visit_data_type(all_types{}, wanted.data_type, [&]<class T>(std::type_identity<T>) {
    const auto expected = golden.values.ref().as<T>();
    const auto got = actual.as<T>();
    detail::range_of_answers<T> range(golden, options);
    detail::for_each_judged(golden, [&](const coordinate_tuple& c, std::size_t element) {
      if (golden.verdicts[element] == verdict::undefined) {
        ++result.ignored;
      } else if (golden.verdicts[element] == verdict::depends) {
        ++result.depending;
      } else {
        ++result.compared;
        const T wanted_value = expected[golden.coordinate_of(c, element)];
        const interval_place place = place_of<T>(golden, element, wanted_value, got[c], options);
        if (place == interval_place::suspicious) ++result.suspicious;
        if (place == interval_place::toward_zero) ++result.toward_zero;
        if (place == interval_place::overflowed) ++result.overflowed;
        if (range.hardly_tests(element, wanted_value)) ++result.hardly_tested;
        if (place == interval_place::outside) {
          ++result.differing;
          if (result.first.size() < most_listed) result.first.push_back({c, element});
        }
      }
    });
  });
  return result;
}

enum class outcome {
  agrees,
  flagged,          // agrees with an alternative that is tolerated and flagged: deviation::listing_order
  nothing_defined,  // no element is defined, so nothing was compared
  depends,          // nothing differs, and elements depend on an intermediate that was not given (oracle/chain.hpp)
  differs,          // or cannot be compared
};

struct judgement {
  comparison result;
  std::size_t answer = 0;  // index in golden::answers
  deviation from_golden = deviation::none;
  std::shared_ptr<const golden_outputs> given = {};  // the answer, if its verdicts followed from the device's

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
    if (!outputs[i].values.omitted() && mismatch_text(outputs[i].values.desc(), actual[i]).empty())
      comparable[i] = actual[i];
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
