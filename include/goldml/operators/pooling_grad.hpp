// AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD: the adjoints of AVERAGE_POOLING and MAX_POOLING2, what a gradient of the
// output means for the input. Feature level 3_0. Pages: DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC,
// DML_MAX_POOLING_GRAD_OPERATOR_DESC. Rules: PG1 to PG9. Rulings: ledger PO-R1 to PO-R5, AR-R1.
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

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/pooling.hpp>

namespace goldml {

// Those of the forward operator.
struct average_pooling_grad_desc {
  static constexpr bool of_max = false;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  bool include_padding = false;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::pool_overhang pool_overhang = goldml::pool_overhang::window;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
struct max_pooling_grad_desc {
  static constexpr bool of_max = true;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  dimensions dilations = {};
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept pooling_grad_operator =
    std::same_as<Desc, average_pooling_grad_desc> || std::same_as<Desc, max_pooling_grad_desc>;

}  // namespace detail

template <detail::pooling_grad_operator Desc>
struct operator_traits<Desc> {
  static constexpr std::string_view name = Desc::of_max ? "MAX_POOLING_GRAD" : "AVERAGE_POOLING_GRAD";
  static constexpr std::uint32_t enumerator = Desc::of_max ? 131 : 130;
  static constexpr std::size_t count = Desc::of_max ? 3 : 2;
  static constexpr std::size_t gradient = count - 2,
                               image = count - 1;  // what has an element for each window, and what they slide over

  static constexpr std::array<operand_limits, 2> all_limits{
      {{feature_level::level_3_0, detail::pooling_floats, 4, Desc::of_max ? 4U : 5U},
       {feature_level::level_4_0, detail::pooling_floats, 4, 5}}};
  static constexpr auto limits = std::span<const operand_limits>(all_limits).first(Desc::of_max ? 2 : 1);
  static constexpr std::array<operand_info, count> operands = [] {
    if constexpr (Desc::of_max)
      return std::array<operand_info, 3>{{{.name = "InputTensor", .role = operand_role::input, .limits = limits},
                                          {.name = "InputGradientTensor",
                                           .role = operand_role::input,
                                           .limits = limits,
                                           .same_data_type_as = {"PG1", 0},
                                           .same_rank_as = {"PG2", 0}},
                                          {.name = "OutputGradientTensor",
                                           .role = operand_role::output,
                                           .limits = limits,
                                           .same_data_type_as = {"PG1", 0},
                                           .same_rank_as = {"PG2", 0},
                                           .same_sizes_as = {"PG9", 0}}}};
    else
      return std::array<operand_info, 2>{
          {{.name = "InputGradientTensor", .role = operand_role::input, .limits = limits},
           {.name = "OutputGradientTensor",
            .role = operand_role::output,
            .limits = limits,
            .same_data_type_as = {"PG1", 0},
            .same_rank_as = {"PG2", 0}}}};
  }();

  static constexpr auto pooling_rows = detail::pooling_rows<Desc>("PG3", "PG5");
  static constexpr auto attributes = [] {
    if constexpr (Desc::of_max)
      return pooling_rows;
    else
      return detail::with_row(pooling_rows, row<&Desc::include_padding>("IncludePadding"));
  }();
  static constexpr auto policies = [] {
    const attribute sizes = row<&Desc::pooling_sizes>("pooling_sizes");
    const attribute accumulates = row<&Desc::accumulation>("accumulation");
    const attribute resource = row<&Desc::same_resource>("same_resource");
    if constexpr (Desc::of_max)
      return std::array{row<&Desc::nan_policy>("nan_policy"), sizes, accumulates, resource};
    else
      return std::array{sizes, row<&Desc::pool_overhang>("pool_overhang"), accumulates, resource};
  }();

  using operands_type = std::array<operand, count>;

  // PG3 to PG8.
  static void check_rules(const Desc& desc, const operands_type& t, const rule_report& report) {
    detail::check_pooling_shape(pooling_rows, &desc, detail::window_lists_of(desc), t[image], t[gradient],
                                desc.pooling_sizes, {"PG4", "PG6", "PG7", "PG8", "InputGradientTensor"}, report);
  }

