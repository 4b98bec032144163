// `goldml check`: judges the outputs of another program, for one model or for a corpus.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/model.hpp>
#include <goldml/io/model_work.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/tally.hpp>

#include "model_judge.hpp"

namespace goldml::tool {

struct check_options {
  io::model_options model;
  oracle::compare_options compare;
  std::uint64_t max_work = io::default_max_work / 4;  // judging takes up to four times as long as playing
  bool unverified = false;                            // do not compare the folder with its manifests

  judge_limits limits() const { return {model.max_memory, max_work}; }
};

// Judges the files that were written for one model; the report, with the line that reproduces it, goes to `out`.
oracle::tally check_model(io::model model, std::string_view case_line, const std::vector<std::string>& actuals,
                          const check_options& options, std::ostream& out);

// Calls verify_corpus(), and judges nothing if the corpus does not match its manifests. Then judges, for each model of
// the folder, the files that its writeFile commands name, in options.model.output_folder. Prints the reports of at most
// ten models that differ, and then a table, to `out`. If a model is refused, calls complain(line) with its name and the
// reason, and goes on with the next.
oracle::tally check_corpus(const std::filesystem::path& folder, const check_options& options, std::ostream& out,
                           const std::function<void(std::string_view)>& complain);

}  // namespace goldml::tool
