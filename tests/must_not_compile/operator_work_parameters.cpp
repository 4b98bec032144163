// A1: work() with the wrong parameters.
// says: .work = &work
#include <goldml/goldml.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
#ifdef MUST_NOT_COMPILE
  static std::uint64_t work(const small_desc&, std::span<const operand>) { return 1; }
#else
  static std::uint64_t work(const small_desc&, const operands_of<small_desc>&) { return 1; }
#endif

  static constexpr operator_options<small_desc> options{.work = &work};
};

auto f() { return goldml::validate(small_desc{}, goldml::tensor_desc{}); }
