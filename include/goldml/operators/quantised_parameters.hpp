// Scales and zero points: a tensor of one element for a whole tensor, or of one for each line of it: each row, column
// or channel (SPEC-quantised 2.7; ledger QU-R8).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/core/violation.hpp>

namespace goldml::detail {

inline constexpr data_type_set quantised_bytes{data_type::int8, data_type::uint8};

// What the operators on matrices and convolutions of integers allow: 4 dimensions, and from 4_0 on also fewer.
namespace quantised_limits {
constexpr std::array<operand_limits, 2> with_fewest(data_type_set types, std::uint32_t fewest) {
  return {{{feature_level::level_2_1, types, 4, 4}, {feature_level::level_4_0, types, fewest, 4}}};
}
inline constexpr data_type_set words{data_type::int32}, floats{data_type::float32};
inline constexpr auto matrix = with_fewest(quantised_bytes, 2), matrix_of_words = with_fewest(words, 2),
                      image = with_fewest(quantised_bytes, 3), image_of_words = with_fewest(words, 3),
                      zero_point = with_fewest(quantised_bytes, 1), scale = with_fewest(floats, 1);
}  // namespace quantised_limits

// The axis that may have more than one element: counted from the last, of a vector its own; `any` one.
struct parameter_axis {
  static constexpr std::size_t any = 8;
  std::size_t from_last;

  bool allows(std::size_t axis, std::size_t rank) const {
    return from_last == any || rank == 1 || axis + from_last + 1 == rank;
  }
};
inline constexpr parameter_axis of_rows{1}, of_columns{0}, of_any_axis{parameter_axis::any};

// The rows of a scale and of a zero point in an operator's description.
constexpr operand_info scale_row(std::string_view name, same_as rank = {},
                                 std::span<const operand_limits> limits = quantised_limits::scale) {
  return {.name = name, .role = operand_role::input, .limits = limits, .same_rank_as = rank};
}
constexpr operand_info zero_point_row(std::string_view name, same_as type, same_as rank = {},
                                      std::span<const operand_limits> limits = quantised_limits::zero_point) {
  return {.name = name,
          .role = operand_role::input,
          .limits = limits,
          .optional = true,
          .same_data_type_as = type,
          .same_rank_as = rank};
}

// Whether such a tensor was given and breaks no rule on its data type and number of dimensions.
inline bool is_sound_parameter(std::span<const operand> all, std::span<const operand_info> rows, std::size_t i) {
  const operand& t = all[i];
  const auto agrees = [&](const same_as& as, const auto& same) {
    const operand& other = all[as.operand];
    return !as || !other.desc || (other.legal && same(*other.desc, *t.desc));
  };
  return t.desc && t.legal &&
         agrees(rows[i].same_data_type_as, [](const auto& x, const auto& y) { return x.data_type == y.data_type; }) &&
         agrees(rows[i].same_rank_as, [](const auto& x, const auto& y) { return x.sizes.size() == y.sizes.size(); });
}

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
