// A1: a misspelt text() of the inputs that determine an element.
// says: text
#include <goldml/goldml.hpp>
#include <goldml/oracle/judged_names.hpp>

#include "small_operator.hpp"

template <>
struct goldml::operator_traits<small_desc> : small_description {
  static constexpr operator_options<small_desc> options{.exact = true};
};

template <>
struct goldml::oracle::deciding<small_desc> {
#ifdef MUST_NOT_COMPILE
  static std::string texts(
#else
  static std::string text(
#endif
      const small_desc&, std::span<const const_tensor_ref>, std::size_t, const golden_output&, const coordinate_tuple&,
      const const_tensor_ref&) {
    return "";
  }
};

auto f() { return goldml::oracle::detail::deciding_text_of<small_desc>(); }
