// BATCH_NORMALIZATION: elements minus a given mean, divided by the root of a given variance. Feature level 1_0. And
// BATCH_NORMALIZATION_TRAINING, with the mean and the variance of the batch, which are outputs. Feature level 4_1.
// Pages: DML_BATCH_NORMALIZATION_OPERATOR_DESC and DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC. Rules: BN1 to BN6,
// BT1 to BT6, AR7 to AR10. Rulings: ledger NO-R1 to NO-R8, BN-R1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/fused_activation.hpp>
#include <goldml/operators/normalisation_rules.hpp>

namespace goldml {

struct batch_normalization_desc {
  bool spatial = true;  // changes no value; see BN6
  float epsilon = 1e-5F;
  std::optional<activation> fused_activation = std::nullopt;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct batch_normalization_training_desc {
  float epsilon = 1e-5F;
  std::optional<activation> fused_activation = std::nullopt;
  goldml::variance_policy variance = goldml::variance_policy::any;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

inline constexpr normalisation_places batch_places{.scale = 3, .bias = 4, .mean = 1, .variance = 2};
inline constexpr normalisation_places batch_training_places{.scale = 1, .bias = 2, .add = 3};

// The dimensions that a tensor of statistics repeats, over which they are taken.
inline dimensions batch_axes(const dimensions& sizes) {
  dimensions axes;
  for (std::uint32_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1) axes.push_back(i);
  return axes;
}

}  // namespace detail

template <>
struct operator_traits<batch_normalization_desc> {
  using desc_type = batch_normalization_desc;
  static constexpr std::string_view name = "BATCH_NORMALIZATION";
  static constexpr std::uint32_t enumerator = 72;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_1_0, floats, 4, 4}, {feature_level::level_3_1, floats, 1, 8}}};
  static constexpr std::array<operand_info, 6> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       detail::operand_like_input("MeanTensor", operand_role::input, limits, "BN1", "BN2"),
       detail::operand_like_input("VarianceTensor", operand_role::input, limits, "BN1", "BN2"),
       detail::operand_like_input("ScaleTensor", operand_role::input, limits, "BN1", "BN2"),
       detail::operand_like_input("BiasTensor", operand_role::input, limits, "BN1", "BN2"),
       detail::operand_like_input("OutputTensor", operand_role::output, limits, "BN1", "BN2", {"BN3", 0})}};
  static constexpr std::array attributes{row<&desc_type::spatial>("Spatial"), row<&desc_type::epsilon>("Epsilon"),
                                         row<&desc_type::fused_activation>("FusedActivation")};
  static constexpr std::array policies{row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::same_resource>("same_resource")};

  // BN4, BN5, BN6, and AR7 to AR10, to which BN7 refers.
  static void check_rules(const desc_type& desc, const std::array<operand, 6>& t, const rule_report& report) {
    for (std::size_t i = 1; i < 5; ++i) detail::check_broadcast("BN4", operands[i].name, t[i], t[0], report);
    if (desc.feature_level < feature_level::level_4_0) {
      for (std::size_t i = 1; i < 5; ++i)
        detail::check_full_size("BN5", operands[i].name, t[i], t[0], 1, "the input's below feature level 4_0", report);
      for (std::size_t i = 1; i < 3 && !desc.spatial; ++i)
        for (std::size_t dimension = 2; dimension < dimensions::capacity; ++dimension)
          detail::check_full_size("BN6", operands[i].name, t[i], t[0], dimension,
                                  "the input's, as Spatial is FALSE below feature level 4_0", report);
    }
    detail::check_fused("FusedActivation", desc.fused_activation, detail::fusing_operator::element_wise,
                        desc.feature_level, report);
  }
  static work_counts work(const desc_type& desc, const std::array<operand, 6>& t) {
    return detail::work_of_normalisation(desc.fused_activation, t);
  }
  static constexpr operator_options<desc_type> options{.check_rules = &check_rules, .work = &work};
};

