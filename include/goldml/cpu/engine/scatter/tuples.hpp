// Index tuples in batches: where each tuple points, as a place number or an offset, for all index types and strides;
// and whether a policy refuses a tuple.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include <goldml/core/dimensions.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/scatter/plan.hpp>

namespace goldml::detail {

// What a dropped tuple points to. By T6, place numbers and element offsets are smaller.
inline constexpr std::uint32_t dropped_tuple = 0xFFFF'FFFF;

template <class Index>
bool add_positions(const index_column& column, std::uint32_t* sums) {
  const std::uint64_t size = column.size;
  const auto position_of = [&](std::size_t i) {
    Index index;
    std::memcpy(&index, column.data + i * column.stride, sizeof index);
    std::uint64_t position = static_cast<std::uint64_t>(index);
    if constexpr (std::is_signed_v<Index>) position += index < 0 ? size : 0;  // modulo 2^64: no overflow
    return position;
  };
  bool all_in_range = true;
  if (column.policy == range_policy::refuse) {
    for (std::size_t i = 0; i < column.count; ++i) {
      const std::uint64_t position = position_of(i);
      all_in_range &= position < size;
      sums[i] += static_cast<std::uint32_t>(position) * column.weight;
    }
    return all_in_range;
  }
  for (std::size_t i = 0; i < column.count; ++i) {
    std::uint64_t position = position_of(i);
    const bool in_range = position < size;
    all_in_range &= in_range;
    const bool below = std::is_signed_v<Index> && static_cast<std::int64_t>(position) < 0;
    if (!in_range) position = below ? 0 : size - 1;
    const bool dropped = sums[i] == dropped_tuple || (!in_range && column.policy == range_policy::drop);
    sums[i] = dropped ? dropped_tuple : sums[i] + static_cast<std::uint32_t>(position) * column.weight;
  }
  return all_in_range;
}

// Zeroed memory. In large blocks, pages that are never accessed cost nothing.
template <class T>
class zeros {
 public:
  explicit zeros(std::uint64_t count)
      : data_(static_cast<T*>(std::calloc(static_cast<std::size_t>(count), sizeof(T)))) {
    if (!data_) throw std::bad_alloc();
  }
  T* data() { return data_.get(); }

 private:
  struct release {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T[], release> data_;
};

// Consecutive tuples.
struct tuple_batch {
  static constexpr std::size_t capacity = 256;
  using numbers = std::array<std::uint16_t, capacity>;

  std::uint64_t first = 0;  // number of the first tuple
  std::size_t count = 0;
  std::array<std::uint32_t, capacity> sums;  // where each points, or dropped_tuple
  bool in_range = true;                      // whether every index was in range
  std::uint64_t updates = 0;                 // offset of the slice of the first tuple, in bytes
  std::uint64_t updates_stride = 0;          // from one slice to the next, in bytes

  // Lists the tuples that point into [begin, end), in order, and returns their number. `end` is at most dropped_tuple.
  // Without branches, which would be unpredictable.
  std::size_t choose(std::uint64_t begin, std::uint64_t end, numbers& chosen) const {
    std::size_t chosen_count = 0;
    for (std::size_t i = 0; i < count; ++i) {
      chosen[chosen_count] = static_cast<std::uint16_t>(i);
      chosen_count += sums[i] - begin < end - begin ? 1U : 0U;
    }
    return chosen_count;
  }
};

// Iterates over the tuples begin .. end-1 in order: while (walk.next()) use(walk.batch());
class tuple_walk {
 public:
  tuple_walk(const index_tuples& tuples, const index_tuples::weights& weight, std::uint64_t begin, std::uint64_t end)
      : tuples_(tuples), weight_(weight), next_(begin), end_(end) {}
  tuple_walk(const index_tuples& tuples, const index_tuples::weights& weight)
      : tuple_walk(tuples, weight, 0, tuples.count()) {}
  tuple_walk(const tuple_walk&) = delete;
  tuple_walk& operator=(const tuple_walk&) = delete;

