// Random cases of CONVOLUTION_INTEGER and QUANTIZED_LINEAR_CONVOLUTION: those of CONVOLUTION, FORWARD.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/convolution_integer.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/oracle/samplers/convolution.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>

namespace goldml::oracle {

namespace detail {

// The attributes, input, filter and output.
template <class Desc>
struct sampled_convolution {
  Desc desc;
  tensor_desc input, filter, output;
};
template <class Desc>
sampled_convolution<Desc> sample_integer_convolution(random_source& random, goldml::feature_level level,
                                                     data_type_set outputs) {
  tensor_desc input = random_tensor(random, operator_traits<Desc>::operands[0].limits, level);
  if (input.sizes.size() == 3) input.sizes.push_back(1);  // the policy one_dimensional refuses three dimensions
  convolution_desc forward;
  tensor_desc filter{.data_type = random.pick(goldml::detail::quantised_bytes)};
  sampler<convolution_desc>::sample_filter(random, input.sizes, forward, filter.sizes);
  const tensor_desc output{.data_type = random.pick(outputs),
                           .sizes = convolution_output_sizes(forward, input.sizes, filter.sizes)};
  sampled_convolution<Desc> result{{}, input, filter, output};
  goldml::detail::take_attributes(result.desc, forward);
  return result;
}

// A parameter of the filter, of `rank` dimensions.
inline tensor_desc filter_parameter(random_source& random, data_type type, std::size_t rank,
                                    const tensor_desc& filter) {
  tensor_desc result{.data_type = type, .sizes = dimensions::filled(rank, 1)};
  const std::size_t axis = rank == filter.sizes.size() ? 1 : random.below(rank);
  if (random.chance(60)) result.sizes[axis] = filter.sizes[0];
  return result;
}

// QC5 to QC9 of these operands.
template <class Case>
std::string_view break_convolution(random_source& random, Case& c, std::size_t filter, std::size_t output) {
  auto& desc = c.desc;
  auto& t = c.tensors;
  const std::size_t axis = random.below(desc.strides.size());
  switch (random.below(5)) {
    case 0:
      desc.group_count = t[0]->sizes[1] + 1;
      return "QC5";
    case 1:
      ++t[filter]->sizes[1];
      return "QC6";
    case 2:
      ++t[output]->sizes[0];
      return "QC7";
    case 3:
      t[filter]->sizes[2 + axis] = t[0]->sizes[2 + axis] + desc.start_padding[axis] + desc.end_padding[axis] + 1;
      return "QC8";
    default:
      t[output]->sizes[2 + axis] += desc.strides[axis];
      return "QC9";
  }
}

}  // namespace detail

template <>
struct sampler<convolution_integer_desc> {
  using case_type = sampled_case<convolution_integer_desc>;
  static constexpr auto& operands = operator_traits<convolution_integer_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const auto [desc, input, filter, output] = detail::sample_integer_convolution<convolution_integer_desc>(
        random, level, goldml::detail::quantised_limits::words);
    case_type result{desc, {input, std::nullopt, filter, std::nullopt, output}};
    const std::size_t rank = detail::random_rank(random, *limits_at(operands[1], level));
    if (random.chance(70))
      result.tensors[1] = tensor_desc{.data_type = input.data_type, .sizes = dimensions::filled(rank, 1)};
    if (random.chance(70)) result.tensors[3] = detail::filter_parameter(random, filter.data_type, rank, filter);
    return result;
  }

  static void fill(random_source& random, const convolution_integer_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_with_bits(random, data, inputs);
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    switch (random.below(7)) {
      case 0:
        return detail::grow_parameter(random, t[1], 1) ? "QC11" : "";
      case 1:
        return detail::grow_parameter(random, t[3], t[2]->sizes[0]) ? "QC12" : "";
      default:
        return detail::break_convolution(random, c, 2, 4);
    }
  }

  static constexpr sampler_options<convolution_integer_desc> options{.fill = &fill};
};

template <>
struct sampler<quantized_linear_convolution_desc> {
  using case_type = sampled_case<quantized_linear_convolution_desc>;
  static constexpr auto& operands = operator_traits<quantized_linear_convolution_desc>::operands;

  static case_type sample(random_source& random, goldml::feature_level level) {
    const auto [desc, input, filter, output] = detail::sample_integer_convolution<quantized_linear_convolution_desc>(
        random, level, goldml::detail::quantised_bytes);
    case_type result{desc, {}};
    result.tensors[0] = input;
    result.tensors[3] = filter;
    result.tensors[9] = output;
    for (const std::size_t i : {1U, 2U, 4U, 5U, 7U, 8U}) {
      const bool is_scale = !operands[i].optional;
      if (!is_scale && random.chance(30)) continue;
      const std::size_t rank = detail::random_rank(random, *limits_at(operands[i], level));
      const data_type type =
          is_scale ? data_type::float32 : result.tensors[operands[i].same_data_type_as.operand]->data_type;
      result.tensors[i] = i == 4 || i == 5 ? detail::filter_parameter(random, type, rank, filter)
                                           : tensor_desc{.data_type = type, .sizes = dimensions::filled(rank, 1)};
    }
    if (random.chance(50)) {
      result.tensors[6] =
          tensor_desc{.data_type = data_type::int32, .sizes = dimensions::filled(input.sizes.size(), 1)};
      result.tensors[6]->sizes[1] = filter.sizes[0];
    }
    return result;
  }

  static void fill(random_source& random, const quantized_linear_convolution_desc&, data_class data,
                   std::span<host_tensor> inputs) {
    const auto terms = static_cast<double>(element_count(inputs[3].desc().sizes) / inputs[3].desc().sizes[0]);
    detail::fill_quantised(random, data, inputs, std::exp2(std::floor(std::log2(terms) / 2)));
  }

  static std::string_view break_rule(random_source& random, case_type& c) {
    auto& t = c.tensors;
    switch (random.below(9)) {
      case 0:
        return detail::grow_parameter(random, t[random.chance(50) ? 1 : 2], 1) ? "QC11" : "";
      case 1:
        return detail::grow_parameter(random, t[random.chance(50) ? 7 : 8], 1) ? "QC11" : "";
      case 2:
        return detail::grow_parameter(random, t[random.chance(50) ? 4 : 5], t[3]->sizes[0]) ? "QC12" : "";
      case 3:
        if (!t[6]) return "";
        ++t[6]->sizes[random.below(t[6]->sizes.size())];
        return "QC10";
      default:
        return detail::break_convolution(random, c, 3, 9);
    }
  }

  static constexpr sampler_options<quantized_linear_convolution_desc> options{.fill = &fill};
};

}  // namespace goldml::oracle
