// Judging an answer in one call, for any test framework: judge(test, actual) converts to bool and holds the report.
// oracle/catch2.hpp, oracle/doctest.hpp and oracle/googletest.hpp have what these frameworks expect instead.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/actuals.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/smallest_failure.hpp>

namespace goldml::oracle {

// What judge() returns. True unless something differs: an answer of which no element is defined, or that is tolerated
// and flagged, is not wrong. outcome() tells them apart.
struct judged_answer {
  judgement judged;
  std::string report;

  oracle::outcome outcome() const { return judged.outcome(); }
  // The fit of an output; without a statement if its elements are no sums, or the inputs are not known.
  fit_result fit(std::size_t output = 0) const {
    return output < judged.fits.size() ? judged.fits[output] : fit_result();
  }
  explicit operator bool() const { return judged.tolerated(); }
};

// Prints the report, to any kind of stream.
template <class Stream>
auto operator<<(Stream& stream, const judged_answer& answer) -> decltype(stream << answer.report) {
  return stream << answer.report;
}

namespace detail {

template <class Actual>
judged_answer judge_named(const golden& expected, const Actual& actual, const compare_options& options,
                          const judged_names& names, std::string_view case_line) {
  const std::vector<const_tensor_ref> outputs = to_actuals(actual);
  judged_answer result{compare(expected, std::span<const const_tensor_ref>(outputs), options), ""};
  judge_memory(result.judged, changes_of(actual), options);
  judge_fits(result.judged, expected, outputs, options, names);
  result.report = report(expected, outputs, result.judged, options, names, std::string(case_line));
  return result;
}

}  // namespace detail

// Judges the outputs of a device. `actual` is one tensor of any kind that a call takes, a host_tensor, a
// watched_output, or a list of those, in the order of the C structure. `expected` is a generated case, whose inputs the
// report shows and whose line is its last, or the golden answer of expect(): alone, with the operator's desc, which
// names the outputs, or with the desc and the inputs, so that the report is that of a case.
template <class Desc, class Actual>
judged_answer judge(const generated_case<Desc>& expected, const Actual& actual, const compare_options& options = {}) {
  return detail::judge_named(expected.expected, actual, options, names_of(expected), expected.line());
}
template <class Desc, class Actual>
judged_answer judge(const golden& expected, const Actual& actual, const compare_options& options = {}) {
  return detail::judge_named(expected, actual, options, names_of<Desc>(), "");
}
template <described Desc, class Actual>
judged_answer judge(const Desc& desc, std::span<const const_tensor_ref> inputs, const golden& expected,
                    const Actual& actual, const compare_options& options = {}) {
  const std::size_t outputs = expected.answers.empty() ? 0 : expected.answers.front().size();
  return detail::judge_named(expected, actual, options, names_of(desc, inputs, outputs), "");
}
template <class Actual>
judged_answer judge(const golden& expected, const Actual& actual, const compare_options& options = {}) {
  return detail::judge_named(expected, actual, options, {"outputs", {}}, "");
}
// Runs a case and judges its outputs, which run(case) returns. If they are wrong, the report also shows the smallest
// case that still fails.
template <class Desc, class Run>
requires std::invocable < Run&, const generated_case<Desc>
& > judged_answer judge_run(const generated_case<Desc>& test, Run run, const compare_options& options = {},
                            const shrink_options& limits = {}) {
  judged_answer result = judge(test, run(test), options);
  if (!result) result.report += smallest_failure<Desc>(test.text, run, options, limits);
  return result;
}

}  // namespace goldml::oracle
