// NONZERO_COORDINATES on `cpu` with many elements: changing densities, threads, long bands.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "nonzero_check.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

using namespace nonzero_tests;

TEST_CASE("NONZERO_COORDINATES on cpu: alternately dense and sparse, over many units", "[cpu][nonzero_coordinates]") {
  for (const spread which : all_spreads) {
    check<std::uint8_t>({3, 30001}, spread_elements<std::uint8_t>(90003, which), 2);
    check<float16>({2, 3, 40, 300}, spread_elements<float16>(72000, which), 4);
    check<float>({1, 1, 70, 1000}, spread_elements<float>(70000, which), 4, {.words_before = 1});
    check<float>({60000}, spread_elements<float>(60000, which), 1);
    check<float>({3, 300, 70}, {1, 3, 900}, spread_elements<float>(63000, which), 3);
    check<float>({2, 3, 4, 10, 250}, spread_elements<float>(60000, which), 5);
  }
}

TEST_CASE("NONZERO_COORDINATES on cpu: many threads, called from a thread of the pool", "[cpu][nonzero_coordinates]") {
  const auto input = spread_elements<std::uint8_t>(300'000, spread::blocks);
  std::vector<std::uint32_t> wanted(600'000, 99);
  std::vector<std::uint32_t> wanted_count(1);
  nonzero_coordinates(reference, tensor_view{input, {3, 100'000}}, wanted_count, tensor_view{wanted, {300'000, 2}});
  Eigen::ThreadPool pool(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint32_t> rows(600'000, 99);
    std::vector<std::uint32_t> count(1);
    Eigen::Barrier done(1);
    pool.Schedule([&] {
      nonzero_coordinates(cpu.on(pool).with({.threads_from_bytes = 0}), tensor_view{input, {3, 100'000}}, count,
                          tensor_view{rows, {300'000, 2}});
      done.Notify();
    });
    done.Wait();
    CHECK(count == wanted_count);
    CHECK((rows == wanted));
  }
}

#if defined(__linux__)
namespace {

// Rows for many elements, of which few are written: only these use physical memory.
class many_rows {
 public:
  explicit many_rows(std::size_t words)
      : bytes_(words * sizeof(std::uint32_t)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    REQUIRE(memory_ != MAP_FAILED);
  }
  many_rows(const many_rows&) = delete;
  many_rows& operator=(const many_rows&) = delete;
  ~many_rows() { munmap(memory_, bytes_); }

  std::uint32_t* data() const { return static_cast<std::uint32_t*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

// Checks that every path of `cpu` gives exactly these rows, each with one coordinate per size.
void check_large(const dimensions& sizes, const dimensions& strides, const std::vector<std::uint8_t>& input,
                 const std::vector<std::uint32_t>& wanted) {
  const std::uint64_t elements = element_count(sizes);
  const many_rows rows(static_cast<std::size_t>(elements * sizes.size()));
  for (const auto& [name, backend] : all_ways()) {
    INFO(name);
    std::vector<std::uint32_t> count(1);
    std::memset(rows.data(), 0xA5, (wanted.size() + 64) * sizeof(std::uint32_t));
    nonzero_coordinates(backend, tensor_view{input, sizes, strides}, count,
                        tensor_view{rows.data(), {elements, sizes.size()}});
    CHECK(count[0] == wanted.size() / sizes.size());
    CHECK(std::equal(wanted.begin(), wanted.end(), rows.data()));
    CHECK(std::count(rows.data() + wanted.size(), rows.data() + wanted.size() + 64, 0xA5A5'A5A5u) == 64);
  }
}

}  // namespace

TEST_CASE("NONZERO_COORDINATES on cpu: more elements than one slab", "[cpu][nonzero_coordinates]") {
  std::vector<std::uint8_t> line(65536);
  std::vector<std::uint32_t> wanted;
  for (const std::uint32_t place : {5u, 40'000u, 65'535u}) line[place] = 1;
  for (std::uint32_t i = 0; i < 1100; ++i)
    for (const std::uint32_t place : {5u, 40'000u, 65'535u}) wanted.insert(wanted.end(), {i, place});
  check_large({1100, 65536}, {0, 1}, line, wanted);
}

TEST_CASE("NONZERO_COORDINATES on cpu: bands of fewer steps, because each step is long", "[cpu][nonzero_coordinates]") {
  std::vector<std::uint8_t> input(599 * 64 + 40);
  std::vector<std::uint32_t> wanted;
  const std::array<std::array<std::uint32_t, 2>, 6> places{{{0, 5}, {1, 599}, {31, 64}, {32, 0}, {38, 63}, {39, 300}}};
  for (const auto& [a, c] : places) {
    input[a + 64 * c] = 1;
    for (std::uint32_t b = 0; b < 1000; ++b) wanted.insert(wanted.end(), {a, b, c});
  }
  check_large({40, 1000, 600}, {1, 0, 64}, input, wanted);
}
#endif
