// `goldml check`: one model against files that something else wrote, or a whole corpus against a folder of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/dxdispatch.hpp>

#include "model_judge.hpp"

namespace goldml::tool {

struct check_options {
  io::model_options model;
  oracle::verdict_options verdicts;
  oracle::compare_options compare;
};

// RESOURCE=FILE. Throws error M2.
inline actual_file to_actual_file(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals >= text.size() - 1) io::refuse("M2", "--actual", io::in_quotes(text), "RESOURCE=FILE", "");
  return {std::string(text.substr(0, equals)), std::filesystem::path(text.substr(equals + 1))};
}

// Whether the files agree with the model; the report goes to `out`.
inline bool check_model(const std::filesystem::path& path, const std::vector<std::string>& actuals,
                        const check_options& options, std::ostream& out) {
  if (actuals.empty()) io::refuse("M2", "--actual", "missing", "RESOURCE=FILE for what is to be judged", "");
  io::model model = io::read_model(path, options.model);
  std::vector<actual_file> files;
  for (const std::string& actual : actuals) files.push_back(to_actual_file(actual));
  const model_judgement judged = judge_model(model, files, options.verdicts, options.compare, options.model.max_memory,
                                             "goldml run " + path.generic_string());
  out << judged.report;
  return judged.agrees;
}

namespace detail {

struct corpus_row {
  std::uint64_t agree = 0;
  std::uint64_t differ = 0;
  std::uint64_t missing = 0;
  std::uint64_t elements = 0;
};

// The operator of a model that has one, else "several".
inline std::string operator_of(const io::model& model) {
  if (model.dispatchables.size() != 1) return "several";
  return std::visit([]<class Desc>(const Desc&) { return std::string(operator_traits<Desc>::name); },
                    model.dispatchables.front().desc);
}

}  // namespace detail

// Judges each model of a folder by the files that its writeFile commands name, in options.model.output_folder. A table
// goes to `out`, the reports of those that differ before it (ten at most). Whether all agree and none is missing.
inline bool check_corpus(const std::filesystem::path& folder, const check_options& options, std::ostream& out) {
  std::vector<std::filesystem::path> models;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".json" && !entry.path().filename().string().starts_with("manifest"))
      models.push_back(entry.path());
  if (failed) io::refuse("M9", "folder", io::in_quotes(folder.string()), "a folder that can be read", "");
  if (models.empty()) io::refuse("M9", "folder", io::in_quotes(folder.string()), "a folder with models", "");
  std::sort(models.begin(), models.end());

  constexpr std::uint64_t most_reports = 10;
  std::map<std::string, detail::corpus_row> rows;
  std::uint64_t differing = 0;
  for (const std::filesystem::path& path : models) {
    io::model model = io::read_model(path, options.model);
    detail::corpus_row& row = rows[detail::operator_of(model)];
    std::vector<actual_file> files;
    for (const io::model_command& command : model.commands)
      if (const auto* write = std::get_if<io::write_file_command>(&command))
        files.push_back({model.resources[write->resource].name, write->target});
    const bool missing = files.empty() || std::any_of(files.begin(), files.end(), [&](const actual_file& file) {
                           return !std::filesystem::is_regular_file(file.path, failed);
                         });
    if (missing) {
      ++row.missing;
      continue;
    }
    const model_judgement judged = judge_model(model, files, options.verdicts, options.compare,
                                               options.model.max_memory, "goldml run " + path.generic_string());
    row.elements += judged.compared;
    ++(judged.agrees ? row.agree : row.differ);
    if (!judged.agrees && ++differing <= most_reports) out << path.filename().string() << ": " << judged.report << '\n';
  }

  bool all_agree = true;
  out << fmt::format("{:<24}{:>10}{:>10}{:>10}{:>16}\n", "operator", "agree", "differ", "missing", "elements");
  for (const auto& [name, row] : rows) {
    out << fmt::format("{:<24}{:>10}{:>10}{:>10}{:>16}\n", name, row.agree, row.differ, row.missing, row.elements);
    all_agree = all_agree && row.differ == 0 && row.missing == 0;
  }
  return all_agree;
}

}  // namespace goldml::tool
