// How often the program has allocated.
#pragma once

#include <cstddef>

namespace directml_tests {

extern std::size_t allocations;

}  // namespace directml_tests
