// TOP_K and TOP_K1: the K greatest or least elements of each sequence along an axis, in order, and their positions.
// Feature levels 1_0 and, with a direction, 2_1. Pages: DML_TOP_K_OPERATOR_DESC, DML_TOP_K1_OPERATOR_DESC. Rules:
// TK1..TK8. Rulings: ledger L47, L48.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

// Ledger L48: whether K may be the size of the axis.
enum class k_limit {
  inclusive,  // at most the size
  exclusive,  // less than the size, as the pages print
};
template <>
struct enumeration<k_limit> : policy_enumeration {
  static constexpr auto values = enumerators<k_limit>("inclusive", "exclusive");
};

// The greatest elements.
struct top_k_desc {
  std::uint32_t axis = 0;
  std::uint32_t k = 1;
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::k_limit k_limit = goldml::k_limit::inclusive;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct top_k1_desc {
  std::uint32_t axis = 0;
  std::uint32_t k = 1;
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;  // the least, or the greatest elements
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::k_limit k_limit = goldml::k_limit::inclusive;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept top_k_operator = std::is_same_v<Desc, top_k_desc> || std::is_same_v<Desc, top_k1_desc>;

// DECREASING for the operator without a direction.
template <class Desc>
constexpr axis_direction direction_of(const Desc& desc) {
  if constexpr (requires { desc.axis_direction; })
    return desc.axis_direction;
  else
    return axis_direction::decreasing;
}

// The base of operator_traits of the two operators.
template <class Desc>
struct top_k_traits {
  static constexpr bool has_direction = requires(Desc desc) { desc.axis_direction; };
  static constexpr std::array<operand_limits, 4> all_data_limits{{{feature_level::level_1_0, data_types_f, 4, 4},
                                                                  {feature_level::level_2_1, data_types_a8, 4, 4},
                                                                  {feature_level::level_3_1, data_types_a8, 1, 8},
                                                                  {feature_level::level_5_0, data_types_a10, 1, 8}}};
  static constexpr std::array<operand_limits, 4> all_index_limits{
      {{feature_level::level_1_0, {data_type::uint32}, 4, 4},
       {feature_level::level_2_1, {data_type::uint32}, 4, 4},
       {feature_level::level_3_1, {data_type::uint32}, 1, 8},
       {feature_level::level_5_0, {data_type::uint64, data_type::uint32}, 1, 8}}};
  static constexpr auto data_limits = std::span<const operand_limits>(all_data_limits).subspan(has_direction ? 1 : 0);
  static constexpr auto index_limits = std::span<const operand_limits>(all_index_limits).subspan(has_direction ? 1 : 0);
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = data_limits},
       {.name = "OutputValueTensor",
        .role = operand_role::output,
        .limits = data_limits,
        .same_data_type_as = {"TK2", 0},
        .same_rank_as = {"TK1", 0}},
       {.name = "OutputIndexTensor",
        .role = operand_role::output,
        .limits = index_limits,
        .same_rank_as = {"TK1", 0}}}};

  static constexpr auto attributes = [] {
    const attribute axis = row<&Desc::axis>("Axis").axis_of(0, "TK3"), k = row<&Desc::k>("K");
    if constexpr (has_direction)
      return std::array{axis, k, row<&Desc::axis_direction>("AxisDirection").enumerator("TK7")};
    else
      return std::array{axis, k};
  }();
  static constexpr std::array policies{row<&Desc::nan_policy>("nan_policy"), row<&Desc::k_limit>("k_limit"),
                                       row<&Desc::same_resource>("same_resource")};

  static implied_output implied(const Desc& desc, const std::array<operand, 3>& t, std::size_t) {
    dimensions sizes = t[0].desc->sizes;
    if (desc.axis >= sizes.size()) return {};  // TK3
    sizes[desc.axis] = desc.k;
    return {.sizes = sizes};
  }

  static void check_rules(const Desc& desc, const std::array<operand, 3>& t, const rule_report& report) {
    if (t[0].legal) check_selection(desc, t, report);
    if constexpr (has_direction) check_enumerator(attributes[2], desc.axis_direction, report, axis_directions);
  }

  // Elements read and written: sequences of n elements are sorted, with about n log2(n) comparisons.
  static work_counts work(const Desc& desc, const std::array<operand, 3>& t) {
    const auto levels = static_cast<std::uint64_t>(std::bit_width(t[0].desc->sizes[desc.axis]));
    return {.elements = saturating_multiply(element_count(t[0].desc->sizes), 2 + levels)};
  }
  // The positions of a sequence, and those that a stable sort moves; up to two candidates of 16 bytes for each element.
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 3>& t) {
    const std::uint64_t size = t[0].desc->sizes[desc.axis];
    return {.reference = 2 * sizeof(std::uint32_t) * size, .cpu_thread = 4 * 32 * size};  // a thread has four parts
  }

 private:
  // TK3 to TK6.
  static void check_selection(const Desc& desc, const std::array<operand, 3>& t, const rule_report& report) {
    const dimensions& input = t[0].desc->sizes;
    if (!check_axis(attributes[0], desc.axis, input.size(), report)) return;
    const std::uint32_t size = input[desc.axis];
    const std::uint32_t most = desc.k_limit == k_limit::inclusive ? size : size - 1;
    if (desc.k == 0 || desc.k > most) {
      report("TK4", "", "K", violation_text("{}", desc.k), violation_text("1 to {}", most),
             violation_text("InputTensor has size {} on axis {}", size, desc.axis));
      return;
    }
    const dimensions wanted = implied(desc, t, 1).sizes->clamped();
    for (std::size_t i = 1; i < 3; ++i)
      if (t[i].legal && t[i].desc->sizes.size() == wanted.size() && t[i].desc->sizes != wanted)
        report(i == 1 ? "TK5" : "TK6", operands[i].name, "Sizes", violation_text("{}", t[i].desc->sizes),
               violation_text("{}", wanted), violation_text("InputTensor's with K {} on axis {}", desc.k, desc.axis));
  }
};

}  // namespace detail

