// The activations: each element of the output is a function of the element of the input with the same coordinates.
// Pages: DML_ACTIVATION_*_OPERATOR_DESC. Their rules are AR1 to AR3, AR9 and AR10. Rulings: ledger AR-R1, AR-R4 to
// AR-R7, AR-R9, AR-R10. As parts of other operators, fused, they are attributes (core/attribute_values.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/activation_descs.hpp>

namespace goldml {

namespace detail {

// AR9: the parameters are finite.
template <class Desc>
void check_parameters(const Desc& desc, const rule_report& report) {
  for (const attribute& parameter : activation_attributes<Desc>) {
    const float value = parameter.template get<float>(desc);
    if (magnitude_bits(value) >= float_bits<float>::infinity)
      report("AR9", "", parameter.name, violation_text("{}", scalar(value)), violation_text("a finite number"));
  }
}

}  // namespace detail

template <arithmetic::activation_type F>
struct operator_traits<activation_desc<F>> {
  using desc_type = activation_desc<F>;
  static constexpr std::uint32_t enumerator = static_cast<std::uint32_t>(F);
  static constexpr bool is_identity = F == arithmetic::activation_type::identity;
  static constexpr std::string_view name = arithmetic::name_of(F);

  static constexpr std::span<const operand_limits> limits = detail::limits_of_activation(F);
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits, .in_place = true},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"AR1", 0},
        .same_rank_as = {"AR2", 0},
        .same_sizes_as = {"AR3", 0}}}};
  static constexpr auto& attributes = detail::activation_attributes<desc_type>;
  static constexpr std::array policies = [] {
    if constexpr (is_identity)
      return std::array{row<&desc_type::same_resource>("same_resource")};
    else if constexpr (requires(desc_type desc) { desc.nan_policy; })
      return std::array{row<&desc_type::nan_policy>("nan_policy"), row<&desc_type::accumulation>("accumulation"),
                        row<&desc_type::same_resource>("same_resource")};
    else
      return std::array{row<&desc_type::accumulation>("accumulation"), row<&desc_type::same_resource>("same_resource")};
  }();

  static void check_rules(const desc_type& desc, const std::array<operand, 2>&, const rule_report& report) {
    detail::check_parameters(desc, report);
    if constexpr (F == arithmetic::activation_type::softplus)
      if (desc.feature_level < feature_level::level_6_4 && desc.steepness < 1 &&
          detail::magnitude_bits(desc.steepness) < detail::float_bits<float>::infinity)
        report("AR10", "", "Steepness", violation_text("{}", scalar(desc.steepness)), violation_text("at least 1"),
               violation_text("before feature level 6_4"));
  }

  static work_counts work(const desc_type&, const std::array<operand, 2>& t) {
    return work_counts{.elements = element_count_of(t)} + arithmetic::work_of(F, element_count(t[1].desc->sizes));
  }

  static constexpr operator_options<desc_type> options{
      .check_rules = &check_rules, .work = &work, .in_place = true, .moves = is_identity, .exact = is_identity};
};

// The public call of an activation, a function object: activation_relu(backend, input, output, desc). The desc may be
// omitted. With an owning tensor as input, and without an output, it returns the output. Throws error (T1..T12 and the
// operator's rules), with the output unchanged.
template <arithmetic::activation_type F>
struct activation_function {
  using desc_type = activation_desc<F>;

  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const desc_type& desc = {}) const {
    static_assert(detail::alike_types<desc_type, input_view<Input>, output_view<Output>>,
                  "goldml ACTIVATION AR1: the tensors have the same data type");
    static_assert(detail::takes<desc_type, 0, input_view<Input>> && detail::takes<desc_type, 1, output_view<Output>>,
                  "goldml ACTIVATION T3: no feature level has this data type");
    detail::call(backend, desc, std::tuple(detail::as_input(input)),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }
  template <class Backend, class T>
  [[nodiscard]] tensor<T> operator()(const Backend& backend, const tensor<T>& input, const desc_type& desc = {}) const {
    tensor<T> output(input.sizes());
    (*this)(backend, input, output, desc);
    return output;
  }
};

