// Conversion of goldml's descs to DirectML's structures: the DML_OPERATOR_DESC that IDMLDevice::CreateOperator takes.
//   const directml::operator_structure<argmin_desc> structure({.axes = {1}}, {input_desc, output_desc});
//   dml->CreateOperator(&structure.get(), ...);
// Nothing is checked: an invalid desc becomes the same invalid structure, so that the answer of DirectML can be tested.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/directml/structures.hpp>

namespace goldml::directml {

// The tensors of an operator in the order of its C structure; nullopt for an omitted operand.
template <class Desc>
using tensor_descs = per_operand<Desc, std::optional<tensor_desc>>;

namespace detail {

// A list as a C array. A list too long for `dimensions` gets a ninth value, 1, so that it is refused too.
struct uint_list {
  UINT count;
  std::array<UINT, dimensions::capacity + 1> values{};

  explicit uint_list(const dimensions& list) : count(static_cast<UINT>(list.size() + (list.overlong() ? 1 : 0))) {
    values.fill(1);
    for (std::size_t i = 0; i < list.size(); ++i) values[i] = list[i];
  }
};

// A DML_TENSOR_DESC with the data that it points to.
class tensor_structure {
 public:
  explicit tensor_structure(const tensor_desc& desc) : sizes_(desc.sizes), strides_(desc.strides) {
    const bool packed = desc.strides.empty();  // then null; explicit strides are kept even if they are packed
    if (!packed && strides_.count != sizes_.count)
      throw std::invalid_argument("goldml: DML_BUFFER_TENSOR_DESC has one count for sizes and strides");
    buffer_.DataType = static_cast<DML_TENSOR_DATA_TYPE>(desc.data_type);
    buffer_.Flags = static_cast<DML_TENSOR_FLAGS>(desc.flags);
    buffer_.DimensionCount = sizes_.count;
    buffer_.Sizes = sizes_.values.data();
    buffer_.Strides = packed ? nullptr : strides_.values.data();
    buffer_.TotalTensorSizeInBytes = total_tensor_size_in_bytes(desc);
    buffer_.GuaranteedBaseOffsetAlignment = desc.guaranteed_base_offset_alignment;
    tensor_.Type = static_cast<DML_TENSOR_TYPE>(desc.type);
    tensor_.Desc = &buffer_;
  }
  tensor_structure(const tensor_structure&) = delete;
  tensor_structure& operator=(const tensor_structure&) = delete;

  const DML_TENSOR_DESC* get() const { return &tensor_; }

 private:
  uint_list sizes_;
  uint_list strides_;
  DML_BUFFER_TENSOR_DESC buffer_{};
  DML_TENSOR_DESC tensor_{};
};

// The structure of an activation that another operator fuses. Its tensors are null; where the activation has_tensors,
// the first is not, so that DirectML can be asked what it thinks of it. The rest is FLOATs, after a pointer to a
// DML_SCALE_BIAS if there is one, or a count and a pointer to axes.
struct activation_structure {
  const DML_TENSOR_DESC* input = nullptr;
  const DML_TENSOR_DESC* output = nullptr;
  alignas(const void*) std::array<std::byte, sizeof(const void*) + 2 * sizeof(FLOAT)> rest{};
};

// The count of a list, of an overlong one with an entry more, of a null pointer 1.
template <class List>
std::size_t length_in_structure(const List& list) {
  return list.is_null() ? 1 : list.size() + (list.overlong() ? 1 : 0);
}

// The data that an attribute of a structure may point to.
struct pointed_to {
  static constexpr std::size_t capacity = dimensions::capacity + 1;  // for an overlong list, with one entry more
  std::array<UINT, capacity> uints{};
  std::array<INT, capacity> ints{};
  std::array<FLOAT, capacity> floats{};
  DML_SCALE_BIAS scale_bias{};
  std::array<activation_structure, capacity> activations{};
  std::array<DML_OPERATOR_DESC, capacity> operators{};
  std::array<std::array<UINT, capacity>, capacity> axes{};  // of the activations
  std::array<DML_SCALE_BIAS, capacity> adjustments{};       // of the activations

