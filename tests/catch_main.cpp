// Catch2 2's main function. Version 3 brings its own library (Catch2::Catch2WithMain) and does not compile this file.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
