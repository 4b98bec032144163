// The loops of filling diagonals, without element types.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

// The diagonals t = x - y in [low, high) are filled or, if inverted, all others.
struct diagonal_range {
  std::int64_t low;
  std::int64_t high;
  bool inverted;

  diagonal_range(std::int64_t begin, std::int64_t end)
      : low((std::min)(begin, end)), high((std::max)(begin, end)), inverted(begin > end) {}

  // The same diagonals of the transposed matrix, where t changes sign.
  diagonal_range transposed() const {
    return inverted ? diagonal_range(1 - low, 1 - high) : diagonal_range(1 - high, 1 - low);
  }
};

// Matrices (the last two dimensions) in which a range of diagonals is filled. The other elements are those of the
// input, or zero without an input. Strides of the loops are {output, input}, in bytes.
struct diagonal_plan {
  std::byte* output;
  const std::byte* input;  // null: no input; equal to `output`: in place
  std::array<std::byte, 8> value;
  diagonal_range range;
  loop_nest<2> batch;
  loop<2> rows, columns;

  // `bits`: the value, in the first `width` bytes.
  diagonal_plan(const host_input& from, const host_output& to, std::size_t width, const std::array<std::byte, 8>& bits,
                const diagonal_range& filled)
      : output(to.data), input(from.data), value(bits), range(filled) {
    const auto loop_of = [&](std::size_t i) {
      const dimensions& input_strides = from.data != nullptr ? from.strides : to.strides;
      return loop<2>{to.sizes[i], {std::uint64_t{to.strides[i]} * width, std::uint64_t{input_strides[i]} * width}};
    };
    for (std::size_t i = 0; i + 2 < to.sizes.size(); ++i) batch.add(loop_of(i).size, loop_of(i).stride);
    rows = loop_of(to.sizes.size() - 2);
    columns = loop_of(to.sizes.size() - 1);
    if (columns.size == 1 || (rows.size != 1 && rows.stride[0] < columns.stride[0])) {
      std::swap(rows, columns);
      range = range.transposed();
    }
  }
};

}  // namespace goldml::detail
