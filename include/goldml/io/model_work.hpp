// How much work a model is, added up before its first command runs, and the refusal of more than the caller allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include <goldml/core/work.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>

namespace goldml::io {

// A legal model's work is counted in elements that its dispatches read and write (core/work.hpp). A print counts as
// `work_of_printing` elements for each of the buffer's, a writeFile as one for each byte, and a command by itself as
// `work_of_a_command`.
inline constexpr std::uint64_t work_of_printing = 32;
inline constexpr std::uint64_t work_of_a_command = 1024;

// What play() allows unless told otherwise: less than two minutes on `reference`, the slowest backend, as measured in
// docs/models.md.
inline constexpr std::uint64_t default_max_work = 5'000'000'000;

namespace detail {

inline std::uint64_t work_of_command(const model& m, const dispatch_command& dispatch) {
  const model_dispatchable& dispatchable = m.dispatchables[dispatch.dispatchable];
  return std::visit(
      [&]<class Desc>(const Desc& desc) { return goldml::work_of(desc, to_operands<Desc>(dispatchable.tensors)); },
      dispatchable.desc);
}
inline std::uint64_t work_of_command(const model& m, const print_command& print) {
  const model_resource& resource = m.resources[print.resource];
  return saturating_multiply(resource.size_in_bytes / element_size_in_bytes(resource.type), work_of_printing);
}
inline std::uint64_t work_of_command(const model& m, const write_file_command& write) {
  return m.resources[write.resource].size_in_bytes;
}

}  // namespace detail

// Of all commands of a model whose dispatches are legal. Saturates at 2^64 - 1.
inline std::uint64_t work_of(const model& m) {
  std::uint64_t total = 0;
  for (const model_command& command : m.commands) {
    const std::uint64_t work = std::visit([&](const auto& c) { return detail::work_of_command(m, c); }, command);
    total = saturating_add(total, saturating_add(work, work_of_a_command));
  }
  return total;
}

// Throws error M11 for more than max_work. The model's dispatches are legal.
inline void check_work(const model& m, std::uint64_t max_work) {
  if (const std::uint64_t work = work_of(m); work > max_work)
    refuse(
        "M11", "commands",
        work == saturated ? std::string("more than 2^64-2 elements of work") : fmt::format("{} elements of work", work),
        fmt::format("at most {}", max_work), "all commands together; --max-work");
}

}  // namespace goldml::io
