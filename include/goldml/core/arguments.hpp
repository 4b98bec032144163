// The types that a call accepts as a tensor: tensor_view, tensor_ref, tensor, and, as one-dimensional tensors, vectors,
// arrays and spans.
#pragma once

#include <concepts>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/core/tensor.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/tensor_view.hpp>

namespace goldml {

namespace detail {

// An argument as an input, which is read-only.
template <class T>
tensor_view<const T> as_input(const tensor_view<T>& view) {
  return view;
}
template <class Void>
const_tensor_ref as_input(const basic_tensor_ref<Void>& ref) {
  return ref;
}
template <class T>
tensor_view<const T> as_input(const tensor<T>& owner) {
  return owner.view();
}
template <element_range Range>
auto as_input(const Range& elements) {
  return tensor_view<const std::remove_const_t<element_of_range<const Range>>>(elements, {std::size(elements)});
}

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t Extent>
inline constexpr bool is_span<std::span<T, Extent>> = true;

// An argument as an output. Its elements must not be const.
template <class T>
requires(!std::is_const_v<T>) tensor_view<T> as_output(const tensor_view<T>& view) { return view; }
inline tensor_ref as_output(const tensor_ref& ref) { return ref; }
template <class T>
tensor_view<T> as_output(tensor<T>& owner) {
  return owner.view();
}
template <element_range Range>
requires(!std::is_const_v<element_of_range<Range>> &&
         (std::is_lvalue_reference_v<Range> || is_span<std::remove_cvref_t<Range>>)) auto as_output(Range&& elements) {
  return tensor_view<element_of_range<Range>>(elements, {std::size(elements)});
}

template <class T>
inline constexpr bool is_owner = false;
template <class T>
inline constexpr bool is_owner<tensor<T>> = true;

}  // namespace detail

template <class T>
concept input_argument = requires(const T& t) {
  detail::as_input(t);
};
template <class T>
concept output_argument = requires(T&& t) {
  detail::as_output(std::forward<T>(t));
};

// The type that an argument is converted to: tensor_view<const E>, tensor_view<E>, const_tensor_ref or tensor_ref.
template <input_argument T>
using input_view = decltype(detail::as_input(std::declval<const T&>()));
template <output_argument T>
using output_view = decltype(detail::as_output(std::declval<T>()));

template <class T>
requires detail::is_owner<T> || element_range<const T> operand to_operand(const T& owner) {
  return to_operand(detail::as_input(owner));
}
template <class View>
operand to_operand(const std::optional<View>& view) {
  return view ? to_operand(*view) : operand{};
}

}  // namespace goldml
