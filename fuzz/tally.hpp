// How many inputs a fuzzer ran, and how many of them reached a kernel.
#pragma once

#include <cstdio>

namespace fuzz {

// Printed at the end of the program.
class tally {
 public:
  static void executed() { ++get().executions_; }
  static void reached_kernel() { ++get().reached_; }

 private:
  static tally& get() {
    static tally the_one;
    return the_one;
  }
  ~tally() {
    const double share =
        executions_ == 0 ? 0 : 100.0 * static_cast<double>(reached_) / static_cast<double>(executions_);
    std::fprintf(stderr, "%llu executions, %llu reached a kernel (%.1f %%)\n", executions_, reached_, share);
  }

  unsigned long long executions_ = 0;
  unsigned long long reached_ = 0;
};

}  // namespace fuzz
