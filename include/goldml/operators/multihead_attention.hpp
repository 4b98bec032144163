// MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1: the softmax of scaled products of queries and keys, times values.
// Feature levels 6_1 and 6_3. Pages: DML_MULTIHEAD_ATTENTION_OPERATOR_DESC, DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC.
// Rules: MH1..MH15. Rulings: ledger MH-R1 to MH-R14.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <goldml/core/attention_policies.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/operators/multihead_attention_rules.hpp>

namespace goldml {

struct multihead_attention_desc {
  float scale = 1;
  float mask_filter_value = -10000;  // what is added to a score whose key the mask excludes
  std::uint32_t head_count = 1;
  multihead_attention_mask_type mask_type = multihead_attention_mask_type::none;
  goldml::mask_filter mask_filter = goldml::mask_filter::add;
  goldml::masked_rows masked_rows = goldml::masked_rows::judge;
  goldml::past_only past_only = goldml::past_only::allow;
  goldml::present_bias present_bias = goldml::present_bias::added;
  goldml::intermediates intermediates = goldml::intermediates::tensor_type;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct multihead_attention1_desc {
  float scale = 1;
  float mask_filter_value = -10000;
  std::uint32_t query_head_count = 1;
  std::uint32_t key_value_head_count = 1;  // that many consecutive query heads share a key head as fit
  multihead_attention_mask_type mask_type = multihead_attention_mask_type::none;
  goldml::mask_filter mask_filter = goldml::mask_filter::add;
  goldml::masked_rows masked_rows = goldml::masked_rows::judge;
  goldml::past_only past_only = goldml::past_only::allow;
  goldml::present_bias present_bias = goldml::present_bias::added;
  goldml::causal_with_lengths causal_with_lengths = goldml::causal_with_lengths::implicit;
  goldml::intermediates intermediates = goldml::intermediates::tensor_type;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// The limits of a tensor of the dimension counts given, from a level on.
template <feature_level Level, std::uint32_t Fewest, std::uint32_t Most>
inline constexpr std::array<operand_limits, 1> attention_limits{{{Level, attention_floats, Fewest, Most}}};
template <feature_level Level>
inline constexpr std::array<operand_limits, 1> attention_integers{{{Level, {data_type::int32}, 1, 5}}};

template <feature_level Level, bool HasLengths>
struct attention_description {
  static constexpr std::size_t inputs = HasLengths ? 12 : 11;
  static constexpr attention_places places{inputs, inputs + 1, inputs + 2};
  static constexpr bool has_lengths = HasLengths;

  // An operand of FLOAT32 or FLOAT16 whose data type is the output's.
  static constexpr operand_info floats(std::string_view name, std::span<const operand_limits> limits) {
    return {.name = name,
            .role = operand_role::input,
            .limits = limits,
            .optional = true,
            .same_data_type_as = {"MH1", inputs}};
  }
  static constexpr operand_info output(std::string_view name, std::span<const operand_limits> limits) {
    operand_info info = floats(name, limits);
    info.role = operand_role::output;
    if (HasLengths) info.read_with = attention_places::lengths;  // caches in place
    return info;
  }
  static constexpr auto all_operands() {
    std::array<operand_info, inputs + 3> result{};
    std::size_t next = 0;
    const auto add = [&](const operand_info& info) { result[next++] = info; };
    for (const std::string_view name : {"QueryTensor", "KeyTensor", "ValueTensor"})
      add(floats(name, attention_limits<Level, 3, 5>));
    for (const std::string_view name : {"StackedQueryKeyTensor", "StackedKeyValueTensor", "StackedQueryKeyValueTensor"})
      add(floats(name, attention_limits<Level, 5, 5>));
    add(floats("BiasTensor", attention_limits<Level, 1, 5>));
    add({.name = "MaskTensor", .role = operand_role::input, .limits = attention_integers<Level>, .optional = true});
    for (const std::string_view name : {"RelativePositionBiasTensor", "PastKeyTensor", "PastValueTensor"})
      add(floats(name, attention_limits<Level, 4, 5>));
    if (HasLengths)
      add({.name = "PastSequenceLengthsTensor",
           .role = operand_role::input,
           .limits = attention_integers<Level>,
           .optional = true});
    add({.name = "OutputTensor", .role = operand_role::output, .limits = attention_limits<Level, 3, 5>});
    for (const std::string_view name : {"OutputPresentKeyTensor", "OutputPresentValueTensor"})
      add(output(name, attention_limits<Level, 4, 5>));
    return result;
  }
  // The dimensions of an operand that are not of size 1 always; the mask's depend on its type.
  static constexpr std::size_t own_dimensions(std::size_t i) {
    using at = attention_places;
    if (i <= at::value || i == places.output) return 3;
    if (i <= at::query_key_value) return 5;
    return i == at::bias || (has_lengths && i == at::lengths) ? 1 : 4;
  }
};

// The rows of what both descs have, and `more`.
template <class Desc, class... More>
constexpr auto attention_policies(const More&... more) {
  return std::array{row<&Desc::mask_filter>("mask_filter"),
                    row<&Desc::masked_rows>("masked_rows"),
                    row<&Desc::past_only>("past_only"),
                    row<&Desc::present_bias>("present_bias"),
                    more...,
                    row<&Desc::intermediates>("intermediates"),
                    row<&Desc::accumulation>("accumulation"),
                    row<&Desc::same_resource>("same_resource")};
}

}  // namespace detail

template <>
struct operator_traits<multihead_attention_desc> : detail::attention_description<feature_level::level_6_1, false> {
  static constexpr std::string_view name = "MULTIHEAD_ATTENTION";
  static constexpr std::uint32_t enumerator = 164;
  static constexpr auto operands = all_operands();
  static constexpr std::array attributes{row<&multihead_attention_desc::scale>("Scale"),
                                         row<&multihead_attention_desc::mask_filter_value>("MaskFilterValue"),
                                         row<&multihead_attention_desc::head_count>("HeadCount"),
                                         row<&multihead_attention_desc::mask_type>("MaskType").enumerator("MH9")};
  static constexpr auto policies = detail::attention_policies<multihead_attention_desc>();
  static constexpr operator_options<multihead_attention_desc> options{
      .check_attributes = &detail::check_attention_attributes<multihead_attention_desc>,
      .check_rules = &detail::check_attention_rules<multihead_attention_desc>,
      .work = &detail::work_of_attention<multihead_attention_desc>,
      .scratch = &detail::scratch_of_attention<multihead_attention_desc>};
};

template <>
struct operator_traits<multihead_attention1_desc> : detail::attention_description<feature_level::level_6_3, true> {
  static constexpr std::string_view name = "MULTIHEAD_ATTENTION1";
  static constexpr std::uint32_t enumerator = 172;
  static constexpr auto operands = all_operands();
  static constexpr std::array attributes{row<&multihead_attention1_desc::scale>("Scale"),
                                         row<&multihead_attention1_desc::mask_filter_value>("MaskFilterValue"),
                                         row<&multihead_attention1_desc::query_head_count>("QueryHeadCount"),
                                         row<&multihead_attention1_desc::key_value_head_count>("KeyValueHeadCount"),
                                         row<&multihead_attention1_desc::mask_type>("MaskType").enumerator("MH9")};
  static constexpr auto policies = detail::attention_policies<multihead_attention1_desc>(
      row<&multihead_attention1_desc::causal_with_lengths>("causal_with_lengths"));
  static constexpr operator_options<multihead_attention1_desc> options{
      .check_attributes = &detail::check_attention_attributes<multihead_attention1_desc>,
      .check_rules = &detail::check_attention_rules<multihead_attention1_desc>,
      .work = &detail::work_of_attention<multihead_attention1_desc>,
      .scratch = &detail::scratch_of_attention<multihead_attention1_desc>};
};

template <class Desc>
concept attention_operator =
    std::same_as<Desc, multihead_attention_desc> || std::same_as<Desc, multihead_attention1_desc>;

// The tensors of a call; each but the output may be omitted, in the combinations that the page of the operator lists.
// B sequences, S queries, P past and L new keys, T = P + L; N query heads, G key heads; heads of D, of values Dv
// numbers.
struct attention_tensors {
  const_tensor_ref query = {};            // {B,S,N*D}
  const_tensor_ref key = {};              // {B,L,G*D}
  const_tensor_ref value = {};            // {B,L,G*Dv}
  const_tensor_ref query_key = {};        // {B,S,N,2,D}
  const_tensor_ref key_value = {};        // {B,L,G,2,D}
  const_tensor_ref query_key_value = {};  // {B,S,N,3,D}
  const_tensor_ref bias = {};             // {N*D + G*D + G*Dv}, not of the past
  const_tensor_ref mask = {};             // INT32, as MaskType says
  const_tensor_ref position_bias = {};    // {B,N,S,T}
  const_tensor_ref past_key = {};         // {B,G,P,D}
  const_tensor_ref past_value = {};       // {B,G,P,Dv}
  // INT32 {B}, of MULTIHEAD_ATTENTION1 alone: how much of caches in place is past. The presents are these caches,
  // {B,G,Lmax,D} and {B,G,Lmax,Dv}: they are read, the new keys and values are written behind the past, and all else of
  // them remains. With it only query, key and value, as many keys as queries, and both presents are given.
  const_tensor_ref past_sequence_lengths = {};
  tensor_ref output = {};         // {B,S,N*Dv}
  tensor_ref present_key = {};    // {B,G,T,D}
  tensor_ref present_value = {};  // {B,G,T,Dv}
};

// s[i,t] = Scale * q[i] . k[t] + position_bias + (masked ? MaskFilterValue : 0), for each sequence and head;
// output[i] = sum over t of softmax(s[i])[t] * v[t], rounded once; the presents are past and new, in this order.
// With past_sequence_lengths k and v are the caches, and query i sees the positions 0..length + i.
// Throws error (T1..T12, MH1..MH15), with the outputs unchanged.
template <class Backend, attention_operator Desc>
void multihead_attention(const Backend& backend, const attention_tensors& t, const Desc& desc) {
  std::vector<const_tensor_ref> inputs{t.query, t.key,  t.value,         t.query_key, t.key_value, t.query_key_value,
                                       t.bias,  t.mask, t.position_bias, t.past_key,  t.past_value};
  if (operator_traits<Desc>::has_lengths || t.past_sequence_lengths.present())
    inputs.push_back(t.past_sequence_lengths);
  const std::array<tensor_ref, 3> outputs{t.output, t.present_key, t.present_value};
  evaluate(backend, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(multihead_attention_desc);
GOLDML_COMPILED_OPERATOR(multihead_attention1_desc);
