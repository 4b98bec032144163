// A1: a misspelt `work`.
// says: .works = &work
#include <goldml/goldml.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
  static std::uint64_t work(const small_desc&, const operands_of<small_desc>&) { return 1; }

#ifdef MUST_NOT_COMPILE
  static constexpr operator_options<small_desc> options{.works = &work};
#else
  static constexpr operator_options<small_desc> options{.work = &work};
#endif
};

auto f() { return goldml::validate(small_desc{}, goldml::tensor_desc{}); }
