// A1: a misspelt `flush_of`.
// says: .flush = &flush_of
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.flush = &flush_of};
#else
  static constexpr verdict_options<small_desc> options{.flush_of = &flush_of};
#endif
};
