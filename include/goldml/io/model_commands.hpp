// The "commands" of a model and the bindings of operands to ranges of resources, with all names looked up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <goldml/io/json.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_operators.hpp>
#include <goldml/io/npy_header.hpp>
#include <goldml/io/safe_path.hpp>

namespace goldml::io {

namespace detail {

// Throws error M8 for a desc whose tensors need more than the allowed memory. Called before buffers are allocated.
inline void check_tensor_memory(const json& document, const std::vector<model_dispatchable>& dispatchables,
                                const model_options& options) {
  if (options.validate_only) return;
  for (const model_dispatchable& dispatchable : dispatchables) {
    std::uint64_t total = 0;
    for (const auto& tensor : dispatchable.tensors)
      if (tensor) total = saturating_add(total, total_tensor_size_in_bytes(*tensor));
    if (total > options.max_memory)
      refuse(*find_member(*find_member(document, "dispatchables"), dispatchable.name), "M8", "tensors",
             fmt::format("{} bytes together", total), fmt::format("at most {}", options.max_memory),
             fmt::format("--max-memory; dispatchable {}", in_quotes(dispatchable.name)));
  }
}

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
// tensor. Other names are ignored.
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
      result[first + i] = to_binding(member.value[static_cast<rapidjson::SizeType>(i)], m, names, where, options);
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
             "inputs with OWNED_BY_DML only; the others are bound by the dispatch", where);
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

inline dispatch_command to_dispatch(const json& command, const model& m, const model_names& names,
                                    std::string_view where, const model_options& options) {
  warn_unknown(command, {"type", "dispatchable", "bindings", "threadGroupCount"}, where, options.warn);
  const std::string_view name = required_text(command, "dispatchable", where);
  dispatch_command result{
      at_value(*find_member(command, "dispatchable"), [&] { return names.dispatchable(name, where); }), {}};
  const model_dispatchable& dispatchable = m.dispatchables[result.dispatchable];
  const json& bindings = required_object(command, "bindings", where);
  result.bindings = to_bindings(bindings, dispatchable, m, names, where, options);
  for (std::size_t i = 0; i < result.bindings.size(); ++i) {
    const operand_info& operand = dispatchable.desc.description().info_of(i, result.bindings.size());
    if (is_owned(dispatchable, i)) {
      const bool bound_here = result.bindings[i].has_value();
      result.bindings[i] = dispatchable.initial_bindings[i];
      if (bound_here || !result.bindings[i])
        refuse(bindings, "M3", "bindings", fmt::format("{} {}", bound_here ? "with" : "without", operand.name),
               "a tensor with OWNED_BY_DML bound beside type, and not by the dispatch", where);
    }
    if (dispatchable.tensors[i] && !result.bindings[i]) refuse_unbound(bindings, dispatchable, operand.name, where);
    if (!dispatchable.tensors[i] && result.bindings[i] && operand.optional)
      refuse(bindings, "M3", "bindings", fmt::format("with {}", operand.name),
             "no resource for a tensor not in the desc", where);
  }
  return result;
}

// The resource that a command names.
inline std::size_t to_resource(const json& command, const model_names& names, std::string_view where) {
  const std::string_view name = required_text(command, "resource", where);
  return at_value(*find_member(command, "resource"), [&] { return names.resource(name, "resource", where); });
}

inline print_command to_print(const json& command, const model& m, const model_names& names, std::string_view where,
                              const model_options& options) {
  warn_unknown(command, {"type", "resource", "verbose"}, where, options.warn);
  print_command result{to_resource(command, names, where), false};
  if (const json* verbose = find_member(command, "verbose")) {
    if (!verbose->IsBool()) refuse(*verbose, "M2", "verbose", description(*verbose), "true or false", where);
    result.verbose = verbose->GetBool();
  }
  if (m.resources[result.resource].type == data_type::unknown)
    refuse(*find_member(command, "resource"), "M5", "resource", in_quotes(m.resources[result.resource].name),
           "a resource with a data type to print its values by", where);
  return result;
}

// Where writeFile writes. Throws error M7.
inline file_place to_target(std::string_view name, std::string_view where, const model_options& options) {
  if (options.output_folder) return path_from(*options.output_folder, name, options.allow_outside, "targetPath", where);
  const std::filesystem::path own = options.own_folder_in / own_output_folder;
  if (options.allow_outside) return {own, path_of(name), true};
  const file_place below = path_below(own, name, "targetPath", where);
  if (is_link(own))
    refuse("M7", "targetPath", in_quotes(name), "an output folder that is not a link",
           fmt::format("{} is one; {}", in_quotes(path_text(own)), where));
  return {options.own_folder_in, std::filesystem::path(own_output_folder) / below.name};
}

inline write_file_command to_write_file(const json& command, const model& m, const model_names& names,
                                        std::string_view where, const model_options& options) {
  warn_unknown(command, {"type", "resource", "targetPath", "dimensions"}, where, options.warn);
  write_file_command result{to_resource(command, names, where), {}, {}, {}};
  const model_resource& resource = m.resources[result.resource];
  const std::string_view name = required_text(command, "targetPath", where);
  const json& path = *find_member(command, "targetPath");
  result.target = at_value(path, [&] { return to_target(name, where, options); });
  result.replaces = options.overwrite || (!options.output_folder && !options.allow_outside);
  std::error_code failed;
  const auto there = std::filesystem::status(result.target.path(), failed);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    refuse(path, "M9", "targetPath", in_quotes(name), "a regular file, or the name of a new one", where);
  result.is_npy =
      at_value(path, [&] { return is_npy_file(result.target, name, "targetPath", options.allow_outside, where); });
  if (result.is_npy && resource.type == data_type::unknown)
    refuse(*find_member(command, "resource"), "M5", "resource", in_quotes(resource.name),
           "a resource with a data type for the .npy file", where);
  if (const json* given = find_member(command, "dimensions")) {
    if (!given->IsArray()) refuse(*given, "M2", "dimensions", description(*given), "an array of integers", where);
    if (given->Size() > npy_dimension_count_limit)
      refuse(*given, "M4", "dimensions", fmt::format("{} sizes", given->Size()),
             fmt::format("at most {}", npy_dimension_count_limit), where);
    std::uint64_t count = 1;
    for (const json& entry : given->GetArray()) {
      result.dimensions.push_back(to_integer<std::uint32_t>(entry, "dimensions", where));
      count = saturating_multiply(count, result.dimensions.back());
    }
    const std::uint64_t bytes = saturating_multiply(count, element_size_in_bytes(resource.type));
    if (result.is_npy && !result.dimensions.empty() &&
        (bytes > resource.size_in_bytes || round_up_to_4(bytes) < resource.size_in_bytes))
      refuse(*given, "M4", "dimensions", fmt::format("{} elements", count),
             fmt::format("those of the buffer, {} bytes of {}", resource.size_in_bytes, name_of(resource.type)), where);
  }
  return result;
}

}  // namespace detail

