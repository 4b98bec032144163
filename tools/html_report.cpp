#include "html_report.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>
#include <goldml/io/files.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>

namespace goldml::tool {

namespace {

constexpr std::string_view page_head = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>goldml check</title>
<style>
:root { color-scheme: light dark; --bad: #c62828; --good: #2e7d32; --line: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
pre { background: #8881; padding: .6rem; overflow: auto; max-height: 24rem; }
canvas { border: 1px solid var(--line); image-rendering: pixelated; max-width: 100%; }
section { border-top: 2px solid var(--line); margin-top: 2rem; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.bar { display: inline-block; height: .8rem; background: var(--bad); }
label { margin-right: 1rem; white-space: nowrap; }
</style>
</head>
<body>
<h1>goldml check</h1>
)html";

// Draws the maps. Each has the marks of its first elements; a slice is a matrix of the last two dimensions.
constexpr std::string_view page_script = R"html(<script>
"use strict";
for (const div of document.querySelectorAll(".map")) {
  const map = JSON.parse(div.querySelector("script").textContent);
  const n = map.sizes.length;
  const rows = n > 1 ? map.sizes[n - 2] : 1, columns = map.sizes[n - 1];
  const slices = map.sizes.slice(0, Math.max(n - 2, 0)).reduce((a, b) => a * b, 1);
  const first = Math.max(map.marks.indexOf("X"), 0);
  const state = { slice: Math.floor(first / (rows * columns)), row: 0, column: 0, zoom: 16 };
  const canvas = document.createElement("canvas"), text = document.createElement("p");
  canvas.width = 768; canvas.height = Math.min(384, Math.max(16, rows * 16));
  const controls = document.createElement("p");
  const coordinates = slice => {
    const result = [];
    for (let d = n - 3; d >= 0; --d) { result.unshift(slice % map.sizes[d]); slice = Math.floor(slice / map.sizes[d]); }
    return result;
  };
  const at = (row, column) => {
    if (row >= rows || column >= columns) return "";
    const element = (state.slice * rows + row) * columns + column;
    return element < map.marks.length ? map.marks[element] : " ";
  };
  const colours = { "X": "#c62828", ".": "#66bb6a", "?": "#9e9e9e", " ": "#ddd" };
  const draw = () => {
    const context = canvas.getContext("2d"), z = state.zoom, gap = z > 4 ? 1 : 0;
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (let y = 0; y * z < canvas.height; ++y)
      for (let x = 0; x * z < canvas.width; ++x) {
        const mark = at(state.row + y, state.column + x);
        if (mark === "") continue;
        context.fillStyle = colours[mark];
        context.fillRect(x * z, y * z, z - gap, z - gap);
      }
    const leading = coordinates(state.slice);
    text.textContent = (leading.length ? "slice {" + leading.join(",") + ",row,column}; " : "") +
      "from row " + state.row + ", column " + state.column + ". Red differs, green agrees, grey is undefined or not known" +
      (map.marks.length < slices * rows * columns ? "; the map has the first " + map.marks.length + " elements." : ".");
  };
  const slider = (name, most) => {
    if (most < 1) return;
    const label = document.createElement("label"), input = document.createElement("input");
    input.type = "range"; input.min = 0; input.max = most; input.value = state[name];
    input.oninput = () => { state[name] = Number(input.value); draw(); };
    label.append(name + " ", input); controls.append(label);
  };
  slider("slice", slices - 1); slider("row", rows - 1); slider("column", columns - 1);
  for (const [name, factor] of [["zoom in", 2], ["zoom out", 0.5]]) {
    const button = document.createElement("button");
    button.textContent = name;
    button.onclick = () => { state.zoom = Math.min(64, Math.max(1, state.zoom * factor)); draw(); };
    controls.append(button, " ");
  }
  canvas.onmousemove = event => {
    const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width / state.zoom;
    const row = state.row + Math.floor((event.clientY - box.top) * scale);
    const column = state.column + Math.floor((event.clientX - box.left) * scale);
    const mark = at(row, column);
    if (mark !== "") canvas.title = "{" + [...coordinates(state.slice), ...(n > 1 ? [row] : []), column].join(",") + "} " +
      ({ "X": "differs", ".": "agrees", "?": "is undefined or not known", " ": "is not in the map" })[mark];
  };
  div.append(controls, canvas, text);
  draw();
}
</script>
</body>
</html>
)html";

// Text for the content of an element. Control characters but newlines become '?'.
std::string html(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = (std::min)(text.find('\n', begin), text.size());
    for (const char c : io::terminal_text(text.substr(begin, end - begin))) {
      if (c == '&')
        result += "&amp;";
      else if (c == '<')
        result += "&lt;";
      else if (c == '>')
        result += "&gt;";
      else if (c == '"')
        result += "&quot;";
      else
        result += c;
    }
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

std::string table_html(const check_results& results) {
  std::map<std::string, std::array<std::uint64_t, outcome_names.size()>> rows;
  for (const checked_model& model : results.models)
    ++rows[model.operator_name][static_cast<std::size_t>(model.outcome)];
  std::string text = "<table>\n<tr><th>operator</th>";
  for (const std::string_view name : outcome_names) text += fmt::format("<th>{}</th>", name);
  text += "</tr>\n";
  for (const auto& [name, counts] : rows) {
    text += fmt::format("<tr><td>{}</td>", html(name));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto kind = static_cast<model_outcome>(i);
      const bool bad =
          kind == model_outcome::differs || kind == model_outcome::missing || kind == model_outcome::refused;
      text += fmt::format("<td class=\"{}\">{}</td>",
                          counts[i] == 0                  ? ""
                          : bad                           ? "bad"
                          : kind == model_outcome::agrees ? "good"
                                                          : "",
                          counts[i]);
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string map_html(const difference_map& map) {
  std::ostringstream json;
  json_writer writer(json);
  writer.object([&] {
    writer.key("sizes").list(map.sizes, [&](std::uint32_t size) { writer.count(size); });
    writer.key("marks").text(map.marks);
  });
  std::string text = fmt::format("<h4>{} {} {}: {} {}</h4>\n", html(map.name), name_of(map.type), map.sizes,
                                 map.differing, map.differing == 1 ? "element differs" : "elements differ");
  // The JSON has only digits, marks and the two names: nothing that ends a script.
  text += fmt::format("<div class=\"map\"><script type=\"application/json\">{}</script></div>\n<table>\n", json.str());
  std::uint64_t most = 1;
  for (const auto& [range, count] : map.histogram) most = (std::max)(most, count);
  for (const auto& [range, count] : map.histogram)
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td style=\"text-align:left\"><span class=\"bar\" "
        "style=\"width:{}px\"></span></td></tr>\n",
        html(range), count, 1 + count * 300 / most);
  return text + "</table>\n";
}

std::string model_html(const checked_model& model) {
  constexpr std::size_t most_report = 20'000;
  std::string text = fmt::format("<section>\n<h3>{}: {} <span class=\"bad\">{}</span></h3>\n", html(model.name),
                                 html(model.operator_name), outcome_names[static_cast<std::size_t>(model.outcome)]);
  if (model.refusal) text += fmt::format("<pre>{}</pre>\n", html(model.refusal->message));
  for (const difference_map& map : model.maps) text += map_html(map);
  if (!model.report.empty())
    text += fmt::format("<pre>{}{}</pre>\n", html(std::string_view(model.report).substr(0, most_report)),
                        model.report.size() > most_report ? "\n..." : "");
  if (!model.again.empty()) text += fmt::format("<p>To judge it again:</p>\n<pre>goldml {}</pre>\n", html(model.again));
  return text + "</section>\n";
}

}  // namespace

void write_page(const check_results& results, const std::filesystem::path& folder) {
  std::string page(page_head);
  page += table_html(results);
  for (const std::string& line : noted_lines(results)) page += fmt::format("<p>{}</p>\n", html(line));
  if (results.corpus_refused)
    page += "<p class=\"bad\">The corpus does not match its manifests: nothing was judged.</p>\n";
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const checked_model& model : results.models) {
    if (model.outcome == model_outcome::agrees || model.outcome == model_outcome::flagged ||
        model.outcome == model_outcome::undefined)
      continue;
    if (shown == most_models_in_page) {
      ++left_out;
      continue;
    }
    ++shown;
    page += model_html(model);
  }
  if (left_out > 0) page += fmt::format("<p>and {} more models that do not agree</p>\n", left_out);
  if (shown == 0 && !results.corpus_refused) page += "<p class=\"good\">No model differs.</p>\n";
  page += page_script;
  const io::file_place place{folder, "index.html"};
  if (const std::string problem = io::replace_file(place, std::as_bytes(std::span(page))); !problem.empty())
    io::refuse("M9", "--report", io::path_in_quotes(place.path()), "a file that can be written", problem);
}

}  // namespace goldml::tool
