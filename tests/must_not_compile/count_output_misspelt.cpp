// A1: a misspelt `count_output`.
// says: .counts_output = 0
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.counts_output = 0};
#else
  static constexpr verdict_options<small_desc> options{.count_output = 0};
#endif
};
