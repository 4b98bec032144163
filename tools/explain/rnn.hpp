// What --explain prints about RNN.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/rnn.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<rnn_desc> {
  static std::vector<std::string> facts(const rnn_desc& desc, const operands_of<rnn_desc>& t) {
    if (!t[0].legal || !t[1].legal) return {};
    const dimensions& x = t[0].desc->sizes;
    std::vector<std::string> lines{
        fmt::format("{} of {} inputs to {} of state, {}", counted(x[1], "step", "steps"), x[3],
                    counted(t[1].desc->sizes[2], "number", "numbers"), counted(x[2], "sequence", "sequences"))};
    for (std::size_t i = 0; i < desc.activation_descs.size(); ++i) {
      const activation_info* f = find_activation(desc.activation_descs[i].operator_type);
      const bool backward = i == 1 || desc.direction == recurrent_network_direction::backward;
      lines.push_back(fmt::format("direction {}, {}: h = {}(W x + R h + biases)", i,
                                  backward ? "from the last step to the first" : "from the first step to the last",
                                  f == nullptr ? std::string_view("?") : f->name));
    }
    return lines;
  }
};

}  // namespace goldml::tool::detail