  static work_counts work(const Desc& desc, const operands_type& t) {
    const std::uint64_t taps = detail::taps_of_windows(desc.window_size, t[image].desc->sizes, t[gradient].desc->sizes);
    const std::uint64_t outputs = element_count(t[image].desc->sizes);
    return {.elements = saturating_add(element_count_of(t), Desc::of_max ? saturating_multiply(2, taps) : 0),
            .terms = Desc::of_max ? element_count(t[gradient].desc->sizes) : taps,
            .results = Desc::of_max ? outputs : saturating_multiply(3, outputs),
            .judged = outputs};
  }
  // On cpu a thread has rows of both, and for MAX the sums of a plane; in the verdicts the same.
  static scratch_memory scratch(const Desc&, const operands_type& t) {
    const dimensions& sizes = t[image].desc->sizes;
    const std::uint64_t plane = element_count(sizes) / (std::uint64_t{sizes[0]} * sizes[1]);
    const std::uint64_t row = std::uint64_t{sizes.back()} + t[gradient].desc->sizes.back();
    return {.reference = Desc::of_max ? saturating_multiply(8, element_count(t[gradient].desc->sizes)) : 0,
            .cpu_thread = 80 * row + 2048 + (Desc::of_max ? 32 * plane : 0)};
  }

  static constexpr operator_options<Desc> options{.check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

// output_gradient = 0; then each window adds its element of the input gradient
//   AVERAGE  divided as AVERAGE_POOLING divides its sum, to all elements that it covers
//   MAX      to the first of the greatest of the elements of `input` that it covers
// The sums are exact, rounded once.
//   input            of MAX: what MAX_POOLING2 had as input
//   input_gradient   the sizes of the output of AVERAGE_POOLING or MAX_POOLING2
//   output_gradient  the sizes of its input
// FLOAT32 or FLOAT16, all of one type; 4 or 5 dimensions, MAX_POOLING_GRAD below 4_0 4. Empty lists of the desc are
// ones or zeros. Throws error (T1..T12, PG1..PG9), with the output unchanged.
template <class Backend, input_argument Gradient, output_argument Output>
void average_pooling_grad(const Backend& backend, const Gradient& input_gradient, Output&& output_gradient,
                          const average_pooling_grad_desc& desc) {
  static_assert(detail::alike_types<average_pooling_grad_desc, input_view<Gradient>, output_view<Output>>,
                "goldml AVERAGE_POOLING_GRAD PG1: the tensors have the same data type");
  detail::call(backend, detail::with_windows_for(desc, input_gradient), std::tuple(detail::as_input(input_gradient)),
               std::tuple(detail::as_output(std::forward<Output>(output_gradient))));
}
template <class Backend, input_argument Input, input_argument Gradient, output_argument Output>
void max_pooling_grad(const Backend& backend, const Input& input, const Gradient& input_gradient,
                      Output&& output_gradient, const max_pooling_grad_desc& desc) {
  static_assert(
      detail::alike_types<max_pooling_grad_desc, input_view<Input>, input_view<Gradient>, output_view<Output>>,
      "goldml MAX_POOLING_GRAD PG1: the tensors have the same data type");
  detail::call(backend, detail::with_windows_for(desc, input),
               std::tuple(detail::as_input(input), detail::as_input(input_gradient)),
               std::tuple(detail::as_output(std::forward<Output>(output_gradient))));
}

// The same, returning the output: of AVERAGE with these sizes.
template <class Backend, class T>
[[nodiscard]] tensor<T> average_pooling_grad(const Backend& backend, const tensor<T>& input_gradient,
                                             const dimensions& sizes, const average_pooling_grad_desc& desc) {
  tensor<T> output = detail::new_output_of<T>(sizes, detail::with_windows_for(desc, input_gradient), input_gradient);
  average_pooling_grad(backend, input_gradient, output, desc);
  return output;
}
template <class Backend, class T>
[[nodiscard]] tensor<T> max_pooling_grad(const Backend& backend, const tensor<T>& input,
                                         const tensor<T>& input_gradient, const max_pooling_grad_desc& desc) {
  tensor<T> output(input.sizes());
  max_pooling_grad(backend, input, input_gradient, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(average_pooling_grad_desc);
GOLDML_COMPILED_OPERATOR(max_pooling_grad_desc);
