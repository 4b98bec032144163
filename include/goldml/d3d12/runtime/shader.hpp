// The host's view of a compute shader: code, buffers, and dispatch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/core/tensor_desc.hpp>
#include <goldml/d3d12/runtime/headers.hpp>

namespace goldml::d3d12 {

// How a shader's buffers are bound. In both models t0..t3 are read and u0..u3 are written, b0 has at most 32 words of
// constants, and b1 has a larger block of them.
enum class binding_model : std::uint8_t {
  root,   // root descriptors: ByteAddressBuffer, (RW)StructuredBuffer<uint>; the only model that works in Wine 8
  table,  // a descriptor table: also typed buffers, (RW)Buffer<uint>, <uint2>, <uint4>
};

inline constexpr std::size_t most_views = 4;       // read views, and as many written ones
inline constexpr std::size_t most_constants = 32;  // words in b0: 128 bytes of push constants, Vulkan's minimum

// A uint4 of a constant buffer.
using constant_row = std::array<std::uint32_t, 4>;

// Shader model 5.0, entry point `main`.
struct shader {
  std::string_view name;                    // unique among all shaders, including those of other libraries
  std::string_view hash;                    // SHA-256 of the source
  std::span<const std::uint32_t> bytecode;  // DXBC
  std::string_view hlsl;                    // the source in one piece, no #include
  binding_model binding = binding_model::root;
  const shader* in_table = nullptr;  // of binding_model::root: the same code for binding_model::table
};

// A range of bytes of a buffer resource. Does not own the resource.
struct buffer_range {
  ID3D12Resource* resource = nullptr;
  std::uint64_t offset = 0;  // in bytes, from the resource's start
  std::uint64_t size = 0;    // in bytes

  buffer_range part(std::uint64_t first, std::uint64_t bytes) const { return {resource, offset + first, bytes}; }
};

// A tensor in a buffer resource. The range's offset is a multiple of 16. Its size is the implied minimum of
// TotalTensorSizeInBytes: up to the last element, rounded up to a multiple of 4.
struct buffer_tensor {
  tensor_desc desc;
  buffer_range range;

  bool present() const { return range.resource != nullptr; }
};

// The type of a shader's register.
enum class view_kind : std::uint8_t {
  raw,         // ByteAddressBuffer, RWByteAddressBuffer
  structured,  // StructuredBuffer<uint>, RWStructuredBuffer<uint>
  words,       // Buffer<uint>, RWBuffer<uint>                      (table only, as are the following)
  pairs,       // Buffer<uint2>, RWBuffer<uint2>
  vectors,     // Buffer<uint4>, RWBuffer<uint4>: the fastest
  halves,      // RWBuffer<float>, whose stores round to FLOAT16
  bytes,       // RWBuffer<uint>, whose stores narrow to UINT8
};

constexpr std::uint32_t element_bytes(view_kind kind) {
  using enum view_kind;
  return kind == vectors ? 16 : kind == pairs ? 8 : kind == halves ? 2 : kind == bytes ? 1 : 4;
}

// Direct3D's and Vulkan's limit on the elements of one view: 2 GiB through vectors, 512 MiB through words.
inline constexpr std::uint64_t most_view_elements = std::uint64_t{1} << 27;

struct view {
  buffer_range range;
  view_kind kind = view_kind::raw;
};

// Whether the view can be bound: its offset is aligned for its kind, and it is within the resource and the limit. A
// size that is not a multiple of the view's element size is rounded up.
inline bool fits(const view& v) {
  const std::uint64_t element = element_bytes(v.kind);
  const std::uint64_t elements = (v.range.size + element - 1) / element;
  const std::uint64_t alignment = v.kind == view_kind::raw ? 16 : element;
  return v.range.offset % alignment == 0 && elements <= most_view_elements &&
         v.range.offset + elements * element <= v.range.resource->GetDesc().Width;
}

// Whether a root descriptor can be used. It has no size: it covers the rest of the resource.
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

using group_counts = std::array<std::uint32_t, 3>;  // of a dispatch, along x, y and z: each 1 to 65535

// One dispatch. Registers that the shader does not declare may be omitted or empty.
struct pass {
  const shader* code = nullptr;
  std::vector<std::uint32_t> constants = {};  // b0
  std::vector<std::uint32_t> block = {};      // b1, at most 64 KiB
  std::vector<view> reads = {};               // t0, t1, ...
  std::vector<view> writes = {};              // u0, u1, ...; no resource is in both lists
  group_counts groups = {1, 1, 1};
};

// The words of a constant buffer, which is a struct of 32-bit members and rows, as in the generated headers.
template <class Buffer>
std::vector<std::uint32_t> words_of(const Buffer& buffer) {
  static_assert(std::is_trivially_copyable_v<Buffer> && alignof(Buffer) == sizeof(std::uint32_t));
  std::vector<std::uint32_t> words(sizeof buffer / sizeof(std::uint32_t));
  std::memcpy(words.data(), &buffer, sizeof buffer);
  return words;
}

// A pass of a generated shader with its constant buffers: pass_of<shaders::clear>(groups, {.words = 8, ...}). The
// caller adds the views.
template <class Shader>
pass pass_of(const group_counts& groups, const typename Shader::constants& constants) {
  static_assert(sizeof constants <= most_constants * sizeof(std::uint32_t));
  return {.code = &Shader::code, .constants = words_of(constants), .groups = groups};
}
template <class Shader>
pass pass_of(const group_counts& groups, const typename Shader::constants& constants,
             const typename Shader::layout& layout) {
  pass result = pass_of<Shader>(groups, constants);
  result.block = words_of(layout);
  return result;
}

}  // namespace goldml::d3d12
