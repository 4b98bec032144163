// Finds what DxDispatch would refuse or read differently in a model that goldml accepts. The list is in docs/models.md,
// "Portable models".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/attributes.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/model_attributes.hpp>
#include <goldml/io/model_commands.hpp>
#include <goldml/io/model_numbers.hpp>
#include <goldml/io/model_operators.hpp>
#include <goldml/io/model_portable_values.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::io {

namespace detail {

// Checks the text and the document of a model that goldml has read, and calls sink(violation, value), M15, for each
// place that DxDispatch would refuse or read differently. Files are not checked.
class portability_check : portable_values {
 public:
  using portable_values::portable_values;

  void check(std::string_view text, const json& root) {
    if (text.starts_with("\xEF\xBB\xBF")) report(root, "JSON", "a byte order mark", "text without one", "");
    for (const auto& resource : members_of(*find_member(root, "resources")))
      check_resource(resource.value, fmt::format("resource {}", in_quotes(text_of(resource.name))));
    for (const auto& dispatchable : members_of(*find_member(root, "dispatchables")))
      check_dispatchable(dispatchable.value, fmt::format("dispatchable {}", in_quotes(text_of(dispatchable.name))));
    std::size_t number = 0;
    for (const json& command : find_member(root, "commands")->GetArray())
      check_command(command, fmt::format("command {}", number++));
  }

 private:
  void check_resource(const json& resource, std::string_view where) {
    const json* type_member = member(resource, "initialValuesDataType", where);
    const data_type type =
        type_member == nullptr ? data_type::unknown : to_data_type(*type_member, "initialValuesDataType", where);
    check_integer_member<std::uint64_t>(resource, "sizeInBytes", where);
    check_integer_member<std::uint64_t>(resource, "initialValuesOffsetInBytes", where);
    const json& values = *find_member(resource, "initialValues");
    if (values.IsArray()) {
      for (const json& value : values.GetArray()) {
        if (type != data_type::unknown) {
          check_element(value, type, "initialValues", where);
          continue;
        }
        const data_type constant = to_data_type(*find_member(value, "type"), "type", where);
        if (constant == data_type::float16)
          report(*find_member(value, "type"), "type", "FLOAT16", "another data type of a mixed constant", where);
        else
          check_element(*find_member(value, "value"), constant, "value", where);
      }
      return;
    }
    if (find_member(values, "sourcePath") != nullptr) return;
    check_integer_member<std::uint32_t>(values, "valueCount", where);
    for (const std::string_view name : {"value", "valueStart", "valueDelta"})
      if (const json* value = member(values, name, where)) check_element(*value, type, name, where);
  }

  void check_dispatchable(const json& dispatchable, std::string_view where) {
    if (const json* type = member(dispatchable, "dmlCompileType", where))
      check_name(*type, "dmlCompileType", std::array<std::string_view, 2>{"DmlCompileOp", "DmlCompileGraph"}, "",
                 where);
    if (const json* flags = member(dispatchable, "executionFlags", where)) {
      const std::vector<std::string_view> names = names_in(execution_flags);
      const auto check = [&](const json& flag) {
        check_name(flag, "executionFlags", names, execution_flag_names.prefix, where);
      };
      if (flags->IsArray())
        for (const json& flag : flags->GetArray()) check(flag);
      else
        check(*flags);
    }
    if (find_member(dispatchable, "type") == nullptr)
      report(dispatchable, "type", "missing", "the operator's name in it, besides Type", where);
    if (const json* bindings = find_member(dispatchable, "bindings")) check_bindings(*bindings, where);
    if (const operator_description* op =
            find_operator(text_of(*find_member(dispatchable, spelling_of(dispatchable, "Type", "type")))))
      check_members(object_members(dispatchable, where), op->operands, op->attributes, where);
  }

  void check_members(const json& object, std::span<const operand_info> operands, std::span<const attribute> attributes,
                     std::string_view where) {
    for (const operand_info& info : operands) {
      const json* given = member(object, info.name, where);
      const std::string inner = fmt::format("{} of {}", info.name, where);
      if (given != nullptr && given->IsArray())
        for (const json& tensor : given->GetArray()) check_tensor(tensor, inner);
      else if (given != nullptr)
        check_tensor(*given, inner);
      if (info.is_array()) require<std::uint32_t>(object, info.count, where);
    }
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const attribute& a = attributes[i];
      if (introduces_companion(attributes, i) && is_list(a.kind)) require<std::uint32_t>(object, a.companion, where);
      if (introduces_companion(attributes, i) && companion_in(object, a) != a.companion)
        report(object, a.companion, "missing", "a data type", where);
      if (const json* value = member(object, a.name, where))
        check_attribute(object, a, *value, where);
      else if (is_list(a.kind) && !has_name(object, a.name))  // others are optional, or have been refused
        report(object, a.name, "missing", "an array, which may be empty", where);
    }
  }

