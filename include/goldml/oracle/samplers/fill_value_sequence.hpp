// Random cases of FILL_VALUE_SEQUENCE.
#pragma once

#include <cstdint>
#include <string_view>

#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<fill_value_sequence_desc> {
  static sampled_case<fill_value_sequence_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<fill_value_sequence_desc>::operands[0], level);
    tensor_desc output{.data_type = random.pick(limits.data_types),
                       .sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions)};
    while (output.data_type == data_type::float32 || output.data_type == data_type::float16)  // FS0
      output.data_type = random.pick(limits.data_types);
    return {{.value_start = random_scalar(random, output.data_type),
             .value_delta = random_scalar(random, output.data_type)},
            {output}};
  }

  static std::string_view break_rule(random_source& random, sampled_case<fill_value_sequence_desc>& c) {
    data_type& type = c.tensors[0]->data_type;
    if (random.chance(50)) {
      type = random.chance(50) ? data_type::float32 : data_type::float16;
      c.desc.value_start = c.desc.value_delta = {};
      return "FS0";
    }
    const scalar other = type == data_type::int8 ? scalar(1.0F) : scalar(std::int8_t{1});
    (random.chance(50) ? c.desc.value_start : c.desc.value_delta) = other;
    return "FS1";
  }
};

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
extern template const oracle::any_operator& oracle::any_operator_of<fill_value_sequence_desc>();
}  // namespace goldml
#endif
