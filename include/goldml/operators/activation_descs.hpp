// The descs of the activations: operators with one input, whose parameters are FLOATs. Their numbers, names and
// parameters are rows of `activation_table` (core/attribute_values.hpp), their functions are in
// arithmetic/activations.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <goldml/arithmetic/activations.hpp>
#include <goldml/core/attributes.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

// An activation without parameters, and the others below. Parameters have the defaults of DirectMLX.h, or those that
// give the identity.
template <arithmetic::activation_type F>
struct activation_desc {
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// It moves bits, in no precision.
template <>
struct activation_desc<arithmetic::activation_type::identity> {
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::relu> {
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <arithmetic::activation_type F>
requires(F == arithmetic::activation_type::elu || F == arithmetic::activation_type::celu) struct activation_desc<F> {
  float alpha = 1;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::leaky_relu> {
  float alpha = 0.01F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <arithmetic::activation_type F>
requires(F == arithmetic::activation_type::linear ||
         F == arithmetic::activation_type::parametric_softplus) struct activation_desc<F> {
  float alpha = 1;
  float beta = F == arithmetic::activation_type::linear ? 0.0F : 1.0F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::thresholded_relu> {
  float alpha = 1;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// On integers both are converted as CAST does (ledger L23).
template <>
struct activation_desc<arithmetic::activation_type::shrink> {
  float bias = 0;
  float threshold = 0.5F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::hard_swish> {
  float alpha = 1.0F / 6;
  float beta = 0.5F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::swish> {
  float sigmoid_input_scale = 1;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::hard_sigmoid> {
  float alpha = 0.2F;
  float beta = 0.5F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::scaled_tanh> {
  float alpha = 1;
  float beta = 0.5F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::scaled_elu> {
  float alpha = 1.67326319217681884765625F;
  float gamma = 1.05070102214813232421875F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <>
struct activation_desc<arithmetic::activation_type::softplus> {
  float steepness = 1;  // below feature level 6_4 at least 1
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

using activation_elu_desc = activation_desc<arithmetic::activation_type::elu>;
using activation_hard_sigmoid_desc = activation_desc<arithmetic::activation_type::hard_sigmoid>;
using activation_identity_desc = activation_desc<arithmetic::activation_type::identity>;
using activation_leaky_relu_desc = activation_desc<arithmetic::activation_type::leaky_relu>;
using activation_linear_desc = activation_desc<arithmetic::activation_type::linear>;
using activation_parametric_softplus_desc = activation_desc<arithmetic::activation_type::parametric_softplus>;
using activation_relu_desc = activation_desc<arithmetic::activation_type::relu>;
using activation_scaled_elu_desc = activation_desc<arithmetic::activation_type::scaled_elu>;
using activation_scaled_tanh_desc = activation_desc<arithmetic::activation_type::scaled_tanh>;
using activation_sigmoid_desc = activation_desc<arithmetic::activation_type::sigmoid>;
using activation_softplus_desc = activation_desc<arithmetic::activation_type::softplus>;
using activation_softsign_desc = activation_desc<arithmetic::activation_type::softsign>;
using activation_tanh_desc = activation_desc<arithmetic::activation_type::tanh>;
using activation_celu_desc = activation_desc<arithmetic::activation_type::celu>;
using activation_thresholded_relu_desc = activation_desc<arithmetic::activation_type::thresholded_relu>;
using activation_shrink_desc = activation_desc<arithmetic::activation_type::shrink>;
using activation_gelu_desc = activation_desc<arithmetic::activation_type::gelu>;
using activation_swish_desc = activation_desc<arithmetic::activation_type::swish>;
using activation_hard_swish_desc = activation_desc<arithmetic::activation_type::hard_swish>;

namespace detail {

// The attributes of a desc, in the order of the C structure.
template <class Desc>
inline constexpr auto activation_attributes = [] {
  if constexpr (requires(Desc desc) { desc.beta; })
    return std::array{row<&Desc::alpha>("Alpha"), row<&Desc::beta>("Beta")};
  else if constexpr (requires(Desc desc) { desc.gamma; })
    return std::array{row<&Desc::alpha>("Alpha"), row<&Desc::gamma>("Gamma")};
  else if constexpr (requires(Desc desc) { desc.threshold; })
    return std::array{row<&Desc::bias>("Bias"), row<&Desc::threshold>("Threshold")};
  else if constexpr (requires(Desc desc) { desc.sigmoid_input_scale; })
    return std::array{row<&Desc::sigmoid_input_scale>("SigmoidInputScale")};
  else if constexpr (requires(Desc desc) { desc.steepness; })
    return std::array{row<&Desc::steepness>("Steepness")};
  else if constexpr (requires(Desc desc) { desc.alpha; })
    return std::array{row<&Desc::alpha>("Alpha")};
  else
    return no_attributes;
}();

// The function of a desc, as the headers of arithmetic take it.
template <arithmetic::activation_type F>
activation function_of(const activation_desc<F>& desc) {
  activation result{.operator_type = static_cast<std::uint32_t>(F)};
  auto parameter = result.parameters.begin();
  for (const attribute& each : activation_attributes<activation_desc<F>>) *parameter++ = each.template get<float>(desc);
  return result;
}

// Whether NaN gives NaN by the policy of RELU, which skips it by default.
template <arithmetic::activation_type F>
constexpr bool propagates_nan(const activation_desc<F>& desc) {
  if constexpr (requires { desc.nan_policy; }) return desc.nan_policy == nan_policy::propagate;
  return false;
}

namespace activation_limits {

using enum data_type;
using enum feature_level;

inline constexpr data_type_set floats{float32, float16};
inline constexpr std::array<operand_limits, 3> most{
    {{level_1_0, floats, 4, 4}, {level_2_0, floats, 4, 5}, {level_3_0, floats, 1, 8}}};
inline constexpr std::array<operand_limits, 4> relu{{{level_1_0, floats, 4, 4},
                                                     {level_2_0, floats, 4, 5},
                                                     {level_3_0, floats, 1, 8},
                                                     {level_5_1, {float32, float16, int32, int16, int8}, 1, 8}}};
inline constexpr std::array<operand_limits, 1> celu{{{level_3_0, floats, 1, 8}}};
inline constexpr std::array<operand_limits, 3> shrink{
    {{level_2_0, floats, 4, 5}, {level_3_0, floats, 1, 8}, {level_5_1, data_types_a8, 1, 8}}};
inline constexpr std::array<operand_limits, 1> gelu{{{level_5_1, floats, 1, 8}}};
inline constexpr std::array<operand_limits, 1> hard_swish{{{level_6_2, floats, 1, 8}}};

}  // namespace activation_limits

constexpr std::span<const operand_limits> limits_of_activation(arithmetic::activation_type f) {
  using enum arithmetic::activation_type;
  switch (f) {
    case relu:
      return activation_limits::relu;
    case celu:
      return activation_limits::celu;
    case shrink:
      return activation_limits::shrink;
    case gelu:
      return activation_limits::gelu;
    case swish:
    case hard_swish:
      return activation_limits::hard_swish;
    default:
      return activation_limits::most;
  }
}

}  // namespace detail

}  // namespace goldml
