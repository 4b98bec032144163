// How tensors are described to shaders: dimensions as rows of constants, and windows into buffers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/d3d12/runtime/dispatch.hpp>

namespace goldml::d3d12 {

// The size of a dimension, and what a step along it adds to up to three sums (element offsets or an index). Shaders see
// it as a row of four constants.
struct dimension_row {
  std::uint32_t size = 1;
  std::array<std::uint32_t, 3> steps = {};
};

// Dimensions, the fastest-varying first.
class dimension_rows {
 public:
  std::size_t count() const { return rows_.size(); }
  const dimension_row& operator[](std::size_t i) const { return rows_[i]; }
  dimension_row& operator[](std::size_t i) { return rows_[i]; }

  void add(const dimension_row& row) { rows_.push_back(row); }

  // The product of the sizes. It fits for a valid tensor.
  std::uint32_t elements() const {
    std::uint32_t result = 1;
    for (const dimension_row& row : rows_) result *= row.size;
    return result;
  }

  // The greatest value that the sum can have.
  std::uint64_t reach(std::size_t step) const {
    std::uint64_t result = 0;
    for (const dimension_row& row : rows_) result += std::uint64_t{row.size - 1} * row.steps[step];
    return result;
  }

  // Removes rows of size 1, and merges neighbours if the second continues the first. Keeps at least one row.
  void merge() {
    dimension_rows merged;
    for (const dimension_row& row : rows_) {
      if (row.size == 1) continue;
      if (merged.count() > 0 && continues(merged.rows_.back(), row))
        merged.rows_.back().size *= row.size;
      else
        merged.add(row);
    }
    if (merged.count() == 0) merged.add({});
    *this = merged;
  }

  // Sorts the rows by their steps, shortest first; steps of 0 come last.
  void sort_by(std::size_t step) {
    std::stable_sort(rows_.begin(), rows_.end(), [&](const dimension_row& a, const dimension_row& b) {
      return a.steps[step] - 1 < b.steps[step] - 1;  // 0 wraps to the greatest value
    });
  }

  // The row that contributes the most to the sum, to be cut in two.
  std::size_t longest(std::size_t step) const {
    std::size_t result = 0;
    for (std::size_t i = 1; i < count(); ++i)
      if (way(i, step) > way(result, step)) result = i;
    return result;
  }

  // The rows as shader constants; those past count() are zero.
  template <std::size_t N = dimensions::capacity>
  std::array<constant_row, N> constants() const {
    std::array<constant_row, N> result{};
    for (std::size_t i = 0; i < count(); ++i)
      result.at(i) = {rows_[i].size, rows_[i].steps[0], rows_[i].steps[1], rows_[i].steps[2]};
    return result;
  }

 private:
  static bool continues(const dimension_row& inner, const dimension_row& outer) {
    for (std::size_t i = 0; i < inner.steps.size(); ++i)
      if (std::uint64_t{inner.steps[i]} * inner.size != outer.steps[i]) return false;
    return true;
  }

  std::uint64_t way(std::size_t i, std::size_t step) const {
    return std::uint64_t{rows_[i].size - 1} * rows_[i].steps[step];
  }

