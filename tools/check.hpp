// `goldml check`: one model against files that something else wrote, or a whole corpus against a folder of them.
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
  bool unverified = false;                            // a folder of models that no manifest vouches for

  judge_limits limits() const { return {model.max_memory, max_work}; }
};

// Judges the files that were written for one model; the report, with the line that reproduces it, goes to `out`.
oracle::tally check_model(io::model model, std::string_view case_line, const std::vector<std::string>& actuals,
                          const check_options& options, std::ostream& out);

// Judges each model of a folder by the files that its writeFile commands name, in options.model.output_folder, after
// verify_corpus(): nothing is judged by a corpus that is not what its manifests say. A table goes to `out`, the reports
// of those that differ before it (ten at most). A model that is refused does not stop the others: complain(line) gets
// its name and the reason.
oracle::tally check_corpus(const std::filesystem::path& folder, const check_options& options, std::ostream& out,
                           const std::function<void(std::string_view)>& complain);

}  // namespace goldml::tool
