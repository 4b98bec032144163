// The list of operators. Code that needs all of them (the tool, the model readers, the generator) iterates over this
// list.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/any_desc.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/operators/cast.hpp>
#include <goldml/operators/diagonal_matrix.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/fill_value_constant.hpp>
#include <goldml/operators/join.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/operators/one_hot.hpp>
#include <goldml/operators/padding.hpp>
#include <goldml/operators/scatter_nd.hpp>
#include <goldml/operators/slice.hpp>
#include <goldml/operators/slice1.hpp>
#include <goldml/operators/slice_grad.hpp>
#include <goldml/operators/space_depth.hpp>
#include <goldml/operators/split.hpp>
#include <goldml/operators/tile.hpp>
#include <goldml/operators/top_k.hpp>

namespace goldml {

namespace detail {

template <class... First, class... Second>
constexpr type_list<First..., Second...> concatenated(type_list<First...>, type_list<Second...>);
template <class First, class Second>
using concatenation = decltype(concatenated(First{}, Second{}));

}  // namespace detail

using all_operators = detail::concatenation<
    type_list<argmin_desc, nonzero_coordinates_desc, scatter_nd_desc, diagonal_matrix1_desc, argmax_desc,
              diagonal_matrix_desc, fill_value_constant_desc, slice1_desc, slice_desc, slice_grad_desc, split_desc,
              join_desc, padding_desc, padding1_desc, tile_desc, space_to_depth_desc, space_to_depth1_desc,
              depth_to_space_desc, depth_to_space1_desc, cast_desc, top_k_desc, top_k1_desc, one_hot_desc>,
    element_wise_operators>;

// Calls f(std::type_identity<Desc>{}) for each operator, in the order of the list.
template <class... Desc, class F>
constexpr void for_each_operator(type_list<Desc...>, F&& f) {
  (f(std::type_identity<Desc>{}), ...);
}

// Calls f(std::type_identity<Desc>{}) for the operator of that name, with or without DML_OPERATOR_. Returns whether
// there is one.
template <class F>
constexpr bool visit_operator(std::string_view name, F&& f) {
  constexpr std::string_view prefix = "DML_OPERATOR_";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  bool found = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc> desc) {
    if (operator_traits<Desc>::name == name) {
      found = true;
      f(desc);
    }
  });
  return found;
}

// The descriptions of all operators, in the order of the list.
inline std::span<const operator_description* const> operator_descriptions() {
  static const auto all = []<class... Desc>(type_list<Desc...>) {
    return std::array{&description_of<Desc>()...};
  }(all_operators{});
  return all;
}

// The description of the operator of that name, with or without DML_OPERATOR_; nullptr if there is none.
inline const operator_description* find_operator(std::string_view name) {
  constexpr std::string_view prefix = "DML_OPERATOR_";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  for (const operator_description* op : operator_descriptions())
    if (op->name == name) return op;
  return nullptr;
}

}  // namespace goldml
