// Causes come before their consequences, and rules that depend on a broken rule are skipped: for every operator, the
// effect of a broken T rule on the rest of the list of violations. Hand-written expectations for single operators:
// core/rule_order.cpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <goldml/oracle/generate_illegal.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

bool is_own(const violation& v) { return !is_tensor_rule(v.rule); }

// The operator's own violations, one line each.
std::vector<std::string> own_lines(const std::vector<violation>& all) {
  std::vector<std::string> lines;
  for (const violation& v : all)
    if (is_own(v)) lines.push_back(to_string(v));
  return lines;
}

// Whether the lines of `part` occur in `whole` in the same order.
bool is_subsequence(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  std::size_t next = 0;
  for (const std::string& line : whole)
    if (next < part.size() && part[next] == line) ++next;
  return next == part.size();
}

}  // namespace

TEST_CASE("registry: if one tensor of a valid desc breaks a T rule, only that tensor is reported", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto infos = op.operands();
    std::set<std::string_view> broken;
    for (std::uint64_t number = 0; number < goldml_test::random_count(1500); ++number) {
      auto c = oracle::sample_case(op, {.seed = 41, .most_elements = 40}, number);
      oracle::random_source random(number, 40);
      const auto legal = c;
      const std::string_view rule = oracle::detail::break_shared_rule(random, c);
      if (rule.empty()) continue;
      broken.insert(rule);
      std::string_view operand;
      for (std::size_t i = 0; i < c.tensors.size(); ++i)
        if (c.tensors[i] != legal.tensors[i]) operand = infos[place_of_tensor(infos, i, c.tensors.size()).info].name;
      const auto all = goldml_test::violations_of(c.desc, c.tensors);
      INFO(to_string(c));
      REQUIRE_FALSE(all.empty());
      CHECK(all.front().rule == rule);
      for (const violation& v : all) {
        INFO(to_string(v));
        CHECK_FALSE(is_own(v));
        CHECK(v.operand == operand);
      }
    }
    CHECK(broken.size() == 10);  // T1 to T10
  });
}

TEST_CASE("registry: an operator's own rules do not use a tensor that breaks a T rule", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto infos = op.operands();
    std::size_t taken_out = 0;
    std::size_t left = 0;
    for (std::uint64_t number = 0; number < goldml_test::random_count(2000); ++number) {
      // The attributes of one case with the tensors of others break several of the operator's own rules.
      auto c = oracle::sample_illegal_case(op, {.seed = 42, .most_elements = 40}, number).text;
      const auto other = oracle::sample_case(op, {.seed = 43, .most_elements = 40}, number);
      c.desc.level() = other.desc.level();
      for (std::size_t i = number % 2; i < c.tensors.size() && i < other.tensors.size(); i += 2)
        c.tensors[i] = other.tensors[i];
      const std::size_t chosen = number % c.tensors.size();
      if (!c.tensors[chosen]) continue;
      const operand_info& info = infos[place_of_tensor(infos, chosen, c.tensors.size()).info];
      const auto all_before = goldml_test::violations_of(c.desc, c.tensors);
      const auto before = own_lines(all_before);
      // A wrong DimensionCount suppresses what compares sizes; one that is not judged does not.
      bool suppresses = false;
      for (const violation& v : all_before) suppresses = suppresses || (is_own(v) && v.member == "DimensionCount");
      if (before.empty() || suppresses) continue;
      c.tensors[chosen]->flags = static_cast<tensor_flags>(4);  // nothing is wrong with its type and sizes
      const auto all = goldml_test::violations_of(c.desc, c.tensors);
      const auto after = own_lines(all);
      INFO(to_string(c));
      CHECK(is_subsequence(after, before));
      taken_out += before.size() - after.size();
      left += after.size();
      for (const violation& v : all)
        if (is_own(v) && !info.is_array()) {
          INFO(to_string(v));
          CHECK((v.operand != info.name || v.rule == "S9"));  // S9 is about the sizes of the input and the indices
        }
    }
    CAPTURE(taken_out, left);
    CHECK(taken_out > goldml_test::random_count(50));
    // Of rules on attributes alone something is left. ScaleBias breaks one only where integers are accepted (SB1).
    const bool accepts_integers = infos.back().limits.back().data_types.contains(data_type::int32);
    const auto has_rule = [&](const attribute& row) { return row.name != "ScaleBias" || accepts_integers; };
    const auto attributes = op.attributes();
    if (infos.size() > 1 && std::any_of(attributes.begin(), attributes.end(), has_rule))
      CHECK(left >= goldml_test::random_count(5));
  });
}
