// A1: a misspelt `to_alternative`.
// says: .alternative = &to_alternative
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.alternative = &to_alternative};
#else
  static constexpr verdict_options<small_desc> options{.to_alternative = &to_alternative};
#endif
};
