// BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD: the gradients of the input, the scale and the bias of
// batch normalisation with given statistics, and with those of the batch. Feature levels 3_1 and 4_1. Pages:
// DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC, DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC. Rules: BG1 to BG5.
// Rulings: ledger BG-R1, NO-R1, NO-R4.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/arithmetic/normalisation_gradient.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/batch_normalization.hpp>
#include <goldml/operators/normalisation_rules.hpp>

namespace goldml {

struct batch_normalization_grad_desc {
  float epsilon = 1e-5F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
struct batch_normalization_training_grad_desc {
  float epsilon = 1e-5F;
  goldml::training_mean training_mean = goldml::training_mean::tensor;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept batch_gradient_operator =
    std::same_as<Desc, batch_normalization_grad_desc> || std::same_as<Desc, batch_normalization_training_grad_desc>;

template <batch_gradient_operator Desc>
struct batch_gradient_traits {
  static constexpr bool is_training = std::same_as<Desc, batch_normalization_training_grad_desc>;
  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 1> limits{
      {{is_training ? feature_level::level_4_1 : feature_level::level_3_1, floats, 1, 8}}};
  static constexpr operand_role in = operand_role::input, out = operand_role::output;
  static constexpr std::array<operand_info, 8> operands{
      {{.name = "InputTensor", .role = in, .limits = limits},
       operand_like_input("InputGradientTensor", in, limits, "BG1", "BG2", {"BG3", 0}),
       operand_like_input("MeanTensor", in, limits, "BG1", "BG2"),
       operand_like_input("VarianceTensor", in, limits, "BG1", "BG2", {"BG5", 2}),
       operand_like_input("ScaleTensor", in, limits, "BG1", "BG2", {"BG5", 2}),
       operand_like_input("OutputGradientTensor", out, limits, "BG1", "BG2", {"BG3", 0}),
       operand_like_input("OutputScaleGradientTensor", out, limits, "BG1", "BG2", {"BG5", 2}),
       operand_like_input("OutputBiasGradientTensor", out, limits, "BG1", "BG2", {"BG5", 2})}};
  static constexpr std::array attributes{row<&Desc::epsilon>("Epsilon")};
  static constexpr auto policies = [] {
    constexpr attribute accumulation = row<&Desc::accumulation>("accumulation"),
                        memory = row<&Desc::same_resource>("same_resource");
    if constexpr (is_training)
      return std::array{row<&Desc::training_mean>("training_mean"), accumulation, memory};
    else
      return std::array{accumulation, memory};
  }();

  // BG4.
  static void check_rules(const Desc&, const std::array<operand, 8>& t, const rule_report& report) {
    check_broadcast("BG4", operands[2].name, t[2], t[0], report);
  }
  static work_counts work(const Desc&, const std::array<operand, 8>& t) {
    work_counts result = work_of_normalisation(std::nullopt, t);
    result.terms = saturating_multiply(2, result.terms);
    return result;
  }
  // A slice of two tensors as doubles.
  static scratch_memory scratch(const Desc&, const std::array<operand, 8>& t) {
    const std::uint64_t slice = element_count(candidate_box(t[0].desc->sizes, batch_axes(t[2].desc->sizes)));
    const std::uint64_t bytes = saturating_multiply(6 * sizeof(double), slice);
    return {.reference = bytes, .cpu_thread = bytes};
  }
  static constexpr operator_options<Desc> options_of_all() {
    return {.check_rules = &batch_gradient_traits::check_rules,
            .work = &batch_gradient_traits::work,
            .scratch = &batch_gradient_traits::scratch};
  }
};

// The slices of a call: those elements share a mean whose coordinates differ only where its sizes are 1.
template <class T>
struct batch_gradient_inputs {
  explicit batch_gradient_inputs(std::span<const const_tensor_ref> inputs)
      : x(inputs[0].as<T>()),
        dy(inputs[1].as<T>()),
        mean(inputs[2].as<T>()),
        variance(inputs[3].as<T>()),
        scale(inputs[4].as<T>()),
        box(candidate_box(x.sizes(), batch_axes(mean.sizes()))) {}

