// What --explain prints about GEMM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/gemm.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<gemm_desc> {
  static std::vector<std::string> facts(const gemm_desc& desc, const operands_of<gemm_desc>& t) {
    if (!t[0].sound || !t[1].sound || !implied(desc, t, 3).sizes) return {};
    const dimensions& a = t[0].desc->sizes;
    const dimensions output = implied(desc, t, 3).sizes->clamped();
    const bool transposes_a = desc.trans_a == matrix_transform::transpose;
    std::vector<std::string> lines{
        fmt::format("{}, each the sum of {}", counted(element_count(output), "element", "elements"),
                    counted(std::uint64_t{a[a.size() - (transposes_a ? 2 : 1)]}, "product", "products")),
        implied_sizes(desc, t)};
    if (!t[2].desc && desc.beta != 1) lines.push_back("Beta is ignored: there is no CTensor");
    return lines;
  }
};

}  // namespace goldml::tool::detail
