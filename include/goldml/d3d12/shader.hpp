// What a compute shader is to the host: its code, the buffers it is given, and one pass of it over groups of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <goldml/core/tensor_desc.hpp>
#include <goldml/d3d12/headers.hpp>

namespace goldml::d3d12 {

// How a shader finds its buffers. Either way: t0..t3 are read, u0..u3 written, b0 holds at most 32 words of constants,
// and b1 a larger block of them.
enum class binding_model : std::uint8_t {
  root,   // root descriptors: ByteAddressBuffer, (RW)StructuredBuffer<uint>; the only ones that Wine 8 has
  table,  // a descriptor table: these and typed ones, (RW)Buffer<uint>, <uint2>, <uint4>
};

inline constexpr std::size_t most_views = 4;       // of either kind
inline constexpr std::size_t most_constants = 32;  // words in b0: 128 bytes of push constants, Vulkan's minimum

// One entry of the generated header. Shader model 5.0, entry point `main`.
struct shader {
  std::string_view name;                    // unique among all shaders, other libraries' too
  std::string_view hash;                    // SHA-256 of the source
  std::span<const std::uint32_t> bytecode;  // DXBC
  std::string_view hlsl;                    // the source in one piece, no #include
  binding_model binding = binding_model::root;
};

// Bytes of a buffer resource. The resource is kept alive by somebody else.
struct buffer_range {
  ID3D12Resource* resource = nullptr;
  std::uint64_t offset = 0;  // in bytes, from the resource's start
  std::uint64_t size = 0;    // in bytes

  buffer_range part(std::uint64_t first, std::uint64_t bytes) const { return {resource, offset + first, bytes}; }
};

// A tensor in a buffer resource, as a shader's host side is given it. The range's offset is a multiple of 16, its size
// the implied minimum of TotalTensorSizeInBytes: up to the last element, rounded up to a multiple of 4.
struct buffer_tensor {
  tensor_desc desc;
  buffer_range range;

  bool present() const { return range.resource != nullptr; }
};

// What a register of a shader is declared as.
enum class view_kind : std::uint8_t {
  raw,         // ByteAddressBuffer, RWByteAddressBuffer
  structured,  // StructuredBuffer<uint>, RWStructuredBuffer<uint>
  words,       // Buffer<uint>, RWBuffer<uint>                      (table only, as the next ones)
  pairs,       // Buffer<uint2>, RWBuffer<uint2>
  vectors,     // Buffer<uint4>, RWBuffer<uint4>: the fastest
};

constexpr std::uint32_t element_bytes(view_kind kind) {
  return kind == view_kind::vectors ? 16 : kind == view_kind::pairs ? 8 : 4;
}

// Direct3D's and Vulkan's limit on the elements of one view: 2 GiB through vectors, 512 MiB through words.
inline constexpr std::uint64_t most_view_elements = std::uint64_t{1} << 27;

struct view {
  buffer_range range;
  view_kind kind = view_kind::raw;
};

// Whether a shader may be given the view: the offset suits the kind, and it stays within resource and limit. A range
// whose size is no multiple of the element is rounded up to one.
inline bool fits(const view& v) {
  const std::uint64_t element = element_bytes(v.kind);
  const std::uint64_t elements = (v.range.size + element - 1) / element;
  const std::uint64_t alignment = v.kind == view_kind::raw ? 16 : element;
  return v.range.offset % alignment == 0 && elements <= most_view_elements &&
         v.range.offset + elements * element <= v.range.resource->GetDesc().Width;
}

// Whether root descriptors may be used: they have no size, so that they see the rest of the resource.
inline bool root_reaches(const buffer_range& range) {
  return range.resource->GetDesc().Width - range.offset <= most_view_elements * 4;
}

inline bool same_range(const buffer_range& a, const buffer_range& b) {
  return a.resource == b.resource && a.offset == b.offset && a.size == b.size;
}

inline view raw(const buffer_range& range) { return {range, view_kind::raw}; }
inline view structured(const buffer_range& range) { return {range, view_kind::structured}; }
inline view words(const buffer_range& range) { return {range, view_kind::words}; }
inline view pairs(const buffer_range& range) { return {range, view_kind::pairs}; }
inline view vectors(const buffer_range& range) { return {range, view_kind::vectors}; }

// One dispatch. Registers that a shader does not declare may be left out or empty.
struct pass {
  const shader* code = nullptr;
  std::vector<std::uint32_t> constants = {};  // b0
  std::vector<std::uint32_t> block = {};      // b1, at most 64 KiB
  std::vector<view> reads = {};               // t0, t1, ...
  std::vector<view> writes = {};              // u0, u1, ...; no resource is in both lists
  std::array<std::uint32_t, 3> groups = {1, 1, 1};  // each at most 65535
};

}  // namespace goldml::d3d12
