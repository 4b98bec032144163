// core/violation.hpp: the one-line text of a broken rule, texts that are cut, the exception, and the sink.
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/core/violation.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;

const violation shapes{.rule = "S7",
                       .operator_name = "SCATTER_ND",
                       .operand = "UpdatesTensor",
                       .member = "Sizes",
                       .index = {},
                       .got = violation_text("{}", "{4,3}"),
                       .wanted = violation_text("{}", "{4,4}"),
                       .why = violation_text("tuples {}", 4)};

violation with_rule(std::string_view rule) {
  violation v = shapes;
  v.rule = rule;
  return v;
}

}  // namespace

TEST_CASE("violation: the text gives operator, rule, place, got, wanted and why", "[violation]") {
  CHECK(to_string(shapes) == "SCATTER_ND S7: UpdatesTensor.Sizes is {4,3}, wanted {4,4} (tuples 4)");
}

TEST_CASE("violation: the rules on the tensors of every operator", "[violation]") {
  for (const std::string_view rule : {"T1", "T9", "T12"}) CHECK(is_tensor_rule(rule));
  for (const std::string_view rule : {"", "T", "TI1", "TK7", "S7", "t1", "T-1"}) CHECK_FALSE(is_tensor_rule(rule));
}

TEST_CASE("violation: missing parts leave no separators", "[violation]") {
  violation v = shapes;
  v.why = {};
  v.index = 0;
  CHECK(to_string(v) == "SCATTER_ND S7: UpdatesTensor.Sizes[0] is {4,3}, wanted {4,4}");
  v.operand = "";
  v.member = "Axes";
  v.index = 12;
  CHECK(to_string(v) == "SCATTER_ND S7: Axes[12] is {4,3}, wanted {4,4}");
  v.operand = "InputTensor";
  v.member = "";
  v.index = {};
  CHECK(to_string(v) == "SCATTER_ND S7: InputTensor is {4,3}, wanted {4,4}");
}

TEST_CASE("violation: numbers in a text, decimal and hexadecimal", "[violation]") {
  CHECK(violation_text("{} {}", 10, -1).view() == "10 -1");
  CHECK(violation_text("{}", hexadecimal{0x1234'5678'90AB'CDEF}).view() == "0x1234567890abcdef");
}

TEST_CASE("violation: a text that does not fit is truncated and ends in dots", "[violation]") {
  const std::string fits(240, 'a');
  const std::string longer(241, 'a');
  CHECK(violation_text("{}", fits).view() == fits);
  CHECK(violation_text("{}", longer).view() == std::string(237, 'a') + "...");
  CHECK(violation_text("{}", std::string(5000, 'b')).view() == std::string(237, 'b') + "...");
  CHECK(violation_text("{}", std::string(159, 'c')).view() == std::string(159, 'c'));
  CHECK(violation_text("{}", "").view().empty());
  CHECK(violation_text().view().empty());
}

TEST_CASE("violation: copying does not allocate", "[violation]") {
  CHECK(std::is_trivially_copyable_v<violation_text>);
  CHECK(std::is_trivially_destructible_v<violation>);
}

TEST_CASE("error: a std::invalid_argument that holds the violation", "[violation]") {
  const error e(shapes);
  CHECK(std::is_base_of_v<std::invalid_argument, error>);
  CHECK(e.what() == to_string(shapes));
  CHECK(e.violation().rule == "S7");
  CHECK(e.violation().got.view() == "{4,3}");
}

TEST_CASE("violation_sink: keeps the first violation, and all if requested", "[violation]") {
  violation_sink only_first;
  CHECK_FALSE(only_first.first());
  only_first.add(with_rule("T1"));
  only_first.add(with_rule("T2"));
  CHECK(rule_of(only_first.first()) == "T1");

  std::vector<violation> all;
  violation_sink sink(&all);
  sink.add(with_rule("T3"));
  sink.add(with_rule("T4"));
  sink.add(with_rule("T3"));
  CHECK(rules::codes_of(all) == "T3 T4 T3");
  CHECK(rule_of(sink.first()) == "T3");
}
