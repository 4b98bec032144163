// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT: each element becomes the sum or the product of the elements up to it,
// along an axis. Feature levels 2_1 and 3_1. Pages: DML_CUMULATIVE_SUMMATION_OPERATOR_DESC,
// DML_CUMULATIVE_PRODUCT_OPERATOR_DESC. Rules: CU1..CU5. Rulings: ledger CU-R1, AR-R1, AR-R5 to AR-R7.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

struct cumulative_summation_desc {
  std::uint32_t axis = 0;
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;  // from the first element or the last
  bool has_exclusive_sum = false;  // whether an element is left out of its own sum
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct cumulative_product_desc {
  std::uint32_t axis = 0;
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;
  bool has_exclusive_product = false;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
inline constexpr bool multiplies = std::is_same_v<Desc, cumulative_product_desc>;
template <class Desc>
concept cumulative_operator = multiplies<Desc> || std::is_same_v<Desc, cumulative_summation_desc>;

constexpr bool is_exclusive(const cumulative_summation_desc& desc) { return desc.has_exclusive_sum; }
constexpr bool is_exclusive(const cumulative_product_desc& desc) { return desc.has_exclusive_product; }

// The position on an axis of `size` elements of the element that is number `k` in the order of the sums.
template <class Desc>
constexpr std::uint32_t position_of(const Desc& desc, std::uint32_t k, std::uint32_t size) {
  return desc.axis_direction == axis_direction::increasing ? k : size - 1 - k;
}

// The base of operator_traits of the two operators.
template <class Desc>
struct cumulative_traits {
  static constexpr data_type_set fi{data_type::float32, data_type::float16, data_type::int32, data_type::uint32};
  static constexpr data_type_set fil{data_type::float32, data_type::float16, data_type::int32,
                                     data_type::uint32,  data_type::int64,   data_type::uint64};
  static constexpr feature_level first = multiplies<Desc> ? feature_level::level_3_1 : feature_level::level_2_1;
  static constexpr std::array<operand_limits, 3> limits{
      {{first, fi, 4, 4}, {feature_level::level_4_0, fi, 1, 8}, {feature_level::level_5_0, fil, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits, .in_place = true},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"CU1", 0},
        .same_rank_as = {"CU2", 0},
        .same_sizes_as = {"CU3", 0}}}};

  static constexpr attribute axis_row = row<&Desc::axis>("Axis").axis_of(0, "CU4");
  static constexpr attribute direction_row = row<&Desc::axis_direction>("AxisDirection").enumerator("CU5");
  static constexpr std::array policies{row<&Desc::accumulation>("accumulation"),
                                       row<&Desc::same_resource>("same_resource")};

  // CU4, CU5.
  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    if (t[0].legal) check_axis(axis_row, desc.axis, t[0].desc->sizes.size(), report);
    check_enumerator(direction_row, desc.axis_direction, report, axis_directions);
  }

  // Each element is the result of a sum or product that has one term more than the one before.
  static work_counts work(const Desc&, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count(t[1].desc->sizes);
    return {.elements = element_count_of(t), .terms = elements, .results = elements, .judged = elements};
  }
};

}  // namespace detail

template <>
struct operator_traits<cumulative_summation_desc> : detail::cumulative_traits<cumulative_summation_desc> {
  using desc = cumulative_summation_desc;
  static constexpr std::string_view name = "CUMULATIVE_SUMMATION";
  static constexpr std::uint32_t enumerator = 105;
  static constexpr std::array attributes{axis_row, direction_row, row<&desc::has_exclusive_sum>("HasExclusiveSum")};

  static constexpr operator_options<desc> options{.check_rules = &check_rules, .work = &work, .in_place = true};
};
template <>
struct operator_traits<cumulative_product_desc> : detail::cumulative_traits<cumulative_product_desc> {
  using desc = cumulative_product_desc;
  static constexpr std::string_view name = "CUMULATIVE_PRODUCT";
  static constexpr std::uint32_t enumerator = 145;
  static constexpr std::array attributes{axis_row, direction_row,
                                         row<&desc::has_exclusive_product>("HasExclusiveProduct")};

  static constexpr operator_options<desc> options{.check_rules = &check_rules, .work = &work, .in_place = true};
};

// The public call of an operator, a function object: cumulative_summation(backend, input, output, desc). Without an
// output, and with an owning tensor as input, it returns the output.
// Along the axis, from the first element to the last, or from the last to the first with DECREASING:
//   output = the sum (product) of the elements up to this one, which is included unless the sum is exclusive
// The first exclusive sum is 0, the first exclusive product 1. Floats: the exact result rounded once; integers: modulo
// 2^bits. Input and output have the same type and sizes, and may be the same memory. Throws error (T1..T12, CU1..CU5),
// with the output unchanged.
template <class Desc>
struct cumulative_function {
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc) const {
    static_assert(
        detail::takes<Desc, 0, input_view<Input>>,
        "goldml CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT T3: InputTensor takes FLOAT32, FLOAT16, and integers "
        "of 32 and 64 bits");
    static_assert(detail::alike_types<Desc, input_view<Input>, output_view<Output>>,
                  "goldml CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT CU1: both tensors have the same data type");
    detail::call(backend, desc, std::tuple(detail::as_input(input)),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }
  template <class Backend, class T>
  [[nodiscard]] tensor<T> operator()(const Backend& backend, const tensor<T>& input, const Desc& desc) const {
    tensor<T> output(input.sizes());
    (*this)(backend, input, output, desc);
    return output;
  }
};

inline constexpr cumulative_function<cumulative_summation_desc> cumulative_summation{};
inline constexpr cumulative_function<cumulative_product_desc> cumulative_product{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(cumulative_summation_desc);
GOLDML_COMPILED_OPERATOR(cumulative_product_desc);
