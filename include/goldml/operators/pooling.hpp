// AVERAGE_POOLING, LP_POOLING and MAX_POOLING, with their 1- and 2-versions: the average, the p-norm or the greatest of
// the elements in windows that slide over the spatial axes. Feature levels 1_0, 2_0, 2_1 and 6_2. Pages:
// DML_AVERAGE_POOLING_OPERATOR_DESC and so on. Rules: PO1 to PO10. Rulings: ledger PO-R1 to PO-R5, AR-R1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/pooling_descs.hpp>
#include <goldml/operators/window_rules.hpp>

namespace goldml {

namespace detail {

template <std::size_t N>
constexpr std::array<attribute, N + 1> with_row(const std::array<attribute, N>& rows, const attribute& last) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::array<attribute, N + 1>{rows[I]..., last}; }
  (std::make_index_sequence<N>());
}

// The lists of an operator on windows, as rows with the codes of its rules 3 and 5.
template <class Desc>
constexpr auto pooling_rows(std::string_view count, std::string_view zero) {
  const std::array rows{row<&Desc::strides>("Strides", "DimensionCount").per_dimension(count).at_least_1(zero),
                        row<&Desc::window_size>("WindowSize", "DimensionCount").per_dimension(count).at_least_1(zero),
                        row<&Desc::start_padding>("StartPadding", "DimensionCount").per_dimension(count),
                        row<&Desc::end_padding>("EndPadding", "DimensionCount").per_dimension(count)};
  if constexpr (has_dilations<Desc>)
    return with_row(rows, row<&Desc::dilations>("Dilations", "DimensionCount").per_dimension(count).at_least_1(zero));
  else
    return rows;
}

// The elements that are read for all windows, at most: those that they cover, and by cpu for each row of windows whole
// rows of the image.
inline std::uint64_t taps_of_windows(const dimensions& windows, const dimensions& image, const dimensions& counts) {
  const std::size_t last = windows.size() - 1;
  const std::uint64_t covered =
      saturating_multiply(std::uint64_t{counts.back()}, (std::min)(windows[last], image.back()));
  std::uint64_t taps = (std::max)(covered, std::uint64_t{image.back()});
  for (std::size_t i = 0; i < 2 + last; ++i) taps = saturating_multiply(taps, counts[i]);
  for (std::size_t i = 0; i < last; ++i) taps = saturating_multiply(taps, (std::min)(windows[i], image[2 + i]));
  return taps;
}

struct pooling_identity {
  std::string_view name;
  std::uint32_t enumerator;
  feature_level from;
};
template <class Desc>
inline constexpr pooling_identity pooling_of{};
template <>
inline constexpr pooling_identity pooling_of<average_pooling_desc>{"AVERAGE_POOLING", 56, feature_level::level_1_0};
template <>
inline constexpr pooling_identity pooling_of<average_pooling1_desc>{"AVERAGE_POOLING1", 166, feature_level::level_6_2};
template <>
inline constexpr pooling_identity pooling_of<lp_pooling_desc>{"LP_POOLING", 57, feature_level::level_1_0};
template <>
inline constexpr pooling_identity pooling_of<lp_pooling1_desc>{"LP_POOLING1", 165, feature_level::level_6_2};
template <>
inline constexpr pooling_identity pooling_of<max_pooling_desc>{"MAX_POOLING", 58, feature_level::level_1_0};
template <>
inline constexpr pooling_identity pooling_of<max_pooling1_desc>{"MAX_POOLING1", 91, feature_level::level_2_0};
template <>
inline constexpr pooling_identity pooling_of<max_pooling2_desc>{"MAX_POOLING2", 110, feature_level::level_2_1};

inline constexpr data_type_set pooling_floats{data_type::float32, data_type::float16};

}  // namespace detail

