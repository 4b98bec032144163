// An allocation that fails while an operator runs on a pool: the call throws std::bad_alloc on the calling thread, no
// exception reaches a thread of the pool, and no task uses the call's memory later (with AddressSanitizer).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <goldml/cpu/cpu.hpp>
#include <goldml/operators/any_call.hpp>

#include "../allocations.hpp"
#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/run_case.hpp"

using namespace goldml;

namespace {

// Runs no task until the call has returned, so that all parts run on the calling thread.
struct late_pool {
  std::vector<std::function<void()>> tasks;
  void Schedule(std::function<void()> task) { tasks.push_back(std::move(task)); }
  int NumThreads() const { return 3; }
  void run_tasks() {
    for (const auto& task : tasks) task();
    tasks.clear();
  }
};

// Runs each task at once on another thread, so that no part runs on the calling one.
struct early_pool {
  bool escaped = false;
  void Schedule(const std::function<void()>& task) {
    std::thread([&] {
      try {
        task();
      } catch (...) {
        escaped = true;
      }
    }).join();
  }
  int NumThreads() const { return 3; }
};

struct allocations_made_to_fail {
  allocations_made_to_fail(failing_threads threads, std::size_t from, std::size_t count) {
    fail_allocations(threads, from, count);
  }
  ~allocations_made_to_fail() { fail_allocations(failing_threads::none); }
};

constexpr cpu_tuning always_parts{0, 0};

// Makes one allocation after the other fail, alone or with all that follow, until the call returns without a failure.
// Returns whether any failed.
template <class Pool, class Late>
bool run_with_failures(Pool& pool, const Late& late, const oracle::generated_case<any_desc>& c,
                       const goldml_test::ending& wanted, failing_threads threads) {
  const cpu_backend backend = cpu.on(pool).with(always_parts);
  const auto call = call_of<cpu_backend>(c.text.desc.description());
  bool any = false;
  for (const std::size_t count : {std::size_t{1}, std::size_t{1} << 40}) {
    bool failed = true;
    for (std::size_t from = 0; failed; from += 1 + from / 4) {
      CAPTURE(from, count);
      bool threw = false;
      goldml_test::ending got;
      try {
        got = goldml_test::run_case(
            [&](const void* desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
              const allocations_made_to_fail failing(threads, from, count);
              call(backend, desc, inputs, outputs);
            },
            c.text, c.inputs);
      } catch (const std::bad_alloc&) {
        threw = true;
      }
      late();
      failed = failed_allocations() > 0;
      REQUIRE(threw == failed);
      if (!threw) REQUIRE(got == wanted);
      any = any || failed;
    }
  }
  return any;
}

}  // namespace

TEST_CASE("C3: an allocation that fails in any operator on a pool is rethrown once, on the calling thread",
          "[registry]") {
  std::string in_parts;
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    const auto call = call_of<cpu_backend>(*op->description);
    bool fails_in_parts = false;
    const std::uint64_t count = goldml_test::share_of_family(*op, 12);
    for (const auto& c : oracle::cases<any_desc>(*op, {.count = count, .seed = 35})) {
      CAPTURE(c.line());
      const goldml_test::ending wanted =
          goldml_test::run_case([&](const void* desc, std::span<const const_tensor_ref> inputs,
                                    std::span<const tensor_ref> outputs) { call(cpu, desc, inputs, outputs); },
                                c.text, c.inputs);
      late_pool late;
      run_with_failures(
          late, [&] { late.run_tasks(); }, c, wanted, failing_threads::all);
      early_pool early;
      fails_in_parts |= run_with_failures(
          early, [] {}, c, wanted, failing_threads::others);
      REQUIRE_FALSE(early.escaped);
    }
    if (fails_in_parts) in_parts += " " + std::string(op->name());
  }
  std::printf("C3: allocations failed in parts of%s\n", in_parts.c_str());
  if (!goldml_test::visits_every_operator()) return;
  for (const char* const name : {" CONVOLUTION", " GEMM", " REDUCE", " RNN", " LSTM", " GRU"})
    CHECK(in_parts.find(name) != std::string::npos);
}
