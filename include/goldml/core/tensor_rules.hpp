// The rules for all operators: T1..T10 for each tensor, T11 for the level, T12 for memory.
// They are reported in a fixed order: see validate.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/core/distinct_addresses.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

// One tensor as the rules see it.
struct operand {
  std::optional<tensor_desc> desc;     // none: the operand was not given
  std::optional<memory_range> memory;  // none: a desc alone is being validated
  std::string_view null_member = "";   // the C pointer that is null though the tensor was given: "Desc", "Sizes"
  bool sound = false;                  // set by check_tensor: sizes and strides are legal
  bool legal = false;                  // set by check: breaks none of T1..T10; an operator's own rules use no other
  bool open = false;                   // an output that is yet to be derived: the rules do not concern it
  std::uint64_t span = 0;              // set with `sound`: elements from the first addressed one to the last
};

inline operand to_operand(const tensor_desc& desc) { return {.desc = desc, .memory = {}}; }

template <class Void>
operand to_operand(const basic_tensor_ref<Void>& ref) {
  if (!ref.present()) return {};
  return {.desc = ref.desc(), .memory = ref.memory()};
}

template <class T>
operand to_operand(const tensor_view<T>& view) {
  operand result;
  tensor_desc& desc = result.desc.emplace();  // filled in place, because copies cost more than the rules
  desc.data_type = data_type_of<T>;
  desc.sizes = view.sizes();
  desc.strides = view.strides();
  result.memory = memory_of(view);
  return result;
}

// Adds the operator's name to each violation.
class rule_report {
 public:
  rule_report(std::string_view operator_name, violation_sink& sink) : operator_name_(operator_name), sink_(&sink) {}

  // The same for a tensor of an array, whose number is reported with the operand's name.
  rule_report of(const operand_info& info, std::size_t element) const {
    rule_report result = *this;
    if (info.is_array()) result.element_ = element;
    return result;
  }

  GOLDML_COLD void operator()(std::string_view rule, std::string_view operand, std::string_view member,
                              const violation_text& got, const violation_text& wanted, const violation_text& why = {},
                              std::optional<std::size_t> index = {}) const {
    sink_->add({rule, operator_name_, operand, member, index, got, wanted, why,
                element_ == no_element ? std::nullopt : std::optional(element_)});
  }

 private:
  static constexpr std::size_t no_element = (std::numeric_limits<std::size_t>::max)();

  std::string_view operator_name_;
  violation_sink* sink_;
  std::size_t element_ = no_element;
};

// DirectML counts elements in UINT32 (page of DML_BUFFER_TENSOR_DESC). The limit applies to the span too (ledger L1).
inline constexpr std::uint64_t most_elements = (std::numeric_limits<std::uint32_t>::max)();

