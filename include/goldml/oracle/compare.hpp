// Judging what a device wrote: element by element against the golden answer and its verdicts.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/distinct_addresses.hpp>
#include <goldml/core/memory_watch.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// How near two floating-point elements must be; infinities are near to nothing. Integers must be equal, always, as
// integers of their own type.
enum class float_match {
  bits,       // the same bits, but for what nan_match and zero_match grant
  ulp,        // at most `ulp` representable numbers apart
  tolerance,  // |got - expected| <= absolute + relative * |expected|
};
enum class nan_match { any_nan, same_bits };        // is every NaN as good as another?
enum class zero_match { same_sign, either_sign };   // is -0.0 as good as +0.0?
enum class gap_bytes { may_change, must_survive };  // padding and gaps in an output's TotalTensorSizeInBytes

// By default a device may do what Direct3D and DirectML leave it (ledger 7.3, 7.4).
struct compare_options {
  float_match floats = float_match::bits;
  nan_match nans = nan_match::any_nan;
  zero_match zeros = zero_match::same_sign;
  bool fp32_flush = true;     // may FLOAT32 subnormals be flushed where they are compared or computed with?
  bool listing_order = true;  // may the elements that unsorted Axes reduce be numbered in the order of the list?
  std::uint64_t ulp = 0;
  double absolute = 0;
  double relative = 0;
  gap_bytes gaps = gap_bytes::may_change;  // of a watched_output

  // The golden answer to the bit. What the operator itself leaves open stays open.
  static constexpr compare_options strict() {
    return {.nans = nan_match::same_bits, .fp32_flush = false, .listing_order = false};
  }
};

constexpr bool is_granted(deviation d, const compare_options& options) {
  return d == deviation::none || (d == deviation::fp32_flush ? options.fp32_flush : options.listing_order);
}

// One element that is not what it may be.
struct difference {
  coordinate_tuple where;
  std::size_t element;  // its row-major number
};

// One output compared.
struct output_comparison {
  std::string mismatch;  // why nothing could be compared, such as other sizes; empty when all is well
  std::uint64_t compared = 0;
  std::uint64_t ignored = 0;  // undefined elements
  std::uint64_t differing = 0;
  std::vector<difference> first;  // the first ten
  // The output that counts this one's elements differs: nothing is compared, and `first` is the first difference.
  bool miscounted = false;
  memory_changes memory = {};  // of a watched_output: bytes that are no element's
  bool wrote_outside = false;  // some of them must not have changed
};

// Against one answer, output by output. Agreement needs something to have been compared and nothing to differ.
struct comparison {
  std::vector<output_comparison> outputs;

  std::uint64_t compared() const { return sum(&output_comparison::compared); }
  std::uint64_t ignored() const { return sum(&output_comparison::ignored); }
  std::uint64_t differing() const { return sum(&output_comparison::differing); }
  bool mismatched() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return !output.mismatch.empty(); });
  }
  bool wrote_outside() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return output.wrote_outside; });
  }
  bool agrees() const { return !mismatched() && !wrote_outside() && differing() == 0 && compared() > 0; }
  bool nothing_defined() const { return !mismatched() && !wrote_outside() && compared() == 0 && ignored() > 0; }

 private:
  std::uint64_t sum(std::uint64_t output_comparison::*member) const {
    std::uint64_t total = 0;
    for (const output_comparison& output : outputs) total += output.*member;
    return total;
  }
};

