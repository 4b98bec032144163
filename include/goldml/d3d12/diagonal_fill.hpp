// DIAGONAL_MATRIX and DIAGONAL_MATRIX1 by shaders: diagonal_fill_vectors.hlsl for packed tensors, diagonal_fill.hlsl
// for any layout.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <goldml/core/data_type.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/diagonal_fill.dxbc.hpp>

namespace goldml::d3d12 {

// Sets elements with begin <= x - y < end to the value, where y and x are the last two coordinates. If end < begin,
// sets all elements except those with end <= x - y < begin.
struct diagonal_fill {
  scalar value;        // of the tensors' data type; if omitted, zero
  std::int64_t begin;  // both from -2^32 + 1 to 2^32 - 1
  std::int64_t end;
};

namespace detail {

// What elements that are not filled become: zero, the input's value, or unchanged.
enum class unfilled : std::uint32_t { zero = 0, input = 1, unchanged = 2 };

class diagonal_recording {
 public:
  diagonal_recording(recorder& work, const diagonal_fill& fill, const buffer_tensor& output, const buffer_tensor& input)
      : work_(work),
        fill_(fill),
        output_(output),
        input_(input),
        rest_(!input.present()                        ? unfilled::zero
              : same_range(input.range, output.range) ? unfilled::unchanged
                                                      : unfilled::input),
        size_log2_(size_log2(output.desc.data_type)),
        value_(repeated_bits(fill.value, output.desc.data_type)) {}

  void record_all() const {
    const auto elements = static_cast<std::uint32_t>(element_count(output_.desc.sizes));
    const std::uint32_t done = can_use_vectors(elements) ? record_vectors(elements) : 0;
    if (done == elements) return;
    box all;
    const dimensions to = effective_strides(output_.desc);
    const dimensions from = input_.present() ? effective_strides(input_.desc) : dimensions::filled(to.size(), 0);
    for (std::size_t i = to.size(); i-- > 0;) all.rows.add({output_.desc.sizes[i], {from[i], to[i], 0}});
    if (done != 0)
      record_tail(all, done, elements);
    else
      record_box(all);
  }

 private:
  // A part of the tensors: its dimensions, x and y first, with their steps in input and output, and its start.
  struct box {
    dimension_rows rows;
    std::uint64_t input_first = 0;
    std::uint64_t output_first = 0;
    std::uint32_t x_first = 0;
    std::uint32_t y_first = 0;
  };

  static bool is_packed(const buffer_tensor& tensor) {
    return effective_strides(tensor.desc) == packed_strides(tensor.desc.sizes);
  }

  // The constants that both shaders have: the value, and the bounds as magnitude and sign. The others are 0.
  template <class Shader>
  typename Shader::constants constants_of() const {
    const auto magnitude = [](std::int64_t bound) { return static_cast<std::uint32_t>(bound < 0 ? -bound : bound); };
    typename Shader::constants result{};
    result.size_log2 = size_log2_;
    result.value_low = static_cast<std::uint32_t>(value_);
    result.value_high = static_cast<std::uint32_t>(value_ >> 32);
    result.begin = magnitude(fill_.begin);
    result.begin_negative = fill_.begin < 0 ? 1 : 0;
    result.end = magnitude(fill_.end);
    result.end_negative = fill_.end < 0 ? 1 : 0;
    result.outside = fill_.end < fill_.begin ? 1 : 0;
    return result;
  }

  bool can_use_vectors(std::uint32_t elements) const {
    return work_.may_use_tables() && rest_ != unfilled::unchanged && is_packed(output_) &&
           fits(vectors(output_.range)) &&
           (rest_ == unfilled::zero || (is_packed(input_) && fits(vectors(input_.range)))) &&
           (work_.must_use_tables() || elements >= 4096);
  }

