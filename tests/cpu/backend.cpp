// The backend `cpu` itself: instruction sets, threads, and the overhead of a call.
#include <array>
#include <atomic>
#include <cfenv>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/cpu.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;

std::string refusal_of(const char* environment) {
  try {
    detail::choose_instruction_set(environment);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

// A pool that runs its tasks only on request.
struct idle_pool {
  std::vector<std::function<void()>> tasks;
  void Schedule(std::function<void()> task) { tasks.push_back(std::move(task)); }
  int NumThreads() const { return 4; }
};

// The same, but it accepts only one task and then throws.
struct full_pool : idle_pool {
  void Schedule(std::function<void()> task) {
    if (!tasks.empty()) throw std::runtime_error("the pool is full");
    idle_pool::Schedule(std::move(task));
  }
};

}  // namespace

TEST_CASE("cpu: GOLDML_ISA selects an instruction set; an unsupported one is refused") {
  CHECK(detail::choose_instruction_set(nullptr) == detail::choose_instruction_set(""));
  CHECK(is_supported(detail::choose_instruction_set(nullptr)));
  for (const instruction_set set : all_instruction_sets) {
    const std::string name(name_of(set));
    if (is_supported(set))
      CHECK(detail::choose_instruction_set(name.c_str()) == set);
    else
      CHECK(refusal_of(name.c_str()).find("which this processor or build has not") != std::string::npos);
  }
  CHECK(refusal_of("neon").find("GOLDML_ISA is 'neon', wanted " + std::string(name_of(instruction_set::baseline))) !=
        std::string::npos);
  CHECK(refusal_of("AVX2") != "");
}

TEST_CASE("cpu: the names of the instruction sets that are supported") {
  const std::string names = ", " + supported_instruction_sets() + ",";
  CHECK(names.starts_with(", " + std::string(name_of(instruction_set::baseline)) + ","));
  for (const instruction_set set : all_instruction_sets)
    CHECK((names.find(", " + std::string(name_of(set)) + ",") != std::string::npos) == is_supported(set));
}

TEST_CASE("cpu: an instruction set that the processor lacks is refused before anything runs") {
  for (const instruction_set set : all_instruction_sets) {
    if (is_supported(set))
      CHECK(cpu.with(set).instruction_set() == set);
    else
      CHECK_THROWS_AS(cpu.with(set), std::invalid_argument);
  }
}

TEST_CASE("cpu: each part runs exactly once with every pool") {
  for (const std::uint64_t parts : {1U, 2U, 3U, 7U, 100U}) {
    Eigen::ThreadPool pool(3);
    std::vector<std::atomic<int>> runs(parts);
    detail::run_parts(cpu.on(pool), parts, [&](std::uint64_t part) { ++runs[part]; });
    for (const auto& run : runs) CHECK(run == 1);
  }
  idle_pool idle;
  std::array<int, 4> runs{};
  detail::run_parts(cpu.on(idle), 4, [&](std::uint64_t part) { ++runs[part]; });
  CHECK(runs == std::array<int, 4>{1, 1, 1, 1});
  for (auto& task : idle.tasks) task();  // after the call has returned
  CHECK(runs == std::array<int, 4>{1, 1, 1, 1});
}

TEST_CASE("cpu: an exception from a pool is rethrown after all parts, and no task uses the caller's stack later") {
  full_pool full;
  std::array<int, 4> runs{};
  {
    // On the heap, so that a sanitizer detects a task that calls it later.
    const auto run_part =
        std::make_unique<std::function<void(std::uint64_t)>>([&](std::uint64_t part) { ++runs[part]; });
    CHECK_THROWS_AS(detail::run_parts(cpu.on(full), 4, *run_part), std::runtime_error);
  }
  CHECK(runs == std::array<int, 4>{1, 1, 1, 1});
  REQUIRE(full.tasks.size() == 1);
  full.tasks.front()();
  CHECK(runs == std::array<int, 4>{1, 1, 1, 1});
}

TEST_CASE("C3: an exception of a part is rethrown once all started parts have returned, and no more parts start") {
  Eigen::ThreadPool pool(3);
  for (const std::uint64_t thrower : {0U, 1U, 50U, 99U}) {
    std::atomic<int> running = 0, runs = 0;
    CHECK_THROWS_AS(detail::run_parts(cpu.on(pool), 100,
                                      [&](std::uint64_t part) {
                                        ++running;
                                        for (std::atomic<int> idle = 0; idle < 1000; ++idle) continue;
                                        ++runs;
                                        --running;
                                        if (part == thrower) throw std::out_of_range("a part");
                                      }),
                    std::out_of_range);
    CHECK(running == 0);
    CHECK(runs > static_cast<int>(thrower));
  }
  CHECK_THROWS_AS(
      detail::run_parts(cpu.on(pool), 100, [](std::uint64_t) { throw std::out_of_range("each of the parts"); }),
      std::out_of_range);

  idle_pool idle;  // its tasks start after the call
  int runs = 0;
  {
    const auto run_part = std::make_unique<std::function<void(std::uint64_t)>>([&](std::uint64_t part) {
      ++runs;
      if (part == 1) throw std::out_of_range("a part");
    });
    CHECK_THROWS_AS(detail::run_parts(cpu.on(idle), 4, *run_part), std::out_of_range);
  }
  CHECK(runs == 2);
  for (auto& task : idle.tasks) task();
  CHECK(runs == 2);
}

// Parts of all lengths, so that some end just when the caller goes to sleep. With std::atomic::wait it never woke on
// Windows.
TEST_CASE("cpu: the caller is woken after the last part, for parts of any duration") {
  Eigen::ThreadPool pool(2);
  const cpu_backend backend = cpu.on(pool);
  std::uint64_t runs = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::atomic<std::uint64_t> run = 0;
    detail::run_parts(backend, 3, [&](std::uint64_t part) {
      for (std::atomic<std::uint64_t> idle = 0; idle < part * (static_cast<std::uint64_t>(i) % 997); ++idle) continue;
      ++run;
    });
    runs += run;
  }
  CHECK(runs == 60'000);
}

TEST_CASE("cpu: calls from the threads of the pool do not deadlock") {
  Eigen::ThreadPool pool(2);
  const cpu_backend backend = cpu.on(pool).with(cpu_tuning{0, 0});
  std::vector<float> x(1000, 1.0F);
  x[700] = 0;
  Eigen::Barrier done(8);
  std::array<std::uint32_t, 8> found{};
  for (std::uint32_t& index : found)
    pool.Schedule([&] {
      for (int i = 0; i < 50; ++i) argmin(backend, tensor_view(x, {1000}), tensor_view(&index, {1}), {.axes = {0}});
      done.Notify();
    });
  done.Wait();
  CHECK(found == std::array<std::uint32_t, 8>{700, 700, 700, 700, 700, 700, 700, 700});
}

TEST_CASE("cpu: items are distributed without gap or overlap") {
  for (const std::uint64_t items : {1U, 2U, 5U, 64U, 1001U})
    for (const std::uint64_t parts : {1U, 2U, 3U, 5U}) {
      CHECK(detail::part_begin(items, parts, 0) == 0);
      CHECK(detail::part_begin(items, parts, parts) == items);
      for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t size = detail::part_begin(items, parts, part + 1) - detail::part_begin(items, parts, part);
        CHECK((size == items / parts || size == items / parts + 1));
      }
    }
}

