// Replaces operator new to count allocations, and to make them fail. In a separate file, because g++ warns about free()
// if it sees the replacement together with its uses.
#include "allocations.hpp"

#include <cstdlib>
#include <new>
#include <thread>

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> allocated_bytes = 0;

namespace {

std::atomic<failing_threads> chosen = failing_threads::none;
std::atomic<std::thread::id> caller;
std::atomic<std::size_t> number = 0, first = 0, last = 0, failed = 0;

void* allocate(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  const failing_threads threads = chosen;
  if (threads == failing_threads::all ||
      (threads == failing_threads::others && caller.load() != std::this_thread::get_id())) {
    const std::size_t mine = number++;
    if (mine >= first && mine < last) {
      ++failed;
      return nullptr;
    }
  }
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void fail_allocations(failing_threads threads, std::size_t from, std::size_t count) {
  chosen = failing_threads::none;
  caller = std::this_thread::get_id();
  number = 0;
  first = from;
  last = from + count;
  if (threads == failing_threads::none) return;
  failed = 0;
  chosen = threads;
}

std::size_t failed_allocations() { return failed; }

void* operator new(std::size_t size) {
  if (void* const memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
// Replaced too, because AddressSanitizer would otherwise return its own memory.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
