// DML_FEATURE_LEVEL: which operators, data types and dimension counts exist.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace goldml {

// The values are DirectML's (0xMm00 for level M_m). Each level includes all lower ones.
enum class feature_level : std::uint32_t {
  level_1_0 = 0x1000,
  level_2_0 = 0x2000,
  level_2_1 = 0x2100,
  level_3_0 = 0x3000,
  level_3_1 = 0x3100,
  level_4_0 = 0x4000,
  level_4_1 = 0x4100,
  level_5_0 = 0x5000,
  level_5_1 = 0x5100,
  level_5_2 = 0x5200,
  level_6_0 = 0x6000,
  level_6_1 = 0x6100,
  level_6_2 = 0x6200,
  level_6_3 = 0x6300,
  level_6_4 = 0x6400,
  latest = level_6_4,
};

struct feature_level_name {
  feature_level value;
  std::string_view name;  // as in DML_FEATURE_LEVEL_5_1, without the prefix
};

// All levels, lowest first.
inline constexpr std::array<feature_level_name, 15> feature_levels{{
    {feature_level::level_1_0, "1_0"},
    {feature_level::level_2_0, "2_0"},
    {feature_level::level_2_1, "2_1"},
    {feature_level::level_3_0, "3_0"},
    {feature_level::level_3_1, "3_1"},
    {feature_level::level_4_0, "4_0"},
    {feature_level::level_4_1, "4_1"},
    {feature_level::level_5_0, "5_0"},
    {feature_level::level_5_1, "5_1"},
    {feature_level::level_5_2, "5_2"},
    {feature_level::level_6_0, "6_0"},
    {feature_level::level_6_1, "6_1"},
    {feature_level::level_6_2, "6_2"},
    {feature_level::level_6_3, "6_3"},
    {feature_level::level_6_4, "6_4"},
}};

constexpr std::string_view name_of(feature_level level) {
  for (const auto& entry : feature_levels)
    if (entry.value == level) return entry.name;
  return "not a feature level";
}

constexpr std::optional<feature_level> feature_level_from_name(std::string_view name) {
  for (const auto& entry : feature_levels)
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

}  // namespace goldml
