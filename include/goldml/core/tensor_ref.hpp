// tensor_ref and const_tensor_ref: non-owning references to a tensor whose data type is known only at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/tensor_view.hpp>

namespace goldml {

// The location of an operand's bytes: plain memory, or a range of a buffer resource, as DirectML binds it.
struct memory_range {
  const void* data = nullptr;               // address of the tensor's first element
  std::uint64_t size_in_bytes = saturated;  // from `data` on; `saturated` if only a pointer was given
  const void* resource = nullptr;           // identifies the bound resource; null for plain memory
  std::uint64_t offset_in_bytes = 0;        // of `data` in the resource
};

template <class T>
memory_range memory_of(const tensor_view<T>& view) {
  return {.data = view.data(), .size_in_bytes = saturating_multiply(view.capacity(), sizeof(T))};
}

// Void is void for outputs, const void for inputs. A default-constructed ref is an absent optional operand.
template <class Void>
class basic_tensor_ref {
 public:
  basic_tensor_ref() = default;

  // Plain memory. `size_in_bytes` is the known size at `data`; calls refuse (T12) a desc that needs more.
  basic_tensor_ref(const tensor_desc& desc, Void* data, std::uint64_t size_in_bytes = saturated)
      : present_(true), desc_(desc), data_(data), memory_{data, size_in_bytes} {}

  // A range of a buffer resource, with the size and alignment rules of DML_BUFFER_BINDING (T12). `resource` only
  // identifies the resource and is never dereferenced. `data` is the start of the range.
  static basic_tensor_ref bound(const tensor_desc& desc, const void* resource, std::uint64_t offset_in_bytes,
                                std::uint64_t size_in_bytes, Void* data) {
    basic_tensor_ref result(desc, data, size_in_bytes);
    result.memory_.resource = resource;
    result.memory_.offset_in_bytes = offset_in_bytes;
    return result;
  }

  template <class T>
  requires(std::is_const_v<Void> || !std::is_const_v<T>)
      basic_tensor_ref(const tensor_view<T>& view)  // NOLINT(google-explicit-constructor): only the static type is lost
      : present_(true),
        desc_{.data_type = data_type_of<T>, .sizes = view.sizes(), .strides = view.strides()},
        data_(view.data()),
        memory_(memory_of(view)) {}

  // An optional operand: present or not.
  template <std::convertible_to<basic_tensor_ref> View>
  basic_tensor_ref(const std::optional<View>& view) {  // NOLINT(google-explicit-constructor): absent stays absent
    if (view) *this = *view;
  }

  template <class Other>
  requires(std::is_const_v<Void>&& std::same_as<const Other, Void>)
      basic_tensor_ref(const basic_tensor_ref<Other>& other)  // NOLINT(google-explicit-constructor): adds const only
      : present_(other.present()), desc_(other.desc()), data_(other.data()), memory_(other.memory()) {}

  bool present() const { return present_; }
  const tensor_desc& desc() const { return desc_; }
  Void* data() const { return data_; }
  const memory_range& memory() const { return memory_; }

  // A typed view. T must be the desc's data type. Throws std::invalid_argument for a bound resource without a host
  // address.
  template <class T>
  auto as() const {
    using element_type = std::conditional_t<std::is_const_v<Void>, const T, T>;
    if (data_ == nullptr && memory_.resource != nullptr)
      throw std::invalid_argument("goldml: this backend reads memory of the host, and the bound resource has none");
    return tensor_view<element_type>(static_cast<element_type*>(data_), desc_.sizes, effective_strides(desc_));
  }

 private:
  bool present_ = false;
  tensor_desc desc_;
  Void* data_ = nullptr;
  memory_range memory_;
};

using tensor_ref = basic_tensor_ref<void>;
using const_tensor_ref = basic_tensor_ref<const void>;

}  // namespace goldml
