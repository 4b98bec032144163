// ADAM_OPTIMIZER: a step of Adam on parameters and their two moments. Feature level 3_0.
// Page: DML_ADAM_OPTIMIZER_OPERATOR_DESC. Rules: AD1..AD4. Rulings: ledger FN-R11, FN-R12, AD-R1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

struct adam_optimizer_desc {
  float learning_rate = 0.001F;
  float beta1 = 0.9F;    // how much of the first moment remains
  float beta2 = 0.999F;  // of the second
  float epsilon = 1e-8F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::adam_step_zero adam_step_zero = goldml::adam_step_zero::formula;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

inline constexpr data_type_set adam_floats{data_type::float32, data_type::float16};
inline constexpr std::array<operand_limits, 2> adam_limits{
    {{feature_level::level_3_0, adam_floats, 4, 4}, {feature_level::level_4_0, adam_floats, 1, 8}}};
inline constexpr std::array<operand_limits, 2> adam_step_limits{
    {{feature_level::level_3_0, {data_type::uint32}, 4, 4}, {feature_level::level_4_0, {data_type::uint32}, 1, 8}}};

// A tensor like InputParametersTensor.
constexpr operand_info adam_operand(std::string_view name, operand_role role) {
  return {.name = name,
          .role = role,
          .limits = adam_limits,
          .in_place = role == operand_role::input,
          .same_data_type_as = {"AD1", 0},
          .same_rank_as = {"AD2", 0},
          .same_sizes_as = {"AD3", 0}};
}

}  // namespace detail

template <>
struct operator_traits<adam_optimizer_desc> {
  static constexpr std::string_view name = "ADAM_OPTIMIZER";
  static constexpr std::uint32_t enumerator = 136;

  enum operand_number : std::size_t {
    parameters,
    first,
    second,
    gradient,
    step,
    new_parameters,
    new_first,
    new_second
  };
  static constexpr std::array<operand_info, 8> operands{
      {{.name = "InputParametersTensor", .role = operand_role::input, .limits = detail::adam_limits, .in_place = true},
       detail::adam_operand("InputFirstMomentTensor", operand_role::input),
       detail::adam_operand("InputSecondMomentTensor", operand_role::input),
       detail::adam_operand("GradientTensor", operand_role::input),
       {.name = "TrainingStepTensor", .role = operand_role::input, .limits = detail::adam_step_limits},
       detail::adam_operand("OutputParametersTensor", operand_role::output),
       detail::adam_operand("OutputFirstMomentTensor", operand_role::output),
       detail::adam_operand("OutputSecondMomentTensor", operand_role::output)}};

  static constexpr std::array attributes{
      row<&adam_optimizer_desc::learning_rate>("LearningRate"), row<&adam_optimizer_desc::beta1>("Beta1"),
      row<&adam_optimizer_desc::beta2>("Beta2"), row<&adam_optimizer_desc::epsilon>("Epsilon")};
  static constexpr std::array policies{row<&adam_optimizer_desc::accumulation>("accumulation"),
                                       row<&adam_optimizer_desc::adam_step_zero>("adam_step_zero"),
                                       row<&adam_optimizer_desc::same_resource>("same_resource")};

  // AD4: the step is one number.
  static void check_rules(const adam_optimizer_desc&, const std::array<operand, 8>& t, const rule_report& report) {
    if (!t[step].legal) return;
    const dimensions& sizes = t[step].desc->sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] != 1)
        report("AD4", "TrainingStepTensor", "Sizes", violation_text("{}", sizes[i]), violation_text("1"),
               violation_text("Sizes {}: the training step is one number", sizes), i);
  }

  // The root and the quotient to 128 bits take as long as an exponential.
  static work_counts work(const adam_optimizer_desc&, const std::array<operand, 8>& t) {
    const std::uint64_t elements = element_count(t[0].desc->sizes), outputs = saturating_multiply(3, elements);
    return {.elements = element_count_of(t), .results = outputs, .functions = elements, .judged = outputs};
  }

  static constexpr operator_options<adam_optimizer_desc> options{
      .check_rules = &check_rules, .work = &work, .in_place = true};
};

// With X, M, V and G of the same place, the Betas B1 and B2, and the training step T:
//   M' = B1 M + (1 - B1) G;  V' = B2 V + (1 - B2) G^2
//   X' = X - LearningRate * sqrt(1 - B2^T) / (1 - B1^T) * M' / (sqrt(V') + Epsilon)
// each rounded once; X' is made of the moments before they are rounded.
//   parameters X, first_moment M, second_moment V, gradient G    FLOAT32 or FLOAT16, the same sizes
//   training_step T                                              UINT32, all sizes 1
//   output_parameters X', output_first M', output_second V'      as the inputs; each may be exactly one of X, M, V, G
// Throws error (T1..T12, AD1..AD4), with the outputs unchanged.
template <class Backend, input_argument Parameters, input_argument First, input_argument Second,
          input_argument Gradient, input_argument Step, output_argument NewParameters, output_argument NewFirst,
          output_argument NewSecond>
void adam_optimizer(const Backend& backend, const Parameters& parameters, const First& first_moment,
                    const Second& second_moment, const Gradient& gradient, const Step& training_step,
                    NewParameters&& output_parameters, NewFirst&& output_first, NewSecond&& output_second,
                    const adam_optimizer_desc& desc = {}) {
  static_assert(detail::alike_types<adam_optimizer_desc, input_view<Parameters>, input_view<First>, input_view<Second>,
                                    input_view<Gradient>, input_view<Step>, output_view<NewParameters>,
                                    output_view<NewFirst>, output_view<NewSecond>>,
                "goldml ADAM_OPTIMIZER AD1: all tensors but the training step have the same data type");
  static_assert(detail::takes<adam_optimizer_desc, 0, input_view<Parameters>> &&
                    detail::takes<adam_optimizer_desc, 4, input_view<Step>>,
                "goldml ADAM_OPTIMIZER T3: tensors are FLOAT32 or FLOAT16, the training step is UINT32");
  detail::call(backend, desc,
               std::tuple(detail::as_input(parameters), detail::as_input(first_moment), detail::as_input(second_moment),
                          detail::as_input(gradient), detail::as_input(training_step)),
               std::tuple(detail::as_output(std::forward<NewParameters>(output_parameters)),
                          detail::as_output(std::forward<NewFirst>(output_first)),
                          detail::as_output(std::forward<NewSecond>(output_second))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(adam_optimizer_desc);
