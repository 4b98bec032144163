// NONZERO_COORDINATES of the backend `cpu` against `reference`, byte by byte, rows past the count and gaps included:
// every instruction set that this processor has, one thread and two, the ways for small tensors and those for large.
// On Linux no byte next to the operands can be read or written.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"
#include "guarded_memory.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

using namespace goldml;
using layouts::from_bits;
using layouts::layout;

// `bytes` at the beginning or at the end of memory beyond whose ends there is none.
std::byte* take(const goldml_test::guarded_memory& memory, std::size_t bytes, bool at_end) {
  REQUIRE(bytes <= memory.size());
  return memory.bytes() + (at_end ? memory.size() - bytes : 0);
}

Eigen::ThreadPool& pool_of_two() {
  static Eigen::ThreadPool pool(2);
  return pool;
}

std::vector<std::pair<std::string, cpu_backend>> all_ways() {
  std::vector<std::pair<std::string, cpu_backend>> ways;
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    const cpu_tuning large{.threads_from_bytes = 0, .streaming_from_bytes = 0};
    const cpu_tuning never{.threads_from_bytes = ~std::uint64_t{0}, .streaming_from_bytes = ~std::uint64_t{0}};
    ways.emplace_back(std::string(name_of(set)) + ", one thread, plain", cpu.with(set).with(never));
    ways.emplace_back(std::string(name_of(set)) + ", one thread, past the caches", cpu.with(set).with(large));
    ways.emplace_back(std::string(name_of(set)) + ", one thread, past the caches now and then",
                      cpu.with(set).with({.threads_from_bytes = 0, .streaming_from_bytes = 200'000}));
    ways.emplace_back(std::string(name_of(set)) + ", two threads", cpu.with(set).with(large).on(pool_of_two()));
  }
  return ways;
}

std::size_t span_of(const dimensions& sizes, const dimensions& strides) {
  return static_cast<std::size_t>(last_index(sizes, strides)) + 1;
}

struct output_place {
  dimensions strides = {};       // of {M, N}; packed when empty
  std::size_t words_before = 0;  // of the address: how far from a multiple of 64 bytes, when not at the end
};

// Runs `reference` and every way of `cpu`, and compares all the memory of the outputs. `elements` in row-major order,
// where a stride of 0 lets the last one stay. The input lies at the end and at the beginning of its memory in turn, the
// outputs at the other side.
template <class T>
void check(const dimensions& sizes, const dimensions& strides, const std::vector<T>& elements, std::uint32_t columns,
           const output_place& place = {}) {
  static const goldml_test::guarded_memory input_memory(std::size_t{1} << 22, true);
  static const goldml_test::guarded_memory output_memory(std::size_t{1} << 22, true);
  static const auto ways = all_ways();
  static bool at_end = false;
  at_end = !at_end;

  const std::size_t span = span_of(sizes, strides);
  auto* const data = reinterpret_cast<T*>(take(input_memory, span * sizeof(T), at_end));
  for (std::size_t i = 0; i < span; ++i) data[i] = from_bits<T>(0x0101'0101u);  // gaps are not zero
  std::size_t next = 0;
  for (const coordinate_tuple& c : coordinates_of(sizes)) data[offset_of(c, strides)] = elements[next++];
  const tensor_view<const T> input(data, sizes, strides);

  const dimensions rows_sizes{elements.size(), columns};
  const dimensions rows_strides = place.strides.empty() ? packed_strides(rows_sizes) : place.strides;
  const std::size_t words = span_of(rows_sizes, rows_strides);
  const bool outputs_at_end = !at_end && place.words_before == 0;
  auto* const rows = reinterpret_cast<std::uint32_t*>(
                         take(output_memory, (words + place.words_before) * sizeof(std::uint32_t), outputs_at_end)) +
                     place.words_before;
  const auto run = [&](const auto& backend) {
    std::vector<std::uint32_t> result(words + 3);
    std::memset(rows, 0xA5, words * sizeof(std::uint32_t));
    std::array<std::uint32_t, 3> count{7, 7, 7};
    nonzero_coordinates(backend, input, tensor_view{count.data() + 1, {1, 1}, {5, 9}},
                        tensor_view{rows, rows_sizes, rows_strides});
    std::memcpy(result.data(), rows, words * sizeof(std::uint32_t));
    std::copy(count.begin(), count.end(), result.end() - 3);
    return result;
  };
  const auto expected = run(reference);
  for (const auto& [name, backend] : ways) {
    const auto got = run(backend);
    if (got == expected) continue;
    std::size_t first = 0;
    while (got[first] == expected[first]) ++first;
    INFO(name << "; sizes " << fmt::format("{} strides {}", sizes, strides) << ", N " << columns << ", rows strides "
              << fmt::format("{}", rows_strides) << ", words before " << place.words_before << ": word " << first
              << " of " << words << " is " << got[first] << ", wanted " << expected[first]);
    CHECK((got == expected));
  }
}

// Packed.
template <class T>
void check(const dimensions& sizes, const std::vector<T>& elements, std::uint32_t columns,
           const output_place& place = {}) {
  check(sizes, packed_strides(sizes), elements, columns, place);
}

// How the elements that are not zero are spread.
enum class spread { none, all, half, few, first, last, blocks };
constexpr std::array all_spreads{spread::none, spread::all,  spread::half,  spread::few,
                                 spread::first, spread::last, spread::blocks};

template <class T>
std::vector<T> spread_elements(std::size_t count, spread which, std::uint64_t seed = 1) {
  std::vector<T> elements(count, from_bits<T>(0));
  std::uint64_t random = seed * 0x9E37'79B9'7F4A'7C15u + 1;
  for (std::size_t i = 0; i < count; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const std::uint64_t dice = random >> 32;
    const bool is_set = which == spread::all || (which == spread::half && dice % 2 == 0) ||
                        (which == spread::few && dice % 100 == 0) || (which == spread::first && i == 0) ||
                        (which == spread::last && i + 1 == count) ||
                        (which == spread::blocks && (i / 3000 % 2 == 0 ? dice % 8 != 0 : dice % 500 == 0));
    if (is_set) elements[i] = from_bits<T>(dice % 127 + 1);
  }
  return elements;
}

template <class... T, class F>
void for_each_type(type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}
using one_type_a_size = type_list<std::uint8_t, float16, float>;

}  // namespace

TEST_CASE("NONZERO_COORDINATES on cpu: the page's example", "[cpu][nonzero_coordinates]") {
  const std::vector<float> input{1, 0, 0, 2, -0.0f, 3.5f, 0, -5.2f};
  for (const auto& [name, backend] : all_ways()) {
    std::vector<std::uint32_t> count(1);
    std::vector<std::uint32_t> rows(24, 99);
    nonzero_coordinates(backend, tensor_view{input, {1, 1, 2, 4}}, tensor_view{count, {1, 1, 1, 1}},
                        tensor_view{rows, {1, 1, 8, 3}});
    std::vector<std::uint32_t> wanted{0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3};
    wanted.resize(24, 99);
    INFO(name);
    CHECK(count[0] == 4);
    CHECK(rows == wanted);
  }
}

TEST_CASE("NONZERO_COORDINATES on cpu: each place alone", "[cpu][nonzero_coordinates]") {
  for_each_type(one_type_a_size{}, []<class T>(std::type_identity<T>) {
    for (const auto& [name, backend] : all_ways())
      for (const std::uint32_t size : {1u, 7u, 64u, 65u, 200u, 321u})
        for (std::uint32_t place = 0; place < size; ++place) {
          std::vector<T> input(size, from_bits<T>(0));
          input[place] = from_bits<T>(1);
          std::vector<std::uint32_t> count(1);
          std::vector<std::uint32_t> rows(size, 99);
          nonzero_coordinates(backend, input, count, tensor_view{rows, {size, 1}});
          std::vector<std::uint32_t> wanted(size, 99);
          wanted[0] = place;
          if (count[0] != 1 || rows != wanted) FAIL(name << ": size " << size << ", place " << place);
        }
  });
}

TEST_CASE("NONZERO_COORDINATES on cpu: lengths round those of words, runs and units", "[cpu][nonzero_coordinates]") {
  std::vector<std::size_t> lengths;
  for (std::size_t length = 1; length <= 130; ++length) lengths.push_back(length);
  for (const std::size_t edge : {192u, 256u, 320u, 512u, 1024u, 1088u, 2048u, 4096u, 8192u, 12288u})
    for (std::size_t length = edge - 1; length <= edge + 1; ++length) lengths.push_back(length);
  for_each_type(one_type_a_size{}, [&]<class T>(std::type_identity<T>) {
    for (const std::size_t length : lengths)
      for (const spread which : all_spreads) check<T>({length}, spread_elements<T>(length, which, length), 1);
  });
}

TEST_CASE("NONZERO_COORDINATES on cpu: what is zero, in every place of a vector", "[cpu][nonzero_coordinates]") {
  const auto check_patterns = [] {
    for_each_type(a8_types{}, []<class T>(std::type_identity<T>) {
      constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
      std::vector<std::uint64_t> patterns{0, sign, 1, sign | 1, 2 * sign - 1, sign - 1};
      for (std::uint64_t bit = 1; bit <= sign; bit *= 2) patterns.push_back(bit);
      if constexpr (std::is_same_v<T, float>)
        for (const std::uint32_t x :
             {0x007F'FFFFu, 0x0080'0000u, 0x7F80'0000u, 0xFF80'0000u, 0x7F80'0001u, 0xFFC0'0000u})
          patterns.push_back(x);
      if constexpr (std::is_same_v<T, float16>)
        for (const std::uint32_t x : {0x03FFu, 0x0400u, 0x7C00u, 0xFC00u, 0x7C01u, 0xFE00u}) patterns.push_back(x);
      // A length without common divisor with any vector's, so that each pattern comes to each place.
      const std::size_t cycle = patterns.size() + (patterns.size() % 2 == 0 ? 1 : 0);
      std::vector<T> elements(64 * cycle + 5, from_bits<T>(0));
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (i % cycle < patterns.size()) elements[i] = from_bits<T>(patterns[i % cycle]);
      check<T>({elements.size()}, elements, 1);
      check<T>({elements.size()}, {3}, elements, 1);  // one at a time
    });
  };
  check_patterns();
  const flush_subnormals flushing;
  check_patterns();
}

TEST_CASE("NONZERO_COORDINATES on cpu: all sizes of rows, and all numbers of columns", "[cpu][nonzero_coordinates]") {
  const std::vector<dimensions> shapes{{1},
                                       {5, 1},
                                       {1, 3, 1},
                                       {3, 1, 5, 1},
                                       {40, 2},
                                       {100, 3},
                                       {30, 63},
                                       {30, 64},
                                       {30, 65},
                                       {9, 85},
                                       {9, 86},
                                       {9, 100},
                                       {7, 127},
                                       {7, 128},
                                       {7, 129},
                                       {5, 255},
                                       {5, 256},
                                       {5, 257},
                                       {3, 300},
                                       {3, 1000},
                                       {2, 5000},
                                       {11, 16, 16},
                                       {40, 17, 16},
                                       {300, 5, 3},
                                       {2, 300, 1, 3},
                                       {1, 1, 12, 5},
                                       {1, 1, 70, 70},
                                       {2, 3, 4, 5, 6},
                                       {3, 1, 2, 1, 700},
                                       {2, 2, 2, 2, 2, 200},
                                       {2, 1, 3, 2, 1, 2, 50},
                                       {2, 2, 2, 2, 2, 2, 2, 2},
                                       {3, 3, 3, 3, 3, 3, 3, 3},
                                       {1, 1, 1, 1, 1, 1, 1, 1},
                                       {1, 1, 1, 1, 1, 1, 64, 64}};
  for (const dimensions& sizes : shapes)
    for (const spread which : {spread::all, spread::half, spread::few}) {
      const auto elements = spread_elements<std::uint16_t>(element_count(sizes), which, sizes.size());
      for (std::size_t columns = std::max<std::size_t>(1, effective_rank(sizes)); columns <= sizes.size(); ++columns)
        check<std::uint16_t>(sizes, elements, static_cast<std::uint32_t>(columns));
    }
}

TEST_CASE("NONZERO_COORDINATES on cpu: layouts of the input", "[cpu][nonzero_coordinates]") {
  const std::vector<dimensions> shapes{
      {7},         {3, 5},     {64, 64},    {65, 70},   {70, 130},    {200, 3},       {3, 200},
      {8, 64},     {7, 90},    {2, 70, 70}, {70, 2, 70}, {70, 70, 2}, {5, 66, 9},     {3, 4, 5, 6},
      {1, 1, 20, 300}, {2, 64, 1, 65}, {2, 2, 3, 2, 2, 3, 2, 2}};
  for_each_type(one_type_a_size{}, [&]<class T>(std::type_identity<T>) {
    for (const dimensions& sizes : shapes)
      for (const spread which : {spread::all, spread::half, spread::few}) {
        const auto elements = spread_elements<T>(element_count(sizes), which, sizes.size());
        const auto columns = static_cast<std::uint32_t>(sizes.size());
        for (const layout of_input : layouts::all_layouts)
          check<T>(sizes, strides_of(of_input, sizes), elements, columns);
        // Each dimension in turn the fastest, the others as they were; and each in turn broadcast.
        for (std::size_t fastest = 0; fastest < sizes.size(); ++fastest) {
          dimensions strides = sizes;
          std::uint32_t stride = sizes[fastest];
          for (std::size_t i = sizes.size(); i-- > 0;)
            if (i != fastest) stride *= std::exchange(strides[i], stride);
          strides[fastest] = 1;
          check<T>(sizes, strides, elements, columns);
          strides = packed_strides(sizes);
          strides[fastest] = 0;
          check<T>(sizes, strides, elements, columns);
        }
        check<T>(sizes, dimensions::filled(sizes.size(), 0), elements, columns);
      }
  });
  // Elements that overlap: a window slides over 100 numbers.
  check<float>({40, 61}, {1, 1}, spread_elements<float>(40 * 61, spread::half), 2);
  check<float>({70, 70}, {1, 70}, spread_elements<float>(70 * 70, spread::half), 2);
}

TEST_CASE("NONZERO_COORDINATES on cpu: layouts of the rows", "[cpu][nonzero_coordinates]") {
  for (const dimensions& sizes : {dimensions{1500}, {1, 1500}, {50, 30}, {3, 50, 10}, {2, 3, 50, 5}, {2, 3, 5, 5, 10},
                                  {1, 3, 2, 5, 5, 10}, {1, 1, 3, 2, 5, 5, 10}, {1, 1, 1, 3, 2, 5, 5, 10}})
    for (const spread which : {spread::all, spread::half, spread::few}) {
      const auto elements = spread_elements<float>(element_count(sizes), which);
      const auto columns = static_cast<std::uint32_t>(sizes.size());
      const dimensions rows_sizes{elements.size(), columns};
      for (const layout of_rows : layouts::all_layouts)
        check<float>(sizes, elements, columns, {.strides = strides_of(of_rows, rows_sizes)});
      check<float>(sizes, elements, columns, {.strides = {2, 2 * elements.size()}});  // as ONNX Runtime binds them
      check<float>(sizes, elements, columns, {.strides = {4, 4 * elements.size()}});
      check<float>(sizes, elements, columns, {.strides = {16, 1}});
      for (std::size_t words = 1; words < 16; ++words) check<float>(sizes, elements, columns, {.words_before = words});
    }
}

TEST_CASE("NONZERO_COORDINATES on cpu: dense and sparse by turns, over many units", "[cpu][nonzero_coordinates]") {
  for (const spread which : all_spreads) {
    check<std::uint8_t>({3, 30001}, spread_elements<std::uint8_t>(90003, which), 2);
    check<float16>({2, 3, 40, 300}, spread_elements<float16>(72000, which), 4);
    check<float>({1, 1, 70, 1000}, spread_elements<float>(70000, which), 4, {.words_before = 1});
    check<float>({60000}, spread_elements<float>(60000, which), 1);
    check<float>({3, 300, 70}, {1, 3, 900}, spread_elements<float>(63000, which), 3);
    check<float>({2, 3, 4, 10, 250}, spread_elements<float>(60000, which), 5);
  }
}

TEST_CASE("NONZERO_COORDINATES on cpu: many threads, from one of the pool's own", "[cpu][nonzero_coordinates]") {
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
// Only the rows that are written become real memory.
TEST_CASE("NONZERO_COORDINATES on cpu: more elements than are shared at once", "[cpu][nonzero_coordinates]") {
  constexpr std::uint32_t height = 1100;
  constexpr std::uint32_t width = 65536;
  constexpr std::size_t bytes = std::size_t{height} * width * 2 * sizeof(std::uint32_t);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* const rows = static_cast<std::uint32_t*>(memory);
  std::vector<std::uint8_t> line(width);
  const std::array<std::uint32_t, 3> places{5, 40'000, width - 1};
  for (const std::uint32_t place : places) line[place] = 1;
  for (const auto& [name, backend] : all_ways()) {
    INFO(name);
    std::vector<std::uint32_t> count(1);
    std::memset(rows, 0xA5, (3 * height + 1) * 2 * sizeof(std::uint32_t));
    nonzero_coordinates(backend, tensor_view{line, {height, width}, {0, 1}}, count,
                        tensor_view{rows, {height * width, 2}});
    CHECK(count[0] == 3 * height);
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < 3 * height; ++i)
      if (rows[2 * i] != i / 3 || rows[2 * i + 1] != places[i % 3]) ++wrong;
    CHECK(wrong == 0);
    CHECK(rows[6 * height] == 0xA5A5'A5A5);
  }
  CHECK(munmap(memory, bytes) == 0);
}
#endif

TEST_CASE("NONZERO_COORDINATES on cpu: refusals leave the outputs as they were", "[cpu][nonzero_coordinates]") {
  const std::vector<float> input(12, 1.0f);
  std::vector<std::uint32_t> count(1, 99);
  std::vector<std::uint32_t> rows(24, 99);
  for (const auto& [name, backend] : all_ways()) {
    const auto refused = [&](const auto& by, const dimensions& rows_sizes) {
      return refusal_of(
          [&] { nonzero_coordinates(by, tensor_view{input, {3, 4}}, count, tensor_view{rows, rows_sizes}); });
    };
    CHECK(refused(backend, {11, 2}) == "N3");
    CHECK(refused(backend, {12, 1}) == "N4");
    CHECK(refused(backend, {11, 2}) == refused(reference, {11, 2}));
    CHECK(refused(backend, {12, 1}) == refused(reference, {12, 1}));
  }
  CHECK(count[0] == 99);
  CHECK(rows == std::vector<std::uint32_t>(24, 99));
}

TEST_CASE("NONZERO_COORDINATES on cpu: the run-time call and the returning call", "[cpu][nonzero_coordinates]") {
  for_each_type(a8_types{}, []<class T>(std::type_identity<T>) {
    const std::vector<T> elements{T(1), T(0), T(3), T(0), T(0), T(2)};
    std::vector<std::uint32_t> count(1);
    std::vector<std::uint32_t> rows(12, 99);
    nonzero_coordinates(cpu, const_tensor_ref(tensor_view{elements, {2, 3}}),
                        tensor_ref(tensor_view{count, dimensions::filled(8, 1)}),
                        tensor_ref(tensor_view{rows, {1, 6, 2}}));
    CHECK(count[0] == 3);
    CHECK(rows == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 2, 99, 99, 99, 99, 99, 99});
    const auto result = nonzero_coordinates(cpu, tensor<T>({2, 3}, elements));
    CHECK(result.count == 3);
    CHECK(result.coordinates.elements() == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 0, 0});
  });
}
