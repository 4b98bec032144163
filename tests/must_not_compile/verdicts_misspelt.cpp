// A1: misspelt `verdicts`.
// says: .verdict = &verdicts
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.verdict = &verdicts};
#else
  static constexpr verdict_options<small_desc> options{.verdicts = &verdicts};
#endif
};
