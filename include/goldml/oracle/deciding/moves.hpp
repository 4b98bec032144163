// SLICE1, DIAGONAL_MATRIX1: the element that is copied to the output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/operators/slice1.hpp>
#include <goldml/oracle/deciding/deciding.hpp>

namespace goldml::oracle {

template <>
struct deciding<slice1_desc> {
  static std::string text(const slice1_desc& desc, std::span<const const_tensor_ref>, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    return fmt::format("    input:    it is the input's element at {}\n", slice1_position(desc, where));
  }
};

template <>
struct deciding<diagonal_matrix1_desc> {
  static std::string text(const diagonal_matrix1_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    const std::int64_t diagonal = std::int64_t{where.back()} - std::int64_t{where[where.size() - 2]};
    const bool filled = diagonal_is_filled(diagonal, desc.diagonal_fill_begin, desc.diagonal_fill_end);
    return fmt::format("    input:    diagonal {} is {}\n", diagonal,
                       filled                ? "filled: it is Value"
                       : inputs[0].present() ? "not filled: it is the input's element"
                                             : "not filled: it is zero");
  }
};

}  // namespace goldml::oracle
