// What `goldml check` finds, model by model; its table and its JSON; and reading that JSON again, for `goldml merge`.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/tally.hpp>

#include "difference_map.hpp"
#include "json_result.hpp"
#include "manifest.hpp"
#include "model_fit.hpp"

namespace goldml::tool {

// In the order of the table's columns.
enum class model_outcome { agrees, differs, missing, refused, flagged, undefined, depends };
inline constexpr std::array<std::string_view, 7> outcome_names{"agrees",  "differs",   "missing", "refused",
                                                               "flagged", "undefined", "depends"};

struct checked_model {
  std::string name;           // of its file
  std::string operator_name;  // "several" for a model with several dispatchables, "not read" if it could not be read
  model_outcome outcome = model_outcome::agrees;
  std::uint64_t compared = 0;  // elements
  std::uint64_t differing = 0;
  std::uint64_t sampled_of = 0;  // all elements of the judged outputs, if not all are judged (check --elements)
  std::uint64_t suspicious = 0;  // elements, as in oracle::tally
  std::uint64_t toward_zero = 0;
  std::uint64_t overflowed = 0;
  std::uint64_t hardly_tested = 0;
  std::uint64_t racing = 0;               // elements that differ between two runs (check --again)
  std::uint64_t depending = 0;            // elements that depend on what is not known of an intermediate
  std::vector<std::string> give = {};     // the resources that would be needed
  std::vector<std::string> missing = {};  // the paths where files were looked for
  std::string report = {};                // if it differs or depends
  std::optional<result_error> refusal = {};
  std::string again = {};                 // the arguments of goldml that judge the model again; for --report
  std::vector<difference_map> maps = {};  // of outputs that differ; for --report
  std::vector<model_fit> fits = {};       // of outputs that have a statement

  // "missing: 'actual/argmin_000003.OutputTensor.npy'", or "" if the outcome is another one.
  std::string missing_text() const;
};

struct check_results {
  std::string folder = {};  // of the corpus, or empty
  std::uint64_t shard = 0;  // of the models of the folder
  std::uint64_t shards = 1;
  std::vector<checked_model> models = {};
  std::vector<corpus_part> parts = {};       // of the corpus, by its manifests
  bool corpus_refused = false;               // the corpus does not match its manifests: nothing was judged
  std::vector<std::string> complaints = {};  // why, in results that were read

  int exit_status() const;
};

// The numbers of models by operator, for each outcome.
void print_table(const check_results& results, std::ostream& out);

// The fits of each operator that has any.
std::map<std::string, fit_total> fits_of(const check_results& results);

// The elements that are counted besides those that differ, in all models, and the fits: a line for each that occurs.
std::vector<std::string> noted_lines(const check_results& results);

// Adds the members "folder", "shard", "shards", "models" and "operators".
void write_results(json_writer& writer, const check_results& results);

// Reads one document that `goldml check --json` has printed. `name` is for messages. Throws error M1 to M4 for another
// document.
check_results read_results(std::string_view text, std::string_view name);

// The results of several calls as one. Throws error M2 if a model occurs twice or a shard of a corpus is missing.
check_results merge_results(const std::vector<check_results>& parts);

}  // namespace goldml::tool
