// A test of every operator, in one section each. The environment variable GOLDML_OPERATORS, as GEMM,RNN, restricts
// these tests to the operators that it names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"
#include "long_run.hpp"

namespace goldml_test {

// The names that a list has, separated by commas. Throws std::invalid_argument if one is no operator's, or there is
// none.
inline std::set<std::string, std::less<>> operator_names(std::string_view list) {
  std::set<std::string, std::less<>> names;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    if (goldml::find_operator(name) == nullptr)
      throw std::invalid_argument("GOLDML_OPERATORS: no operator has the name '" + std::string(name) + "'");
    names.emplace(name);
    list.remove_prefix((std::min)(name.size() + 1, list.size()));
  }
  if (names.empty()) throw std::invalid_argument("GOLDML_OPERATORS: no operator");
  return names;
}

// Every operator, or those of GOLDML_OPERATORS, in the order of all_operators. Says once that they are not all.
inline std::span<const goldml::oracle::any_operator* const> visited_operators() {
  static const std::vector<const goldml::oracle::any_operator*> visited = [] {
    const auto all = goldml::oracle::every_operator();
    std::vector<const goldml::oracle::any_operator*> result(all.begin(), all.end());
    const char* const list = std::getenv("GOLDML_OPERATORS");
    if (list == nullptr) return result;
    const auto names = operator_names(list);
    std::erase_if(result, [&](const auto* op) { return !names.contains(op->name()); });
    std::printf("GOLDML_OPERATORS: tests of every operator visit only %s, %u of %u operators\n", list,
                static_cast<unsigned>(result.size()), static_cast<unsigned>(all.size()));
    std::fflush(stdout);
    return result;
  }();
  return visited;
}

inline bool visits(const goldml::operator_description& op) {
  const auto visited = visited_operators();
  return std::any_of(visited.begin(), visited.end(), [&](const auto* each) { return each->description == &op; });
}

// Whether what is asserted of all operators together may be asserted.
inline bool visits_every_operator() { return visited_operators().size() == goldml::oracle::every_operator().size(); }

// test(const goldml::oracle::any_operator&) is compiled once, not once per operator.
template <class Test>
void for_every_operator(const Test& test) {
  for (const goldml::oracle::any_operator* op : visited_operators()) DYNAMIC_SECTION(op->name()) {
      test(*op);
    }
}

// The number of cases of each operator, out of a total for all of them: at least 300. It does not depend on which
// operators are visited.
inline std::uint64_t share_of_each(std::uint64_t total) {
  return (std::max)(std::uint64_t{300}, total / goldml::oracle::every_operator().size());
}

// Whether the operator is one of a family, which has one implementation.
inline bool is_of_family(const goldml::oracle::any_operator& op) {
  return op.name().starts_with("ELEMENT_WISE_") || op.name().starts_with("ACTIVATION_");
}

// A share for each operator of a number of cases that an operator of its own gets: those of a family share theirs.
inline std::uint64_t share_of_family(const goldml::oracle::any_operator& op, std::uint64_t count) {
  return is_of_family(op) ? (std::max)(count / 12, std::uint64_t{1}) : count;
}

// For long tests of what operators share: every operator, but where tests are slow, one of four.
template <class Test>
void for_every_implementation(const Test& test) {
  for_every_operator([&](const goldml::oracle::any_operator& op) {
    const auto all = goldml::oracle::every_operator();
    const auto number = std::find(all.begin(), all.end(), &op) - all.begin();
    if (!is_slow || number % 4 == 0) test(op);
  });
}

}  // namespace goldml_test
