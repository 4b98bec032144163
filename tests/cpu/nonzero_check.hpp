// For tests of NONZERO_COORDINATES on `cpu`: all code paths of a call, inputs, and a byte-by-byte comparison of all
// paths with `reference`, including rows past the count, gaps and memory around the outputs. On Linux, no byte outside
// the operands can be read or written.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"
#include "guarded_memory.hpp"

namespace nonzero_tests {

using namespace goldml;
using layouts::from_bits;

// `bytes` bytes at the beginning or the end of memory between unmapped pages.
inline std::byte* take(const goldml_test::guarded_memory& memory, std::size_t bytes, bool at_end) {
  REQUIRE(bytes <= memory.size());
  return memory.bytes() + (at_end ? memory.size() - bytes : 0);
}

inline Eigen::ThreadPool& pool_of_two() {
  static Eigen::ThreadPool pool(2);
  return pool;
}

inline std::vector<std::pair<std::string, cpu_backend>> all_ways() {
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

inline std::size_t span_of(const dimensions& sizes, const dimensions& strides) {
  return static_cast<std::size_t>(last_index(sizes, strides)) + 1;
}

struct output_place {
  dimensions strides = {};       // of {M, N}; packed if empty
  std::size_t words_before = 0;  // distance of the address from a multiple of 64 bytes, if not at the end
};

// Runs `reference` and every path of `cpu`, and compares all memory of the outputs. `elements` are in row-major order;
// with a stride of 0 the last one remains. The input is at the end or at the beginning of its memory in turn, and the
// outputs at the opposite side.
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
  // Also compares 64 words on the side where the memory continues.
  const std::size_t before = outputs_at_end ? 64 : place.words_before;
  const std::size_t all = before + words + (outputs_at_end ? 0 : 64);
  auto* const memory = reinterpret_cast<std::uint32_t*>(
      take(output_memory, all * sizeof(std::uint32_t), outputs_at_end));
  const auto run = [&](const auto& backend) {
    std::vector<std::uint32_t> result(all + 3);
    std::memset(memory, 0xA5, all * sizeof(std::uint32_t));
    std::array<std::uint32_t, 3> count{7, 7, 7};
    nonzero_coordinates(backend, input, tensor_view{count.data() + 1, {1, 1}, {5, 9}},
                        tensor_view{memory + before, rows_sizes, rows_strides});
    std::memcpy(result.data(), memory, all * sizeof(std::uint32_t));
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
              << " of " << all << ", where the rows begin at word " << before << ", is " << got[first] << ", wanted "
              << expected[first]);
    CHECK((got == expected));
  }
}

// Packed.
template <class T>
void check(const dimensions& sizes, const std::vector<T>& elements, std::uint32_t columns,
           const output_place& place = {}) {
  check(sizes, packed_strides(sizes), elements, columns, place);
}

// How the nonzero elements are distributed.
enum class spread { none, all, half, few, first, last, blocks };
inline constexpr std::array all_spreads{spread::none, spread::all,  spread::half,  spread::few,
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

}  // namespace nonzero_tests
