// What --explain prints about MATRIX_MULTIPLY_INTEGER.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/matrix_multiply_integer.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<matrix_multiply_integer_desc> {
  static std::vector<std::string> facts(const matrix_multiply_integer_desc& desc,
                                        const operands_of<matrix_multiply_integer_desc>& t) {
    if (!t[0].sound || !t[2].sound || !implied(desc, t, 4).sizes) return {};
    return {fmt::format("{}, each the sum of {}",
                        counted(element_count(implied(desc, t, 4).sizes->clamped()), "element", "elements"),
                        counted(std::uint64_t{t[0].desc->sizes.back()}, "product", "products")),
            implied_sizes(desc, t)};
  }
};

}  // namespace goldml::tool::detail
