// Whether a call wrote outside its output: bytes of a buffer that belong to no element hold a pattern before the call,
// and are looked at afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include <fmt/core.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_desc.hpp>

namespace goldml {

// A byte that changed.
struct changed_byte {
  std::int64_t offset = 0;  // in bytes from the tensor's first one; negative: before it
  std::byte before = {};
  std::byte after = {};
};

// What changed of the bytes that belong to no element.
struct memory_changes {
  // Before the tensor, or from TotalTensorSizeInBytes on: nobody may write there.
  std::uint64_t outside = 0;  // how many bytes
  std::optional<changed_byte> first_outside = std::nullopt;
  // Padding and gaps between the elements: DirectML may overwrite them (ledger L6).
  std::uint64_t gaps = 0;
  std::optional<changed_byte> first_gap = std::nullopt;

  // A byte that changed, of a tensor of `total_size` bytes. In ascending order of the offsets.
  void add(const changed_byte& change, std::uint64_t total_size) {
    const bool is_outside = change.offset < 0 || static_cast<std::uint64_t>(change.offset) >= total_size;
    ++(is_outside ? outside : gaps);
    std::optional<changed_byte>& first = is_outside ? first_outside : first_gap;
    if (!first) first = change;
  }
};

// Bytes 1 to 254 that look random, the same for the same seed and place: what writes zeros, ones, one value or its
// neighbours' bytes over them changes most of them.
constexpr std::byte memory_pattern(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t mixed = (seed + 1) * 0x9E37'79B9'7F4A'7C15 + place * 0xBF58'476D'1CE4'E5B9;
  mixed = (mixed ^ mixed >> 31) * 0x94D0'49BB'1331'11EB;
  return static_cast<std::byte>(1 + (mixed >> 33) % 254);
}

// Gives `bytes` the pattern, as the places `first_place` and on.
constexpr void fill_with_pattern(std::span<std::byte> bytes, std::uint64_t seed, std::uint64_t first_place = 0) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = memory_pattern(seed, first_place + i);
}

// Calls f(offset, count) for runs of bytes from the tensor's first one that together are its elements. The desc has
// passed T1..T10.
template <class F>
void for_each_element_run(const tensor_desc& desc, F&& f) {
  const dimensions strides = effective_strides(desc);
  const std::uint64_t all = size_in_bytes_of(desc.data_type, element_count(desc.sizes));
  const std::uint64_t addressed = addressed_size_in_bytes(desc.data_type, desc.sizes, strides);
  if (all == addressed) {  // an output's elements share no address: there is no gap
    f(std::uint64_t{0}, all);
    return;
  }
  dimensions outer = desc.sizes;
  std::uint64_t run = 1;
  if (strides.back() == 1) {
    run = outer.back();
    outer[outer.size() - 1] = 1;
  }
  for (const coordinate_tuple& c : coordinates_of(outer)) {
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < c.size(); ++i) offset += std::uint64_t{c[i]} * strides[i];
    // A byte that an element shares with a gap is the element's.
    const std::uint64_t bits = element_size_in_bits(desc.data_type), first = offset * bits / 8;
    f(first, size_in_bytes_of(desc.data_type, offset + run) - first);
  }
}

// Compares a buffer with what it held, element bytes excepted: those are copied to `before`, which is then what the
// buffer holds where nothing else changed. The tensor begins at byte `tensor_offset` of both spans and reaches to their
// end or beyond it; they have the same size.
inline memory_changes changes_around(const tensor_desc& desc, std::uint64_t tensor_offset, std::span<std::byte> before,
                                     std::span<const std::byte> after) {
  for_each_element_run(desc, [&](std::uint64_t offset, std::uint64_t count) {
    if (offset >= after.size() - tensor_offset) return;
    const auto first = static_cast<std::size_t>(tensor_offset + offset);
    const auto size = (std::min)(static_cast<std::size_t>(count), after.size() - first);
    std::memcpy(before.data() + first, after.data() + first, size);
  });
  memory_changes result;
  const std::uint64_t total = total_tensor_size_in_bytes(desc);
  for (std::size_t i = 0; i < after.size(); ++i)
    if (before[i] != after[i])
      result.add({static_cast<std::int64_t>(i) - static_cast<std::int64_t>(tensor_offset), before[i], after[i]}, total);
  return result;
}

// "byte -4 is 0x00, was 0xA7; 12 bytes changed", for messages. `first` is there.
inline std::string changes_text(std::uint64_t count, const std::optional<changed_byte>& first) {
  return fmt::format("byte {} is 0x{:02X}, was 0x{:02X}; {} {} changed", first->offset,
                     std::to_integer<unsigned>(first->after), std::to_integer<unsigned>(first->before), count,
                     count == 1 ? "byte" : "bytes");
}

}  // namespace goldml