  // That of an element of the mean, in the order of coordinates_of(box).
  template <batch_gradient_operator Desc>
  arithmetic::gradient_slice slice_at(const Desc& desc, const coordinate_tuple& first) const {
    const auto number = [](const tensor_view<const T>& t, const coordinate_tuple& c) { return exact_double(T(t[c])); };
    arithmetic::gradient_slice slice{.x = {},
                                     .dy = {},
                                     .mean = number(mean, first),
                                     .variance = number(variance, first),
                                     .scale = number(scale, first),
                                     .epsilon = widened(desc.epsilon)};
    if constexpr (requires { desc.training_mean; }) {
      slice.projects = true;
      slice.takes_mean_of_input = desc.training_mean == training_mean::input;
    }
    for (const coordinate_tuple& r : coordinates_of(box)) {
      const coordinate_tuple c = reduction_candidate(first, r);
      slice.x.push_back(number(x, c));
      slice.dy.push_back(number(dy, c));
    }
    return slice;
  }

  tensor_view<const T> x, dy, mean, variance, scale;
  dimensions box;
};

template <batch_gradient_operator Desc>
struct batch_gradient_call {
  template <class Backend, input_argument Input, input_argument Gradient, input_argument Mean, input_argument Variance,
            input_argument Scale, output_argument Output, output_argument OfScale, output_argument OfBias>
  void operator()(const Backend& backend, const Input& input, const Gradient& input_gradient, const Mean& mean,
                  const Variance& variance, const Scale& scale, Output&& output_gradient,
                  OfScale&& output_scale_gradient, OfBias&& output_bias_gradient, const Desc& desc = {}) const {
    static_assert(alike_types<Desc, input_view<Input>, input_view<Gradient>, input_view<Mean>, input_view<Variance>,
                              input_view<Scale>, output_view<Output>, output_view<OfScale>, output_view<OfBias>>,
                  "goldml BATCH_NORMALIZATION_GRAD BG1: all tensors have the same data type");
    static_assert(takes<Desc, 0, input_view<Input>>,
                  "goldml BATCH_NORMALIZATION_GRAD T3: tensors are FLOAT32 or FLOAT16");
    call(backend, desc,
         std::tuple(as_input(input), as_input(input_gradient), as_input(mean), as_input(variance), as_input(scale)),
         std::tuple(as_output(std::forward<Output>(output_gradient)),
                    as_output(std::forward<OfScale>(output_scale_gradient)),
                    as_output(std::forward<OfBias>(output_bias_gradient))));
  }
};

}  // namespace detail

template <>
struct operator_traits<batch_normalization_grad_desc> : detail::batch_gradient_traits<batch_normalization_grad_desc> {
  static constexpr std::string_view name = "BATCH_NORMALIZATION_GRAD";
  static constexpr std::uint32_t enumerator = 146;
  static constexpr operator_options<batch_normalization_grad_desc> options = options_of_all();
};
template <>
struct operator_traits<batch_normalization_training_grad_desc>
    : detail::batch_gradient_traits<batch_normalization_training_grad_desc> {
  static constexpr std::string_view name = "BATCH_NORMALIZATION_TRAINING_GRAD";
  static constexpr std::uint32_t enumerator = 152;
  static constexpr operator_options<batch_normalization_training_grad_desc> options = options_of_all();
};

// With dY input_gradient, r = 1 / sqrt(variance + Epsilon), and sums and means over the dimensions where mean has size
// 1:
//   output_scale_gradient = the sum of dY (input - mean) r;   output_bias_gradient = the sum of dY
//   output_gradient = scale r dY;   of TRAINING_GRAD
//                     scale r (dY - mean(dY) - (input - mean) * mean(dY (input - mean)) / (variance + Epsilon))
// each rounded once.
//   input, input_gradient, output_gradient   FLOAT32 or FLOAT16, the same sizes
//   all others                               the sizes of mean, each 1 or the input's
// Throws error (T1..T12, BG1..BG5), with the outputs unchanged.
inline constexpr detail::batch_gradient_call<batch_normalization_grad_desc> batch_normalization_grad{};
inline constexpr detail::batch_gradient_call<batch_normalization_training_grad_desc>
    batch_normalization_training_grad{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(batch_normalization_grad_desc);
GOLDML_COMPILED_OPERATOR(batch_normalization_training_grad_desc);