  std::vector<dimension_row> rows_;
};

inline constexpr std::uint32_t most_groups = 65535;  // along x, y or z

// A grid of at least `groups` groups along x and y. May round up: surplus groups return at once. Shaders compute the
// number of a group with groups_x, which is element [0] of the result.
inline group_counts grid(std::uint64_t groups) {
  const std::uint64_t y = (groups + most_groups - 1) / most_groups;
  return {static_cast<std::uint32_t>((groups + y - 1) / y), static_cast<std::uint32_t>(y), 1};
}

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// The base-2 logarithm of an element's size in bytes.
inline std::uint32_t size_log2(data_type type) {
  return static_cast<std::uint32_t>(std::bit_width(element_size_in_bytes(type)) - 1);
}

// The bits of a value of the data type, repeated to fill 64 bits.
inline std::uint64_t repeated_bits(const scalar& value, data_type type) {
  switch (element_size_in_bytes(type)) {
    case 1: return value.as<std::uint8_t>() * 0x0101'0101'0101'0101u;
    case 2: return value.as<std::uint16_t>() * 0x0001'0001'0001'0001u;
    case 4: return value.as<std::uint32_t>() * 0x0000'0001'0000'0001u;
    default: return value.as<std::uint64_t>();
  }
}

// A part of a tensor's buffer for a view, and the offset of the first element in it, in elements.
struct window {
  buffer_range range;
  std::uint32_t first;
};

// The window of elements first .. first + reach of the tensor. It starts at a multiple of 16 bytes, as views must.
inline window window_of(const buffer_tensor& tensor, std::uint64_t first, std::uint64_t reach) {
  const std::uint64_t size = element_size_in_bytes(tensor.desc.data_type);
  const std::uint64_t begin = first * size / 16 * 16;
  const std::uint64_t end = (std::min)(round_up_to_4((first + reach + 1) * size), tensor.range.size);
  return {tensor.range.part(begin, end - begin), static_cast<std::uint32_t>((first * size - begin) / size)};
}

// The number of elements of the tensor's type that fit into a view for any position of the first in its first 16 bytes.
inline std::uint64_t window_elements(const tensor_desc& desc, view_kind kind) {
  return (most_view_elements * element_bytes(kind) - 16) / element_size_in_bytes(desc.data_type);
}

// Elements [begin, begin + count) of a tensor in one view. Shaders skip elements outside the window.
struct element_window {
  buffer_range range;
  std::uint32_t begin;
  std::uint32_t count;
};

// Windows that together cover a tensor; each view extends `overlap` elements past its window. One window, except for
// tensors of more than 512 MiB. Throws std::length_error for an overlap of more than half a view.
inline std::vector<element_window> windows_of(const buffer_tensor& tensor, std::uint64_t overlap = 0) {
  const std::uint64_t all = last_index(tensor.desc.sizes, effective_strides(tensor.desc)) + 1;
  const std::uint64_t most = window_elements(tensor.desc, view_kind::raw);
  if (all <= most) return {{tensor.range, 0, static_cast<std::uint32_t>(all)}};
  if (overlap > most / 2) throw std::length_error("goldml: d3d12: what belongs together is more than 256 MiB apart");
  std::vector<element_window> windows;
  const std::uint64_t step = (most - overlap) / 16 * 16;  // elements: views start on 16 bytes
  for (std::uint64_t begin = 0; begin < all; begin += step) {
    const std::uint64_t count = (std::min)(step, all - begin);
    const std::uint64_t reach = (std::min)(count + overlap, all - begin) - 1;
    windows.push_back({window_of(tensor, begin, reach).range, static_cast<std::uint32_t>(begin),
                       static_cast<std::uint32_t>(count)});
  }
  return windows;
}

// Whether the range of a tensor, which begins at a multiple of 16 bytes, can be read in vectors: the last vector must be
// within the resource.
inline bool has_whole_vectors(const buffer_range& range) {
  return range.offset + divide_up(range.size, 16) * 16 <= range.resource->GetDesc().Width;
}

// Dispatches a pass of a shader without typed views: with root descriptors, or with a table if they do not cover the
// buffers. Throws std::length_error if they do not and the device may not use tables.
inline void dispatch_raw(recorder& work, pass p) {
  bool reached = true;
  for (const auto* views : {&p.reads, &p.writes})
    for (const view& v : *views) reached = reached && (v.range.resource == nullptr || root_reaches(v.range));
  if (!reached && !work.may_use_tables())
    throw std::length_error("goldml: d3d12: a buffer of more than 512 MiB needs descriptor tables");
  if (!reached || work.must_use_tables()) p.code = p.code->in_table;
  work.dispatch(p);
}

}  // namespace goldml::d3d12
