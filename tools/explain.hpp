// The output of `goldml run --explain`: each dispatch of a model as C++ source for DirectML, with comments that state
// what follows from the rules. Generic over operator_traits, except for facts about particular operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/validate.hpp>
#include <goldml/io/model.hpp>

#include "directml_source.hpp"
#include "explanations.hpp"

namespace goldml::tool {

namespace detail {

// " NAME=VALUE" of a policy of the desc.
std::string policy_text(const attribute& policy, const void* desc);

// Prints an operand. `t` must have been checked at the latest level; `name` is the name of its structure.
void explain_tensor(std::ostream& out, const operand_info& info, const std::string& name, const operand& t);

// The first level at which the desc is valid, ignoring memory.
template <class Desc>
std::optional<feature_level> first_legal_level(Desc desc, operands_of<Desc> operands) {
  for (operand& t : operands) t.memory.reset();
  for (const auto& level : feature_levels) {
    desc.feature_level = level.value;
    violation_sink sink;
    check(desc, operands, sink);
    if (!sink.first()) return level.value;
  }
  return std::nullopt;
}

template <class Desc>
void explain_desc(std::ostream& out, const Desc& desc, const std::vector<violation>& broken,
                  operands_of<Desc> operands) {
  using traits = operator_traits<Desc>;
  if (const auto level = first_legal_level(desc, operands))
    out << fmt::format("// the desc is legal from feature level {} on (DML_TARGET_VERSION 0x{:x})\n", name_of(*level),
                       static_cast<std::uint32_t>(*level));
  else
    out << "// the desc is legal at no feature level\n";
  for (const violation& v : broken)
    out << fmt::format("// refused at {}: {}\n", name_of(desc.feature_level), to_string(v));
  Desc latest = desc;
  latest.feature_level = feature_level::latest;
  std::vector<violation> unused;
  violation_sink sink(&unused);  // with a list, the check does not stop at the first violation
  check(latest, operands, sink);
  for (const std::string& fact : explanation<Desc>::facts(desc, operands)) out << "// " << fact << "\n";
  std::string policies;
  for (const attribute& policy : traits::policies) policies += policy_text(policy, &desc);
  if (!policies.empty()) out << "// policies, which are goldml's and not DirectML's:" << policies << "\n";

  out << "{\n";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto [row, element] = place_of_tensor(traits::operands, i, operands.size());
    const operand_info& info = traits::operands[row];
    explain_tensor(out, info, std::string(info.name) + (info.is_array() ? fmt::format("{}", element) : ""),
                   operands[i]);
  }
  out << operator_source(traits::name, traits::attributes, traits::operands, &desc, operands)
      << "  // device->CreateOperator(&operatorDesc, ...)\n}\n";
}

}  // namespace detail

// Explains each dispatch, then each dispatchable that no command dispatches. Runs nothing. Returns the violation
// with which play() would refuse the model.
std::optional<violation> explain_model(io::model& m, std::ostream& out);

}  // namespace goldml::tool
