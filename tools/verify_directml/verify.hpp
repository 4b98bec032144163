// Compares goldml with DirectML over generated cases. The result is a table by operator and by kind of case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/directml/directml.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/oracle/report.hpp>

namespace verify_directml {

using namespace goldml;

// The numbers of cases by result.
struct counts {
  std::uint64_t agree = 0;        // legal: a correct result; illegal: refused by both
  std::uint64_t allowed = 0;      // right by default, not if judged strictly (ledger 7.3, 7.4)
  std::uint64_t differ = 0;       // a wrong result
  std::uint64_t refused = 0;      // legal, but DirectML returned E_INVALIDARG
  std::uint64_t accepted = 0;     // illegal, but DirectML created an operator
  std::uint64_t unsupported = 0;  // skipped: the adapter lacks a data type
  std::uint64_t failed = 0;       // another error

  std::uint64_t all() const { return agree + allowed + differ + refused + accepted + unsupported + failed; }
  bool at_odds() const { return differ + refused + accepted + failed != 0; }
};

struct row {
  std::string what;
  counts found;
};

struct options {
  std::uint64_t count = 1000;  // legal cases per operator, and half as many illegal ones
  std::uint64_t seed = 1;
  std::function<void(const std::string& line)> before = {};  // is called before each case
};

struct result {
  std::vector<row> rows;              // the first counts all legal cases, the last all illegal ones
  std::vector<std::string> examples;  // the first case at odds of each row
  std::string gone;                   // why the run ended early: DirectML removed the device

  bool at_odds() const { return !rows.empty() && (rows.front().found.at_odds() || rows.back().found.at_odds()); }
};

// The ruling that a data class tests.
inline std::string_view ruling_of(oracle::data_class data) {
  using oracle::data_class;
  switch (data) {
    case data_class::special:
      return " (7.1, 7.2, 7.4: NaN, zeros)";
    case data_class::subnormals:
      return " (7.4: subnormals)";
    case data_class::signalling_nans:
      return " (7.4: bits of NaN)";
    case data_class::unsorted_axes:
      return " (7.3: order of Axes)";
    case data_class::all_nan_slices:
      return " (7.1: NaN)";
    case data_class::ties:
      return " (7.4: zeros tie)";
    case data_class::collisions:
      return " (7.6: duplicate places)";
    case data_class::negative_indices:
      return " (7.8: negative indices)";
    default:
      return "";
  }
}

// The rows in which a legal case is counted.
inline std::vector<std::string> rows_of(const oracle::test_case<any_desc>& c) {
  const operator_description& op = c.desc.description();
  const std::size_t inputs = op.input_count(c.tensors.size());
  std::vector<std::string> rows{"legal", fmt::format("  data {}{}", enumerator_name(c.data), ruling_of(c.data))};
  bool strided_input = false, shared_input = false, strided_output = false, larger = false, uneven = false;
  std::size_t most = 0;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (!c.tensors[i]) continue;
    const tensor_desc& t = *c.tensors[i];
    const dimensions strides = effective_strides(t);
    const bool strided = strides != packed_strides(t.sizes);
    (i < inputs ? strided_input : strided_output) |= strided;
    shared_input = shared_input || (strided && strides.contains(0));
    larger = larger || total_tensor_size_in_bytes(t) > buffer_tensor_size_in_bytes(t);
    uneven = uneven || (most != 0 && t.sizes.size() != most);
    most = (std::max)(most, t.sizes.size());
  }
  if (!strided_input && !strided_output) rows.push_back("  all tensors packed");
  if (strided_input) rows.push_back("  an input with strides (2.2)");
  if (shared_input) rows.push_back("  an input with a stride of 0 (2.2)");
  if (strided_output) rows.push_back("  an output with strides (2.2)");
  if (larger) rows.push_back("  TotalTensorSizeInBytes above the minimum");
  if (most > 5) rows.push_back("  more than 5 dimensions");
  if (uneven) rows.push_back("  DimensionCounts that differ (7.9)");
  for (const attribute& row : op.attributes) {
    if (row.name != "Axes") continue;
    const auto& axes = *static_cast<const dimensions*>(row.address(c.desc.get()));
    if (!std::is_sorted(axes.begin(), axes.end())) rows.push_back("  Axes in no order (7.3)");
  }
  return rows;
}

class comparison_run {
 public:
  comparison_run(const directml::device& dml, const oracle::any_operator& op, const options& given)
      : dml_(dml), op_(op), given_(given) {}

  result run() {
    using oracle::data_class;
    if (dml_.feature_level() < op_.first_level()) return {};
    oracle::generate_options generate{.seed = given_.seed, .feature_level = dml_.feature_level()};
    generate.data = oracle::all_data_classes();
    std::erase(generate.data, data_class::out_of_range);
    for (std::uint64_t i = 0; i < given_.count && result_.gone.empty(); ++i)
      legal(oracle::sample_case(op_, generate, i));
    for (std::uint64_t i = 0; i < given_.count / 2 && result_.gone.empty(); ++i)
      illegal(oracle::sample_illegal_case(op_, generate, i));
    return std::move(result_);
  }

