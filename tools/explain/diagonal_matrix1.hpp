// What --explain prints about DIAGONAL_MATRIX1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/diagonal_matrix1.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<diagonal_matrix1_desc> {
  static std::vector<std::string> facts(const diagonal_matrix1_desc& desc,
                                        const operands_of<diagonal_matrix1_desc>& t) {
    if (!t[1].sound) return {};
    const dimensions& sizes = t[1].desc->sizes;
    const std::size_t rank = sizes.size();
    const std::int64_t height = sizes[rank - 2];
    const std::int64_t width = sizes[rank - 1];
    const std::int64_t begin = desc.diagonal_fill_begin;
    const std::int64_t end = desc.diagonal_fill_end;
    std::string band = fmt::format("{} <= t < {}", begin, end);
    if (begin == end) band = "none";
    if (begin > end) band = fmt::format("all but {} <= t < {}", end, begin);
    const std::int64_t within =
        std::max<std::int64_t>(0, std::min(std::max(begin, end), width) - std::max(std::min(begin, end), 1 - height));
    const std::int64_t all = height + width - 1;
    std::string implied = "any, as InputTensor is null: zero where nothing is filled";
    if (t[0].desc) implied = fmt::format("{}, InputTensor's", t[0].desc->sizes);
    return {fmt::format("{} of height {} and width {}",
                        counted(element_count(sizes.slice(0, rank - 2)), "matrix", "matrices"), height, width),
            fmt::format("filled diagonals t = x - y: {}; {} of {}, which run from {} to {}", band,
                        begin > end ? all - within : within, all, 1 - height, width - 1),
            "implied sizes of OutputTensor: " + implied};
  }
};

}  // namespace goldml::tool::detail
