// A desc and its tensors as C++ source for DirectML's structures. Generic over operator_traits.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <goldml/core/validate.hpp>

namespace goldml::tool::detail {

// The arrays, DML_BUFFER_TENSOR_DESC and DML_TENSOR_DESC of an operand: InputTensorSizes, InputTensorBuffer,
// InputTensor.
std::string tensor_source(std::string_view operand, const tensor_desc& desc);

// The arrays, DML_X_OPERATOR_DESC and DML_OPERATOR_DESC. Tensors have already been declared, under their names.
std::string operator_source(std::string_view operator_name, std::span<const attribute> attributes,
                            std::span<const operand_info> infos, const void* desc, std::span<const operand> tensors);

}  // namespace goldml::tool::detail
