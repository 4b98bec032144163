// How often the program has allocated, and how many bytes in all, freed or not: allocations.cpp, which a test program
// that asks is linked with.
#pragma once

#include <cstddef>

extern std::size_t allocations;
extern std::size_t allocated_bytes;
