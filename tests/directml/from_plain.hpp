// A plain description of a DML_OPERATOR_DESC, which may contain null pointers and invalid values, and two independent
// conversions of it: to DirectML's structures in memory of exactly their size, and to the expected goldml desc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/directml/headers.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/case.hpp>

namespace directml_tests {

using namespace goldml;

struct plain_tensor {
  bool given = true;  // the pointer to DML_TENSOR_DESC is not null
  std::uint32_t type = 1;
  bool has_desc = true;
  std::uint32_t data_type = 1;
  std::uint32_t flags = 0;
  std::uint32_t dimension_count = 0;
  std::optional<std::vector<std::uint32_t>> sizes = std::nullopt;  // null
  std::optional<std::vector<std::uint32_t>> strides = std::nullopt;
  std::uint64_t total_size = 0;
  std::uint32_t alignment = 0;
};

// The operators that can be described so; together they have the kinds of attributes that structures from a stranger get
// wrong. kinds.cpp and to_directml.cpp test the others.
using plain_operators = type_list<argmin_desc, nonzero_coordinates_desc, scatter_nd_desc, diagonal_matrix1_desc,
                                  argmax_desc, diagonal_matrix_desc, fill_value_constant_desc, slice1_desc>;

// One struct for these operators; each uses its own members.
struct plain_operator {
  std::uint32_t type = 0;
  bool has_desc = true;
  std::vector<plain_tensor> tensors;  // one per tensor of the operator
  std::optional<std::vector<std::uint32_t>> axes = std::nullopt;
  std::uint32_t axis_count = 0;
  std::uint32_t axis_direction = 0;
  std::uint32_t input_dimension_count = 0;
  std::uint32_t indices_dimension_count = 0;
  std::uint32_t value_data_type = 0;
  std::array<std::byte, 8> value{};
  std::int32_t fill_begin = 0;
  std::int32_t fill_end = 0;
  std::int32_t offset = 0;
  float float_value = 0;
  std::uint32_t window_count = 0;
  std::optional<std::vector<std::uint32_t>> offsets = std::nullopt;
  std::optional<std::vector<std::uint32_t>> windows = std::nullopt;
  std::optional<std::vector<std::uint32_t>> window_strides = std::nullopt;  // as bits
};

inline std::vector<std::uint32_t> entries(const dimensions& list) {
  std::vector<std::uint32_t> result(list.begin(), list.end());
  if (list.overlong()) result.push_back(1);
  return result;
}

inline plain_tensor plain(const std::optional<tensor_desc>& desc) {
  if (!desc) return {.given = false};
  plain_tensor t{.type = static_cast<std::uint32_t>(desc->type),
                 .data_type = static_cast<std::uint32_t>(desc->data_type),
                 .flags = static_cast<std::uint32_t>(desc->flags),
                 .sizes = entries(desc->sizes),
                 .strides = std::nullopt,
                 .total_size = total_tensor_size_in_bytes(*desc),
                 .alignment = desc->guaranteed_base_offset_alignment};
  t.dimension_count = static_cast<std::uint32_t>(t.sizes->size());
  if (!desc->strides.empty()) t.strides = entries(desc->strides);
  return t;
}

template <class Desc>
requires std::is_same_v<Desc, argmin_desc> || std::is_same_v<Desc, argmax_desc>
void set_attributes(plain_operator& op, const Desc& desc) {
  op.axes = entries(desc.axes);
  op.axis_count = static_cast<std::uint32_t>(op.axes->size());
  op.axis_direction = static_cast<std::uint32_t>(desc.axis_direction);
}
inline void set_attributes(plain_operator&, const nonzero_coordinates_desc&) {}
inline void set_attributes(plain_operator& op, const scatter_nd_desc& desc) {
  op.input_dimension_count = desc.input_dimension_count;
  op.indices_dimension_count = desc.indices_dimension_count;
}
inline void set_value(plain_operator& op, const scalar& value) {
  const std::uint32_t left_out = op.tensors.back().data_type;
  op.value_data_type = value.type() ? static_cast<std::uint32_t>(*value.type()) : left_out;
  const auto bits = value.as<std::uint64_t>();
  std::memcpy(op.value.data(), &bits, sizeof bits);
}
inline void set_attributes(plain_operator& op, const fill_value_constant_desc& desc) { set_value(op, desc.value); }
inline void set_attributes(plain_operator& op, const diagonal_matrix_desc& desc) {
  op.offset = desc.offset;
  op.float_value = desc.value;
}
inline void set_attributes(plain_operator& op, const slice1_desc& desc) {
  op.offsets = entries(desc.input_window_offsets);
  op.windows = entries(desc.input_window_sizes);
  op.window_strides.emplace();
  for (const std::int32_t stride : desc.input_window_strides)
    op.window_strides->push_back(static_cast<std::uint32_t>(stride));
  op.window_count = static_cast<std::uint32_t>(op.offsets->size());
}
inline void set_attributes(plain_operator& op, const diagonal_matrix1_desc& desc) {
  set_value(op, desc.value);
  op.fill_begin = desc.diagonal_fill_begin;
  op.fill_end = desc.diagonal_fill_end;
}

template <class Desc>
plain_operator plain(const Desc& desc, const std::vector<std::optional<tensor_desc>>& tensors) {
  plain_operator op{.type = operator_traits<Desc>::enumerator, .tensors = {}};
  for (const auto& tensor : tensors) op.tensors.push_back(plain(tensor));
  set_attributes(op, desc);
  return op;
}
template <class Desc>
plain_operator plain(const oracle::test_case<Desc>& c) {
  return plain(c.desc, {c.tensors.begin(), c.tensors.end()});
}

// A list in memory of exactly its size, so that a sanitizer detects a read past its end. Null if there is none.
using exact_list = std::unique_ptr<UINT[]>;
inline exact_list exact(const std::optional<std::vector<std::uint32_t>>& list) {
  if (!list) return nullptr;
  exact_list copy(new UINT[list->size()]);
  for (std::size_t i = 0; i < list->size(); ++i) copy[i] = (*list)[i];
  return copy;
}

// The same for INTs, whose bits are in the list.
inline std::unique_ptr<INT[]> exact_ints(const std::optional<std::vector<std::uint32_t>>& list) {
  if (!list) return nullptr;
  std::unique_ptr<INT[]> copy(new INT[list->size()]);
  for (std::size_t i = 0; i < list->size(); ++i) copy[i] = static_cast<INT>((*list)[i]);
  return copy;
}

// Converts a number to a C enumeration, even if it is not an enumerator.
template <class Enum>
void put(Enum& target, std::uint32_t number) {
  static_assert(sizeof target == sizeof number);
  std::memcpy(&target, &number, sizeof number);
}

class dml_tensor {
 public:
  explicit dml_tensor(const plain_tensor& t) : sizes_(exact(t.sizes)), strides_(exact(t.strides)) {
    put(buffer_.DataType, t.data_type);
    put(buffer_.Flags, t.flags);
    buffer_.DimensionCount = t.dimension_count;
    buffer_.Sizes = sizes_.get();
    buffer_.Strides = strides_.get();
    buffer_.TotalTensorSizeInBytes = t.total_size;
    buffer_.GuaranteedBaseOffsetAlignment = t.alignment;
    put(tensor_.Type, t.type);
    tensor_.Desc = t.has_desc ? &buffer_ : nullptr;
    given_ = t.given;
  }
  dml_tensor(const dml_tensor&) = delete;
  dml_tensor& operator=(const dml_tensor&) = delete;

