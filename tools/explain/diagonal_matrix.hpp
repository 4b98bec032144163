// What --explain prints about DIAGONAL_MATRIX.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/diagonal_matrix.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<diagonal_matrix_desc> {
  static std::vector<std::string> facts(const diagonal_matrix_desc& desc, const operands_of<diagonal_matrix_desc>& t) {
    if (!t[0].sound) return {};
    const dimensions& sizes = t[0].desc->sizes;
    const std::int64_t height = sizes[sizes.size() - 2];
    const std::int64_t width = sizes[sizes.size() - 1];
    const std::int64_t first_row = std::max<std::int64_t>(0, -std::int64_t{desc.offset});
    const std::int64_t last_row = std::min<std::int64_t>(height, width - desc.offset);
    const std::int64_t filled = std::max<std::int64_t>(0, last_row - first_row);
    const auto value = convert_value(desc.value, t[0].desc->data_type, desc.value_conversion);
    return {fmt::format("{} of height {} and width {}",
                        counted(element_count(sizes.slice(0, sizes.size() - 2)), "matrix", "matrices"), height, width),
            fmt::format("the diagonal x - y = {} has {} in each", desc.offset,
                        counted(static_cast<std::uint64_t>(filled), "element", "elements")),
            fmt::format("Value becomes {}", value ? to_string(*value) : "none: DM1")};
  }
};

}  // namespace goldml::tool::detail
