// Replaces the program's operator new to count. In a file of its own: where g++ sees it beside what it calls for, it
// warns of free().
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
// Replaced too, since AddressSanitizer would answer it with memory of its own kind.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  allocated_bytes += size;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
