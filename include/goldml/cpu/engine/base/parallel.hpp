// Distributes the items of a loop over the threads of the caller's pool.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>

#include <goldml/core/cold.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/cpu/backend.hpp>

namespace goldml::detail {

// The number of parts of a loop over `items` that moves `bytes` in total. 1: the loop runs on the calling thread.
inline std::uint64_t part_count(const cpu_backend& backend, std::uint64_t bytes, std::uint64_t items) {
  if (backend.threads() <= 1 || bytes < backend.tuning().threads_from_bytes) return 1;
  return items < backend.threads() ? items : backend.threads();
}

// The same with more parts than threads, so that a delayed thread leaves work to the others.
inline std::uint64_t small_part_count(const cpu_backend& backend, std::uint64_t bytes, std::uint64_t items) {
  const std::uint64_t parts = part_count(backend, bytes, items);
  return parts == 1 ? 1 : (std::min)(4 * parts, items);
}

// A function run(part), type-erased, so that run_parts() need not be a template.
using part_runner = function_reference<void(std::uint64_t)>;

// Calls run(part) once for each part 0 .. parts-1 (at least two) and returns when all calls have returned. run() must
// not throw. The caller runs parts too, and never waits for a part that no thread has started. So a busy pool does not
// delay the call, and a call from one of the pool's threads cannot deadlock. An exception from the pool's Schedule is
// rethrown once all parts have returned, because tasks already scheduled refer to `run`. std::atomic::wait is not used:
// without a futex, as on Windows, libstdc++ 12 can lose a notification between the last test and the sleep
// (bits/atomic_wait.h). Not inlined, and compiled for size: it runs once for a MiB or more.
GOLDML_COLD inline void run_parts_on_pool(const cpu_backend& backend, std::uint64_t parts, const part_runner& run) {
  struct state {
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> done{0};
    std::mutex mutex;  // prevents a lost wake-up between the test and the sleep
    std::condition_variable all_done;
  };
  const auto shared = std::make_shared<state>();
  // `run` refers to the caller's stack. It is not used after the last part has returned.
  const auto work = [shared, parts, run] {
    for (std::uint64_t part = shared->next++; part < parts; part = shared->next++) {
      run(part);
      if (++shared->done == parts) {
        const std::lock_guard lock(shared->mutex);
        shared->all_done.notify_one();
      }
    }
  };
  std::exception_ptr problem;
  try {
    for (std::uint64_t i = 1; i < parts && i < backend.threads(); ++i) backend.schedule(work);
  } catch (...) {
    problem = std::current_exception();
  }
  work();
  {
    std::unique_lock lock(shared->mutex);
    shared->all_done.wait(lock, [&] { return shared->done == parts; });
  }
  if (problem) std::rethrow_exception(problem);
}

// The same for any number of parts. A single part runs on the calling thread.
inline void run_parts(const cpu_backend& backend, std::uint64_t parts, const part_runner& run) {
  if (parts == 1) run(0);
  if (parts > 1) run_parts_on_pool(backend, parts, run);
}

// The first item of part `part` when `items` are divided into `parts` parts of nearly equal length.
inline std::uint64_t part_begin(std::uint64_t items, std::uint64_t parts, std::uint64_t part) {
  return items / parts * part + (part < items % parts ? part : items % parts);
}

// A function run(begin, end), type-erased.
using range_runner = function_reference<void(std::uint64_t, std::uint64_t)>;

inline void run_ranges(const cpu_backend& backend, std::uint64_t parts, std::uint64_t items, const range_runner& run) {
  run_parts(backend, parts,
            [&](std::uint64_t part) { run(part_begin(items, parts, part), part_begin(items, parts, part + 1)); });
}

// Calls run(begin, end) for consecutive ranges that together cover 0 .. items-1.
template <class F>
void parallel_for_parts(const cpu_backend& backend, std::uint64_t parts, std::uint64_t items, const F& run) {
  run_ranges(backend, parts, items, range_runner(run));
}
template <class F>
void parallel_for(const cpu_backend& backend, std::uint64_t bytes, std::uint64_t items, const F& run) {
  run_ranges(backend, small_part_count(backend, bytes, items), items, range_runner(run));
}

}  // namespace goldml::detail
