// A1: a misspelt `judged`.
// says: .judge = &judged
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.judge = &judged};
#else
  static constexpr verdict_options<small_desc> options{.judged = &judged};
#endif
};
