#include "directml_source.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/validate.hpp>
#include <goldml/io/model_operators.hpp>

namespace goldml::tool::detail {

namespace {

// A FLOAT constant. NaN and infinities have no literal in C++.
std::string literal(float value) {
  if (std::isnan(value)) return "std::numeric_limits<float>::quiet_NaN()";
  if (std::isinf(value))
    return value < 0 ? "-std::numeric_limits<float>::infinity()" : "std::numeric_limits<float>::infinity()";
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

// An integer constant. The lowest value of a type has no literal in C++.
template <class T>
requires std::is_integral_v<T> std::string literal(T value) {
  if constexpr (std::is_signed_v<T> && sizeof(T) >= 4)
    if (value == (std::numeric_limits<T>::min)()) return fmt::format("{} - 1", value + 1);
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4)
    if (value > T{(std::numeric_limits<std::int32_t>::max)()}) return fmt::format("{}u", value);
  return number_text(value);
}

// "  const UINT Axes[] = {0, 2};", or "" for an empty list, whose pointer is null.
template <class List>
std::string array_source(std::string_view type, std::string_view name, const List& values) {
  if (values.empty()) return "";
  std::string list;
  for (const auto value : values) list += (list.empty() ? "" : ", ") + literal(value);
  if (values.overlong())
    return fmt::format("  const {} {}[9] = {{{}}};  // the model has more than 8\n", type, name, list);
  return fmt::format("  const {} {}[] = {{{}}};\n", type, name, list);
}
std::string list_source(std::string_view name, const dimensions& values) { return array_source("UINT", name, values); }
template <class List>
std::string pointer_to(const std::string& name, const List& values) {
  return values.empty() ? "nullptr" : name;
}
template <class List>
std::size_t count_of(const List& values) {
  return values.size() + (values.overlong() ? 1 : 0);
}

std::string source(data_type type) { return fmt::format("DML_TENSOR_DATA_TYPE_{}", name_of(type)); }

// An enumerator by name, or as a number if it has no name.
std::string source(std::uint32_t value, const enumeration_names& names) {
  if (const auto name = names.name_of(value)) return fmt::format("{}{}", names.prefix, *name);
  std::string_view type = names.prefix;
  type.remove_suffix(1);
  return fmt::format("static_cast<{}>({})", type, literal(value));
}

std::string source(tensor_type type) {
  if (type == tensor_type::invalid) return "DML_TENSOR_TYPE_INVALID";
  if (type == tensor_type::buffer) return "DML_TENSOR_TYPE_BUFFER";
  return fmt::format("static_cast<DML_TENSOR_TYPE>({})", literal(static_cast<std::uint32_t>(type)));
}

std::string source(tensor_flags flags) {
  if (flags == tensor_flags::none) return "DML_TENSOR_FLAG_NONE";
  if (flags == tensor_flags::owned_by_dml) return "DML_TENSOR_FLAG_OWNED_BY_DML";
  return fmt::format("static_cast<DML_TENSOR_FLAGS>({})", literal(static_cast<std::uint32_t>(flags)));
}

// "Float32 = 7.0f;": the union's member and its value. NaN, infinities, and FLOAT16, which has no member, are written as
// bits. Empty for a type without elements.
std::string scalar_source(const scalar& value) {
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

// "ACTIVATION_ELU" as a structure called `name` and its DML_OPERATOR_DESC `nameOperator`.
std::string activation_source(const std::string& name, const activation& value) {
  const activation_info* info = find_activation(value.operator_type);
  if (info == nullptr) return "";
  std::string result = info->takes_axes ? list_source(name + "Axes", value.axes) : "";
  result += fmt::format("  DML_{}_OPERATOR_DESC {} = {{}};\n", info->name, name);
  if (info->takes_axes)
    result += fmt::format("  {0}.AxisCount = {1};\n  {0}.Axes = {2};\n", name, count_of(value.axes),
                          pointer_to(name + "Axes", value.axes));
  if (value.scale_bias)
    result += fmt::format("  const DML_SCALE_BIAS {0}ScaleBias = {{{1}, {2}}};\n  {0}.ScaleBias = &{0}ScaleBias;\n",
                          name, literal(value.scale_bias->scale), literal(value.scale_bias->bias));
  for (std::size_t i = 0; i < info->parameter_count(); ++i)
    result += fmt::format("  {}.{} = {};\n", name, info->parameters[i], literal(value.parameters[i]));
  return result +
         fmt::format("  const DML_OPERATOR_DESC {0}Operator = {{DML_OPERATOR_{1}, &{0}}};\n", name, info->name);
}

// The declarations before the structure: the arrays and structures that an attribute points to.
std::string attribute_declaration(const attribute& a, const void* desc) {
  const void* value = a.address(desc);
  const std::string name(a.name);
  switch (a.kind) {
    case attribute_kind::list_of_uint32:
      return list_source(name, *static_cast<const dimensions*>(value));
    case attribute_kind::list_of_int32:
      return array_source("INT", name, *static_cast<const int32_list*>(value));
    case attribute_kind::list_of_float32:
      return array_source("FLOAT", name, *static_cast<const float32_list*>(value));
    case attribute_kind::scale_bias: {
      const auto& given = *static_cast<const std::optional<scale_bias>*>(value);
      if (!given) return "";
      return fmt::format("  const DML_SCALE_BIAS {} = {{{}, {}}};\n", name, literal(given->scale),
                         literal(given->bias));
    }
    case attribute_kind::activation: {
      const auto& given = *static_cast<const std::optional<activation>*>(value);
      return given ? activation_source(name, *given) : "";
    }
    case attribute_kind::list_of_activation: {
      const auto& list = *static_cast<const activation_list*>(value);
      if (list.empty()) return "";
      std::string result, entries;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string one = fmt::format("{}{}", name, i);
        result += activation_source(one, list[i]);
        entries += fmt::format("{}{}Operator", i == 0 ? "" : ", ", one);
      }
      return result + fmt::format("  const DML_OPERATOR_DESC {}[] = {{{}}};\n", name, entries);
    }
    default:
      return "";
  }
}

// The members of an attribute in the C structure, in its order: a companion comes before its list or scalar,
// and only once if it is shared.
std::string attribute_source(const attribute& a, const void* desc, bool introduces_companion) {
  const void* value = a.address(desc);
  const auto assign = [&](std::string_view member, const std::string& text) {
    return fmt::format("  desc.{} = {};\n", member, text);
  };
  const auto list = [&](const auto& values) {
    return (introduces_companion ? assign(a.companion, fmt::format("{}", count_of(values))) : "") +
           assign(a.name, pointer_to(std::string(a.name), values));
  };
  switch (a.kind) {
    case attribute_kind::uint32:
      return assign(a.name, literal(*static_cast<const std::uint32_t*>(value)));
    case attribute_kind::int32:
      return assign(a.name, literal(*static_cast<const std::int32_t*>(value)));
    case attribute_kind::uint64:
      return assign(a.name, literal(*static_cast<const std::uint64_t*>(value)));
    case attribute_kind::float32:
      return assign(a.name, literal(*static_cast<const float*>(value)));
    case attribute_kind::boolean:
      return assign(a.name, *static_cast<const bool*>(value) ? "TRUE" : "FALSE");
    case attribute_kind::enumeration:
      return assign(a.name, source(load_enumerator(value), a.names));
    case attribute_kind::list_of_uint32:
      return list(*static_cast<const dimensions*>(value));
    case attribute_kind::list_of_int32:
      return list(*static_cast<const int32_list*>(value));
    case attribute_kind::list_of_float32:
      return list(*static_cast<const float32_list*>(value));
    case attribute_kind::list_of_activation:
      return list(*static_cast<const activation_list*>(value));
    case attribute_kind::scalar: {
      const scalar& given = *static_cast<const scalar*>(value);
      const std::string assigned = scalar_source(given);
      return (introduces_companion ? assign(a.companion, source(given.type().value_or(data_type::unknown))) : "") +
             (assigned.empty() ? "" : fmt::format("  desc.{}.{}\n", a.name, assigned));
    }
    case attribute_kind::size_2d: {
      const auto& size = *static_cast<const size_2d*>(value);
      return assign(a.name, fmt::format("{{{}, {}}}", literal(size.width), literal(size.height)));
    }
    case attribute_kind::scale_bias: {
      const bool given = static_cast<const std::optional<scale_bias>*>(value)->has_value();
      return assign(a.name, given ? "&" + std::string(a.name) : "nullptr");
    }
    case attribute_kind::activation: {
      const bool given = static_cast<const std::optional<activation>*>(value)->has_value();
      return assign(a.name, given ? fmt::format("&{}Operator", a.name) : "nullptr");
    }
  }
  return "";
}

}  // namespace

std::string tensor_source(std::string_view operand, const tensor_desc& desc) {
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

std::string operator_source(std::string_view operator_name, std::span<const attribute> attributes,
                            std::span<const operand_info> infos, const void* desc, std::span<const operand> tensors) {
  std::string result;
  for (const attribute& a : attributes) result += attribute_declaration(a, desc);
  std::string assigned;
  for (std::size_t row = 0; row < infos.size(); ++row) {
    const std::string_view name = infos[row].name;
    const std::size_t first = first_tensor(infos, row, tensors.size());
    if (!infos[row].is_array()) {
      const bool given = tensors[first].desc.has_value();
      assigned += fmt::format("  desc.{} = {}{};\n", name, given ? "&" : "", given ? name : "nullptr");
      continue;
    }
    const std::size_t count = tensor_count(infos, row, tensors.size());
    std::string entries;
    for (std::size_t i = 0; i < count; ++i) entries += fmt::format("{}{}{}", i == 0 ? "" : ", ", name, i);
    if (count > 0) result += fmt::format("  const DML_TENSOR_DESC {}[] = {{{}}};\n", name, entries);
    assigned += fmt::format("  desc.{} = {};\n  desc.{} = {};\n", infos[row].count, count, name,
                            count == 0 ? "nullptr" : std::string(name));
  }
  result += fmt::format("  DML_{}_OPERATOR_DESC desc = {{}};\n", operator_name) + assigned;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    result += attribute_source(attributes[i], desc, introduces_companion(attributes, i));
  return result + fmt::format("  const DML_OPERATOR_DESC operatorDesc = {{DML_OPERATOR_{}, &desc}};\n", operator_name);
}

}  // namespace goldml::tool::detail
