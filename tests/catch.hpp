// Includes Catch2 2.13 or 3, with benchmarks enabled. Also helpers for all tests: the prefix of a violation's text, and
// a function that catches a violation.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#ifndef CATCH_CONFIG_ENABLE_BENCHMARKING
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#endif
#include <catch2/catch.hpp>
#endif

#include <goldml/core/violation.hpp>

#include <optional>
#include <string>

// The rule code of the goldml::error that `call` throws, or "none".
template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const goldml::error& refusal) {
    return std::string(refusal.violation().rule);
  }
  return "none";
}

// The rule code of a violation, or "none".
inline std::string rule_of(const std::optional<goldml::violation>& v) { return v ? std::string(v->rule) : "none"; }