  bool next() {
    if (next_ == end_) return false;
    const auto& run = tuples_.run_;
    const std::uint64_t step = next_ % run.size;
    if (step == 0 || batch_.count == 0) run_offsets_ = offsets_at(tuples_.outer_, next_ / run.size);
    batch_.first = next_;
    batch_.count =
        static_cast<std::size_t>((std::min<std::uint64_t>)({tuple_batch::capacity, run.size - step, end_ - next_}));
    batch_.updates = run_offsets_[1] + step * run.stride[1];
    batch_.updates_stride = run.stride[1];
    batch_.in_range = true;
    std::fill_n(batch_.sums.begin(), batch_.count, std::uint32_t{0});
    const std::byte* column = tuples_.data_ + run_offsets_[0] + step * run.stride[0];
    for (std::size_t j = 0; j < tuples_.tuple_size_; ++j, column += tuples_.stride_)
      batch_.in_range &= tuples_.add_positions_(
          {column, run.stride[0], batch_.count, tuples_.sizes_[j], weight_[j], tuples_.options_.range_policy},
          batch_.sums.data());
    next_ += batch_.count;
    return true;
  }

  const tuple_batch& batch() const { return batch_; }

 private:
  const index_tuples& tuples_;
  const index_tuples::weights& weight_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::array<std::uint64_t, 2> run_offsets_{};
  tuple_batch batch_;
};

// A set of at most 512 place numbers: a hash table of which half is free.
class few_places {
 public:
  static constexpr std::size_t most = 512;

  few_places() { places_.fill(dropped_tuple); }

  // Returns false if the place is in the set.
  bool add(std::uint32_t place) {
    std::size_t at = place * 0x9E37'79B1u >> 22;
    while (places_[at] != dropped_tuple) {
      if (places_[at] == place) return false;
      at = (at + 1) % places_.size();
    }
    places_[at] = place;
    return true;
  }

 private:
  std::array<std::uint32_t, 2 * most> places_;  // dropped_tuple: free
};

inline bool index_tuples::acceptable(const tuple_batch& batch) const {
  return batch.in_range || options_.range_policy != range_policy::refuse;
}

inline bool index_tuples::acceptable(const cpu_backend& backend) const {
  if (!refuses_duplicates()) {
    if (options_.range_policy == range_policy::refuse)
      for (tuple_walk walk(*this, numbering_); walk.next();)
        if (!acceptable(walk.batch())) return false;
    return true;
  }
  const std::uint64_t words = (place_count_ + 63) / 64;
  std::array<std::uint64_t, 512> few;
  if (words <= few.size()) {
    std::fill_n(few.begin(), words, std::uint64_t{0});
    return distinct(0, place_count_, few.data());
  }
  if (count_ <= few_places::most) {
    few_places places;  // smaller than a bitmap
    for (tuple_walk walk(*this, numbering_); walk.next();) {
      if (!acceptable(walk.batch())) return false;
      for (std::size_t i = 0; i < walk.batch().count; ++i)
        if (walk.batch().sums[i] != dropped_tuple && !places.add(walk.batch().sums[i])) return false;
    }
    return true;
  }
  zeros<std::uint64_t> bits(words);
  std::atomic<bool> result = true;
  const std::uint64_t parts = part_count(backend, count_ * sizeof(std::uint64_t), words);  // each part reads all tuples
  parallel_for_parts(backend, parts, words, [&](std::uint64_t begin, std::uint64_t end) {
    if (!distinct(begin * 64, (std::min)(end * 64, place_count_), bits.data() + begin)) result = false;
  });
  return result;
}

// Whether all tuples are acceptable and no two point to the same place in [begin, end). `bits` has one bit per place,
// all zero on entry.
inline bool index_tuples::distinct(std::uint64_t begin, std::uint64_t end, std::uint64_t* bits) const {
  for (tuple_walk walk(*this, numbering_); walk.next();) {
    const tuple_batch& batch = walk.batch();
    if (!acceptable(batch)) return false;
    tuple_batch::numbers chosen;
    const std::size_t count = batch.choose(begin, end, chosen);
    std::uint64_t again = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = batch.sums[chosen[i]] - begin;
      const std::uint64_t bit = std::uint64_t{1} << place % 64;
      again |= bits[place / 64] & bit;
      bits[place / 64] |= bit;
    }
    if (again != 0) return false;
  }
  return true;
}

}  // namespace goldml::detail
