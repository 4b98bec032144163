// ACTIVATION_SOFTMAX and ACTIVATION_SOFTMAX1: e^x of each element, divided by the sum of those of its slice; and the
// logarithm of that, ACTIVATION_LOG_SOFTMAX and ACTIVATION_LOG_SOFTMAX1. Feature levels 1_0 and 5_1. Pages:
// DML_ACTIVATION_SOFTMAX_OPERATOR_DESC and so on. Rules: SO1 to SO7. Rulings: ledger SO-R1 to SO-R3, AR-R1, AR-R5 to
// AR-R7.
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
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/axes_rules.hpp>

namespace goldml {

enum class softmax_function { softmax, log_softmax };

// A slice is a row along the last axis. Sizes before the last two are 1.
template <softmax_function F>
struct softmax_desc {
  static constexpr softmax_function kind = F;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
using activation_softmax_desc = softmax_desc<softmax_function::softmax>;
using activation_log_softmax_desc = softmax_desc<softmax_function::log_softmax>;

// A slice has the elements whose coordinates differ on the axes only: several axes are one slice (ledger SO-R1).
template <softmax_function F>
struct softmax1_desc {
  static constexpr softmax_function kind = F;
  dimensions axes = {};  // distinct, each below DimensionCount, in any order; at least one
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
using activation_softmax1_desc = softmax1_desc<softmax_function::softmax>;
using activation_log_softmax1_desc = softmax1_desc<softmax_function::log_softmax>;

namespace detail {

template <class Desc>
concept softmax_operator = std::same_as<std::remove_cv_t<decltype(Desc::kind)>, softmax_function>;

// The axes of a slice.
template <class Desc>
dimensions softmax_axes(const Desc& desc, std::size_t rank) {
  if constexpr (requires { desc.axes; })
    return desc.axes;
  else
    return {static_cast<std::uint32_t>(rank - 1)};
}

// What the operators on slices without axes share with each other, and with those that have axes: the tensors, and the
// rules SO1 to SO7.
template <class Desc, bool HasAxes>
struct slice_traits {
  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr auto limits = [] {
    if constexpr (HasAxes)
      return std::array<operand_limits, 1>{{{feature_level::level_5_1, floats, 1, 8}}};
    else
      return std::array<operand_limits, 3>{{{feature_level::level_1_0, floats, 4, 4},
                                            {feature_level::level_2_0, floats, 4, 5},
                                            {feature_level::level_3_0, floats, 1, 8}}};
  }();
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"SO1", 0},
        .same_rank_as = {"SO2", 0},
        .same_sizes_as = {"SO3", 0}}}};
  static constexpr auto attributes = [] {
    if constexpr (HasAxes)
      return std::array{row<&Desc::axes>("Axes", "AxisCount")};
    else
      return std::array<attribute, 0>{};
  }();

  // SO4: all sizes but the last two are 1; or SO5, SO6, SO7.
  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    if constexpr (HasAxes) {
      check_axes(desc.axes, t[0], softmax_axes_codes, false, report);
    } else {
      if (!t[0].legal) return;
      const dimensions& sizes = t[0].desc->sizes;
      for (std::size_t i = 0; i + 2 < sizes.size(); ++i)
        if (sizes[i] != 1)
          return report("SO4", "InputTensor", "Sizes", violation_text("{}", sizes[i]),
                        violation_text("1, as in all but the last two dimensions"),
                        violation_text("Sizes {}; {}1 has axes", sizes, operator_traits<Desc>::name), i);
    }
  }
};

template <class Desc, bool HasAxes>
struct softmax_traits : slice_traits<Desc, HasAxes> {
  static constexpr std::array policies{row<&Desc::accumulation>("accumulation"),
                                       row<&Desc::same_resource>("same_resource")};

