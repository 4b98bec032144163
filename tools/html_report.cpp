#include "html_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/files.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/version.hpp>

#include "html_text.hpp"

namespace goldml::tool {

namespace {

// Before and after the title. The policy lets a browser run and load nothing, whatever the page has in it.
constexpr std::string_view page_begin = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
)html";

constexpr std::string_view page_style = R"html(<style>
:root {
  color-scheme: light dark;
  --page: #fff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --panel: #f6f8fa; --link: #0550ae;
  --good: #1a7f37; --bad: #b3261e; --band: #1a7f3718;
  --c0: #dbe3ea; --c1: #fcc46b; --c2: #f58d3d; --c3: #dd4b26; --c4: #a8181f; --c5: #5e0a1c; --cN: #7a3fd0; --cU: #a6aeb8;
}
@media (prefers-color-scheme: dark) { :root {
  --page: #0f1318; --text: #e4e8ec; --soft: #98a2ad; --line: #343c46; --panel: #181e25; --link: #79b8ff;
  --good: #56c271; --bad: #ff8078; --band: #56c27124;
  --c0: #2a333d; --c1: #6e4417; --c2: #a85f1d; --c3: #e08a33; --c4: #ffbf70; --c5: #fff0d0; --cN: #b58cff; --cU: #59636e;
} }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); max-width: 70rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .6rem; }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; } h4 { font-size: 1rem; margin: 1.4rem 0 .2rem; }
a { color: var(--link); } p { margin: .4rem 0; }
code, pre { font-family: ui-monospace, Consolas, monospace; font-size: 13px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0;
  white-space: pre-wrap; }
.report { max-height: 26rem; overflow: auto; }
.totals { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; list-style: none; }
.totals li { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .9rem; }
.totals strong { display: block; font-size: 1.5rem; line-height: 1.2; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid var(--line); text-align: right; font-weight: normal;
  font-variant-numeric: tabular-nums; }
