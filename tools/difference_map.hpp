// Where an output differs from the golden one, and by how much: what the report of `goldml check` draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/compare.hpp>

namespace goldml::tool {

struct difference_map {
  std::string name;  // of the output
  data_type type = data_type::unknown;
  dimensions sizes;
  std::uint64_t differing = 0;
  // One character for each of the first 2^16 elements in row-major order: '.' agrees, 'X' differs, '?' is undefined.
  std::string marks;
  // How many elements differ by how much: ranges, in ascending order, with counts.
  std::vector<std::pair<std::string, std::uint64_t>> histogram;
};

inline constexpr std::size_t most_marks = std::size_t{1} << 16;

// `actual` must have the type and sizes of the golden output.
difference_map map_of_differences(std::string name, const oracle::golden_output& golden, const const_tensor_ref& actual,
                                  const oracle::compare_options& options);

}  // namespace goldml::tool
