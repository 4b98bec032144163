#include "check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

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

void set_judgement(checked_model& result, model_judgement judged) {
  switch (judged.dispatches.all()) {
    case oracle::outcome::agrees:
      result.outcome = model_outcome::agrees;
      break;
    case oracle::outcome::flagged:
      result.outcome = model_outcome::flagged;
      break;
    case oracle::outcome::nothing_defined:
      result.outcome = model_outcome::undefined;
      break;
    case oracle::outcome::depends:
      result.outcome = model_outcome::depends;
      break;
    default:
      result.outcome = model_outcome::differs;
  }
  result.compared = judged.compared;
  result.differing = judged.differing;
  result.sampled_of = judged.sampled_of;
  result.suspicious = judged.dispatches.suspicious;
  result.toward_zero = judged.dispatches.toward_zero;
  result.racing = judged.racing;
  result.depending = judged.depending;
  result.give = std::move(judged.give);
  result.overflowed = judged.dispatches.overflowed;
  result.hardly_tested = judged.dispatches.hardly_tested;
  result.report = std::move(judged.report);
  result.maps = std::move(judged.maps);
  result.fits = std::move(judged.fits);
}

// Where a second run has written a file.
void set_again(actual_file& file, const std::filesystem::path& folder) {
  if (folder.empty()) return;
  const bool is_in_folder = !file.place.folder.empty();
  file.again =
      io::file_place{folder, is_in_folder ? file.place.name : file.place.name.filename(), file.place.follow_links};
}

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

// RESOURCE=FILE as an argument, also if the resource's name begins like an option.
std::string actual_word(std::string_view actual) {
  return (actual.starts_with('-') ? " --actual=" : " --actual ") + io::shell_word(actual);
}

// The arguments that judge this model alone.
std::string words_to_repeat(const std::filesystem::path& path, const std::vector<actual_file>& files,
                            const std::filesystem::path& again) {
  std::string text = "check " + io::shell_file(path);
  if (!again.empty()) text += " --again " + io::shell_file(again);
  for (const actual_file& file : files) text += actual_word(file.resource + "=" + io::path_text(file.place.path()));
  return text;
}

// Judges one model of a corpus. Throws error for a refused model, and sets what is known before.
void check_corpus_model(const std::filesystem::path& path, const check_options& options, std::size_t most_maps,
                        checked_model& result) {
  const bool follow_links = options.model.allow_outside;
  if (!follow_links && io::detail::is_link(path))
    io::refuse("M7", "file", io::in_quotes(io::path_text(path)),
               "a model that is not a link (--allow-outside allows any)", "");
  const io::file_place place{path.parent_path(), path.filename(), follow_links};
  io::model model = read_model(place, options.model);
  result.operator_name = operator_of(model);
  std::vector<actual_file> files;
  for (const io::model_command& command : model.commands)
    if (const auto* write = std::get_if<io::write_file_command>(&command))
      files.push_back({model.resources[write->resource].name, write->target});
  for (actual_file& file : files) set_again(file, options.again);
  result.again = words_to_repeat(path, files, options.again);
  std::error_code failed;
  const auto find = [&](const io::file_place& each) {
    if (!std::filesystem::is_regular_file(each.path(), failed)) result.missing.push_back(io::path_text(each.path()));
  };
  for (const actual_file& file : files) {
    find(file.place);
    if (file.again) find(*file.again);
  }
  if (files.empty() || !result.missing.empty()) {
    result.outcome = model_outcome::missing;
    return;
  }
  const std::string case_line =
      how_to_reproduce(place, model, options.model.max_memory, options.max_work);  // before outputs are written
  set_judgement(result, judge_model(model, files, options.compare, options.limits(most_maps), case_line));
  if (result.outcome != model_outcome::differs && result.outcome != model_outcome::depends) result.report.clear();
}

}  // namespace

check_results check_model(io::model model, std::string_view name, std::string_view case_line,
                          const std::vector<std::string>& actuals, const check_options& options) {
  if (actuals.empty()) io::refuse("M2", "--actual", "missing", "RESOURCE=FILE for each output to judge", "");
  std::vector<actual_file> files;
  for (const std::string& actual : actuals) {
    files.push_back(to_actual_file(actual));
    set_again(files.back(), options.again);
  }
  checked_model result{std::string(name), operator_of(model)};
  result.again =
      name == case_line ? "check --case " + io::shell_word(case_line) : "check " + io::shell_file(io::path_of(name));
  if (!options.again.empty()) result.again += " --again " + io::shell_file(options.again);
  for (const std::string& actual : actuals) result.again += actual_word(actual);
  set_judgement(result, judge_model(model, files, options.compare, options.limits(options.most_maps), case_line));
  check_results results;
  results.models.push_back(std::move(result));
  return results;
}

check_results check_corpus(const std::filesystem::path& folder, const check_options& options,
                           const std::function<void(const checked_model&)>& judged,
                           const std::function<void(std::string_view)>& complain) {
  const std::vector<std::filesystem::path> models = models_in(folder);
  check_results results{io::path_text(folder), options.shard, options.shards};
  const auto in_shard = [&](std::uint64_t number) { return number % options.shards == options.shard; };
  std::set<std::filesystem::path> chosen;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (in_shard(i)) chosen.insert(models[i].filename());
  if (!options.unverified &&
      !verify_corpus(
          folder, options.model.max_memory, options.model.allow_outside, complain,
          [&](const std::filesystem::path& model) { return chosen.contains(model); }, &results.parts)) {
    results.corpus_refused = true;
    return results;
  }
  std::size_t maps_left = options.most_maps;
  std::size_t with_details = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (!in_shard(i)) continue;
    checked_model result{io::path_text(models[i].filename()), "not read"};
    const auto refuse = [&](std::string message, const violation& v, const io::model_place& place) {
      result.outcome = model_outcome::refused;
      result.refusal = result_error{place.file.empty() ? result.name + ": " + message : message, v, place};
    };
    try {
      check_corpus_model(models[i], options, maps_left, result);
      maps_left -= result.maps.size();
    } catch (const io::model_error& problem) {
      refuse(problem.what(), problem.violation(), problem.place());
    } catch (const error& problem) {
      refuse(problem.what(), problem.violation(), {});
    } catch (const std::bad_alloc&) {
      refuse("model M8: memory is exhausted, wanted more", {}, {});
    }
    if (options.progress) options.progress(results.models.size() + 1, chosen.size());
    judged(result);
    const bool has_details = result.outcome != model_outcome::agrees && result.outcome != model_outcome::flagged &&
                             result.outcome != model_outcome::undefined && result.outcome != model_outcome::missing;
    if (!has_details || with_details++ >= options.most_reports) {  // otherwise memory grows with the folder
      result.report = {};
      result.again = {};
    }
    results.models.push_back(std::move(result));
  }
  return results;
}

}  // namespace goldml::tool
