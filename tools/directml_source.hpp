// A desc and its tensors as the C++ source that makes DirectML's structures of them. Generic over operator_traits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/operator_rules.hpp>
#include <goldml/io/model_operators.hpp>

namespace goldml::tool {

namespace detail {

// An integer constant. The least one of a type has no literal in C++.
template <class T>
std::string literal(T value) {
  if constexpr (std::is_signed_v<T> && sizeof(T) >= 4)
    if (value == (std::numeric_limits<T>::min)()) return fmt::format("{} - 1", value + 1);
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4)
    if (value > T{(std::numeric_limits<std::int32_t>::max)()}) return fmt::format("{}u", value);
  return number_text(value);
}

// "  const UINT Axes[] = {0, 2};", or nothing where there are no values: the pointer is null then.
inline std::string list_source(std::string_view name, const dimensions& values) {
  if (values.empty()) return "";
  std::string list;
  for (const std::uint32_t value : values) list += (list.empty() ? "" : ", ") + literal(value);
  if (values.overlong()) return fmt::format("  const UINT {}[9] = {{{}}};  // the model has more than 8\n", name, list);
  return fmt::format("  const UINT {}[] = {{{}}};\n", name, list);
}
inline std::string pointer_to(const std::string& name, const dimensions& values) {
  return values.empty() ? "nullptr" : name;
}
inline std::size_t count_of(const dimensions& values) { return values.size() + (values.overlong() ? 1 : 0); }

inline std::string source(data_type type) { return fmt::format("DML_TENSOR_DATA_TYPE_{}", name_of(type)); }

// An enumerator by name, or the number that a model gives instead.
template <class Enum>
std::string source(Enum value) {
  std::string_view type = enumeration<Enum>::prefix;
  for (const auto& entry : enumeration<Enum>::values)
    if (entry.value == value) return fmt::format("{}{}", type, entry.name);
  type.remove_suffix(1);
  return fmt::format("static_cast<{}>({})", type, literal(static_cast<std::uint32_t>(value)));
}

inline std::string source(tensor_type type) {
  if (type == tensor_type::invalid) return "DML_TENSOR_TYPE_INVALID";
  if (type == tensor_type::buffer) return "DML_TENSOR_TYPE_BUFFER";
  return fmt::format("static_cast<DML_TENSOR_TYPE>({})", literal(static_cast<std::uint32_t>(type)));
}

inline std::string source(tensor_flags flags) {
  if (flags == tensor_flags::none) return "DML_TENSOR_FLAG_NONE";
  if (flags == tensor_flags::owned_by_dml) return "DML_TENSOR_FLAG_OWNED_BY_DML";
  return fmt::format("static_cast<DML_TENSOR_FLAGS>({})", literal(static_cast<std::uint32_t>(flags)));
}

// "Float32 = 7.0f;": the union's member and what is assigned to it. NaN, infinities and FLOAT16, which has no member,
// are their bits. Empty for a type without elements.
inline std::string scalar_source(const scalar& value) {
  std::string result;
  visit_data_type(all_types{}, value.type().value_or(data_type::unknown), [&]<class T>(std::type_identity<T>) {
    const T number = value.as<T>();
    std::string text = number_text(number);
    if constexpr (is_floating_type<T>) {
      using bits = goldml::detail::float_bits<T>;
      if (sizeof(T) == 2 || goldml::detail::magnitude_bits(number) >= bits::infinity) {
        result = fmt::format("UInt{} = {};  // {} {}{}", 8 * sizeof(T), bits_text(number), name_of(data_type_of<T>),
                             text, sizeof(T) == 2 ? ", for which the union has no member" : "");
        return;
      }
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      if (sizeof(T) == 4) text += "f";
    } else {
      text = literal(number);
    }
    result = fmt::format("{} = {};", io::detail::union_member(data_type_of<T>), text);
  });
  return result;
}

// The arrays, DML_BUFFER_TENSOR_DESC and DML_TENSOR_DESC of an operand: InputTensorSizes, InputTensorBuffer,
// InputTensor.
inline std::string tensor_source(std::string_view operand, const tensor_desc& desc) {
  const std::string name(operand);
  std::string result = list_source(name + "Sizes", desc.sizes) + list_source(name + "Strides", desc.strides);
  result += fmt::format("  DML_BUFFER_TENSOR_DESC {}Buffer = {{}};\n", name);
  const auto assign = [&](std::string_view member, const std::string& value) {
    result += fmt::format("  {}Buffer.{} = {};\n", name, member, value);
  };
  assign("DataType", source(desc.data_type));
  assign("Flags", source(desc.flags));
  assign("DimensionCount", fmt::format("{}", count_of(desc.sizes)));
  assign("Sizes", pointer_to(name + "Sizes", desc.sizes));
  assign("Strides", pointer_to(name + "Strides", desc.strides));
  assign("TotalTensorSizeInBytes", literal(total_tensor_size_in_bytes(desc)));
  assign("GuaranteedBaseOffsetAlignment", literal(desc.guaranteed_base_offset_alignment));
  return result + fmt::format("  const DML_TENSOR_DESC {} = {{{}, &{}Buffer}};\n", name, source(desc.type), name);
}

// The members that an attribute is in the C structure, in its order: a companion stands before a list and a scalar.
template <class Desc, class Member>
std::string attribute_source(const Desc& desc, const attribute<Desc, Member>& a) {
  const Member& value = desc.*a.member;
  if constexpr (std::is_same_v<Member, dimensions>) {
    return fmt::format("  desc.{} = {};\n  desc.{} = {};\n", a.companion, count_of(value), a.name,
                       pointer_to(std::string(a.name), value));
  } else if constexpr (std::is_same_v<Member, scalar>) {
    const std::string assigned = scalar_source(value);
    return fmt::format("  desc.{} = {};\n", a.companion, source(value.type().value_or(data_type::unknown))) +
           (assigned.empty() ? "" : fmt::format("  desc.{}.{}\n", a.name, assigned));
  } else if constexpr (std::is_enum_v<Member>) {
    return fmt::format("  desc.{} = {};\n", a.name, source(value));
  } else {
    return fmt::format("  desc.{} = {};\n", a.name, literal(value));
  }
}

// The arrays, DML_X_OPERATOR_DESC and DML_OPERATOR_DESC. The tensors that are there have been declared by their names.
template <class Desc>
std::string operator_source(const Desc& desc, const operands_of<Desc>& tensors) {
  using traits = operator_traits<Desc>;
  std::string result;
  const auto declare_list = [&]<class Member>(const attribute<Desc, Member>& a) {
    if constexpr (std::is_same_v<Member, dimensions>) result += list_source(a.name, desc.*a.member);
  };
  std::apply([&](const auto&... a) { (declare_list(a), ...); }, traits::attributes);
  result += fmt::format("  DML_{}_OPERATOR_DESC desc = {{}};\n", traits::name);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string_view name = traits::operands[i].name;
    result += fmt::format("  desc.{} = {}{};\n", name, tensors[i].desc ? "&" : "", tensors[i].desc ? name : "nullptr");
  }
  std::apply([&](const auto&... a) { ((result += attribute_source(desc, a)), ...); }, traits::attributes);
  return result + fmt::format("  const DML_OPERATOR_DESC operatorDesc = {{DML_OPERATOR_{}, &desc}};\n", traits::name);
}

}  // namespace detail

}  // namespace goldml::tool
