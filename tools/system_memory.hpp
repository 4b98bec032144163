// The size of this machine's memory.
#pragma once

#include <cstdint>

namespace goldml::tool {

// In bytes; 0 if it is unknown.
std::uint64_t system_memory();

// The smaller of 8 GiB and half of the machine's memory.
std::uint64_t default_max_memory(std::uint64_t system_memory_in_bytes);

}  // namespace goldml::tool
