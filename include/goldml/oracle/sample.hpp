// The elements of a large output that are judged if not all are: a sample that is drawn by a fixed rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle {

// At most `elements` of each output are judged.
struct sample_options {
  std::uint64_t elements = (std::numeric_limits<std::uint64_t>::max)();
};

// The elements of an output that a golden answer has: their values are a tensor of one dimension.
struct output_sample {
  tensor_desc whole;                   // the output
  std::vector<std::uint64_t> numbers;  // of the elements, in row-major order, ascending
};

// Row-major numbers of `count` elements of a tensor of these sizes, or of all if it has no more, ascending. Up to a
// quarter of them are the corners; then, in turn, one whose coordinates are all at edges of tiles of 16 to 256, one on
// the last coordinate of an axis, and two anywhere. The same for the same sizes and count.
inline std::vector<std::uint64_t> sampled_elements(const dimensions& sizes, std::uint64_t count) {
  const std::uint64_t all = element_count(sizes);
  if (all <= count) {
    std::vector<std::uint64_t> every(static_cast<std::size_t>(all));
    std::iota(every.begin(), every.end(), std::uint64_t{0});
    return every;
  }
  random_source random(all);
  std::set<std::uint64_t> numbers;
  const auto add = [&](const auto& coordinate) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) number = number * sizes[i] + coordinate(i);
    numbers.insert(number);
  };
  for (std::uint64_t corner = 0; corner < std::uint64_t{1} << sizes.size() && numbers.size() < (count + 3) / 4;
       ++corner)
    add([&](std::size_t i) { return (corner >> i & 1) != 0 ? sizes[i] - 1 : 0; });
  const auto anywhere = [&](std::size_t i) { return static_cast<std::uint32_t>(random.below(sizes[i])); };
  const auto edge = [&](std::size_t i) {
    const std::uint32_t tile = std::uint32_t{16} << random.below(5);
    const std::uint64_t multiple = random.below(sizes[i] / tile + 1) * tile;
    return static_cast<std::uint32_t>(
        (std::min<std::uint64_t>)(multiple - (multiple > 0 && random.chance(50) ? 1 : 0), sizes[i] - 1));
  };
  for (std::uint64_t turn = 0; numbers.size() < count; ++turn) {
    if (turn % 4 == 0) {
      add(edge);
    } else if (turn % 4 == 1) {
      add([&, axis = random.below(sizes.size())](std::size_t i) { return i == axis ? sizes[i] - 1 : anywhere(i); });
    } else {  // or the next one that is not drawn yet
      std::uint64_t number = random.below(all);
      while (!numbers.insert(number).second) number = (number + 1) % all;
    }
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace goldml::oracle
