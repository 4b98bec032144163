// The samplers of TOP_K, TOP_K1 and ONE_HOT: illegal cases break the rule that they name, every rule is among them, and
// legal cases are judged as right with their golden answer.
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/oracle/samplers/one_hot.hpp>
#include <goldml/oracle/samplers/top_k.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

using operators = type_list<top_k_desc, top_k1_desc, one_hot_desc>;

template <class... Desc, class F>
void for_all(type_list<Desc...>, const F& f) {
  (f(oracle::any_operator_of<Desc>()), ...);
}

}  // namespace

TEST_CASE("oracle: illegal cases of selections break the rule that they name, at every level", "[oracle]") {
  std::set<std::string, std::less<>> rules;
  for_all(operators{}, [&](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      for (std::uint64_t number = 0; number < 100; ++number) {
        const auto illegal =
            oracle::sample_illegal_case(op, {.seed = 5, .most_elements = 40, .feature_level = level.value}, number);
        auto operands = to_operands(illegal.text.tensors);
        violation_sink sink;
        op.description->check(illegal.text.desc.get(), operands, sink);
        CAPTURE(to_string(illegal.text));
        REQUIRE(sink.first());
        REQUIRE(sink.first()->rule == illegal.rule);
        if (!illegal.rule.starts_with("T") || illegal.rule.starts_with("TK")) rules.insert(std::string(illegal.rule));
      }
    }
  });
  CHECK(rules == std::set<std::string, std::less<>>{"TK1", "TK2", "TK3", "TK4", "TK5", "TK6", "TK7", "OH1", "OH2",
                                                    "OH3", "OH4", "OH5", "OH6"});
}

TEST_CASE("oracle: the golden answer of selections is right, also strictly", "[oracle]") {
  std::uint64_t defined = 0;
  for_all(operators{}, [&](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      for (std::uint64_t number = 0; number < 60; ++number) {
        oracle::generate_options options{.seed = 6, .most_elements = 60, .feature_level = level.value};
        options.data.clear();
        for (const auto& entry : enumeration<oracle::data_class>::values) options.data.push_back(entry.value);
        const auto c = oracle::make_case(op, oracle::sample_case(op, options, number));
        std::vector<const_tensor_ref> answer;
        for (const auto& output : c.expected.answers.at(0)) answer.push_back(output.values.ref());
        CAPTURE(c.line());
        for (const auto& compare_options : {oracle::compare_options{}, oracle::compare_options::strict()}) {
          const auto judged = oracle::compare(c.expected, std::span<const const_tensor_ref>(answer), compare_options);
          REQUIRE(judged.tolerated());
          defined += judged.result.compared();
        }
      }
    }
  });
  CHECK(defined > 20'000);
}
