// The operands of a run-time call as a kernel takes them: typed views of the C++ types that their data types select.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml::detail {

// The operand that determines the data type of an operand: the one that the description names, or the operand itself.
template <class Desc>
constexpr std::size_t type_root(std::size_t operand) {
  while (operator_traits<Desc>::operands[operand].same_data_type_as)
    operand = operator_traits<Desc>::operands[operand].same_data_type_as.operand;
  return operand;
}

// The C++ types that an operand takes at some level.
template <class Desc, std::size_t Operand, class Found = type_list<>, class Rest = all_types>
struct types_of_operand;
template <class Desc, std::size_t Operand, class... Found, class T, class... Rest>
struct types_of_operand<Desc, Operand, type_list<Found...>, type_list<T, Rest...>>
    : types_of_operand<
          Desc, Operand,
          std::conditional_t<ever_takes<Desc>(Operand, data_type_of<T>), type_list<Found..., T>, type_list<Found...>>,
          type_list<Rest...>> {};
template <class Desc, std::size_t Operand, class... Found>
struct types_of_operand<Desc, Operand, type_list<Found...>, type_list<>> {
  using type = type_list<Found...>;
};

template <class T, class... Rest>
constexpr T first_of(type_list<T, Rest...>);

// Calls f(type_list<T...>) with the C++ type of each operand, selected by `types`, one data type per row. Returns
// whether there are such types.
template <class Desc, class... Chosen, class F>
bool visit_operand_types(std::span<const data_type> types, F&& f, type_list<Chosen...> = {}) {
  constexpr std::size_t operand = sizeof...(Chosen);
  if constexpr (operand == operand_info_count<Desc>) {
    f(type_list<Chosen...>{});
    return true;
  } else if constexpr (type_root<Desc>(operand) != operand) {
    return visit_operand_types<Desc>(types, f, type_list<Chosen..., void>{});
  } else {
    using list = typename types_of_operand<Desc, operand>::type;
    bool found = false;
    const data_type type =  // any type for an omitted operand
        types[operand] == data_type::unknown ? data_type_of<decltype(first_of(list{}))> : types[operand];
    visit_data_type(list{}, type, [&]<class T>(std::type_identity<T>) {
      found = visit_operand_types<Desc>(types, f, type_list<Chosen..., T>{});
    });
    return found;
  }
}

template <std::size_t I, class List>
struct type_at;
template <std::size_t I, class T, class... Rest>
struct type_at<I, type_list<T, Rest...>> : type_at<I - 1, type_list<Rest...>> {};
template <class T, class... Rest>
struct type_at<0, type_list<T, Rest...>> {
  using type = T;
};

// The refs of row `Operand` as a kernel takes them: a typed view, an optional view, or a vector of views for an array
// of tensors.
template <class Desc, std::size_t Operand, class Types>
auto typed_operand(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  constexpr const operand_info& info = operator_traits<Desc>::operands[Operand];
  using T = typename type_at<type_root<Desc>(Operand), Types>::type;
  const std::size_t tensors = inputs.size() + outputs.size();
  const std::size_t first = first_tensor(operator_traits<Desc>::operands, Operand, tensors);
  const auto view = [&](std::size_t i) {
    if constexpr (info.role == operand_role::input)
      return inputs[i].as<T>();
    else
      return outputs[i - inputs.size()].as<T>();
  };
  using view_type = decltype(view(0));
  if constexpr (info.is_array()) {
    std::vector<view_type> views;
    for (std::size_t i = 0; i < tensor_count(operator_traits<Desc>::operands, Operand, tensors); ++i)
      views.push_back(view(first + i));
    return views;
  } else if constexpr (info.optional) {
    std::optional<view_type> optional;
    if (info.role == operand_role::input ? inputs[first].present() : outputs[first - inputs.size()].present())
      optional = view(first);
    return optional;
  } else {
    return view(first);
  }
}

}  // namespace goldml::detail
