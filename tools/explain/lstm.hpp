// What --explain prints about LSTM.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/lstm.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<lstm_desc> {
  static std::vector<std::string> facts(const lstm_desc& desc, const operands_of<lstm_desc>& t) {
    if (!t[0].legal || !t[2].legal) return {};
    const dimensions& x = t[0].desc->sizes;
    std::vector<std::string> lines{fmt::format("{} of {} inputs to {} of state, {}", counted(x[1], "step", "steps"),
                                               x[3], counted(t[2].desc->sizes[3], "number", "numbers"),
                                               counted(x[2], "sequence", "sequences"))};
    const auto f = [&](std::size_t i) {
      const activation_info* info = find_activation(desc.activation_descs[i].operator_type);
      return info == nullptr ? std::string_view("?") : info->name;
    };
    for (std::size_t d = 0; 3 * d + 2 < desc.activation_descs.size(); ++d) {
      const bool backward = d == 1 || desc.direction == recurrent_network_direction::backward;
      lines.push_back(fmt::format("direction {}, {}: gates {}, cell {} of its input and {} of its output", d,
                                  backward ? "from the last step to the first" : "from the first step to the last",
                                  f(3 * d), f(3 * d + 1), f(3 * d + 2)));
    }
    return lines;
  }
};

}  // namespace goldml::tool::detail
