// The bindings of operands to ranges of resources, with all names looked up: those of a dispatch, and those of inputs
// that DirectML owns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <goldml/io/json.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/suggestions.hpp>

namespace goldml::io {

namespace detail {

// Maps each name to its index in the lists of a model, which must outlive this object. A sorted map, not a hash table:
// an attacker who chooses the names cannot make it slow.
class model_names {
 public:
  explicit model_names(const model& m)
      : resources_(places_in(m.resources)), dispatchables_(places_in(m.dispatchables)) {}

  // Indices in model::resources and model::dispatchables. Throw error M3.
  std::size_t resource(std::string_view name, std::string_view member, std::string_view where) const {
    return find(resources_, name, member, "the name of a resource", where);
  }
  std::size_t dispatchable(std::string_view name, std::string_view where) const {
    return find(dispatchables_, name, "dispatchable", "the name of a dispatchable", where);
  }

 private:
  using places = std::map<std::string_view, std::size_t>;

  template <class Named>
  static places places_in(const std::vector<Named>& all) {
    places result;
    for (std::size_t i = 0; i < all.size(); ++i) result.emplace(all[i].name, i);
    return result;
  }

  static std::size_t find(const places& all, std::string_view name, std::string_view member, std::string_view wanted,
                          std::string_view where) {
    const auto found = all.find(name);
    if (found == all.end()) {
      std::vector<std::string_view> names;
      for (auto entry = all.begin(); entry != all.end() && names.size() < most_compared_names; ++entry)
        names.push_back(entry->first);
      refuse("M3", member, in_quotes(name), wanted, joined_reasons(did_you_mean(name, names), where));
    }
    return found->second;
  }

  places resources_;
  places dispatchables_;
};

// A resource's name, or { "name", "elementSizeInBytes", "elementOffset" }, or a list of one of them: the resource from
// that offset to its end. As in DxDispatch, the other members are of no effect on operators of DirectML.
inline model_binding to_binding(const json& given, const model& m, const model_names& names, std::string_view where,
                                const model_options& options) {
  if (given.IsArray() && given.Size() == 1) return to_binding(given[0], m, names, where, options);
  if (!given.IsString() && !given.IsObject())
    refuse(given, "M2", "bindings", description(given), "a resource's name, or an object with one", where);
  const json& resource = given.IsString() ? given : required_member(given, "name", where);
  const std::string_view name = to_text(resource, "name", where);
  const std::size_t index = at_value(resource, [&] { return names.resource(name, "bindings", where); });
  const std::uint64_t whole = m.resources[index].size_in_bytes;
  if (given.IsString()) return {index, 0, whole};
  warn_unknown(given,
               {"name", "elementCount", "elementSizeInBytes", "elementOffset", "format", "counter",
                "counterOffsetBytes", "shape"},
               where, options.warn);
  static_cast<void>(integer_or<std::uint64_t>(given, "elementCount", 0, where));
  const auto given_size = integer_or<std::uint64_t>(given, "elementSizeInBytes", 0, where);
  const std::uint64_t element_size = given_size == 0 ? element_size_in_bytes(m.resources[index].type) : given_size;
  const std::uint64_t offset =
      saturating_multiply(integer_or<std::uint64_t>(given, "elementOffset", 0, where), element_size);
  if (offset >= whole)
    refuse(given, "M6", "bindings", fmt::format("from byte {} on", offset),
           fmt::format("a range of the {} bytes of resource {}", whole, in_quotes(name)), where);
  return {index, offset, whole - offset};
}

// One binding per tensor, or none. An operand that is an array of tensors takes a list, or one resource if it has one
// tensor; null in the list is no binding, for an array of which DirectML owns some. Other names are ignored.
inline std::vector<std::optional<model_binding>> to_bindings(const json& given, const model_dispatchable& dispatchable,
                                                             const model& m, const model_names& names,
                                                             std::string_view where, const model_options& options) {
  if (!given.IsObject()) refuse(given, "M2", "bindings", description(given), "an object", where);
  const auto operands = dispatchable.desc.description().operands;
  const std::size_t tensors = dispatchable.tensors.size();
  std::vector<std::optional<model_binding>> result(tensors);
  const std::vector<std::string_view> all = names_in(operands);
  warn_unknown(given, {all.begin(), all.end()}, fmt::format("bindings of {}", where), options.warn);
  for (const auto& member : members_of(given)) {
    const std::string_view name = text_of(member.name);
    const auto operand =
        std::find_if(operands.begin(), operands.end(), [&](const operand_info& info) { return info.name == name; });
    if (operand == operands.end() || member.value.IsNull()) continue;
    const auto row = static_cast<std::size_t>(operand - operands.begin());
    const std::size_t first = first_tensor(operands, row, tensors);
    const std::size_t count = tensor_count(operands, row, tensors);
    if (!operand->is_array() || (count == 1 && !member.value.IsArray())) {
      result[first] = to_binding(member.value, m, names, where, options);
      continue;
    }
    if (!member.value.IsArray() || member.value.Size() != count)
      refuse(member.value, "M2", "bindings",
             member.value.IsArray() ? fmt::format("{} for {}", member.value.Size(), name) : description(member.value),
             fmt::format("a list of {} resources, one for each tensor of {}", count, name), where);
    for (std::size_t i = 0; i < count; ++i)
      if (const json& one = member.value[static_cast<rapidjson::SizeType>(i)]; !one.IsNull())
        result[first + i] = to_binding(one, m, names, where, options);
  }
  return result;
}

// Whether DirectML owns the tensor: it is an input that is bound beside "type", and read once.
inline bool is_owned(const model_dispatchable& dispatchable, std::size_t tensor) {
  const std::size_t tensors = dispatchable.tensors.size();
  if (!dispatchable.tensors[tensor] || tensor >= dispatchable.desc.description().input_count(tensors)) return false;
  const auto flags = static_cast<std::uint32_t>(dispatchable.tensors[tensor]->flags);
  return (flags & static_cast<std::uint32_t>(tensor_flags::owned_by_dml)) != 0;
}

// The name of a tensor's operand.
inline std::string_view operand_name(const model_dispatchable& dispatchable, std::size_t tensor) {
  return dispatchable.desc.description().info_of(tensor, dispatchable.tensors.size()).name;
}

// The "bindings" of a dispatchable.
inline std::vector<std::optional<model_binding>> to_initial_bindings(const json& given,
                                                                     const model_dispatchable& dispatchable,
                                                                     const model& m, const model_names& names,
                                                                     std::string_view where,
                                                                     const model_options& options) {
  auto result = to_bindings(given, dispatchable, m, names, where, options);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const std::string_view name = operand_name(dispatchable, i); result[i] && !is_owned(dispatchable, i))
      refuse(*find_member(given, name), "M3", "bindings", fmt::format("with {}", name),
             "inputs with OWNED_BY_DML only; the others are bound by the dispatch, and are null in a list here", where);
  return result;
}

// Refuses a dispatch without a binding. A member of another name may be meant for it.
[[noreturn]] inline void refuse_unbound(const json& bindings, const model_dispatchable& dispatchable,
                                        std::string_view name, std::string_view where) {
  const std::vector<std::string_view> all = names_in(dispatchable.desc.description().operands);
  std::string question;
  for (const auto& member : members_of(bindings)) {
    const std::string_view given = text_of(member.name);
    if (std::find(all.begin(), all.end(), given) != all.end() || meant_name(given, all) != name) continue;
    question = fmt::format("{} is there: {}", in_quotes(given), did_you_mean(given, all));
    break;
  }
  refuse(bindings, "M3", "bindings", fmt::format("without {}", name), "a resource for each tensor of the desc",
         joined_reasons(question, where));
}

}  // namespace detail

