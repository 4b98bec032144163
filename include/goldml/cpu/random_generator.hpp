// RANDOM_GENERATOR on the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/random_generator.hpp>

namespace goldml {

namespace detail {

// Blocks of Philox side by side, one in each lane of the vectors.
struct philox_lanes {
  static constexpr std::size_t blocks = 64;
  using words = std::array<std::uint32_t, 4 * blocks>;

  // Those from state on. Each loop is a vector loop; the lanes stay in the first-level cache.
  template <class Set>
  GOLDML_INLINE static void run(Set, const philox_state& state, words& result) {
    std::uint32_t c0[blocks], c1[blocks], c2[blocks], c3[blocks];
    for (std::size_t i = 0; i < blocks; ++i) {
      const philox_state at = advanced(state, i);
      c0[i] = at.counter[0];
      c1[i] = at.counter[1];
      c2[i] = at.counter[2];
      c3[i] = at.counter[3];
    }
    std::uint32_t k0 = state.key[0], k1 = state.key[1];
    for (int round = 0; round < philox_rounds; ++round) {
      if (round > 0) next_philox_key(k0, k1);
      for (std::size_t i = 0; i < blocks; ++i) philox_round(c0[i], c1[i], c2[i], c3[i], k0, k1);
    }
    for (std::size_t i = 0; i < blocks; ++i) {
      result[4 * i] = c0[i];
      result[4 * i + 1] = c1[i];
      result[4 * i + 2] = c2[i];
      result[4 * i + 3] = c3[i];
    }
  }
};

// Stores `count` words at the elements from number `first` on, in row-major order. The nest has the output's strides in
// bytes.
inline void store_words(std::byte* data, const loop_nest<1>& rows, const loop<1>& row, std::uint64_t first,
                        std::uint64_t count, const std::uint32_t* words) {
  while (count > 0) {
    const std::uint64_t at = first % row.size;
    const std::uint64_t length = (std::min)(count, row.size - at);
    std::byte* const to = data + offsets_at(rows, first / row.size)[0] + at * row.stride[0];
    if (row.stride[0] == sizeof *words)
      std::memcpy(to, words, length * sizeof *words);
    else
      for (std::uint64_t i = 0; i < length; ++i) std::memcpy(to + i * row.stride[0], words + i, sizeof *words);
    first += length;
    count -= length;
    words += length;
  }
}

}  // namespace detail

template <>
struct kernel<random_generator_desc, cpu_backend> {
  static void run(const cpu_backend& backend, const tensor_view<const std::uint32_t>& input_state,
                  const tensor_view<std::uint32_t>& output,
                  const std::optional<tensor_view<std::uint32_t>>& output_state, const random_generator_desc&) {
    using lanes = detail::philox_lanes;
    const philox_state state = detail::read_state(input_state);
    detail::loop_nest<1> rows;
    for (std::size_t i = 0; i < output.sizes().size(); ++i)
      rows.add(output.sizes()[i], {std::uint64_t{output.strides()[i]} * sizeof(std::uint32_t)});
    rows.merge();
    const detail::loop<1> row = rows.take_innermost();
    const std::uint64_t count = rows.iterations() * row.size;
    constexpr std::uint64_t each = 4 * lanes::blocks;
    std::byte* const data = detail::host_output(output).data;
    detail::parallel_for(
        backend, count * sizeof(std::uint32_t), (count + each - 1) / each, [&](std::uint64_t begin, std::uint64_t end) {
          lanes::words words;
          for (std::uint64_t i = begin; i < end; ++i) {
            const philox_state at = advanced(state, i * lanes::blocks);
            simd::dispatch<lanes>(backend.instruction_set(), at, words);
            detail::store_words(data, rows, row, i * each, (std::min)(each, count - i * each), words.data());
          }
        });
    if (output_state) detail::write_state(*output_state, advanced(state, philox_blocks(count)));
  }
};

}  // namespace goldml
