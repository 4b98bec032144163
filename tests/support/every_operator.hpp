// A test of every operator, in one section each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"

namespace goldml_test {

// test(const goldml::oracle::any_operator&) is compiled once, not once per operator.
template <class Test>
void for_every_operator(const Test& test) {
  for (const goldml::oracle::any_operator* op : goldml::oracle::every_operator()) DYNAMIC_SECTION(op->name()) {
      test(*op);
    }
}

// The number of cases of each operator, out of a total for all of them: at least 300.
inline std::uint64_t share_of_each(std::uint64_t total) {
  return (std::max)(std::uint64_t{300}, total / goldml::oracle::every_operator().size());
}

// A share for each operator of a number of cases that an operator of its own gets: those of a family, which have one
// implementation, share theirs.
inline std::uint64_t share_of_family(const goldml::oracle::any_operator& op, std::uint64_t count) {
  const bool is_family = op.name().starts_with("ELEMENT_WISE_") || op.name().starts_with("ACTIVATION_");
  return is_family ? (std::max)(count / 12, std::uint64_t{1}) : count;
}

}  // namespace goldml_test
