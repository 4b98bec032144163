// Reads the attributes and policies of an operator from a model. One switch over the kinds; independent of the
// operator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/attributes.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/known_operators.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_numbers.hpp>

namespace goldml::io {

namespace detail {

inline dimensions to_dimensions(const json& value, std::string_view name, std::string_view where) {
  if (!value.IsArray()) refuse(value, "M2", name, description(value), "an array of integers", where);
  dimensions result;
  for (const json& entry : value.GetArray()) {
    const bool is_negative_padding = name.ends_with("Padding") && entry.IsInt64() && entry.GetInt64() < 0;
    result.push_back(to_integer<std::uint32_t>(
        entry, name, is_negative_padding ? joined_reasons("SLICE1 removes elements", where) : std::string(where)));
  }
  return result;
}

// The member with the companion of an attribute. DxDispatch read the data types of all scalars from ValueDataType
// before its feature level 6_2: MinMaxDataType and PaddingValueDataType, too.
inline std::string_view companion_in(const json& object, const attribute& a) {
  constexpr std::string_view older = "ValueDataType";
  return a.kind == attribute_kind::scalar && find_member(object, a.companion) == nullptr &&
                 find_member(object, older) != nullptr
             ? older
             : a.companion;
}

// The number of an enumerator's name. Throws error M2.
inline std::uint32_t enumerator_named(std::string_view text, const enumeration_names& names, std::string_view name,
                                      std::string_view where) {
  if (const auto found = names.value_of(text)) return *found;
  std::string_view last = text;
  if (last.starts_with(names.prefix)) last.remove_prefix(names.prefix.size());
  const std::vector<std::string_view> all = names_in(names.rows);
  refuse("M2", name, in_quotes(text), list_of_names(all), joined_reasons(did_you_mean(last, all), where));
}

// An enumerator by name, or by number, so that unknown numbers can be tested against the rules.
inline std::uint32_t to_enumerator(const json& value, const enumeration_names& names, std::string_view name,
                                   std::string_view where) {
  if (value.IsNumber()) return to_integer<std::uint32_t>(value, name, where);
  return at_value(value, [&] { return enumerator_named(to_text(value, name, where), names, name, where); });
}

// The member of DML_SCALAR_UNION for each data type. FLOAT16 has none; its bits are in UInt16.
constexpr std::string_view union_member(data_type type) {
  constexpr std::array<std::string_view, 12> names{"",      "Float32", "UInt16", "UInt32",  "UInt16", "UInt8",
                                                   "Int32", "Int16",   "Int8",   "Float64", "UInt64", "Int64"};
  return names[static_cast<std::size_t>(type)];
}

// A scalar union: a number of the given data type, or { "Float32": 1 } with the name of the union's member.
inline scalar to_scalar(const json& given, data_type type, std::string_view name, std::string_view where) {
  std::array<std::byte, 8> bytes{};
  if (given.IsObject() && type != data_type::unknown) {
    const json* value = given.MemberCount() == 1 ? find_member(given, union_member(type)) : nullptr;
    if (value == nullptr)
      refuse(given, "M2", name, "an object", fmt::format("a number, or an object with just {}", union_member(type)),
             where);
    write_element(*value, type == data_type::float16 ? data_type::uint16 : type, bytes.data(), name, where);
  } else {
    write_element(given, type, bytes.data(), name, where);
  }
  return scalar::from_bytes(type, bytes);
}

inline float to_float(const json& value, std::string_view name, std::string_view where) {
  float number;
  write_element(value, data_type::float32, reinterpret_cast<std::byte*>(&number), name, where);
  return number;
}

inline bool to_boolean(const json& value, std::string_view name, std::string_view where) {
  if (!value.IsBool()) refuse(value, "M2", name, description(value), "true or false", where);
  return value.GetBool();
}

// The members of an operator's structure: in a nested object "Desc" or "desc", or else in the operator's own.
inline const json& object_members(const json& object, std::string_view where) {
  const std::string_view nested = spelling_of(object, "Desc", "desc");
  return find_member(object, nested) != nullptr ? required_object(object, nested, where) : object;
}

inline void read_attribute(const json& object, const attribute& a, void* desc, std::string_view where,
                           const model_options& options = {});

// An activation in another operator: { "Type": "ACTIVATION_ELU", "Alpha": 0.5 }. Its tensors are null in DirectML and
// are not read. Of another operator of DirectML only the number is kept, for rule AR8 to refuse.
inline activation to_activation(const json& given, std::string_view name, std::string_view where,
                                const model_options& options) {
  if (!given.IsObject())
    refuse(given, "M2", name, description(given), "an object with the Type of an activation", where);
  const std::string inner = fmt::format("{} of {}", name, where);
  if (find_member(given, "Type") == nullptr && find_member(given, "type") == nullptr)
    refuse_missing(given, "Type", "the name of an activation", inner);
  const json& type_member = *find_member(given, spelling_of(given, "Type", "type"));
  const std::string_view type = to_text(type_member, "Type", inner);
  const activation_info* info = find_activation(type);
  if (info == nullptr) {
    const std::vector<std::string_view> names = names_in(activation_table);
    if (const std::uint32_t number = known_operator_number(type); number != 0) return {.operator_type = number};
    const std::string_view meant = meant_operator(type, names);
    refuse(type_member, "M5", "Type", in_quotes(type), list_of_names(names),
           joined_reasons(meant.empty() ? "" : "did you mean " + in_quotes(meant) + "?", inner));
  }
  activation result{info->operator_type, {}};
  const json& members = object_members(given, inner);
  std::set<std::string_view> known{"InputTensor", "OutputTensor"};
  for (std::size_t i = 0; i < info->parameter_count(); ++i) {
    const std::string_view parameter = info->parameters[i];
    known.insert(parameter);
    result.parameters[i] = to_float(required_member(members, parameter, inner), parameter, inner);
  }
  if (info->takes_axes) {
    read_attribute(members, row<&activation::axes>("Axes", "AxisCount"), &result, inner, options);
    known.insert({"Axes", "AxisCount"});
  }
  if (info->takes_scale_bias) {
    known.insert("ScaleBias");
    read_attribute(members, row<&activation::scale_bias>("ScaleBias"), &result, inner, options);
  }
  if (&members == &given)
    known.insert({"Type", "type"});
  else
    warn_unknown(given, {"Type", "type", "Desc", "desc"}, inner, options.warn);
  warn_unknown(members, known, inner, options.warn);
  return result;
}

// The elements of a list, for messages.
constexpr std::string_view elements_of(attribute_kind kind) {
  return kind == attribute_kind::list_of_float32      ? "numbers"
         : kind == attribute_kind::list_of_activation ? "activations"
                                                      : "integers";
}

// Reads one attribute into `desc`. A missing list is empty, unless it has a count or a misspelt name. Its count, which
// other lists may share, must be its length if it is given.
inline void read_attribute(const json& object, const attribute& a, void* desc, std::string_view where,
                           const model_options& options) {
  void* target = a.address(desc);
  const json* given = find_member(object, a.name);
  if (is_list(a.kind)) {
    if (given != nullptr && !given->IsArray())
      refuse(*given, "M2", a.name, description(*given), fmt::format("an array of {}", elements_of(a.kind)), where);
    const std::uint64_t size = given == nullptr ? 0 : given->Size();
    const auto count = integer_or<std::uint64_t>(object, a.companion, size, where);
    if (given == nullptr && (count != 0 || !instead_of(object, a.name).empty()))
      refuse_missing(object, a.name, fmt::format("an array of {}", elements_of(a.kind)), where);
    if (given != nullptr && a.kind == attribute_kind::list_of_uint32)
      *static_cast<dimensions*>(target) = to_dimensions(*given, a.name, where);
    if (given != nullptr)
      for (const json& entry : given->GetArray()) {
        if (a.kind == attribute_kind::list_of_int32)
          static_cast<int32_list*>(target)->push_back(to_integer<std::int32_t>(entry, a.name, where));
        if (a.kind == attribute_kind::list_of_float32)
          static_cast<float32_list*>(target)->push_back(to_float(entry, a.name, where));
        if (a.kind == attribute_kind::list_of_activation)
          static_cast<activation_list*>(target)->push_back(to_activation(entry, a.name, where, options));
      }
    if (count != size)
      refuse(*find_member(object, a.companion), "M2", a.companion, fmt::format("{}", count),
             fmt::format("{}, as many as there are {}", size, a.name), where);
    return;
  }
  if (is_optional(a.kind) && given == nullptr) return;
  if (a.kind == attribute_kind::scalar) {
    const std::string_view type_name = companion_in(object, a);
    const data_type type = to_data_type(required_member(object, type_name, where), type_name, where);
    *static_cast<scalar*>(target) = to_scalar(required_member(object, a.name, where), type, a.name, where);
    return;
  }
  const json& value = required_member(object, a.name, where);
  switch (a.kind) {
    case attribute_kind::uint32:
      *static_cast<std::uint32_t*>(target) = to_integer<std::uint32_t>(value, a.name, where);
      break;
    case attribute_kind::int32:
      *static_cast<std::int32_t*>(target) = to_integer<std::int32_t>(value, a.name, where);
      break;
    case attribute_kind::uint64:
      *static_cast<std::uint64_t*>(target) = to_integer<std::uint64_t>(value, a.name, where);
      break;
    case attribute_kind::float32:
      *static_cast<float*>(target) = to_float(value, a.name, where);
      break;
    case attribute_kind::boolean:
      *static_cast<bool*>(target) = to_boolean(value, a.name, where);
      break;
    case attribute_kind::enumeration:
      store_enumerator(target, to_enumerator(value, a.names, a.name, where));
      break;
    case attribute_kind::size_2d: {
      const json& size = required_object(object, a.name, where);
      const std::string inner = fmt::format("{} of {}", a.name, where);
      *static_cast<size_2d*>(target) = {
          to_integer<std::uint32_t>(required_member(size, "Width", inner), "Width", inner),
          to_integer<std::uint32_t>(required_member(size, "Height", inner), "Height", inner)};
      break;
    }
    case attribute_kind::scale_bias: {
      const json& members = required_object(object, a.name, where);
      const std::string inner = fmt::format("{} of {}", a.name, where);
      *static_cast<std::optional<scale_bias>*>(target) =
          scale_bias{to_float(required_member(members, "Scale", inner), "Scale", inner),
                     to_float(required_member(members, "Bias", inner), "Bias", inner)};
      break;
    }
    case attribute_kind::activation:
      *static_cast<std::optional<activation>*>(target) = to_activation(value, a.name, where, options);
      break;
    default:
      break;  // lists and scalars are handled above
  }
}

// NAME=VALUE of a policy: its name and its value.
inline std::pair<std::string_view, std::string_view> parts_of_policy(std::string_view given) {
  const std::size_t equals = given.find('=');
  return {given.substr(0, equals), equals == std::string_view::npos ? "" : given.substr(equals + 1)};
}

// The value of a policy: of a boolean 0 or 1, or else its enumerator.
inline std::uint32_t policy_value(const attribute& policy, std::string_view value) {
  if (policy.kind != attribute_kind::boolean) return enumerator_named(value, policy.names, policy.name, "--policy");
  if (value != "true" && value != "false") refuse("M2", policy.name, in_quotes(value), "true or false", "--policy");
  return value == "true" ? 1 : 0;
}

// Sets each policy of the options that the operator has.
inline void apply_policies(const model_options& options, std::span<const attribute> policies, void* desc) {
  for (const std::string_view given : options.policies) {
    const auto [name, value] = parts_of_policy(given);
    for (const attribute& policy : policies) {
      if (policy.name != name) continue;
      if (policy.kind == attribute_kind::boolean)
        *static_cast<bool*>(policy.address(desc)) = policy_value(policy, value) != 0;
      else
        store_enumerator(policy.address(desc), policy_value(policy, value));
    }
  }
}

}  // namespace detail

}  // namespace goldml::io
