// Loop nests and the distribution of items over threads: what loop_nest.hpp and parallel.hpp say of each function.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using nest_of_two = detail::loop_nest<2>;
using loops = std::vector<std::array<std::uint64_t, 3>>;  // size, stride, stride

nest_of_two nest_of(const loops& wanted) {
  nest_of_two nest;
  for (const auto& [size, first, second] : wanted) nest.add(size, {first, second});
  return nest;
}

loops loops_of(const nest_of_two& nest) {
  loops found;
  for (std::size_t i = 0; i < nest.size(); ++i) found.push_back({nest[i].size, nest[i].stride[0], nest[i].stride[1]});
  return found;
}

// The offsets of all iterations, in order, by counting each loop.
std::vector<std::array<std::uint64_t, 2>> offsets_of(const loops& wanted) {
  std::vector<std::array<std::uint64_t, 2>> all{{0, 0}};
  for (const auto& [size, first, second] : wanted) {
    std::vector<std::array<std::uint64_t, 2>> next;
    for (const auto& [a, b] : all)
      for (std::uint64_t i = 0; i < size; ++i) next.push_back({a + i * first, b + i * second});
    all = next;
  }
  return all;
}

// A pool that starts no task.
struct idle_pool {
  int threads = 4;
  void Schedule(const std::function<void()>&) {}
  int NumThreads() const { return threads; }
};

}  // namespace

TEST_CASE("cpu loop nests: loops of size 1 are dropped, loops are taken from inside and removed anywhere") {
  nest_of_two nest = nest_of({{2, 30, 1}, {1, 7, 7}, {3, 10, 2}, {5, 2, 6}});
  CHECK(loops_of(nest) == loops{{2, 30, 1}, {3, 10, 2}, {5, 2, 6}});
  CHECK(nest.back().size == 5);
  CHECK(nest.iterations() == 30);

  nest.remove(1);
  CHECK(loops_of(nest) == loops{{2, 30, 1}, {5, 2, 6}});
  nest.remove(1);
  CHECK(loops_of(nest) == loops{{2, 30, 1}});
  CHECK_FALSE(nest.empty());
  const detail::loop<2> last = nest.take_innermost();
  CHECK((last.size == 2 && last.stride == std::array<std::uint64_t, 2>{30, 1}));
  CHECK(nest.empty());
  CHECK(nest.iterations() == 1);
  const detail::loop<2> none = nest.take_innermost();
  CHECK((none.size == 1 && none.stride == std::array<std::uint64_t, 2>{0, 0}));
}

TEST_CASE("cpu loop nests: sorting is by descending stride of one operand, and stable") {
  nest_of_two nest = nest_of({{2, 5, 1}, {3, 9, 2}, {4, 5, 3}, {5, 10, 4}});
  nest.sort_by_stride(0);
  CHECK(loops_of(nest) == loops{{5, 10, 4}, {3, 9, 2}, {2, 5, 1}, {4, 5, 3}});
  nest.sort_by_stride(1);
  CHECK(loops_of(nest) == loops{{5, 10, 4}, {4, 5, 3}, {3, 9, 2}, {2, 5, 1}});
}

TEST_CASE("cpu loop nests: neighbouring loops merge if they are one loop for every operand") {
  const auto merged = [](const loops& wanted) {
    nest_of_two nest = nest_of(wanted);
    nest.merge();
    return loops_of(nest);
  };
  CHECK(merged({}) == loops{});
  CHECK(merged({{2, 12, 24}, {3, 4, 8}, {4, 1, 2}}) == loops{{24, 1, 2}});
  CHECK(merged({{2, 12, 24}, {3, 4, 9}, {4, 1, 2}}) == loops{{2, 12, 24}, {3, 4, 9}, {4, 1, 2}});  // for one alone
  CHECK(merged({{2, 13, 24}, {3, 4, 8}, {4, 1, 2}}) == loops{{2, 13, 24}, {12, 1, 2}});
  CHECK(merged({{2, 12, 24}, {3, 4, 8}, {4, 2, 2}}) == loops{{6, 4, 8}, {4, 2, 2}});
  CHECK(merged({{2, 0, 0}, {3, 0, 0}}) == loops{{6, 0, 0}});
}

