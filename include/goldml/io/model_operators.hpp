// The "dispatchables" of a model: descs and tensors of operators, read by means of operator_traits. Independent of the
// particular operator.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/operator_traits.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/known_operators.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_attributes.hpp>

namespace goldml::io {

namespace detail {

// DML_TENSOR_FLAGS: a name, an array of names, or a number.
inline tensor_flags to_flags(const json& value, std::string_view where) {
  if (value.IsNumber()) return static_cast<tensor_flags>(to_integer<std::uint32_t>(value, "Flags", where));
  if (value.IsArray()) {
    std::uint32_t bits = 0;
    for (const json& entry : value.GetArray()) bits |= static_cast<std::uint32_t>(to_flags(entry, where));
    return static_cast<tensor_flags>(bits);
  }
  constexpr std::string_view prefix = "DML_TENSOR_FLAG_";
  std::string_view text = to_text(value, "Flags", where);
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (text == "NONE") return tensor_flags::none;
  if (text == "OWNED_BY_DML") return tensor_flags::owned_by_dml;
  refuse(value, "M2", "Flags", in_quotes(text), "NONE or OWNED_BY_DML",
         joined_reasons(did_you_mean(text, {"NONE", "OWNED_BY_DML"}), where));
}

// DML_EXECUTION_FLAGS: a name, an array of names, or a number.
inline constexpr std::array<enumerator_row, 4> execution_flags{
    {{0, "NONE"}, {1, "ALLOW_HALF_PRECISION_COMPUTATION"}, {2, "DISABLE_META_COMMANDS"}, {4, "DESCRIPTORS_VOLATILE"}}};
inline constexpr enumeration_names execution_flag_names{"DML_EXECUTION_FLAG_", execution_flags};

inline std::uint32_t to_execution_flags(const json& value, std::string_view where) {
  std::uint32_t bits = 0;
  if (!value.IsArray()) {
    bits = to_enumerator(value, execution_flag_names, "executionFlags", where);
    if (bits > 7) refuse(value, "M2", "executionFlags", fmt::format("{}", bits), "flags from 1 to 7", where);
    return bits;
  }
  for (const json& entry : value.GetArray()) bits |= to_execution_flags(entry, where);
  return bits;
}

// Arithmetic may be in half precision if the flags of the model allow it. Only operators that round have the policy.
inline void apply_execution_flags(const json& definition, std::span<const attribute> policies, void* desc,
                                  std::string_view where) {
  const json* flags = find_member(definition, "executionFlags");
  constexpr std::uint32_t allow_half_precision = 1;
  if (flags == nullptr || (to_execution_flags(*flags, where) & allow_half_precision) == 0) return;
  for (const attribute& policy : policies)
    if (policy.name == "accumulation") store_enumerator(policy.address(desc), *policy.names.value_of("half"));
}

inline tensor_type to_tensor_type(const json& value, std::string_view where) {
  if (value.IsNumber()) return static_cast<tensor_type>(to_integer<std::uint32_t>(value, "Type", where));
  constexpr std::string_view prefix = "DML_TENSOR_TYPE_";
  std::string_view text = to_text(value, "Type", where);
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (text == "BUFFER") return tensor_type::buffer;
  if (text == "INVALID") return tensor_type::invalid;
  refuse(value, "M2", "Type", in_quotes(text), "BUFFER", joined_reasons(did_you_mean(text, {"BUFFER"}), where));
}

// The members of DML_BUFFER_TENSOR_DESC, either directly or nested as { "Type", "Desc": { } }.
inline tensor_desc to_tensor_desc(const json& given, std::string_view where, const model_options& options) {
  if (!given.IsObject()) refuse(given, "M2", "tensor", description(given), "an object", where);
  tensor_desc desc;
  const json* object = &given;
  if (const json* type = find_member(given, "Type")) desc.type = to_tensor_type(*type, where);
  if (find_member(given, "Desc") != nullptr) {
    object = &required_object(given, "Desc", where);
    warn_unknown(given, {"Type", "Desc"}, where, options.warn);
  }
  warn_unknown(*object,
               {"Type", "DataType", "Flags", "DimensionCount", "Sizes", "Strides", "TotalTensorSizeInBytes",
                "GuaranteedBaseOffsetAlignment"},
               where, options.warn);
  desc.data_type = to_data_type(required_member(*object, "DataType", where), "DataType", where, true);
  const json& sizes = required_array(*object, "Sizes", where);
  desc.sizes = to_dimensions(sizes, "Sizes", where);
  const auto check_count = [&](std::uint64_t count, std::string_view member) {
    if (count != sizes.Size())
      refuse(*find_member(*object, member), "M2", member, fmt::format("{}", count),
             fmt::format("{}, as many as Sizes", sizes.Size()), where);
  };
  check_count(integer_or<std::uint64_t>(*object, "DimensionCount", sizes.Size(), where), "DimensionCount");
  if (const json* strides = find_member(*object, "Strides")) {
    desc.strides = to_dimensions(*strides, "Strides", where);
    if (!strides->Empty()) check_count(strides->Size(), "Strides");  // an empty array is a null pointer: packed
  }
  if (const json* flags = find_member(*object, "Flags")) desc.flags = to_flags(*flags, where);
  if (const json* total = find_member(*object, "TotalTensorSizeInBytes"))
    desc.total_tensor_size_in_bytes = to_integer<std::uint64_t>(*total, "TotalTensorSizeInBytes", where);
  desc.guaranteed_base_offset_alignment = integer_or<std::uint32_t>(*object, "GuaranteedBaseOffsetAlignment", 0, where);
  return desc;
}

// The tensors of one operand: one or none, or any number if the operand is an array of tensors.
inline std::vector<std::optional<tensor_desc>> to_tensors(const json& object, const operand_info& info,
                                                          std::string_view where, const model_options& options) {
  const json* given = find_member(object, info.name);
  std::vector<std::optional<tensor_desc>> result;
  if (!info.is_array()) {
    result.emplace_back();
    if (given != nullptr) result.back() = to_tensor_desc(*given, fmt::format("{} of {}", info.name, where), options);
    return result;
  }
  if (given == nullptr) refuse_missing(object, info.name, "an array of tensors", where);
  if (!given->IsArray()) refuse(*given, "M2", info.name, description(*given), "an array of tensors", where);
  for (const json& tensor : given->GetArray())
    result.emplace_back(to_tensor_desc(tensor, fmt::format("{}[{}] of {}", info.name, result.size(), where), options));
  const auto count = integer_or<std::uint64_t>(object, info.count, result.size(), where);
  if (count != result.size())
    refuse(*find_member(object, info.count), "M2", info.count, fmt::format("{}", count),
           fmt::format("{}, as many as there are {}", result.size(), info.name), where);
  return result;
}

// Reads everything except the name and the level into `desc`.
inline std::vector<std::optional<tensor_desc>> read_members(const json& object, const operator_description& rows,
                                                            void* desc, std::string_view where,
                                                            std::set<std::string_view> known,
                                                            const model_options& options) {
  std::vector<std::optional<tensor_desc>> tensors;
  for (const operand_info& info : rows.operands) {
    known.insert(info.name);
    if (info.is_array()) known.insert(info.count);
    for (auto& tensor : to_tensors(object, info, where, options)) tensors.push_back(std::move(tensor));
  }
  for (std::size_t i = 0; i < rows.attributes.size(); ++i) {
    const attribute& a = rows.attributes[i];
    known.insert(a.name);
    known.insert(a.companion);
    if (const std::string_view type = companion_in(object, a); type != a.companion) {
      known.insert(type);
      if (options.warn && introduces_companion(rows.attributes, i))
        options.warn(fmt::format("{} of {} is taken for {}, as by DxDispatch before feature level 6_2", type, where,
                                 a.companion));
    }
    read_attribute(object, a, desc, where, options);
  }
  warn_unknown(object, known, where, options.warn);
  return tensors;
}

// DxDispatch's other dispatchables, whose names are not case-sensitive; and graphs, which are none of DxDispatch's.
inline void refuse_other_programs(const json& type, std::string_view where) {
  constexpr std::array<std::array<std::string_view, 2>, 4> programs{
      {{"hlsl", "an HLSL shader, which only DxDispatch runs"},
       {"onnx", "an ONNX model, which only DxDispatch runs"},
       {"dmlSerializedGraph", "a serialised graph of DirectML, which only DxDispatch runs"},
       {"DML_GRAPH_DESC", "a graph: models have a dispatchable for each node, and dispatch them in order"}}};
  for (const auto& [name, meaning] : programs)
    if (same_word(text_of(type), name))
      refuse(type, "M5", "type", in_quotes(text_of(type)), "an operator that 'goldml list' names",
             joined_reasons(meaning, where));
}

// An operator that has a member Type has its members in Desc, as in DxDispatch: beside them is the operator's name.
inline void require_own_object(const json& definition, const operator_description& op, std::string_view where) {
  for (const attribute& a : op.attributes)
    if (a.name == "Type" && find_member(definition, spelling_of(definition, "Desc", "desc")) == nullptr)
      refuse_missing(definition, "Desc", "an object with the members, as one of them is Type", where);
}

// The operator of a dispatchable: its "Type" or "type".
inline const operator_description& to_operator(const json& definition, std::string_view where) {
  for (const std::string_view name : {"type", "Type"})
    if (const json* type = find_member(definition, name); type != nullptr && type->IsString()) {
      if (const operator_description* op = find_operator(text_of(*type))) require_own_object(definition, *op, where);
      refuse_other_programs(*type, where);
    }
  const std::string_view name = spelling_of(definition, "Type", "type");
  const std::string_view type = required_text(definition, name, where);
  const operator_description* op = find_operator(type);
  if (op == nullptr)
    refuse(*find_member(definition, name), "M5", "type", in_quotes(type), "an operator that 'goldml list' names",
           joined_reasons(why_no_operator(type), where));
  return *op;
}

}  // namespace detail

// Throws error M3 for a policy that no operator of goldml has, and M2 for a value that it has in no operator.
inline void check_policies(const model_options& options) {
  if (options.policies.empty()) return;
  std::set<std::string_view> known;
  std::multimap<std::string_view, const attribute*> rows;
  for (const operator_description* op : operator_descriptions())
    for (const attribute& policy : op->policies) {
      known.insert(policy.name);
      rows.emplace(policy.name, &policy);
    }
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const std::string_view given : options.policies) {
    const auto [name, value] = detail::parts_of_policy(given);
    if (known.contains(name)) {
      const auto [begin, end] = rows.equal_range(name);
      if (std::none_of(begin, end, [&, text = value](const auto& entry) {
            const attribute& policy = *entry.second;
            return policy.kind == attribute_kind::boolean ? text == "true" || text == "false"
                                                          : policy.names.value_of(text).has_value();
          }))
        detail::policy_value(*begin->second, value);  // refuses it
      continue;
    }
    if (const std::string hint = did_you_mean(name, names); !hint.empty())
      refuse("M3", "--policy", in_quotes(given), "NAME=VALUE", hint);
    refuse("M3", "--policy", in_quotes(given), "NAME=VALUE, NAME of a policy, as nan_policy",
           "'goldml list OPERATOR' names those of an operator");
  }
}

// Reads the member `name` of "dispatchables", which is `definition`, without its bindings. Throws error M2, M4, M5.
inline model_dispatchable read_dispatchable(std::string_view name, const json& definition,
                                            const model_options& options) {
  const std::string where = fmt::format("dispatchable {}", in_quotes(name));
  if (!definition.IsObject()) refuse(definition, "M2", "dispatchable", description(definition), "an object", where);
  const operator_description& op = detail::to_operator(definition, where);
  std::set<std::string_view> known{"type", "Type", "dmlCompileType", "executionFlags", "bindings"};
  const json& members = detail::object_members(definition, where);
  if (&members != &definition) {
    known.insert(spelling_of(definition, "Desc", "desc"));
    warn_unknown(definition, known, where, options.warn);
    known.clear();
  }
  model_dispatchable result{std::string(name), any_desc(op), {}, {}};
  result.desc.level() = options.feature_level;
  detail::apply_execution_flags(definition, op.policies, result.desc.get(), where);
  detail::apply_policies(options, op.policies, result.desc.get());
  result.tensors = detail::read_members(members, op, result.desc.get(), where, known, options);
  return result;
}

}  // namespace goldml::io
