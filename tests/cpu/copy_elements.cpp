// Copies of tensors with any strides, by the engine under all operators that move elements, against plain loops.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <utility>
#include <vector>

#include <goldml/cpu/engine/move.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "guarded_memory.hpp"

namespace {

using namespace goldml;

// A loop over the elements of the output and the input; strides in elements.
struct copy_loop {
  std::uint64_t size;
  std::uint64_t to;
  std::uint64_t from;
};
using copy_loops = std::vector<copy_loop>;

std::string text_of(const copy_loops& loops) {
  std::string text;
  for (const copy_loop& l : loops)
    text += std::to_string(l.size) + " (" + std::to_string(l.to) + ", " + std::to_string(l.from) + ") ";
  return text;
}

std::uint64_t extent(const copy_loops& loops, std::uint64_t copy_loop::*stride) {
  std::uint64_t last = 0;
  for (const copy_loop& l : loops) last += (l.size - 1) * l.*stride;
  return last + 1;
}

template <std::size_t Size>
void copy_plainly(const copy_loops& loops, std::size_t depth, std::byte* to, const std::byte* from) {
  if (depth == loops.size()) {
    std::memcpy(to, from, Size);
    return;
  }
  const copy_loop& l = loops[depth];
  for (std::uint64_t i = 0; i < l.size; ++i)
    copy_plainly<Size>(loops, depth + 1, to + i * l.to * Size, from + i * l.from * Size);
}

// Both tensors lie at the end of readable memory, or `shift` bytes after its beginning.
template <std::size_t Size>
bool copies(const cpu_backend& backend, const copy_loops& loops, bool at_end, std::size_t shift) {
  const goldml_test::guarded_memory input(shift + extent(loops, &copy_loop::from) * Size, at_end);
  const goldml_test::guarded_memory output(shift + extent(loops, &copy_loop::to) * Size, at_end);
  std::uint64_t random = 1;
  for (std::size_t i = 0; i < input.size(); ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    input.bytes()[i] = static_cast<std::byte>(random >> 56);
  }
  std::vector<std::byte> wanted(output.size(), std::byte{0xEE});
  std::memcpy(output.bytes(), wanted.data(), wanted.size());
  copy_plainly<Size>(loops, 0, wanted.data() + shift, input.bytes() + shift);
  detail::loop_nest<2> nest;
  for (const copy_loop& l : loops) nest.add(l.size, {l.to * Size, l.from * Size});
  detail::copy_elements<Size>(backend, nest, output.bytes() + shift, input.bytes() + shift);
  return std::memcmp(output.bytes(), wanted.data(), wanted.size()) == 0;
}

template <std::size_t Size>
void check(const cpu_backend& backend, const copy_loops& loops) {
  INFO(Size << " bytes: " << text_of(loops));
  CHECK(copies<Size>(backend, loops, true, 0));
  for (const std::size_t shift : {std::size_t{0}, std::size_t{1}, Size, std::size_t{60}})
    CHECK(copies<Size>(backend, loops, false, shift));
}

// Matrices of r x c elements, written in rows.
std::vector<copy_loops> matrices(std::uint64_t r, std::uint64_t c) {
  return {
      {{r, c, 1}, {c, 1, r}},                             // columns are contiguous in the input, without gaps
      {{r, c, 1}, {c, 1, r + 3}},                         // with gaps
      {{r, c + 5, 1}, {c, 1, r}},                         // gaps in the output
      {{r, c + 64, 1}, {c, 1, r + 64}},                   // the same in whole cache lines
      {{2, 2 * r * c, r}, {r, 2 * c, 1}, {c, 1, 2 * r}},  // batches, rows of the output apart
      {{r, c, 2 * c}, {c, 1, 2}},                         // every second element
      {{r, c, 2}, {c, 1, 2 * r}},                         // the same of a transposed matrix
      {{r, c, 1}, {c, 1, 0}},                             // broadcast columns
      {{3, r * c, 0}, {r, c, 1}, {c, 1, r}},              // a transposed matrix several times
      {{3, r * c, 0}, {r, c, c + 1}, {c, 1, 1}},          // rows several times
      {{r, c, 0}, {c, 1, 1}},                             // a row several times
      {{r, c, c + 7}, {c, 1, 1}},                         // rows apart in the input
      {{r, c + 3, c + 7}, {c, 1, 1}},                     // and in the output
      {{r, 2 * c, 1}, {c, 2, r}},                         // every second element of the output
  };
}

template <class F>
void for_each_width(const F& f) {
  f(std::integral_constant<std::size_t, 1>{});
  f(std::integral_constant<std::size_t, 2>{});
  f(std::integral_constant<std::size_t, 4>{});
  f(std::integral_constant<std::size_t, 8>{});
}

constexpr cpu_tuning always{.threads_from_bytes = 0, .streaming_from_bytes = 0};
constexpr cpu_tuning never{.threads_from_bytes = ~std::uint64_t{0}, .streaming_from_bytes = ~std::uint64_t{0}};

}  // namespace

