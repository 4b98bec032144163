// Random cases of DIAGONAL_MATRIX1.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<diagonal_matrix1_desc> {
  static sampled_case<diagonal_matrix1_desc> sample(random_source& random, goldml::feature_level) {
    sampled_case<diagonal_matrix1_desc> result;
    const tensor_desc output{.data_type = random.pick(data_types_a11), .sizes = random.sizes(2, 4)};
    result.tensors = {random.chance(70) ? std::optional(output) : std::nullopt, output};
    result.desc.value = random_scalar(random, output.data_type);
    const auto bound = [&]() -> std::int32_t {
      const std::uint64_t kind = random.below(8);
      if (kind < 2)
        return kind == 0 ? (std::numeric_limits<std::int32_t>::min)() : (std::numeric_limits<std::int32_t>::max)();
      return static_cast<std::int32_t>(random.between(-8, 8));
    };
    result.desc.diagonal_fill_begin = bound();
    result.desc.diagonal_fill_end = bound();
    return result;
  }

  static void suit(random_source& random, data_class data, sampled_case<diagonal_matrix1_desc>& c) {
    if (data == data_class::subnormals) c.desc.value = random_subnormal(random, c.tensors[1]->data_type);
  }

  static std::string_view break_rule(random_source&, sampled_case<diagonal_matrix1_desc>& c) {
    c.desc.value = c.tensors[1]->data_type == data_type::int8 ? scalar(std::uint8_t{1}) : scalar(std::int8_t{1});
    return "D5";
  }

  static constexpr sampler_options<diagonal_matrix1_desc> options{.suit = &suit};
};

}  // namespace goldml::oracle