template <detail::pooling_operator Desc>
struct operator_traits<Desc> {
  static constexpr std::string_view name = detail::pooling_of<Desc>.name;
  static constexpr std::uint32_t enumerator = detail::pooling_of<Desc>.enumerator;
  static constexpr bool has_indices = detail::pooling_with_indices<Desc>;
  static constexpr std::size_t count = has_indices ? 3 : 2;
  static constexpr bool is_max = Desc::function == pooling_function::max;

  static constexpr data_type_set bytes{data_type::float32, data_type::float16, data_type::int8, data_type::uint8};
  static constexpr auto limits = [] {
    const operand_limits first{detail::pooling_of<Desc>.from, detail::pooling_floats, 4, 5};
    if constexpr (is_max)
      return std::array<operand_limits, 3>{
          {first, {feature_level::level_3_0, bytes, 4, 5}, {feature_level::level_5_0, data_types_a10, 4, 5}}};
    else
      return std::array<operand_limits, 1>{{first}};
  }();
  static constexpr std::array<operand_limits, 2> index_limits{
      {{detail::pooling_of<Desc>.from, {data_type::uint32}, 4, 5},
       {feature_level::level_5_0, {data_type::uint64, data_type::uint32}, 4, 5}}};
  static constexpr std::array<operand_info, count> operands = [] {
    const operand_info input{.name = "InputTensor", .role = operand_role::input, .limits = limits};
    const operand_info output{.name = "OutputTensor",
                              .role = operand_role::output,
                              .limits = limits,
                              .same_data_type_as = {"PO1", 0},
                              .same_rank_as = {"PO2", 0}};
    if constexpr (has_indices)
      return std::array<operand_info, 3>{
          {input,
           output,
           {.name = "OutputIndicesTensor", .role = operand_role::output, .limits = index_limits, .optional = true}}};
    else
      return std::array<operand_info, 2>{{input, output}};
  }();

  static constexpr auto pooling_rows = detail::pooling_rows<Desc>("PO3", "PO5");
  static constexpr auto attributes = [] {
    if constexpr (Desc::function == pooling_function::average)
      return detail::with_row(pooling_rows, row<&Desc::include_padding>("IncludePadding"));
    else if constexpr (Desc::function == pooling_function::lp)
      return detail::with_row(pooling_rows, row<&Desc::p>("P").at_least_1("PO9"));
    else
      return pooling_rows;
  }();
  static constexpr auto policies = [] {
    const attribute sizes = row<&Desc::pooling_sizes>("pooling_sizes");
    const attribute resource = row<&Desc::same_resource>("same_resource");
    if constexpr (Desc::function == pooling_function::average)
      return std::array{sizes, row<&Desc::pool_overhang>("pool_overhang"), row<&Desc::accumulation>("accumulation"),
                        resource};
    else if constexpr (Desc::function == pooling_function::lp)
      return std::array{sizes, row<&Desc::lp_power>("lp_power"), row<&Desc::accumulation>("accumulation"), resource};
    else
      return std::array{row<&Desc::nan_policy>("nan_policy"), sizes, resource};
  }();

  using operands_type = std::array<operand, count>;

  // Where a stride leaves two sizes open, nothing is implied.
  static implied_output implied(const Desc& desc, const operands_type& t, std::size_t) {
    const auto sizes = detail::window_sizes_of(detail::window_lists_of(desc), t[0].desc->sizes,
                                               desc.pooling_sizes == pooling_sizes::formula_or_ceil);
    if (!sizes) return {};
    return {.sizes = *sizes};
  }

