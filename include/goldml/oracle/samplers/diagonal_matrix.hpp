// Random cases of DIAGONAL_MATRIX.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/operators/diagonal_matrix.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<diagonal_matrix_desc> {
  static sampled_case<diagonal_matrix_desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc output = random_tensor(random, operator_traits<diagonal_matrix_desc>::operands[0].limits, level);
    const auto small_offset = static_cast<std::int32_t>(random.below(9)) - 4;
    // In the range of every integer type, including a fraction.
    const float value = static_cast<float>(random.below(500)) / 4;
    return {{.offset = random.chance(10) ? -2147483647 - 1 : small_offset, .value = value}, {output}};
  }

  static void suit(random_source& random, data_class data, sampled_case<diagonal_matrix_desc>& c) {
    if (data == data_class::subnormals)  // not negative, because of unsigned types
      c.desc.value = std::abs(random_subnormal(random, data_type::float32).as<float>());
  }

  static std::string_view break_rule(random_source& random, sampled_case<diagonal_matrix_desc>& c) {
    const data_type type = c.tensors[0]->data_type;
    if (type == data_type::float32 || type == data_type::float16 || type == data_type::float64) return "";
    c.desc.value = random.chance(50) ? 1e30f : -1e30f;
    return "DM1";
  }

  static constexpr sampler_options<diagonal_matrix_desc> options{.suit = &suit};
};

}  // namespace goldml::oracle
