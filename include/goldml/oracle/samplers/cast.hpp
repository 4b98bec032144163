// Random cases of CAST.
#pragma once

#include <string_view>

#include <goldml/operators/cast.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/cast.hpp>

namespace goldml::oracle {

template <>
struct sampler<cast_desc> {
  static sampled_case<cast_desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc input = random_tensor(random, operator_traits<cast_desc>::operands[0].limits, level);
    tensor_desc output = input;
    output.data_type = random.pick(limits_at(operator_traits<cast_desc>::operands[0], level)->data_types);
    return {{}, {input, output}};
  }

  static constexpr sampler_options<cast_desc> options{};
};

}  // namespace goldml::oracle
