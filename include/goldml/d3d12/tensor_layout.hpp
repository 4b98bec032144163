// What shaders are told about tensors: dimensions as rows of constants, windows into buffers, how numbers order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/d3d12/dispatch.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml::d3d12 {

// A dimension and what one step along it adds to up to three sums: offsets of elements, or an index. It is a row of
// four constants in a shader's block.
struct dimension_row {
  std::uint32_t size = 1;
  std::array<std::uint32_t, 3> steps = {};
};

// Dimensions from the fastest to the slowest.
class dimension_rows {
 public:
  std::size_t count() const { return rows_.size(); }
  const dimension_row& operator[](std::size_t i) const { return rows_[i]; }
  dimension_row& operator[](std::size_t i) { return rows_[i]; }

  void add(const dimension_row& row) { rows_.push_back(row); }

  // The product of the sizes; that of a legal tensor fits.
  std::uint32_t elements() const {
    std::uint32_t result = 1;
    for (const dimension_row& row : rows_) result *= row.size;
    return result;
  }

  // How far the sum may come from where it starts.
  std::uint64_t reach(std::size_t step) const {
    std::uint64_t result = 0;
    for (const dimension_row& row : rows_) result += std::uint64_t{row.size - 1} * row.steps[step];
    return result;
  }

  // Rows of size 1 go, and neighbours become one where the second goes on as the first ends. At least one row is left.
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

  // Puts the rows in another order, the shortest steps first; those of no step at all go last.
  void sort_by(std::size_t step) {
    std::stable_sort(rows_.begin(), rows_.end(), [&](const dimension_row& a, const dimension_row& b) {
      return a.steps[step] - 1 < b.steps[step] - 1;  // 0 becomes the greatest
    });
  }

  // The row with the longest way, to be cut in two.
  std::size_t longest(std::size_t step) const {
    std::size_t result = 0;
    for (std::size_t i = 1; i < count(); ++i)
      if (way(i, step) > way(result, step)) result = i;
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

// A shader's block: each list in the 8 rows that the shader has for it.
inline std::vector<std::uint32_t> block_of(std::initializer_list<const dimension_rows*> lists) {
  constexpr std::size_t row_words = 4;
  std::vector<std::uint32_t> block(lists.size() * dimensions::capacity * row_words);
  std::size_t start = 0;
  for (const dimension_rows* list : lists) {
    for (std::size_t i = 0; i < list->count(); ++i) {
      const dimension_row& row = (*list)[i];
      const std::size_t at = start + i * row_words;
      block[at] = row.size;
      for (std::size_t k = 0; k < row.steps.size(); ++k) block[at + 1 + k] = row.steps[k];
    }
    start += dimensions::capacity * row_words;
  }
  return block;
}

inline constexpr std::uint32_t most_groups = 65535;  // along x, y or z

// At least so many groups, in x and y; shaders count them with groups_x, which is [0], and leave the few that are too
// many alone.
inline std::array<std::uint32_t, 3> grid(std::uint64_t groups) {
  const std::uint64_t y = (groups + most_groups - 1) / most_groups;
  return {static_cast<std::uint32_t>((groups + y - 1) / y), static_cast<std::uint32_t>(y), 1};
}

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// The base-2 logarithm of an element's bytes.
inline std::uint32_t size_log2(data_type type) {
  return static_cast<std::uint32_t>(std::bit_width(element_size_in_bytes(type)) - 1);
}

// Part of a tensor's buffer as a view sees it, and where in it, in elements, the part begins.
struct window {
  buffer_range range;
  std::uint32_t first;
};

// Elements first .. first + reach of the tensor. Starts on 16 bytes, as views must.
inline window window_of(const buffer_tensor& tensor, std::uint64_t first, std::uint64_t reach) {
  const std::uint64_t size = element_size_in_bytes(tensor.desc.data_type);
  const std::uint64_t begin = first * size / 16 * 16;
  const std::uint64_t end = (std::min)(round_up_to_4((first + reach + 1) * size), tensor.range.size);
  return {tensor.range.part(begin, end - begin), static_cast<std::uint32_t>((first * size - begin) / size)};
}

// Elements of the tensor's type that fit in a view, whichever of its 16 bytes the first of them is in.
inline std::uint64_t window_elements(const tensor_desc& desc, view_kind kind) {
  return (most_view_elements * element_bytes(kind) - 16) / element_size_in_bytes(desc.data_type);
}

// Elements [begin, begin + count) of a tensor through one view. Shaders pass over what is not in the window.
struct element_window {
  buffer_range range;
  std::uint32_t begin;
  std::uint32_t count;
};

// Windows that together show all of a tensor, through views that end `overlap` elements behind them: one, but for
// tensors of more than 512 MiB.
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

// Whether the tensor may be read in vectors: the last of them must lie in the resource.
inline bool has_whole_vectors(const buffer_range& range) {
  return range.offset % 16 == 0 && range.offset + divide_up(range.size, 16) * 16 <= range.resource->GetDesc().Width;
}

// A pass of a shader without typed views: by root descriptors, or in a table where those do not reach.
inline void dispatch_raw(recorder& work, const shader& root, const shader& in_table, pass p) {
  bool reached = true;
  for (const auto* views : {&p.reads, &p.writes})
    for (const view& v : *views) reached = reached && (v.range.resource == nullptr || root_reaches(v.range));
  if (!reached && !work.may_use_tables())
    throw std::length_error("goldml: d3d12: a buffer of more than 512 MiB needs descriptor tables");
  p.code = reached && !work.must_use_tables() ? &root : &in_table;
  work.dispatch(p);
}

// How the shaders turn numbers into keys: order.hlsli. Of 64-bit integers only the bias counts, for the high word.
struct number_order {
  std::uint32_t is_float;
  std::uint32_t bias;
  std::uint32_t least_key;
  std::uint32_t greatest_key;
};

inline number_order order_of(data_type type, nan_policy policy) {
  constexpr std::uint32_t all = 0xFFFF'FFFF;
  constexpr std::uint32_t sign = 0x8000'0000;
  switch (type) {
    case data_type::float32:
    case data_type::float16: {
      // The bits of infinity in the top of a word. As infinity + x, numbers have the keys 0 .. 2 * infinity, and NaNs
      // of either sign, by wrapping round, those above. For NaN to come first, all is moved up until they wrap again.
      const std::uint32_t infinity = type == data_type::float32 ? 0x7F80'0000 : 0x7C00'0000;
      const std::uint32_t above = all - 2 * infinity;
      if (policy == nan_policy::skip) return {1, infinity, 0, 2 * infinity + 1};
      return {1, infinity + above, above - 1, all};
    }
    case data_type::int8:
    case data_type::int16:
    case data_type::int32:
    case data_type::int64:
      return {0, sign, 0, all};
    default:
      return {0, 0, 0, all};
  }
}

}  // namespace goldml::d3d12
