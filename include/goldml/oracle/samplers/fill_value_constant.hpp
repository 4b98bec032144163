// Random cases of FILL_VALUE_CONSTANT.
#pragma once

#include <string_view>
#include <type_traits>

#include <goldml/operators/fill_value_constant.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<fill_value_constant_desc> {
  static sampled_case<fill_value_constant_desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc output =
        random_tensor(random, operator_traits<fill_value_constant_desc>::operands[0].limits, level);
    return {{.value = random_scalar(random, output.data_type)}, {output}};
  }

  static void suit(random_source& random, data_class data, sampled_case<fill_value_constant_desc>& c) {
    if (data == data_class::subnormals) c.desc.value = random_subnormal(random, c.tensors[0]->data_type);
  }

  static std::string_view break_rule(random_source&, sampled_case<fill_value_constant_desc>& c) {
    c.desc.value = c.tensors[0]->data_type == data_type::int8 ? scalar(1.0f) : scalar(std::int8_t{1});
    return "FC1";
  }

  static constexpr sampler_options<fill_value_constant_desc> options{.suit = &suit};
};

}  // namespace goldml::oracle
