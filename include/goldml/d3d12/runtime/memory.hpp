// Buffers: resources of a device. Released buffers are kept for reuse.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/d3d12/runtime/com_ptr.hpp>
#include <goldml/d3d12/runtime/error.hpp>
#include <goldml/d3d12/runtime/shader.hpp>

namespace goldml::d3d12 {

enum class heap : std::uint8_t {
  device,    // for shaders; initially in state COMMON
  upload,    // written by the host, read by the GPU
  readback,  // written by the GPU, read by the host
};

// Objects of a device that are kept for reuse. Thread-safe.
template <class Key, class Object>
class spare_objects {
 public:
  // Removes and returns an object with that key, or a null object.
  Object take(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(spare_.begin(), spare_.end(), [&](const auto& entry) { return entry.first == key; });
    if (found == spare_.end()) return Object();
    Object result = std::move(found->second);
    spare_.erase(found);
    return result;
  }

  void give_back(const Key& key, Object object) {
    const std::lock_guard lock(mutex_);
    if (spare_.size() == most) spare_.erase(spare_.begin());
    spare_.emplace_back(key, std::move(object));
  }

 private:
  static constexpr std::size_t most = 64;
  std::mutex mutex_;
  std::vector<std::pair<Key, Object>> spare_;
};

struct buffer_key {
  heap kind;
  std::uint64_t size;
  friend bool operator==(const buffer_key&, const buffer_key&) = default;
};

class memory {
 public:
  explicit memory(com_ptr<ID3D12Device> device) : device_(std::move(device)) {}

  // A buffer of key.size bytes, contents undefined.
  com_ptr<ID3D12Resource> take(const buffer_key& key) {
    if (auto spare = spare_.take(key)) return spare;
    D3D12_HEAP_PROPERTIES properties{};
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
    properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    if (key.kind == heap::upload) {
      properties.Type = D3D12_HEAP_TYPE_UPLOAD;
      state = D3D12_RESOURCE_STATE_GENERIC_READ;
    } else if (key.kind == heap::readback) {
      properties.Type = D3D12_HEAP_TYPE_READBACK;
      state = D3D12_RESOURCE_STATE_COPY_DEST;
    }
    D3D12_RESOURCE_DESC desc{};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = key.size;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    if (key.kind == heap::device) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    com_ptr<ID3D12Resource> result;
    check_result(device_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                                  iid_of<ID3D12Resource>(), result.put_void()),
                 fmt::format("ID3D12Device::CreateCommittedResource of {} bytes", key.size), device_.get());
    return result;
  }

  void give_back(const buffer_key& key, com_ptr<ID3D12Resource> resource) {
    if (key.size <= most_spare_bytes) spare_.give_back(key, std::move(resource));
  }

  // The size to allocate for a request. There are few sizes, so that buffers can be reused.
  static std::uint64_t size_class(std::uint64_t bytes) {
    constexpr std::uint64_t page = 64 * 1024;  // the smallest size that Direct3D allocates
    if (bytes <= most_spare_bytes) return std::bit_ceil((std::max)(bytes, page));
    return (bytes + page - 1) / page * page;
  }

 private:
  static constexpr std::uint64_t most_spare_bytes = std::uint64_t{16} << 20;
  com_ptr<ID3D12Device> device_;
  spare_objects<buffer_key, com_ptr<ID3D12Resource>> spare_;
};

// Owns a buffer resource. The destructor returns it to its memory.
class buffer {
 public:
  buffer() = default;
  buffer(memory& from, heap kind, std::uint64_t bytes)
      : from_(&from), key_{kind, memory::size_class(bytes)}, size_(bytes), resource_(from.take(key_)) {}
  buffer(buffer&&) noexcept = default;
  buffer& operator=(buffer&& other) noexcept {
    std::swap(from_, other.from_);
    std::swap(key_, other.key_);
    std::swap(size_, other.size_);
    std::swap(resource_, other.resource_);
    return *this;
  }
  ~buffer() {
    if (resource_) from_->give_back(key_, std::move(resource_));
  }

  ID3D12Resource* resource() const { return resource_.get(); }
  buffer_range range() const { return {resource_.get(), 0, size_}; }
  std::uint64_t capacity() const { return key_.size; }  // the size of the resource

  // Calls f with the host address of the bytes. Only for heap::upload and heap::readback.
  template <class F>
  void map(F&& f) const {
    const D3D12_RANGE nothing{0, 0};
    void* data = nullptr;
    check_result(resource_->Map(0, key_.kind == heap::readback ? nullptr : &nothing, &data), "ID3D12Resource::Map");
    f(static_cast<std::byte*>(data));
    resource_->Unmap(0, key_.kind == heap::readback ? &nothing : nullptr);
  }

 private:
  memory* from_ = nullptr;
  buffer_key key_{};
  std::uint64_t size_ = 0;
  com_ptr<ID3D12Resource> resource_;
};

}  // namespace goldml::d3d12
