// Catch2 2's main function. Version 3 brings its own library (Catch2::Catch2WithMain) and does not compile this file.
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING  // must be the same as in catch.hpp, because it changes Catch2's classes
#include <catch2/catch.hpp>