TEST_CASE("cpu loop nests: iterations come in order from any of them, and the last is followed by the first") {
  for (const loops& wanted : {loops{}, loops{{4, 3, 100}}, loops{{2, 100, 1}, {3, 7, 20}, {2, 1, 5}},
                              loops{{3, 0, 1}, {2, 50, 0}}, loops{{2, 1000, 2}, {2, 1, 3}, {2, 30, 7}, {3, 11, 1}}}) {
    const nest_of_two nest = nest_of(wanted);
    const auto all = offsets_of(wanted);
    REQUIRE(nest.iterations() == all.size());
    for (std::size_t begin = 0; begin < all.size(); ++begin) {
      CHECK(detail::offsets_at(nest, begin) == all[begin]);
      nest_of_two::position p = nest.begin_at(begin);
      CHECK(p.offset == all[begin]);
      nest.advance(p);
      CHECK(p.offset == all[(begin + 1) % all.size()]);
      for (std::size_t end = begin; end <= all.size(); ++end) {
        std::vector<std::array<std::uint64_t, 2>> visited;
        nest.for_range(begin, end, [&](const auto& offsets) { visited.push_back(offsets); });
        CHECK(visited == decltype(visited)(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                           all.begin() + static_cast<std::ptrdiff_t>(end)));
      }
    }
    std::vector<std::array<std::uint64_t, 2>> visited;
    nest.for_each([&](const auto& offsets) { visited.push_back(offsets); });
    CHECK(visited == all);
  }
  int calls = 0;
  nest_of({{4, 1, 1}}).for_range(3, 2, [&](const auto&) { ++calls; });
  CHECK(calls == 0);
}

TEST_CASE("cpu: a backend without a pool has one thread, and small parts are four for each thread") {
  CHECK(cpu_backend{}.threads() == 1);
  CHECK(cpu_backend{}.tuning().threads_from_bytes == std::uint64_t{1} << 20);
  idle_pool pool;
  CHECK(cpu.on(pool).threads() == 4);
  const cpu_backend backend = cpu.on(pool).with(cpu_tuning{100, 0});
  CHECK(detail::small_part_count(backend, 99, 1000) == 1);
  CHECK(detail::small_part_count(backend, 100, 1000) == 16);
  CHECK(detail::small_part_count(backend, 100, 16) == 16);
  CHECK(detail::small_part_count(backend, 100, 15) == 15);
  CHECK(detail::small_part_count(backend, 100, 3) == 3);
  CHECK(detail::small_part_count(backend, 100, 1) == 1);
  CHECK(detail::small_part_count(cpu, 100, 1000) == 1);
  idle_pool two{2}, none{0};
  CHECK(detail::part_count(cpu.on(two).with(cpu_tuning{100, 0}), 100, 1000) == 2);
  CHECK(cpu.on(none).threads() == 1);
}

TEST_CASE("cpu: the first items of parts, one more in each of the first parts") {
  const auto begins = [](std::uint64_t items, std::uint64_t parts) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t part = 0; part <= parts; ++part) all.push_back(detail::part_begin(items, parts, part));
    return all;
  };
  CHECK(begins(10, 4) == std::vector<std::uint64_t>{0, 3, 6, 8, 10});
  CHECK(begins(8, 4) == std::vector<std::uint64_t>{0, 2, 4, 6, 8});
  CHECK(begins(2, 3) == std::vector<std::uint64_t>{0, 1, 2, 2});

  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  detail::parallel_for_parts(cpu, 1, 7,
                             [&](std::uint64_t begin, std::uint64_t end) { ranges.emplace_back(begin, end); });
  CHECK(ranges == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 7}});
}
