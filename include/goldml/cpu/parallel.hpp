// Sharing the items of a loop among the threads of a caller's pool.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include <goldml/cpu/backend.hpp>

namespace goldml::detail {

// How many parts a loop over `items` that moves `bytes` in all is cut into: 1 = no hand-over.
inline std::uint64_t part_count(const cpu_backend& backend, std::uint64_t bytes, std::uint64_t items) {
  if (backend.threads() <= 1 || bytes < backend.tuning().threads_from_bytes) return 1;
  return items < backend.threads() ? items : backend.threads();
}

// The same for a loop whose items may be shared out in any way: more parts than threads, so that a thread that is held
// up leaves some to the others.
inline std::uint64_t small_part_count(const cpu_backend& backend, std::uint64_t bytes, std::uint64_t items) {
  const std::uint64_t parts = part_count(backend, bytes, items);
  return parts == 1 ? 1 : (std::min)(4 * parts, items);
}

// Calls run_part(part) for 0 .. parts-1, each once, and returns when all have returned. run_part throws nothing.
// The caller takes parts too and waits for none that nobody has begun: a busy pool delays nobody, and a call from one
// of the pool's own threads cannot wait for itself. Not by std::atomic::wait: where libstdc++ 12 has no futex, as on
// Windows, what it is told between its last look and its sleep is lost, and it sleeps for ever (bits/atomic_wait.h).
template <class F>
void run_parts(const cpu_backend& backend, std::uint64_t parts, const F& run_part) {
  if (parts <= 1) {
    if (parts == 1) run_part(std::uint64_t{0});
    return;
  }
  struct state {
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> done{0};
    std::mutex mutex;  // so that nobody is told of the last part between looking and sleeping
    std::condition_variable all_done;
  };
  const auto shared = std::make_shared<state>();
  // run_part lives on the caller's stack, and is not touched once every part has been taken and has returned.
  const auto work = [shared, parts, function = &run_part] {
    for (std::uint64_t part = shared->next++; part < parts; part = shared->next++) {
      (*function)(part);
      if (++shared->done == parts) {
        const std::lock_guard lock(shared->mutex);
        shared->all_done.notify_one();
      }
    }
  };
  for (std::uint64_t i = 1; i < parts && i < backend.threads(); ++i) backend.schedule(work);
  work();
  std::unique_lock lock(shared->mutex);
  shared->all_done.wait(lock, [&] { return shared->done == parts; });
}

// The first item of part `part` when `items` are cut into `parts` of nearly the same length.
inline std::uint64_t part_begin(std::uint64_t items, std::uint64_t parts, std::uint64_t part) {
  return items / parts * part + (part < items % parts ? part : items % parts);
}

// run(begin, end) for consecutive ranges that together are 0 .. items-1.
template <class F>
void parallel_for_parts(const cpu_backend& backend, std::uint64_t parts, std::uint64_t items, const F& run) {
  run_parts(backend, parts,
            [&](std::uint64_t part) { run(part_begin(items, parts, part), part_begin(items, parts, part + 1)); });
}
template <class F>
void parallel_for(const cpu_backend& backend, std::uint64_t bytes, std::uint64_t items, const F& run) {
  parallel_for_parts(backend, small_part_count(backend, bytes, items), items, run);
}

}  // namespace goldml::detail
