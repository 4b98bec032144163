// The machine's memory limit: the time to stream as many bytes as a workload's least traffic, with the same proportion
// of reads and writes, with the fastest of several loops. The loops compute nothing. They differ in prefetch distance,
// number of streams, granularity of alternating reads and writes, and the kind of stores (non-temporal, or the C
// library's). They use their own buffers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <goldml/cpu/engine/base/instruction_set.hpp>

#include "workloads.hpp"

namespace benchmarks {

inline constexpr std::size_t line = 64;

// Whole cache lines.
class streaming_buffer {
 public:
  explicit streaming_buffer(std::uint64_t bytes)
      : lines_(static_cast<std::size_t>((bytes + line - 1) / line)), memory_((lines_ + 1) * line) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    begin_ = memory_.data() + (line - address % line) % line;
  }
  std::size_t lines() const { return lines_; }
  unsigned char* begin() { return begin_; }

 private:
  std::size_t lines_;
  std::vector<unsigned char> memory_;
  unsigned char* begin_;
};

// The loops store their results here, so that reads are not optimised away.
inline std::atomic<std::uint64_t> streaming_sink{0};

// Four sums of the values read, so that additions do not depend on each other.
template <class Set>
struct read_sums {
  static constexpr std::size_t lanes = Set::vector_bytes / sizeof(std::uint64_t);
  using words = goldml::simd::vector<std::uint64_t, lanes>;
  std::array<words, 4> sum;

  GOLDML_INLINE read_sums() {
    for (words& s : sum) s = words{};
  }
  // Reads, and prefetches `Ahead` bytes ahead (0: no prefetching).
  template <std::size_t Ahead>
  GOLDML_INLINE void read(const unsigned char* from, std::size_t lines) {
    for (std::size_t i = 0; i < lines * line; i += line) {
      if (Ahead != 0) goldml::simd::prefetch(from + i + Ahead);
      for (std::size_t k = 0; k < line; k += Set::vector_bytes) {
        words v;
        goldml::simd::load(v, from + i + k);
        words& s = sum[k / Set::vector_bytes % 4];
        s = s | v;
      }
    }
  }
  GOLDML_INLINE void use() const {
    std::uint64_t all = 0;
    for (const words& s : sum)
      for (std::size_t i = 0; i < lanes; ++i) all |= s[i];
    streaming_sink.fetch_or(all, std::memory_order_relaxed);
  }
};

// Reads `Streams` parts of the buffer side by side, `Lines` of each at a time.
template <std::size_t Streams, std::size_t Ahead, std::size_t Lines = 4>
struct read_loop {
  template <class Set>
  GOLDML_INLINE static void run(Set, const unsigned char* from, std::size_t lines) {
    read_sums<Set> sums;
    const std::size_t part = lines / Streams;
    std::size_t i = 0;
    for (; i + Lines <= part; i += Lines)
      for (std::size_t s = 0; s < Streams; ++s) sums.template read<Ahead>(from + (s * part + i) * line, Lines);
    for (std::size_t s = 0; s < Streams; ++s) sums.template read<Ahead>(from + (s * part + i) * line, part - i);
    sums.use();
  }
};

// Writes with non-temporal stores.
GOLDML_INLINE void write_lines(unsigned char* to, std::size_t lines) {
  constexpr std::array<std::uint64_t, 2> word{0x0101010101010101, 0x0101010101010101};
  for (std::size_t i = 0; i < lines * line; i += sizeof word) goldml::simd::stream16(to + i, word.data());
}
inline void write_loop(unsigned char* to, std::size_t lines) {
  write_lines(to, lines);
  goldml::simd::streaming_fence();
}

// Alternates reads and writes in proportion, `Lines` of the more frequent at a time (0: all reads before all writes).
template <std::size_t Lines, std::size_t Ahead>
struct mixed_loop {
  template <class Set>
  GOLDML_INLINE static void run(Set, const unsigned char* from, std::size_t read, unsigned char* to,
                                std::size_t written) {
    read_sums<Set> sums;
    const std::size_t turns = Lines == 0 ? 1 : (std::max<std::size_t>)(1, (std::max)(read, written) / Lines);
    std::size_t r = 0;
    std::size_t w = 0;
    for (std::size_t turn = 1; turn <= turns; ++turn) {
      const std::size_t r_end = read * turn / turns;
      const std::size_t w_end = written * turn / turns;
      sums.template read<Ahead>(from + r * line, r_end - r);
      write_lines(to + w * line, w_end - w);
      r = r_end;
      w = w_end;
    }
    goldml::simd::streaming_fence();
    sums.use();
  }
};

