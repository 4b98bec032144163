// Where an output differs, as characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <goldml/oracle/compare.hpp>

namespace goldml::oracle::detail {

// The number of blocks of `size` elements for `count` elements. Does not overflow for counts near 2^32.
constexpr std::uint32_t block_count(std::uint32_t count, std::uint32_t size) {
  return count / size + (count % size == 0 ? 0 : 1);
}

// Maps of the differences in the matrices of an output, which are its last two dimensions: '.' agrees, 'X' differs, '?'
// is undefined or not known. If a matrix has more than 16 rows or 64 columns, each character is a block of elements. Of
// several matrices the first four that differ.
template <class T>
std::string map_text(const golden_output& golden, const const_tensor_ref& actual, const compare_options& options) {
  constexpr std::uint32_t most_rows = 16;
  constexpr std::uint32_t most_columns = 64;
  constexpr std::uint64_t most_matrices = 4;
  const dimensions& sizes = golden.whole().sizes;
  if (sizes.size() < 2) return "";
  const std::size_t outer = sizes.size() - 2;
  const std::uint64_t matrices = element_count(sizes.slice(0, outer));
  const std::uint32_t row_block = block_count(sizes[outer], most_rows);
  const std::uint32_t column_block = block_count(sizes.back(), most_columns);
  const std::uint32_t rows = block_count(sizes[outer], row_block);
  const std::uint32_t columns = block_count(sizes.back(), column_block);
  const auto expected = golden.values.ref().as<T>();
  const auto got = actual.as<T>();
  std::string text = fmt::format("  where it differs, {} by {} elements a character:\n", row_block, column_block);
  std::string map(std::size_t{rows} * columns, '?');
  dimensions matrix;  // that of `map`
  std::uint64_t differing = 0;
  const auto add_map = [&] {
    if (map.find('X') == std::string::npos || ++differing > most_matrices) return;
    if (matrices > 1) {
      text += "    {";
      for (const std::uint32_t place : matrix) text += fmt::format("{},", place);
      text += "*,*}\n";
    }
    for (std::uint32_t row = 0; row < rows; ++row)
      text += "    " + map.substr(std::size_t{row} * columns, columns) + "\n";
  };
  for_each_judged(golden, [&](const coordinate_tuple& c, std::size_t element) {
    if (const dimensions of = c.slice(0, outer); of != matrix) {
      add_map();
      map.assign(map.size(), '?');
      matrix = of;
    }
    char& mark = map[std::size_t{c[outer] / row_block} * columns + c.back() / column_block];
    const T wanted = expected[golden.coordinate_of(c, element)];
    if (place_of<T>(golden, element, wanted, got[c], options) == interval_place::outside)
      mark = 'X';
    else if (golden.verdicts[element] != verdict::undefined && mark == '?')
      mark = '.';
  });
  add_map();
  if (matrices > 1)
    text += fmt::format("    {} of {} matrices {}\n", differing, matrices, differing == 1 ? "differs" : "differ");
  return text;
}

}  // namespace goldml::oracle::detail
