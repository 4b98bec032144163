#include "system_memory.hpp"

#include <algorithm>
#include <cstdint>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace goldml::tool {

std::uint64_t system_memory() {
#ifdef _WIN32
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
#else
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size) : 0;
#endif
}

std::uint64_t default_max_memory(std::uint64_t system_memory_in_bytes) {
  constexpr std::uint64_t most = std::uint64_t{8} << 30;
  return system_memory_in_bytes == 0 ? most : (std::min)(most, system_memory_in_bytes / 2);
}

}  // namespace goldml::tool
