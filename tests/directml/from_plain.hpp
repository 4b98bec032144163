// A DML_OPERATOR_DESC written down plainly, null pointers and nonsense included, and from it, each by itself and by
// hand: DirectML's structures in memory of exactly their size, and what goldml must take them for.
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

// One for all operators: each reads what it has.
struct plain_operator {
  std::uint32_t type = 0;
  bool has_desc = true;
  std::vector<plain_tensor> tensors;  // as many as the operator has
  std::optional<std::vector<std::uint32_t>> axes = std::nullopt;
  std::uint32_t axis_count = 0;
  std::uint32_t axis_direction = 0;
  std::uint32_t input_dimension_count = 0;
  std::uint32_t indices_dimension_count = 0;
  std::uint32_t value_data_type = 0;
  std::array<std::byte, 8> value{};
  std::int32_t fill_begin = 0;
  std::int32_t fill_end = 0;
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

inline void set_attributes(plain_operator& op, const argmin_desc& desc) {
  op.axes = entries(desc.axes);
  op.axis_count = static_cast<std::uint32_t>(op.axes->size());
  op.axis_direction = static_cast<std::uint32_t>(desc.axis_direction);
}
inline void set_attributes(plain_operator&, const nonzero_coordinates_desc&) {}
inline void set_attributes(plain_operator& op, const scatter_nd_desc& desc) {
  op.input_dimension_count = desc.input_dimension_count;
  op.indices_dimension_count = desc.indices_dimension_count;
}
inline void set_attributes(plain_operator& op, const diagonal_matrix1_desc& desc) {
  const std::uint32_t left_out = op.tensors[1].data_type;
  op.value_data_type = desc.value.type() ? static_cast<std::uint32_t>(*desc.value.type()) : left_out;
  const auto bits = desc.value.as<std::uint64_t>();
  std::memcpy(op.value.data(), &bits, sizeof bits);
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

// A list in memory of exactly its size, where reading one more is seen by a sanitizer. Null where there is none.
using exact_list = std::unique_ptr<UINT[]>;
inline exact_list exact(const std::optional<std::vector<std::uint32_t>>& list) {
  if (!list) return nullptr;
  exact_list copy(new UINT[list->size()]);
  for (std::size_t i = 0; i < list->size(); ++i) copy[i] = (*list)[i];
  return copy;
}

// A number into an enumeration of C, whether it is an enumerator or not.
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

// All structures of one operator, alive together.
class dml_operator {
 public:
  explicit dml_operator(const plain_operator& op) : axes_(exact(op.axes)) {
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
    }
    operator_.Desc = op.has_desc ? desc : nullptr;
  }

  const DML_OPERATOR_DESC& get() const { return operator_; }
  operator const DML_OPERATOR_DESC&() const { return operator_; }  // NOLINT(google-explicit-constructor): stands for it

 private:
  std::vector<std::unique_ptr<dml_tensor>> tensors_;
  exact_list axes_;
  DML_ARGMIN_OPERATOR_DESC argmin_{};
  DML_NONZERO_COORDINATES_OPERATOR_DESC nonzero_{};
  DML_SCATTER_ND_OPERATOR_DESC scatter_{};
  DML_DIAGONAL_MATRIX1_OPERATOR_DESC diagonal_{};
  DML_OPERATOR_DESC operator_{};
};

}  // namespace directml_tests
