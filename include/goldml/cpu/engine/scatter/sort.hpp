// A scatter of many single elements into a large tensor. They are sorted by blocks of the output, so that each block is
// written while it is in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/cpu/engine/move/blocks.hpp>
#include <goldml/cpu/engine/scatter/plan.hpp>
#include <goldml/cpu/engine/scatter/tuples.hpp>

namespace goldml::detail {

// What is sorted: an element and its position in the block.
template <std::size_t Size>
struct scatter_record {
  static constexpr std::uint32_t block_elements = 65536;
  static constexpr std::size_t bytes = Size + sizeof(std::uint16_t);

  static void write(std::byte* record, const std::byte* element, std::uint32_t place) {
    const auto place_in_block = static_cast<std::uint16_t>(place % block_elements);
    move_element<Size>(record, element);
    std::memcpy(record + Size, &place_in_block, sizeof place_in_block);
  }
  static std::size_t place_in_block(const std::byte* record) {
    std::uint16_t place;
    std::memcpy(&place, record + Size, sizeof place);
    return place;
  }

  // Whether no two records of a block have the same position.
  static bool distinct(std::span<const std::byte> records) {
    std::array<std::uint64_t, block_elements / 64> bits{};
    std::uint64_t again = 0;
    for (std::size_t i = 0; i < records.size(); i += bytes) {
      const std::size_t place = place_in_block(&records[i]);
      const std::uint64_t bit = std::uint64_t{1} << place % 64;
      again |= bits[place / 64] & bit;
      bits[place / 64] |= bit;
    }
    return again == 0;
  }
};

// Whether sorting is faster: on average at least one element per cache line of a large output.
inline bool scatter_sort_pays(const cpu_backend& backend, const index_tuples& tuples, const scatter_operands& t,
                              std::size_t element_size) {
  return t.slice.empty() && t.bytes / 4 >= backend.tuning().streaming_from_bytes &&
         tuples.count() * line_bytes >= t.bytes && t.span * element_size <= 2 * t.bytes;
}

// Returns false, with nothing written, if a policy refuses a tuple. The loops that take the time are functions of their
// own.
template <std::size_t Size>
GOLDML_COLD bool scatter_sorted(const cpu_backend& backend, const index_tuples& tuples, const scatter_operands& t) {
  using record = scatter_record<Size>;
  // The number of tuples per round. The C library reuses blocks below 32 MiB without asking the system for pages; but
  // each round accesses the whole output.
  const std::uint64_t most = (std::max)(std::uint64_t{28} << 20, t.bytes / 2) / record::bytes;
  const std::uint64_t rounds = (tuples.count() + most - 1) / most;
  if (rounds > 1 && !tuples.acceptable(backend)) return false;  // a single round checks this before its first write

  loop_nest<2> all = t.all;
  all.sort_by_stride(0);
  all.merge();
  const bool dense = all.size() == 1 && all[0].stride == std::array<std::uint64_t, 2>{Size, Size};
  const bool copy_by_block = dense && !t.in_place();
  const std::uint64_t parts = part_count(backend, t.bytes, tuples.count());
  const std::uint64_t blocks = (t.span + record::block_elements - 1) / record::block_elements;
  const auto records = std::make_unique_for_overwrite<std::byte[]>((tuples.count() / rounds + 1) * record::bytes);
  std::vector<std::uint32_t> next(parts * blocks);  // the next record number, per part and block
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t first = part_begin(tuples.count(), rounds, round);
    const std::uint64_t count = part_begin(tuples.count(), rounds, round + 1) - first;
    const auto walk_of = [&](std::uint64_t part) {
      return tuple_walk(tuples, t.output_strides, first + part_begin(count, parts, part),
                        first + part_begin(count, parts, part + 1));
    };

    std::atomic<bool> acceptable = true;
    std::fill(next.begin(), next.end(), std::uint32_t{0});
    run_parts(backend, parts, [&](std::uint64_t part) {
      std::uint32_t* const count_of = next.data() + part * blocks;
      for (tuple_walk walk = walk_of(part); walk.next();) {
        const tuple_batch& batch = walk.batch();
        if (!tuples.acceptable(batch)) acceptable = false;
        if (!acceptable) return;
        for (std::size_t i = 0; i < batch.count; ++i)
          if (batch.sums[i] != dropped_tuple) ++count_of[batch.sums[i] / record::block_elements];
      }
    });
    if (!acceptable) return false;

    std::uint32_t sum = 0;
    for (std::uint64_t block = 0; block < blocks; ++block)
      for (std::uint64_t part = 0; part < parts; ++part) sum += std::exchange(next[part * blocks + block], sum);
    run_parts(backend, parts, [&](std::uint64_t part) {
      std::uint32_t* const next_of = next.data() + part * blocks;
      for (tuple_walk walk = walk_of(part); walk.next();) {
        const tuple_batch& batch = walk.batch();
        const std::byte* update = t.updates + batch.updates;
        for (std::size_t i = 0; i < batch.count; ++i, update += batch.updates_stride)
          if (batch.sums[i] != dropped_tuple)
            record::write(records.get() + next_of[batch.sums[i] / record::block_elements]++ * record::bytes, update,
                          batch.sums[i]);
      }
    });

    const std::uint32_t* const end_of = next.data() + (parts - 1) * blocks;  // the end of the records of each block
    const auto records_of = [&, all_records = records.get()](std::uint64_t block) {
      const std::size_t begin = block == 0 ? 0 : end_of[block - 1];
      return std::span<const std::byte>(all_records + begin * record::bytes, (end_of[block] - begin) * record::bytes);
    };
    if (rounds == 1 && tuples.refuses_duplicates())
      parallel_for(backend, tuples.count() * record::bytes, blocks, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t block = begin; block < end; ++block)
          if (!record::distinct(records_of(block))) acceptable = false;
      });
    if (!acceptable) return false;

    if (round == 0 && !copy_by_block && !t.in_place()) copy_elements<Size>(backend, t.all, t.output, t.input);
    parallel_for(backend, t.bytes, blocks, [&](std::uint64_t begin, std::uint64_t end) {
      constexpr std::uint64_t block_bytes = record::block_elements * std::uint64_t{Size};
      for (std::uint64_t block = begin; block < end; ++block) {
        const std::uint64_t offset = block * block_bytes;
        if (round == 0 && copy_by_block)
          std::memcpy(t.output + offset, t.input + offset, (std::min)(block_bytes, t.bytes - offset));
        const std::span<const std::byte> of_block = records_of(block);
        for (std::size_t i = 0; i < of_block.size(); i += record::bytes)
          move_element<Size>(t.output + offset + record::place_in_block(&of_block[i]) * Size, &of_block[i]);
      }
    });
  }
  return true;
}

}  // namespace goldml::detail
