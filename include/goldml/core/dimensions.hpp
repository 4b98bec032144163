// Sizes, strides and coordinates: up to eight UINT32 values without allocation, and the arithmetic on them.
// The arithmetic saturates instead of overflowing, and rule T6 refuses the result.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <goldml/core/inline_text.hpp>

namespace goldml {

// A list of at most 8 UINT32 values: DML_TENSOR_DIMENSION_COUNT_MAX1.
// A longer list (from a range) keeps its first 8 values and is overlong(), so that rule T4 refuses it.
// Values that do not fit UINT32 throw std::invalid_argument.
class dimensions {
  [[noreturn]] static void refuse(const detail::inline_text& text) {
    throw std::invalid_argument(std::string(text.view()));
  }

  // Defined first, because clang 14 cannot use a template in a constant expression before its definition.
  template <std::integral I>
  static constexpr std::uint32_t as_uint32(I value) {
    if (!std::in_range<std::uint32_t>(value))
      refuse(detail::inline_text("goldml::dimensions: {} is no UINT32 value", value));
    return static_cast<std::uint32_t>(value);
  }

 public:
  static constexpr std::size_t capacity = 8;

  constexpr dimensions() = default;

  // Not explicit, so that sizes can be written as {2, 3}.
  template <std::integral... I>
  requires(sizeof...(I) > 0) constexpr dimensions(I... values)  // NOLINT(google-explicit-constructor)
      : values_{{as_uint32(values)...}}, length_(sizeof...(I)) {
    static_assert(sizeof...(I) <= capacity, "goldml T4: a DirectML tensor has at most 8 dimensions");
  }

  template <class Range>
  requires requires(const Range& range) {
    { *std::begin(range) } -> std::convertible_to<std::uint64_t>;
    std::end(range);
  }
  constexpr explicit dimensions(const Range& range) {
    for (const auto value : range) push_back(value);
  }

  // `count` times the same value.
  static constexpr dimensions filled(std::size_t count, std::uint32_t value) {
    dimensions result;
    for (std::size_t i = 0; i < count && i < capacity; ++i) result.values_[i] = value;
    result.length_ = static_cast<std::uint32_t>((std::min<std::size_t>)(count, longest));
    return result;
  }

  // Represents a null pointer with a count above 0 in one of DirectML's structures: empty, and is_null().
  static constexpr dimensions null() {
    dimensions result;
    result.values_[0] = null_mark;
    return result;
  }

  template <std::integral I>
  constexpr void push_back(I value) {
    const std::uint32_t checked = as_uint32(value);
    if (length_ < capacity) values_[length_] = checked;
    if (length_ < longest) ++length_;
  }

  constexpr void append(const dimensions& values) {
    for (const std::uint32_t value : values) push_back(value);
  }

  constexpr std::size_t size() const { return length_ <= capacity ? length_ : capacity; }
  constexpr bool empty() const { return size() == 0; }
  constexpr bool overlong() const { return length_ > capacity; }
  // How many values were given; more than size() if the list is overlong.
  constexpr std::uint32_t given() const { return length_; }
  constexpr bool is_null() const { return length_ == 0 && values_[0] == null_mark; }

  constexpr std::uint32_t operator[](std::size_t i) const { return values_[i]; }
  constexpr std::uint32_t& operator[](std::size_t i) { return values_[i]; }
  constexpr std::uint32_t back() const { return values_[size() - 1]; }

  constexpr const std::uint32_t* begin() const { return values_.data(); }
  constexpr const std::uint32_t* end() const { return values_.data() + size(); }

  // The values at first .. last-1.
  constexpr dimensions slice(std::size_t first, std::size_t last) const {
    dimensions result;
    for (std::size_t i = first; i < last; ++i) result.values_[result.length_++] = values_[i];
    return result;
  }

  constexpr bool contains(std::uint32_t value) const { return std::find(begin(), end(), value) != end(); }

  friend constexpr bool operator==(const dimensions&, const dimensions&) = default;

 private:
  static constexpr std::uint32_t longest = (std::numeric_limits<std::uint32_t>::max)();
  static constexpr std::uint32_t null_mark = 1;

  std::array<std::uint32_t, capacity> values_{};  // 0 beyond the length, but null_mark at first of null()
  std::uint32_t length_ = 0;                      // above capacity of an overlong list
};

// A size computed in 64 bits, within the limits of a size, so that a rule of the operator refuses one that exceeds
// them.
constexpr std::uint32_t clamped_size(std::uint64_t size) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(size, 1, (std::numeric_limits<std::uint32_t>::max)()));
}

