// Random cases of ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/operators/quantize_linear.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>

namespace goldml::oracle {

namespace detail {

// Scales of which a third are powers of two, inputs to quantise that are multiples of their halves or near the ends
// of the range, and integers of all bits.
template <bool Quantises>
void fill_quantize(random_source& random, data_class data, std::span<host_tensor> inputs) {
  if (data != data_class::uniform || random.chance(25)) return;
  const bool in_ties = random.chance(50);
  fill_each<type_list<float, float16>>(inputs[1], [&]<class S>(std::type_identity<S>) {
    const int power = static_cast<int>(random.between(-6, 3));
    const double s = in_ties ? std::ldexp(1.0, power) : static_cast<double>(full_number<S>(random));
    return static_cast<S>(static_cast<float>(random.chance(10) ? -s : s));
  });
  if constexpr (Quantises)
    fill_each<type_list<float, float16, std::int32_t>>(inputs[0], [&]<class X>(std::type_identity<X>) {
      const double unit = in_ties ? std::ldexp(1.0, static_cast<int>(random.between(-7, 2)))
                                  : static_cast<double>(full_number<float>(random));
      const double x = static_cast<double>(random.between(-300, 300)) * unit;
      return static_cast<X>(static_cast<float>(std::is_integral_v<X> && random.chance(20) ? x * 0x1p18 : x));
    });
  for (std::size_t i = Quantises ? 2 : 0; i < inputs.size(); i += 2)
    fill_each<type_list<std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t, std::uint8_t>>(
        inputs[i], [&]<class Q>(std::type_identity<Q>) { return static_cast<Q>(random.bits()); });
}

}  // namespace detail

template <goldml::detail::quantize_linear_operator Desc>
struct sampler<Desc> {
  static constexpr bool quantises = std::same_as<Desc, element_wise_quantize_linear_desc>;
  static constexpr auto& operands = operator_traits<Desc>::operands;

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc input = random_tensor(random, operands[0].limits, level);
    const auto of_type = [&](data_type type) { return tensor_desc{.data_type = type, .sizes = input.sizes}; };
    const auto any = [&](std::size_t operand) { return random.pick(limits_at(operands[operand], level)->data_types); };
    const tensor_desc scale = of_type(!quantises                            ? any(1)
                                      : input.data_type == data_type::int32 ? data_type::float32
                                                                            : input.data_type);
    const tensor_desc output = quantises ? of_type(any(3)) : scale;
    sampled_case<Desc> result{{}, {input, scale, quantises ? output : input, output}};
    if (is_optional_at(operands[2], level) && random.chance(25)) result.tensors[2].reset();
    return result;
  }

  static void fill(random_source& random, const Desc&, data_class data, std::span<host_tensor> inputs) {
    detail::fill_quantize<quantises>(random, data, inputs);
  }

  static std::string_view break_rule(random_source&, sampled_case<Desc>& c) {
    if (!quantises || limits_at(operands[1], c.desc.feature_level)->data_types.only()) return "";
    data_type& type = c.tensors[1]->data_type;
    type = type == data_type::float32 ? data_type::float16 : data_type::float32;
    return "QL1";
  }

  static constexpr sampler_options<Desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
