// The structures of all operators in DirectML.h, checked against operator_traits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include <goldml/directml/constants.hpp>
#include <goldml/directml/structure.hpp>
#include <goldml/directml/structures/activations.hpp>
#include <goldml/directml/structures/arg_reduce.hpp>
#include <goldml/directml/structures/cast.hpp>
#include <goldml/directml/structures/convolution.hpp>
#include <goldml/directml/structures/cumulative.hpp>
#include <goldml/directml/structures/diagonal_matrix.hpp>
#include <goldml/directml/structures/diagonal_matrix1.hpp>
#include <goldml/directml/structures/element_wise.hpp>
#include <goldml/directml/structures/fill_value_constant.hpp>
#include <goldml/directml/structures/fill_value_sequence.hpp>
#include <goldml/directml/structures/gather.hpp>
#include <goldml/directml/structures/gemm.hpp>
#include <goldml/directml/structures/join.hpp>
#include <goldml/directml/structures/max_unpooling.hpp>
#include <goldml/directml/structures/nonzero_coordinates.hpp>
#include <goldml/directml/structures/one_hot.hpp>
#include <goldml/directml/structures/padding.hpp>
#include <goldml/directml/structures/reverse_subsequences.hpp>
#include <goldml/directml/structures/rnn.hpp>
#include <goldml/directml/structures/scatter_elements.hpp>
#include <goldml/directml/structures/scatter_nd.hpp>
#include <goldml/directml/structures/slice.hpp>
#include <goldml/directml/structures/slice1.hpp>
#include <goldml/directml/structures/slice_grad.hpp>
#include <goldml/directml/structures/softmax.hpp>
#include <goldml/directml/structures/space_depth.hpp>
#include <goldml/directml/structures/split.hpp>
#include <goldml/directml/structures/tile.hpp>
#include <goldml/directml/structures/top_k.hpp>
#include <goldml/directml/structures/upsample_2d.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::directml {

static_assert(detail::structures_agree(all_operators{}), "goldml: a structure does not agree with its operator_traits");

// All structures, in the order of all_operators.
inline std::span<const structure_description> every_structure() {
  static const auto all = []<class... Desc>(type_list<Desc...>) {
    return std::array{structure_of<Desc>()...};
  }(all_operators{});
  return all;
}

// The structure with that DML_OPERATOR_TYPE; nullptr if goldml does not have the operator.
inline const structure_description* find_structure(std::uint32_t type) {
  for (const structure_description& structure : every_structure())
    if (structure.op->enumerator == type) return &structure;
  return nullptr;
}

// The structure of an operator. Throws std::invalid_argument if it is not in all_operators.
inline const structure_description& structure_of(const operator_description& op) {
  const structure_description* const found = find_structure(op.enumerator);
  if (found == nullptr || found->op != &op)
    throw std::invalid_argument("goldml: an operator that is not in all_operators");
  return *found;
}

}  // namespace goldml::directml
