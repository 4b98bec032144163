// GoogleTest: EXPECT_TRUE(goldml::oracle::agrees(test, actual)) prints the report if it fails. Optional: include
// <gtest/gtest.h> first.
#pragma once

#ifndef GTEST_TEST
#error "goldml: include <gtest/gtest.h> before <goldml/oracle/googletest.hpp>"
#endif

#include <iostream>

#include <goldml/oracle/judge.hpp>

namespace goldml::oracle {

// Success unless something differs. Where no element is defined, or the answer is tolerated and flagged, the report is
// printed as a warning.
inline testing::AssertionResult to_assertion(const judged_answer& answer) {
  if (!answer) return testing::AssertionFailure() << answer.report;
  if (answer.outcome() != outcome::agrees) std::cerr << "warning: " << answer.report;
  return testing::AssertionSuccess();
}

// The arguments are those of judge() and judge_run() in oracle/judge.hpp.
template <class Expected, class Actual>
testing::AssertionResult agrees(const Expected& expected, const Actual& actual, const compare_options& options = {}) {
  return to_assertion(judge(expected, actual, options));
}
template <class Desc, class Run>
testing::AssertionResult agrees_when_run(const generated_case<Desc>& test, Run run, const compare_options& options = {},
                                         const shrink_options& limits = {}) {
  return to_assertion(judge_run(test, run, options, limits));
}

}  // namespace goldml::oracle
