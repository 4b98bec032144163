// MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and MEAN_VARIANCE_NORMALIZATION2: the elements of a slice
// minus its mean, divided by the root of its variance. Feature levels 1_0, 2_1 and 6_3. Pages:
// DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC and so on. Rules: MV1 to MV9, AR7 to AR10. Rulings: ledger NO-R1 to
// NO-R8, BN-R1, MV-R1 to MV-R3.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/axes_rules.hpp>
#include <goldml/operators/fused_activation.hpp>
#include <goldml/operators/normalisation_rules.hpp>

namespace goldml {

// A slice is an image: the dimensions 2 and 3, with CrossChannel also 1.
struct mean_variance_normalization_desc {
  bool cross_channel = false;
  bool normalize_variance = true;
  float epsilon = 1e-5F;
  std::optional<activation> fused_activation = std::nullopt;
  goldml::variance_policy variance = goldml::variance_policy::any;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// A slice has the elements whose coordinates differ on the axes only: a set (ledger MV-R2).
struct mean_variance_normalization1_desc {
  dimensions axes = {};  // distinct, each below DimensionCount, in any order
  bool normalize_variance = true;
  float epsilon = 1e-5F;
  std::optional<activation> fused_activation = std::nullopt;
  goldml::variance_policy variance = goldml::variance_policy::any;
  goldml::empty_axes empty_axes = goldml::empty_axes::allow;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// Without UseMean the mean is taken as 0, also in the variance: RMS normalisation (ledger MV-R1).
struct mean_variance_normalization2_desc {
  dimensions axes = {};
  bool use_mean = true;
  bool use_variance = true;
  float epsilon = 1e-5F;
  std::optional<activation> fused_activation = std::nullopt;
  goldml::variance_policy variance = goldml::variance_policy::any;
  goldml::use_mean_off use_mean_off = goldml::use_mean_off::zero;
  goldml::empty_axes empty_axes = goldml::empty_axes::allow;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept mean_variance_operator = std::same_as<Desc, mean_variance_normalization_desc> ||
    std::same_as<Desc, mean_variance_normalization1_desc> || std::same_as<Desc, mean_variance_normalization2_desc>;

inline constexpr normalisation_places mean_variance_places{.scale = 1, .bias = 2};
inline constexpr axes_codes mean_variance_axes_codes{"MV7", "MV8", "MV9"};

template <mean_variance_operator Desc>
dimensions normalisation_axes(const Desc& desc) {
  if constexpr (requires { desc.axes; })
    return desc.axes;
  else
    return desc.cross_channel ? dimensions{1, 2, 3} : dimensions{2, 3};
}

template <mean_variance_operator Desc>
arithmetic::normalisation_form normalisation_form_of(const Desc& desc) {
  arithmetic::normalisation_form form{.epsilon = widened(desc.epsilon)};
  if constexpr (requires { desc.use_mean; }) {
    form.uses_mean = desc.use_mean;
    form.uses_variance = desc.use_variance;
    form.centred = desc.use_mean || desc.use_mean_off == use_mean_off::variance_centred;
  } else {
    form.uses_variance = desc.normalize_variance;
  }
  return form;
}

template <mean_variance_operator Desc>
struct mean_variance_traits {
  static constexpr bool is_first = std::same_as<Desc, mean_variance_normalization_desc>;
  static constexpr bool is_second = std::same_as<Desc, mean_variance_normalization1_desc>;
  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr auto limits = [] {
    if constexpr (is_first)
      return std::array<operand_limits, 1>{{{feature_level::level_1_0, floats, 4, 4}}};
    else if constexpr (is_second)
      return std::array<operand_limits, 2>{
          {{feature_level::level_2_1, floats, 4, 4}, {feature_level::level_3_1, floats, 1, 8}}};
    else
      return std::array<operand_limits, 1>{{{feature_level::level_6_3, floats, 1, 8}}};
  }();
  static constexpr std::array<operand_info, 4> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       operand_like_input("ScaleTensor", operand_role::input, limits, "MV1", "MV2", {}, true),
       operand_like_input("BiasTensor", operand_role::input, limits, "MV1", "MV2", {}, true),
       operand_like_input("OutputTensor", operand_role::output, limits, "MV1", "MV2", {"MV3", 0})}};

  static constexpr auto attributes = [] {
    constexpr attribute epsilon = row<&Desc::epsilon>("Epsilon"),
                        fused = row<&Desc::fused_activation>("FusedActivation");
    if constexpr (is_first)
      return std::array{row<&Desc::cross_channel>("CrossChannel"), row<&Desc::normalize_variance>("NormalizeVariance"),
                        epsilon, fused};
    else if constexpr (is_second)
      return std::array{row<&Desc::axes>("Axes", "AxisCount"), row<&Desc::normalize_variance>("NormalizeVariance"),
                        epsilon, fused};
    else
      return std::array{row<&Desc::axes>("Axes", "AxisCount"), row<&Desc::use_mean>("UseMean"),
                        row<&Desc::use_variance>("UseVariance"), epsilon, fused};
  }();
  static constexpr auto policies = [] {
    constexpr attribute variance = row<&Desc::variance>("variance"),
                        accumulation = row<&Desc::accumulation>("accumulation"),
                        memory = row<&Desc::same_resource>("same_resource");
    if constexpr (is_first)
      return std::array{variance, accumulation, memory};
    else if constexpr (is_second)
      return std::array{variance, row<&Desc::empty_axes>("empty_axes"), accumulation, memory};
    else
      return std::array{variance, row<&Desc::use_mean_off>("use_mean_off"), row<&Desc::empty_axes>("empty_axes"),
                        accumulation, memory};
  }();

