// Distributes the items of a loop over the threads of the caller's pool.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

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
// rethrown once all parts have returned, because tasks already scheduled refer to `run`. Waits by mutexes alone:
// <condition_variable> takes long to compile, and std::atomic::wait can lose a notification where there is no futex, as
// on Windows (bits/atomic_wait.h of libstdc++ 12). Not inlined, and compiled for size: it runs once for a MiB or more.
GOLDML_COLD inline void run_parts_on_pool(const cpu_backend& backend, std::uint64_t parts, const part_runner& run) {
  struct state {
    explicit state(std::size_t tasks) : running(tasks) {}
    std::atomic<std::uint64_t> next{0};
    std::vector<std::mutex> running;  // one for each task, locked while it runs parts: the caller waits for them
  };
  const auto tasks = static_cast<std::size_t>((std::min<std::uint64_t>)(parts, backend.threads()) - 1);
  const auto shared = std::make_shared<state>(tasks);
  const auto run_rest = [parts](state& of_call, const part_runner& run_part) {
    for (std::uint64_t part = of_call.next++; part < parts; part = of_call.next++) run_part(part);
  };
  std::exception_ptr problem;
  try {
    // `run` refers to the caller's stack. A task that starts when no parts are left does not use it.
    for (std::size_t task = 0; task < tasks; ++task)
      backend.schedule([shared, task, run_rest, run] {
        const std::lock_guard lock(shared->running[task]);
        run_rest(*shared, run);
      });
  } catch (...) {
    problem = std::current_exception();
  }
  run_rest(*shared, run);
  for (std::mutex& running : shared->running) const std::lock_guard lock(running);
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