template <>
struct operator_traits<batch_normalization_training_desc> {
  using desc_type = batch_normalization_training_desc;
  static constexpr std::string_view name = "BATCH_NORMALIZATION_TRAINING";
  static constexpr std::uint32_t enumerator = 151;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 1> limits{{{feature_level::level_4_1, floats, 1, 8}}};
  static constexpr std::array<operand_info, 7> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       detail::operand_like_input("ScaleTensor", operand_role::input, limits, "BT1", "BT2"),
       detail::operand_like_input("BiasTensor", operand_role::input, limits, "BT1", "BT2", {"BT6", 1}),
       detail::operand_like_input("FusedAddTensor", operand_role::input, limits, "BT1", "BT2", {"BT4", 0}, true),
       detail::operand_like_input("OutputTensor", operand_role::output, limits, "BT1", "BT2", {"BT3", 0}),
       detail::operand_like_input("OutputMeanTensor", operand_role::output, limits, "BT1", "BT2", {"BT6", 1}),
       detail::operand_like_input("OutputVarianceTensor", operand_role::output, limits, "BT1", "BT2", {"BT6", 1})}};
  static constexpr std::array attributes{row<&desc_type::epsilon>("Epsilon"),
                                         row<&desc_type::fused_activation>("FusedActivation")};
  static constexpr std::array policies{row<&desc_type::variance>("variance"),
                                       row<&desc_type::accumulation>("accumulation"),
                                       row<&desc_type::same_resource>("same_resource")};

  // BT5, and AR7 to AR10, to which BT7 refers.
  static void check_rules(const desc_type& desc, const std::array<operand, 7>& t, const rule_report& report) {
    detail::check_broadcast("BT5", operands[1].name, t[1], t[0], report);
    detail::check_fused("FusedActivation", desc.fused_activation, detail::fusing_operator::element_wise,
                        desc.feature_level, report);
  }
  static work_counts work(const desc_type& desc, const std::array<operand, 7>& t) {
    return detail::work_of_normalisation(desc.fused_activation, t);
  }
  static scratch_memory scratch(const desc_type&, const std::array<operand, 7>& t) {
    return detail::scratch_of_slice(t[0].desc->sizes, detail::batch_axes(t[1].desc->sizes));
  }
  static constexpr operator_options<desc_type> options{.check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

// output = f(scale * (input - mean) / sqrt(variance + Epsilon) + bias), rounded once; f is FusedActivation.
//   input, output                FLOAT32 or FLOAT16, the same sizes
//   mean, variance, scale, bias  each size 1 or the input's, of each tensor on its own
// Throws error (T1..T12, BN1..BN6, AR7..AR10), with the output unchanged.
template <class Backend, input_argument Input, input_argument Mean, input_argument Variance, input_argument Scale,
          input_argument Bias, output_argument Output>
void batch_normalization(const Backend& backend, const Input& input, const Mean& mean, const Variance& variance,
                         const Scale& scale, const Bias& bias, Output&& output,
                         const batch_normalization_desc& desc = {}) {
  static_assert(detail::alike_types<batch_normalization_desc, input_view<Input>, input_view<Mean>, input_view<Variance>,
                                    input_view<Scale>, input_view<Bias>, output_view<Output>>,
                "goldml BATCH_NORMALIZATION BN1: all tensors have the same data type");
  static_assert(detail::takes<batch_normalization_desc, 0, input_view<Input>>,
                "goldml BATCH_NORMALIZATION T3: tensors are FLOAT32 or FLOAT16");
  detail::call(backend, desc,
               std::tuple(detail::as_input(input), detail::as_input(mean), detail::as_input(variance),
                          detail::as_input(scale), detail::as_input(bias)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The mean and the population variance of the elements whose coordinates differ only where scale has size 1; and
//   output = f(scale * (input - mean) / sqrt(variance + Epsilon) + bias + fused_add)
// each rounded once, the output with the exact mean and variance.
//   input, fused_add, output                      FLOAT32 or FLOAT16, the same sizes; fused_add may be
//   const_tensor_ref() scale, bias, output_mean, output_variance     each size 1 or the input's, all alike
// Throws error (T1..T12, BT1..BT6, AR7..AR10), with the outputs unchanged.
template <class Backend, input_argument Input, input_argument Scale, input_argument Bias, input_argument Add,
          output_argument Output, output_argument Mean, output_argument Variance>
void batch_normalization_training(const Backend& backend, const Input& input, const Scale& scale, const Bias& bias,
                                  const Add& fused_add, Output&& output, Mean&& output_mean, Variance&& output_variance,
                                  const batch_normalization_training_desc& desc = {}) {
  static_assert(
      detail::alike_types<batch_normalization_training_desc, input_view<Input>, input_view<Scale>, input_view<Bias>,
                          input_view<Add>, output_view<Output>, output_view<Mean>, output_view<Variance>>,
      "goldml BATCH_NORMALIZATION_TRAINING BT1: all tensors have the same data type");
  static_assert(detail::takes<batch_normalization_training_desc, 0, input_view<Input>>,
                "goldml BATCH_NORMALIZATION_TRAINING T3: tensors are FLOAT32 or FLOAT16");
  const auto in = [](const auto& x) { return const_tensor_ref(detail::as_input(x)); };
  const auto out = [](auto& x) { return tensor_ref(detail::as_output(x)); };
  detail::call(backend, desc, std::tuple(in(input), in(scale), in(bias), in(fused_add)),
               std::tuple(out(output), out(output_mean), out(output_variance)));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(batch_normalization_desc);
GOLDML_COMPILED_OPERATOR(batch_normalization_training_desc);
