// SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1 in DirectML.h.
#pragma once

#include <array>

#include <goldml/directml/structure.hpp>
#include <goldml/operators/space_depth.hpp>

namespace goldml::directml {

namespace detail {

template <class Type, DML_OPERATOR_TYPE Enumerator>
struct space_depth_structure {
  using type = Type;
  static constexpr DML_OPERATOR_TYPE enumerator = Enumerator;
  static constexpr std::array operands{member<&Type::InputTensor>(), member<&Type::OutputTensor>()};
  static constexpr auto attributes = [] {
    if constexpr (requires(Type t) { t.Order; })
      return std::array{member<&Type::BlockSize>(), member<&Type::Order>()};
    else
      return std::array{member<&Type::BlockSize>()};
  }();
};

}  // namespace detail

// clang-format off
template <> struct structure<space_to_depth_desc> : detail::space_depth_structure<DML_SPACE_TO_DEPTH_OPERATOR_DESC, DML_OPERATOR_SPACE_TO_DEPTH> {};
template <> struct structure<space_to_depth1_desc> : detail::space_depth_structure<DML_SPACE_TO_DEPTH1_OPERATOR_DESC, DML_OPERATOR_SPACE_TO_DEPTH1> {};
template <> struct structure<depth_to_space_desc> : detail::space_depth_structure<DML_DEPTH_TO_SPACE_OPERATOR_DESC, DML_OPERATOR_DEPTH_TO_SPACE> {};
template <> struct structure<depth_to_space1_desc> : detail::space_depth_structure<DML_DEPTH_TO_SPACE1_OPERATOR_DESC, DML_OPERATOR_DEPTH_TO_SPACE1> {};
// clang-format on

}  // namespace goldml::directml