 private:
  void legal(const oracle::test_case<any_desc>& c) {
    const std::vector<std::string> rows = rows_of(c);
    const std::string line = to_string(c);
    if (given_.before) given_.before(line);
    for (const auto& t : c.tensors)
      if (t && !dml_.supports(t->data_type)) return count(rows, &counts::unsupported, "");
    const auto made = oracle::make_case(op_, c);
    std::vector<host_tensor> outputs;
    for (const tensor_desc& t : made.outputs) outputs.emplace_back(t, std::byte{0xA5});
    for (std::size_t i = 0; i < made.initial.size(); ++i)
      if (!made.initial[i].omitted()) oracle::detail::copy_all(made.initial[i].ref(), outputs[i].ref());
    std::vector<tensor_ref> refs;
    for (host_tensor& output : outputs) refs.push_back(output.ref());
    if (!attempt(rows, &counts::refused, line, [&] {
          directml::execute(dml_, c.desc, std::span<const const_tensor_ref>(made.input_refs()),
                            std::span<const tensor_ref>(refs));
        }))
      return;
    const std::vector<const_tensor_ref> answers(refs.begin(), refs.end());
    if (oracle::compare(made.expected, answers, oracle::compare_options::strict()).tolerated())
      return count(rows, &counts::agree, "");
    const auto judged = oracle::compare(made.expected, answers);
    if (judged.tolerated()) return count(rows, &counts::allowed, "");
    count(rows, &counts::differ, oracle::report(made.expected, answers, judged, {}, oracle::names_of(made), line));
  }

  void illegal(const oracle::illegal_case<any_desc>& c) {
    if (c.rule == "T11") return;                    // the structure does not have the level: DirectML uses its own
    if (c.rule == "A6" || c.rule == "AX6") return;  // nor the policy without which an AxisCount of 0 is legal
    const std::vector<std::string> rows{fmt::format("  rule {} broken", c.rule), "illegal"};
    const std::string line = fmt::format("{} ({} is broken)", to_string(c.text), c.rule);
    if (given_.before) given_.before(line);
    const directml::any_operator_structure structure(c.text.desc, c.text.tensors);
    const bool accepted = attempt(rows, &counts::agree, line,
                                  [&] { const directml::compiled_operator op(dml_, structure.get(), op_.name()); });
    if (accepted) count(rows, &counts::accepted, "accepted: " + line + "\n");
  }

  // Whether f() succeeds. If DirectML refuses, the case is counted as `refusal`.
  template <class F>
  bool attempt(const std::vector<std::string>& rows, std::uint64_t counts::*refusal, const std::string& line, F&& f) {
    try {
      f();
      return true;
    } catch (const directml::device_error& problem) {
      const bool refused = problem.result() == E_INVALIDARG && problem.call().starts_with("IDMLDevice::C");
      count(rows, refused ? refusal : &counts::failed, fmt::format("{}\n  case: {}\n", problem.what(), line));
      if (FAILED(dml_.native()->GetDeviceRemovedReason())) result_.gone = problem.what();
      return false;
    }
  }

  void count(const std::vector<std::string>& rows, std::uint64_t counts::*member, const std::string& example) {
    bool first = false;
    for (const std::string& what : rows) {
      row& r = row_of(what);
      first = ++(r.found.*member) == 1 || first;
    }
    if (first && member != &counts::agree && !example.empty()) result_.examples.push_back(example);
  }

  // The row with this name. Rows are sorted: all legal cases, kinds of legal cases, rules, all illegal cases.
  row& row_of(const std::string& what) {
    const auto rank = [](const std::string& name) {
      const int group = name == "legal" ? 0 : name == "illegal" ? 3 : name.starts_with("  rule") ? 2 : 1;
      return std::pair(group, name);
    };
    auto at = result_.rows.begin();
    while (at != result_.rows.end() && rank(at->what) < rank(what)) ++at;
    if (at == result_.rows.end() || at->what != what) at = result_.rows.insert(at, {what, {}});
    return *at;
  }

  const directml::device& dml_;
  const oracle::any_operator& op_;
  const options& given_;
  result result_;
};

inline result compare(const directml::device& dml, const oracle::any_operator& op, const options& given) {
  return comparison_run(dml, op, given).run();
}

inline std::string table_text(std::string_view operator_name, const result& found) {
  std::string text = fmt::format("{:<52}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}{:>9}{:>8}\n", operator_name, "cases", "agree",
                                 "allowed", "differ", "refused", "accepted", "no type", "failed");
  if (found.rows.empty()) text += "not in this DirectML's feature level\n";
  for (const row& r : found.rows)
    text += fmt::format("{:<52}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}{:>9}{:>8}\n", r.what, r.found.all(), r.found.agree,
                        r.found.allowed, r.found.differ, r.found.refused, r.found.accepted, r.found.unsupported,
                        r.found.failed);
  if (!found.gone.empty()) text += fmt::format("ended early: {}\n", found.gone);
  return text;
}

}  // namespace verify_directml