thead th { color: var(--soft); } tfoot td { border: 0; font-weight: 600; }
.index td:nth-child(n+2) { white-space: nowrap; } .index td:nth-child(-n+3), .index th:nth-child(-n+3) { text-align: left; }
.index td:first-child { overflow-wrap: anywhere; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.plain { white-space: pre-line; font-weight: 600; }
section { border-top: 2px solid var(--line); margin-top: 2rem; padding-top: 1rem; }
.up { float: right; margin-left: 1rem; font-size: 13px; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding: 0; list-style: none; font-size: 13px; }
.legend i { display: inline-block; width: 1em; height: 1em; margin-right: .4em; vertical-align: -.12em; }
.drawings { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; align-items: flex-start; }
figure { margin: .4rem 0; max-width: 100%; } figcaption, caption { color: var(--soft); font-size: 13px; text-align: left; }
figcaption { max-width: 40rem; margin-top: .3rem; } caption { padding-bottom: .3rem; }
.map { display: block; max-width: 100%; height: auto; max-height: 40rem; }
.map path { fill: none; stroke-width: 1; shape-rendering: crispEdges; pointer-events: none; }
.map path.grid { stroke: var(--page); stroke-width: .07; shape-rendering: auto; }
.map rect { fill: transparent; }
path.c0 { stroke: var(--c0); } path.c1 { stroke: var(--c1); } path.c2 { stroke: var(--c2); } path.c3 { stroke: var(--c3); }
path.c4 { stroke: var(--c4); } path.c5 { stroke: var(--c5); } path.cN { stroke: var(--cN); } path.cU { stroke: var(--cU); }
i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
i.c0 { background: var(--c0); } i.c1 { background: var(--c1); } i.c2 { background: var(--c2); } i.c3 { background: var(--c3); }
i.c4 { background: var(--c4); } i.c5 { background: var(--c5); } i.cN { background: var(--cN); } i.cU { background: var(--cU); }
i.good { background: var(--good); }
.histogram { flex: 1 1 20rem; max-width: 34rem; font-size: 13px; line-height: 1.35; }
.histogram th, .histogram td { border: 0; padding: .1rem .5rem; text-align: right; white-space: nowrap; }
.histogram th[rowspan] { text-align: left; color: var(--soft); } .histogram .band th[rowspan] { color: var(--good); }
.histogram .bar { width: 100%; padding: 0; } .bar i { display: block; height: .95em; }
.histogram .band { background: var(--band); border-block: 1px solid var(--good); print-color-adjust: exact; }
@media (max-width: 36rem) {
  body { margin: 1rem auto; } table { font-size: 12px; } th, td { padding: .2rem .3rem; }
  .index th:nth-child(2), .index td:nth-child(2) { display: none; }
}
@media print {
  body { margin: 0; max-width: none; font-size: 11pt; } .up { display: none; } .report { max-height: none; }
  .drawings { display: block; }
  a { color: inherit; text-decoration: none; } figure, .histogram { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
}
</style>
</head>
<body>
)html";

constexpr std::size_t most_text = 20'000;  // of a report, in bytes

bool is_shown(const checked_model& model) {
  return model.outcome == model_outcome::differs || model.outcome == model_outcome::refused ||
         model.outcome == model_outcome::depends;
}

std::string_view class_of(model_outcome outcome, std::uint64_t count) {
  if (count == 0) return "";
  switch (outcome) {
    case model_outcome::agrees:
      return "good";
    case model_outcome::differs:
    case model_outcome::missing:
    case model_outcome::refused:
      return "bad";
    default:
      return "";
  }
}

using outcome_counts = std::array<std::uint64_t, outcome_names.size()>;

outcome_counts totals_of(const check_results& results) {
  outcome_counts totals{};
  for (const checked_model& model : results.models) ++totals[static_cast<std::size_t>(model.outcome)];
  return totals;
}

std::uint64_t sum(const check_results& results, std::uint64_t checked_model::*member) {
  std::uint64_t total = 0;
  for (const checked_model& model : results.models) total += model.*member;
  return total;
}

std::string title_of(const check_results& results) {
  const std::size_t models = results.models.size();
  if (results.corpus_refused) return "goldml check: nothing was judged";
  const auto bad = static_cast<std::size_t>(std::count_if(
      results.models.begin(), results.models.end(),
      [](const checked_model& model) { return is_shown(model) || model.outcome == model_outcome::missing; }));
  if (bad > 0)
    return fmt::format("goldml check: {} of {} {} not agree", bad, models, models == 1 ? "model does" : "models do");
  return fmt::format("goldml check: no model of {} differs", models);
}

std::string totals_html(const check_results& results) {
  const outcome_counts totals = totals_of(results);
  std::string text = "<ul class=\"totals\">\n";
  const auto add = [&](std::string_view of_class, std::uint64_t count, std::string_view name) {
    text += fmt::format("<li><strong class=\"{}\">{}</strong>{}</li>\n", of_class, count, name);
  };
  add("", results.models.size(), results.models.size() == 1 ? "model" : "models");
  for (std::size_t i = 0; i < totals.size(); ++i)
    if (totals[i] > 0) add(class_of(static_cast<model_outcome>(i), totals[i]), totals[i], outcome_names[i]);
  const std::uint64_t differing = sum(results, &checked_model::differing);
  add("", sum(results, &checked_model::compared), "elements compared");
  add(differing > 0 ? "bad" : "", differing, differing == 1 ? "element differs" : "elements differ");
  return text + "</ul>\n";
}

// The seeds of a corpus, each with the operators that have it.
std::string seeds_text(const check_results& results) {
  std::map<std::uint64_t, std::string> operators;
  for (const corpus_part& part : results.parts) {
    std::string& names = operators[part.seed];
    if (names.find(part.operator_name) == std::string::npos) names += (names.empty() ? "" : ", ") + part.operator_name;
  }
  std::string text;
  for (const auto& [seed, names] : operators) text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", seed, names);
  return text;
}

std::string facts_html(const check_results& results, const std::string& command, const std::string& date) {
  constexpr std::size_t most = 4000;
  std::string text = "<dl>\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html(value, most));
  };
  text += fmt::format("<dt>Command</dt><dd><code>{}</code></dd>\n", html(command, most));
  add("Date", date);
  add("goldml", fmt::format("{}.{}.{}", version.major_number, version.minor_number, version.patch_number));
  add("Corpus", results.folder);
  if (results.shards > 1) add("Shard", fmt::format("{} of {}", results.shard, results.shards));
  add("Seed", seeds_text(results));
  constexpr std::array<std::string_view, 4> meanings{"all agree", "a model differs or lacks a file",
                                                     "something was refused", "not all could be judged"};
  const auto status = static_cast<std::size_t>(results.exit_status());
  add("Exit status", fmt::format("{}: {}", status, meanings[status]));
  return text + "</dl>\n";
}

