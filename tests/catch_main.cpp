// Catch2 2's main function. Version 3 brings its own library (Catch2::Catch2WithMain) and does not compile this file.
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING  // as catch.hpp has it: the two must agree on what Catch2's classes hold
#include <catch2/catch.hpp>
