// The lines of a tensor along one axis, and how they are divided among threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <goldml/core/tensor_view.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>

namespace goldml::detail {

// Some lines that are equally far apart. Strides are in elements, and negative where an axis is walked backwards.
template <class T>
struct scanned_lines {
  const T* from;
  T* to;
  std::ptrdiff_t from_step, to_step;  // from an element of a line to the next
  std::ptrdiff_t from_line, to_line;  // from a line to the next
  std::uint64_t length;               // of a line
  std::uint64_t count;                // of lines

  scanned_lines part(std::uint64_t first, std::uint64_t most) const {
    scanned_lines result = *this;
    result.from += static_cast<std::ptrdiff_t>(first) * from_line;
    result.to += static_cast<std::ptrdiff_t>(first) * to_line;
    result.count = (std::min)(most, count - first);
    return result;
  }
  bool lines_are_contiguous() const { return from_line == 1 && to_line == 1; }
};

// Calls run(lines) for groups of neighbouring lines, at most `group(lines)` of them, which together are all lines.
template <class T, class Group, class F>
void for_each_line(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                   std::uint32_t axis, bool backwards, const Group& group, const F& run) {
  loop_nest<2> others;  // strides: of the output, and of the input
  for (std::size_t i = 0; i < input.sizes().size(); ++i)
    if (i != axis) others.add(input.sizes()[i], {output.strides()[i], input.strides()[i]});
  others.sort_by_stride(0);
  others.merge();
  const loop<2> neighbours = others.take_innermost();
  const std::uint64_t length = input.sizes()[axis];
  const auto step_of = [&](std::uint32_t stride) {
    const std::ptrdiff_t step = length == 1 ? 0 : static_cast<std::ptrdiff_t>(stride);
    return backwards ? -step : step;
  };
  scanned_lines<T> all{input.data(),
                       output.data(),
                       step_of(input.strides()[axis]),
                       step_of(output.strides()[axis]),
                       static_cast<std::ptrdiff_t>(neighbours.stride[1]),
                       static_cast<std::ptrdiff_t>(neighbours.stride[0]),
                       length,
                       neighbours.size};
  if (backwards) {
    all.from -= static_cast<std::ptrdiff_t>(length - 1) * all.from_step;
    all.to -= static_cast<std::ptrdiff_t>(length - 1) * all.to_step;
  }
  const std::uint64_t lines = group(all);
  const std::uint64_t groups = (neighbours.size + lines - 1) / lines;
  parallel_for(backend, 2 * element_count(input.sizes()) * sizeof(T), others.iterations() * groups,
               [&](std::uint64_t begin, std::uint64_t end) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   const auto offset = offsets_at(others, i / groups);
                   scanned_lines<T> each = all;
                   each.to += offset[0];
                   each.from += offset[1];
                   run(each.part(i % groups * lines, lines));
                 }
               });
}

}  // namespace goldml::detail
