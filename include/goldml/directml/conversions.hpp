// Conversion of DirectML's structures to goldml's descs. Null pointers and numbers that are not enumerators are
// converted to values that the rules refuse. Not checked: that a non-null pointer points to a structure of the type
// given with it, and that a list has as many entries as the count given with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include <goldml/directml/structures.hpp>

namespace goldml::directml {

// The level with the same number, as returned by IDMLDevice::CheckFeatureSupport.
inline feature_level from_directml(DML_FEATURE_LEVEL level) { return static_cast<feature_level>(detail::raw(level)); }

// Converts all members, with TotalTensorSizeInBytes unchanged; packed if Strides is null. With more than 8 dimensions
// the sizes are not read: the result is overlong, with all sizes 1, and T4 refuses it. Without sizes if Sizes is null.
inline tensor_desc from_directml(const DML_BUFFER_TENSOR_DESC& buffer) {
  const auto list = [&](const UINT* values) {
    dimensions result;
    if (values != nullptr && buffer.DimensionCount <= dimensions::capacity)
      for (UINT i = 0; i < buffer.DimensionCount; ++i) result.push_back(values[i]);
    return result;
  };
  tensor_desc desc{.data_type = static_cast<data_type>(detail::raw(buffer.DataType)),
                   .sizes = list(buffer.Sizes),
                   .strides = list(buffer.Strides),
                   .total_tensor_size_in_bytes = buffer.TotalTensorSizeInBytes,
                   .guaranteed_base_offset_alignment = buffer.GuaranteedBaseOffsetAlignment,
                   .flags = static_cast<tensor_flags>(detail::raw(buffer.Flags))};
  if (buffer.Sizes != nullptr && buffer.DimensionCount > dimensions::capacity)
    desc.sizes = dimensions::filled(buffer.DimensionCount, 1);
  return desc;
}

// A tensor as the rules see it. Null is an omitted tensor. Desc is dereferenced only if Type is BUFFER.
inline operand from_directml(const DML_TENSOR_DESC* tensor) {
  if (tensor == nullptr) return {};
  const auto type = static_cast<tensor_type>(detail::raw(tensor->Type));
  operand result{.desc = tensor_desc{.type = type}, .memory = {}};
  if (tensor->Desc == nullptr) {
    result.null_member = "Desc";
  } else if (type == tensor_type::buffer) {
    const auto& buffer = *static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc);
    result.desc = from_directml(buffer);
    if (buffer.Sizes == nullptr) result.null_member = "Sizes";
  }
  return result;
}

