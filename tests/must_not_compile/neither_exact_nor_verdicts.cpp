// A1: an operator that is not exact and has no verdicts; and one that is exact and has verdicts.
// says 1: goldml: an operator has .exact = true in operator_traits<Desc>::options
// says 2: goldml: an operator has .exact = true in operator_traits<Desc>::options
#include <goldml/goldml.hpp>
#include <goldml/oracle/verdict_traits.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
#if MUST_NOT_COMPILE == 1
  static constexpr operator_options<small_desc> options{};
#else
  static constexpr operator_options<small_desc> options{.exact = true};
#endif
};

#if MUST_NOT_COMPILE == 2
template <>
struct goldml::oracle::verdict_traits<small_desc> {
  static void verdicts(const small_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>,
                       std::span<output_verdicts>);
  static constexpr verdict_options<small_desc> options{.verdicts = &verdicts};
};
#endif

static_assert(!goldml::oracle::options_of<small_desc>().exact_nans);