// Sizes computed in 64 bits, which a tensor may not have; at most 8.
class wide_sizes {
 public:
  constexpr wide_sizes() = default;
  constexpr wide_sizes(std::initializer_list<std::uint64_t> sizes) {
    for (const std::uint64_t size : sizes) push_back(size);
  }
  constexpr wide_sizes(const dimensions& sizes) {  // NOLINT(google-explicit-constructor): sizes of a tensor are some
    for (const std::uint32_t size : sizes) push_back(size);
  }

  constexpr void push_back(std::uint64_t size) { values_[length_++] = size; }
  constexpr std::size_t size() const { return length_; }
  constexpr std::uint64_t operator[](std::size_t i) const { return values_[i]; }
  constexpr std::uint64_t& operator[](std::size_t i) { return values_[i]; }

  // Each within the limits of a size.
  constexpr dimensions clamped() const {
    dimensions result;
    for (std::size_t i = 0; i < length_; ++i) result.push_back(clamped_size(values_[i]));
    return result;
  }

  friend constexpr bool operator==(const wide_sizes&, const wide_sizes&) = default;

 private:
  std::array<std::uint64_t, dimensions::capacity> values_{};
  std::size_t length_ = 0;
};

// A position in a tensor, one value per dimension. Dimension 0 is outermost.
using coordinate_tuple = dimensions;

// a followed by b; at most 8 values together.
constexpr dimensions concatenate(const dimensions& a, const dimensions& b) {
  dimensions result = a;
  result.append(b);
  return result;
}

// `values` padded on the left with `fill` to `count` entries. count >= values.size().
constexpr dimensions left_pad(const dimensions& values, std::size_t count, std::uint32_t fill) {
  dimensions result = dimensions::filled(count - values.size(), fill);
  result.append(values);
  return result;
}

inline constexpr std::uint64_t saturated = (std::numeric_limits<std::uint64_t>::max)();

constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  if ((a | b) >> 32 == 0) return a * b;  // nearly always, and no division
  return b != 0 && a > saturated / b ? saturated : a * b;
}

constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > saturated - b ? saturated : a + b;
}

// |T|: the product of the sizes, or `saturated`.
constexpr std::uint64_t element_count(const dimensions& sizes) {
  std::uint64_t count = 1;
  for (const std::uint32_t size : sizes) count = saturating_multiply(count, size);
  return count;
}

// Strides, in elements, of the row-major layout without gaps: stride[D-1] = 1, stride[i] = stride[i+1] * size[i+1].
// A stride that does not fit UINT32 (possible only beyond the element limit, T6) saturates.
constexpr dimensions packed_strides(const dimensions& sizes) {
  dimensions strides = sizes;
  std::uint64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(stride, (std::numeric_limits<std::uint32_t>::max)()));
    stride = saturating_multiply(stride, sizes[i]);
  }
  return strides;
}

// The offset, in elements, of the last element: sum (size[i]-1)*stride[i], or `saturated`. All sizes >= 1.
constexpr std::uint64_t last_index(const dimensions& sizes, const dimensions& strides) {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    last = saturating_add(last, saturating_multiply(sizes[i] - 1, strides[i]));
  return last;
}

// The offset, in elements, of the element at c: sum c[i]*stride[i].
constexpr std::uint64_t offset_of(const coordinate_tuple& c, const dimensions& strides) {
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < c.size(); ++i) offset += std::uint64_t{c[i]} * strides[i];
  return offset;
}

// The coordinate tuple whose row-major number is `element`, which is below element_count(sizes).
constexpr coordinate_tuple coordinate_at(const dimensions& sizes, std::uint64_t element) {
  coordinate_tuple c = sizes;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    c[i] = static_cast<std::uint32_t>(element % sizes[i]);
    element /= sizes[i];
  }
  return c;
}

// DimensionCount minus the number of leading size-1 dimensions: {1,2,3,4} -> 3, {1,1,1,1} -> 0, {5,1} -> 2.
constexpr std::size_t effective_rank(const dimensions& sizes) {
  std::size_t leading = 0;
  while (leading < sizes.size() && sizes[leading] == 1) ++leading;
  return sizes.size() - leading;
}

// {4,3}
inline void append_text(detail::inline_text& text, const wide_sizes& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    text.append(i > 0 ? "," : "{");
    text.put(values[i]);
  }
  text.append("}");
}
inline void append_text(detail::inline_text& text, const dimensions& values) {
  text.append("{");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text.append(",");
    text.put(values[i]);
  }
  text.append(values.overlong() ? ",...}" : "}");
}

}  // namespace goldml

template <>
struct fmt::formatter<goldml::dimensions> : goldml::detail::text_formatter<goldml::dimensions> {};
template <>
struct fmt::formatter<goldml::wide_sizes> : goldml::detail::text_formatter<goldml::wide_sizes> {};
