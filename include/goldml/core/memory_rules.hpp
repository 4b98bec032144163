// Rule T12: the memory of operands. There are two kinds: ranges of buffer resources, which follow DirectML's binding
// rules, and plain memory, which needs no padding and only the alignment alignof(T).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <goldml/core/cold.hpp>
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
  if constexpr (operator_traits<Desc>::options.in_place) {
    result.in_place = true;
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
  const void* resource = nullptr;  // null: plain memory
  std::uint64_t first = 0;         // an offset in the resource, or an address
  std::uint64_t size = 0;

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
  const std::uint64_t addressed = size_in_bytes_of(desc.data_type, t.span);
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

// For each range whether it meets an earlier one. Takes n log n steps, because a model may have any number of outputs.
GOLDML_COLD inline std::vector<char> meets_earlier(std::span<const byte_range> ranges) {
  const std::size_t count = ranges.size();
  std::vector<std::size_t> order(count), next(count + 1);  // order: by the resource and the first byte
  for (std::size_t i = 0; i < count; ++i) order[i] = next[i] = i;
  next[count] = count;
  const auto before = [](const byte_range& a, const byte_range& b) {
    return a.resource == b.resource
               ? a.first < b.first
               : reinterpret_cast<std::uintptr_t>(a.resource) < reinterpret_cast<std::uintptr_t>(b.resource);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(ranges[a], ranges[b]); });
  const auto place_of = [&](const byte_range& range) {
    return static_cast<std::size_t>(
        std::lower_bound(order.begin(), order.end(), range,
                         [&](std::size_t i, const byte_range& r) { return before(ranges[i], r); }) -
        order.begin());
  };
  // Two ranges meet if and only if both cover the first byte of one of them. A place of `order` is taken if an earlier
  // range covers its first byte. From a place that is taken, `next` leads to the first one after it that is not.
  const auto free_from = [&](std::size_t place) {
    while (next[place] != place) place = next[place] = next[next[place]];
    return place;
  };
  std::vector<char> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    byte_range behind = ranges[i];
    if (behind.size == 0) continue;
    behind.first = saturating_add(behind.first, behind.size);
    const std::size_t end = place_of(behind);
    for (std::size_t place = place_of(ranges[i]); place < end; ++place) {
      const std::size_t free = free_from(place);
      if (free != place) result[i] = 1;
      if (free < end) next[free] = free + 1;
      place = free;
    }
  }
  return result;
}

}  // namespace detail

// Checks T12 for every operand that has memory, valid sizes and a data type with elements. `infos` are the rows of the
// operator's operands, and `bytes` is scratch space with one entry per operand. An output is reported once for each
// earlier operand that it must not share memory with, an array being one.
inline void check_memory(std::span<const operand> operands, std::span<const operand_info> infos,
                         const memory_policies& policies, const rule_report& report,
                         std::span<detail::byte_range> bytes) {
  const auto checkable = [&](std::size_t i) {
    const operand& t = operands[i];
    return t.sound && t.desc && t.memory && element_size_in_bits(t.desc->data_type) != 0;
  };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!checkable(i)) continue;
    bytes[i] = detail::bytes_of(operands[i]);
    const auto [info, element] = place_of_tensor(infos, i, operands.size());
    detail::check_range(operands[i], bytes[i], infos[info], report.of(infos[info], element));
  }
  const auto must_not_share = [&](const operand_info& info, std::size_t i, std::size_t output) {
    const bool is_input = info.role == operand_role::input;
    const bool one_resource = bytes[i].resource != nullptr && bytes[i].resource == bytes[output].resource;
    if (!bytes[i].meets(bytes[output])) return is_input && one_resource && !detail::allows_disjoint(policies);
    return !(is_input && policies.in_place && info.in_place && bytes[i] == bytes[output] &&
             detail::same_tensor(operands[i], operands[output]));
  };
  for (std::size_t row = 0; row < infos.size(); ++row) {
    if (infos[row].role != operand_role::output) continue;
    const std::size_t first = first_tensor(infos, row, operands.size());
    const std::size_t count = tensor_count(infos, row, operands.size());
    std::vector<char> meets;  // an earlier element of the same array
    if (infos[row].is_array()) meets = detail::meets_earlier(bytes.subspan(first, count));
    for (std::size_t output = first; output < first + count; ++output) {
      if (!checkable(output)) continue;
      const rule_report report_output = report.of(infos[row], output - first);
      std::size_t i = 0;
      for (std::size_t other = 0; other < row; ++other) {
        const std::size_t end = i + tensor_count(infos, other, operands.size());
        while (i < end && !(checkable(i) && must_not_share(infos[other], i, output))) ++i;
        if (i < end)
          detail::report_pair(infos[other], infos[row],
                              bytes[i].resource != nullptr && bytes[i].resource == bytes[output].resource,
                              !bytes[i].meets(bytes[output]), policies, report_output);
        i = end;
      }
      if (!meets.empty() && meets[output - first] != 0)
        detail::report_pair(infos[row], infos[row], bytes[output].resource != nullptr, false, policies, report_output);
    }
  }
}

}  // namespace goldml
