// Distributes the items of a loop over the threads of the caller's pool.
#pragma once

#include <algorithm>
#include <cstdint>

#include <goldml/core/function_reference.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/pool.hpp>

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

// Calls run(part) once for each part 0 .. parts-1: on the calling thread and, if there are several, on those of the
// caller's pool, if there is one (see run_parts_on()). Rethrows what run() throws. Not a template, because part_runner
// is type-erased.
inline void run_parts(const cpu_backend& backend, std::uint64_t parts, const part_runner& run) {
  if (parts > 1 && backend.threads() > 1) return backend.run_parts(parts, run);
  for (std::uint64_t part = 0; part < parts; ++part) run(part);
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
