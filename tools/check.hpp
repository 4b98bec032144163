// `goldml check`: judges the outputs of another program, for one model or for a corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/model.hpp>
#include <goldml/io/model_work.hpp>
#include <goldml/oracle/compare.hpp>

#include "check_results.hpp"
#include "model_judge.hpp"

namespace goldml::tool {

struct check_options {
  io::model_options model;
  oracle::compare_options compare;
  std::uint64_t max_work = io::default_max_work;
  std::filesystem::path again = {};  // the folder with the outputs of a second run
  bool unverified = false;  // do not compare the folder with its manifests
  std::uint64_t shard = 0;  // of a folder: judge every shards-th model, from this one on
  std::uint64_t shards = 1;
  oracle::sample_options sample = {};  // of the elements of each output
  std::size_t most_maps = 0;           // of outputs that differ, in all models together
  std::size_t most_reports = (std::numeric_limits<std::size_t>::max)();           // that the results of a folder keep
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = nullptr;  // called after each model

  judge_limits limits(std::size_t maps) const { return {model.max_memory, max_work, maps, sample}; }
};

// Judges the files that were written for one model. `name` is the model's, for the results.
check_results check_model(io::model model, std::string_view name, std::string_view case_line,
                          const std::vector<std::string>& actuals, const check_options& options);

// Calls verify_corpus(), and judges nothing if the corpus does not match its manifests. Then judges, for each model of
// the folder, or of a shard of it, the files that its writeFile commands name, in options.model.output_folder. Calls
// judged(model) after each. A model that is refused does not stop the others.
check_results check_corpus(const std::filesystem::path& folder, const check_options& options,
                           const std::function<void(const checked_model&)>& judged,
                           const std::function<void(std::string_view)>& complain);

}  // namespace goldml::tool
