// Rule T12: the memory of operands. There are two kinds: ranges of buffer resources, which follow DirectML's binding
// rules, and plain memory, which needs no padding and only the alignment alignof(T).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml {

// DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, in bytes: offsets of bound ranges are multiples of it.
inline constexpr std::uint64_t minimum_buffer_tensor_alignment = 16;

// The policies that T12 knows, of an operator that has them.
struct memory_policies {
  bool in_place = false;
  std::optional<goldml::same_resource> same_resource = std::nullopt;  // none: the operator does not have it
  bool in_place_is_policy = true;                                     // false: the operator's page permits it
};

template <class Desc>
constexpr memory_policies memory_policies_of(const Desc& desc) {
  memory_policies result;
  if constexpr (requires { desc.in_place; }) result.in_place = desc.in_place;
  if constexpr (requires { operator_traits<Desc>::in_place; }) {
    result.in_place = operator_traits<Desc>::in_place;
    result.in_place_is_policy = false;
  }
  if constexpr (requires { desc.same_resource; }) result.same_resource = desc.same_resource;
  return result;
}

namespace detail {

constexpr bool allows_disjoint(const memory_policies& policies) {
  return policies.same_resource == goldml::same_resource::disjoint;
}

// The bytes of an operand: TotalTensorSizeInBytes in a bound range, whose padding may be overwritten; in plain memory,
// all bytes from the first addressed one to the last, including gaps (ledger L6).
struct byte_range {
  const void* resource;  // null: plain memory
  std::uint64_t first;   // an offset in the resource, or an address
  std::uint64_t size;

  // Ranges of two different resources, or of a resource and plain memory, never overlap.
  bool meets(const byte_range& other) const {
    if (resource != other.resource) return false;
    return first < other.first ? other.first - first < size : first - other.first < other.size;
  }
  friend bool operator==(const byte_range&, const byte_range&) = default;
};

inline byte_range bytes_of(const operand& t) {
  const tensor_desc& desc = *t.desc;
  const memory_range& memory = *t.memory;
  const std::uint64_t addressed = t.span * element_size_in_bytes(desc.data_type);
  if (memory.resource != nullptr)
    return {memory.resource, memory.offset_in_bytes,
            desc.total_tensor_size_in_bytes.value_or(round_up_to_4(addressed))};
  return {nullptr, reinterpret_cast<std::uintptr_t>(memory.data), desc.total_tensor_size_in_bytes.value_or(addressed)};
}

inline void check_range(const operand& t, const byte_range& bytes, const operand_info& info,
                        const rule_report& report) {
  const tensor_desc& desc = *t.desc;
  const memory_range& memory = *t.memory;
  if (memory.size_in_bytes < bytes.size)
    report("T12", info.name, "memory", violation_text("{} bytes", memory.size_in_bytes),
           violation_text("at least {}", bytes.size),
           violation_text("{} {} strides {}", name_of(desc.data_type), desc.sizes, effective_strides(desc)));
  if (memory.resource != nullptr) {
    const std::uint64_t promised = desc.guaranteed_base_offset_alignment;
    if (memory.size_in_bytes % 4 != 0)
      report("T12", info.name, "binding size", violation_text("{} bytes", memory.size_in_bytes),
             violation_text("a multiple of 4"));
    if (memory.offset_in_bytes % minimum_buffer_tensor_alignment != 0)
      report("T12", info.name, "binding offset", violation_text("{} bytes", memory.offset_in_bytes),
             violation_text("a multiple of {}", minimum_buffer_tensor_alignment));
    else if (promised != 0 && memory.offset_in_bytes % promised != 0)
      report("T12", info.name, "binding offset", violation_text("{} bytes", memory.offset_in_bytes),
             violation_text("a multiple of GuaranteedBaseOffsetAlignment {}", promised));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data);
  const std::uintptr_t alignment = element_alignment(desc.data_type);  // a power of two
  if (memory.offset_in_bytes % minimum_buffer_tensor_alignment == 0 && (address & (alignment - 1)) != 0)
    report("T12", info.name, "address", violation_text("{}", hexadecimal{address}),
           violation_text("a multiple of {} bytes", alignment));
}

// The only aliasing that in-place execution allows: the same tensor twice, in the same bytes.
inline bool same_tensor(const operand& a, const operand& b) {
  return a.desc->data_type == b.desc->data_type && a.desc->sizes == b.desc->sizes &&
         effective_strides(*a.desc) == effective_strides(*b.desc);
}

// `apart`: in one resource, in ranges that do not meet.
inline void report_pair(const operand_info& a_info, const operand_info& output_info, bool one_resource, bool apart,
                        const memory_policies& policies, const rule_report& report) {
  const bool is_input = a_info.role == operand_role::input;
  violation_text why;
  if (apart && policies.same_resource)
    why.append("policy same_resource disjoint allows it");
  else if (!apart && is_input && a_info.in_place)
    why.append(policies.in_place_is_policy ? "policy in_place allows exactly the same tensor in both"
                                           : "in place, both are exactly the same tensor");
  report("T12", output_info.name, "memory",
         is_input && one_resource && !allows_disjoint(policies) ? violation_text("in the resource of {}", a_info.name)
                                                                : violation_text("overlapping that of {}", a_info.name),
         violation_text("memory apart from it"), why);
}

}  // namespace detail

// Checks T12 for every operand that has memory, valid sizes and a data type with elements. `infos` are the rows of the
// operator's operands, and `bytes` is scratch space with one entry per operand.
inline void check_memory(std::span<const operand> operands, std::span<const operand_info> infos,
                         const memory_policies& policies, const rule_report& report,
                         std::span<detail::byte_range> bytes) {
  const auto checkable = [&](std::size_t i) {
    const operand& t = operands[i];
    return t.sound && t.desc && t.memory && element_size_in_bytes(t.desc->data_type) != 0;
  };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!checkable(i)) continue;
    bytes[i] = detail::bytes_of(operands[i]);
    const auto [info, element] = place_of_tensor(infos, i, operands.size());
    detail::check_range(operands[i], bytes[i], infos[info], report.of(infos[info], element));
  }
  for (std::size_t output = 0; output < operands.size(); ++output) {
    const auto [output_row, output_element] = place_of_tensor(infos, output, operands.size());
    const operand_info& output_info = infos[output_row];
    if (output_info.role != operand_role::output || !checkable(output)) continue;
    for (std::size_t i = 0; i < output; ++i) {
      if (!checkable(i)) continue;
      const operand_info& info = infos[place_of_tensor(infos, i, operands.size()).info];
      const bool is_input = info.role == operand_role::input;
      const bool one_resource = bytes[i].resource != nullptr && bytes[i].resource == bytes[output].resource;
      const bool apart = !bytes[i].meets(bytes[output]);
      if (apart && !(is_input && one_resource && !detail::allows_disjoint(policies))) continue;
      if (is_input && policies.in_place && info.in_place && bytes[i] == bytes[output] &&
          detail::same_tensor(operands[i], operands[output]))
        continue;
      detail::report_pair(info, output_info, one_resource, apart, policies, report.of(output_info, output_element));
    }
  }
}

}  // namespace goldml
