// A1: a misspelt `moves`.
// says: .move = true
#include <goldml/goldml.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
#ifdef MUST_NOT_COMPILE
  static constexpr operator_options<small_desc> options{.move = true};
#else
  static constexpr operator_options<small_desc> options{.moves = true};
#endif
};

auto f() { return goldml::validate(small_desc{}, goldml::tensor_desc{}); }
