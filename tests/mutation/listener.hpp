// Writes for each test case what it took and which faults it evaluated, into the file that GOLDML_MUTANTS_REACHED
// names: a line of seconds, the test case's name, and the faults' numbers, with tabs between.
#pragma once

#include <chrono>
#include <fstream>
#include <string>

#include "../../include/goldml/mutant.hpp"  // of the copy with the faults

namespace goldml_test {

struct mutants_reached : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo&) override { start_ = std::chrono::steady_clock::now(); }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const char* const file = std::getenv("GOLDML_MUTANTS_REACHED");
    if (file == nullptr) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    std::ofstream out(file, std::ios::app);
    out << seconds.count() << '\t' << stats.testInfo.name << '\t';
    for (int n = 0; n < mutant::most; ++n) {
      if (mutant::reached[n]) out << ' ' << n;
      mutant::reached[n] = 0;
    }
    out << '\n';
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

CATCH_REGISTER_LISTENER(mutants_reached)

}  // namespace goldml_test