  // An exponential of each element in the sum, and its own.
  static work_counts work(const Desc&, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count(t[1].desc->sizes);
    return {.elements = element_count_of(t),
            .results = elements,
            .functions = saturating_multiply(2, elements),
            .judged = elements};
  }
  // A slice as doubles; on cpu also the terms of a block, and places of undecided elements of up to 64 slices.
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 2>& t) {
    const dimensions& sizes = t[0].desc->sizes;
    std::uint64_t slice = 1;
    for (const std::uint32_t axis : softmax_axes(desc, sizes.size())) slice = saturating_multiply(slice, sizes[axis]);
    const std::uint64_t slices = (std::min<std::uint64_t>)(64, element_count(sizes) / slice);
    const std::uint64_t terms =
        (std::min<std::uint64_t>)(2 << 20, saturating_multiply(64 * sizeof(double), slice + 64));
    return {.reference = saturating_multiply(sizeof(double), slice),
            .cpu_thread = saturating_add(terms, saturating_multiply(slice, 3 * sizeof(double) + 48 * slices))};
  }

  static constexpr operator_options<Desc> options_of_softmax() {
    return {.check_rules = &softmax_traits::check_rules, .work = &work, .scratch = &scratch};
  }
};

}  // namespace detail

template <softmax_function F>
struct operator_traits<softmax_desc<F>> : detail::softmax_traits<softmax_desc<F>, false> {
  using base = detail::softmax_traits<softmax_desc<F>, false>;
  static constexpr bool is_log = F == softmax_function::log_softmax;
  static constexpr std::string_view name = is_log ? "ACTIVATION_LOG_SOFTMAX" : "ACTIVATION_SOFTMAX";
  static constexpr std::uint32_t enumerator = is_log ? 41 : 48;
  static constexpr operator_options<softmax_desc<F>> options = base::options_of_softmax();
};

template <softmax_function F>
struct operator_traits<softmax1_desc<F>> : detail::softmax_traits<softmax1_desc<F>, true> {
  using base = detail::softmax_traits<softmax1_desc<F>, true>;
  static constexpr bool is_log = F == softmax_function::log_softmax;
  static constexpr std::string_view name = is_log ? "ACTIVATION_LOG_SOFTMAX1" : "ACTIVATION_SOFTMAX1";
  static constexpr std::uint32_t enumerator = is_log ? 159 : 158;
  static constexpr operator_options<softmax1_desc<F>> options = base::options_of_softmax();
};

namespace detail {

// The public call of an operator on slices, a function object. With an owning tensor as input, and without an output,
// it returns the output. Throws error (T1..T12, SO1..SO7), with the output unchanged.
template <class Desc>
struct slice_call {
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc = {}) const {
    static_assert(alike_types<Desc, input_view<Input>, output_view<Output>>,
                  "goldml SOFTMAX SO1: the tensors have the same data type");
    static_assert(takes<Desc, 0, input_view<Input>>, "goldml SOFTMAX T3: FLOAT32 or FLOAT16");
    call(backend, desc, std::tuple(as_input(input)), std::tuple(as_output(std::forward<Output>(output))));
  }
  template <class Backend, class T>
  [[nodiscard]] tensor<T> operator()(const Backend& backend, const tensor<T>& input, const Desc& desc = {}) const {
    tensor<T> output(input.sizes());
    (*this)(backend, input, output, desc);
    return output;
  }
};

}  // namespace detail

// SOFTMAX: output[c] = e^(input[c] - M) / S, S the sum over the slice of e^(x - M), M the greatest of the slice.
// LOG_SOFTMAX: its logarithm, input[c] - M - ln S. Rounded once. NaN in a slice with NaN, +infinity or nothing but
// -infinity; else 0, or -infinity, for -infinity. Tensors have the same type and sizes.
inline constexpr detail::slice_call<activation_softmax_desc> activation_softmax{};
inline constexpr detail::slice_call<activation_softmax1_desc> activation_softmax1{};
inline constexpr detail::slice_call<activation_log_softmax_desc> activation_log_softmax{};
inline constexpr detail::slice_call<activation_log_softmax1_desc> activation_log_softmax1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(activation_softmax_desc);
GOLDML_COMPILED_OPERATOR(activation_softmax1_desc);
GOLDML_COMPILED_OPERATOR(activation_log_softmax_desc);
GOLDML_COMPILED_OPERATOR(activation_log_softmax1_desc);
