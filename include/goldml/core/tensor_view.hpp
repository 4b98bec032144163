// tensor_view<T>: a non-owning view of elements of type T with sizes and strides.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>  // also std::ranges::enable_borrowed_range
#include <type_traits>
#include <utility>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>

namespace goldml {

// A contiguous range with a known number of elements: a vector, an array, a span.
template <class Range>
concept element_range = requires(Range& range) {
  std::data(range);
  std::size(range);
}
&&element<std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>>;

template <element_range Range>
using element_of_range = std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>;

// A container that ends with the expression, and its elements with it: a vector that a function returns. Spans and
// other borrowed ranges own no elements.
template <class Range>
concept temporary_container = element_range<Range> && !std::is_lvalue_reference_v<Range> &&
                              !std::ranges::enable_borrowed_range<std::remove_cv_t<Range>>;

// tensor_view{p, {2, 3, 4}} is packed row-major. tensor_view{p, {2, 3, 4}, {0, 4, 1}} gives the strides, in elements
// (0 = broadcast; empty = packed, like DirectML's null). A view of a vector, array or span keeps its length, and calls
// refuse (T12) a view that exceeds it. With a plain pointer the size of the memory is not checked. Calls check
// everything else.
template <element T>
class tensor_view {
 public:
  using element_type = T;

  // Taken by reference to a pointer so that an array does not decay and lose its length.
  template <std::convertible_to<T*> Pointer>
  requires std::is_pointer_v<Pointer> tensor_view(const Pointer& data, const dimensions& sizes)
      : tensor_view(saturated, data, sizes) {}
  template <std::convertible_to<T*> Pointer>
  requires std::is_pointer_v<Pointer> tensor_view(const Pointer& data, const dimensions& sizes,
                                                  const dimensions& strides)
      : tensor_view(data, sizes, strides, saturated) {}

  template <element_range Range>
  tensor_view(Range&& elements, const dimensions& sizes)
      : tensor_view(std::size(elements), std::data(elements), sizes) {}
  template <element_range Range>
  tensor_view(Range&& elements, const dimensions& sizes, const dimensions& strides)
      : tensor_view(std::data(elements), sizes, strides, std::size(elements)) {}

  // A view does not keep a container alive. Instead of tensor_view{make(), {2, 3}} write
  // const auto x = make(); tensor_view{x, {2, 3}}
  template <temporary_container Range>
  tensor_view(Range&& give_the_container_a_name_first, const dimensions&) = delete;
  template <temporary_container Range>
  tensor_view(Range&& give_the_container_a_name_first, const dimensions&, const dimensions&) = delete;

  // Sizes need braces: tensor_view{p, 3, 3} would otherwise have sizes {3} and strides {3}.
  template <class Elements, std::integral Size, class... More>
  tensor_view(Elements&&, Size, More&&...) = delete;

  // Conversion from a view of mutable elements to a view of const elements.
  template <class U>
  requires(std::same_as<const U, T>)
      tensor_view(const tensor_view<U>& other)  // NOLINT(google-explicit-constructor): like U* to const U*
      : tensor_view(other.data(), other.sizes(), other.strides(), other.capacity()) {}

  T* data() const { return data_; }
  // The number of elements known to be at data(), or `saturated` if only a pointer was given.
  std::uint64_t capacity() const { return capacity_; }
  const dimensions& sizes() const { return sizes_; }
  const dimensions& strides() const { return strides_; }  // in elements

  // The element at c, which must have one entry per dimension, each less than its size. Not checked.
  template <std::integral I>
  T& operator[](I) const = delete;  // coordinates need braces
  T& operator[](const coordinate_tuple& c) const { return data_[offset_of(c, strides_)]; }

 private:
  tensor_view(std::uint64_t capacity, T* data, const dimensions& sizes)
      : data_(data), capacity_(capacity), sizes_(sizes), strides_(packed_strides(sizes)) {}
  tensor_view(T* data, const dimensions& sizes, const dimensions& strides, std::uint64_t capacity)
      : data_(data), capacity_(capacity), sizes_(sizes), strides_(strides.empty() ? packed_strides(sizes) : strides) {}

  T* data_;
  std::uint64_t capacity_;
  dimensions sizes_;
  dimensions strides_;
};

template <class Pointer>
requires std::is_pointer_v<Pointer> tensor_view(const Pointer&, dimensions)
->tensor_view<std::remove_pointer_t<Pointer>>;
template <class Pointer>
requires std::is_pointer_v<Pointer> tensor_view(const Pointer&, dimensions, dimensions)
->tensor_view<std::remove_pointer_t<Pointer>>;
template <element_range Range>
tensor_view(Range&&, dimensions) -> tensor_view<element_of_range<Range>>;
template <element_range Range>
tensor_view(Range&&, dimensions, dimensions) -> tensor_view<element_of_range<Range>>;

}  // namespace goldml
