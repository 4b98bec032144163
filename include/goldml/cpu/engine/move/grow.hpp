// Tensors that grow along their dimensions, one after the other, by copies of their own elements: PADDING and TILE.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/move.hpp>

namespace goldml::detail {

// An output, of which the region from `begin` on with the sizes of the input has been written. Positions on a dimension
// are those of the output. A template, so that only a unit with a run-time call instantiates the engine for all widths.
template <class Backend>
class growing_tensor {
 public:
  // Copies the input to `begin`.
  growing_tensor(const Backend& backend, const host_input& input, const host_output& output, const dimensions& begin,
                 std::size_t width)
      : backend_(backend), output_(output), begin_(begin), sizes_(input.sizes), width_(width) {
    visit_width(width_, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      copy_elements<Size>(backend_, loops_of_copy(sizes_, output_.strides, input.strides, Size),
                          output_.data + offset_of_region(begin_.size(), 0), input.data);
    });
  }

  // Writes `count` positions of dimension i from `to` on: those from `from` on, or in the other direction, or that one
  // repeated (step 1, -1, 0).
  void copy(std::size_t i, std::uint64_t to, std::uint64_t from, std::uint64_t count, std::int64_t step = 1) {
    if (count == 0) return;
    signed_steps steps;
    for (std::size_t j = 0; j < sizes_.size(); ++j) {
      const std::int64_t stride = std::int64_t{output_.strides[j]} * static_cast<std::int64_t>(width_);
      if (j == i)
        steps.add({count, stride, step * stride});
      else
        steps.add({sizes_[j], stride, stride});
    }
    visit_width(width_, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      copy_with_steps<Size>(backend_, steps, output_.data + offset_of_region(i, to),
                            output_.data + offset_of_region(i, from));
    });
  }

  // Fills `count` positions of dimension i from `to` on.
  void fill(std::size_t i, std::uint64_t to, std::uint64_t count, const std::array<std::byte, 8>& value) {
    if (count == 0) return;
    visit_width(width_, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      loop_nest<2> loops;
      for (std::size_t j = 0; j < sizes_.size(); ++j) {
        const std::uint64_t stride = std::uint64_t{output_.strides[j]} * Size;
        loops.add(j == i ? count : sizes_[j], {stride, stride});
      }
      fill_elements<Size>(backend_, loops, output_.data + offset_of_region(i, to), value);
    });
  }

  // Continues the period of the positions `first` .. `first + period - 1` to the end of dimension i.
  void repeat_after(std::size_t i, std::uint64_t first, std::uint64_t period) {
    const std::uint64_t end = output_.sizes[i];
    for (std::uint64_t known = period; first + known < end; known *= 2)
      copy(i, first + known, first, (std::min)(known, end - first - known));
  }

  // The same to the beginning.
  void repeat_before(std::size_t i, std::uint64_t first, std::uint64_t period) {
    for (std::uint64_t known = period; first > 0; known *= 2) {
      const std::uint64_t added = (std::min)(known, first);
      first -= added;
      copy(i, first, first + known, added);
    }
  }

  // All positions of dimension i have been written.
  void finish(std::size_t i) {
    begin_[i] = 0;
    sizes_[i] = output_.sizes[i];
  }

 private:
  // In bytes, from the first element of the output to that of the region, on dimension i to `position`.
  std::uint64_t offset_of_region(std::size_t i, std::uint64_t position) const {
    std::uint64_t offset = 0;
    for (std::size_t j = 0; j < sizes_.size(); ++j)
      offset += (j == i ? position : begin_[j]) * output_.strides[j] * width_;
    return offset;
  }

  const Backend& backend_;
  const host_output& output_;
  dimensions begin_;  // of the region
  dimensions sizes_;
  std::size_t width_;
};

}  // namespace goldml::detail
