// The "commands" of a model, with all names looked up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <goldml/io/json.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_bindings.hpp>
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
               operand.is_array()
                   ? "each of its tensors with OWNED_BY_DML bound beside type, and null in the list of the dispatch"
                   : "a tensor with OWNED_BY_DML bound beside type, and not by the dispatch",
               where);
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
  print_command result{to_resource(command, names, where), false, options.dxdispatch_format};
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
  if (options.allow_outside) return path_from(own, name, true, "targetPath", where);
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

}  // namespace goldml::io