  // Records the whole vectors of 16 bytes. Returns the number of elements in them.
  std::uint32_t record_vectors(std::uint32_t elements) const {
    const std::uint32_t vector = 16u >> size_log2_;  // in elements
    const std::uint32_t vector_count = elements / vector;
    if (vector_count == 0) return 0;
    const dimensions& sizes = output_.desc.sizes;
    const std::uint32_t width = sizes[sizes.size() - 1];
    const std::uint32_t height = sizes[sizes.size() - 2];
    const std::uint32_t matrices = elements / width / height;
    // Each row has its own groups if that keeps most of their threads busy.
    const std::uint64_t row_groups = divide_up(width / vector, 256);
    const bool by_row = width % vector == 0 && width / vector >= 192 && row_groups <= most_groups &&
                        height <= most_groups && matrices <= most_groups;
    group_counts groups = grid(divide_up(vector_count, 256));
    if (by_row) groups = {static_cast<std::uint32_t>(row_groups), height, matrices};
    auto constants = constants_of<shaders::diagonal_fill_vectors>();
    constants.vectors = vector_count;
    constants.width = width;
    constants.height = height;
    constants.by_row = by_row ? 1 : 0;
    constants.has_input = rest_ == unfilled::input ? 1 : 0;
    constants.groups_x = groups[0];
    pass p = pass_of<shaders::diagonal_fill_vectors>(groups, constants);
    if (rest_ == unfilled::input) p.reads = {vectors(input_.range)};
    p.writes = {vectors(output_.range)};
    work_.dispatch(p);
    return vector_count * vector;
  }

  // Divides the box in two until every part fits into views.
  void record_box(const box& b) const {
    const std::uint64_t most = window_elements(output_.desc, view_kind::raw);
    const bool cut_input = b.rows.reach(0) >= most;
    if (cut_input || b.rows.reach(1) >= most) {
      const std::size_t row = b.rows.longest(cut_input ? 0 : 1);
      const std::uint32_t half = b.rows[row].size / 2;
      box first = b, second = b;
      first.rows[row].size = half;
      second.rows[row].size -= half;
      second.input_first += std::uint64_t{half} * b.rows[row].steps[0];
      second.output_first += std::uint64_t{half} * b.rows[row].steps[1];
      if (row == 0) second.x_first += half;
      if (row == 1) second.y_first += half;
      record_box(first);
      record_box(second);
      return;
    }
    window from{};
    if (rest_ == unfilled::input) from = window_of(input_, b.input_first, b.rows.reach(0));
    record_elements(b, 0, b.rows.elements(), from, window_of(output_, b.output_first, b.rows.reach(1)));
  }

  // Records elements done .. elements - 1 of packed tensors. The views begin at element `done`.
  void record_tail(const box& all, std::uint32_t done, std::uint32_t elements) const {
    window from{};
    if (rest_ == unfilled::input) from = before_window(window_of(input_, done, elements - done - 1), done);
    record_elements(all, done, elements - done, from,
                    before_window(window_of(output_, done, elements - done - 1), done));
  }

  static window before_window(const window& w, std::uint32_t elements) { return {w.range, w.first - elements}; }

  void record_elements(const box& b, std::uint32_t first, std::uint32_t count, const window& from,
                       const window& to) const {
    const group_counts groups = grid(divide_up(count, 256));
    auto constants = constants_of<shaders::diagonal_fill>();
    constants.first = first;
    constants.elements = count;
    constants.dimension_count = static_cast<std::uint32_t>(b.rows.count());
    constants.source = static_cast<std::uint32_t>(rest_);
    constants.input_first = from.first;
    constants.output_first = to.first;
    constants.x_first = b.x_first;
    constants.y_first = b.y_first;
    constants.groups_x = groups[0];
    pass p = pass_of<shaders::diagonal_fill>(groups, constants, {.dimension = b.rows.constants<4>()});
    if (rest_ == unfilled::input) p.reads = {raw(from.range)};
    p.writes = {structured(to.range)};
    dispatch_raw(work_, std::move(p));
  }

  recorder& work_;
  const diagonal_fill& fill_;
  const buffer_tensor& output_;
  const buffer_tensor& input_;
  unfilled rest_;
  std::uint32_t size_log2_;  // of an element
  std::uint64_t value_;
};

}  // namespace detail

// Records the fill of each matrix of the output, which has 2 to 4 dimensions. Other elements are copied from the input,
// which has the output's data type and sizes, or set to zero without an input (default-constructed). The input may be
// the output.
inline void record_diagonal_fill(recorder& work, const diagonal_fill& fill, const buffer_tensor& output,
                                 const buffer_tensor& input) {
  detail::diagonal_recording(work, fill, output, input).record_all();
}

}  // namespace goldml::d3d12
