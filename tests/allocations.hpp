// The number of allocations of the program, and their total bytes, freed or not. Link a test program that uses this
// with allocations.cpp.
#pragma once

#include <cstddef>

extern std::size_t allocations;
extern std::size_t allocated_bytes;