// How many representable numbers lie between two; nullopt when either is NaN. -0.0 and +0.0 are no distance apart.
template <element T>
std::optional<std::uint64_t> ulp_distance(T a, T b) {
  static_assert(is_floating_type<T>);
  if (is_nan(a) || is_nan(b)) return std::nullopt;
  const std::int64_t x = order_key(a);
  const std::int64_t y = order_key(b);
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

// Whether `got` will do where `expected` is wanted.
template <element T>
bool matches(T expected, T got, const compare_options& options) {
  if constexpr (!is_floating_type<T>) {
    return expected == got;
  } else {
    using bits = typename goldml::detail::float_bits<T>::type;
    if (std::bit_cast<bits>(expected) == std::bit_cast<bits>(got)) return true;
    if (is_nan(expected) || is_nan(got)) return options.nans == nan_match::any_nan && is_nan(expected) && is_nan(got);
    if (is_zero(expected) && is_zero(got)) return options.zeros == zero_match::either_sign;
    constexpr bits infinity = goldml::detail::float_bits<T>::infinity;
    if (goldml::detail::magnitude_bits(expected) == infinity || goldml::detail::magnitude_bits(got) == infinity)
      return false;  // the same infinity has the same bits
    if (options.floats == float_match::ulp) return *ulp_distance(expected, got) <= options.ulp;
    if (options.floats == float_match::tolerance) {
      const auto wanted = static_cast<double>(expected);
      const auto actual = static_cast<double>(got);
      return std::abs(actual - wanted) <= options.absolute + options.relative * std::abs(wanted);
    }
    return false;
  }
}

// The same for an element under its verdict: the golden value, or what the verdict allows beside it.
template <element T>
bool is_allowed(const golden_output& golden, std::size_t element, T expected, T got, const compare_options& options) {
  const verdict v = golden.verdicts[element];
  if (v == verdict::undefined || matches(expected, got, options)) return true;
  if (v == verdict::one_of) {
    if constexpr (std::is_integral_v<T>)
      if (got >= 0 && static_cast<std::uint64_t>(got) < golden.verdicts.any_index_below(element)) return true;
    if (golden.verdicts.any_alternative(element,
                                        [&](const scalar& other) { return matches(other.as<T>(), got, options); }))
      return true;
  }
  if (!golden.flushed || !options.fp32_flush) return false;
  const auto flushed = golden.flushed->ref().template as<T>();
  return matches(flushed[coordinate_at(flushed.sizes(), element)], got, options);
}

// Why nothing of an output can be compared; empty when it can.
inline std::string mismatch_text(const tensor_desc& wanted, const const_tensor_ref& actual) {
  if (!actual.present() || actual.data() == nullptr) return "there is no output";
  const tensor_desc& desc = actual.desc();
  if (desc.data_type != wanted.data_type || desc.sizes != wanted.sizes)
    return fmt::format("it is {} {}, wanted {} {}", name_of(desc.data_type), desc.sizes, name_of(wanted.data_type),
                       wanted.sizes);
  const dimensions strides = effective_strides(desc);
  if (strides.size() != desc.sizes.size() || strides.overlong() || last_index(desc.sizes, strides) >= most_elements ||
      addresses_shared(desc.sizes, strides) != address_sharing::distinct)  // as T4, T6 and T9 ask of an output
    return fmt::format("its strides are {}, wanted an address of its own for each element of {}", strides, desc.sizes);
  const std::uint64_t needed = addressed_size_in_bytes(desc.data_type, desc.sizes, strides);
  if (actual.memory().size_in_bytes < needed)
    return fmt::format("it holds {} bytes, wanted {}", actual.memory().size_in_bytes, needed);
  return "";
}

inline output_comparison compare_output(const golden_output& golden, const const_tensor_ref& actual,
                                        const compare_options& options) {
  constexpr std::size_t most_listed = 10;
  output_comparison result;
  const tensor_desc& wanted = golden.values.desc();
  result.mismatch = mismatch_text(wanted, actual);
  if (!result.mismatch.empty()) return result;
  visit_data_type(all_types{}, wanted.data_type, [&]<class T>(std::type_identity<T>) {
    const auto expected = golden.values.ref().as<T>();
    const auto got = actual.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(wanted.sizes)) {
      if (golden.verdicts[element] == verdict::undefined) {
        ++result.ignored;
      } else {
        ++result.compared;
        if (!is_allowed(golden, element, expected[c], got[c], options)) {
          ++result.differing;
          if (result.first.size() < most_listed) result.first.push_back({c, element});
        }
      }
      ++element;
    }
  });
  return result;
}

enum class outcome {
  agrees,
  flagged,          // an answer that is tolerated and flagged: deviation::listing_order
  nothing_defined,  // no element is defined: tolerated, and nothing was compared
  differs,          // or cannot be compared
};

struct judgement {
  comparison result;
  std::size_t answer = 0;  // index in golden::answers
  deviation from_golden = deviation::none;

  goldml::oracle::outcome outcome() const {
    if (result.agrees())
      return from_golden == deviation::listing_order ? oracle::outcome::flagged : oracle::outcome::agrees;
    return result.nothing_defined() ? oracle::outcome::nothing_defined : oracle::outcome::differs;
  }
  // Whether the device is right, as far as anything is defined.
  bool tolerated() const { return outcome() != oracle::outcome::differs; }
};

namespace detail {

inline comparison compare_answer(const golden_outputs& outputs, std::span<const const_tensor_ref> actual,
                                 const compare_options& options) {
  comparison result;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    result.outputs.push_back(compare_output(outputs[i], i < actual.size() ? actual[i] : const_tensor_ref(), options));
  // Elements behind a wrong count have other places: one difference, not as many as there are elements.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    output_comparison& output = result.outputs[i];
    if (!outputs[i].counted_by || result.outputs[*outputs[i].counted_by].differing == 0 || !output.mismatch.empty())
      continue;
    output.miscounted = true;
    output.ignored += std::exchange(output.compared, 0);
    output.differing = 0;
    if (output.first.size() > 1) output.first.resize(1);
  }
  if (actual.size() > outputs.size()) {
    result.outputs.emplace_back();
    result.outputs.back().mismatch = fmt::format("{} outputs were given, wanted {}", actual.size(), outputs.size());
  }
  return result;
}

// Agreement is better than nothing to compare, that is better than differences, the fewer the better, and a wrong count
// is worst.
inline bool is_better(const comparison& a, const comparison& b) {
  const auto rank = [](const comparison& c) {
    const bool miscounted =
        std::any_of(c.outputs.begin(), c.outputs.end(), [](const auto& output) { return output.miscounted; });
    return c.agrees() ? 0 : c.nothing_defined() ? 1 : miscounted ? 3 : 2;
  };
  return std::pair(rank(a), a.differing()) < std::pair(rank(b), b.differing());
}

}  // namespace detail

// Judges the outputs of one call, in the order of the C structure, against each answer that is right as a whole and
// granted, and returns the comparison with the first one that they agree with, else with the nearest.
inline judgement compare(const golden& expected, std::span<const const_tensor_ref> actual,
                         const compare_options& options = {}) {
  std::optional<judgement> best;
  for (std::size_t answer = 0; answer < expected.answers.size(); ++answer) {
    const golden_outputs& outputs = expected.answers[answer];
    if (!is_granted(deviation_of(outputs), options)) continue;
    comparison result = detail::compare_answer(outputs, actual, options);
    if (!best || detail::is_better(result, best->result))
      best = judgement{std::move(result), answer, deviation_of(outputs)};
  }
  if (!best) return {};  // no answer, nothing compared: no agreement
  return *best;
}

}  // namespace goldml::oracle