TEST_CASE("cpu: small calls, and pools of one thread, schedule no tasks") {
  idle_pool idle;
  CHECK(detail::part_count(cpu, std::uint64_t{1} << 30, 1000) == 1);
  CHECK(detail::part_count(cpu.on(idle), (std::uint64_t{1} << 20) - 1, 1000) == 1);
  CHECK(detail::part_count(cpu.on(idle), std::uint64_t{1} << 20, 1000) == 4);
  CHECK(detail::part_count(cpu.on(idle), std::uint64_t{1} << 20, 3) == 3);
  Eigen::ThreadPool one(1);
  CHECK(detail::part_count(cpu.on(one), std::uint64_t{1} << 30, 1000) == 1);
}

TEST_CASE("cpu: the program's rounding and flushing are put aside during a call, and hold after it") {
  // Volatile, so that no operation moves from where it stands.
  volatile float least = 0x1p-126F, half = 0.5F, one = 1, little = 0x1p-30F, product = 0, sum = 0;
  const flush_subnormals mode;
  std::fesetround(FE_UPWARD);
  {
    const detail::ieee_arithmetic guard;
    product = least * half;
    sum = one + little;
  }
  [[maybe_unused]] volatile float product_after = least * half;
  volatile float sum_after = one + little;
  const int rounding = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(layouts::bits(std::vector<float>{product, sum}) == layouts::bits(std::vector{0x1p-127F, 1.0F}));
  CHECK(rounding == FE_UPWARD);
  CHECK(sum_after == 0x1.000002p0F);
#if GOLDML_TESTS_FLUSH_SUBNORMALS
  CHECK(layouts::bits(std::vector<float>{product_after}) == std::vector<std::uint64_t>{0});
#endif
}

TEST_CASE("cpu: an estimate is certain where both ends of its error, a little enlarged, round alike") {
  using detail::certain;
  CHECK(certain<float>({3, 0x1p-30}) == 3.0F);
  CHECK_FALSE(certain<float>({3, 0x1p-20}));
  CHECK_FALSE(certain<float>({0, 0}));  // of which sign
  CHECK_FALSE(certain<float>({std::numeric_limits<double>::infinity(), 0}));
  CHECK_FALSE(certain<float>({1, std::numeric_limits<double>::quiet_NaN()}));
  // FLOAT16 ends of 1 are 1 - 2^-12 and 1 + 2^-11, ties to even. An error up to one of them is too near.
  CHECK(certain<float16>({1 + 0x1p-12, 0x1p-12 - 0x1p-40}) == float16(1.0F));
  CHECK_FALSE(certain<float16>({1 + 0x1p-12, 0x1p-12}));
  CHECK(certain<float16>({1 - 0x1p-13, 0x1p-13 - 0x1p-40}) == float16(1.0F));
  CHECK_FALSE(certain<float16>({1 - 0x1p-13, 0x1p-13}));
}