// Their functions are listed in arithmetic/activations.hpp.
// clang-format off
inline constexpr activation_function<arithmetic::activation_type::elu> activation_elu{};
inline constexpr activation_function<arithmetic::activation_type::hard_sigmoid> activation_hard_sigmoid{};
inline constexpr activation_function<arithmetic::activation_type::identity> activation_identity{};
inline constexpr activation_function<arithmetic::activation_type::leaky_relu> activation_leaky_relu{};
inline constexpr activation_function<arithmetic::activation_type::linear> activation_linear{};
inline constexpr activation_function<arithmetic::activation_type::parametric_softplus> activation_parametric_softplus{};
inline constexpr activation_function<arithmetic::activation_type::relu> activation_relu{};
inline constexpr activation_function<arithmetic::activation_type::scaled_elu> activation_scaled_elu{};
inline constexpr activation_function<arithmetic::activation_type::scaled_tanh> activation_scaled_tanh{};
inline constexpr activation_function<arithmetic::activation_type::sigmoid> activation_sigmoid{};
inline constexpr activation_function<arithmetic::activation_type::softplus> activation_softplus{};
inline constexpr activation_function<arithmetic::activation_type::softsign> activation_softsign{};
inline constexpr activation_function<arithmetic::activation_type::tanh> activation_tanh{};
inline constexpr activation_function<arithmetic::activation_type::celu> activation_celu{};
inline constexpr activation_function<arithmetic::activation_type::thresholded_relu> activation_thresholded_relu{};
inline constexpr activation_function<arithmetic::activation_type::shrink> activation_shrink{};
inline constexpr activation_function<arithmetic::activation_type::gelu> activation_gelu{};
inline constexpr activation_function<arithmetic::activation_type::swish> activation_swish{};
inline constexpr activation_function<arithmetic::activation_type::hard_swish> activation_hard_swish{};
// clang-format on

using activation_operators =
    type_list<activation_elu_desc, activation_hard_sigmoid_desc, activation_identity_desc, activation_leaky_relu_desc,
              activation_linear_desc, activation_parametric_softplus_desc, activation_relu_desc,
              activation_scaled_elu_desc, activation_scaled_tanh_desc, activation_sigmoid_desc,
              activation_softplus_desc, activation_softsign_desc, activation_tanh_desc, activation_celu_desc,
              activation_thresholded_relu_desc, activation_shrink_desc, activation_gelu_desc, activation_swish_desc,
              activation_hard_swish_desc>;

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(activation_elu_desc);
GOLDML_COMPILED_OPERATOR(activation_hard_sigmoid_desc);
GOLDML_COMPILED_OPERATOR(activation_identity_desc);
GOLDML_COMPILED_OPERATOR(activation_leaky_relu_desc);
GOLDML_COMPILED_OPERATOR(activation_linear_desc);
GOLDML_COMPILED_OPERATOR(activation_parametric_softplus_desc);
GOLDML_COMPILED_OPERATOR(activation_relu_desc);
GOLDML_COMPILED_OPERATOR(activation_scaled_elu_desc);
GOLDML_COMPILED_OPERATOR(activation_scaled_tanh_desc);
GOLDML_COMPILED_OPERATOR(activation_sigmoid_desc);
GOLDML_COMPILED_OPERATOR(activation_softplus_desc);
GOLDML_COMPILED_OPERATOR(activation_softsign_desc);
GOLDML_COMPILED_OPERATOR(activation_tanh_desc);
GOLDML_COMPILED_OPERATOR(activation_celu_desc);
GOLDML_COMPILED_OPERATOR(activation_thresholded_relu_desc);
GOLDML_COMPILED_OPERATOR(activation_shrink_desc);
GOLDML_COMPILED_OPERATOR(activation_gelu_desc);
GOLDML_COMPILED_OPERATOR(activation_swish_desc);
GOLDML_COMPILED_OPERATOR(activation_hard_swish_desc);
