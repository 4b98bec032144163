// What --explain prints about NONZERO_COORDINATES.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/nonzero_coordinates.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<nonzero_coordinates_desc> {
  static std::vector<std::string> facts(const nonzero_coordinates_desc&,
                                        const operands_of<nonzero_coordinates_desc>& t) {
    if (!t[0].sound) return {};
    const dimensions& input = t[0].desc->sizes;
    const std::size_t fewest = std::max<std::size_t>(1, effective_rank(input));
    const std::size_t count_size = t[1].sound ? t[1].desc->sizes.size() : 1;
    const std::size_t rows_size = t[2].sound ? t[2].desc->sizes.size() : 2;
    std::string rows = fmt::format("{}", left_pad({element_count(input)}, rows_size - 1, 1));
    rows.pop_back();
    std::vector<std::string> facts{
        fmt::format("M = {}, a row for each element of InputTensor", element_count(input)),
        fmt::format(
            "N = {} to {}, a column for each coordinate: at least max(1, effective rank), at most DimensionCount",
            fewest, input.size()),
        fmt::format("implied sizes of OutputCountTensor: {}", dimensions::filled(count_size, 1)),
        fmt::format("implied sizes of OutputCoordinatesTensor: {},N}}", rows)};
    if (t[2].sound) facts.back() += fmt::format(", of which N is {}", t[2].desc->sizes.back());
    return facts;
  }
};

}  // namespace goldml::tool::detail
