// Replaces operator new to count allocations. In a separate file, because g++ warns about free() if it sees the
// replacement together with its uses.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

std::size_t allocations = 0;
std::size_t allocated_bytes = 0;

void* operator new(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// Replaced too, because AddressSanitizer would otherwise return its own memory.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  allocated_bytes += size;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
