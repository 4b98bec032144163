#include "check_results.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/number_text.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_place.hpp>
#include <goldml/io/quotes.hpp>

#include "terminal.hpp"

namespace goldml::tool {

namespace {

constexpr std::array<std::string_view, 7> column_names{"agree",   "differ",    "missing", "refused",
                                                       "flagged", "undefined", "depend"};

// The elements that are counted besides those that differ.
struct noted_elements {
  std::uint64_t checked_model::*count;
  std::string_view name;  // in JSON
  std::string_view meaning;
};
constexpr std::array<noted_elements, 6> all_noted{
    {{&checked_model::racing, "racing", "that differ between two runs: a race, not rounding (ledger MV-R3)"},
     {&checked_model::depending, "depending", "that depend on what is not known of an intermediate"},
     {&checked_model::suspicious, "suspicious", "inside the bound, but farther off than independent roundings get"},
     {&checked_model::toward_zero, "toward_zero", "rounded to FLOAT16 toward zero (ledger AR-R7)"},
     {&checked_model::overflowed, "overflowed", "that overflowed on the way to a finite result (ledger RE-R2)"},
     {&checked_model::hardly_tested, "hardly_tested",
      "hardly tested: the accepted interval is too wide to find most faults"}}};

struct table_row {
  std::array<std::uint64_t, outcome_names.size()> models{};
  std::uint64_t elements = 0;
};

std::map<std::string, table_row> rows_of(const check_results& results) {
  std::map<std::string, table_row> rows;
  for (const checked_model& model : results.models) {
    table_row& row = rows[model.operator_name];
    ++row.models[static_cast<std::size_t>(model.outcome)];
    row.elements += model.compared;
  }
  return rows;
}

}  // namespace

std::string checked_model::missing_text() const {
  if (outcome != model_outcome::missing) return "";
  if (missing.empty()) return "missing: the model has no writeFile command";
  std::string text = "missing: ";
  for (const std::string& path : missing)
    text += (&path == missing.data() ? "" : ", ") + io::in_quotes(path, path.size());
  return text;
}

int check_results::exit_status() const {
  oracle::tally all;
  if (corpus_refused) ++all.refused;
  for (const checked_model& model : models) {
    switch (model.outcome) {
      case model_outcome::agrees:
        ++all.agreeing;
        break;
      case model_outcome::flagged:
        ++all.flagged;
        break;
      case model_outcome::undefined:
        ++all.undefined;
        break;
      case model_outcome::depends:
        ++all.depending;
        break;
      case model_outcome::refused:
        ++all.refused;
        break;
      default:
        ++all.differing;
    }
  }
  return all.exit_status();
}

void print_table(const check_results& results, std::ostream& out) {
  out << fmt::format("{:<24}", "operator");
  for (const std::string_view name : column_names) out << fmt::format("{:>10}", name);
  out << fmt::format("{:>16}\n", "elements");
  for (const auto& [name, row] : rows_of(results)) {
    out << fmt::format("{:<24}", io::terminal_text(name));
    for (std::size_t i = 0; i < row.models.size(); ++i) {
      const std::string cell = fmt::format("{:>10}", row.models[i]);
      const auto kind = static_cast<model_outcome>(i);
      const bool good = kind == model_outcome::agrees;
      const bool bad =
          kind == model_outcome::differs || kind == model_outcome::missing || kind == model_outcome::refused;
      out << (row.models[i] == 0 || !(good || bad)
                  ? cell
                  : coloured(cell, good ? colour::green : colour::red, stream::output));
    }
    out << fmt::format("{:>16}\n", row.elements);
  }
  for (const std::string& line : noted_lines(results)) out << line << '\n';
}

std::map<std::string, fit_total> fits_of(const check_results& results) {
  std::map<std::string, fit_total> fits;
  for (const checked_model& model : results.models)
    for (const model_fit& fit : model.fits) fits[model.operator_name].add(fit);
  return fits;
}

std::vector<std::string> noted_lines(const check_results& results) {
  std::vector<std::string> lines;
  for (const noted_elements& noted : all_noted) {
    std::uint64_t count = 0;
    for (const checked_model& model : results.models) count += model.*noted.count;
    if (count > 0) lines.push_back(fmt::format("elements {}: {}", noted.meaning, count));
  }
  for (const auto& [name, fit] : fits_of(results)) lines.push_back(fmt::format("fit of {}: {}", name, fit.text()));
  return lines;
}

namespace {

void write_fit(json_writer& writer, const model_fit& of) {
  const oracle::fit_result& fit = of.fit;
  writer.object([&] {
    writer.key("output").text(of.output);
    writer.key("outcome").text(oracle::name_of(fit.outcome));
    writer.key("rms").number(number_text(fit.rms));
    writer.key("largest").number(number_text(fit.largest));
    writer.key("bias").number(number_text(fit.bias));
    writer.key("elements").count(fit.measured);
    writer.key("independent").number(number_text(fit.independent));
    writer.key("dependent").flag(fit.dependent);
    writer.key("model").text(fit.model);
    writer.key("explained_by").text(fit.explained_by);
    if (fit.misfits() || !fit.explained_by.empty()) writer.key("rest").number(number_text(fit.rest));
    if (!fit.outliers.empty())
      writer.key("outliers").list(fit.outliers, [&](std::uint64_t element) { writer.count(element); });
  });
}

// What the totals need.
model_fit read_fit(const io::json& entry) {
  constexpr std::string_view where = "a fit of the results";
  if (!entry.IsObject()) io::refuse(entry, "M2", "fit", io::description(entry), "an object for each output", where);
  constexpr std::array outcomes{oracle::name_of(oracle::fit_outcome::none), oracle::name_of(oracle::fit_outcome::fits),
                                oracle::name_of(oracle::fit_outcome::biased),
                                oracle::name_of(oracle::fit_outcome::coarser),
                                oracle::name_of(oracle::fit_outcome::outliers)};
  model_fit result;
  result.output = io::required_text(entry, "output", where);
  const std::string_view outcome = io::required_text(entry, "outcome", where);
  const auto found = std::find(outcomes.begin(), outcomes.end(), outcome);
  if (found == outcomes.end())
    io::refuse(entry, "M3", "outcome", io::in_quotes(outcome), io::list_of_names(outcomes), where);
  result.fit.outcome = static_cast<oracle::fit_outcome>(found - outcomes.begin());
  const auto number = [&](std::string_view name) {
    const io::json& value = io::required_member(entry, name, where);
    if (!value.IsNumber()) io::refuse(value, "M2", name, io::description(value), "a number", where);
    return value.GetDouble();
  };
  result.fit.rms = number("rms");
  result.fit.largest = number("largest");
  result.fit.bias = number("bias");
  result.fit.independent = number("independent");
  if (io::find_member(entry, "rest") != nullptr) result.fit.rest = number("rest");
  result.fit.measured = io::to_integer<std::uint64_t>(io::required_member(entry, "elements", where), "elements", where);
  result.fit.model = io::required_text(entry, "model", where);
  result.fit.explained_by = io::required_text(entry, "explained_by", where);
  return result;
}

}  // namespace

void write_results(json_writer& writer, const check_results& results) {
  if (!results.folder.empty()) {
    writer.key("folder").text(results.folder);
    writer.key("shard").count(results.shard);
    writer.key("shards").count(results.shards);
  }
  writer.key("models").list(results.models, [&](const checked_model& model) {
    writer.object([&] {
      writer.key("model").text(model.name);
      writer.key("operator").text(model.operator_name);
      writer.key("outcome").text(outcome_names[static_cast<std::size_t>(model.outcome)]);
      writer.key("compared").count(model.compared);
      writer.key("differing").count(model.differing);
      if (model.sampled_of > 0) writer.key("sampled_of").count(model.sampled_of);
      for (const noted_elements& noted : all_noted)
        if (model.*noted.count > 0) writer.key(noted.name).count(model.*noted.count);
      if (!model.fits.empty())
        writer.key("fit").list(model.fits, [&](const model_fit& fit) { write_fit(writer, fit); });
      if (!model.give.empty()) writer.key("give").texts(model.give);
      if (!model.missing.empty()) writer.key("missing").texts(model.missing);
      if (!model.report.empty()) writer.key("report").text(model.report);
      if (model.refusal) {
        writer.key("error");
        write_error(writer, *model.refusal);
      }
    });
  });
  const std::map<std::string, fit_total> fits = fits_of(results);
  writer.key("operators").list(rows_of(results), [&](const auto& entry) {
    writer.object([&] {
      writer.key("operator").text(entry.first);
      for (std::size_t i = 0; i < outcome_names.size(); ++i) writer.key(outcome_names[i]).count(entry.second.models[i]);
      writer.key("compared").count(entry.second.elements);
      if (const auto fit = fits.find(entry.first); fit != fits.end())
        writer.key("fit_rms").number(number_text(fit->second.rms()));
    });
  });
}

namespace {

checked_model read_checked_model(const io::json& entry) {
  constexpr std::string_view where = "a model of the results";
  const auto count = [&](std::string_view name) {
    return io::to_integer<std::uint64_t>(io::required_member(entry, name, where), name, where);
  };
  if (!entry.IsObject()) io::refuse(entry, "M2", "models", io::description(entry), "an object for each model", "");
  checked_model model;
  model.name = io::required_text(entry, "model", where);
  model.operator_name = io::required_text(entry, "operator", where);
  const std::string_view outcome = io::required_text(entry, "outcome", where);
  const auto found = std::find(outcome_names.begin(), outcome_names.end(), outcome);
  if (found == outcome_names.end())
    io::refuse(entry, "M3", "outcome", io::in_quotes(outcome), io::list_of_names(outcome_names), where);
  model.outcome = static_cast<model_outcome>(found - outcome_names.begin());
  model.compared = count("compared");
  model.differing = count("differing");
  if (io::find_member(entry, "sampled_of") != nullptr) model.sampled_of = count("sampled_of");
  for (const noted_elements& noted : all_noted)
    if (io::find_member(entry, noted.name) != nullptr) model.*noted.count = count(noted.name);
  const auto read_texts = [&](std::string_view member, std::string_view wanted, std::vector<std::string>& texts) {
    if (io::find_member(entry, member) == nullptr) return;
    for (const io::json& text : io::required_array(entry, member, where).GetArray()) {
      if (!text.IsString()) io::refuse(text, "M2", member, io::description(text), wanted, where);
      texts.emplace_back(io::text_of(text));
    }
  };
  if (io::find_member(entry, "fit") != nullptr)
    for (const io::json& fit : io::required_array(entry, "fit", where).GetArray()) model.fits.push_back(read_fit(fit));
  read_texts("give", "the name of a resource", model.give);
  read_texts("missing", "the path of a file", model.missing);
  if (io::find_member(entry, "report") != nullptr) model.report = io::required_text(entry, "report", where);
  if (io::find_member(entry, "error") != nullptr)
    model.refusal =
        result_error{std::string(io::required_text(io::required_object(entry, "error", where), "message", where))};
  return model;
}

constexpr std::size_t most_complaints = 100;

check_results read_document(const io::json& document) {
  constexpr std::string_view where = "the results";
  if (!document.IsObject()) io::refuse(document, "M2", "JSON", io::description(document), "an object", where);
  const auto count = [&](std::string_view name) {
    return io::to_integer<std::uint64_t>(io::required_member(document, name, where), name, where);
  };
  const std::string_view command = io::required_text(document, "command", where);
  if (command != "check") io::refuse(document, "M3", "command", io::in_quotes(command), "'check'", where);
  if (const std::uint64_t schema = count("schema"); schema != json_schema)
    io::refuse(document, "M4", "schema", fmt::format("{}", schema), fmt::format("{}", json_schema), where);
  check_results results;
  if (io::find_member(document, "folder") != nullptr) {
    results.folder = io::required_text(document, "folder", where);
    results.shard = count("shard");
    results.shards = count("shards");
    if (results.shard >= results.shards)
      io::refuse(document, "M4", "shard", fmt::format("{}", results.shard), "less than 'shards'", where);
  }
  if (io::find_member(document, "models") == nullptr)
    results.corpus_refused = true;  // the call itself was refused
  else
    for (const io::json& entry : io::required_array(document, "models", where).GetArray())
      results.models.push_back(read_checked_model(entry));
  for (const io::json& entry : io::required_array(document, "errors", where).GetArray()) {
    results.corpus_refused = true;
    if (!entry.IsObject()) io::refuse(entry, "M2", "errors", io::description(entry), "an object for each error", where);
    if (results.complaints.size() < most_complaints)
      results.complaints.emplace_back(io::required_text(entry, "message", where));
  }
  return results;
}

}  // namespace

check_results read_results(std::string_view text, std::string_view name) {
  const rapidjson::Document document = io::parse_json(text, name);
  try {
    return read_document(document);
  } catch (const io::value_error& refusal) {
    throw io::model_error(refusal.violation(), io::place_of_value(text, document, *refusal.value(), name));
  }
}

check_results merge_results(const std::vector<check_results>& parts) {
  check_results all;
  std::set<std::pair<std::string, std::string>> seen;                                  // folder and model
  std::map<std::pair<std::string, std::uint64_t>, std::set<std::uint64_t>> shards_of;  // by folder and their number
  for (const check_results& part : parts) {
    all.corpus_refused = all.corpus_refused || part.corpus_refused;
    if (!part.folder.empty()) shards_of[{part.folder, part.shards}].insert(part.shard);
    for (const checked_model& model : part.models) {
      if (!seen.emplace(part.folder, model.name).second)
        io::refuse("M2", "model", io::in_quotes(model.name) + " again", "each model in one of the results", "");
      all.models.push_back(model);
    }
  }
  for (const auto& [key, shards] : shards_of)
    for (std::uint64_t shard = 0; shard < key.second; ++shard)
      if (!shards.contains(shard))
        io::refuse("M2", "shard", fmt::format("{}/{} missing", shard, key.second), "the results of every shard",
                   io::in_quotes(key.first));
  std::sort(all.models.begin(), all.models.end(), [](const checked_model& a, const checked_model& b) {
    return std::tie(a.operator_name, a.name) < std::tie(b.operator_name, b.name);
  });
  return all;
}

}  // namespace goldml::tool
