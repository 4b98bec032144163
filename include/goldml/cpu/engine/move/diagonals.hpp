// Fills diagonals. Each row consists of three runs; the middle one lies between the two bounds of the range.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/move/plan.hpp>
#include <goldml/cpu/engine/move/rows.hpp>

namespace goldml::detail {

template <std::size_t Size>
void fill_diagonals(const cpu_backend& backend, const diagonal_plan& plan) {
  const bool has_input = plan.input != nullptr;
  const bool in_place = plan.input == plan.output;
  constexpr std::array<std::byte, Size> zeros{};
  const fill_pattern<Size> zero(zeros.data());
  const fill_pattern<Size> filling(plan.value.data());
  const auto write = [&](run_writer<Size>& writer, row_source<Size>& source, std::uint64_t r, std::uint64_t y,
                         std::uint64_t x, std::uint64_t count) {
    const auto column_of = [&](std::int64_t diagonal) {  // where the diagonal intersects the run
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
    const std::uint64_t low = column_of(plan.range.low);
    const std::uint64_t high = column_of(plan.range.high);
    // What is copied after a long fill is prefetched before it: the hardware cannot predict where in a row it begins.
    const std::uint64_t copied = plan.range.inverted ? low : high;
    const std::uint64_t copied_end = plan.range.inverted ? high : count;
    const std::uint64_t filled = plan.range.inverted ? low : high - low;
    if (has_input && !in_place && writer.streamed() && filled * Size >= 8 * line_bytes)
      source.ask_for(r, copied, copied_end - copied);
    put(0, low, plan.range.inverted);
    put(low, high, !plan.range.inverted);
    put(high, count, plan.range.inverted);
  };
  write_rows<Size>(backend, plan.batch, plan.rows, plan.columns, plan.output, has_input ? plan.input : plan.output,
                   write);
}

}  // namespace goldml::detail