  // PO3 to PO10. A tensor has fewer than 2^32 elements (T6), so that UINT32 holds any index (PO11).
  static void check_rules(const Desc& desc, const operands_type& t, const rule_report& report) {
    const operand &input = t[0], &output = t[1];
    detail::check_pooling_shape(pooling_rows, &desc, detail::window_lists_of(desc), input, output, desc.pooling_sizes,
                                {"PO4", "PO6", "PO7", "PO8", "OutputTensor"}, report);
    if constexpr (Desc::function == pooling_function::lp) detail::check_at_least_1(attributes.back(), desc.p, report);
    if constexpr (has_indices) {
      const operand& indices = t[2];
      if (!indices.desc || !indices.legal) return;
      if (output.legal && indices.desc->sizes.size() != output.desc->sizes.size())
        report("PO10", operands[2].name, "DimensionCount", violation_text("{}", indices.desc->sizes.size()),
               violation_text("{}", output.desc->sizes.size()), violation_text("the output's"));
      else if (output.legal && indices.desc->sizes != output.desc->sizes)
        report("PO10", operands[2].name, "Sizes", violation_text("{}", indices.desc->sizes),
               violation_text("{}", output.desc->sizes), violation_text("the output's"));
    }
  }

  static work_counts work(const Desc& desc, const operands_type& t) {
    const std::uint64_t outputs = element_count(t[1].desc->sizes);
    const std::uint64_t taps = detail::taps_of_windows(desc.window_size, t[0].desc->sizes, t[1].desc->sizes);
    work_counts result{.elements = element_count_of(t)};
    if constexpr (is_max) {
      result.elements = saturating_add(result.elements, saturating_multiply(2, taps));
      if (detail::pooling_floats.contains(t[1].desc->data_type)) result.judged = saturating_multiply(2, outputs);
    } else {
      result.terms = taps;
      result.results = saturating_multiply(Desc::function == pooling_function::average ? 3 : 1, outputs);
      result.judged = outputs;
    }
    if constexpr (Desc::function == pooling_function::lp)
      if (desc.p > 2) result.functions = saturating_add(saturating_multiply(2, taps), outputs);
    return result;
  }
  // A window, also as doubles; of a thread of cpu rows of both tensors.
  static scratch_memory scratch(const Desc& desc, const operands_type& t) {
    std::uint64_t window = 1;
    for (std::size_t i = 0; i < desc.window_size.size(); ++i)
      window = saturating_multiply(window, (std::min)(desc.window_size[i], t[0].desc->sizes[2 + i]));
    const std::uint64_t size = element_size_in_bytes(t[0].desc->data_type);
    const std::uint64_t row = std::uint64_t{56} * t[0].desc->sizes.back();
    const std::uint64_t windows = (is_max ? std::uint64_t{216} : std::uint64_t{56}) * t[1].desc->sizes.back();
    return {.reference = saturating_multiply(window, 2 * sizeof(double) + size),
            .cpu_thread = saturating_add(saturating_multiply(window, sizeof(double)), row + windows + 2048)};
  }

  static constexpr operator_options<Desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};
};

namespace detail {

template <class Desc, class Input>
Desc with_windows_for(const Desc& desc, const Input& input) {
  const std::optional<tensor_desc> tensor = to_operand(as_input(input)).desc;
  return with_default_windows(desc, tensor ? tensor->sizes.size() : 0);
}

// A new output with the fewest windows.
template <class T, class Desc>
tensor<T> new_pooling_output(const Desc& desc, const tensor<T>& input) {
  const auto sizes = window_sizes_of(window_lists_of(desc), input.sizes(), false);
  return new_output_of<T>(sizes ? *sizes : input.sizes(), desc, input);
}

}  // namespace detail

