// A selection over elements of one width. The best elements found so far are candidates in a buffer. An element must be
// better than the worst of the K best to enter, so most elements of a long sequence are only compared, a vector at a
// time. If K is small, the buffer holds K candidates in order. Otherwise they are in the order of their positions, and
// when the buffer is full, all but the K best are dropped.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/top_k/candidates.hpp>
#include <goldml/cpu/engine/top_k/plan.hpp>

namespace goldml::detail {

// The number of elements that are compared at a time.
inline constexpr std::size_t top_k_chunk = 1024;
using top_k_hits = std::array<std::uint16_t, top_k_chunk>;

// Lists the positions of the elements of a chunk whose unclamped keys are below the bound, all that have a lesser key
// among them, and returns their number.
struct top_k_filter {
  template <class Set, class Keys>
  GOLDML_INLINE static std::size_t run(Set, const Keys& keys, const std::byte* from, std::size_t count,
                                       typename Keys::key bound, top_k_hits& hits) {
    constexpr std::size_t width = sizeof(typename Keys::bits), lanes = Set::vector_bytes / width, vectors = 4;
    constexpr std::uint64_t one_bit_per_lane = ~std::uint64_t{0} / ((std::uint64_t{1} << width) - 1);
    using vector = vector_keys<Keys, lanes>;
    const vector key_of(keys);
    typename vector::key_vector bounds;
    simd::splat(bounds, bound);
    std::size_t found = 0, i = 0;
    for (; i + vectors * lanes <= count; i += vectors * lanes) {
      simd::vector<typename Keys::key, lanes> below[vectors], any{};
      simd::unrolled<vectors>([&](std::size_t v) GOLDML_INLINE_LAMBDA {
        typename vector::bits_vector x;
        typename vector::key_vector key;
        simd::load(x, from + (i + v * lanes) * width);
        key_of.of(key, x);
        below[v] = key < bounds;
        any = any | below[v];
      });
      if (simd::byte_mask(any) == 0) continue;
      for (std::size_t v = 0; v < vectors; ++v)
        for (std::uint64_t mask = simd::byte_mask(below[v]) & one_bit_per_lane; mask != 0; mask &= mask - 1)
          hits[found++] =
              static_cast<std::uint16_t>(i + v * lanes + static_cast<std::size_t>(std::countr_zero(mask)) / width);
    }
    for (; i < count; ++i) hits[found++] = static_cast<std::uint16_t>(i);
    return found;
  }
};

template <class Keys>
class top_k_selection {
 public:
  using bits = typename Keys::bits;
  using key = typename Keys::key;
  using packing = std::conditional_t<sizeof(bits) == 8, wide_candidate<key>, packed_candidate<key>>;
  using candidate = decltype(packing::of(key{}, 0));

  top_k_selection(const top_k_plan& plan, const Keys& keys, instruction_set set)
      : plan_(plan),
        keys_(keys),
        set_(set),
        k_(static_cast<std::size_t>(plan.k)),
        in_order_(plan.k <= 16),
        capacity_(static_cast<std::size_t>(
            in_order_ ? plan.k
                      : (std::min)(plan.axis.size, 2 * plan.k + (std::min)(2 * plan.k, std::uint64_t{1} << 16)))) {}

  // The number of candidates that the buffer of a thread holds.
  std::size_t buffer_size() const { return 2 * capacity_; }

  void run(std::uint64_t begin, std::uint64_t end, candidate* buffer) const {
    plan_.sequences.for_range(begin, end, [&](const auto& offset) {
      const simd::bits_pointer<bits> input = simd::bits_pointer<bits>(plan_.input) + offset[0];
      const candidate* const best = select(input, buffer, buffer + capacity_);
      for (std::size_t i = 0; i < k_; ++i) {
        const std::uint64_t position = packing::position(best[i]);
        const bits value = input[position * plan_.axis.stride[0]];
        std::memcpy(plan_.values + (offset[1] + i * plan_.axis.stride[1]) * sizeof value, &value, sizeof value);
        plan_.indices.write(offset[2] + i * plan_.axis.stride[2], position);
      }
    });
  }

