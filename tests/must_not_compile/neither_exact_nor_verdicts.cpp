// A1: an operator that is not exact and has no verdicts.
// says: goldml: an operator has .exact = true in operator_traits<Desc>::options
#include <goldml/goldml.hpp>
#include <goldml/oracle/golden_calls.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
#ifdef MUST_NOT_COMPILE
  static constexpr operator_options<small_desc> options{};
#else
  static constexpr operator_options<small_desc> options{.exact = true};
#endif
};

template <>
struct goldml::kernel<small_desc, goldml::reference_backend> {
  static void run(const reference_backend&, std::span<const const_tensor_ref>, std::span<const tensor_ref>,
                  const small_desc&) {}
};

bool f() { return goldml::oracle::detail::golden_calls_of<small_desc>().exact_nans; }
