// Copies the elements of a tensor to memory of the same layout, without the bytes between them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include <goldml/core/packed_elements.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml::d3d12 {

// Throws std::invalid_argument for a bound resource without a host address.
inline void require_host_memory(const const_tensor_ref& tensor) {
  if (tensor.present() && tensor.data() == nullptr)
    throw std::invalid_argument("goldml: this backend reads memory of the host, and the bound resource has none");
}

// `from` and `to` are the addresses of the first element. Contiguous elements are copied in one piece.
inline void copy_elements(const tensor_desc& desc, const void* from, void* to) {
  if (is_4_bit(desc.data_type)) return pack(readable_tensor(const_tensor_ref(desc, from)).ref(), tensor_ref(desc, to));
  struct loop {
    std::uint64_t stride;  // in bytes
    std::uint64_t size;
  };
  std::array<loop, dimensions::capacity> loops{};  // fastest first
  std::size_t count = 0;
  const dimensions strides = effective_strides(desc);
  std::uint64_t piece = element_size_in_bytes(desc.data_type);
  for (std::size_t i = desc.sizes.size(); i-- > 0;)  // other loops address no additional element
    if (desc.sizes[i] > 1 && strides[i] != 0) loops[count++] = {strides[i] * piece, desc.sizes[i]};
  std::stable_sort(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(count),
                   [](const loop& a, const loop& b) { return a.stride < b.stride; });
  std::size_t first = 0;
  while (first < count && loops[first].stride == piece) piece *= loops[first++].size;

  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  std::array<std::uint64_t, dimensions::capacity> at{};
  std::uint64_t offset = 0;
  for (;;) {
    std::memcpy(target + offset, source + offset, static_cast<std::size_t>(piece));
    std::size_t i = first;
    for (; i < count; ++i) {
      offset += loops[i].stride;
      if (++at[i] < loops[i].size) break;
      offset -= loops[i].stride * loops[i].size;
      at[i] = 0;
    }
    if (i == count) return;
  }
}

}  // namespace goldml::d3d12
