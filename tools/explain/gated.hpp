// What --explain prints about recurrent layers with gates.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/recurrent_rules.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// `functions`: what each of a direction's activations is of.
template <class Desc, std::size_t N>
std::vector<std::string> facts_of_gated(const Desc& desc, const operands_of<Desc>& t,
                                        const std::array<std::string_view, N>& functions) {
  if (!t[0].legal || !t[2].legal) return {};
  const dimensions& x = t[0].desc->sizes;
  std::vector<std::string> lines{fmt::format("{} of {} inputs to {} of state, {}", counted(x[1], "step", "steps"), x[3],
                                             counted(t[2].desc->sizes[3], "number", "numbers"),
                                             counted(x[2], "sequence", "sequences"))};
  for (std::size_t d = 0; N * (d + 1) <= desc.activation_descs.size(); ++d) {
    const bool backward = d == 1 || desc.direction == recurrent_network_direction::backward;
    lines.push_back(fmt::format("direction {}, {}: ", d,
                                backward ? "from the last step to the first" : "from the first step to the last"));
    for (std::size_t i = 0; i < N; ++i) {
      const activation_info* info = find_activation(desc.activation_descs[N * d + i].operator_type);
      lines.back() += fmt::format(fmt::runtime(functions[i]), info == nullptr ? std::string_view("?") : info->name);
    }
  }
  return lines;
}

}  // namespace goldml::tool::detail