template <>
struct operator_traits<top_k_desc> : detail::top_k_traits<top_k_desc> {
  static constexpr std::string_view name = "TOP_K";
  static constexpr std::uint32_t enumerator = 71;

  static constexpr operator_options<top_k_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch, .moves = true};
};
template <>
struct operator_traits<top_k1_desc> : detail::top_k_traits<top_k1_desc> {
  static constexpr std::string_view name = "TOP_K1";
  static constexpr std::uint32_t enumerator = 112;

  static constexpr operator_options<top_k1_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch, .moves = true};
};

// What a call without outputs returns.
template <class T, class Index>
struct top_k_result {
  tensor<T> values;
  tensor<Index> indices;
};

// The public call of an operator, a function object: top_k1(backend, input, values, indices, desc). Without outputs,
// and with an owning tensor as input, it returns both, with indices of type UINT32.
//   input    any sizes; 8- to 32-bit types, 64-bit integers from level 5_0 on
//   values   the input's type and sizes, with K on the axis
//   indices  the same sizes; UINT32, or UINT64 from level 5_0 on: the positions on the axis
// Each sequence along the axis is ordered by value, the greatest or the least first; equal elements, -0.0 and +0.0
// among them, by position in either direction. Its first K elements are copied, bit for bit. Throws error (T1..T12,
// TK1..TK7), with the outputs unchanged.
template <class Desc>
struct top_k_function {
  template <class Backend, input_argument Input, output_argument Values, output_argument Indices>
  void operator()(const Backend& backend, const Input& input, Values&& values, Indices&& indices,
                  const Desc& desc) const {
    static_assert(detail::takes<Desc, 0, input_view<Input>>,
                  "goldml TOP_K, TOP_K1 T3: InputTensor takes 8- to 32-bit types and 64-bit integers, never FLOAT64");
    static_assert(detail::takes<Desc, 2, output_view<Indices>>,
                  "goldml TOP_K, TOP_K1 T3 (TK8): OutputIndexTensor takes UINT64 or UINT32");
    static_assert(detail::alike_types<Desc, input_view<Input>, output_view<Values>, output_view<Indices>>,
                  "goldml TOP_K, TOP_K1 TK2: InputTensor and OutputValueTensor have the same data type");
    detail::call(
        backend, desc, std::tuple(detail::as_input(input)),
        std::tuple(detail::as_output(std::forward<Values>(values)), detail::as_output(std::forward<Indices>(indices))));
  }
  template <class Backend, class T>
  [[nodiscard]] top_k_result<T, std::uint32_t> operator()(const Backend& backend, const tensor<T>& input,
                                                          const Desc& desc) const {
    dimensions sizes = input.sizes();
    if (desc.axis < sizes.size()) sizes[desc.axis] = clamped_size(desc.k);
    const tensor_desc values{.data_type = data_type_of<T>, .sizes = sizes};  // checked before anything is allocated
    auto indices = detail::new_output_of<std::uint32_t>(sizes, desc, input, values);
    top_k_result<T, std::uint32_t> result{tensor<T>(sizes), std::move(indices)};
    (*this)(backend, input, result.values, result.indices, desc);
    return result;
  }
};

inline constexpr top_k_function<top_k_desc> top_k{};
inline constexpr top_k_function<top_k1_desc> top_k1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(top_k_desc);
GOLDML_COMPILED_OPERATOR(top_k1_desc);
