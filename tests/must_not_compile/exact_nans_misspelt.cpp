// A1: misspelt `exact_nans`.
// says: .exact_nan = true
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.exact_nan = true};
#else
  static constexpr verdict_options<small_desc> options{.exact_nans = true};
#endif
};
