// Random cases of pooling.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <goldml/operators/pooling.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/samplers/windows.hpp>

namespace goldml::oracle {

template <goldml::detail::pooling_operator Desc>
struct sampler<Desc> {
  using case_type = sampled_case<Desc>;
  static constexpr bool has_indices = operator_traits<Desc>::has_indices;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc input = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
    case_type result;
    tensor_desc output = input;
    output.sizes = detail::sample_windows_of(random, input.sizes, result.desc);
    if constexpr (Desc::function == pooling_function::average) {
      result.desc.include_padding = random.chance(50);
    } else if constexpr (Desc::function == pooling_function::lp) {
      constexpr std::array powers{1U, 2U, 2U, 3U, 5U};
      result.desc.p = powers[random.below(powers.size())];
    }
    if constexpr (has_indices) {
      result.tensors = {input, output, std::nullopt};
      if (random.chance(80)) {
        const data_type type = random.pick(limits_at(operator_traits<Desc>::operands[2], level)->data_types);
        result.tensors[2] = tensor_desc{.data_type = type, .sizes = output.sizes};
      }
    } else {
      result.tensors = {input, output};
    }
    return result;
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    const std::size_t which = random.below(has_indices ? 4 : 3);
    if (which == 3) {
      if constexpr (has_indices) {
        if (!c.tensors[2]) return "";
        ++c.tensors[2]->sizes[random.below(c.tensors[2]->sizes.size())];
      }
      return "PO10";
    }
    dimensions& counts = c.tensors[1]->sizes;
    detail::break_windows(random, static_cast<unsigned>(6 + which), c.tensors[0]->sizes, c.desc, counts);
    if constexpr (has_indices)
      if (c.tensors[2]) c.tensors[2]->sizes = counts;
    constexpr std::array<std::string_view, 3> codes{"PO6", "PO7", "PO8"};
    return codes[which];
  }

  static constexpr sampler_options<Desc> options = [] {
    sampler_options<Desc> all;
    if (Desc::function != pooling_function::max) all.fill = &fill;
    return all;
  }();
};

}  // namespace goldml::oracle
