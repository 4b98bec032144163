// Shared by tests of rules: violations as a line of codes, checks that a text contains several words, and operands that
// are valid until a test changes them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/violation.hpp>

namespace rules {

// "T3 T5 A2": the codes in the order of the list; "" for none.
inline std::string codes_of(const std::vector<goldml::violation>& all) {
  std::string codes;
  for (const goldml::violation& v : all) codes += (codes.empty() ? "" : " ") + std::string(v.rule);
  return codes;
}

// The first of `words` that is missing in the one-line text of v; "" if none is.
inline std::string missing_from(const goldml::violation& v, std::initializer_list<std::string_view> words) {
  const std::string text = to_string(v);
  for (const std::string_view word : words)
    if (text.find(word) == std::string::npos) return "no \"" + std::string(word) + "\" in: " + text;
  return "";
}

// FLOAT32 {3,4} to UINT32 {3,1}: an ARGMIN over axis 1.
inline const goldml::tensor_desc float_3_4{.data_type = goldml::data_type::float32, .sizes = {3, 4}};
inline const goldml::tensor_desc uint_3_1{.data_type = goldml::data_type::uint32, .sizes = {3, 1}};

}  // namespace rules
