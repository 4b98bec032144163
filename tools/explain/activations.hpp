// What --explain prints about the activations.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/activations.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <arithmetic::activation_type F>
struct explanation<activation_desc<F>> {
  static std::vector<std::string> facts(const activation_desc<F>&, const operands_of<activation_desc<F>>& t) {
    if (!t[0].sound) return {};
    return {counted(element_count(t[0].desc->sizes), "element", "elements") + ", each " + formula()};
  }

 private:
  static constexpr const char* formula() {
    using enum arithmetic::activation_type;
    switch (F) {
      case identity:
        return "copied";
      case linear:
        return "Alpha * x + Beta";
      case relu:
        return "max(0, x)";
      case leaky_relu:
        return "x >= 0 ? x : Alpha * x";
      case elu:
        return "x >= 0 ? x : Alpha * (e^x - 1)";
      case scaled_elu:
        return "Gamma * (x > 0 ? x : Alpha * (e^x - 1))";
      case celu:
        return "max(0, x) + min(0, Alpha * (e^(x / Alpha) - 1))";
      case sigmoid:
        return "1 / (1 + e^-x)";
      case arithmetic::activation_type::tanh:
        return "tanh(x)";
      case scaled_tanh:
        return "Alpha * tanh(Beta * x)";
      case hard_sigmoid:
        return "max(0, min(Alpha * x + Beta, 1))";
      case softsign:
        return "x / (1 + |x|)";
      case softplus:
        return "ln(1 + e^(Steepness * x)) / Steepness";
      case parametric_softplus:
        return "Alpha * ln(1 + e^(Beta * x))";
      case thresholded_relu:
        return "x > Alpha ? x : 0";
      case shrink:
        return "x > Threshold ? x - Bias : x < -Threshold ? x + Bias : 0";
      case gelu:
        return "x * (1 + erf(x / sqrt(2))) / 2";
      case swish:
        return "x / (1 + e^(-SigmoidInputScale * x))";
      case hard_swish:
        return "x * max(0, min(Alpha * x + Beta, 1))";
      case clip:
        break;  // no operator of this desc
    }
    return "";
  }
};

}  // namespace goldml::tool::detail
