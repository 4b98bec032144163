// The loops of an arg-reduction, without element types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

struct arg_reduce_options {
  dimensions axes;              // valid, in any order
  bool last_of_equals = false;  // the last of equal elements wins, otherwise the first; NaNs are equal to each other
  bool nan_first = false;       // NaN wins over every number, otherwise every number wins over NaN
};

// The output: indices of 4 or 8 bytes. An index is not negative and fits, so signed and unsigned types have the same
// bits.
struct index_output {
  void* data;
  bool is_wide;

  GOLDML_INLINE void write(std::uint64_t offset, std::uint64_t index) const {
    if (is_wide)
      static_cast<std::uint64_t*>(data)[offset] = index;
    else
      static_cast<std::uint32_t*>(data)[offset] = static_cast<std::uint32_t>(index);
  }
  std::uint64_t read(std::uint64_t offset) const {
    return is_wide ? static_cast<const std::uint64_t*>(data)[offset] : static_cast<const std::uint32_t*>(data)[offset];
  }
};

// The loops of a call. A slice is the set of input elements that one output element is computed from; the flat index of
// an element is its row-major position in the slice. Strides are in elements.
struct arg_reduce_plan {
  loop_nest<2> kept;     // over the slices: strides {input, output}
  loop_nest<1> copies;   // over slices that are the same slice (input stride 0): stride {output}
  loop_nest<2> reduced;  // over a slice: strides {input, flat index}, in ascending order of the flat index
  std::uint64_t flat_offset =
      0;      // added to each index: selects the first or last of elements repeated by a stride of 0
  bool last;  // the last of equal elements wins
  const void* input;
  index_output output;

  arg_reduce_plan(const host_input& from, const host_output& to, bool indices_are_wide,
                  const arg_reduce_options& options)
      : last(options.last_of_equals), input(from.data), output{to.data, indices_are_wide} {
    const dimensions& sizes = from.sizes;
    const dimensions& strides = from.strides;
    std::uint64_t weight = 1;
    for (const std::uint32_t axis : options.axes) weight *= sizes[axis];
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (options.axes.contains(static_cast<std::uint32_t>(i))) {
        weight /= sizes[i];
        if (strides[i] == 0)
          flat_offset += last ? (sizes[i] - 1) * weight : 0;
        else
          reduced.add(sizes[i], {strides[i], weight});
      } else if (strides[i] == 0) {
        copies.add(sizes[i], {to.strides[i]});
      } else {
        kept.add(sizes[i], {strides[i], to.strides[i]});
      }
    }
    kept.sort_by_stride(0);
    kept.merge();
    reduced.merge();
  }
};

}  // namespace goldml::detail
