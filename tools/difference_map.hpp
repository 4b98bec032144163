// Where an output differs from the golden one, and by how much: what the report of `goldml check` draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/compare.hpp>

namespace goldml::tool {

// One axis of a picture of slices that stand side by side, each of which is a matrix of the last two dimensions. A
// cell of the picture is one element. If those are too many, it is a block of elements of one slice; if the slices are
// too many, a block of whole slices.
struct map_axis {
  std::uint64_t size = 1;         // elements of a slice
  std::uint64_t slices = 1;       // side by side
  std::uint64_t block = 1;        // elements of a slice in a cell
  std::uint64_t slice_block = 1;  // slices in a cell

  std::uint64_t cells_of_slice() const { return (size - 1) / block + 1; }
  std::uint64_t stride() const { return cells_of_slice() + (slices > 1 && cells_of_slice() > 1 ? 1 : 0); }
  std::uint64_t cells() const { return ((slices - 1) / slice_block + 1) * stride() - (stride() - cells_of_slice()); }
  std::uint64_t cell_of(std::uint64_t slice, std::uint64_t index) const {
    return slice / slice_block * stride() + index / block;
  }
};

struct map_layout {
  map_axis rows, columns;
};

// How the elements of an output are laid out: dimensions of size 1 do not count; with five or more others, all but the
// last of the leading ones run from top to bottom.
map_layout layout_of(const dimensions& sizes);

inline constexpr std::uint64_t most_cells = 128;  // of each axis

// Beyond the accepted interval, a value is as far as up to each of these, or farther.
inline constexpr std::array<double, 4> shade_limits{1, 10, 100, 1000};
inline constexpr std::size_t shades = shade_limits.size() + 1;
inline constexpr std::size_t accepted_ranges = 5;  // of a fifth of the accepted interval each

// How far a value is from what is accepted of its element is counted in intervals: in widths of the accepted interval,
// or in steps if that is less than a step, which is the distance from the golden value to the next number of the data
// type, and 1 for integers; in steps also if the interval has no end. If several intervals or values are accepted, the
// nearest counts.
struct difference_map {
  std::string name;  // of the output
  data_type type = data_type::unknown;
  dimensions sizes;
  std::uint64_t differing = 0;
  std::string explanation;  // what is plain about the differences, as lines; see oracle::explain()
  dimensions first, last;   // the least and the greatest coordinates of the elements that differ
  double farthest = 0;      // in intervals, of those that differ by a number
  dimensions farthest_at;   // empty if none does
  map_layout layout;
  // One character for each cell, row by row: ' ' without an element, '-' undefined or not known, '.' agrees, '1' to
  // '5' the shades, 'N' a NaN or an infinity that is not accepted, or not given where only those are. The last of
  // these that occurs in the cell.
  std::string cells;
  // How many elements that are judged lie where: below the accepted interval from the farthest shade to the nearest, in
  // the parts of the interval from its low end to its high end, above it from the nearest shade to the farthest.
  std::array<std::uint64_t, 2 * shades + accepted_ranges> histogram{};
  std::uint64_t not_numbers = 0;  // differ, and are 'N'
};

// `actual` must have the type and sizes of the golden output.
difference_map map_of_differences(std::string name, const oracle::golden_output& golden, const const_tensor_ref& actual,
                                  const oracle::compare_options& options);

}  // namespace goldml::tool