// A copy of `lines` cache lines with non-temporal stores.
template <std::size_t Ahead>
void copy_loop(const unsigned char* from, unsigned char* to, std::size_t lines) {
  for (std::size_t i = 0; i < lines * line; i += line) {
    if (Ahead != 0) goldml::simd::prefetch(from + i + Ahead);
    for (std::size_t k = 0; k < line; k += 16) goldml::simd::stream16(to + i + k, from + i + k);
  }
  goldml::simd::streaming_fence();
}

struct streaming_loop {
  std::string name;
  std::function<void()> run;
};

// All loops for this traffic.
inline std::vector<streaming_loop> streaming_loops(const traffic& least) {
  const auto input = std::make_shared<streaming_buffer>(least.read);
  const auto output = std::make_shared<streaming_buffer>(least.written);
  const std::size_t read = input->lines();
  const std::size_t written = output->lines();
  const goldml::instruction_set set = goldml::default_instruction_set();
  std::vector<streaming_loop> loops;

  const auto add_read = [&]<class Loop>(std::string name, Loop) {
    loops.push_back({std::move(name), [=] { goldml::simd::dispatch<Loop>(set, input->begin(), read); }});
  };
  const auto add_mixed = [&]<class Loop>(std::string name, Loop) {
    loops.push_back({std::move(name), [=] {
                       goldml::simd::dispatch<Loop>(set, input->begin(), read, output->begin(), written);
                     }});
  };
  if (least.read < least.written / 256) {
    loops.push_back({"writes past the caches", [=] { write_loop(output->begin(), written); }});
    loops.push_back({"memset", [=] { std::memset(output->begin(), 1, written * line); }});
  } else if (least.written < least.read / 256) {
    add_read("reads", read_loop<1, 0>{});
    add_read("reads, prefetching", read_loop<1, 2048>{});
    add_read("reads of 2 streams", read_loop<2, 0>{});
    add_read("reads of 2 streams, prefetching", read_loop<2, 2048>{});
    add_read("reads of 2 streams, 4 KiB in turn", read_loop<2, 0, 64>{});
    add_read("reads of 4 streams", read_loop<4, 0>{});
    add_read("reads of 4 streams, prefetching", read_loop<4, 2048>{});
  } else {
    add_mixed("reads, then writes", mixed_loop<0, 0>{});
    add_mixed("reads and writes, 4 lines in turn", mixed_loop<4, 0>{});
    add_mixed("reads and writes, 4 lines in turn, prefetching", mixed_loop<4, 2048>{});
    add_mixed("reads and writes, 32 lines in turn", mixed_loop<32, 0>{});
    add_mixed("reads and writes, 32 lines in turn, prefetching", mixed_loop<32, 4096>{});
    if (read >= written) {
      // All written bytes are copied; the rest is only read.
      const std::size_t rest = read - written;
      const auto add_copy = [&](std::string name, auto copy) {
        loops.push_back({std::move(name), [=] {
                           copy(output->begin(), input->begin(), written);
                           goldml::simd::dispatch<read_loop<1, 0>>(set, input->begin() + written * line, rest);
                         }});
      };
      add_copy("copy past the caches", [](auto* to, const auto* from, std::size_t n) { copy_loop<0>(from, to, n); });
      add_copy("copy past the caches, prefetching",
               [](auto* to, const auto* from, std::size_t n) { copy_loop<2048>(from, to, n); });
      add_copy("memcpy", [](auto* to, const auto* from, std::size_t n) { std::memcpy(to, from, n * line); });
    }
  }
  return loops;
}

// The fastest loop, by the best of three runs each, measured in turn.
inline streaming_loop streaming_limit(const traffic& least) {
  const std::vector<streaming_loop> loops = streaming_loops(least);
  using seconds = std::chrono::duration<double>;
  std::vector<seconds> best(loops.size(), seconds::max());
  for (int round = 0; round < 4; ++round)
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      loops[i].run();
      const seconds took = std::chrono::steady_clock::now() - start;
      if (round > 0) best[i] = (std::min)(best[i], took);  // the first run warms up
    }
  return loops[static_cast<std::size_t>(std::min_element(best.begin(), best.end()) - best.begin())];
}

// The loop of that name with two threads, half of the traffic each.
inline std::function<void()> streaming_by_two_threads(const traffic& least, const std::string& name) {
  const auto loop_of_half = [&] {
    for (const streaming_loop& loop : streaming_loops({least.read / 2, least.written / 2}))
      if (loop.name == name) return loop.run;
    throw std::logic_error("no loop for half of the traffic");
  };
  return [first = loop_of_half(), second = loop_of_half()] {
    std::thread other(second);
    first();
    other.join();
  };
}

}  // namespace benchmarks
