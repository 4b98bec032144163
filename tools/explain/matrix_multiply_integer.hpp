// What --explain prints about MATRIX_MULTIPLY_INTEGER and MATRIX_MULTIPLY_INTEGER_TO_FLOAT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// B and the output are these operands.
template <class Desc>
std::vector<std::string> facts_of_product(const Desc& desc, const operands_of<Desc>& t, std::size_t b,
                                          std::size_t output) {
  if (!t[0].sound || !t[b].sound || !implied(desc, t, output).sizes) return {};
  return {fmt::format("{}, each the sum of {}",
                      counted(element_count(implied(desc, t, output).sizes->clamped()), "element", "elements"),
                      counted(std::uint64_t{t[0].desc->sizes.back()}, "product", "products")),
          implied_sizes(desc, t)};
}

template <>
struct explanation<matrix_multiply_integer_desc> {
  static std::vector<std::string> facts(const matrix_multiply_integer_desc& desc,
                                        const operands_of<matrix_multiply_integer_desc>& t) {
    return facts_of_product(desc, t, 2, 4);
  }
};

template <>
struct explanation<matrix_multiply_integer_to_float_desc> {
  static std::vector<std::string> facts(const matrix_multiply_integer_to_float_desc& desc,
                                        const operands_of<matrix_multiply_integer_to_float_desc>& t) {
    return facts_of_product(desc, t, 3, 7);
  }
};

}  // namespace goldml::tool::detail
