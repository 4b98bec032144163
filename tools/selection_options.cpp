#include "selection_options.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/suggestions.hpp>

namespace goldml::tool {

namespace {

data_type read_data_type(std::string_view option, std::string_view text) {
  const auto type = data_type_from_name(text);
  if (!type)
    io::refuse("M2", option, io::in_quotes(text), io::list_of_names(io::names_of_data_types()),
               io::did_you_mean(text, io::names_of_data_types()));
  return *type;
}

template <class Enum>
std::vector<Enum> read_enumerators(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<Enum> result;
  for (const std::string& text : texts) {
    const auto value = enumerator_from_name<Enum>(text);
    if (!value) {
      const std::vector<std::string_view> known = io::names_in(enumeration<Enum>::values);
      io::refuse("M2", option, io::in_quotes(text), io::list_of_names(known), io::did_you_mean(text, known));
    }
    result.push_back(*value);
  }
  return result;
}

// "IndicesTensor=INT32,INT64"
oracle::operand_types read_operand_types(std::string_view text) {
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

}  // namespace

void read_selection(const selection_text& given, oracle::generate_options& options) {
  for (const std::string& text : given.data_types) options.data_types.push_back(read_data_type("--data-types", text));
  options.dimension_counts = given.dimension_counts;
  if (given.sizes.size() > dimensions::capacity)
    io::refuse("M2", "--sizes", fmt::format("{} sizes", given.sizes.size()), "at most 8", "");
  options.sizes = dimensions(given.sizes);
  options.sizes_class = read_enumerators<oracle::sizes_class>("--sizes-class", {given.sizes_class}).front();
  if (!given.strides.empty()) options.strides = read_enumerators<oracle::stride_pattern>("--strides", given.strides);
  if (!given.data.empty()) options.data = read_enumerators<oracle::data_class>("--data", given.data);
  for (const std::string& text : given.operand_types) options.operand_types.push_back(read_operand_types(text));
  options.attributes = given.attributes;
}

}  // namespace goldml::tool
