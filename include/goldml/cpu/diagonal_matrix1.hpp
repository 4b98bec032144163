// DIAGONAL_MATRIX1: each row is three runs, the middle one between the two bounds of the range.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/move_rows.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>

namespace goldml {

namespace detail {

// The diagonals t = x - y in [low, high) are filled, or, when inverted, all others.
struct diagonal_range {
  std::int64_t low;
  std::int64_t high;
  bool inverted;

  diagonal_range(std::int64_t begin, std::int64_t end)
      : low((std::min)(begin, end)), high((std::max)(begin, end)), inverted(begin > end) {}

  // The same of the transposed matrix, where t changes its sign.
  diagonal_range transposed() const {
    return inverted ? diagonal_range(1 - low, 1 - high) : diagonal_range(1 - high, 1 - low);
  }
};

// `input` is null where there is none, and `output` where the output is the input.
template <std::size_t Size>
void fill_diagonals(const cpu_backend& backend, const dimensions& sizes, const std::byte* input,
                    const dimensions& input_strides, std::byte* output, const dimensions& output_strides,
                    const std::byte* value, diagonal_range range) {
  const bool has_input = input != nullptr;
  const bool in_place = input == output;
  const auto loop_of = [&](std::size_t i) {
    return loop<2>{sizes[i], {std::uint64_t{output_strides[i]} * Size, std::uint64_t{input_strides[i]} * Size}};
  };
  loop_nest<2> batch;
  for (std::size_t i = 0; i + 2 < sizes.size(); ++i) batch.add(loop_of(i).size, loop_of(i).stride);
  loop<2> rows = loop_of(sizes.size() - 2);
  loop<2> columns = loop_of(sizes.size() - 1);
  if (columns.size == 1 || (rows.size != 1 && rows.stride[0] < columns.stride[0])) {
    std::swap(rows, columns);
    range = range.transposed();
  }

  constexpr std::array<std::byte, Size> zeros{};
  const fill_pattern<Size> zero(zeros.data());
  const fill_pattern<Size> filling(value);
  const auto write = [&](run_writer<Size>& writer, row_source<Size>& source, std::uint64_t r, std::uint64_t y,
                         std::uint64_t x, std::uint64_t count) {
    const auto column_of = [&](std::int64_t diagonal) {  // where it meets the run
      const std::int64_t column = diagonal + static_cast<std::int64_t>(y) - static_cast<std::int64_t>(x);
      return static_cast<std::uint64_t>(std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(count)));
    };
    const auto put = [&](std::uint64_t begin, std::uint64_t end, bool filled) {
      if (begin == end) return;
      if (filled)
        writer.fill(filling, end - begin);
      else if (in_place)
        writer.skip(end - begin);
      else if (has_input)
        writer.copy(source.row(r) + begin * Size, end - begin);
      else
        writer.fill(zero, end - begin);
    };
    const std::uint64_t low = column_of(range.low);
    const std::uint64_t high = column_of(range.high);
    // What is copied after a long fill is asked for before: the processor cannot guess where in a row that begins.
    const std::uint64_t copied = range.inverted ? low : high;
    const std::uint64_t copied_end = range.inverted ? high : count;
    const std::uint64_t filled = range.inverted ? low : high - low;
    if (has_input && !in_place && writer.streamed() && filled * Size >= 8 * line_bytes)
      source.ask_for(r, copied, copied_end - copied);
    put(0, low, range.inverted);
    put(low, high, !range.inverted);
    put(high, count, range.inverted);
  };
  write_rows<Size>(backend, batch, rows, columns, output, has_input ? input : output, write);
}

}  // namespace detail

template <>
struct kernel<diagonal_matrix1_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const std::optional<tensor_view<const T>>& input,
                  const tensor_view<T>& output, const diagonal_matrix1_desc& desc) {
    const T value = desc.value.as<T>();
    detail::fill_diagonals<sizeof(T)>(
        backend, output.sizes(), input ? reinterpret_cast<const std::byte*>(input->data()) : nullptr,
        input ? input->strides() : output.strides(), reinterpret_cast<std::byte*>(output.data()), output.strides(),
        reinterpret_cast<const std::byte*>(&value), {desc.diagonal_fill_begin, desc.diagonal_fill_end});
  }
};

}  // namespace goldml