  void check_attribute(const json& object, const attribute& a, const json& value, std::string_view where) {
    switch (a.kind) {
      case attribute_kind::uint32:
        return check_integer<std::uint32_t>(value, a.name, where);
      case attribute_kind::int32:
        return check_integer<std::int32_t>(value, a.name, where);
      case attribute_kind::uint64:
        return check_integer<std::uint64_t>(value, a.name, where);
      case attribute_kind::float32:
        return check_float(value, a.name, where);
      case attribute_kind::enumeration:
        if (!value.IsString()) report(value, a.name, description(value), "an enumerator's name", where);
        return;
      case attribute_kind::list_of_uint32:
        return check_integers<std::uint32_t>(value, a.name, where);
      case attribute_kind::list_of_int32:
        return check_integers<std::int32_t>(value, a.name, where);
      case attribute_kind::list_of_float32:
        for (const json& entry : value.GetArray()) check_float(entry, a.name, where);
        return;
      case attribute_kind::scalar: {
        const std::string_view type_name = companion_in(object, a);
        const data_type type = to_data_type(*find_member(object, type_name), type_name, where);
        if (value.IsString())
          report(value, a.name, description(value), "a number: strings are not taken in a DML_SCALAR_UNION", where);
        else if (value.IsObject() && value.MemberCount() == 1)
          check_element(value.MemberBegin()->value, type == data_type::float16 ? data_type::uint16 : type, a.name,
                        where);
        else if (value.IsNumber())
          check_element(value, type, a.name, where);
        return;
      }
      case attribute_kind::size_2d:
        for (const std::string_view name : {"Width", "Height"}) check_integer_member<std::uint32_t>(value, name, where);
        return;
      case attribute_kind::scale_bias:
        for (const std::string_view name : {"Scale", "Bias"}) check_float(*find_member(value, name), name, where);
        return;
      case attribute_kind::boolean:
        return;
      case attribute_kind::activation:
        return check_activation(value, where);
      case attribute_kind::list_of_activation:
        for (const json& entry : value.GetArray()) check_activation(entry, where);
        return;
    }
  }

  void check_activation(const json& value, std::string_view where) {
    const activation_info* info = find_activation(text_of(*find_member(value, spelling_of(value, "Type", "type"))));
    if (info == nullptr) return;
    const json& members = object_members(value, where);
    for (std::size_t i = 0; i < info->parameter_count(); ++i)
      check_float(*find_member(members, info->parameters[i]), info->parameters[i], where);
    const json* adjustment = info->takes_scale_bias ? find_member(members, "ScaleBias") : nullptr;
    for (const std::string_view name : {"Scale", "Bias"})
      if (adjustment != nullptr) check_float(*find_member(*adjustment, name), name, where);
  }

  void check_tensor(const json& given, std::string_view where) {
    if (const json* type = member(given, "Type", where); type != nullptr && !type->IsString())
      report(*type, "Type", description(*type), "BUFFER", where);
    const json* nested = find_member(given, "Desc");
    const json& object = nested == nullptr ? given : *nested;
    for (const std::string_view name : {"Sizes", "Strides"})
      if (const json* list = member(object, name, where)) check_integers<std::uint32_t>(*list, name, where);
    check_integer_member<std::uint32_t>(object, "DimensionCount", where);
    check_integer_member<std::uint64_t>(object, "TotalTensorSizeInBytes", where);
    check_integer_member<std::uint32_t>(object, "GuaranteedBaseOffsetAlignment", where);
    const json* flags = member(object, "Flags", where);
    if (flags == nullptr) return;
    bool names = flags->IsString();
    if (flags->IsArray()) {
      names = true;
      for (const json& flag : flags->GetArray()) names = names && flag.IsString();
    }
    if (!names) report(*flags, "Flags", description(*flags), "a flag's name, or an array of them", where);
  }

  void check_bindings(const json& bindings, std::string_view where) {
    for (const auto& binding : members_of(bindings)) {
      if (binding.value.IsNull())
        report(binding.value, "bindings", fmt::format("{} null", in_quotes(text_of(binding.name))), "no such member",
               where);
      else
        check_binding(binding.value, where);
    }
  }

  void check_binding(const json& binding, std::string_view where) {
    if (binding.IsArray())
      for (const json& one : binding.GetArray()) {
        if (one.IsNull()) report(one, "bindings", "null in a list", "a resource for each tensor", where);
        check_binding(one, where);
      }
    if (!binding.IsObject()) return;
    for (const std::string_view number : {"elementCount", "elementSizeInBytes", "elementOffset"})
      check_integer_member<std::uint64_t>(binding, number, where);
  }

  void check_command(const json& command, std::string_view where) {
    const std::string_view type = text_of(*find_member(command, "type"));
    if (same_word(type, "dispatch")) check_bindings(*find_member(command, "bindings"), where);
    if (!same_word(type, "writeFile")) return;
    if (const json* dimensions = member(command, "dimensions", where))
      check_integers<std::uint32_t>(*dimensions, "dimensions", where);
  }
};

}  // namespace detail

}  // namespace goldml::io