namespace detail {

// T3: the data type exists and the operand takes it at the level. Returns whether the type has elements.
inline bool check_data_type(const tensor_desc& desc, const operand_info& info, const operand_limits& limits,
                            feature_level level, const rule_report& report) {
  if (!limits.data_types.contains(desc.data_type))
    report("T3", info.name, "DataType", violation_text("{}", name_of(desc.data_type)),
           violation_text("{}", limits.data_types), violation_text("at feature level {}", name_of(level)));
  return element_size_in_bits(desc.data_type) != 0;
}

// T4 and T5: the number of dimensions, and no size of 0. Returns whether both hold.
inline bool check_sizes(const tensor_desc& desc, const operand_info& info, const operand_limits& limits,
                        feature_level level, const rule_report& report) {
  bool legal = true;
  const dimensions& sizes = desc.sizes;
  if (sizes.overlong() || sizes.size() < limits.fewest_dimensions || sizes.size() > limits.most_dimensions) {
    legal = false;
    report("T4", info.name, "DimensionCount", violation_text("{}", sizes.given()),
           limits.fewest_dimensions == limits.most_dimensions
               ? violation_text("{}", limits.fewest_dimensions)
               : violation_text("{} to {}", limits.fewest_dimensions, limits.most_dimensions),
           violation_text("at feature level {}", name_of(level)));
  }
  if (!desc.strides.empty() && (desc.strides.size() != sizes.size() || desc.strides.overlong())) {
    legal = false;
    report("T4", info.name, "Strides", violation_text("{}", desc.strides),
           violation_text("as many entries as Sizes {}", sizes));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 0) {
      legal = false;
      report("T5", info.name, "Sizes", violation_text("0"), violation_text("at least 1"),
             violation_text("Sizes {}; DirectML has no empty tensors", sizes), i);
    }
  return legal;
}

// T6: at most 2^32-1 elements, counted logically and as `span`ned by the strides. Returns whether both hold.
inline bool check_extent(const tensor_desc& desc, const dimensions& strides, std::uint64_t span,
                         const operand_info& info, const rule_report& report) {
  const std::uint64_t count = element_count(desc.sizes);
  if (count > most_elements)
    report("T6", info.name, "Sizes", violation_text("{}", desc.sizes),
           violation_text("at most {} elements", most_elements));
  else if (span > most_elements)
    report("T6", info.name, "Strides", violation_text("{}", strides),
           violation_text("a span of at most {} elements", most_elements),
           violation_text("with Sizes {} they span {}", desc.sizes, span));
  return count <= most_elements && span <= most_elements;
}

// T6 (its upper limit), T7 and T8, which depend on the size of an element. Requires valid sizes and strides.
inline void check_bytes(const tensor_desc& desc, const dimensions& strides, std::uint64_t span,
                        const operand_info& info, const rule_report& report) {
  const std::uint64_t most = round_up_to_4(size_in_bytes_of(desc.data_type, most_elements));
  const std::uint64_t implied = round_up_to_4(size_in_bytes_of(desc.data_type, span));
  const std::uint64_t total = desc.total_tensor_size_in_bytes.value_or(implied);
  if (total > most)
    report("T6", info.name, "TotalTensorSizeInBytes", violation_text("{}", total), violation_text("at most {}", most));
  if (total < implied)
    report("T7", info.name, "TotalTensorSizeInBytes", violation_text("{}", total),
           violation_text("at least {}", implied),
           violation_text("{} {} strides {}", name_of(desc.data_type), desc.sizes, strides));
}

inline void check_alignment_promise(const tensor_desc& desc, const operand_info& info, const rule_report& report) {
  const std::uint32_t alignment = desc.guaranteed_base_offset_alignment;
  const std::uint32_t element_bytes = (std::max)(std::uint32_t{1}, element_size_in_bytes(desc.data_type));
  if (alignment != 0 && (!std::has_single_bit(alignment) || alignment < element_bytes))
    report("T8", info.name, "GuaranteedBaseOffsetAlignment", violation_text("{}", alignment),
           violation_text("0, or a power of two of at least {} bytes", element_bytes));
}

// T9: an output's elements must not share addresses (the pages describe stride 0 for reading only).
inline void check_distinct(const tensor_desc& desc, const dimensions& strides, const operand_info& info,
                           const rule_report& report) {
  const address_sharing sharing = addresses_shared(desc.sizes, strides);
  if (sharing != address_sharing::distinct)
    report("T9", info.name, "Strides", violation_text("{}", strides),
           violation_text("strides that give each element of an output an address of its own"),
           violation_text("with Sizes {} {}", desc.sizes,
                          sharing == address_sharing::shared ? "two elements share one" : "not provably distinct"));
}

inline void check_flags(const tensor_desc& desc, const operand_info& info, const rule_report& report) {
  const auto flags = static_cast<std::uint32_t>(desc.flags);
  const auto owned = static_cast<std::uint32_t>(tensor_flags::owned_by_dml);
  if ((flags & ~owned) != 0)
    report("T10", info.name, "Flags", violation_text("{}", hexadecimal{flags}), violation_text("NONE or OWNED_BY_DML"));
  else if (info.role == operand_role::output && flags != 0)
    report("T10", info.name, "Flags", violation_text("OWNED_BY_DML"), violation_text("NONE on an output"));
}

}  // namespace detail

// Checks T1..T10 on one tensor, in this order. `limits` are those of the level. Sets t.sound.
inline void check_tensor(operand& t, const operand_info& info, const operand_limits& limits, feature_level level,
                         const rule_report& report) {
  t.sound = false;
  if (!t.desc) {
    t.sound = is_optional_at(info, level);
    if (!t.sound) report("T1", info.name, "", violation_text("null"), violation_text("a tensor"));
    return;
  }
  if (!t.null_member.empty()) {
    report("T1", info.name, t.null_member, violation_text("null"), violation_text("a pointer"));
    return;
  }
  if (t.memory && t.memory->data == nullptr && t.memory->resource == nullptr && t.memory->size_in_bytes != 0)
    report("T1", info.name, "data", violation_text("null"), violation_text("a pointer to the elements"));
  const tensor_desc& desc = *t.desc;
  if (desc.type != tensor_type::buffer)
    report("T2", info.name, "Type", violation_text("{}", static_cast<std::uint32_t>(desc.type)),
           violation_text("{} (DML_TENSOR_TYPE_BUFFER)", static_cast<std::uint32_t>(tensor_type::buffer)));
  const bool has_elements = detail::check_data_type(desc, info, limits, level, report);
  dimensions packed;
  const dimensions& strides = desc.strides.empty() ? packed : desc.strides;
  if (detail::check_sizes(desc, info, limits, level, report)) {
    if (desc.strides.empty()) packed = packed_strides(desc.sizes);
    t.span = saturating_add(last_index(desc.sizes, strides), 1);
    t.sound = detail::check_extent(desc, strides, t.span, info, report);
    if (t.sound && has_elements) detail::check_bytes(desc, strides, t.span, info, report);
  }
  if (has_elements) detail::check_alignment_promise(desc, info, report);
  if (t.sound && info.role == operand_role::output) detail::check_distinct(desc, strides, info, report);
  detail::check_flags(desc, info, report);
}

}  // namespace goldml