  const DML_OPERATOR_DESC* put(std::size_t i, const activation& value) {
    static constexpr DML_TENSOR_DESC invalid{};
    activations[i].input = value.has_tensors ? &invalid : nullptr;
    std::byte* rest = activations[i].rest.data();
    const activation_info* info = find_activation(value.operator_type);
    if (info != nullptr && info->takes_axes) {
      axes[i].fill(1);  // the additional entry of an overlong list
      std::copy(value.axes.begin(), value.axes.end(), axes[i].begin());
      const auto count = static_cast<UINT>(length_in_structure(value.axes));
      const UINT* const first = value.axes.empty() ? nullptr : axes[i].data();
      std::memcpy(rest, &count, sizeof count);
      std::memcpy(rest + sizeof first, &first, sizeof first);
    } else {
      if (info != nullptr && info->takes_scale_bias) {
        if (value.scale_bias) adjustments[i] = {value.scale_bias->scale, value.scale_bias->bias};
        const DML_SCALE_BIAS* const adjustment = value.scale_bias ? &adjustments[i] : nullptr;
        std::memcpy(rest, &adjustment, sizeof adjustment);
        rest += sizeof adjustment;
      }
      std::memcpy(rest, value.parameters.data(), sizeof value.parameters);
    }
    operators[i] = {static_cast<DML_OPERATOR_TYPE>(value.operator_type), &activations[i]};
    return &operators[i];
  }
};

template <class T>
void store(const c_member& member, void* structure, const T& value) {
  std::memcpy(member.address(structure), &value, sizeof value);
}

// Writes the companion of an attribute. Attributes that share a companion must agree on its value.
inline void store_companion(const c_member& member, void* structure, std::uint32_t value, bool is_first) {
  void* target = member.companion(structure);
  if (!is_first && load_uint32(target) != value)
    throw std::invalid_argument("goldml: attributes with one count, or one data type, disagree about it");
  std::memcpy(target, &value, sizeof value);
}

// Copies one attribute from a desc to a structure. An omitted scalar is zero of type `output_type`.
inline void write_attribute(const attribute& from, const void* desc, const c_member& to, void* structure,
                            data_type output_type, pointed_to& storage, bool introduces_companion) {
  const void* source = from.address(desc);
  const auto write_list = [&](const auto& list, auto& values, const auto& put) {
    const std::size_t count = length_in_structure(list);
    for (std::size_t i = 0; i < list.size(); ++i) put(i, list[i]);
    store_companion(to, structure, static_cast<std::uint32_t>(count), introduces_companion);
    store(to, structure, list.empty() ? nullptr : values.data());
  };
  switch (from.kind) {
    case attribute_kind::uint32:
    case attribute_kind::int32:
    case attribute_kind::float32:
    case attribute_kind::enumeration:
      std::memcpy(to.address(structure), source, 4);
      break;
    case attribute_kind::uint64:
      std::memcpy(to.address(structure), source, 8);
      break;
    case attribute_kind::boolean:
      store(to, structure, *static_cast<const bool*>(source) ? INT{1} : INT{0});
      break;
    case attribute_kind::list_of_uint32:
      storage.uints.fill(1);  // the additional entry of an overlong list, which is refused too
      write_list(*static_cast<const dimensions*>(source), storage.uints,
                 [&](std::size_t i, std::uint32_t value) { storage.uints[i] = value; });
      break;
    case attribute_kind::list_of_int32:
      storage.ints.fill(1);
      write_list(*static_cast<const int32_list*>(source), storage.ints,
                 [&](std::size_t i, std::int32_t value) { storage.ints[i] = value; });
      break;
    case attribute_kind::list_of_float32:
      write_list(*static_cast<const float32_list*>(source), storage.floats,
                 [&](std::size_t i, float value) { storage.floats[i] = value; });
      break;
    case attribute_kind::scalar: {
      const scalar& value = *static_cast<const scalar*>(source);
      store_companion(to, structure, static_cast<std::uint32_t>(value.type().value_or(output_type)),
                      introduces_companion);
      store(to, structure, value.as<std::uint64_t>());  // all eight bytes; those past the type's size are 0
      break;
    }
    case attribute_kind::size_2d: {
      const auto& size = *static_cast<const size_2d*>(source);
      store(to, structure, DML_SIZE_2D{size.width, size.height});
      break;
    }
    case attribute_kind::scale_bias: {
      const auto& given = *static_cast<const std::optional<goldml::scale_bias>*>(source);
      if (given) storage.scale_bias = {given->scale, given->bias};
      store(to, structure, given ? &storage.scale_bias : nullptr);
      break;
    }
    case attribute_kind::activation: {
      const auto& given = *static_cast<const std::optional<activation>*>(source);
      store(to, structure, given ? storage.put(0, *given) : nullptr);
      break;
    }
    case attribute_kind::list_of_activation:
      write_list(*static_cast<const activation_list*>(source), storage.operators,
                 [&](std::size_t i, const activation& value) { storage.put(i, value); });
      break;
  }
}

}  // namespace detail

// A DML_OPERATOR_DESC with all data that it points to. DirectML copies the data, so it need not live longer than the
// call.
class any_operator_structure {
 public:
  // The desc is of the operator's type. There is one tensor per operand, or more for an array of tensors.
  any_operator_structure(const structure_description& description, const void* desc,
                         std::span<const std::optional<tensor_desc>> tensors)
      : tensors_(tensors.size()), pointed_to_(description.attributes.size()), c_(description.size) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i]) tensors_[i].emplace(*tensors[i]);
    for (std::size_t i = 0; i < description.operands.size(); ++i)
      put_operand(description.operands[i], description.op->operands, i);

    const std::span<const attribute> rows = description.op->attributes;
    const data_type output_type = tensors.back() ? tensors.back()->data_type : data_type::unknown;
    for (std::size_t i = 0; i < rows.size(); ++i)
      detail::write_attribute(rows[i], desc, description.attributes[i], c_.data(), output_type, pointed_to_[i],
                              introduces_companion(rows, i));
    operator_ = {description.enumerator, c_.data()};
  }
  // Throws std::invalid_argument for an operator that is not in all_operators.
  any_operator_structure(const any_desc& desc, std::span<const std::optional<tensor_desc>> tensors)
      : any_operator_structure(structure_of(desc.description()), desc.get(), tensors) {}
  any_operator_structure(const any_operator_structure&) = delete;
  any_operator_structure& operator=(const any_operator_structure&) = delete;

  const DML_OPERATOR_DESC& get() const { return operator_; }

 private:
  void put_operand(const c_member& member, std::span<const operand_info> infos, std::size_t row) {
    const std::size_t first = first_tensor(infos, row, tensors_.size());
    if (!infos[row].is_array()) {
      detail::store(member, c_.data(), tensors_[first] ? tensors_[first]->get() : nullptr);
      return;
    }
    const std::size_t count = tensor_count(infos, row, tensors_.size());
    for (std::size_t i = 0; i < count; ++i)
      array_.push_back(tensors_[first + i] ? *tensors_[first + i]->get() : DML_TENSOR_DESC{});
    detail::store(member, c_.data(), count == 0 ? nullptr : static_cast<const DML_TENSOR_DESC*>(array_.data()));
    detail::store_companion(member, c_.data(), static_cast<std::uint32_t>(count), true);
  }

  std::vector<std::optional<detail::tensor_structure>> tensors_;
  std::vector<DML_TENSOR_DESC> array_;  // for an operand that is an array of tensors
  std::vector<detail::pointed_to> pointed_to_;
  std::vector<std::byte> c_;  // the structure; operator new aligns it for every type
  DML_OPERATOR_DESC operator_{};
};

// The same for a desc whose type is known.
template <class Desc>
class operator_structure : public any_operator_structure {
 public:
  operator_structure(const Desc& desc, const tensor_descs<Desc>& tensors)
      : any_operator_structure(structure_of<Desc>(), &desc, tensors) {}
};

}  // namespace goldml::directml
