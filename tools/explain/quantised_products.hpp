// What --explain prints about QUANTIZED_LINEAR_MATRIX_MULTIPLY, QUANTIZED_LINEAR_CONVOLUTION,
// ELEMENT_WISE_QUANTIZED_LINEAR_ADD and QUANTIZED_LINEAR_AVERAGE_POOLING.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/operators/quantized_linear_average_pooling.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>

#include "../explanation.hpp"
#include "convolution.hpp"
#include "matrix_multiply_integer.hpp"
#include "pooling.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<quantized_linear_matrix_multiply_desc> {
  static std::vector<std::string> facts(const quantized_linear_matrix_multiply_desc& desc,
                                        const operands_of<quantized_linear_matrix_multiply_desc>& t) {
    return facts_of_product(desc, t, 3, 8);
  }
};

template <>
struct explanation<quantized_linear_convolution_desc> {
  static std::vector<std::string> facts(const quantized_linear_convolution_desc& desc,
                                        const operands_of<quantized_linear_convolution_desc>& t) {
    return explanation<convolution_desc>::facts(goldml::detail::forward_convolution(desc), {t[0], t[3], t[6], t[9]});
  }
};

template <>
struct explanation<element_wise_quantized_linear_add_desc> {
  static std::vector<std::string> facts(const element_wise_quantized_linear_add_desc&,
                                        const operands_of<element_wise_quantized_linear_add_desc>& t) {
    if (!t[0].sound || !t[3].sound || !t[8].sound) return {};
    return {fmt::format("{}, {} and {} to {}", counted(element_count(t[0].desc->sizes), "element", "elements"),
                        name_of(t[0].desc->data_type), name_of(t[3].desc->data_type), name_of(t[8].desc->data_type))};
  }
};

template <>
struct explanation<quantized_linear_average_pooling_desc> {
  static std::vector<std::string> facts(const quantized_linear_average_pooling_desc& desc,
                                        const operands_of<quantized_linear_average_pooling_desc>& t) {
    if (!t[0].legal) return {};
    return {window_facts(goldml::detail::window_lists_of(desc), t[0], t[5], "the quantised averages of")};
  }
};

}  // namespace goldml::tool::detail
