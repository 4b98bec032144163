// DML_BUFFER_TENSOR_DESC: a tensor described at run time, and the bytes its buffer needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>

namespace goldml {

// DML_TENSOR_TYPE.
enum class tensor_type : std::uint32_t { invalid = 0, buffer = 1 };

// DML_TENSOR_FLAGS, a bit set.
enum class tensor_flags : std::uint32_t { none = 0, owned_by_dml = 1 };

// The members of DML_TENSOR_DESC and DML_BUFFER_TENSOR_DESC. Nothing is checked here; see rules T1..T12.
struct tensor_desc {
  goldml::data_type data_type = goldml::data_type::unknown;
  dimensions sizes = {};
  dimensions strides = {};  // in elements; empty = packed row-major (DirectML's null); 0 = broadcast
  std::optional<std::uint64_t> total_tensor_size_in_bytes = std::nullopt;  // nullopt = the implied minimum
  std::uint32_t guaranteed_base_offset_alignment = 0;                      // in bytes; 0 = no promise
  tensor_flags flags = tensor_flags::none;
  tensor_type type = tensor_type::buffer;

  friend bool operator==(const tensor_desc&, const tensor_desc&) = default;
};

// The desc's strides, in elements, with packed ones computed.
constexpr dimensions effective_strides(const tensor_desc& desc) {
  return desc.strides.empty() ? packed_strides(desc.sizes) : desc.strides;
}

constexpr std::uint64_t round_up_to_4(std::uint64_t bytes) { return saturating_add(bytes, 3) / 4 * 4; }

// The bytes of that many elements, or `saturated`. Of those of 4 bits the last byte may be half used.
constexpr std::uint64_t size_in_bytes_of(data_type type, std::uint64_t elements) {
  return is_4_bit(type) ? elements / 2 + elements % 2 : saturating_multiply(elements, element_size_in_bytes(type));
}

// Bytes from the first addressed element to the end of the last one, or `saturated`. All sizes >= 1.
constexpr std::uint64_t addressed_size_in_bytes(data_type type, const dimensions& sizes, const dimensions& strides) {
  return size_in_bytes_of(type, saturating_add(last_index(sizes, strides), 1));
}

// The result of DMLCalcBufferTensorSize for a valid tensor: the addressed bytes rounded up to a multiple of 4. For
// invalid tensors that helper overflows in 32 bits; this saturates. FLOAT16 {3} -> 8; FLOAT32 {2,3} strides {5,1}
// -> 32. Does not throw. Returns 0 for sizes of 0 and types without elements.
constexpr std::uint64_t buffer_tensor_size_in_bytes(const tensor_desc& desc) {
  if (desc.sizes.contains(0)) return 0;
  return round_up_to_4(addressed_size_in_bytes(desc.data_type, desc.sizes, effective_strides(desc)));
}

// TotalTensorSizeInBytes, or the implied minimum if it is omitted.
constexpr std::uint64_t total_tensor_size_in_bytes(const tensor_desc& desc) {
  return desc.total_tensor_size_in_bytes.value_or(buffer_tensor_size_in_bytes(desc));
}

// For example "FLOAT32 {2,3}" or, with strides, "FLOAT32 {2,3} strides {1,2}".
inline std::string to_string(const tensor_desc& desc) {
  std::string text(detail::inline_text("{} {}", name_of(desc.data_type), desc.sizes).view());
  if (!desc.strides.empty()) text += detail::inline_text(" strides {}", desc.strides).view();
  return text;
}

}  // namespace goldml
