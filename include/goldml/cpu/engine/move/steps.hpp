// Copies with positive or negative steps, for slices with negative window strides. Steps are in bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <goldml/core/dimensions.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

namespace goldml::detail {

// At most 8 loops over the coordinates of an output and an input.
struct signed_steps {
  struct loop {
    std::uint64_t size;
    std::int64_t to;
    std::int64_t from;
  };

  std::array<loop, dimensions::capacity> loops{};
  std::size_t count = 0;

  // Keeps the loops sorted by descending step of the output.
  void add(const loop& added) {
    if (added.size == 1) return;
    loops[count++] = added;
    for (std::size_t i = count - 1; i > 0 && loops[i - 1].to < loops[i].to; --i) std::swap(loops[i - 1], loops[i]);
  }

  bool any_negative() const {
    for (std::size_t i = 0; i < count; ++i)
      if (loops[i].from < 0) return true;
    return false;
  }
};

// to[c] = from[c] for all coordinates c. `from` is the address of the input element whose loop counters are all 0. No
// two coordinates share an address in `to`.
template <std::size_t Size>
void copy_in_steps(const cpu_backend& backend, const signed_steps& steps, std::byte* to, const std::byte* from) {
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i + 1 < steps.count; ++i) rows *= steps.loops[i].size;
  const signed_steps::loop columns = steps.loops[steps.count - 1];
  parallel_for(backend, rows * columns.size * Size, rows, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      std::int64_t to_offset = 0;
      std::int64_t from_offset = 0;
      std::uint64_t rest = row;
      for (std::size_t i = steps.count - 1; i-- > 0;) {
        const auto c = static_cast<std::int64_t>(rest % steps.loops[i].size);
        rest /= steps.loops[i].size;
        to_offset += c * steps.loops[i].to;
        from_offset += c * steps.loops[i].from;
      }
      for (std::uint64_t i = 0; i < columns.size; ++i)
        std::memcpy(to + to_offset + static_cast<std::int64_t>(i) * columns.to,
                    from + from_offset + static_cast<std::int64_t>(i) * columns.from, Size);
    }
  });
}

}  // namespace goldml::detail
