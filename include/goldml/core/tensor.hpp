// tensor<T>: an owning, packed tensor, for tests, examples and tools.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include <goldml/core/tensor_view.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

template <element T>
class tensor {
 public:
  tensor() = default;

  // Sets all elements to zero. Throws error T6 for more than 2^32-1 elements, before allocating.
  // (A template, so that tensor<float> t({3}) is not a copy of a tensor made from {3}.)
  template <std::same_as<dimensions> Sizes = dimensions>
  explicit tensor(const Sizes& sizes) : sizes_(sizes), elements_(allocation_size(sizes)) {}

  // Elements in row-major order. Throws error T7 if their number is not the product of the sizes.
  tensor(const dimensions& sizes, std::vector<T> elements) : sizes_(sizes), elements_(std::move(elements)) {
    if (elements_.size() != allocation_size(sizes))
      throw error({.rule = "T7",
                   .operator_name = "tensor",
                   .operand = "",
                   .member = "elements",
                   .index = {},
                   .got = violation_text("{}", elements_.size()),
                   .wanted = violation_text("{}", element_count(sizes)),
                   .why = violation_text("Sizes {}", sizes)});
  }

  const dimensions& sizes() const { return sizes_; }
  std::size_t size() const { return elements_.size(); }  // in elements

  T* data() { return elements_.data(); }
  const T* data() const { return elements_.data(); }

  auto begin() { return elements_.begin(); }
  auto begin() const { return elements_.begin(); }
  auto end() { return elements_.end(); }
  auto end() const { return elements_.end(); }

  // The elements in row-major order.
  const std::vector<T>& elements() const { return elements_; }

  tensor_view<T> view() & { return {elements_, sizes_}; }
  tensor_view<const T> view() const& { return {elements_, sizes_}; }
  tensor_view<const T> view() const&& = delete;  // the view would dangle

  template <std::integral I>
  T& operator[](I) = delete;
  template <std::integral I>
  T& operator[](I) const = delete;  // coordinates need braces: t[{1, 2}]
  T& operator[](const coordinate_tuple& c) { return view()[c]; }
  const T& operator[](const coordinate_tuple& c) const { return view()[c]; }

  friend bool operator==(const tensor&, const tensor&) = default;

 private:
  static std::size_t allocation_size(const dimensions& sizes) {
    const std::uint64_t count = element_count(sizes);
    if (count > (std::numeric_limits<std::uint32_t>::max)())
      throw error({.rule = "T6",
                   .operator_name = "tensor",
                   .operand = "",
                   .member = "Sizes",
                   .index = {},
                   .got = violation_text("{}", sizes),
                   .wanted = violation_text("at most 4294967295 elements"),
                   .why = {}});
    return static_cast<std::size_t>(count);
  }

  dimensions sizes_;
  std::vector<T> elements_;
};

}  // namespace goldml
