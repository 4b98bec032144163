// A1: a misspelt `verdict_memory`.
// says: .verdicts_memory = &verdict_memory
#include <goldml/goldml.hpp>

#include "judged_operator.hpp"

template <>
struct goldml::oracle::verdict_traits<small_desc> : small_verdicts {
#ifdef MUST_NOT_COMPILE
  static constexpr verdict_options<small_desc> options{.verdicts_memory = &verdict_memory};
#else
  static constexpr verdict_options<small_desc> options{.verdict_memory = &verdict_memory};
#endif
};