// The numbers of models by operator. Outcomes that no model has are left out, except agreement and difference.
std::string table_html(const check_results& results, const std::map<std::string, std::string>& links) {
  const outcome_counts totals = totals_of(results);
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < totals.size(); ++i)
    if (i < 2 || totals[i] > 0) columns.push_back(i);
  struct row {
    outcome_counts models{};
    std::uint64_t compared = 0;
    std::uint64_t differing = 0;
  };
  std::map<std::string, row> rows;
  for (const checked_model& model : results.models) {
    row& of = rows[model.operator_name];
    ++of.models[static_cast<std::size_t>(model.outcome)];
    of.compared += model.compared;
    of.differing += model.differing;
  }
  std::string text = "<div class=\"wide\"><table>\n<thead><tr><th>operator</th>";
  for (const std::size_t i : columns) text += fmt::format("<th>{}</th>", outcome_names[i]);
  text += "<th>differing elements</th></tr></thead>\n<tbody>\n";
  for (const auto& [name, of] : rows) {
    const auto link = links.find(name);
    text += link == links.end() ? fmt::format("<tr><td>{}</td>", html(name))
                                : fmt::format("<tr><td><a href=\"#{}\">{}</a></td>", link->second, html(name));
    for (const std::size_t i : columns) {
      const auto outcome = static_cast<model_outcome>(i);
      text += fmt::format("<td class=\"{}\">", class_of(outcome, of.models[i]));
      text += outcome == model_outcome::missing && of.models[i] > 0
                  ? fmt::format("<a href=\"#missing\">{}</a></td>", of.models[i])
                  : fmt::format("{}</td>", of.models[i]);
    }
    text += fmt::format("<td>{} of {}</td></tr>\n", of.differing, of.compared);
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string index_row(const checked_model& model, std::size_t number) {
  double farthest = -1;
  bool not_numbers = false;
  for (const difference_map& map : model.maps) {
    if (!map.farthest_at.empty()) farthest = (std::max)(farthest, map.farthest);
    not_numbers = not_numbers || map.not_numbers > 0;
  }
  return fmt::format("<tr><td><a href=\"#m{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", number,
                     html(model.name), html(model.operator_name),
                     outcome_names[static_cast<std::size_t>(model.outcome)],
                     model.compared == 0 ? "" : fmt::format("{} of {}", model.differing, model.compared),
                     not_numbers     ? "NaN, infinite"
                     : farthest >= 0 ? intervals_text(farthest)
                                     : "");
}

std::string model_html(const checked_model& model, std::size_t number) {
  std::string text = fmt::format(
      "<section id=\"m{}\">\n<a class=\"up\" href=\"#index\">index</a>\n<h3>{}: {} <span "
      "class=\"bad\">{}</span></h3>\n",
      number, html(model.name), html(model.operator_name), outcome_names[static_cast<std::size_t>(model.outcome)]);
  if (model.refusal) text += fmt::format("<pre>{}</pre>\n", html(model.refusal->message, most_text));
  for (const difference_map& map : model.maps) text += map_html(map);
  for (const model_fit& fit : model.fits)
    if (fit.fit.misfits())
      text += fmt::format("<h4>Fit of {}</h4>\n", html(fit.output)) + histogram_html(fit.histogram);
  if (!model.report.empty())
    text += fmt::format("<h4>Report</h4>\n<pre class=\"report\">{}</pre>\n", html(model.report, most_text));
  if (!model.again.empty())
    text += fmt::format("<h4>To judge it again</h4>\n<pre>goldml {}</pre>\n", html(model.again, most_text));
  return text + "</section>\n";
}

std::string missing_html(const check_results& results) {
  std::size_t files = 0;
  std::size_t models = 0;
  std::string list;
  for (const checked_model& model : results.models) {
    if (model.outcome != model_outcome::missing) continue;
    ++models;
    for (const std::string& file : model.missing)
      if (++files <= most_missing_in_page && list.size() < most_page_bytes / 4)
        list += fmt::format("<li><code>{}</code></li>\n", html(file));
    if (model.missing.empty() && ++files <= most_missing_in_page)
      list += fmt::format("<li><code>{}</code>: no writeFile command names an output</li>\n", html(model.name));
  }
  if (models == 0) return "";
  const std::size_t listed = static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n'));
  return fmt::format(
      "<h2 id=\"missing\">Missing files</h2>\n<p>{} {} not judged, because these files do not exist:</p>\n<ul "
      "class=\"report\">\n{}</ul>\n{}",
      models, models == 1 ? "model was" : "models were", list,
      listed < files ? fmt::format("<p>and {} more</p>\n", files - listed) : "");
}

}  // namespace

