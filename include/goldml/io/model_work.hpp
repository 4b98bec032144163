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

// The work of a valid model is the number of elements that its dispatches read and write (core/work.hpp). In addition,
// a print counts `work_of_printing` per element of the buffer, a writeFile one per byte, and each command
// `work_of_a_command`.
inline constexpr std::uint64_t work_of_printing = 32;
inline constexpr std::uint64_t work_of_a_command = 1024;

// The default limit of play(): less than two minutes on `reference`, the slowest backend, as measured in
// docs/models.md.
inline constexpr std::uint64_t default_max_work = 5'000'000'000;

namespace detail {

inline std::uint64_t work_of_command(const model& m, const dispatch_command& dispatch) {
  const model_dispatchable& dispatchable = m.dispatchables[dispatch.dispatchable];
  return dispatchable.desc.description().work(dispatchable.desc.get(), to_operands(dispatchable.tensors));
}
inline std::uint64_t work_of_command(const model& m, const print_command& print) {
  const model_resource& resource = m.resources[print.resource];
  return saturating_multiply(resource.size_in_bytes / element_size_in_bytes(resource.type), work_of_printing);
}
inline std::uint64_t work_of_command(const model& m, const write_file_command& write) {
  return m.resources[write.resource].size_in_bytes;
}

}  // namespace detail

// The work of one command, and of all commands, of a model whose dispatches are valid. Saturates at 2^64 - 1.
inline std::uint64_t work_of(const model& m, const model_command& command) {
  const std::uint64_t work = std::visit([&](const auto& c) { return detail::work_of_command(m, c); }, command);
  return saturating_add(work, work_of_a_command);
}
inline std::uint64_t work_of(const model& m) {
  std::uint64_t total = 0;
  for (const model_command& command : m.commands) total = saturating_add(total, work_of(m, command));
  return total;
}

// Throws error M11 for more than max_work. The dispatches of the model must be valid.
inline void check_work(const model& m, std::uint64_t max_work) {
  if (const std::uint64_t work = work_of(m); work > max_work)
    refuse(
        "M11", "commands",
        work == saturated ? std::string("more than 2^64-2 elements of work") : fmt::format("{} elements of work", work),
        fmt::format("at most {}", max_work), "all commands together; --max-work");
}

}  // namespace goldml::io
