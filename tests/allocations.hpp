// The number of allocations of the program, and their total bytes, freed or not, and allocations that fail. Link a test
// program that uses this with allocations.cpp.
#pragma once

#include <atomic>
#include <cstddef>

extern std::atomic<std::size_t> allocations;
extern std::atomic<std::size_t> allocated_bytes;

// Which allocations throw std::bad_alloc: on the threads chosen, those from number `from` on (0 is the next one),
// `count` of them.
enum class failing_threads { none, all, others };  // others: all but the thread that calls fail_allocations()
void fail_allocations(failing_threads threads, std::size_t from = 0, std::size_t count = 1);

// How many allocations have failed since the last call of fail_allocations().
std::size_t failed_allocations();
