// Validating a model's dispatches, and playing its commands on a backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <span>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <goldml/core/backend.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_numbers.hpp>
#include <goldml/io/npy.hpp>

namespace goldml::io {

namespace detail {

// One operand of a dispatch, bound to its range of a resource; absent where the desc leaves it out.
template <class Ref>
Ref to_ref(model& m, const dispatch_command& command, std::size_t operand) {
  const auto& tensor = m.dispatchables[command.dispatchable].tensors[operand];
  const auto& binding = command.bindings[operand];
  if (!tensor || !binding) return {};
  model_resource& resource = m.resources[binding->resource];
  return Ref::bound(*tensor, &resource, binding->offset_in_bytes, binding->size_in_bytes,
                    resource.bytes.data() + binding->offset_in_bytes);
}

// Calls f(desc, inputs, outputs) for a dispatch.
template <class F>
void visit_dispatch(model& m, const dispatch_command& command, F&& f) {
  std::visit(
      [&]<class Desc>(const Desc& desc) {
        constexpr std::size_t inputs_size = goldml::detail::input_count<Desc>;
        std::vector<const_tensor_ref> inputs;
        std::vector<tensor_ref> outputs;
        for (std::size_t i = 0; i < operator_traits<Desc>::operands.size(); ++i)
          if (i < inputs_size)
            inputs.push_back(to_ref<const_tensor_ref>(m, command, i));
          else
            outputs.push_back(to_ref<tensor_ref>(m, command, i));
        f(desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
      },
      m.dispatchables[command.dispatchable].desc);
}

// Calls f(dispatchable, desc, operands) for every dispatch, in the order of the commands, then for each dispatchable
// that no command dispatches, without bindings.
template <class F>
void for_each_dispatch(model& m, F&& f) {
  std::vector<bool> dispatched(m.dispatchables.size());
  for (const model_command& command : m.commands)
    if (const auto* dispatch = std::get_if<dispatch_command>(&command)) {
      dispatched[dispatch->dispatchable] = true;
      visit_dispatch(m, *dispatch, [&]<class Desc>(const Desc& desc, const auto& inputs, const auto& outputs) {
        f(m.dispatchables[dispatch->dispatchable], desc, to_operands<Desc>(inputs, outputs));
      });
    }
  for (std::size_t i = 0; i < m.dispatchables.size(); ++i)
    if (!dispatched[i])
      std::visit(
          [&]<class Desc>(const Desc& desc) {
            operands_of<Desc> operands;
            for (std::size_t j = 0; j < operands.size(); ++j) operands[j].desc = m.dispatchables[i].tensors[j];
            f(m.dispatchables[i], desc, operands);
          },
          m.dispatchables[i].desc);
}

inline void print(const model_resource& resource, bool verbose, std::ostream& out) {
  out << "Resource " << in_quotes(resource.name, resource.name.size()) << ":" << (verbose ? "\n" : " ");
  for_each_element(resource.bytes, resource.type, [&](std::size_t i, auto element) {
    if (verbose)
      out << "[" << i << "] " << number_text(element) << " (" << bits_text(element) << ")\n";
    else
      out << (i == 0 ? "" : ", ") << number_text(element);
  });
  if (!verbose) out << "\n";
}

inline void write_file(const model_resource& resource, const write_file_command& command) {
  std::error_code failed;
  if (command.target.has_parent_path()) std::filesystem::create_directories(command.target.parent_path(), failed);
  if (command.target.extension() == ".npy") {
    const std::uint64_t size = element_size_in_bytes(resource.type);
    std::vector<std::uint64_t> shape(command.dimensions.begin(), command.dimensions.end());
    if (shape.empty()) shape = {resource.bytes.size() / size};
    std::uint64_t bytes = size;
    for (const std::uint64_t entry : shape) bytes *= entry;
    write_npy(command.target, resource.type, shape, std::span(resource.bytes).first(static_cast<std::size_t>(bytes)));
    return;
  }
  std::ofstream file(command.target, std::ios::binary);
  file.write(reinterpret_cast<const char*>(resource.bytes.data()), static_cast<std::streamsize>(resource.bytes.size()));
  file.flush();
  if (!file)
    refuse("M9", "targetPath", in_quotes(command.target.string()), "a file that can be written",
           fmt::format("resource {}", in_quotes(resource.name)));
}

}  // namespace detail

struct model_violation {
  std::string dispatchable;  // its name in the model
  goldml::violation violation;
};

// Every violation of every dispatch, in the order of the commands; dispatchables that no command dispatches are
// validated without bindings. Empty: the model may be played, but for what depends on data.
inline std::vector<model_violation> validate_model(model& m) {
  std::vector<model_violation> all;
  detail::for_each_dispatch(m, [&](const model_dispatchable& dispatchable, const auto& desc, auto operands) {
    std::vector<violation> found;
    violation_sink sink(&found);
    check(desc, operands, sink);
    for (const violation& v : found) all.push_back({dispatchable.name, v});
  });
  return all;
}

// Plays the commands in order; prints go to `out`, files to the output folder given when the model was read. Throws
// error for the first violation of any dispatch before the first command runs, and for what depends on data when its
// dispatch comes.
template <class Backend>
void play(const Backend& backend, model& m, std::ostream& out) {
  detail::for_each_dispatch(m, []<class Desc>(const model_dispatchable& dispatchable, const Desc& desc, auto operands) {
    if constexpr (!supports<Backend, Desc>)
      refuse("M5", "type", operator_traits<Desc>::name, "an operator that this backend has; 'reference' has all",
             fmt::format("dispatchable {}", in_quotes(dispatchable.name)));
    violation_sink sink;
    check(desc, operands, sink);
    if (sink.first()) throw error(*sink.first());
  });
  for (const model_command& command : m.commands) {
    if (const auto* dispatch = std::get_if<dispatch_command>(&command))
      detail::visit_dispatch(m, *dispatch, [&]<class Desc>(const Desc& desc, const auto& inputs, const auto& outputs) {
        if constexpr (supports<Backend, Desc>) evaluate(backend, desc, inputs, outputs);
      });
    else if (const auto* print = std::get_if<print_command>(&command))
      detail::print(m.resources[print->resource], print->verbose, out);
    else if (const auto* write = std::get_if<write_file_command>(&command))
      detail::write_file(m.resources[write->resource], *write);
  }
}

}  // namespace goldml::io
