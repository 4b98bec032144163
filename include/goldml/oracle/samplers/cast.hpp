// Random cases of CAST.
#pragma once

#include <string_view>

#include <goldml/operators/cast.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/likeness.hpp>
#include <goldml/reference/cast.hpp>

namespace goldml::oracle {

template <>
struct sampler<cast_desc> {
  static sampled_case<cast_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<cast_desc>::operands[0], level);
    const tensor_desc input{.data_type = random.pick(limits.data_types),
                            .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    tensor_desc output = input;
    output.data_type = random.pick(limits.data_types);
    return {{}, {input, output}};
  }

  static std::string_view break_rule(random_source& random, sampled_case<cast_desc>& c) {
    return detail::break_likeness(random, c, 1);
  }

  static constexpr sampler_options<cast_desc> options{};
};

}  // namespace goldml::oracle