std::string page_date() {
  using std::chrono::seconds;
  std::chrono::sys_seconds time = std::chrono::floor<seconds>(std::chrono::system_clock::now());
  if (const char* const given = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string_view text(given);
    std::uint32_t count = 0;  // until the year 2106
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (failed == std::errc() && end == text.data() + text.size()) time = std::chrono::sys_seconds(seconds(count));
  }
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time - day).count();
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), minutes / 60,
                     minutes % 60);
}

std::string page_text(const check_results& results, const std::string& command, const std::string& date) {
  std::vector<const checked_model*> models;  // by operator
  for (const checked_model& model : results.models)
    if (is_shown(model)) models.push_back(&model);
  std::stable_sort(models.begin(), models.end(),
                   [](const checked_model* a, const checked_model* b) { return a->operator_name < b->operator_name; });
  std::string sections;
  std::string index;
  std::map<std::string, std::string> links;  // of operators
  bool any_map = false;
  std::size_t shown = 0;
  for (const checked_model* model : models) {
    if (shown == most_models_in_page || sections.size() >= most_page_bytes) break;
    ++shown;
    sections += model_html(*model, shown);
    index += index_row(*model, shown);
    links.emplace(model->operator_name, fmt::format("m{}", shown));
    any_map = any_map || !model->maps.empty();
  }

  const std::string title = title_of(results);
  std::string page(page_begin);
  page += fmt::format("<title>{}</title>\n", html(title));
  page += page_style;
  page += fmt::format("<h1>{}</h1>\n", html(title));
  if (results.corpus_refused)
    page += "<p class=\"bad\">The corpus does not match its manifests: nothing was judged.</p>\n";
  page += totals_html(results) + facts_html(results, command, date);
  page += table_html(results, links);
  for (const std::string& line : noted_lines(results)) page += fmt::format("<p>{}</p>\n", html(line));
  if (models.empty() && !results.corpus_refused &&
      totals_of(results)[static_cast<std::size_t>(model_outcome::missing)] == 0)
    page += "<p class=\"good\">No model differs.</p>\n";
  if (shown > 0)
    page +=
        "<h2 id=\"index\">Models that do not agree</h2>\n<div class=\"wide\"><table class=\"index\">\n<thead><tr>"
        "<th>model</th><th>operator</th><th>outcome</th><th>differing</th><th>outside by</th></tr></thead>\n"
        "<tbody>\n" +
        index + "</tbody>\n</table></div>\n";
  if (shown < models.size())
    page +=
        fmt::format("<p>and {} more models that do not agree, which this page leaves out</p>\n", models.size() - shown);
  page += missing_html(results);
  if (const std::map<std::string, fit_total> fits = fits_of(results); !fits.empty()) {
    page += "<h2 id=\"fit\">How large the errors of sums are</h2>\n";
    for (const auto& [name, fit] : fits)
      page += fmt::format("<h4>{}: {}</h4>\n", html(name), html(fit.text())) + histogram_html(fit.histogram);
  }
  if (any_map) page += "<h2>How to read the maps</h2>\n" + legend_html();
  page += sections + "</body>\n</html>\n";
  return page;
}

void write_page(const check_results& results, const std::string& command, const std::filesystem::path& folder) {
  const std::string page = page_text(results, command, page_date());
  const io::file_place place{folder, "index.html"};
  if (const std::string problem = io::replace_file(place, std::as_bytes(std::span(page))); !problem.empty())
    io::refuse("M9", "--report", io::path_in_quotes(place.path()), "a file that can be written", problem);
}

}  // namespace goldml::tool
