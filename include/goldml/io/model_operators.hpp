// The "dispatchables" of a model: an operator's desc and tensors, read by the operator's own description. Nothing here
// knows one operator from another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <goldml/core/operator.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_numbers.hpp>

namespace goldml::io {

namespace detail {

inline dimensions to_dimensions(const json& value, std::string_view name, std::string_view where) {
  if (!value.IsArray()) refuse("M2", name, description(value), "an array of integers", where);
  dimensions result;
  for (const json& entry : value.GetArray()) result.push_back(to_integer<std::uint32_t>(entry, name, where));
  return result;
}

// An enumerator by name, or by number so that rules on unknown ones can be seen.
template <class Enum>
Enum to_enumerator(const json& value, std::string_view name, std::string_view where) {
  if (value.IsNumber()) return static_cast<Enum>(to_integer<std::uint32_t>(value, name, where));
  const std::string_view text = to_text(value, name, where);
  const auto found = enumerator_from_name<Enum>(text);
  if (!found) {
    std::string names;
    for (const auto& entry : enumeration<Enum>::values) names += (names.empty() ? "" : ", ") + std::string(entry.name);
    refuse("M2", name, in_quotes(text), names, where);
  }
  return *found;
}

// DML_TENSOR_FLAGS: a name, several in an array, or the number.
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
  refuse("M2", "Flags", in_quotes(text), "NONE or OWNED_BY_DML", where);
}

inline tensor_type to_tensor_type(const json& value, std::string_view where) {
  if (value.IsNumber()) return static_cast<tensor_type>(to_integer<std::uint32_t>(value, "Type", where));
  constexpr std::string_view prefix = "DML_TENSOR_TYPE_";
  std::string_view text = to_text(value, "Type", where);
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (text == "BUFFER") return tensor_type::buffer;
  if (text == "INVALID") return tensor_type::invalid;
  refuse("M2", "Type", in_quotes(text), "BUFFER", where);
}

// The members of DML_BUFFER_TENSOR_DESC, or of { "Type", "Desc": { } } round them.
inline tensor_desc to_tensor_desc(const json& given, std::string_view where, const model_options& options) {
  if (!given.IsObject()) refuse("M2", "tensor", description(given), "an object", where);
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
  desc.data_type = to_data_type(required_member(*object, "DataType", where), "DataType", where);
  const json& sizes = required_array(*object, "Sizes", where);
  desc.sizes = to_dimensions(sizes, "Sizes", where);
  const auto check_count = [&](std::uint64_t count, std::string_view member) {
    if (count != sizes.Size())
      refuse("M2", member, fmt::format("{}", count), fmt::format("{}, as many as Sizes", sizes.Size()), where);
  };
  check_count(integer_or<std::uint64_t>(*object, "DimensionCount", sizes.Size(), where), "DimensionCount");
  if (const json* strides = find_member(*object, "Strides")) {
    desc.strides = to_dimensions(*strides, "Strides", where);
    check_count(strides->Size(), "Strides");
  }
  if (const json* flags = find_member(*object, "Flags")) desc.flags = to_flags(*flags, where);
  if (const json* total = find_member(*object, "TotalTensorSizeInBytes"))
    desc.total_tensor_size_in_bytes = to_integer<std::uint64_t>(*total, "TotalTensorSizeInBytes", where);
  desc.guaranteed_base_offset_alignment = integer_or<std::uint32_t>(*object, "GuaranteedBaseOffsetAlignment", 0, where);
  return desc;
}

// DML_SCALAR_UNION's member for each data type. It has none for FLOAT16: UInt16 holds the bits.
constexpr std::string_view union_member(data_type type) {
  constexpr std::array<std::string_view, 12> names{"",      "Float32", "UInt16", "UInt32",  "UInt16", "UInt8",
                                                   "Int32", "Int16",   "Int8",   "Float64", "UInt64", "Int64"};
  return names[static_cast<std::size_t>(type)];
}

// A scalar union: a number read under the data type beside it, or { "Float32": 1 } with the union's member named.
inline scalar to_scalar(const json& given, data_type type, std::string_view name, std::string_view where) {
  std::array<std::byte, 8> bytes{};
  if (given.IsObject() && type != data_type::unknown) {
    const json* value = given.MemberCount() == 1 ? find_member(given, union_member(type)) : nullptr;
    if (value == nullptr)
      refuse("M2", name, "an object", fmt::format("a number, or an object with just {}", union_member(type)), where);
    write_element(*value, type == data_type::float16 ? data_type::uint16 : type, bytes.data(), name, where);
  } else {
    write_element(given, type, bytes.data(), name, where);
  }
  return scalar::from_bytes(type, bytes);
}

// One attribute of the description, of whatever kind.
template <class Desc, class Member>
void read_attribute(const json& object, const attribute<Desc, Member>& a, Desc& desc, std::string_view where) {
  Member& target = desc.*a.member;
  if constexpr (std::is_same_v<Member, dimensions>) {
    const json* list = find_member(object, a.name);
    if (list != nullptr) target = to_dimensions(*list, a.name, where);
    const std::uint64_t size = list == nullptr ? 0 : list->Size();
    const auto count = integer_or<std::uint64_t>(object, a.companion, size, where);
    if (count != size)
      refuse("M2", a.companion, fmt::format("{}", count), fmt::format("{}, as many as there are {}", size, a.name),
             where);
  } else if constexpr (std::is_same_v<Member, scalar>) {
    const data_type type = to_data_type(required_member(object, a.companion, where), a.companion, where);
    target = to_scalar(required_member(object, a.name, where), type, a.name, where);
  } else if constexpr (std::is_enum_v<Member>) {
    target = to_enumerator<Member>(required_member(object, a.name, where), a.name, where);
  } else {
    target = to_integer<Member>(required_member(object, a.name, where), a.name, where);
  }
}

// Sets each policy of the options that the operator has.
template <class Desc>
void apply_policies(const model_options& options, Desc& desc) {
  for (const std::string_view given : options.policies) {
    const std::size_t equals = given.find('=');
    const std::string_view name = given.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : given.substr(equals + 1);
    const auto apply = [&]<class Member>(const attribute<Desc, Member>& policy) {
      if (policy.name != name) return;
      if constexpr (std::is_same_v<Member, bool>) {
        if (value != "true" && value != "false")
          refuse("M2", policy.name, in_quotes(value), "true or false", "--policy");
        desc.*policy.member = value == "true";
      } else {
        const json text(rapidjson::StringRef(value.data(), value.size()));
        desc.*policy.member = to_enumerator<Member>(text, policy.name, "--policy");
      }
    };
    std::apply([&](const auto&... policy) { (apply(policy), ...); }, operator_traits<Desc>::policies);
  }
}

template <class Desc>
model_dispatchable read_operator(const json& object, std::string_view name, std::string_view where,
                                 std::set<std::string_view> known, const model_options& options) {
  using traits = operator_traits<Desc>;
  Desc desc;
  desc.feature_level = options.feature_level;
  apply_policies(options, desc);
  model_dispatchable result{std::string(name), {}, {}, {}};
  for (const operand_info& info : traits::operands) {
    known.insert(info.name);
    const json* tensor = find_member(object, info.name);
    result.tensors.push_back(
        tensor == nullptr ? std::nullopt
                          : std::optional(to_tensor_desc(*tensor, fmt::format("{} of {}", info.name, where), options)));
  }
  std::apply(
      [&](const auto&... a) {
        ((known.insert(a.name), known.insert(a.companion), read_attribute(object, a, desc, where)), ...);
      },
      traits::attributes);
  warn_unknown(object, known, where, options.warn);
  result.desc = desc;
  return result;
}

}  // namespace detail

