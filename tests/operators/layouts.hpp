// For tests of operators that move elements: elements distinguished by their bits, and tensors with any strides in
// their own storage, with gaps that must not be written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_view.hpp>

namespace layouts {

// The bits of x, zero-extended. Floats are compared by bits: NaN equals itself, -0.0 and +0.0 differ.
template <class T>
std::uint64_t bits(const T& x) {
  std::uint64_t result = 0;
  std::memcpy(&result, &x, sizeof x);  // little-endian, as DirectML is
  return result;
}

template <class T>
std::vector<std::uint64_t> bits(const std::vector<T>& elements) {
  std::vector<std::uint64_t> result;
  for (const T& x : elements) result.push_back(bits(x));
  return result;
}

// The element with the low bits of `pattern`.
template <class T>
T from_bits(std::uint64_t pattern) {
  T result;
  std::memcpy(static_cast<void*>(&result), &pattern, sizeof result);  // the cast avoids a warning of g++ for float16
  return result;
}

// `count` elements that depend on `seed`, distinct if the type has that many values. Floats have arbitrary bits,
// including NaN.
template <class T>
std::vector<T> different_elements(std::size_t count, std::uint64_t seed) {
  std::vector<T> elements;
  for (std::size_t i = 0; i < count; ++i)
    elements.push_back(from_bits<T>((i + seed * 85 + 1) * 0x9E37'79B9'7F4A'7C15u));  // odd: distinct
  return elements;
}

// Layouts of a tensor in which each element has a distinct address.
enum class layout {
  packed,
  padded,    // one element of gap after each row, and so on outwards
  permuted,  // dimension 0 varies fastest
  stepped,   // permuted, and two elements of gap after each element
};
inline constexpr std::array all_layouts{layout::packed, layout::padded, layout::permuted, layout::stepped};

inline goldml::dimensions strides_of(layout which, const goldml::dimensions& sizes) {
  const bool reversed = which == layout::permuted || which == layout::stepped;
  const std::uint32_t gap = which == layout::padded ? 1 : 0;
  goldml::dimensions strides = sizes;
  std::uint32_t stride = which == layout::stepped ? 3 : 1;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const std::size_t i = reversed ? n : sizes.size() - 1 - n;
    strides[i] = stride;
    stride *= sizes[i] + gap;
  }
  return strides;
}

// A tensor in its own storage.
template <class T>
class laid_out {
 public:
  // Holds `elements`, given in row-major order; a stride of 0 makes later elements overwrite earlier ones.
  laid_out(const goldml::dimensions& sizes, const goldml::dimensions& strides, const std::vector<T>& elements)
      : sizes_(sizes), strides_(strides), offsets_(offsets_of(sizes, strides)) {
    std::size_t end = 0;
    for (const std::size_t offset : offsets_) end = offset + 1 > end ? offset + 1 : end;
    storage_.assign(end + 3, gap_mark());
    addressed_.assign(end + 3, false);
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      storage_[offsets_[i]] = elements[i];
      addressed_[offsets_[i]] = true;
    }
  }

  goldml::tensor_view<T> view() { return {storage_, sizes_, strides_}; }

  // The elements in row-major order.
  std::vector<T> elements() const {
    std::vector<T> result;
    for (const std::size_t offset : offsets_) result.push_back(storage_[offset]);
    return result;
  }

  bool gaps_untouched() const {
    for (std::size_t i = 0; i < storage_.size(); ++i)
      if (!addressed_[i] && bits(storage_[i]) != bits(gap_mark())) return false;
    return true;
  }

 private:
  static T gap_mark() { return from_bits<T>(0x5A5A'5A5A'5A5A'5A5Au); }

  static std::vector<std::size_t> offsets_of(const goldml::dimensions& sizes, const goldml::dimensions& strides) {
    std::vector<std::size_t> offsets{0};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::vector<std::size_t> longer;
      for (const std::size_t offset : offsets)
        for (std::size_t c = 0; c < sizes[i]; ++c) longer.push_back(offset + c * strides[i]);
      offsets = longer;
    }
    return offsets;
  }

  goldml::dimensions sizes_;
  goldml::dimensions strides_;
  std::vector<std::size_t> offsets_;  // of the elements in row-major order
  std::vector<T> storage_;
  std::vector<bool> addressed_;
};

// A tensor of this layout with different elements.
template <class T>
laid_out<T> filled(const goldml::dimensions& sizes, layout which, std::uint64_t seed) {
  return laid_out<T>(sizes, strides_of(which, sizes),
                     different_elements<T>(static_cast<std::size_t>(goldml::element_count(sizes)), seed));
}

}  // namespace layouts
