// What --explain prints about GEMM.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <goldml/operators/gemm.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<gemm_desc> {
  static std::vector<std::string> facts(const gemm_desc& desc, const operands_of<gemm_desc>& t) {
    if (!t[0].sound || !t[1].sound || t[0].desc->sizes.size() != t[1].desc->sizes.size()) return {};
    const dimensions &a = t[0].desc->sizes, &b = t[1].desc->sizes;
    const std::size_t rank = a.size();
    if (rank < 2) return {};
    const bool transposes_a = desc.trans_a == matrix_transform::transpose;
    const bool transposes_b = desc.trans_b == matrix_transform::transpose;
    dimensions output = a;
    output[rank - 2] = a[rank - (transposes_a ? 1 : 2)];
    output[rank - 1] = b[rank - (transposes_b ? 2 : 1)];
    std::vector<std::string> lines{
        fmt::format("{}, each the sum of {}", counted(element_count(output), "element", "elements"),
                    counted(std::uint64_t{a[rank - (transposes_a ? 2 : 1)]}, "product", "products")),
        fmt::format("implied sizes of OutputTensor: {}", output)};
    if (!t[2].desc && desc.beta != 1) lines.push_back("Beta is ignored: there is no CTensor");
    return lines;
  }
};

}  // namespace goldml::tool::detail
