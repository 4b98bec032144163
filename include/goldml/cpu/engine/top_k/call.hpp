// A selection over elements of one width. The best elements found so far are candidates in a buffer: when it is full,
// all but the K best are dropped, and from then on an element must be better than the worst of these to enter. So most
// elements of a long sequence are only compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/top_k/plan.hpp>

namespace goldml::detail {

// The key of an element and its position in one number, if both fit: the lesser comes first.
template <class Key>
struct packed_candidate {
  std::uint64_t bits;

  static packed_candidate of(Key key, std::uint64_t position) {
    using unsigned_key = std::make_unsigned_t<Key>;
    constexpr auto sign = static_cast<unsigned_key>(unsigned_key{1} << (std::numeric_limits<unsigned_key>::digits - 1));
    return {std::uint64_t{static_cast<unsigned_key>(static_cast<unsigned_key>(key) ^ sign)} << 32 | position};
  }
  static packed_candidate after_all() { return {saturated}; }

  std::uint64_t position() const { return bits & 0xFFFF'FFFF; }
  friend bool operator<(const packed_candidate& a, const packed_candidate& b) { return a.bits < b.bits; }
};

// The same for keys of 64 bits.
template <class Key>
struct wide_candidate {
  Key key;
  std::uint64_t number;

  static wide_candidate of(Key key, std::uint64_t position) { return {key, position}; }
  static wide_candidate after_all() { return {(std::numeric_limits<Key>::max)(), saturated}; }

  std::uint64_t position() const { return number; }
  friend bool operator<(const wide_candidate& a, const wide_candidate& b) {
    return a.key < b.key || (a.key == b.key && a.number < b.number);
  }
};

template <class Keys>
class top_k_selection {
 public:
  using bits = typename Keys::bits;
  using candidate =
      std::conditional_t<sizeof(bits) == 8, wide_candidate<typename Keys::key>, packed_candidate<typename Keys::key>>;

  top_k_selection(const top_k_plan& plan, const Keys& keys)
      : plan_(plan), keys_(keys), capacity_((std::min)(plan.axis.size, 2 * plan.k + 1024)) {}

  // The number of candidates that a buffer holds.
  std::uint64_t capacity() const { return capacity_; }

  void run(std::uint64_t begin, std::uint64_t end, candidate* buffer) const {
    plan_.sequences.for_range(begin, end, [&](const auto& offset) {
      const simd::bits_pointer<bits> input = simd::bits_pointer<bits>(plan_.input) + offset[0];
      select(input, buffer);
      for (std::uint64_t i = 0; i < plan_.k; ++i) {
        const std::uint64_t position = buffer[i].position();
        const bits value = input[position * plan_.axis.stride[0]];
        std::memcpy(plan_.values + (offset[1] + i * plan_.axis.stride[1]) * sizeof value, &value, sizeof value);
        plan_.indices.write(offset[2] + i * plan_.axis.stride[2], position);
      }
    });
  }

 private:
  // Puts the K best elements of a sequence at the beginning of the buffer, in order.
  void select(simd::bits_pointer<bits> input, candidate* buffer) const {
    candidate worst = candidate::after_all();
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < plan_.axis.size; ++i) {
      const candidate one = candidate::of(keys_.of(input[i * plan_.axis.stride[0]]), i);
      if (!(one < worst)) continue;
      if (count == capacity_) {
        std::nth_element(buffer, buffer + plan_.k - 1, buffer + count);
        count = plan_.k;
        worst = buffer[plan_.k - 1];
        if (!(one < worst)) continue;
      }
      buffer[count++] = one;
    }
    if (count > plan_.k) std::nth_element(buffer, buffer + plan_.k - 1, buffer + count);
    std::sort(buffer, buffer + plan_.k);
  }

  const top_k_plan& plan_;
  const Keys keys_;
  const std::uint64_t capacity_;
};

template <class Keys>
void top_k(const cpu_backend& backend, const top_k_plan& plan, const Keys& keys) {
  using candidate = typename top_k_selection<Keys>::candidate;
  const top_k_selection<Keys> selection(plan, keys);
  const std::uint64_t sequences = plan.sequences.iterations();
  const std::uint64_t bytes = sequences * (plan.axis.size + plan.k) * sizeof(typename Keys::bits);
  const std::uint64_t parts = small_part_count(backend, bytes, sequences);
  std::vector<candidate> buffers(static_cast<std::size_t>(parts * selection.capacity()));
  run_parts(backend, parts, [&](std::uint64_t part) {
    selection.run(part_begin(sequences, parts, part), part_begin(sequences, parts, part + 1),
                  buffers.data() + part * selection.capacity());
  });
}

}  // namespace goldml::detail
