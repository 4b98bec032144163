// The memory of the tensors of a call: pointers with sizes, made from vectors, arrays and spans.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/core/arguments.hpp>

namespace goldml::directml {

namespace detail {

// Whether Range is contiguous memory, of elements or bytes, that converts to Void*.
template <class Range, class Void>
concept memory_of = requires(Range& range) {
  { std::data(range) } -> std::convertible_to<Void*>;
  std::size(range);
}
&&(element<std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>> ||
   std::same_as<const std::byte, const std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>>);

}  // namespace detail

// Void is void for outputs, const void for inputs. A default-constructed buffer, {}, stands for an optional tensor that
// the desc omits. A temporary cannot be an output, except a span.
template <class Void>
class basic_buffer {
 public:
  basic_buffer() = default;
  basic_buffer(Void* data, std::uint64_t size_in_bytes) : data_(data), size_in_bytes_(size_in_bytes) {}

  template <class Range>
  requires(detail::memory_of<Range, Void> &&
           (std::is_const_v<Void> || std::is_lvalue_reference_v<Range> || goldml::detail::is_span<Range>))
      basic_buffer(Range&& elements)  // NOLINT(google-explicit-constructor): {x, y}
      : data_(std::data(elements)), size_in_bytes_(std::size(elements) * sizeof(*std::data(elements))) {}

  bool present() const { return data_ != nullptr || size_in_bytes_ != 0; }
  Void* data() const { return data_; }
  std::uint64_t size_in_bytes() const { return size_in_bytes_; }

 private:
  Void* data_ = nullptr;
  std::uint64_t size_in_bytes_ = 0;
};

// The inputs or outputs of a call: {x, indices, updates}, or a vector of buffers. Non-owning; use it as an argument
// only.
template <class Void>
class basic_buffers {
 public:
  basic_buffers(std::initializer_list<basic_buffer<Void>> buffers) : buffers_(buffers.begin(), buffers.size()) {}
  template <std::convertible_to<std::span<const basic_buffer<Void>>> Range>
  basic_buffers(const Range& buffers)  // NOLINT(google-explicit-constructor): a vector of buffers is one
      : buffers_(buffers) {}

  std::size_t size() const { return buffers_.size(); }
  const basic_buffer<Void>& operator[](std::size_t i) const { return buffers_[i]; }

 private:
  std::span<const basic_buffer<Void>> buffers_;
};

using input_buffer = basic_buffer<const void>;
using output_buffer = basic_buffer<void>;
using input_buffers = basic_buffers<const void>;
using output_buffers = basic_buffers<void>;

}  // namespace goldml::directml
