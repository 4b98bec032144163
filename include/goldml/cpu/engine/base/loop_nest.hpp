// A loop nest over the coordinates of one or more operands with the same sizes. Before a kernel runs, loops of size 1
// are dropped, neighbouring loops are merged, and loops may be reordered.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>

namespace goldml::detail {

// One loop: its size and, for each of N operands, the stride of a step. The last stride may instead be the weight of a
// step in a row-major number.
template <std::size_t N>
struct loop {
  std::uint64_t size;
  std::array<std::uint64_t, N> stride;
};

template <std::size_t N>
class loop_nest {
 public:
  using offsets = std::array<std::uint64_t, N>;

  // Unused entries stay uninitialised and are not copied: clearing them is measurable in small calls.
  loop_nest() {}  // NOLINT(modernize-use-equals-default): a defaulted one would clear them inside an aggregate
  loop_nest(const loop_nest& other) : count_(other.count_) {
    std::copy_n(other.loops_.begin(), count_, loops_.begin());
  }
  loop_nest& operator=(const loop_nest&) = delete;

  // Adds a loop inside all others. A loop of size 1 is dropped.
  void add(std::uint64_t size, const offsets& stride) {
    if (size != 1) loops_[count_++] = {size, stride};
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const loop<N>& operator[](std::size_t i) const { return loops_[i]; }
  const loop<N>& back() const { return loops_[count_ - 1]; }

  // Removes and returns the innermost loop. Returns a loop of size 1 if the nest is empty.
  loop<N> take_innermost() { return count_ == 0 ? loop<N>{1, {}} : loops_[--count_]; }
  void remove(std::size_t i) {
    std::copy(loops_.begin() + static_cast<std::ptrdiff_t>(i) + 1, loops_.begin() + static_cast<std::ptrdiff_t>(count_),
              loops_.begin() + static_cast<std::ptrdiff_t>(i));
    --count_;
  }

  // Sorts the loops by descending stride of operand k, the largest outermost. Stable.
  void sort_by_stride(std::size_t k) {
    for (std::size_t i = 1; i < count_; ++i)
      for (std::size_t j = i; j > 0 && loops_[j - 1].stride[k] < loops_[j].stride[k]; --j)
        std::swap(loops_[j - 1], loops_[j]);
  }

  // Merges neighbouring loops that are equivalent to one loop for every operand.
  void merge() {
    if (count_ == 0) return;
    std::size_t last = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      bool one = true;
      for (std::size_t k = 0; k < N; ++k) one = one && loops_[last].stride[k] == loops_[i].stride[k] * loops_[i].size;
      if (one) {
        loops_[last].size *= loops_[i].size;
        loops_[last].stride = loops_[i].stride;
      } else {
        loops_[++last] = loops_[i];
      }
    }
    count_ = last + 1;
  }

  // The product of the sizes.
  std::uint64_t iterations() const {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < count_; ++i) product *= loops_[i].size;
    return product;
  }

  // The loop counters and offsets of an iteration.
  struct position {
    std::array<std::uint64_t, dimensions::capacity> at{};
    offsets offset{};
  };

  // The position of iteration `number`.
  position begin_at(std::uint64_t number) const {
    position p;
    for (std::size_t i = count_; i-- > 0;) {
      p.at[i] = number % loops_[i].size;
      number /= loops_[i].size;
      for (std::size_t k = 0; k < N; ++k) p.offset[k] += p.at[i] * loops_[i].stride[k];
    }
    return p;
  }

  // Moves to the next iteration. The last is followed by the first.
  void advance(position& p) const {
    for (std::size_t i = count_; i-- > 0;) {
      for (std::size_t k = 0; k < N; ++k) p.offset[k] += loops_[i].stride[k];
      if (++p.at[i] < loops_[i].size) return;
      for (std::size_t k = 0; k < N; ++k) p.offset[k] -= loops_[i].size * loops_[i].stride[k];
      p.at[i] = 0;
    }
  }

  // Calls body(offsets) for the iterations begin .. end-1, in order.
  template <class F>
  void for_range(std::uint64_t begin, std::uint64_t end, F&& body) const {
    if (begin >= end) return;
    position p = begin_at(begin);
    for (std::uint64_t left = end - begin;;) {
      body(static_cast<const offsets&>(p.offset));
      if (--left == 0) return;
      advance(p);
    }
  }

  template <class F>
  void for_each(F&& body) const {
    for_range(0, iterations(), body);
  }

 private:
  std::array<loop<N>, dimensions::capacity> loops_;
  std::size_t count_ = 0;
};

// The offsets of iteration `number` of a nest.
template <std::size_t N>
typename loop_nest<N>::offsets offsets_at(const loop_nest<N>& nest, std::uint64_t number) {
  typename loop_nest<N>::offsets offsets{};
  for (std::size_t i = nest.size(); i-- > 0; number /= nest[i].size)
    for (std::size_t k = 0; k < N; ++k) offsets[k] += number % nest[i].size * nest[i].stride[k];
  return offsets;
}

}  // namespace goldml::detail
