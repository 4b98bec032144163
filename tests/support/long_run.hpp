// Whether random tests take as many cases as in test.sh --long, which sets GOLDML_LONG; otherwise as many as the minutes
// of test.sh allow.
#pragma once

#include <cstdlib>

namespace goldml_test {

inline bool is_long_run() { return std::getenv("GOLDML_LONG") != nullptr; }

}  // namespace goldml_test
