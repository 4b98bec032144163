#include "check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/safe_path.hpp>

#include "case_model.hpp"
#include "manifest.hpp"
#include "read_model.hpp"

namespace goldml::tool {

namespace {

// RESOURCE=FILE. Throws error M2.
actual_file to_actual_file(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals >= text.size() - 1) io::refuse("M2", "--actual", io::in_quotes(text), "RESOURCE=FILE", "");
  return {std::string(text.substr(0, equals)), io::place_of(io::path_of(text.substr(equals + 1)))};
}

struct corpus_row {
  oracle::tally models;
  std::uint64_t missing = 0;  // of those that differ
  std::uint64_t elements = 0;
};

// The operator of the model, or "several".
std::string operator_of(const io::model& model) {
  if (model.dispatchables.size() != 1) return "several";
  return std::string(model.dispatchables.front().desc.description().name);
}

std::vector<std::filesystem::path> models_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> models;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->path().extension() == ".json" && !is_manifest(entry->path())) models.push_back(entry->path());
  const std::string name = io::in_quotes(io::path_text(folder));
  if (failed) io::refuse("M9", "folder", name, "a folder that can be read", failed.message());
  if (models.empty()) io::refuse("M9", "folder", name, "a folder with models", "");
  std::sort(models.begin(), models.end());
  return models;
}

// Judges one model of a corpus. Sets `row` when the model's operator is known. Returns the report if the model differs,
// otherwise "". Throws error for a refused model.
std::string check_corpus_model(const std::filesystem::path& path, const check_options& options,
                               std::map<std::string, corpus_row>& rows, corpus_row*& row) {
  const bool follow_links = options.model.allow_outside;
  if (!follow_links && io::detail::is_link(path))
    io::refuse("M7", "file", io::in_quotes(io::path_text(path)),
               "a model that is not a link (--allow-outside allows any)", "");
  const io::file_place place{path.parent_path(), path.filename(), follow_links};
  io::model model = read_model(place, options.model);
  row = &rows[operator_of(model)];
  std::vector<actual_file> files;
  for (const io::model_command& command : model.commands)
    if (const auto* write = std::get_if<io::write_file_command>(&command))
      files.push_back({model.resources[write->resource].name, write->target});
  std::error_code failed;
  if (files.empty() || std::any_of(files.begin(), files.end(), [&](const actual_file& file) {
        return !std::filesystem::is_regular_file(file.place.path(), failed);
      })) {
    ++row->missing;
    ++row->models.differing;
    return "";
  }
  const std::string case_line = how_to_reproduce(place, model);  // before outputs are written
  const model_judgement judged = judge_model(model, files, options.compare, options.limits(), case_line);
  row->elements += judged.compared;
  const oracle::outcome outcome = judged.dispatches.all();
  row->models.add(outcome);
  row->models.suspicious += judged.dispatches.suspicious;
  row->models.toward_zero += judged.dispatches.toward_zero;
  return outcome == oracle::outcome::differs ? judged.report : "";
}

}  // namespace

oracle::tally check_model(io::model model, std::string_view case_line, const std::vector<std::string>& actuals,
                          const check_options& options, std::ostream& out) {
  if (actuals.empty()) io::refuse("M2", "--actual", "missing", "RESOURCE=FILE for each output to judge", "");
  std::vector<actual_file> files;
  for (const std::string& actual : actuals) files.push_back(to_actual_file(actual));
  const model_judgement judged = judge_model(model, files, options.compare, options.limits(), case_line);
  out << judged.report;
  return judged.dispatches;
}

oracle::tally check_corpus(const std::filesystem::path& folder, const check_options& options, std::ostream& out,
                           const std::function<void(std::string_view)>& complain) {
  constexpr std::uint64_t most_reports = 10;
  std::map<std::string, corpus_row> rows;
  std::uint64_t differing = 0;
  const std::vector<std::filesystem::path> models = models_in(folder);
  if (!options.unverified && !verify_corpus(folder, options.model.max_memory, options.model.allow_outside, complain))
    return {.refused = 1};
  for (const std::filesystem::path& path : models) {
    const std::string name = io::path_text(path.filename());
    corpus_row* row = nullptr;  // of the model's operator, once it is known
    std::string refusal;
    bool has_place = false;  // a place names the file
    try {
      const std::string report = check_corpus_model(path, options, rows, row);
      if (!report.empty() && ++differing <= most_reports) out << name << ": " << report << '\n';
    } catch (const io::model_error& problem) {
      refusal = problem.what();
      has_place = !problem.place().file.empty();
    } catch (const error& problem) {
      refusal = problem.what();
    } catch (const std::bad_alloc&) {
      refusal = "model M8: memory is exhausted, wanted more";
    }
    if (refusal.empty()) continue;
    if (row == nullptr) row = &rows["not read"];
    ++row->models.refused;
    complain(has_place ? refusal : name + ": " + refusal);
  }

  oracle::tally all;
  constexpr std::string_view line = "{:<24}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>16}\n";
  out << fmt::format(line, "operator", "agree", "differ", "missing", "refused", "flagged", "undefined", "elements");
  for (const auto& [name, row] : rows) {
    const oracle::tally& counts = row.models;
    out << fmt::format(line, name, counts.agreeing, counts.differing - row.missing, row.missing, counts.refused,
                       counts.flagged, counts.undefined, row.elements);
    all.add(counts);
  }
  if (all.suspicious > 0)
    out << fmt::format("elements inside the bound, but farther off than independent roundings get: {}\n",
                       all.suspicious);
  if (all.toward_zero > 0)
    out << fmt::format("elements rounded to FLOAT16 toward zero (ledger AR-R7): {}\n", all.toward_zero);
  return all;
}

}  // namespace goldml::tool
