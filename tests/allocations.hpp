// How often the program has allocated: allocations.cpp, which a test program that asks is linked with.
#pragma once

#include <cstddef>

extern std::size_t allocations;
