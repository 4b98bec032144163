// LOCAL_RESPONSE_NORMALIZATION: each element divided by a power of the squares in its window. Feature level 1_0. And
// its derivative, LOCAL_RESPONSE_NORMALIZATION_GRAD. Feature level 3_1. Pages:
// DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC and DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC. Rules: LR1 to
// LR4. Rulings: ledger LR-R1 to LR-R3, NO-R1.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/arithmetic/local_response.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/normalisation_rules.hpp>

namespace goldml {

template <bool IsGrad>
struct local_response_desc {
  static constexpr bool is_grad = IsGrad;
  bool cross_channel = true;  // the window is of channels; otherwise a square of an image
  std::uint32_t local_size = 5;
  float alpha = 1e-4F;
  float beta = 0.75F;
  float bias = 1;
  goldml::lrn_window lrn_window = goldml::lrn_window::upper;
  goldml::lrn_divisor lrn_divisor = goldml::lrn_divisor::size;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
using local_response_normalization_desc = local_response_desc<false>;
using local_response_normalization_grad_desc = local_response_desc<true>;

namespace detail {

template <class Desc>
concept local_response_operator =
    std::same_as<Desc, local_response_normalization_desc> || std::same_as<Desc, local_response_normalization_grad_desc>;

template <local_response_operator Desc>
arithmetic::local_response_form local_response_form_of(const Desc& desc) {
  const double size = desc.local_size;
  const bool is_area = !desc.cross_channel && desc.lrn_divisor == lrn_divisor::area;
  return {desc.cross_channel,  desc.lrn_window == lrn_window::lower,
          desc.local_size,     is_area ? size * size : size,
          widened(desc.alpha), widened(desc.beta),
          widened(desc.bias)};
}

// At most so many elements are in a window of a tensor.
template <local_response_operator Desc>
std::uint64_t most_in_window(const Desc& desc, const dimensions& sizes) {
  const auto within = [&](std::size_t axis) { return (std::min<std::uint64_t>)(desc.local_size, sizes[axis]); };
  return desc.cross_channel ? within(1) : within(2) * within(3);
}

}  // namespace detail

template <bool IsGrad>
struct operator_traits<local_response_desc<IsGrad>> {
  using desc_type = local_response_desc<IsGrad>;
  static constexpr std::string_view name =
      IsGrad ? "LOCAL_RESPONSE_NORMALIZATION_GRAD" : "LOCAL_RESPONSE_NORMALIZATION";
  static constexpr std::uint32_t enumerator = IsGrad ? 144 : 74;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 1> limits{
      {{IsGrad ? feature_level::level_3_1 : feature_level::level_1_0, floats, 4, 4}}};
  static constexpr auto operands = [] {
    constexpr operand_info input{.name = "InputTensor", .role = operand_role::input, .limits = limits};
    if constexpr (IsGrad)
      return std::array<operand_info, 3>{
          {input,
           detail::operand_like_input("InputGradientTensor", operand_role::input, limits, "LR1", "LR2", {"LR3", 0}),
           detail::operand_like_input("OutputGradientTensor", operand_role::output, limits, "LR1", "LR2", {"LR3", 0})}};
    else
      return std::array<operand_info, 2>{
          {input, detail::operand_like_input("OutputTensor", operand_role::output, limits, "LR1", "LR2", {"LR3", 0})}};
  }();
  static constexpr std::array attributes{
      row<&desc_type::cross_channel>("CrossChannel"), row<&desc_type::local_size>("LocalSize").at_least_1("LR4"),
      row<&desc_type::alpha>("Alpha"), row<&desc_type::beta>("Beta"), row<&desc_type::bias>("Bias")};
  static constexpr std::array policies{
      row<&desc_type::lrn_window>("lrn_window"), row<&desc_type::lrn_divisor>("lrn_divisor"),
      row<&desc_type::accumulation>("accumulation"), row<&desc_type::same_resource>("same_resource")};

  // LR4.
  static void check_attributes(const desc_type& desc, const std::array<operand, IsGrad ? 3 : 2>&,
                               const rule_report& report) {
    detail::check_at_least_1(attributes[1], desc.local_size, report);
  }
  // The squares of each window, and a power; of the gradient those of all windows that have an element.
  static work_counts work(const desc_type& desc, const std::array<operand, IsGrad ? 3 : 2>& t) {
    const dimensions& sizes = t[0].desc->sizes;
    const std::uint64_t elements = element_count(sizes), window = detail::most_in_window(desc, sizes),
                        windows = IsGrad ? window + 1 : 1;
    return {.elements = element_count_of(t),
            .terms = saturating_multiply(elements, saturating_multiply(window, windows)),
            .results = elements,
            .functions = saturating_multiply(6, saturating_multiply(elements, windows)),
            .judged = saturating_multiply(elements, windows)};
  }
  // cpu: numbers of an image.
  static scratch_memory scratch(const desc_type&, const std::array<operand, IsGrad ? 3 : 2>& t) {
    const dimensions& sizes = t[0].desc->sizes;
    return {.cpu_thread = saturating_multiply(element_count(sizes) / sizes[0], 6 * sizeof(double))};
  }
  static constexpr operator_options<desc_type> options{
      .check_attributes = &check_attributes, .work = &work, .scratch = &scratch};
};

// output = input * D^-Beta, D = Bias + Alpha / LocalSize * S, rounded once; S is the sum of the squares in the
// element's window: LocalSize channels (CrossChannel) or LocalSize rows and columns, of an even number one more above
// than below, clipped. FLOAT32 or FLOAT16 of four dimensions, tensors have the same sizes. Throws error (T1..T12,
// LR1..LR4), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void local_response_normalization(const Backend& backend, const Input& input, Output&& output,
                                  const local_response_normalization_desc& desc = {}) {
  using desc_type = local_response_normalization_desc;
  static_assert(detail::alike_types<desc_type, input_view<Input>, output_view<Output>>,
                "goldml LOCAL_RESPONSE_NORMALIZATION LR1: the tensors have the same data type");
  static_assert(detail::takes<desc_type, 0, input_view<Input>>,
                "goldml LOCAL_RESPONSE_NORMALIZATION T3: FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// output_gradient[j] = G[j] D[j]^-Beta - 2 Alpha Beta / LocalSize * input[j] * the sum of G[i] input[i] D[i]^(-Beta-1)
// over all i whose window has j; G is input_gradient. The same tensors, and the same of errors.
template <class Backend, input_argument Input, input_argument Gradient, output_argument Output>
void local_response_normalization_grad(const Backend& backend, const Input& input, const Gradient& input_gradient,
                                       Output&& output_gradient,
                                       const local_response_normalization_grad_desc& desc = {}) {
  using desc_type = local_response_normalization_grad_desc;
  static_assert(detail::alike_types<desc_type, input_view<Input>, input_view<Gradient>, output_view<Output>>,
                "goldml LOCAL_RESPONSE_NORMALIZATION_GRAD LR1: the tensors have the same data type");
  static_assert(detail::takes<desc_type, 0, input_view<Input>>,
                "goldml LOCAL_RESPONSE_NORMALIZATION_GRAD T3: FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(input_gradient)),
               std::tuple(detail::as_output(std::forward<Output>(output_gradient))));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(local_response_normalization_desc);
GOLDML_COMPILED_OPERATOR(local_response_normalization_grad_desc);
