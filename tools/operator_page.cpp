#include "operator_page.hpp"

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <goldml/io/attributes_json.hpp>

namespace goldml::tool {

namespace {

// DirectML's type of an attribute, without its enumerators.
std::string type_of(const attribute& a) {
  switch (a.kind) {
    case attribute_kind::uint32:
      return "UINT";
    case attribute_kind::int32:
      return "INT";
    case attribute_kind::uint64:
      return "UINT64";
    case attribute_kind::float32:
      return "FLOAT";
    case attribute_kind::boolean:
      return "BOOL";
    case attribute_kind::enumeration:
      return a.names.prefix.empty() ? "enumeration" : std::string(a.names.prefix.substr(0, a.names.prefix.size() - 1));
    case attribute_kind::list_of_uint32:
      return fmt::format("list of UINT, with {}", a.companion);
    case attribute_kind::list_of_int32:
      return fmt::format("list of INT, with {}", a.companion);
    case attribute_kind::list_of_float32:
      return fmt::format("list of FLOAT, with {}", a.companion);
    case attribute_kind::list_of_activation:
      return fmt::format("list of activations, with {}", a.companion);
    case attribute_kind::scalar:
      return fmt::format("number of the data type {}", a.companion);
    case attribute_kind::size_2d:
      return "DML_SIZE_2D";
    case attribute_kind::scale_bias:
      return "DML_SCALE_BIAS, optional";
    case attribute_kind::activation:
      return "activation, optional";
  }
  return "";
}

// The values of an enumeration.
std::vector<std::string> values_of(const attribute& a) {
  std::vector<std::string> values;
  for (const enumerator_row& row : a.names.rows) values.emplace_back(row.name);
  return values;
}

// The value in a default desc, as a model has it but without the prefix of an enumerator; "" if it is absent.
std::string default_of(const attribute& a, const any_desc& desc) {
  if (a.kind == attribute_kind::enumeration)
    return std::string(a.names.name_of(load_enumerator(a.address(desc.get()))).value_or(""));
  const std::string value = io::detail::json_value(a, desc.get());
  return value == "null" ? "" : value;
}

// The likenesses to other operands: "DataType as ATensor (GM1)".
std::vector<std::string> likenesses_of(const operator_description& op, const operand_info& info) {
  std::vector<std::string> texts;
  for (const auto& [what, as] :
       {std::pair{"DataType", info.same_data_type_as}, std::pair{"DimensionCount", info.same_rank_as},
        std::pair{"Sizes", info.same_sizes_as}})
    if (as) texts.push_back(fmt::format("{} as {} ({})", what, op.operands[as.operand].name, as.rule));
  if (const auto& [as, level] = info.same_data_type_below; as)
    texts.push_back(fmt::format("DataType as {} below {} ({})", op.operands[as.operand].name, name_of(level), as.rule));
  return texts;
}

std::vector<std::string> data_types_of(const operand_limits& limits) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < goldml::detail::data_type_table.size(); ++i)
    if (limits.data_types.contains(static_cast<data_type>(i)))
      names.emplace_back(goldml::detail::data_type_table[i].name);
  return names;
}

std::string dimensions_text(const operand_limits& limits) {
  if (limits.fewest_dimensions != limits.most_dimensions)
    return fmt::format("{} to {} dimensions", limits.fewest_dimensions, limits.most_dimensions);
  return fmt::format("{} {}", limits.most_dimensions, limits.most_dimensions == 1 ? "dimension" : "dimensions");
}

void print_attribute(const attribute& a, const any_desc& desc, std::ostream& out) {
  const std::string value = default_of(a, desc);
  out << fmt::format("  {}: {}{}{}\n", a.name, type_of(a),
                     a.names.rows.empty() ? "" : fmt::format(" {}", fmt::join(values_of(a), ", ")),
                     value.empty() ? "" : fmt::format("; default {}", value));
}

}  // namespace

void print_operator(const operator_description& op, std::ostream& out) {
  const any_desc desc(op);
  out << "operands, and what they take from a feature level on:\n";
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const operand_info& info = op.operands[i];
    out << fmt::format("  {}: {}{}{}", info.name, info.is_array() ? fmt::format("{} ", info.count) : "",
                       info.role == operand_role::input ? "input" : "output", info.is_array() ? "s" : "");
    if (info.optional) out << ", optional";
    for (const std::string& likeness : likenesses_of(op, info)) out << "; " << likeness;
    out << '\n';
    for (const operand_limits& limits : info.limits)
      out << fmt::format("    {}: {}; {}\n", name_of(limits.from), fmt::join(data_types_of(limits), ", "),
                         dimensions_text(limits));
    if (op.limits(desc.get(), i).data() != info.limits.data()) out << "    (by its attributes: some take fewer)\n";
  }
  if (!op.attributes.empty()) out << "attributes, with the defaults of C++, Python and case lines:\n";
  for (const attribute& a : op.attributes) print_attribute(a, desc, out);
  if (!op.policies.empty()) out << "policies of goldml:\n";
  for (const attribute& policy : op.policies) print_attribute(policy, desc, out);
}

void write_operator(json_writer& writer, const operator_description& op) {
  const any_desc desc(op);
  writer.key("operands").list(op.operands, [&](const operand_info& info) {
    writer.object([&] {
      writer.key("name").text(info.name);
      writer.key("role").text(info.role == operand_role::input ? "input" : "output");
      writer.key("optional").flag(info.optional);
      if (info.is_array()) writer.key("count").text(info.count);
      writer.key("levels").list(info.limits, [&](const operand_limits& limits) {
        writer.object([&] {
          writer.key("from").text(name_of(limits.from));
          writer.key("data_types").texts(data_types_of(limits));
          writer.key("fewest_dimensions").count(limits.fewest_dimensions);
          writer.key("most_dimensions").count(limits.most_dimensions);
        });
      });
    });
  });
  const auto write = [&](std::string_view key, std::span<const attribute> attributes) {
    writer.key(key).list(attributes, [&](const attribute& a) {
      writer.object([&] {
        writer.key("name").text(a.name);
        writer.key("type").text(type_of(a));
        if (!a.names.rows.empty()) writer.key("values").texts(values_of(a));
        if (const std::string value = default_of(a, desc); !value.empty()) writer.key("default").text(value);
      });
    });
  };
  write("attributes", op.attributes);
  write("policies", op.policies);
}

}  // namespace goldml::tool