// Reads the "bindings" of the dispatchables and the "commands" into a model that already has its resources and
// dispatchables.
// Throws error M2..M7, M9.
inline void read_bindings_and_commands(const json& document, const model_options& options, model& m) {
  const detail::model_names names(m);
  std::size_t next = 0;
  for (const auto& definition : members_of(*find_member(document, "dispatchables"))) {
    model_dispatchable& dispatchable = m.dispatchables[next++];  // in the order of the file
    const std::string where = fmt::format("dispatchable {}", in_quotes(dispatchable.name));
    dispatchable.initial_bindings.resize(dispatchable.tensors.size());
    if (const json* bindings = find_member(definition.value, "bindings"))
      dispatchable.initial_bindings = detail::to_initial_bindings(*bindings, dispatchable, m, names, where, options);
  }
  std::size_t number = 0;
  for (const json& command : required_array(document, "commands", "the model").GetArray()) {
    const std::string where = fmt::format("command {}", number++);
    if (!command.IsObject()) refuse(command, "M2", "command", description(command), "an object", where);
    const std::string_view type = required_text(command, "type", where);
    if (detail::same_word(type, "dispatch"))
      m.commands.emplace_back(detail::to_dispatch(command, m, names, where, options));
    else if (detail::same_word(type, "print"))
      m.commands.emplace_back(detail::to_print(command, m, names, where, options));
    else if (detail::same_word(type, "writeFile"))
      m.commands.emplace_back(detail::to_write_file(command, m, names, where, options));
    else
      refuse(*find_member(command, "type"), "M5", "type", in_quotes(type), "dispatch, print or writeFile",
             joined_reasons(did_you_mean(type, {"dispatch", "print", "writeFile"}), where));
  }
}

// Copies the resources that an input with OWNED_BY_DML reads and a dispatch writes, and binds these inputs to the
// copies. Throws error M8 if they need more than `budget` bytes together; a model that is only validated has no bytes.
inline void copy_initial_resources(const json& document, const model_options& options, std::uint64_t budget, model& m) {
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
