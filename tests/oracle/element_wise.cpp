// The sampler of the element-wise operators: illegal cases break the rule that they name, every rule is among them, and
// legal cases are judged as right with their golden answer.
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/oracle/samplers/element_wise.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

template <class... Desc, class F>
void for_all(type_list<Desc...>, const F& f) {
  (f(oracle::any_operator_of<Desc>()), ...);
}

}  // namespace

TEST_CASE("oracle: illegal cases of element-wise operators break the rule that they name", "[oracle]") {
  std::set<std::string, std::less<>> rules;
  for_all(element_wise_operators{}, [&](const oracle::any_operator& op) {
    for (std::uint64_t number = 0; number < 300; ++number) {
      const auto illegal = oracle::sample_illegal_case(op, {.seed = 5, .most_elements = 40}, number);
      auto operands = std::vector<operand>();
      for (const auto& tensor : illegal.text.tensors) operands.push_back(tensor ? to_operand(*tensor) : operand{});
      violation_sink sink;
      op.description->check(illegal.text.desc.get(), operands, sink);
      CAPTURE(to_string(illegal.text));
      REQUIRE(sink.first());
      REQUIRE(sink.first()->rule == illegal.rule);
      if (!illegal.rule.starts_with("T")) rules.insert(std::string(illegal.rule));
    }
  });
  CHECK(rules == std::set<std::string, std::less<>>{"ID1", "ID2", "ID3", "UN1", "UN2", "UN3", "UN4", "RO1",
                                                    "RO2", "RO3", "RO4", "CL1", "CL2", "CL3", "CL4", "CL5",
                                                    "MM1", "MM2", "MM3", "IF1", "IF2", "IF3", "LO1", "LO2",
                                                    "LO3", "BI1", "BI2", "BI3", "SB0", "SB1"});
}

TEST_CASE("oracle: the golden answer of element-wise operators is right, also strictly", "[oracle]") {
  std::uint64_t defined = 0;
  for_all(element_wise_operators{}, [&](const oracle::any_operator& op) {
    for (std::uint64_t number = 0; number < 60; ++number) {
      oracle::generate_options options{.seed = 6, .most_elements = 60};
      options.data.clear();
      for (const auto& entry : enumeration<oracle::data_class>::values) options.data.push_back(entry.value);
      const auto c = oracle::make_case(op, oracle::sample_case(op, options, number));
      REQUIRE(c.expected.answers.size() == 1);
      const const_tensor_ref answer = c.expected.answers[0][0].values.ref();
      CAPTURE(c.line());
      for (const auto& compare_options : {oracle::compare_options{}, oracle::compare_options::strict()}) {
        const auto judged = oracle::compare(c.expected, std::span(&answer, 1), compare_options);
        REQUIRE(judged.tolerated());
        defined += judged.result.compared();
      }
    }
  });
  CHECK(defined > 20'000);
}
