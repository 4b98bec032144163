// SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1: move blocks of height and width into channels,
// or back. Feature levels 1_0 and, with an order, 2_1. Pages: DML_SPACE_TO_DEPTH_OPERATOR_DESC and so on. Rules: SD1,
// SD3..SD6; DS1, DS3..DS6. Ruling: ledger L32.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

// DML_DEPTH_SPACE_ORDER: the order of a block's rows, its columns and the channels within the channels of the depth
// form, the slowest first.
enum class depth_space_order : std::uint32_t { depth_column_row = 0, column_row_depth = 1 };
template <>
struct enumeration<depth_space_order> {
  static constexpr std::string_view prefix = "DML_DEPTH_SPACE_ORDER_";
  static constexpr auto values = enumerators<depth_space_order>("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH");
};

struct space_to_depth_desc {
  std::uint32_t block_size = 1;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct space_to_depth1_desc {
  std::uint32_t block_size = 1;
  depth_space_order order = depth_space_order::depth_column_row;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct depth_to_space_desc {
  std::uint32_t block_size = 1;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct depth_to_space1_desc {
  std::uint32_t block_size = 1;
  depth_space_order order = depth_space_order::depth_column_row;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// Whether the operator moves blocks into channels.
template <class Desc>
inline constexpr bool is_to_depth =
    std::is_same_v<Desc, space_to_depth_desc> || std::is_same_v<Desc, space_to_depth1_desc>;

// The desc of one of the four operators.
template <class Desc>
concept space_depth_operator =
    is_to_depth<Desc> || std::is_same_v<Desc, depth_to_space_desc> || std::is_same_v<Desc, depth_to_space1_desc>;

// The order; DEPTH_COLUMN_ROW of an operator without one.
template <class Desc>
constexpr depth_space_order order_of(const Desc& desc) {
  if constexpr (requires { desc.order; })
    return desc.order;
  else
    return depth_space_order::depth_column_row;
}

struct space_depth_codes {
  std::string_view data_type, sizes, block_size, division, order;
};

// The sizes of the output, and where the division leaves a remainder.
struct space_depth_sizes {
  wide_sizes output;
  std::array<bool, 4> divides;
};

// {N,C,H,W} to {N,C*b*b,H/b,W/b}, or to {N,C/(b*b),H*b,W*b}. The block size is not 0.
constexpr space_depth_sizes sizes_of_space_depth(bool to_depth, const dimensions& input, std::uint64_t block) {
  const std::uint64_t n = input[0];
  const std::uint64_t c = input[1];
  const std::uint64_t h = input[2];
  const std::uint64_t w = input[3];
  if (to_depth)
    return {{n, saturating_multiply(c, block * block), h / block, w / block},
            {true, true, h % block == 0, w % block == 0}};
  return {{n, c / (block * block), h * block, w * block}, {true, c % (block * block) == 0, true, true}};
}

// The base of operator_traits of the four operators.
template <class Desc>
struct space_depth_traits {
  static constexpr space_depth_codes codes =
      is_to_depth<Desc>
          ? space_depth_codes{.data_type = "SD1",
                              .sizes = "SD3",
                              .block_size = "SD4",
                              .division = "SD5",
                              .order = "SD6"}
          : space_depth_codes{
                .data_type = "DS1", .sizes = "DS3", .block_size = "DS4", .division = "DS5", .order = "DS6"};

  static constexpr std::array<operand_limits, 3> all_limits{{{feature_level::level_1_0, data_types_f, 4, 4},
                                                             {feature_level::level_2_1, data_types_a8, 4, 4},
                                                             {feature_level::level_5_0, data_types_a11, 4, 4}}};
  static constexpr auto limits =
      std::span<const operand_limits>(all_limits).subspan(requires(Desc desc) { desc.order; } ? 1 : 0);
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {codes.data_type, 0}}}};

  static constexpr auto attributes = [] {
    const attribute block_size = row<&Desc::block_size>("BlockSize").at_least_1(codes.block_size);
    if constexpr (requires(Desc desc) { desc.order; })
      return std::array{block_size, row<&Desc::order>("Order").enumerator(codes.order)};
    else
      return std::array{block_size};
  }();
  static constexpr std::array policies{row<&Desc::same_resource>("same_resource")};

  static implied_output implied(const Desc& desc, const std::array<operand, 2>& t, std::size_t) {
    const dimensions& input = t[0].desc->sizes;
    if (input.size() != 4 || desc.block_size == 0) return {};  // T4; SD4, DS4
    return {.sizes = sizes_of_space_depth(is_to_depth<Desc>, input, desc.block_size).output};
  }

  static void check_rules(const Desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    if (check_at_least_1(attributes[0], desc.block_size, report) && t[0].legal)
      check_sizes(desc, t[0].desc->sizes, t[1], report);
    if constexpr (requires { desc.order; }) check_enumerator(attributes[1], desc.order, report);
  }

 private:
  static void check_sizes(const Desc& desc, const dimensions& input, const operand& output, const rule_report& report) {
    const space_depth_sizes sizes = sizes_of_space_depth(is_to_depth<Desc>, input, desc.block_size);
    bool divides = true;
    for (std::size_t i = 0; i < 4; ++i)
      if (!sizes.divides[i]) {
        divides = false;
        report(codes.division, "InputTensor", "Sizes", violation_text("{}", input[i]),
               is_to_depth<Desc> ? violation_text("a multiple of {}", desc.block_size)
                                 : violation_text("a multiple of {}", std::uint64_t{desc.block_size} * desc.block_size),
               violation_text("BlockSize is {}", desc.block_size), i);
      }
    if (!divides || !output.legal) return;
    for (std::size_t i = 0; i < 4; ++i)
      if (output.desc->sizes[i] != sizes.output[i])
        report(codes.sizes, "OutputTensor", "Sizes", violation_text("{}", output.desc->sizes[i]),
               violation_text("{}", sizes.output[i]),
               violation_text("the input's are {}, BlockSize is {}", input, desc.block_size), i);
  }
};

}  // namespace detail

