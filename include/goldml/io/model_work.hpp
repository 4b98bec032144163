// The amount of work of a model, computed before its first command runs, and the check of the limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include <goldml/core/work.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>

namespace goldml::io {

// The work of a valid model is that of its dispatches (core/cost.hpp), in nanoseconds on the hardest data. In addition,
// a print takes `work_of_printing` per element of the buffer, a writeFile one per byte, and each command
// `work_of_a_command`.
inline constexpr std::uint64_t work_of_printing = 250;
inline constexpr std::uint64_t work_of_a_command = 5000;

// The default limit of play() and of `goldml check`: less than two minutes, as measured in docs/attacks.md.
inline constexpr std::uint64_t default_max_work = 100'000'000'000;

namespace detail {

inline std::uint64_t work_of_command(const model& m, const dispatch_command& dispatch, const work_rates& rates) {
  const model_dispatchable& dispatchable = m.dispatchables[dispatch.dispatchable];
  return nanoseconds_of(
      dispatchable.desc.description().work(dispatchable.desc.get(), to_operands(dispatchable.tensors)), rates);
}
inline std::uint64_t work_of_command(const model& m, const print_command& print, const work_rates&) {
  const model_resource& resource = m.resources[print.resource];
  return saturating_multiply(resource.size_in_bytes / element_size_in_bytes(resource.type), work_of_printing);
}
inline std::uint64_t work_of_command(const model& m, const write_file_command& write, const work_rates&) {
  return m.resources[write.resource].size_in_bytes;
}

}  // namespace detail

// The work of one command, and of all commands, of a model whose dispatches are valid. Saturates at 2^64 - 1.
inline std::uint64_t work_of(const model& m, const model_command& command, const work_rates& rates) {
  const std::uint64_t work = std::visit([&](const auto& c) { return detail::work_of_command(m, c, rates); }, command);
  return saturating_add(work, work_of_a_command);
}
inline std::uint64_t work_of(const model& m, const work_rates& rates) {
  std::uint64_t total = 0;
  for (const model_command& command : m.commands) total = saturating_add(total, work_of(m, command, rates));
  return total;
}

// Throws error M11 for more than max_work.
inline void check_work(std::uint64_t work, std::uint64_t max_work) {
  if (work > max_work)
    refuse("M11", "commands",
           work == saturated ? std::string("more than 2^64-2 units of work") : fmt::format("{} units of work", work),
           fmt::format("at most {}", max_work), "all commands together; --max-work");
}
// The same for a model whose dispatches are valid.
inline void check_work(const model& m, std::uint64_t max_work, const work_rates& rates) {
  check_work(work_of(m, rates), max_work);
}

namespace detail {

// The bytes that are kept while an output is watched (model_watch.hpp): what its gaps held, and the pattern.
inline std::uint64_t watch_memory(const tensor_desc& output) {
  const std::uint64_t elements = size_in_bytes_of(output.data_type, element_count(output.sizes));
  const std::uint64_t bytes = total_tensor_size_in_bytes(output);
  return elements < addressed_size_in_bytes(output.data_type, output.sizes, effective_strides(output)) ? 2 * bytes : 0;
}

}  // namespace detail

// Throws error M8 if a dispatch needs more than `left` bytes on a backend, beside its tensors. The dispatches must be
// valid.
inline void check_scratch(const model& m, std::uint64_t left, bool on_reference, unsigned threads) {
  for (std::size_t i = 0; i < m.commands.size(); ++i) {
    const auto* dispatch = std::get_if<dispatch_command>(&m.commands[i]);
    if (dispatch == nullptr) continue;
    const model_dispatchable& op = m.dispatchables[dispatch->dispatchable];
    const scratch_memory scratch = op.desc.description().scratch(op.desc.get(), to_operands(op.tensors));
    std::uint64_t needed = on_reference ? scratch.reference
                                        : saturating_add(scratch.cpu, saturating_multiply(scratch.cpu_thread, threads));
    for (std::size_t output = op.desc.description().input_count(op.tensors.size()); output < op.tensors.size();
         ++output)
      if (op.tensors[output]) needed = saturating_add(needed, detail::watch_memory(*op.tensors[output]));
    if (needed > left)
      refuse("M8", "dispatch", fmt::format("{} bytes for intermediate results", needed),
             fmt::format("at most {}", left), fmt::format("what --max-memory leaves; command {}", i));
  }
}

}  // namespace goldml::io
