// An operand of the engine: address, sizes and strides, without the element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/tensor_view.hpp>

namespace goldml::detail {

// Byte is std::byte for outputs, const std::byte for inputs. `data` is null for an absent optional operand.
template <class Byte>
struct host_operand {
  using void_type = std::conditional_t<std::is_const_v<Byte>, const void, void>;

  Byte* data = nullptr;
  dimensions sizes = {};
  dimensions strides = {};  // in elements

  template <class T>
  explicit host_operand(const tensor_view<T>& view)
      : data(reinterpret_cast<Byte*>(view.data())), sizes(view.sizes()), strides(view.strides()) {}
  template <class T>
  explicit host_operand(const std::optional<tensor_view<T>>& view) {
    if (view) *this = host_operand(*view);
  }
  // Throws std::invalid_argument for a bound resource without a host address.
  explicit host_operand(const basic_tensor_ref<void_type>& ref) {
    if (ref.present()) *this = host_operand(ref.template as<std::uint8_t>());
  }
};

using host_input = host_operand<const std::byte>;
using host_output = host_operand<std::byte>;

// Called after a search for the kernel of data types that have already been validated.
inline void require_found(bool found) {
  if (!found) throw std::logic_error("goldml: a data type passed its rule but has no kernel");
}

// Calls f(std::integral_constant<std::size_t, Bytes>{}), where Bytes is `width`, the size of an element.
template <class F>
void visit_width(std::size_t width, const F& f) {
  switch (width) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>{});
    case 2:
      return f(std::integral_constant<std::size_t, 2>{});
    case 4:
      return f(std::integral_constant<std::size_t, 4>{});
    case 8:
      return f(std::integral_constant<std::size_t, 8>{});
    default:
      require_found(false);
  }
}

// The same for the elements of a data type.
template <class F>
void visit_width(data_type type, const F& f) {
  visit_width(std::size_t{element_size_in_bytes(type)}, f);
}

}  // namespace goldml::detail
