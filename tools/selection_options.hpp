// The options of `goldml generate` that choose cases.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/oracle/generate_options.hpp>

namespace goldml::tool {

// As they were typed.
struct selection_text {
  std::vector<std::string> data_types;
  std::vector<std::uint32_t> dimension_counts;
  std::vector<std::uint32_t> sizes;
  std::vector<std::string> strides;
  std::vector<std::string> data;
  std::vector<std::string> operand_types;
  std::vector<std::string> attributes;
};

inline void add_selection_options(CLI::App& command, selection_text& given) {
  const auto list = [&](const char* name, auto& values, const char* help) {
    command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
  };
  list("--data-types", given.data_types, "of the first tensor, such as FLOAT32,INT8");
  list("--dimension-counts", given.dimension_counts, "of the first tensor, such as 2,4");
  list("--sizes", given.sizes, "of the first tensor, such as 2,3,4");
  list("--strides", given.strides, "packed, permuted, padded, broadcast, overlapping, interleaved");
  list("--data", given.data, "classes of input values, such as ties,special");
  command.add_option("--operand-types", given.operand_types, "of one operand, such as IndicesTensor=INT32,INT64")
      ->allow_extra_args(false);
  command.add_option("--attribute", given.attributes, "NAME=VALUE of an attribute or a policy, such as Axes={1}")
      ->allow_extra_args(false);
}

namespace detail {

inline data_type read_data_type(std::string_view option, std::string_view text) {
  const auto type = data_type_from_name(text);
  if (!type) io::refuse("M2", option, io::in_quotes(text), "a data type such as FLOAT32", "");
  return *type;
}

template <class Enum>
std::vector<Enum> read_enumerators(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<Enum> result;
  for (const std::string& text : texts) {
    const auto value = enumerator_from_name<Enum>(text);
    std::string known;
    for (const auto& entry : enumeration<Enum>::values) known += (known.empty() ? "" : ", ") + std::string(entry.name);
    if (!value) io::refuse("M2", option, io::in_quotes(text), known, "");
    result.push_back(*value);
  }
  return result;
}

// "IndicesTensor=INT32,INT64"
inline oracle::operand_types read_operand_types(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    io::refuse("M2", "--operand-types", io::in_quotes(text), "such as IndicesTensor=INT32,INT64", "");
  oracle::operand_types result{std::string(text.substr(0, equals)), {}};
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = (std::min)(text.find(',', begin), text.size());
    result.data_types.push_back(read_data_type("--operand-types", text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return result;
}

}  // namespace detail

// Throws error M2 for names that do not exist and for more than 8 sizes.
inline void read_selection(const selection_text& given, oracle::generate_options& options) {
  for (const std::string& text : given.data_types)
    options.data_types.push_back(detail::read_data_type("--data-types", text));
  options.dimension_counts = given.dimension_counts;
  if (given.sizes.size() > dimensions::capacity)
    io::refuse("M2", "--sizes", fmt::format("{} sizes", given.sizes.size()), "at most 8", "");
  options.sizes = dimensions(given.sizes);
  if (!given.strides.empty())
    options.strides = detail::read_enumerators<oracle::stride_pattern>("--strides", given.strides);
  if (!given.data.empty()) options.data = detail::read_enumerators<oracle::data_class>("--data", given.data);
  for (const std::string& text : given.operand_types) options.operand_types.push_back(detail::read_operand_types(text));
  options.attributes = given.attributes;
}

}  // namespace goldml::tool
