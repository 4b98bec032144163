// A Catch2 matcher, for versions 2.13 and 3: REQUIRE_THAT(actual, goldml::oracle::agrees_with(golden)). Prints the
// report on failure. Optional: include Catch2 first.
#pragma once

#if !defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) && !defined(CATCH_TOSTRING_HPP_INCLUDED)
#error "goldml: include Catch2 before <goldml/oracle/catch2.hpp>"
#endif

#ifdef CATCH_CONFIG_PREFIX_ALL
#define GOLDML_CATCH_WARN CATCH_WARN
#else
#define GOLDML_CATCH_WARN WARN
#endif

#include <concepts>
#include <functional>
#include <string>
#include <utility>

#include <goldml/oracle/judge.hpp>

namespace goldml::oracle {

// Matches outputs that the golden answer and its verdicts allow. If no element is defined, or the output is tolerated
// and flagged, it matches and prints the report as a warning.
class agreement_matcher
#ifdef CATCH_MATCHERS_TEMPLATED_HPP_INCLUDED
    : public Catch::Matchers::MatcherGenericBase
#endif
{
 public:
  // on_failure() is added to the report of a failure; it may be empty.
  agreement_matcher(const golden& expected, judged_names names, std::string case_line, const compare_options& options,
                    std::function<std::string()> on_failure = nullptr)
      : expected_(&expected),
        names_(std::move(names)),
        case_line_(std::move(case_line)),
        options_(options),
        on_failure_(std::move(on_failure)) {}

  template <class Actual>
  bool match(const Actual& actual) const {
    judged_answer judged = detail::judge_named(*expected_, actual, options_, names_, case_line_);
    report_ = std::move(judged.report);
    if (judged && judged.outcome() != outcome::agrees) GOLDML_CATCH_WARN(report_);
    if (!judged && on_failure_) report_ += on_failure_();
    return static_cast<bool>(judged);
  }

  std::string describe() const { return "agrees with the golden answer\n" + report_; }
  std::string toString() const { return describe(); }

 private:
  const golden* expected_;
  judged_names names_;
  std::string case_line_;
  compare_options options_;
  std::function<std::string()> on_failure_;
  mutable std::string report_;
};

// The matcher for a generated case, whose inputs the report shows, or for the golden answer of expect<Desc>().
// `expected` must outlive the assertion.
template <class Desc>
agreement_matcher agrees_with(const generated_case<Desc>& expected, const compare_options& options = {}) {
  return {expected.expected, names_of(expected), expected.line(), options};
}
// The same; on failure the report also has the smallest case that still fails. run(test) returns the outputs of any
// case, as in the assertion: REQUIRE_THAT(run(test), agrees_with(test, run)).
template <class Desc, class Run>
requires std::invocable < Run&, const generated_case<Desc>
& > agreement_matcher agrees_with(const generated_case<Desc>& expected, Run run, const compare_options& options = {},
                                  const shrink_options& limits = {}) {
  return {expected.expected, names_of(expected), expected.line(), options, [&expected, run, options, limits]() mutable {
            return smallest_failure<Desc>(expected.text, run, options, limits);
          }};
}
template <class Desc>
agreement_matcher agrees_with(const golden& expected, const compare_options& options = {}) {
  return {expected, names_of<Desc>(), "", options};
}
inline agreement_matcher agrees_with(const golden& expected, const compare_options& options = {}) {
  return {expected, {"outputs", {}}, "", options};
}

}  // namespace goldml::oracle

// A failing assertion prints the descs of tensors, not their elements.
namespace Catch {

template <class T>
struct is_range<goldml::tensor<T>> {
  static constexpr bool value = false;
};

template <class T>
struct StringMaker<goldml::tensor<T>> {
  static std::string convert(const goldml::tensor<T>& tensor) {
    return "the tensor " + to_string(goldml::const_tensor_ref(tensor.view()).desc());
  }
};

template <>
struct StringMaker<goldml::host_tensor> {
  static std::string convert(const goldml::host_tensor& tensor) { return "the tensor " + to_string(tensor.desc()); }
};

template <>
struct StringMaker<goldml::oracle::watched_output> {
  static std::string convert(const goldml::oracle::watched_output& output) {
    return "the tensor " + to_string(output.desc());
  }
};

template <>
struct StringMaker<goldml::const_tensor_ref> {
  static std::string convert(const goldml::const_tensor_ref& ref) {
    return ref.present() ? "the tensor " + to_string(ref.desc()) : "no tensor";
  }
};

}  // namespace Catch
