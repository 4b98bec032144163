// host_tensor: an owning tensor whose data type, sizes and strides are known only at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml {

// Holds TotalTensorSizeInBytes bytes, including padding, aligned for every data type.
class host_tensor {
 public:
  // An omitted optional operand: without sizes and bytes, and its ref is absent.
  host_tensor() = default;

  // Sets all bytes to `fill`. The desc must satisfy T1..T10.
  explicit host_tensor(const tensor_desc& desc, std::byte fill = std::byte{0})
      : desc_(desc), bytes_(static_cast<std::size_t>(total_tensor_size_in_bytes(desc)), fill) {}

  // Copies the addressed bytes of another tensor, including gaps, with the same desc.
  explicit host_tensor(const const_tensor_ref& other) : host_tensor(other.desc()) {
    const std::uint64_t addressed = addressed_size_in_bytes(desc_.data_type, desc_.sizes, effective_strides(desc_));
    std::memcpy(bytes_.data(), other.data(), static_cast<std::size_t>(addressed));
  }

  const tensor_desc& desc() const { return desc_; }
  std::vector<std::byte>& bytes() { return bytes_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  bool omitted() const { return desc_.sizes.empty(); }
  tensor_ref ref() & { return omitted() ? tensor_ref() : tensor_ref(desc_, bytes_.data(), bytes_.size()); }
  const_tensor_ref ref() const& {
    return omitted() ? const_tensor_ref() : const_tensor_ref(desc_, bytes_.data(), bytes_.size());
  }
  const_tensor_ref ref() const&& = delete;  // the ref would dangle

  friend bool operator==(const host_tensor&, const host_tensor&) = default;

 private:
  tensor_desc desc_;
  std::vector<std::byte> bytes_;
};

}  // namespace goldml
