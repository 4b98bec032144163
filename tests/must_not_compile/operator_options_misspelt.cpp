// A1: operator_traits has its options, even if there are none.
// says: options
#include <goldml/goldml.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
#ifdef MUST_NOT_COMPILE
  static constexpr operator_options<small_desc> option{};
#else
  static constexpr operator_options<small_desc> options{};
#endif
};

auto f() { return goldml::validate(small_desc{}, goldml::tensor_desc{}); }