// Throws error M3 for a policy that no operator of goldml has.
inline void check_policy_names(const model_options& options) {
  for (const std::string_view given : options.policies) {
    bool known = false;
    for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
      std::apply(
          [&](const auto&... policy) { ((known = known || policy.name == given.substr(0, given.find('='))), ...); },
          operator_traits<Desc>::policies);
    });
    if (!known) refuse("M3", "--policy", in_quotes(given), "NAME=VALUE with the name of an operator's policy", "");
  }
}

// Reads the member `definition` called `name` of "dispatchables", all but its bindings. Throws error M2, M4, M5.
inline model_dispatchable read_dispatchable(std::string_view name, const json& definition,
                                            const model_options& options) {
  const std::string where = fmt::format("dispatchable {}", in_quotes(name));
  if (!definition.IsObject()) refuse("M2", "dispatchable", description(definition), "an object", where);
  const std::string_view type = required_text(definition, "type", where);
  std::set<std::string_view> known{"type", "dmlCompileType", "executionFlags", "bindings"};
  const json* members = &definition;
  for (const std::string_view nested : {"desc", "Desc"})
    if (find_member(definition, nested) != nullptr) {
      members = &required_object(definition, nested, where);
      warn_unknown(definition, {"type", "dmlCompileType", "executionFlags", "bindings", nested}, where, options.warn);
      known.clear();
    }
  model_dispatchable result;
  const bool found = visit_operator(type, [&]<class Desc>(std::type_identity<Desc>) {
    result = detail::read_operator<Desc>(*members, name, where, known, options);
  });
  if (!found) refuse("M5", "type", in_quotes(type), "an operator that 'goldml list' names", where);
  return result;
}

}  // namespace goldml::io