namespace detail {

// A list of a structure, or null() if it is null and its count is not 0. Of more than 8 entries the first 8 are read,
// and the list is overlong.
template <class List, class Element, class Read>
List read_list(const void* member, std::uint32_t count, const Read& read) {
  const auto* values = load_pointer<Element>(member);
  if (values == nullptr) return count == 0 ? List{} : List::null();
  List list;
  for (std::uint32_t i = 0; i < count && i <= List::capacity; ++i)
    list.push_back(i < List::capacity ? read(values[i]) : decltype(read(values[i])){});
  return list;
}

// An activation of unknown type keeps its number; its parameters are not read.
inline activation read_activation(const DML_OPERATOR_DESC& op) {
  activation result{raw(op.Type), {}};
  const activation_info* info = find_activation(result.operator_type);
  if (info == nullptr || op.Desc == nullptr) return result;
  const auto* tensors = static_cast<const std::byte*>(op.Desc);  // two of them
  for (std::size_t i = 0; i < 2; ++i)
    if (load_pointer<DML_TENSOR_DESC>(tensors + i * sizeof(const DML_TENSOR_DESC*)) != nullptr)
      result.has_tensors = true;
  const auto* parameters = tensors + 2 * sizeof(const DML_TENSOR_DESC*);
  if (info->takes_axes)
    result.axes = read_list<dimensions, UINT>(parameters + sizeof(const UINT*), load_uint32(parameters),
                                              [](UINT axis) { return axis; });
  if (info->takes_scale_bias) {
    if (const auto* given = load_pointer<DML_SCALE_BIAS>(parameters))
      result.scale_bias = scale_bias{given->Scale, given->Bias};
    parameters += sizeof(const DML_SCALE_BIAS*);
  }
  std::memcpy(result.parameters.data(), parameters, info->parameter_count() * sizeof(FLOAT));
  return result;
}

// Copies one attribute from a structure to a desc.
inline void read_attribute(const c_member& from, const void* structure, const attribute& to, void* desc) {
  const void* source = from.in(structure);
  void* target = to.address(desc);
  const std::uint32_t companion = !from.has_companion ? 0 : load_uint32(from.companion_in(structure));
  const auto same = [](const auto& value) { return value; };
  switch (to.kind) {
    case attribute_kind::uint32:
    case attribute_kind::int32:
    case attribute_kind::float32:
    case attribute_kind::enumeration:
      std::memcpy(target, source, 4);
      break;
    case attribute_kind::uint64:
      std::memcpy(target, source, 8);
      break;
    case attribute_kind::boolean:
      *static_cast<bool*>(target) = load_uint32(source) != 0;
      break;
    case attribute_kind::list_of_uint32:
      *static_cast<dimensions*>(target) = read_list<dimensions, UINT>(source, companion, same);
      break;
    case attribute_kind::list_of_int32:
      *static_cast<int32_list*>(target) = read_list<int32_list, INT>(source, companion, same);
      break;
    case attribute_kind::list_of_float32:
      *static_cast<float32_list*>(target) = read_list<float32_list, FLOAT>(source, companion, same);
      break;
    case attribute_kind::scalar: {
      std::array<std::byte, sizeof(DML_SCALAR_UNION)> bytes;
      std::memcpy(bytes.data(), source, sizeof bytes);
      *static_cast<scalar*>(target) = scalar::from_bytes(static_cast<data_type>(companion), bytes);
      break;
    }
    case attribute_kind::size_2d: {
      DML_SIZE_2D size;
      std::memcpy(&size, source, sizeof size);
      *static_cast<size_2d*>(target) = {size.Width, size.Height};
      break;
    }
    case attribute_kind::scale_bias:
      if (const auto* given = load_pointer<DML_SCALE_BIAS>(source))
        *static_cast<std::optional<scale_bias>*>(target) = scale_bias{given->Scale, given->Bias};
      break;
    case attribute_kind::activation:
      if (const auto* given = load_pointer<DML_OPERATOR_DESC>(source))
        *static_cast<std::optional<activation>*>(target) = read_activation(*given);
      break;
    case attribute_kind::list_of_activation:
      *static_cast<activation_list*>(target) =
          read_list<activation_list, DML_OPERATOR_DESC>(source, companion, read_activation);
      break;
  }
}

// Sets the level of a desc, and those policies that its operator has.
inline void set_policies(const policies& given, const operator_description& op, void* desc) {
  op.level(desc) = given.feature_level;
  for (const attribute& to : op.policies)
    for (const attribute& from : policy_rows)
      if (from.name == to.name)
        std::memcpy(to.address(desc), from.address(&given), to.kind == attribute_kind::boolean ? sizeof(bool) : 4);
}

// The attributes of a structure, together with the policies, in a desc of the operator's type.
inline void read_desc(const structure_description& description, const void* structure, const policies& given,
                      void* desc) {
  set_policies(given, *description.op, desc);
  for (std::size_t i = 0; i < description.attributes.size(); ++i)
    read_attribute(description.attributes[i], structure, description.op->attributes[i], desc);
}

// The number of tensors of row `info`. An array that is null though it has a count is one operand, for T1.
inline std::size_t tensor_count(const structure_description& description, std::size_t info, const void* structure) {
  if (!description.op->operands[info].is_array()) return 1;
  const c_member& member = description.operands[info];
  const std::uint32_t count = load_uint32(member.companion_in(structure));
  return load_pointer<DML_TENSOR_DESC>(member.in(structure)) == nullptr && count > 0 ? 1 : count;
}

// The number of tensors of a structure.
inline std::size_t tensor_count(const structure_description& description, const void* structure) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < description.operands.size(); ++i) count += tensor_count(description, i, structure);
  return count;
}

// The tensors of a structure, in its order.
inline void read_operands(const structure_description& description, const void* structure, std::span<operand> to) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < description.operands.size(); ++i) {
    const auto* tensors = load_pointer<DML_TENSOR_DESC>(description.operands[i].in(structure));
    const std::size_t count = tensor_count(description, i, structure);
    for (std::size_t j = 0; j < count; ++j) to[next++] = from_directml(tensors == nullptr ? nullptr : &tensors[j]);
  }
}

}  // namespace detail

// The attributes of an operator, together with the policies, which the structure does not contain.
template <class Desc>
Desc from_directml(const typename structure<Desc>::type& operator_structure, const policies& given = {}) {
  Desc desc;
  detail::read_desc(structure_of<Desc>(), &operator_structure, given, &desc);
  return desc;
}

}  // namespace goldml::directml
