// Reads indices of any type as positions on an axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <goldml/core/data_type.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>

namespace goldml::detail {

// The elements of a tensor of INT64, INT32, UINT64 or UINT32.
class index_reader {
 public:
  index_reader(const host_input& indices, data_type type)
      : data_(indices.data),
        width_(element_size_in_bytes(type)),
        is_signed_(type == data_type::int32 || type == data_type::int64) {}

  std::size_t width() const { return width_; }

  // The position on an axis of the index at `offset`, in bytes: a negative index counts from the end. At least `size`
  // if the index is out of range.
  std::uint64_t position(std::uint64_t offset, std::uint64_t size) const {
    std::uint64_t index = 0;
    std::memcpy(&index, data_ + offset, width_ == 8 ? 8 : 4);  // little-endian, as DirectML is
    if (!is_signed_) return index;
    const std::int64_t wide =
        width_ == 8 ? static_cast<std::int64_t>(index) : static_cast<std::int32_t>(static_cast<std::uint32_t>(index));
    return static_cast<std::uint64_t>(wide) + (wide < 0 ? size : 0);  // modulo 2^64: no overflow
  }

 private:
  const std::byte* data_;
  std::size_t width_;
  bool is_signed_;
};

}  // namespace goldml::detail
