// What `goldml tolerance` finds, as text and as members of its JSON document.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string_view>
#include <vector>

#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/tolerance.hpp>

#include "json_result.hpp"

namespace goldml::tool {

// The cases of one operator.
struct searched_cases {
  oracle::tolerance_search search;
  std::uint64_t cases = 0;
};

struct found_tolerance {
  std::string_view operator_name;
  std::uint64_t cases;
  oracle::tolerance tolerance;  // of the outputs of one data type
};

class tolerance_searches {
 public:
  explicit tolerance_searches(const oracle::compare_options& options) : options_(options) {}

  void add(const oracle::generated_case<any_desc>& c);
  // By operator, in the order of their names, and by data type.
  std::vector<found_tolerance> found();

 private:
  oracle::compare_options options_;
  std::map<std::string_view, searched_cases> operators_;
};

void print_tolerances(const std::vector<found_tolerance>& found, std::ostream& out);
void write_tolerances(json_writer& json, const std::vector<found_tolerance>& found);

}  // namespace goldml::tool
