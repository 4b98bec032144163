// Random cases of ELEMENT_WISE_QUANTIZED_LINEAR_ADD.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>

namespace goldml::oracle {

template <>
struct sampler<element_wise_quantized_linear_add_desc> {
  using case_type = sampled_case<element_wise_quantized_linear_add_desc>;
  static constexpr auto& operands = operator_traits<element_wise_quantized_linear_add_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc a = random_tensor(random, operands[0].limits, level);
    const auto like = [&] {
      return tensor_desc{.data_type = random.pick(goldml::detail::quantised_bytes), .sizes = a.sizes};
    };
    case_type result{{}, {}};
    result.tensors[0] = a;
    result.tensors[3] = like();
    result.tensors[8] = like();
    for (const std::size_t i : {1U, 2U, 4U, 5U, 6U, 7U}) {
      const bool is_scale = !operands[i].optional;
      if (!is_scale && random.chance(30)) continue;
      result.tensors[i] = tensor_desc{
          .data_type = is_scale ? data_type::float32 : result.tensors[operands[i].same_data_type_as.operand]->data_type,
          .sizes = dimensions::filled(a.sizes.size(), 1)};
    }
    return result;
  }

  static void fill(random_source& random, const element_wise_quantized_linear_add_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_quantised(random, data, inputs, 0x1p-6);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    const std::size_t i = 1 + random.below(7);
    return i != 3 && detail::grow_parameter(random, c.tensors[i], 1) ? "QA4" : "";
  }

  static constexpr sampler_options<element_wise_quantized_linear_add_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
