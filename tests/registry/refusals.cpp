// Illegal cases of every operator: the call throws the violation that validate() returns, which is the first of
// violations(), and writes nothing. That the generator's illegal cases break the intended rule is tested in
// oracle/generate.cpp.
#include "../support/refusals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"

using namespace goldml;

TEST_CASE("registry: all calls refuse an illegal case with the same violation, with all memory unchanged",
          "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    constexpr std::size_t bytes = 4096;
    const std::vector<std::uint64_t> untouched(bytes / 8, 0xA5A5'A5A5'A5A5'A5A5);
    for (std::uint64_t number = 0; number < goldml_test::random_count(1500); ++number) {
      const auto illegal = oracle::sample_illegal_case(op, {.seed = 34, .most_elements = 40}, number);
      const auto& c = illegal.text;
      CAPTURE(to_string(c));
      std::vector<std::vector<std::uint64_t>> memory(c.tensors.size(), untouched);
      std::vector<const_tensor_ref> inputs;
      std::vector<tensor_ref> outputs;
      for (std::size_t i = 0; i < c.tensors.size(); ++i)
        if (i < op.description->input_count(c.tensors.size()))
          inputs.push_back(c.tensors[i] ? const_tensor_ref(*c.tensors[i], memory[i].data(), bytes)
                                        : const_tensor_ref());
        else
          outputs.push_back(c.tensors[i] ? tensor_ref(*c.tensors[i], memory[i].data(), bytes) : tensor_ref());

      auto operands = to_operands(inputs, outputs);
      auto again = operands;
      std::vector<violation> all;
      violation_sink every(&all);
      check(c.desc, operands, every);
      violation_sink first;
      check(c.desc, again, first);
      REQUIRE_FALSE(all.empty());
      REQUIRE(first.first());
      REQUIRE(all.front().rule == illegal.rule);
      REQUIRE(to_string(*first.first()) == to_string(all.front()));
      REQUIRE(all.front().operator_name == op.name());

      std::string refusal = "none";
      try {
        op.golden->evaluate(c.desc.get(), inputs, outputs);
      } catch (const error& e) {
        refusal = e.what();
      }
      REQUIRE(refusal == to_string(all.front()));
      for (const auto& words : memory) REQUIRE(words == untouched);
    }
  });
}

TEST_CASE("registry: violations come in the documented order", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto infos = op.operands();
    // The position of a violation: its tensor and the number of its T code. The operator's own codes follow all
    // tensors.
    const auto place_of = [&](const violation& v) {
      std::size_t operand = infos.size();
      for (std::size_t i = 0; i < infos.size(); ++i)
        if (infos[i].name == v.operand) operand = i;
      if (!is_tensor_rule(v.rule)) return ~std::size_t{0};
      constexpr std::size_t most_codes = 100, most_entries = 10'000;  // of an operand that is an array
      return (operand * most_entries + v.element.value_or(0)) * most_codes + std::stoul(std::string(v.rule.substr(1)));
    };
    std::size_t of_several = 0;
    const std::uint64_t count = infos.size() == 1 ? 6000 : 1000;  // a single tensor seldom breaks two rules
    for (std::uint64_t number = 0; number < count; ++number) {
      // Two illegal cases combined: the desc of one, and tensors of both.
      auto c = oracle::sample_illegal_case(op, {.seed = 35, .most_elements = 40}, number).text;
      const auto other = oracle::sample_illegal_case(op, {.seed = 36, .most_elements = 40}, number).text;
      const feature_level level = c.desc.level();
      c.desc = other.desc;
      c.desc.level() = level;
      for (std::size_t i = 1; i < c.tensors.size() && i < other.tensors.size(); i += 2) c.tensors[i] = other.tensors[i];
      // For an operator with one tensor: the data type of one case and the layout of the other.
      if (c.tensors.size() == 1 && c.tensors[0] && other.tensors[0])
        c.tensors[0]->data_type = other.tensors[0]->data_type;
      const auto all = goldml_test::violations_of(c.desc, c.tensors);
      if (all.size() > 1) ++of_several;
      if (all.size() == 1 && all[0].rule == "T11") continue;
      for (std::size_t i = 1; i < all.size(); ++i)
        if (place_of(all[i - 1]) > place_of(all[i]))
          FAIL_CHECK(to_string(all[i - 1]) << " before " << to_string(all[i]) << ": " << to_string(c));
    }
    CHECK(of_several > 50);
  });
}
