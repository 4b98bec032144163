// Rules on attributes that are a DML_SCALAR_UNION with a data type.
#pragma once

#include <string_view>

#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_rules.hpp>

namespace goldml::detail {

// How a value of the type is written in C++.
constexpr std::string_view scalar_example(data_type type) {
  switch (type) {
    case data_type::float32:
      return "1.0f";
    case data_type::float64:
      return "1.0";
    case data_type::float16:
      return "goldml::float16(1)";
    case data_type::int32:
      return "1";
    case data_type::uint32:
      return "1u";
    case data_type::int8:
      return "std::int8_t{1}";
    case data_type::uint8:
      return "std::uint8_t{1}";
    case data_type::int16:
      return "std::int16_t{1}";
    case data_type::uint16:
      return "std::uint16_t{1}";
    case data_type::int64:
      return "std::int64_t{1}";
    case data_type::uint64:
      return "std::uint64_t{1}";
    case data_type::unknown:
    case data_type::uint4:
    case data_type::int4:
      break;
  }
  return "";
}

// Checks that the value, if given, has the output's data type. `companion` is DirectML's member with the type, `member`
// the desc's member with the value.
inline void check_value_type(std::string_view rule, std::string_view companion, std::string_view member,
                             const scalar& value, const operand& output, const rule_report& report) {
  const auto type = value.type();
  if (!type || !output.legal || *type == output.desc->data_type) return;
  const std::string_view example = scalar_example(output.desc->data_type);
  report(rule, "", companion, violation_text("{}", value), violation_text("{}", name_of(output.desc->data_type)),
         example.empty() ? violation_text("the output's; write a value of that type")
                         : violation_text("the output's; write .{} = {}", member, example));
}

}  // namespace goldml::detail