 private:
  // The K best elements of a sequence, in order, at `buffer` or `scratch`.
  const candidate* select(simd::bits_pointer<bits> input, candidate* buffer, candidate* scratch) const {
    const std::uint64_t stride = plan_.axis.stride[0], size = plan_.axis.size;
    // All elements enter until the buffer is full.
    for (std::size_t i = 0; i < capacity_; ++i) buffer[i] = packing::of(keys_.of(input[i * stride]), i);
    std::size_t count = capacity_;
    if (size == capacity_) return best_of(buffer, count, scratch);
    key bound;
    if (in_order_) {
      std::sort(buffer, buffer + k_);
      bound = packing::key(buffer[k_ - 1]);
    } else {
      bound = drop(buffer, count, scratch);
    }
    std::array<bits, top_k_chunk> gathered;
    top_k_hits hits;
    // As many elements at a time as came before, so that the bound becomes narrow soon.
    for (std::uint64_t begin = capacity_, length; begin < size; begin += length) {
      length = (std::min)({size - begin, (std::max)(begin, std::uint64_t{64}), std::uint64_t{top_k_chunk}});
      simd::bits_pointer<bits> chunk = input + begin * stride;
      if (stride != 1) {
        for (std::size_t i = 0; i < length; ++i) gathered[i] = chunk[i * stride];
        chunk = simd::bits_pointer<bits>(gathered.data());
      }
      const auto* const from = reinterpret_cast<const std::byte*>(chunk.address(0));
      const std::size_t found = simd::dispatch<top_k_filter, instruction_set::avx2>(
          set_, keys_, from, static_cast<std::size_t>(length), bound, hits);
      for (std::size_t h = 0; h < found; ++h) {
        const key one = keys_.of(chunk[hits[h]]);
        if (!(one < bound)) continue;
        const candidate entrant = packing::of(one, begin + hits[h]);
        if (in_order_) {
          std::size_t place = k_ - 1;
          for (; place > 0 && entrant < buffer[place - 1]; --place) buffer[place] = buffer[place - 1];
          buffer[place] = entrant;
          bound = packing::key(buffer[k_ - 1]);
          continue;
        }
        buffer[count++] = entrant;
        if (count == capacity_) bound = drop(buffer, count, scratch);
      }
    }
    return in_order_ ? buffer : best_of(buffer, count, scratch);
  }

  const candidate* best_of(candidate* buffer, std::size_t count, candidate* scratch) const {
    keep_least(buffer, count, k_, scratch);
    return sort_candidates(buffer, k_, scratch);
  }

  // Drops all candidates but the K best, and returns the key of the worst of these.
  key drop(candidate* buffer, std::size_t& count, candidate* scratch) const {
    keep_least(buffer, count, k_, scratch);
    count = k_;
    return packing::key(*std::max_element(buffer, buffer + k_));
  }

  const top_k_plan& plan_;
  const Keys keys_;
  const instruction_set set_;
  const std::size_t k_;
  const bool in_order_;
  const std::size_t capacity_;
};

template <class Keys>
void top_k(const cpu_backend& backend, const top_k_plan& plan, const Keys& keys) {
  using candidate = typename top_k_selection<Keys>::candidate;
  const top_k_selection<Keys> selection(plan, keys, backend.instruction_set());
  const std::uint64_t sequences = plan.sequences.iterations();
  const std::uint64_t bytes = sequences * (plan.axis.size + plan.k) * sizeof(typename Keys::bits);
  const std::uint64_t parts = small_part_count(backend, bytes, sequences);
  const auto buffers =
      std::make_unique_for_overwrite<candidate[]>(static_cast<std::size_t>(parts) * selection.buffer_size());
  run_parts(backend, parts, [&](std::uint64_t part) {
    selection.run(part_begin(sequences, parts, part), part_begin(sequences, parts, part + 1),
                  buffers.get() + part * selection.buffer_size());
  });
}

}  // namespace goldml::detail