  const DML_TENSOR_DESC* get() const { return given_ ? &tensor_ : nullptr; }
  DML_BUFFER_TENSOR_DESC& buffer() { return buffer_; }

 private:
  exact_list sizes_, strides_;
  DML_BUFFER_TENSOR_DESC buffer_{};
  DML_TENSOR_DESC tensor_{};
  bool given_;
};

// Owns all structures of one operator.
class dml_operator {
 public:
  explicit dml_operator(const plain_operator& op)
      : axes_(exact(op.axes)),
        offsets_(exact(op.offsets)),
        windows_(exact(op.windows)),
        window_strides_(exact_ints(op.window_strides)) {
    for (const plain_tensor& t : op.tensors) tensors_.push_back(std::make_unique<dml_tensor>(t));
    const auto tensor = [&](std::size_t i) { return i < tensors_.size() ? tensors_[i]->get() : nullptr; };
    put(operator_.Type, op.type);
    const void* desc = nullptr;
    if (op.type == DML_OPERATOR_ARGMIN) {
      argmin_.InputTensor = tensor(0);
      argmin_.OutputTensor = tensor(1);
      argmin_.AxisCount = op.axis_count;
      argmin_.Axes = axes_.get();
      put(argmin_.AxisDirection, op.axis_direction);
      desc = &argmin_;
    } else if (op.type == DML_OPERATOR_NONZERO_COORDINATES) {
      nonzero_.InputTensor = tensor(0);
      nonzero_.OutputCountTensor = tensor(1);
      nonzero_.OutputCoordinatesTensor = tensor(2);
      desc = &nonzero_;
    } else if (op.type == DML_OPERATOR_SCATTER_ND) {
      scatter_.InputTensor = tensor(0);
      scatter_.IndicesTensor = tensor(1);
      scatter_.UpdatesTensor = tensor(2);
      scatter_.OutputTensor = tensor(3);
      scatter_.InputDimensionCount = op.input_dimension_count;
      scatter_.IndicesDimensionCount = op.indices_dimension_count;
      desc = &scatter_;
    } else if (op.type == DML_OPERATOR_DIAGONAL_MATRIX1) {
      diagonal_.InputTensor = tensor(0);
      diagonal_.OutputTensor = tensor(1);
      put(diagonal_.ValueDataType, op.value_data_type);
      std::memcpy(&diagonal_.Value, op.value.data(), sizeof diagonal_.Value);
      diagonal_.DiagonalFillBegin = op.fill_begin;
      diagonal_.DiagonalFillEnd = op.fill_end;
      desc = &diagonal_;
    } else if (op.type == DML_OPERATOR_ARGMAX) {
      argmax_.InputTensor = tensor(0);
      argmax_.OutputTensor = tensor(1);
      argmax_.AxisCount = op.axis_count;
      argmax_.Axes = axes_.get();
      put(argmax_.AxisDirection, op.axis_direction);
      desc = &argmax_;
    } else if (op.type == DML_OPERATOR_DIAGONAL_MATRIX) {
      matrix_.OutputTensor = tensor(0);
      matrix_.Offset = op.offset;
      matrix_.Value = op.float_value;
      desc = &matrix_;
    } else if (op.type == DML_OPERATOR_FILL_VALUE_CONSTANT) {
      constant_.OutputTensor = tensor(0);
      put(constant_.ValueDataType, op.value_data_type);
      std::memcpy(&constant_.Value, op.value.data(), sizeof constant_.Value);
      desc = &constant_;
    } else if (op.type == DML_OPERATOR_SLICE1) {
      slice_.InputTensor = tensor(0);
      slice_.OutputTensor = tensor(1);
      slice_.DimensionCount = op.window_count;
      slice_.InputWindowOffsets = offsets_.get();
      slice_.InputWindowSizes = windows_.get();
      slice_.InputWindowStrides = window_strides_.get();
      desc = &slice_;
    }
    operator_.Desc = op.has_desc ? desc : nullptr;
  }

  const DML_OPERATOR_DESC& get() const { return operator_; }
  operator const DML_OPERATOR_DESC&() const { return operator_; }  // NOLINT(google-explicit-constructor): stands for it

 private:
  std::vector<std::unique_ptr<dml_tensor>> tensors_;
  exact_list axes_, offsets_, windows_;
  std::unique_ptr<INT[]> window_strides_;
  DML_ARGMIN_OPERATOR_DESC argmin_{};
  DML_NONZERO_COORDINATES_OPERATOR_DESC nonzero_{};
  DML_SCATTER_ND_OPERATOR_DESC scatter_{};
  DML_DIAGONAL_MATRIX1_OPERATOR_DESC diagonal_{};
  DML_ARGMAX_OPERATOR_DESC argmax_{};
  DML_DIAGONAL_MATRIX_OPERATOR_DESC matrix_{};
  DML_FILL_VALUE_CONSTANT_OPERATOR_DESC constant_{};
  DML_SLICE1_OPERATOR_DESC slice_{};
  DML_OPERATOR_DESC operator_{};
};

}  // namespace directml_tests
