// com_ptr<T>: owns one reference to a COM object. vkd3d has no <wrl/client.h>.
#pragma once

#include <utility>

#include <goldml/d3d12/runtime/headers.hpp>

namespace goldml::d3d12 {

template <class Interface>
class com_ptr {
 public:
  com_ptr() = default;
  com_ptr(const com_ptr& other) : object_(other.object_) {
    if (object_ != nullptr) object_->AddRef();
  }
  com_ptr(com_ptr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  com_ptr& operator=(com_ptr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~com_ptr() {
    if (object_ != nullptr) object_->Release();
  }

  // Adds a reference to an object that has other owners.
  static com_ptr share(Interface* object) {
    com_ptr result;
    result.object_ = object;
    if (object != nullptr) object->AddRef();
    return result;
  }

  Interface* get() const { return object_; }
  Interface* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

  // For functions that return an object through a pointer. Releases the object owned so far.
  Interface** put() {
    *this = com_ptr();
    return &object_;
  }
  void** put_void() { return reinterpret_cast<void**>(put()); }

 private:
  Interface* object_ = nullptr;
};

}  // namespace goldml::d3d12
