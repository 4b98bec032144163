// The rules on an activation that an operator fuses, AR7 to AR10, for every operator that has one. What it computes is
// in arithmetic/fused.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/arithmetic/activations.hpp>
#include <goldml/core/activation_rules.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml::detail {

// The operators that fuse: CONVOLUTION and GEMM also CLIP, GEMM SOFTMAX, and recurrent layers SWISH and HARD_SWISH
// (ledger AR-R11, LS-R6).
enum class fusing_operator : std::uint8_t { element_wise, convolution, gemm, recurrent };

inline constexpr std::uint32_t element_wise_clip_number = 8;
inline constexpr std::uint32_t activation_softmax_number = 48;
inline constexpr std::uint32_t activation_softmax1_number = 158;

constexpr bool is_softmax(std::uint32_t fused) {
  return fused == activation_softmax_number || fused == activation_softmax1_number;
}

// Whether an operator fuses this one at a level, by DirectML's number.
constexpr bool is_fused_by(std::uint32_t fused, fusing_operator host, feature_level level) {
  if (is_softmax(fused)) return host == fusing_operator::gemm && level >= feature_level::level_6_1;
  if (fused == element_wise_clip_number)
    return (host == fusing_operator::convolution || host == fusing_operator::gemm) && level >= feature_level::level_6_0;
  // The activation must exist at the level: these are newer than 1_0.
  if (fused == static_cast<std::uint32_t>(arithmetic::activation_type::celu)) return level >= feature_level::level_3_0;
  if (fused == static_cast<std::uint32_t>(arithmetic::activation_type::shrink))
    return level >= feature_level::level_2_0;
  if (fused == static_cast<std::uint32_t>(arithmetic::activation_type::gelu)) return level >= feature_level::level_5_1;
  if (fused == static_cast<std::uint32_t>(arithmetic::activation_type::swish) ||
      fused == static_cast<std::uint32_t>(arithmetic::activation_type::hard_swish))
    return host == fusing_operator::recurrent && level >= feature_level::level_6_2;
  return find_activation(fused) != nullptr;
}

// The work of a fused activation of that many exact numbers.
inline work_counts work_of_fused(const std::optional<activation>& f, std::uint64_t count) {
  if (!f) return {};
  if (!is_softmax(f->operator_type)) return arithmetic::work_of(arithmetic::type_of(*f), count);
  return {.results = count, .functions = saturating_multiply(2, count), .judged = count};
}

// The axes of a slice of a fused SOFTMAX, jointly; nothing if f is none. Of SOFTMAX the last.
inline std::optional<dimensions> fused_softmax_axes(const std::optional<activation>& f, std::size_t rank) {
  if (!f || !is_softmax(f->operator_type)) return {};
  if (f->operator_type == activation_softmax1_number) return f->axes;
  return dimensions{static_cast<std::uint32_t>(rank - 1)};
}

// AR7: its tensors are null. AR8: the operator fuses it at this level. AR9: its parameters are finite; the bounds of
// CLIP may be infinite, and its ScaleBias is anything. AR10: SOFTPLUS has a Steepness of at least 1 before 6_4.
// `member` is DirectML's name of the attribute, `index` the place in a list.
inline void check_fused(std::string_view member, const activation& f, fusing_operator host, feature_level level,
                        const rule_report& report, std::optional<std::size_t> index = {}) {
  check_no_tensors("AR7", member, f, report, index);
  const activation_info* info = find_activation(f.operator_type);
  const auto name = [&] {
    return info != nullptr ? violation_text("{}", info->name) : violation_text("operator {}", f.operator_type);
  };
  if (!is_fused_by(f.operator_type, host, level))
    return report("AR8", "", member, name(), violation_text("an activation that this operator fuses"),
                  violation_text("at feature level {}", name_of(level)), index);
  const auto is_finite = [](float x) { return magnitude_bits(x) < float_bits<float>::infinity; };
  const bool may_be_infinite = f.operator_type == element_wise_clip_number;
  for (std::size_t i = 0; i < info->parameter_count(); ++i)
    if (is_nan(f.parameters[i]) || (!may_be_infinite && !is_finite(f.parameters[i])))
      report("AR9", "", member,
             violation_text("{} with {} {}", info->name, info->parameters[i], scalar(f.parameters[i])),
             violation_text("{}", may_be_infinite ? "numbers or infinities" : "finite parameters"), {}, index);
  if (arithmetic::type_of(f) == arithmetic::activation_type::softplus && level < feature_level::level_6_4 &&
      f.parameters[0] < 1 && is_finite(f.parameters[0]))
    report("AR10", "", member, violation_text("ACTIVATION_SOFTPLUS with Steepness {}", scalar(f.parameters[0])),
           violation_text("a Steepness of at least 1"), violation_text("before feature level 6_4"), index);
}
inline void check_fused(std::string_view member, const std::optional<activation>& f, fusing_operator host,
                        feature_level level, const rule_report& report) {
  if (f) check_fused(member, *f, host, level, report);
}
inline void check_fused(std::string_view member, const activation_list& list, fusing_operator host, feature_level level,
                        const rule_report& report) {
  for (std::size_t i = 0; i < list.size(); ++i) check_fused(member, list[i], host, level, report, i);
}

}  // namespace goldml::detail
