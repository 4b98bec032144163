// Draws cases from an operator's sampler until one matches the options.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/any_desc.hpp>
#include <goldml/oracle/any_operator.hpp>
#include <goldml/oracle/case_text.hpp>
#include <goldml/oracle/generate_options.hpp>

namespace goldml::oracle::detail {

// The number of draws after which a selection is considered impossible.
inline constexpr std::uint64_t most_draws = 20'000;

// Sets an attribute or a policy of a desc from NAME=VALUE. Throws error M10 for an unknown name or value.
inline void set_attribute(any_desc& desc, std::string_view text) {
  const operator_description& op = desc.description();
  const std::size_t equals = (std::min)(text.find('='), text.size());
  std::string known;
  for (const std::span<const attribute> rows : {op.attributes, op.policies})
    for (const attribute& a : rows) {
      if (equals < text.size() && a.name == text.substr(0, equals))
        return read_attribute(a, text.substr(equals + 1), desc.get());
      known += (known.empty() ? "" : ", ") + std::string(a.name);
    }
  case_reader::refuse(text, fmt::format("NAME=VALUE, NAME of {}: {}", op.name, known.empty() ? "none" : known));
}

template <class T>
bool is_wanted(const std::vector<T>& wanted, const T& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

class selection {
 public:
  // Throws error T11 if the level does not have the operator, M10 for unknown attributes and operands, and if there is
  // no class of data or no stride pattern to choose from, and M13 for sizes with too many elements.
  selection(const any_operator& op, const generate_options& options) : op_(&op), options_(&options) {
    any_desc desc(*op.description);
    desc.level() = options.feature_level;
    if (options.feature_level < op.first_level()) {
      std::vector<operand> none(op.operands().size());
      violation_sink sink;
      check(desc, none, sink);
      throw error(*sink.first());
    }
    const std::uint64_t most = options.most_elements.value_or(std::uint64_t{1} << 24);
    if (!options.sizes.empty() && element_count(options.sizes) > most)
      throw error({.rule = "M13",
                   .operator_name = op.name(),
                   .operand = "",
                   .member = "selection",
                   .index = {},
                   .got = violation_text("{}", text_of(options)),
                   .wanted = violation_text("at most {} elements of the main tensor", most),
                   .why = violation_text("most_elements")});
    if (options.data.empty()) case_reader::refuse("no data", "at least one class of data");
    if (options.strides.empty()) case_reader::refuse("no strides", "at least one stride pattern");
    for (const std::string& text : options.attributes) set_attribute(desc, text);
    for (const operand_types& wanted : options.operand_types) {
      const auto& infos = op.operands();
      if (std::none_of(infos.begin(), infos.end(), [&](const auto& info) { return info.name == wanted.operand; })) {
        std::string known;
        for (const operand_info& info : infos) known += (known.empty() ? "" : ", ") + std::string(info.name);
        case_reader::refuse(wanted.operand, "an operand: " + known);
      }
    }
  }

  // A legal case with packed tensors. Throws error M13 if none of most_draws cases matches.
  test_case<any_desc> sample(random_source& random) const {
    const generate_options& o = *options_;
    const bool all = o.data_types.empty() && o.dimension_counts.empty() && o.sizes.empty() && o.operand_types.empty() &&
                     o.attributes.empty();
    for (std::uint64_t draw = 0; draw < most_draws; ++draw) {
      if (!all) random.prefer(preference(random));
      test_case<any_desc> drawn = op_->sample(random, o.feature_level);
      drawn.desc.level() = o.feature_level;
      if (all) return drawn;
      for (const std::string& text : o.attributes) set_attribute(drawn.desc, text);
      if (op_->suit_policies != nullptr && is_as_wanted(drawn)) {
        op_->suit_policies(random, drawn);
        for (const std::string& text : o.attributes) set_attribute(drawn.desc, text);
      }
      if (is_as_wanted(drawn)) return drawn;
    }
    throw error(
        {.rule = "M13",
         .operator_name = op_->name(),
         .operand = "",
         .member = "selection",
         .index = {},
         .got = violation_text("{}", text_of(o)),
         .wanted = violation_text("one that some legal case fulfils"),
         .why = violation_text("at feature level {}; {} cases were drawn", name_of(o.feature_level), most_draws)});
  }

  // Whether a legal case has the data types, dimensions, sizes and operands of the options, and is legal at all if they
  // have attributes.
  bool is_as_wanted(const test_case<any_desc>& drawn) const {
    const generate_options& o = *options_;
    const tensor_desc* const main = main_tensor_of(*op_, drawn);
    if (main == nullptr) return false;
    const tensor_desc& tensor = *main;
    if (!is_wanted(o.data_types, tensor.data_type)) return false;
    if (!is_wanted(o.dimension_counts, static_cast<std::uint32_t>(tensor.sizes.size()))) return false;
    if (!o.sizes.empty() && tensor.sizes != o.sizes) return false;
    for (std::size_t i = 0; i < drawn.tensors.size(); ++i) {
      const std::string_view name = op_->description->info_of(i, drawn.tensors.size()).name;
      for (const operand_types& wanted : o.operand_types)
        if (name == wanted.operand && (!drawn.tensors[i] || !is_wanted(wanted.data_types, drawn.tensors[i]->data_type)))
          return false;
    }
    if (o.attributes.empty()) return true;  // the sampler's cases are legal
    auto operands = to_operands(drawn.tensors);
    violation_sink sink;
    check(drawn.desc, operands, sink);
    return !sink.first();
  }

 private:
  random_source::preference preference(random_source& random) const {
    const generate_options& o = *options_;
    random_source::preference result{.sizes = o.sizes};
    if (!o.data_types.empty()) result.data_type = o.data_types[random.below(o.data_types.size())];
    if (!o.dimension_counts.empty())
      result.most_dimensions = *std::max_element(o.dimension_counts.begin(), o.dimension_counts.end());
    return result;
  }

  static std::string names_of(const std::vector<data_type>& types) {
    std::string text;
    for (const data_type type : types) text += (text.empty() ? "" : ",") + std::string(name_of(type));
    return text;
  }

  static std::string text_of(const generate_options& o) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
    if (!o.data_types.empty()) add("data_types=" + names_of(o.data_types));
    if (!o.dimension_counts.empty()) {
      std::string counts;
      for (const std::uint32_t count : o.dimension_counts)
        counts += (counts.empty() ? "" : ",") + std::to_string(count);
      add("dimension_counts=" + counts);
    }
    if (!o.sizes.empty()) add(fmt::format("sizes={}", o.sizes));
    for (const operand_types& wanted : o.operand_types) add(wanted.operand + "=" + names_of(wanted.data_types));
    for (const std::string& attribute : o.attributes) add(attribute);
    return text;
  }

  const any_operator* op_;
  const generate_options* options_;
};

}  // namespace goldml::oracle::detail
