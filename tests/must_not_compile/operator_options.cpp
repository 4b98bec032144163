// A1: what only some operators have, misspelt or with the wrong parameters.
// says 1: options
// says 2: .move = true
// says 3: .works = &work
// says 4: .work = &work_of_span
// says 5: .alias_name = "LITTLE"
// says 6: .limits_of = &work
#include <goldml/goldml.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
  static work_counts work(const small_desc&, const operands_of<small_desc>&) { return {}; }
  static work_counts work_of_span(const small_desc&, std::span<const operand>) { return {}; }

#if MUST_NOT_COMPILE == 1
  static constexpr operator_options<small_desc> option{.work = &work};
#elif MUST_NOT_COMPILE == 2
  static constexpr operator_options<small_desc> options{.move = true};
#elif MUST_NOT_COMPILE == 3
  static constexpr operator_options<small_desc> options{.works = &work};
#elif MUST_NOT_COMPILE == 4
  static constexpr operator_options<small_desc> options{.work = &work_of_span};
#elif MUST_NOT_COMPILE == 5
  static constexpr operator_options<small_desc> options{.alias_name = "LITTLE"};
#elif MUST_NOT_COMPILE == 6
  static constexpr operator_options<small_desc> options{.limits_of = &work};
#else
  static constexpr operator_options<small_desc> options{.alias = "LITTLE", .work = &work, .moves = true};
#endif
};

auto f() { return goldml::validate(small_desc{}, goldml::tensor_desc{}); }
