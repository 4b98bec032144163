// Catch2 2.13 and 3 behind one include, with benchmarks on. Also what the tests of every room share: the prefix of a
// refusal's text and the way to catch one.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#ifndef CATCH_CONFIG_ENABLE_BENCHMARKING
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#endif
#include <catch2/catch.hpp>
#endif

#include <goldml/core/violation.hpp>

#include <optional>
#include <string>

// The rule code of the goldml::error that `call` throws; "none" when it throws nothing.
template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const goldml::error& refusal) {
    return std::string(refusal.violation().rule);
  }
  return "none";
}

// The rule code of a violation; "none" when there is none.
inline std::string rule_of(const std::optional<goldml::violation>& v) { return v ? std::string(v->rule) : "none"; }