TEST_CASE("copy_elements: small matrices of all shapes, in each width", "[cpu][move]") {
  goldml_test::thinned cases(3);
  for_each_width([&](auto width) {
    for (const std::uint64_t r : {1U, 2U, 3U, 4U, 5U, 8U, 15U, 16U, 17U, 33U})
      for (const std::uint64_t c : {1U, 2U, 3U, 4U, 5U, 8U, 15U, 16U, 17U, 35U})
        for (const copy_loops& loops : matrices(r, c))
          for (const cpu_tuning& tuning : {always, never})
            if (!cases.skips()) check<width.value>(cpu.with(tuning), loops);
  });
}

TEST_CASE("copy_elements: matrices of several blocks, with threads", "[cpu][move]") {
  Eigen::ThreadPool pool(3);
  goldml_test::thinned cases(7);
  for_each_width([&](auto width) {
    for (const auto& [r, c] :
         {std::pair{63U, 129U}, std::pair{130U, 257U}, std::pair{513U, 64U}, std::pair{2U, 9001U}, std::pair{9001U, 2U},
          std::pair{3U, 5001U}, std::pair{4U, 4500U}, std::pair{4500U, 4U}, std::pair{5001U, 3U}, std::pair{4503U, 8U},
          std::pair{4507U, 16U}, std::pair{19U, 9001U}})
      for (const copy_loops& loops : matrices(r, c)) {
        if (cases.skips()) continue;
        check<width.value>(cpu.with(always), loops);
        check<width.value>(cpu.on(pool).with(always), loops);
        check<width.value>(cpu.with(never), loops);
      }
  });
}

TEST_CASE("copy_elements: more than 4 MiB", "[cpu][move]") {
  Eigen::ThreadPool pool(2);
  goldml_test::thinned cases(7);
  for_each_width([&](auto width) {
    const std::uint64_t side = width.value == 1 ? 2'111 : width.value == 2 ? 1'501 : 1'056;
    const std::vector<copy_loops> all{
        {{side, side + 1, 1}, {side + 1, 1, side}},
        {{1024, 8192, 1}, {8192, 1, 1024}},  // distances that are powers of two
        {{512, 8192, 2048}, {2, 4096, 1024 * 2048}, {2048, 2, 1}, {2, 1, 512 * 2048}},  // DEPTH_TO_SPACE
        {{2, 1024 * 2048, 4096}, {2, 512 * 2048, 1}, {512, 2048, 8192}, {2048, 1, 2}},  // SPACE_TO_DEPTH
        {{4, 1'100'000, 0}, {1'100'000, 1, 1}},
    };
    for (const copy_loops& loops : all) {
      INFO(width.value << " bytes: " << text_of(loops));
      for (const std::size_t shift : {std::size_t{0}, std::size_t{16}, std::size_t{3}}) {
        if (cases.skips()) continue;
        CHECK(copies<width.value>(cpu, loops, false, shift));
        CHECK(copies<width.value>(cpu.on(pool), loops, true, shift));
      }
    }
  });
}
