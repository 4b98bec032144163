// Runs the parts of a call on the threads of a pool that the caller of goldml owns.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <goldml/core/cold.hpp>
#include <goldml/core/function_reference.hpp>

namespace goldml::detail {

// A function run(part), type-erased.
using part_runner = function_reference<void(std::uint64_t)>;

// The parts 0 .. parts-1 of a call. Each is run once, by the thread that takes it. After an exception no more are
// taken.
class pool_call {
 public:
  pool_call(std::uint64_t parts, std::size_t tasks) : parts_(parts), running_(tasks) {}

  // Does not throw: what a part throws is for rethrow().
  void run_rest(const part_runner& run) {
    try {
      for (std::uint64_t part = next_++; part < parts_; part = next_++) run(part);
    } catch (...) {
      next_ = parts_;
      refuse(std::current_exception());
    }
  }
  void run_rest_in_task(std::size_t task, const part_runner& run) {
    const std::lock_guard lock(running_[task]);
    run_rest(run);
  }
  // A task that has not started is not waited for: no parts are left for it.
  void wait_for_tasks() {
    for (std::mutex& running : running_) const std::lock_guard lock(running);
  }
  // The first of several exceptions is kept.
  void refuse(std::exception_ptr problem) {
    if (!has_problem_.exchange(true)) problem_ = std::move(problem);
  }
  // After wait_for_tasks().
  void rethrow() {
    if (has_problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
  }

 private:
  std::atomic<std::uint64_t> next_{0};
  std::uint64_t parts_;
  std::vector<std::mutex> running_;  // one for each task, locked while it runs parts
  std::atomic<bool> has_problem_{false};
  std::exception_ptr problem_;
};

// What is given to a pool. `run` refers to the stack of the call: a task that starts when no parts are left does not
// use it.
class pool_task {
 public:
  pool_task(std::shared_ptr<pool_call> call, std::size_t task, const part_runner& run)
      : call_(std::move(call)), task_(task), run_(run) {}

  void operator()() const { call_->run_rest_in_task(task_, run_); }

 private:
  std::shared_ptr<pool_call> call_;
  std::size_t task_;
  part_runner run_;
};

// Calls run(part) once for each part 0 .. parts-1 (at least two), on `pool`, which has `threads` threads (at least
// two), and on the calling thread, and returns when all calls have returned. The caller runs parts too, and never waits
// for a part that no thread has started. So a busy pool does not delay the call, and a call from one of the pool's
// threads cannot deadlock. An exception of a part, on whichever thread, or of the pool's Schedule is rethrown here once
// all parts that were started have returned, because tasks already scheduled refer to `run`; of several, one. Waits by
// mutexes alone: <condition_variable> takes long to compile, and std::atomic::wait can lose a notification where there
// is no futex, as on Windows (bits/atomic_wait.h of libstdc++ 12). A template over the pool, so that a program without
// one does not compile it. Compiled for size: a call that reads and writes less than cpu_tuning::threads_from_bytes
// does without it.
template <class Pool>
GOLDML_COLD void run_parts_on(Pool& pool, unsigned threads, std::uint64_t parts, const part_runner& run) {
  const auto tasks = static_cast<std::size_t>((std::min<std::uint64_t>)(parts, threads) - 1);
  const auto call = std::make_shared<pool_call>(parts, tasks);
  try {
    for (std::size_t task = 0; task < tasks; ++task) pool.Schedule(pool_task(call, task, run));
  } catch (...) {
    call->refuse(std::current_exception());
  }
  call->run_rest(run);
  call->wait_for_tasks();
  call->rethrow();
}

}  // namespace goldml::detail
