// For tests of operators that move elements: tensors whose memory is compared byte by byte, including gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_view.hpp>

#include "../operators/layouts.hpp"
#include "guarded_memory.hpp"

namespace goldml_test {

// The layout of a tensor: its strides, and the distance of its first element from a multiple of 64 bytes, in elements.
struct placing {
  goldml::dimensions strides;
  std::size_t shift = 0;
};

// A tensor of T in its own memory, which begins and ends with an element or, with a shift, with a gap.
template <class T>
class placed {
 public:
  // Fills all bytes, including gaps, with values that depend on `seed`.
  placed(const goldml::dimensions& sizes, const placing& where, std::uint64_t seed)
      : sizes_(sizes),
        strides_(where.strides.empty() ? packed_strides(sizes) : where.strides),
        shift_(where.shift),
        bytes_((static_cast<std::size_t>(last_index(sizes_, strides_)) + 1 + 2 * shift_) * sizeof(T)),
        memory_(std::make_unique<std::byte[]>(bytes_ + 64)) {
    const std::vector<T> elements = layouts::different_elements<T>(bytes_ / sizeof(T), seed);
    std::memcpy(data(), elements.data(), bytes_);
  }

  goldml::tensor_view<T> view() { return {reinterpret_cast<T*>(data()) + shift_, sizes_, strides_}; }
  std::vector<std::byte> bytes() { return {data(), data() + bytes_}; }
  void restore(const std::vector<std::byte>& bytes) { std::memcpy(data(), bytes.data(), bytes_); }

 private:
  std::byte* data() {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(memory_.get()) % 64;
    return memory_.get() + (past == 0 ? 0 : 64 - past);
  }

  goldml::dimensions sizes_;
  goldml::dimensions strides_;
  std::size_t shift_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> memory_;
};

// A packed tensor of T directly before or after an unmapped page.
template <class T>
class guarded {
 public:
  guarded(const goldml::dimensions& sizes, bool at_end, const std::vector<T>& elements)
      : sizes_(sizes), memory_(elements.size() * sizeof(T), at_end) {
    std::memcpy(memory_.data(), elements.data(), memory_.size());
  }

  goldml::tensor_view<T> view() { return {static_cast<T*>(memory_.data()), sizes_}; }
  std::vector<T> elements() const {
    const auto* const first = static_cast<const T*>(memory_.data());
    return {first, first + memory_.size() / sizeof(T)};
  }

 private:
  goldml::dimensions sizes_;
  guarded_memory memory_;
};

// One type of each size. (Kernels depend only on the size of elements.)
using size_types = goldml::type_list<std::uint8_t, goldml::float16, float, double>;

template <class... T, class F>
void for_each_type(goldml::type_list<T...>, F&& f) {
  (f(std::type_identity<T>{}), ...);
}

}  // namespace goldml_test
