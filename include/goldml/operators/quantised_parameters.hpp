// Scales and zero points: a tensor of one element for a whole tensor, or of one for each line of it: each row, column
// or channel (SPEC-quantised 2.7; ledger QU-R8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/core/violation.hpp>

namespace goldml::detail {

inline constexpr data_type_set quantised_bytes{data_type::int8, data_type::uint8};

// The axis that may have more than one element: counted from the last, of a vector its own; `any` one.
struct parameter_axis {
  static constexpr std::size_t any = 8;
  std::size_t from_last;

  bool allows(std::size_t axis, std::size_t rank) const {
    return from_last == any || rank == 1 || axis + from_last + 1 == rank;
  }
};
inline constexpr parameter_axis of_rows{1}, of_columns{0}, of_any_axis{parameter_axis::any};

// Whether the sizes are 1, but on one such axis perhaps `count`.
inline bool has_parameter_sizes(const dimensions& sizes, parameter_axis axis, std::uint32_t count) {
  bool found = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (found || sizes[i] != count || !axis.allows(i, sizes.size())) return false;
    found = true;
  }
  return true;
}

inline void check_parameter_sizes(std::string_view rule, std::string_view name, const operand& t, parameter_axis axis,
                                  std::uint32_t count, std::string_view lines, const rule_report& report) {
  if (t.desc && t.legal && !has_parameter_sizes(t.desc->sizes, axis, count))
    report(rule, name, "Sizes", violation_text("{}", t.desc->sizes),
           count == 1 ? violation_text("one element") : violation_text("one element or {}", count),
           violation_text("{}", lines));
}

// The axis with more than one element; the first if there is none.
inline std::size_t parameter_axis_of(const dimensions& sizes) {
  std::size_t axis = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 1) axis = i;
  return axis;
}

// The numbers of the lines; 0 if the tensor is absent.
template <class T>
class line_parameters {
 public:
  explicit line_parameters(const std::optional<tensor_view<const T>>& t) {
    if (!t) return;
    data_ = t->data();
    const std::size_t axis = parameter_axis_of(t->sizes());
    stride_ = t->sizes()[axis] == 1 ? 0 : t->strides()[axis];
  }
  T at(std::uint64_t line) const { return data_ == nullptr ? T(0) : data_[line * stride_]; }

 private:
  const T* data_ = nullptr;
  std::uint64_t stride_ = 0;
};

// The low 32 bits of a sum, as the integer arithmetic of Direct3D has it.
inline std::int32_t low_word(std::int64_t sum) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)); }

}  // namespace goldml::detail
