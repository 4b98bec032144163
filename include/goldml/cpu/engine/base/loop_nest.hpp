// A nest of loops over the coordinates of one or more operands with the same sizes: dimensions without effect are
// dropped, neighbours merged, and the order may be changed, before any kernel runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>

namespace goldml::detail {

// One loop: how often, and how far each of N operands moves a step, in elements (the last N may also be the weight of
// the step in a row-major number).
template <std::size_t N>
struct loop {
  std::uint64_t size;
  std::array<std::uint64_t, N> stride;
};

template <std::size_t N>
class loop_nest {
 public:
  using offsets = std::array<std::uint64_t, N>;

  // Loops that have not been added are neither set nor copied: a small call would notice.
  loop_nest() {}  // NOLINT(modernize-use-equals-default): that one sets them where an aggregate holds a nest
  loop_nest(const loop_nest& other) : count_(other.count_) {
    std::copy_n(other.loops_.begin(), count_, loops_.begin());
  }
  loop_nest& operator=(const loop_nest&) = delete;

  // Loops are added from the outermost to the innermost.
  void add(std::uint64_t size, const offsets& stride) {
    if (size != 1) loops_[count_++] = {size, stride};
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const loop<N>& operator[](std::size_t i) const { return loops_[i]; }
  const loop<N>& back() const { return loops_[count_ - 1]; }

  // Removes and returns the innermost loop; of an empty nest, a loop that runs once.
  loop<N> take_innermost() { return count_ == 0 ? loop<N>{1, {}} : loops_[--count_]; }
  void remove(std::size_t i) {
    std::copy(loops_.begin() + static_cast<std::ptrdiff_t>(i) + 1, loops_.begin() + static_cast<std::ptrdiff_t>(count_),
              loops_.begin() + static_cast<std::ptrdiff_t>(i));
    --count_;
  }

  // The largest stride of operand k outermost; those with the same stride keep their order.
  void sort_by_stride(std::size_t k) {
    for (std::size_t i = 1; i < count_; ++i)
      for (std::size_t j = i; j > 0 && loops_[j - 1].stride[k] < loops_[j].stride[k]; --j)
        std::swap(loops_[j - 1], loops_[j]);
  }

  // Two neighbours that every operand walks as one become one.
  void merge() {
    if (count_ == 0) return;
    std::size_t last = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      bool one = true;
      for (std::size_t k = 0; k < N; ++k)
        one = one && loops_[last].stride[k] == loops_[i].stride[k] * loops_[i].size;
      if (one) {
        loops_[last].size *= loops_[i].size;
        loops_[last].stride = loops_[i].stride;
      } else {
        loops_[++last] = loops_[i];
      }
    }
    count_ = last + 1;
  }

  // How often the body runs.
  std::uint64_t iterations() const {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < count_; ++i) product *= loops_[i].size;
    return product;
  }

  // Where an iteration stands.
  struct position {
    std::array<std::uint64_t, dimensions::capacity> at{};
    offsets offset{};
  };

  // That of iteration `number`.
  position begin_at(std::uint64_t number) const {
    position p;
    for (std::size_t i = count_; i-- > 0;) {
      p.at[i] = number % loops_[i].size;
      number /= loops_[i].size;
      for (std::size_t k = 0; k < N; ++k) p.offset[k] += p.at[i] * loops_[i].stride[k];
    }
    return p;
  }

  // To the next iteration; after the last comes the first.
  void advance(position& p) const {
    for (std::size_t i = count_; i-- > 0;) {
      for (std::size_t k = 0; k < N; ++k) p.offset[k] += loops_[i].stride[k];
      if (++p.at[i] < loops_[i].size) return;
      for (std::size_t k = 0; k < N; ++k) p.offset[k] -= loops_[i].size * loops_[i].stride[k];
      p.at[i] = 0;
    }
  }

  // body(offsets) for iterations begin .. end-1, in order.
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

// Where iteration `number` of a nest stands.
template <std::size_t N>
typename loop_nest<N>::offsets offsets_at(const loop_nest<N>& nest, std::uint64_t number) {
  typename loop_nest<N>::offsets offsets{};
  for (std::size_t i = nest.size(); i-- > 0; number /= nest[i].size)
    for (std::size_t k = 0; k < N; ++k) offsets[k] += number % nest[i].size * nest[i].stride[k];
  return offsets;
}

}  // namespace goldml::detail
