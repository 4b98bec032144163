// An operator with one output, described but for its options.
#pragma once

#include <goldml/goldml.hpp>

struct small_desc {
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct small_description {
  static constexpr std::string_view name = "SMALL";
  static constexpr std::uint32_t enumerator = 0;
  static constexpr std::array<goldml::operand_limits, 1> limits{
      {{goldml::feature_level::level_1_0, goldml::data_types_f, 1, 8}}};
  static constexpr std::array<goldml::operand_info, 1> operands{
      {{.name = "OutputTensor", .role = goldml::operand_role::output, .limits = limits}}};
  static constexpr auto& attributes = goldml::no_attributes;
  static constexpr auto& policies = goldml::no_attributes;
};
