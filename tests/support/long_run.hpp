// How many cases random tests take: with the environment variable GOLDML_LONG, which test.sh --long sets, all;
// otherwise as many as the minutes of test.sh allow; and fewer where tests are slow.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace goldml_test {

inline bool is_long_run() { return std::getenv("GOLDML_LONG") != nullptr; }

// Without optimisation, and perhaps with sanitizers, which look for other mistakes than random values do.
#ifdef NDEBUG
inline constexpr bool is_slow = false;
#else
inline constexpr bool is_slow = true;
#endif

// The number of cases that a test takes, given the usual one: a quarter of it where tests are slow.
constexpr std::uint64_t random_count(std::uint64_t usual) { return is_slow ? (usual + 3) / 4 : usual; }

// For many like cases in nested loops: whether the next one is tested. All are, or one of `every` where tests are slow.
class thinned {
 public:
  explicit constexpr thinned(unsigned every) : every_(every) {}
  constexpr bool skips() { return is_slow && number_++ % every_ != 0; }

 private:
  unsigned every_, number_ = 0;
};

}  // namespace goldml_test
