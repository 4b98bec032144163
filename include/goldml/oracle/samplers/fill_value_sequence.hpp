// Random cases of FILL_VALUE_SEQUENCE.
#pragma once

#include <cstdint>
#include <string_view>

#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<fill_value_sequence_desc> {
  static sampled_case<fill_value_sequence_desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc output =
        random_tensor(random, operator_traits<fill_value_sequence_desc>::operands[0].limits, level);
    sampled_case<fill_value_sequence_desc> result{{}, {output}};
    result.desc.value_start = random_scalar(random, output.data_type);
    result.desc.value_delta = random_scalar(random, output.data_type);
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      if (random.chance(20)) return;
      T start = detail::full_number<T>(random);
      T delta = detail::full_number<T>(random);
      if (random.chance(40)) {  // exact
        start = T(static_cast<float>(random.between(-8, 8)));
        delta = T(static_cast<float>(random.between(-8, 8)));
      } else if (random.chance(30)) {  // cancels at the second element
        start = detail::from_bits<T>(goldml::detail::magnitude_bits(delta) ^ detail::sign_bit<T>);
        delta = detail::from_bits<T>(goldml::detail::magnitude_bits(delta) ^ random.below(4));
      }
      result.desc.value_start = start;
      result.desc.value_delta = delta;
    });
    return result;
  }

  static void suit(random_source& random, data_class data, sampled_case<fill_value_sequence_desc>& c) {
    if (data != data_class::subnormals) return;
    c.desc.value_start = random_subnormal(random, c.tensors[0]->data_type);
    c.desc.value_delta = random_subnormal(random, c.tensors[0]->data_type);
  }

  static std::string_view break_rule(random_source& random, sampled_case<fill_value_sequence_desc>& c) {
    const scalar other = c.tensors[0]->data_type == data_type::int8 ? scalar(1.0F) : scalar(std::int8_t{1});
    (random.chance(50) ? c.desc.value_start : c.desc.value_delta) = other;
    return "FS1";
  }

  static constexpr sampler_options<fill_value_sequence_desc> options{.suit = &suit};
};

}  // namespace goldml::oracle
