// The backend `cpu`: the same results as `reference`, bit for bit, and the same violations, at the speed of memory.
//   argmin(cpu, ...)                               one thread; no thread is ever started
//   argmin(cpu.on(pool), ...)                      also those of a pool that the caller owns
//   argmin(cpu.with(instruction_set::avx2), ...)   instructions of that set only
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <goldml/cpu/engine/base/instruction_set.hpp>

namespace goldml {

// What Eigen::ThreadPool offers: Schedule(function) runs it later on one of NumThreads() threads.
template <class Pool>
concept thread_pool = requires(Pool& pool, const Pool& same_pool, std::function<void()> task) {
  pool.Schedule(std::move(task));
  { same_pool.NumThreads() } -> std::convertible_to<int>;
};

// From which sizes on a call takes a costlier way that pays for large tensors. Results never depend on it. The tests set
// it to zero, to take every way on small tensors.
struct cpu_tuning {
  std::uint64_t threads_from_bytes = std::uint64_t{1} << 20;    // of all that a call reads and writes
  std::uint64_t streaming_from_bytes = std::uint64_t{4} << 20;  // of one output: written past the caches
};

class cpu_backend {
 public:
  constexpr cpu_backend() = default;

  // The pool outlives every call. A call hands over work for NumThreads() - 1 threads and does its own share; calls may
  // be made from the pool's own threads.
  template <thread_pool Pool>
  cpu_backend on(Pool& pool) const {
    cpu_backend result = *this;
    result.pool_ = &pool;
    result.schedule_ = [](void* p, std::function<void()> task) { static_cast<Pool*>(p)->Schedule(std::move(task)); };
    const int threads = static_cast<int>(std::as_const(pool).NumThreads());
    result.threads_ = threads > 1 ? static_cast<unsigned>(threads) : 1;
    return result;
  }

  // Throws std::invalid_argument when the processor lacks the set.
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

  // Throws std::invalid_argument when GOLDML_ISA names none that there is.
  goldml::instruction_set instruction_set() const { return set_ ? *set_ : default_instruction_set(); }
  unsigned threads() const { return threads_; }
  const cpu_tuning& tuning() const { return tuning_; }
  void schedule(std::function<void()> task) const { schedule_(pool_, std::move(task)); }  // threads() > 1

 private:
  void* pool_ = nullptr;
  void (*schedule_)(void*, std::function<void()>) = nullptr;
  unsigned threads_ = 1;
  std::optional<goldml::instruction_set> set_ = std::nullopt;
  cpu_tuning tuning_ = {};
};

inline constexpr cpu_backend cpu{};

}  // namespace goldml
