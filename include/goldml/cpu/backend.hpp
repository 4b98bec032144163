// The backend `cpu`: the same results as `reference`, bit for bit, and the same violations, but fast.
//   argmin(cpu, ...)                               runs on the calling thread; never starts a thread
//   argmin(cpu.on(pool), ...)                      also uses the threads of a pool that the caller owns
//   argmin(cpu.with(instruction_set::avx2), ...)   uses this instruction set only
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include <goldml/core/backend_options.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/pool.hpp>

namespace goldml {

// What Eigen::ThreadPool offers: Schedule(function) runs it later on one of NumThreads() threads. The function has no
// arguments, can be copied, and converts to std::function<void()>.
template <class Pool>
concept thread_pool = requires(Pool& pool, const Pool& same_pool, const detail::pool_task& task) {
  pool.Schedule(task);
  { same_pool.NumThreads() } -> std::convertible_to<int>;
};

// Sizes from which a call uses a code path for large tensors. Results never depend on them. Tests set them to zero to
// reach every path with small tensors.
struct cpu_tuning {
  std::uint64_t threads_from_bytes = std::uint64_t{1} << 20;    // bytes that a call reads and writes in total
  std::uint64_t streaming_from_bytes = std::uint64_t{4} << 20;  // bytes of one output, for non-temporal stores
};

class cpu_backend {
 public:
  constexpr cpu_backend() = default;

  // The pool must outlive every call. A call schedules at most NumThreads() - 1 tasks and works on its own thread too.
  // Calls may be made from the pool's threads.
  template <thread_pool Pool>
  cpu_backend on(Pool& pool) const {
    cpu_backend result = *this;
    result.pool_ = &pool;
    result.run_parts_ = [](void* p, unsigned threads, std::uint64_t parts, const detail::part_runner& run) {
      detail::run_parts_on(*static_cast<Pool*>(p), threads, parts, run);
    };
    const int threads = static_cast<int>(std::as_const(pool).NumThreads());
    result.threads_ = threads > 1 ? static_cast<unsigned>(threads) : 1;
    return result;
  }

  // Throws std::invalid_argument if the processor or this build does not support the set.
  cpu_backend with(goldml::instruction_set set) const {
    detail::require_supported(set, "cpu.with()");
    cpu_backend result = *this;
    result.set_ = set;
    return result;
  }

  constexpr cpu_backend with(const cpu_tuning& tuning) const {
    cpu_backend result = *this;
    result.tuning_ = tuning;
    return result;
  }

  // Throws std::invalid_argument if GOLDML_ISA names an unknown or unsupported set.
  goldml::instruction_set instruction_set() const { return set_ ? *set_ : default_instruction_set(); }
  unsigned threads() const { return threads_; }
  const cpu_tuning& tuning() const { return tuning_; }
  // For kernels: run(part) for each part, on the pool. Requires threads() > 1, and at least two parts.
  void run_parts(std::uint64_t parts, const detail::part_runner& run) const { run_parts_(pool_, threads_, parts, run); }

 private:
  void* pool_ = nullptr;
  void (*run_parts_)(void* pool, unsigned threads, std::uint64_t parts, const detail::part_runner& run) = nullptr;
  unsigned threads_ = 1;
  std::optional<goldml::instruction_set> set_ = std::nullopt;
  cpu_tuning tuning_ = {};
};

inline constexpr cpu_backend cpu{};

template <>
inline constexpr backend_options options_of_backend<cpu_backend>{.writes_elements_only = true};

}  // namespace goldml
