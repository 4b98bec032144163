// doctest: CHECK(goldml::oracle::agrees(test, actual)) prints the report if it fails. Optional: include
// <doctest/doctest.h> first.
#pragma once

#ifndef DOCTEST_LIBRARY_INCLUDED
#error "goldml: include <doctest/doctest.h> before <goldml/oracle/doctest.hpp>"
#endif

#include <goldml/oracle/judge.hpp>

namespace goldml::oracle {

// Returns the answer. If no element is defined, or the answer is tolerated and flagged, its report is printed as a
// message.
inline judged_answer with_message(judged_answer answer) {
  if (answer && answer.outcome() != outcome::agrees) DOCTEST_MESSAGE(doctest::String(answer.report.c_str()));
  return answer;
}

// The arguments are those of judge() and judge_run() in oracle/judge.hpp.
template <class Expected, class Actual>
judged_answer agrees(const Expected& expected, const Actual& actual, const compare_options& options = {}) {
  return with_message(judge(expected, actual, options));
}
template <class Desc, class Run>
judged_answer agrees_when_run(const generated_case<Desc>& test, Run run, const compare_options& options = {},
                              const shrink_options& limits = {}) {
  return with_message(judge_run(test, run, options, limits));
}

}  // namespace goldml::oracle

// A failing assertion prints the report.
template <>
struct doctest::StringMaker<goldml::oracle::judged_answer> {
  static doctest::String convert(const goldml::oracle::judged_answer& answer) {
    return doctest::String(("\n" + answer.report).c_str());
  }
};
