// Activations that an operator fuses: a tensor in one is refused, wherever the attribute holds it.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <goldml/core/activation_rules.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

const activation_info& known = activation_table[0];

template <class Given>
std::vector<std::string> refusals(const Given& given) {
  std::vector<violation> all;
  violation_sink sink(&all);
  detail::check_no_tensors("X9", "FusedActivation", given, rule_report("OPERATOR", sink));
  std::vector<std::string> texts;
  for (const violation& v : all) texts.push_back(to_string(v));
  return texts;
}

}  // namespace

TEST_CASE("activations: a tensor in a fused one is refused, once for each", "[core]") {
  const activation plain{.operator_type = known.operator_type};
  const activation bound{.operator_type = known.operator_type, .has_tensors = true};
  const activation unknown{.operator_type = 0xFFFF'FFFFU, .has_tensors = true};
  const std::string tail = " with a tensor, wanted null tensors in an activation that is fused";
  const std::string refusal = "OPERATOR X9: FusedActivation is " + std::string(known.name) + tail;
  CHECK(refusals(plain).empty());
  CHECK(refusals(bound) == std::vector{refusal});
  CHECK(refusals(unknown) == std::vector{"OPERATOR X9: FusedActivation is an activation" + tail});

  CHECK(refusals(std::optional<activation>()).empty());
  CHECK(refusals(std::optional(plain)).empty());
  CHECK(refusals(std::optional(bound)) == std::vector{refusal});

  activation_list list;
  CHECK(refusals(list).empty());
  list.push_back(plain);
  list.push_back(bound);
  list.push_back(plain);
  CHECK(refusals(list) == std::vector{"OPERATOR X9: FusedActivation[1] is " + std::string(known.name) + tail});
}
