// Random cases of AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <goldml/operators/pooling_grad.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/samplers/windows.hpp>

namespace goldml::oracle {

template <goldml::detail::pooling_grad_operator Desc>
struct sampler<Desc> {
  using case_type = sampled_case<Desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc image = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
    case_type result;
    tensor_desc gradient = image;
    gradient.sizes = detail::sample_windows_of(random, image.sizes, result.desc);
    if constexpr (Desc::of_max) {
      result.tensors = {image, gradient, image};
    } else {
      result.desc.include_padding = random.chance(50);
      result.tensors = {gradient, image};
    }
    return result;
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_for_arithmetic(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    const std::size_t which = random.below(3), last = c.tensors.size() - 1;
    detail::break_windows(random, static_cast<unsigned>(6 + which), c.tensors[last]->sizes, c.desc,
                          c.tensors[last - 1]->sizes);
    constexpr std::array<std::string_view, 3> codes{"PG6", "PG7", "PG8"};
    return codes[which];
  }

  static constexpr sampler_options<Desc> options{.fill = &fill, .main_tensor = Desc::of_max ? 0 : 1};
};

}  // namespace goldml::oracle
