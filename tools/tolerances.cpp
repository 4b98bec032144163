#include "tolerances.hpp"

#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/number_text.hpp>

namespace goldml::tool {

namespace {

std::string tolerance_text(double x) { return std::isinf(x) ? "none" : fmt::format("{:.3g}", x); }

std::string share_text(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "-" : fmt::format("{:.3g} %", 100 * static_cast<double>(part) / static_cast<double>(all));
}

// The kinds of elements, where there are any.
std::string elements_text(const oracle::tolerance& t) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : "; ", count, what);
  };
  add(t.rounded, "that right devices round differently");
  add(t.exact, "of which only the golden value is right, so that any tolerance is too wide");
  add(t.nans, "NaN");
  add(t.open, "that may be infinite, NaN or anything, for which there is no tolerance");
  add(t.undefined, "undefined");
  return text;
}

}  // namespace

void tolerance_searches::add(const oracle::generated_case<any_desc>& c) {
  searched_cases& of =
      operators_.try_emplace(c.text.desc.description().name, searched_cases{oracle::tolerance_search(options_), 0})
          .first->second;
  of.search.add(c);
  ++of.cases;
}

std::vector<found_tolerance> tolerance_searches::found() {
  std::vector<found_tolerance> result;
  for (auto& [name, of] : operators_)
    for (oracle::tolerance& t : of.search.found()) result.push_back({name, of.cases, std::move(t)});
  return result;
}

void print_tolerances(const std::vector<found_tolerance>& found, std::ostream& out) {
  for (const found_tolerance& one : found) {
    const oracle::tolerance& t = one.tolerance;
    out << fmt::format("{} {}, {} {}\n", one.operator_name, name_of(t.type), one.cases,
                       one.cases == 1 ? "case" : "cases");
    if (t.rounded == 0)
      out << "  no tolerance is needed\n";
    else
      out << fmt::format(
          "  |got - golden| <= {} + {} * |golden|\n  or one alone: absolute {}, relative {}, {} ULP\n"
          "  about {:.3g} times the error of a right device\n",
          tolerance_text(t.absolute), tolerance_text(t.relative), tolerance_text(t.absolute_alone),
          tolerance_text(t.relative_alone), t.ulp, t.width);
    out << fmt::format("  elements: {}\n", elements_text(t));
    if (t.wrong.empty()) continue;
    out << fmt::format("  {:<18}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "lets through", "outputs", "pair",
                       "ULP", "goldml", "elements", "pair", "ULP", "goldml");
    for (const oracle::let_through& wrong : t.wrong) {
      out << fmt::format("  {:<18}", name_of(wrong.device));
      for (const oracle::let_through::counts& c : {wrong.outputs, wrong.elements})
        out << fmt::format("{:>10}{:>10}{:>10}{:>10}", c.wrong, share_text(c.pair, c.wrong), share_text(c.ulp, c.wrong),
                           share_text(c.interval, c.wrong));
      out << '\n';
    }
  }
}

void write_tolerances(json_writer& json, const std::vector<found_tolerance>& found) {
  json.key("tolerances").list(found, [&](const found_tolerance& one) {
    const oracle::tolerance& t = one.tolerance;
    json.object([&] {
      json.key("operator").text(one.operator_name);
      json.key("cases").count(one.cases);
      json.key("data_type").text(name_of(t.type));
      json.key("absolute").number(number_text(t.absolute));
      json.key("relative").number(number_text(t.relative));
      json.key("absolute_alone").number(number_text(t.absolute_alone));
      json.key("relative_alone").number(number_text(t.relative_alone));
      json.key("ulp").count(t.ulp);
      json.key("width").number(number_text(t.width));
      json.key("rounded").count(t.rounded);
      json.key("exact").count(t.exact);
      json.key("nans").count(t.nans);
      json.key("open").count(t.open);
      json.key("undefined").count(t.undefined);
      json.key("wrong").list(t.wrong, [&](const oracle::let_through& wrong) {
        const auto write = [&](std::string_view name, const oracle::let_through::counts& c) {
          json.key(name).object([&] {
            json.key("wrong").count(c.wrong);
            json.key("pair").count(c.pair);
            json.key("ulp").count(c.ulp);
            json.key("interval").count(c.interval);
          });
        };
        json.object([&] {
          json.key("device").text(name_of(wrong.device));
          write("outputs", wrong.outputs);
          write("elements", wrong.elements);
        });
      });
    });
  });
}

}  // namespace goldml::tool