  // MV5: below 5_2 Scale and Bias are both given, or neither. MV7 to MV9: the axes.
  static void check_attributes(const Desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
    if (desc.feature_level < feature_level::level_5_2 && t[1].desc.has_value() != t[2].desc.has_value())
      report("MV5", operands[t[1].desc ? 2 : 1].name, "", violation_text("null"), violation_text("a tensor"),
             violation_text("{} is given; one alone from feature level 5_2 on", operands[t[1].desc ? 1 : 2].name));
    if constexpr (!is_first)
      check_axes(desc.axes, t[0], mean_variance_axes_codes, desc.empty_axes == empty_axes::allow, report);
  }
  // MV4, MV6, and AR7 to AR10, to which MV10 refers.
  static void check_rules(const Desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
      check_broadcast("MV4", operands[i].name, t[i], t[0], report);
    if (is_second && desc.feature_level < feature_level::level_4_0)
      for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
        check_full_size("MV6", operands[i].name, t[i], t[0], 1, "the input's below feature level 4_0", report);
    check_fused("FusedActivation", desc.fused_activation, fusing_operator::element_wise, desc.feature_level, report);
  }

  static work_counts work(const Desc& desc, const std::array<operand, 4>& t) {
    return work_of_normalisation(desc.fused_activation, t);
  }
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 4>& t) {
    return scratch_of_slice(t[0].desc->sizes, normalisation_axes(desc));
  }
  static constexpr operator_options<Desc> options_of_all() {
    return {.check_attributes = &mean_variance_traits::check_attributes,
            .check_rules = &mean_variance_traits::check_rules,
            .work = &work,
            .scratch = &scratch};
  }
};

// The public call, a function object.
template <mean_variance_operator Desc>
struct mean_variance_call {
  template <class Backend, input_argument Input, input_argument Scale, input_argument Bias, output_argument Output>
  void operator()(const Backend& backend, const Input& input, const Scale& scale, const Bias& bias, Output&& output,
                  const Desc& desc = {}) const {
    static_assert(alike_types<Desc, input_view<Input>, input_view<Scale>, input_view<Bias>, output_view<Output>>,
                  "goldml MEAN_VARIANCE_NORMALIZATION MV1: all tensors have the same data type");
    static_assert(takes<Desc, 0, input_view<Input>>,
                  "goldml MEAN_VARIANCE_NORMALIZATION T3: tensors are FLOAT32 or FLOAT16");
    call(backend, desc,
         std::tuple(const_tensor_ref(as_input(input)), const_tensor_ref(as_input(scale)),
                    const_tensor_ref(as_input(bias))),
         std::tuple(tensor_ref(as_output(std::forward<Output>(output)))));
  }
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc = {}) const {
    (*this)(backend, input, const_tensor_ref(), const_tensor_ref(), std::forward<Output>(output), desc);
  }
};

}  // namespace detail

template <>
struct operator_traits<mean_variance_normalization_desc>
    : detail::mean_variance_traits<mean_variance_normalization_desc> {
  static constexpr std::string_view name = "MEAN_VARIANCE_NORMALIZATION";
  static constexpr std::uint32_t enumerator = 73;
  static constexpr operator_options<mean_variance_normalization_desc> options = options_of_all();
};
template <>
struct operator_traits<mean_variance_normalization1_desc>
    : detail::mean_variance_traits<mean_variance_normalization1_desc> {
  static constexpr std::string_view name = "MEAN_VARIANCE_NORMALIZATION1";
  static constexpr std::uint32_t enumerator = 115;
  static constexpr operator_options<mean_variance_normalization1_desc> options = options_of_all();
};
template <>
struct operator_traits<mean_variance_normalization2_desc>
    : detail::mean_variance_traits<mean_variance_normalization2_desc> {
  static constexpr std::string_view name = "MEAN_VARIANCE_NORMALIZATION2";
  static constexpr std::uint32_t enumerator = 171;
  static constexpr operator_options<mean_variance_normalization2_desc> options = options_of_all();
};

// output = f(Scale * (input - mean) / sqrt(variance + Epsilon) + Bias), rounded once; the mean and the population
// variance are those of the element's slice, f is FusedActivation. Without NormalizeVariance or UseVariance nothing
// divides; without UseMean the mean is 0, also in the variance.
//   input, output  FLOAT32 or FLOAT16, the same sizes
//   scale, bias    each size 1 or the input's; without them 1 and 0. An omitted one is const_tensor_ref()
// Throws error (T1..T12, MV1..MV9, AR7..AR10), with the output unchanged.
inline constexpr detail::mean_variance_call<mean_variance_normalization_desc> mean_variance_normalization{};
inline constexpr detail::mean_variance_call<mean_variance_normalization1_desc> mean_variance_normalization1{};
inline constexpr detail::mean_variance_call<mean_variance_normalization2_desc> mean_variance_normalization2{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(mean_variance_normalization_desc);
GOLDML_COMPILED_OPERATOR(mean_variance_normalization1_desc);
GOLDML_COMPILED_OPERATOR(mean_variance_normalization2_desc);
