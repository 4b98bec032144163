// The subcommands of the program, after its arguments have been read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/feature_level.hpp>

#include "backends.hpp"
#include "check.hpp"
#include "corpus_options.hpp"
#include "json_result.hpp"
#include "selection_options.hpp"
#include "system_memory.hpp"

namespace goldml::tool {

struct arguments {
  std::string model;
  std::string case_line;  // in place of a model
  backend_choice backend;
  bool explain = false;
  std::optional<std::string> output_folder;
  bool beside_model = false;
  bool overwrite = false;
  bool dxdispatch_format = false;
  std::string feature_level = std::string(name_of(feature_level::latest));
  std::uint64_t max_memory = default_max_memory(system_memory());
  std::uint64_t max_work = io::default_max_work;
  bool allow_outside = false;
  bool portable = false;
  bool json = false;
  std::vector<std::string> policies;
  // check
  std::vector<std::string> actuals;
  std::string actual_folder;
  std::string again_folder;
  check_options check;
  bool strict = false;
  bool either_zero = false;
  bool nearest_even = false;
  std::string rcp = "accept";
  std::string functions = "conformance";
  bool keep_gaps = false;
  std::string report_folder;
  std::string command_line;  // as words of a shell
  // generate, list, tolerance
  std::vector<std::string> operator_names;
  // generate
  std::string shard = "0/1";  // also of check
  selection_text selection;
  corpus_options corpus;  // of tolerance: what is generated
  // tolerance
  std::string corpus_folder;
  // merge
  std::vector<std::string> parts;
};

// Exit statuses, besides those of oracle::tally.
inline constexpr int refused = 2;
inline constexpr int bug = 70;

// Each returns the exit status, and adds its members to the result if given.json. Then it prints nothing to standard
// output. Throws error or backend_failure for what is refused.
int run(const arguments& given, json_result& result);
int validate(const arguments& given, json_result& result);
int check(arguments given, json_result& result);
int generate(arguments given, json_result& result);
int list(const arguments& given, json_result& result);
int merge(const arguments& given, json_result& result);
int tolerance(arguments given, json_result& result);

// Prints one line to standard error, without the control characters of file names and arguments.
void print_error(std::string_view text);

// Throws error M9 if standard output could not be written.
void flush_output();

}  // namespace goldml::tool
