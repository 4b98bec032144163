// Random cases of DYNAMIC_QUANTIZE_LINEAR.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/operators/dynamic_quantize_linear.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>

namespace goldml::oracle {

template <>
struct sampler<dynamic_quantize_linear_desc> {
  using case_type = sampled_case<dynamic_quantize_linear_desc>;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const tensor_desc input =
        random_tensor(random, operator_traits<dynamic_quantize_linear_desc>::operands[0].limits, level);
    const data_type type = random.pick(goldml::detail::quantised_bytes);
    const dimensions one = dimensions::filled(input.sizes.size(), 1);
    return {{},
            {input, tensor_desc{.data_type = type, .sizes = input.sizes},
             tensor_desc{.data_type = data_type::float32, .sizes = one}, tensor_desc{.data_type = type, .sizes = one}}};
  }

  // Numbers on both sides of 0 or on one; at times nothing but zeros.
  static void fill(random_source& random, const dynamic_quantize_linear_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    if (data != data_class::uniform || random.chance(25)) return;
    const std::int64_t low = random.chance(60) ? -4096 : 0, high = random.chance(70) ? 4096 : 0;
    const int power = static_cast<int>(random.between(-14, -4));
    detail::fill_each<type_list<float, float16>>(inputs[0], [&]<class X>(std::type_identity<X>) {
      return static_cast<X>(static_cast<float>(std::ldexp(static_cast<double>(random.between(low, high)), power)));
    });
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors[random.chance(50) ? 2 : 3];
    t->sizes[random.below(t->sizes.size())] = 2;
    return "QD4";
  }

  static constexpr sampler_options<dynamic_quantize_linear_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
