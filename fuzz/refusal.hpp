// Checks that all fuzzers make on errors: the code of a rule, and one line of text that is safe for terminals.
#pragma once

#include <cstdlib>
#include <string_view>

#include <goldml/core/violation.hpp>

// Not assert(), because it must be checked in every build.
inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void require_one_line(const goldml::error& refusal) {
  require(!refusal.violation().rule.empty());
  for (const char c : std::string_view(refusal.what())) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
}
