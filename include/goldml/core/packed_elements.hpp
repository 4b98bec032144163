// Tensors of UINT4 and INT4: two elements a byte, the one with the even index in the low half. Strides count elements,
// and rows are not padded. C++ has no such element: they are read into bytes, and written from bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml {

namespace detail {

// The 4 bits with an index, counted from `data`.
inline std::uint8_t bits_at(const std::byte* data, std::uint64_t index) {
  return std::to_integer<std::uint8_t>(data[index / 2] >> (index % 2 == 0 ? 0 : 4)) & 0xF;
}
inline void set_bits_at(std::byte* data, std::uint64_t index, std::uint8_t bits) {
  const unsigned shift = index % 2 == 0 ? 0 : 4;
  const std::byte value = static_cast<std::byte>((bits & 0xF) << shift);
  data[index / 2] = (data[index / 2] & static_cast<std::byte>(0xF0 >> shift)) | value;
}
// The number that 4 bits are, as the bits of a byte.
inline std::uint8_t sign_extended(data_type type, std::uint8_t bits) {
  return type == data_type::int4 && bits >= 8 ? static_cast<std::uint8_t>(bits | 0xF0) : bits;
}

}  // namespace detail

// The desc of such a tensor's elements as bytes: UINT8 or INT8, with the same sizes and strides. Other descs as they
// are.
inline tensor_desc unpacked_desc(tensor_desc desc) {
  if (!is_4_bit(desc.data_type)) return desc;
  desc.data_type = unpacked_type(desc.data_type);
  desc.total_tensor_size_in_bytes = {};
  return desc;
}

// The elements of a tensor of 4 bits as bytes.
inline host_tensor unpacked(const const_tensor_ref& t) {
  host_tensor result(unpacked_desc(t.desc()));
  const auto* const from = static_cast<const std::byte*>(t.data());
  const dimensions strides = effective_strides(t.desc());
  for (const coordinate_tuple& c : coordinates_of(t.desc().sizes)) {
    const std::uint64_t index = offset_of(c, strides);
    result.bytes()[static_cast<std::size_t>(index)] =
        static_cast<std::byte>(detail::sign_extended(t.desc().data_type, detail::bits_at(from, index)));
  }
  return result;
}

// Writes the low 4 bits of bytes with the same sizes. Elements of gaps stay as they are.
inline void pack(const const_tensor_ref& bytes, const tensor_ref& t) {
  const auto* const from = static_cast<const std::uint8_t*>(bytes.data());
  auto* const to = static_cast<std::byte*>(t.data());
  const dimensions strides = effective_strides(t.desc()), of_bytes = effective_strides(bytes.desc());
  for (const coordinate_tuple& c : coordinates_of(t.desc().sizes))
    detail::set_bits_at(to, offset_of(c, strides), from[offset_of(c, of_bytes)]);
}

// A tensor to read, with elements of unpacked_type(): the tensor itself, or a copy of one of 4 bits as bytes.
class readable_tensor {
 public:
  explicit readable_tensor(const const_tensor_ref& t) : ref_(t) {
    if (!t.present() || !is_4_bit(t.desc().data_type)) return;
    copy_ = unpacked(t);
    ref_ = std::as_const(copy_).ref();
  }
  readable_tensor(const readable_tensor&) = delete;
  readable_tensor& operator=(const readable_tensor&) = delete;

  const const_tensor_ref& ref() const { return ref_; }

 private:
  host_tensor copy_;
  const_tensor_ref ref_;
};

// A tensor to write, likewise; what it holds at the end of the object's life is packed into one of 4 bits.
class writable_tensor {
 public:
  explicit writable_tensor(const tensor_ref& t) : target_(t), ref_(t) {
    if (!t.present() || !is_4_bit(t.desc().data_type)) return;
    copy_ = unpacked(t);
    ref_ = copy_.ref();
  }
  ~writable_tensor() {
    if (!copy_.omitted()) pack(std::as_const(copy_).ref(), target_);
  }
  writable_tensor(const writable_tensor&) = delete;
  writable_tensor& operator=(const writable_tensor&) = delete;

  const tensor_ref& ref() const { return ref_; }

 private:
  tensor_ref target_;
  host_tensor copy_;
  tensor_ref ref_;
};

}  // namespace goldml