// Copies the resources that an input with OWNED_BY_DML reads and a dispatch writes, and binds these inputs to the
// copies. Throws error M8 if they need more than `budget` bytes together; a model that is only validated has no bytes.
inline void copy_initial_resources(const json& document, const model_options& options, std::uint64_t& budget,
                                   model& m) {
  std::vector<bool> written(m.resources.size());
  for (const model_command& command : m.commands)
    if (const auto* dispatch = std::get_if<dispatch_command>(&command)) {
      const std::size_t tensors = dispatch->bindings.size();
      const operator_description& op = m.dispatchables[dispatch->dispatchable].desc.description();
      for (std::size_t i = op.input_count(tensors); i < tensors; ++i)
        if (dispatch->bindings[i]) written[dispatch->bindings[i]->resource] = true;
    }
  std::map<std::size_t, std::size_t> copies;  // by resource
  for (model_dispatchable& dispatchable : m.dispatchables)
    for (std::optional<model_binding>& binding : dispatchable.initial_bindings) {
      if (!binding || !written[binding->resource]) continue;
      const model_resource& resource = m.resources[binding->resource];
      const auto [copy, is_new] = copies.emplace(binding->resource, m.initial_copies.size());
      if (is_new) {
        if (!options.validate_only && resource.size_in_bytes > budget)
          refuse(*find_member(*find_member(document, "resources"), resource.name), "M8", "resource",
                 fmt::format("{} bytes, once more", resource.size_in_bytes), fmt::format("at most {}", budget),
                 fmt::format("what --max-memory {} leaves: an input with OWNED_BY_DML keeps the initial values",
                             options.max_memory));
        if (!options.validate_only) budget -= resource.size_in_bytes;
        m.initial_copies.push_back(resource);
      }
      binding->resource = copy->second;
      binding->is_initial = true;
    }
  for (model_command& command : m.commands)
    if (auto* dispatch = std::get_if<dispatch_command>(&command)) {
      const model_dispatchable& dispatchable = m.dispatchables[dispatch->dispatchable];
      for (std::size_t i = 0; i < dispatch->bindings.size(); ++i)
        if (dispatchable.initial_bindings[i]) dispatch->bindings[i] = dispatchable.initial_bindings[i];
    }
}

}  // namespace goldml::io
