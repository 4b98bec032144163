// Random activations that operators fuse, and ways to break their rules.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <goldml/operators/fused_activation.hpp>
#include <goldml/oracle/arithmetic_data.hpp>

namespace goldml::oracle::detail {

// An activation of one element that every operator that fuses has at this level.
inline activation random_fused(random_source& random, feature_level level) {
  const activation_info* info = nullptr;
  do {
    info = &activation_table[static_cast<std::size_t>(random.below(activation_table.size()))];
  } while (!goldml::detail::is_fused_by(info->operator_type, goldml::detail::fusing_operator::element_wise, level));
  activation f{.operator_type = info->operator_type};
  // Quarters from -2 to 2, or a number with a full significand. Of SOFTPLUS at least 1.
  for (std::size_t i = 0; i < info->parameter_count(); ++i) {
    float& value = f.parameters[i];
    value = static_cast<float>(random.between(-8, 8)) / 4;
    if (random.chance(30)) value = full_number<float>(random);
    if (arithmetic::type_of(f) == arithmetic::activation_type::softplus) value = 1 + (value < 0 ? -value : value);
  }
  return f;
}

// Makes it break a rule, whose code is returned.
inline std::string_view break_fused(random_source& random, std::optional<activation>& given, feature_level level) {
  activation f = random_fused(random, level);
  std::string_view code;
  switch (random.below(level < feature_level::level_6_4 ? 4 : 3)) {
    case 0:
      f.has_tensors = true;
      code = "AR7";
      break;
    case 1:
      f = {.operator_type = random.chance(50) ? 36U : 2U};  // HARDMAX, ELEMENT_WISE_ABS
      code = "AR8";
      break;
    case 2: {
      f = activations::linear(1, 1);
      constexpr float infinity = std::numeric_limits<float>::infinity();
      f.parameters[random.below(2)] = random.chance(50) ? infinity : std::numeric_limits<float>::quiet_NaN();
      code = "AR9";
      break;
    }
    default:
      f = activations::softplus(0.5F);
      code = "AR10";
  }
  given = f;
  return code;
}

}  // namespace goldml::oracle::detail