template <>
struct operator_traits<space_to_depth_desc> : detail::space_depth_traits<space_to_depth_desc> {
  static constexpr std::string_view name = "SPACE_TO_DEPTH";
  static constexpr std::uint32_t enumerator = 68;

  static constexpr operator_options<space_to_depth_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};
template <>
struct operator_traits<space_to_depth1_desc> : detail::space_depth_traits<space_to_depth1_desc> {
  static constexpr std::string_view name = "SPACE_TO_DEPTH1";
  static constexpr std::uint32_t enumerator = 114;

  static constexpr operator_options<space_to_depth1_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};
template <>
struct operator_traits<depth_to_space_desc> : detail::space_depth_traits<depth_to_space_desc> {
  static constexpr std::string_view name = "DEPTH_TO_SPACE";
  static constexpr std::uint32_t enumerator = 69;

  static constexpr operator_options<depth_to_space_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};
template <>
struct operator_traits<depth_to_space1_desc> : detail::space_depth_traits<depth_to_space1_desc> {
  static constexpr std::string_view name = "DEPTH_TO_SPACE1";
  static constexpr std::uint32_t enumerator = 113;

  static constexpr operator_options<depth_to_space1_desc> options{
      .implied = &implied, .check_rules = &check_rules, .moves = true, .exact = true};
};

// The public call of an operator, a function object: space_to_depth(backend, input, output, desc). Without an output,
// and with an owning tensor as input, it returns the output.
//   input   4 dimensions; every type
//   output  the input's type; {N,C*b*b,H/b,W/b} in the depth form, {N,C/(b*b),H*b,W*b} in the space form
// Copies bits. Throws error (T1..T12 and the operator's rules), with the output unchanged.
template <class Desc>
struct space_depth_function {
  template <class Backend, input_argument Input, output_argument Output>
  void operator()(const Backend& backend, const Input& input, Output&& output, const Desc& desc) const {
    static_assert(detail::alike_types<Desc, input_view<Input>, output_view<Output>>,
                  "goldml SD1, DS1: InputTensor and OutputTensor have the same data type");
    detail::call(backend, desc, std::tuple(detail::as_input(input)),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }
  template <class Backend, class T>
  [[nodiscard]] tensor<T> operator()(const Backend& backend, const tensor<T>& input, const Desc& desc) const {
    tensor<T> output = detail::new_output<T>(desc, input);
    (*this)(backend, input, output, desc);
    return output;
  }
};

inline constexpr space_depth_function<space_to_depth_desc> space_to_depth{};
inline constexpr space_depth_function<space_to_depth1_desc> space_to_depth1{};
inline constexpr space_depth_function<depth_to_space_desc> depth_to_space{};
inline constexpr space_depth_function<depth_to_space1_desc> depth_to_space1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(space_to_depth_desc);
GOLDML_COMPILED_OPERATOR(space_to_depth1_desc);
GOLDML_COMPILED_OPERATOR(depth_to_space_desc);
GOLDML_COMPILED_OPERATOR(depth_to_space1_desc);
