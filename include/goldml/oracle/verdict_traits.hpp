// Where the oracle finds what a device may answer to an operator.
#pragma once

#include <goldml/core/operator_traits.hpp>

namespace goldml::oracle {

// The members `flush`, verdicts(), flushed_verdicts() and verdict_memory() of an operator (core/operator_traits.hpp has
// their meaning). A specialisation in oracle/verdicts/ has them where they need more than the operator's own rules, so
// that units that judge nothing do not include what they need; otherwise they are those of operator_traits, or absent.
// verdicts() and flushed_verdicts() are templates, so that only units that judge the operator compile them.
template <class Desc>
struct verdict_traits : operator_traits<Desc> {};

}  // namespace goldml::oracle
