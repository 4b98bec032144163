// The bindings of a dispatchable, and buffers in the form in which DirectML binds them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <goldml/d3d12/runtime/shader.hpp>
#include <goldml/directml/headers.hpp>

namespace goldml::directml {

// IDMLDispatchable with the calling convention of Microsoft's compiler, which passes the address of a returned
// structure after `this`. g++ passes it before `this`, and DirectML.h, unlike d3d12.h, has no switch for that. With
// this declaration the call is correct with every compiler.
struct dispatchable_interface : IDMLPageable {
  virtual DML_BINDING_PROPERTIES* STDMETHODCALLTYPE GetBindingProperties(DML_BINDING_PROPERTIES* result) = 0;
};

// The bindings that the operator or the initializer needs.
inline DML_BINDING_PROPERTIES binding_properties(IDMLDispatchable* dispatchable) {
  DML_BINDING_PROPERTIES result{};
  reinterpret_cast<dispatchable_interface*>(dispatchable)->GetBindingProperties(&result);
  return result;
}

// Ranges of buffers as an array of DML_BINDING_DESC. A range without a resource binds nothing.
class binding_list {
 public:
  explicit binding_list(std::span<const d3d12::buffer_range> ranges) {
    buffers_.reserve(ranges.size());  // descs point into it
    for (const d3d12::buffer_range& range : ranges) {
      buffers_.push_back({range.resource, range.offset, range.size});
      if (range.resource == nullptr)
        descs_.push_back({DML_BINDING_TYPE_NONE, nullptr});
      else
        descs_.push_back({DML_BINDING_TYPE_BUFFER, &buffers_.back()});
    }
  }
  explicit binding_list(const d3d12::buffer_range& range) : binding_list(std::span(&range, 1)) {}
  binding_list(const binding_list&) = delete;
  binding_list& operator=(const binding_list&) = delete;

  UINT count() const { return static_cast<UINT>(descs_.size()); }
  const DML_BINDING_DESC* data() const { return descs_.data(); }

 private:
  std::vector<DML_BUFFER_BINDING> buffers_;
  std::vector<DML_BINDING_DESC> descs_;
};

}  // namespace goldml::directml
