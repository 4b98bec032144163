// Validating a model's dispatches, and playing its commands on a backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/backend_options.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_numbers.hpp>
#include <goldml/io/model_place.hpp>
#include <goldml/io/model_watch.hpp>
#include <goldml/io/model_work.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/operators/any_call.hpp>

namespace goldml::io {

namespace detail {

// An operand of a dispatch, bound to its range of a resource; empty if the desc omits it.
template <class Ref>
Ref to_ref(model& m, const dispatch_command& command, std::size_t operand) {
  const auto& tensor = m.dispatchables[command.dispatchable].tensors[operand];
  const auto& binding = command.bindings[operand];
  if (!tensor || !binding) return {};
  model_resource& resource = binding->is_initial ? m.initial_copies[binding->resource] : m.resources[binding->resource];
  return Ref::bound(*tensor, &resource, binding->offset_in_bytes, binding->size_in_bytes,
                    resource.bytes.empty() ? nullptr : resource.bytes.data() + binding->offset_in_bytes);
}

// Calls f(desc, inputs, outputs) for a dispatch.
template <class F>
void visit_dispatch(model& m, const dispatch_command& command, F&& f) {
  const model_dispatchable& dispatchable = m.dispatchables[command.dispatchable];
  const std::size_t tensors = dispatchable.tensors.size();
  const std::size_t inputs_size = dispatchable.desc.description().input_count(tensors);
  std::vector<const_tensor_ref> inputs;
  std::vector<tensor_ref> outputs;
  for (std::size_t i = 0; i < tensors; ++i)
    if (i < inputs_size)
      inputs.push_back(to_ref<const_tensor_ref>(m, command, i));
    else
      outputs.push_back(to_ref<tensor_ref>(m, command, i));
  f(dispatchable.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
}

// Calls f(dispatchable, operands) for every dispatch, in the order of the commands, then for each dispatchable that no
// command dispatches, without bindings.
template <class F>
void for_each_dispatch(model& m, F&& f) {
  std::vector<bool> dispatched(m.dispatchables.size());
  for (const model_command& command : m.commands)
    if (const auto* dispatch = std::get_if<dispatch_command>(&command)) {
      dispatched[dispatch->dispatchable] = true;
      visit_dispatch(m, *dispatch, [&](const any_desc&, const auto& inputs, const auto& outputs) {
        f(m.dispatchables[dispatch->dispatchable], to_operands(inputs, outputs));
      });
    }
  for (std::size_t i = 0; i < m.dispatchables.size(); ++i)
    if (!dispatched[i]) f(m.dispatchables[i], to_operands(m.dispatchables[i].tensors));
}

// Throws std::invalid_argument for a model that was read with validate_only.
inline void require_buffers(const model& m) {
  for (const model_resource& resource : m.resources)
    if (resource.bytes.size() != resource.size_in_bytes)
      throw std::invalid_argument("goldml: a model that was read with validate_only cannot be played");
}

// As DxDispatch prints an element: floats as %g, 8-bit integers as characters.
template <class T>
std::string dxdispatch_text(T element) {
  if constexpr (is_floating_type<T>)
    return fmt::format("{:g}", static_cast<double>(element));
  else if constexpr (sizeof(T) == 1)
    return std::string(1, static_cast<char>(element));
  else
    return fmt::format("{}", element);
}

// As DxDispatch's Executor prints a resource (commit 674540f): as many elements as the initial values have; indices and
// bits in columns; the text ends at the first 0 character.
inline void print_as_dxdispatch(const model_resource& resource, bool verbose, std::ostream& out) {
  std::string text =
      fmt::format("Resource {}:{}", in_quotes(resource.name, resource.name.size()), verbose ? '\n' : ' ');
  const auto bytes = std::span(resource.bytes).first(static_cast<std::size_t>(resource.values_size_in_bytes));
  const std::size_t width = fmt::formatted_size("{}", bytes.size() / element_size_in_bytes(resource.type));
  for_each_element(bytes, resource.type, [&]<class T>(std::size_t i, T element) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &element, sizeof element);  // as a DML_SCALAR_UNION of a little-endian machine
    if (verbose)
      text += fmt::format("[{:{}}] {} (0x{:{}X})\n", i, width, dxdispatch_text(element), bits, sizeof element * 2);
    else
      text.append(i == 0 ? "" : ", ").append(dxdispatch_text(element));
  });
  out << text.substr(0, text.find('\0')) << "\n";
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

// Throws error M9 for a file that exists and must not be replaced.
inline void check_new(const write_file_command& command, std::size_t number) {
  if (command.replaces) return;
  std::error_code failed;
  // Normalized, because a path with ".." may lead to a file through folders that do not exist yet.
  const std::filesystem::path path = std::filesystem::weakly_canonical(command.target.path(), failed);
  if (std::filesystem::exists(failed ? command.target.path() : path, failed))
    refuse("M9", "targetPath", in_quotes(path_text(command.target.path())),
           "the name of a new file (--overwrite replaces what is there)", fmt::format("command {}", number));
}

inline void write_file(const model_resource& resource, const write_file_command& command) {
  std::error_code failed;
  const file_place& target = command.target;
  if (target.follow_links && target.path().has_parent_path())
    std::filesystem::create_directories(target.path().parent_path(), failed);
  if (command.is_npy) {
    const std::uint64_t size = element_size_in_bytes(resource.type);
    std::vector<std::uint64_t> shape(command.dimensions.begin(), command.dimensions.end());
    if (shape.empty()) shape = {resource.bytes.size() / size};
    std::uint64_t bytes = size;
    for (const std::uint64_t entry : shape) bytes *= entry;
    write_npy(target, resource.type, shape, std::span(resource.bytes).first(static_cast<std::size_t>(bytes)));
  } else if (const std::string problem = replace_file(target, resource.bytes); !problem.empty()) {
    refuse("M9", "targetPath", in_quotes(path_text(target.path())), "a file that can be written",
           fmt::format("{}; resource {}", problem, in_quotes(resource.name)));
  }
}

}  // namespace detail

namespace detail {

// Calls f. What it refuses gets the place of a command's member in the model.
template <class F>
void at_command(const model& m, std::size_t number, std::string_view member, F&& f) {
  try {
    f();
  } catch (const error& refusal) {
    throw model_error(refusal.violation(), model_places(m).of_command(number, member));
  }
}

}  // namespace detail

// Throws model_error for a violation that validate_model() has found.
[[noreturn]] inline void refuse_dispatchable(const model& m, std::string_view name, const violation& v) {
  throw model_error(v, model_places(m).of(name, v));
}

// Calls f(name of the dispatchable, violation) for every violation of every dispatch, in the order of the commands.
// Dispatchables that no command dispatches are validated without bindings. Returns the number of violations. If it is
// 0, the model can be played, unless a rule that depends on data is broken.
template <class F>
std::uint64_t validate_model(model& m, F&& f) {
  std::uint64_t count = 0;
  detail::for_each_dispatch(m, [&](const model_dispatchable& dispatchable, std::vector<operand> operands) {
    std::vector<violation> found;
    violation_sink sink(&found);
    check(dispatchable.desc, operands, sink);
    for (const violation& v : found) f(std::string_view(dispatchable.name), v);
    count += found.size();
  });
  return count;
}

namespace detail {

// What a backend costs.
struct play_costs {
  work_rates rates;
  bool on_reference;
  unsigned threads;
};
template <class Backend>
play_costs costs_of(const Backend& backend) {
  if constexpr (options_of_backend<Backend>.has_rates_of_reference)
    return {work_rates_of_reference, true, 1};
  else if constexpr (requires { backend.threads(); })
    return {work_rates_of_cpu, false, backend.threads()};
  else
    return {work_rates_of_cpu, false, 1};
}

// play() without the type of the backend. missing(desc): missing_in() of the backend.
inline void play_with(
    function_reference<std::string(const any_desc&)> missing,
    function_reference<void(const any_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>)> call,
    bool gaps_must_survive, const play_costs& costs, model& m, std::ostream& out, std::uint64_t max_work,
    const watch_options& watch) {
  require_buffers(m);
  for_each_dispatch(m, [&](const model_dispatchable& dispatchable, std::vector<operand> operands) {
    if (const std::string lacking = missing(dispatchable.desc); !lacking.empty())
      refuse_dispatchable(
          m, dispatchable.name,
          model_violation("M5", "type", lacking, "an operator that this backend has; 'reference' has all",
                          fmt::format("dispatchable {}", in_quotes(dispatchable.name))));
    violation_sink sink;
    check(dispatchable.desc, operands, sink);
    if (sink.first()) refuse_dispatchable(m, dispatchable.name, *sink.first());
  });
  for (std::size_t i = 0; i < m.commands.size(); ++i)
    if (const auto* write = std::get_if<write_file_command>(&m.commands[i]))
      at_command(m, i, "targetPath", [&] { check_new(*write, i); });
  check_work(m, max_work, costs.rates);
  check_scratch(m, m.memory_left, costs.on_reference, costs.threads);
  const std::uint64_t all_work = work_of(m, costs.rates);
  std::uint64_t done = 0;
  std::size_t number = 0;
  for (const model_command& command : m.commands) {
    if (watch.progress) {
      watch.progress(done, all_work, std::holds_alternative<print_command>(command));
      done += work_of(m, command, costs.rates);
    }
    if (const auto* dispatch = std::get_if<dispatch_command>(&command))
      at_command(m, number, "", [&] {
        visit_dispatch(m, *dispatch, [&](const any_desc& desc, const auto& inputs, const auto& outputs) {
          run_watched(m, *dispatch, desc.description().operands, number, gaps_must_survive, watch,
                      [&] { call(desc, inputs, outputs); });
        });
      });
    else if (const auto* print_it = std::get_if<print_command>(&command))
      (print_it->as_dxdispatch ? print_as_dxdispatch : print)(m.resources[print_it->resource], print_it->verbose, out);
    else
      at_command(m, number, "targetPath", [&] {
        const auto& write = std::get<write_file_command>(command);
        write_file(m.resources[write.resource], write);
      });
    ++number;
  }
}

}  // namespace detail

// Plays the commands in order. Prints go to `out`, files to the output folder given when the model was read. Before the
// first command runs, throws error for the first violation of any dispatch, for files that must not be replaced (M9)
// and for more work than max_work (M11, see model_work.hpp). Rules that depend on data are checked when the dispatch
// runs.
//
// While a dispatch runs, the bytes around its outputs hold a pattern. Throws error M14 if a backend writes outside an
// output, or if one of goldml's own backends writes into padding or gaps (see model_watch.hpp).
template <class Backend>
void play(const Backend& backend, model& m, std::ostream& out, std::uint64_t max_work = default_max_work,
          const watch_options& watch = {}) {
  detail::play_with(
      [](const any_desc& desc) { return missing_in<Backend>(desc); },
      [&](const any_desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
        call_of<Backend>(desc.description())(backend, desc.get(), inputs, outputs);
      },
      options_of_backend<Backend>.writes_elements_only, detail::costs_of(backend), m, out, max_work, watch);
}

}  // namespace goldml::io
