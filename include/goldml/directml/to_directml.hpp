// goldml's descs as DirectML's structures: the DML_OPERATOR_DESC that IDMLDevice::CreateOperator takes.
//   const directml::operator_structure<argmin_desc> structure({.axes = {1}}, {input_desc, output_desc});
//   dml->CreateOperator(&structure.get(), ...);
// Nothing is checked: an illegal desc becomes the illegal structure, so that DirectML can be asked what it thinks of
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/directml/structures.hpp>

namespace goldml::directml {

// An operator's tensors in the order of its C structure; none where an operand is not given.
template <class Desc>
using tensor_descs = std::array<std::optional<tensor_desc>, operator_traits<Desc>::operands.size()>;

namespace detail {

// A list as C has it. One that was longer than `dimensions` keeps has a ninth value, of 1, which no rule allows either.
struct uint_list {
  UINT count;
  std::array<UINT, dimensions::capacity + 1> values{};

  explicit uint_list(const dimensions& list) : count(static_cast<UINT>(list.size() + (list.overlong() ? 1 : 0))) {
    values.fill(1);
    for (std::size_t i = 0; i < list.size(); ++i) values[i] = list[i];
  }
};

// A DML_TENSOR_DESC with what it points to.
class tensor_structure {
 public:
  explicit tensor_structure(const tensor_desc& desc) : sizes_(desc.sizes), strides_(desc.strides) {
    const bool packed = desc.strides.empty();  // null, as it was written: strides that are packed are handed on
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

}  // namespace detail

// A DML_OPERATOR_DESC with all that it points to. DirectML copies what it is given: it need live no longer than the
// call.
template <class Desc>
class operator_structure {
 public:
  operator_structure(const Desc& desc, const tensor_descs<Desc>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i]) c_.*structure<Desc>::operands[i] = tensors_[i].emplace(*tensors[i]).get();
    fill(desc, output_type(tensors), std::make_index_sequence<attribute_count>());
    operator_ = {structure<Desc>::enumerator, &c_};
  }
  operator_structure(const operator_structure&) = delete;
  operator_structure& operator=(const operator_structure&) = delete;

  const DML_OPERATOR_DESC& get() const { return operator_; }

 private:
  using c_type = typename structure<Desc>::type;
  static constexpr std::size_t attribute_count = std::tuple_size_v<decltype(structure<Desc>::attributes)>;

  static data_type output_type(const tensor_descs<Desc>& tensors) {
    return tensors.back() ? tensors.back()->data_type : data_type::unknown;
  }

  template <std::size_t... I>
  void fill([[maybe_unused]] const Desc& desc, [[maybe_unused]] data_type type, std::index_sequence<I...>) {
    (set(std::get<I>(structure<Desc>::attributes), desc.*std::get<I>(operator_traits<Desc>::attributes).member, type,
         lists_[I]),
     ...);
  }

  // A number or an enumerator.
  template <class Member, class Value>
  void set(Member c_type::*member, const Value& value, data_type, std::optional<detail::uint_list>&) {
    c_.*member = static_cast<Member>(value);
  }

  // A list and its count.
  template <class Companion, class Member>
  void set(const with_companion<Companion, Member>& members, const dimensions& value, data_type,
           std::optional<detail::uint_list>& list) {
    list.emplace(value);
    c_.*members.companion = list->count;
    c_.*members.member = value.empty() ? nullptr : list->values.data();
  }

  // A scalar and its data type. One that was left out is zero of the output's.
  template <class Companion, class Member>
  void set(const with_companion<Companion, Member>& members, const scalar& value, data_type output,
           std::optional<detail::uint_list>&) {
    c_.*members.companion = static_cast<DML_TENSOR_DATA_TYPE>(value.type().value_or(output));
    (c_.*members.member).UInt64 = value.as<std::uint64_t>();  // all eight bytes, those beyond the type's are 0
  }

  std::array<std::optional<detail::tensor_structure>, operator_traits<Desc>::operands.size()> tensors_;
  std::array<std::optional<detail::uint_list>, attribute_count> lists_;
  c_type c_{};
  DML_OPERATOR_DESC operator_{};
};

}  // namespace goldml::directml