// The public call of an operator, a function object.
//   input   {N, C, ...}, 4 or 5 dimensions; FLOAT32 or FLOAT16, MAX_POOLING from 3_0 on also INT8 and UINT8, from 5_0
//           on all types but FLOAT64
//   output  {N, C, ...}, the input's type; on each axis (size + padding - extent) / stride + 1, rounded down or up,
//           where a window extends over 1 + (window - 1) * dilation
// Window q has on each axis the elements at q * stride + j * dilation - start, for j from 0 to window - 1, that are in
// the input; padding is no element.
//   AVERAGE  their sum, divided by their number or, with include_padding, by the product of window_size; rounded once
//   LP       (the sum of |x|^P)^(1/P), rounded once
//   MAX      the greatest, the first of equals
// Empty lists of the desc are ones or zeros. Without an output it returns one, with sizes that are rounded down. Throws
// error (T1..T12, PO1..PO9), with the output unchanged.
template <class Desc>
struct pooling_call {
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc) const {
    static_assert(detail::takes<Desc, 0, input_view<Input>>,
                  "goldml POOLING T3: FLOAT32 or FLOAT16; MAX_POOLING every type but FLOAT64");
    static_assert(detail::alike_types<Desc, input_view<Input>, output_view<Output>>,
                  "goldml POOLING PO1: the tensors have the same data type");
    detail::call(backend, detail::with_windows_for(desc, input), std::tuple(detail::as_input(input)),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }
  template <class Backend, class T>
  [[nodiscard]] tensor<T> operator()(const Backend& backend, const tensor<T>& input, Desc desc) const {
    desc = detail::with_windows_for(desc, input);
    tensor<T> output = detail::new_pooling_output(desc, input);
    (*this)(backend, input, output, desc);
    return output;
  }
};

// What a call without outputs returns.
template <class T, class Index>
struct max_pooling_result {
  tensor<T> values;
  tensor<Index> indices;
};

// The same with the index of each element: its number in the whole input, in row-major order, batch and channel
// included.
//   indices  the output's sizes; UINT32, from 5_0 on also UINT64; may be omitted
// Throws error (T1..T12, PO1..PO10).
template <detail::pooling_with_indices Desc>
struct pooling_call<Desc> {
  template <class Backend, input_argument Input, output_argument Output, output_argument Indices>
  void operator()(const Backend& backend, const Input& input, Output&& output, Indices&& indices,
                  const Desc& desc) const {
    static_assert(detail::alike_types<Desc, input_view<Input>, output_view<Output>, output_view<Indices>>,
                  "goldml MAX_POOLING PO1: the tensors have the same data type");
    const std::optional some_indices = detail::as_output(std::forward<Indices>(indices));
    detail::call(backend, detail::with_windows_for(desc, input), std::tuple(detail::as_input(input)),
                 std::tuple(detail::as_output(std::forward<Output>(output)), some_indices));
  }
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc) const {
    (*this)(backend, input, std::forward<Output>(output), tensor_ref(), desc);
  }
  template <class Backend, class T>
  [[nodiscard]] max_pooling_result<T, std::uint32_t> operator()(const Backend& backend, const tensor<T>& input,
                                                                Desc desc) const {
    desc = detail::with_windows_for(desc, input);
    tensor<T> values = detail::new_pooling_output(desc, input);
    tensor<std::uint32_t> indices(values.sizes());
    (*this)(backend, input, values, indices, desc);
    return {std::move(values), std::move(indices)};
  }
};

inline constexpr pooling_call<average_pooling_desc> average_pooling{};
inline constexpr pooling_call<average_pooling1_desc> average_pooling1{};
inline constexpr pooling_call<lp_pooling_desc> lp_pooling{};
inline constexpr pooling_call<lp_pooling1_desc> lp_pooling1{};
inline constexpr pooling_call<max_pooling_desc> max_pooling{};
inline constexpr pooling_call<max_pooling1_desc> max_pooling1{};
inline constexpr pooling_call<max_pooling2_desc> max_pooling2{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(average_pooling_desc);
GOLDML_COMPILED_OPERATOR(average_pooling1_desc);
GOLDML_COMPILED_OPERATOR(lp_pooling_desc);
GOLDML_COMPILED_OPERATOR(lp_pooling1_desc);
GOLDML_COMPILED_OPERATOR(max_pooling_desc);
GOLDML_COMPILED_OPERATOR(max_pooling1_desc);
GOLDML_COMPILED_OPERATOR(max_pooling2_desc);
