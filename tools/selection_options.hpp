// The options of `goldml generate` that choose cases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <goldml/oracle/generate_options.hpp>

namespace goldml::tool {

// The options as text.
struct selection_text {
  std::vector<std::string> data_types;
  std::vector<std::uint32_t> dimension_counts;
  std::vector<std::uint32_t> sizes;
  std::string sizes_class = "mixed";
  std::vector<std::string> strides;
  std::vector<std::string> data;
  std::vector<std::string> operand_types;
  std::vector<std::string> attributes;
};

// Throws error M2 for unknown names and for more than 8 sizes.
void read_selection(const selection_text& given, oracle::generate_options& options);

}  // namespace goldml::tool
