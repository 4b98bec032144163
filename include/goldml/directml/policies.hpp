// What a call needs besides DirectML's structures: the feature level, and goldml's policies.
#pragma once

#include <array>
#include <span>

#include <goldml/core/attention_policies.hpp>
#include <goldml/core/attributes.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/operators/top_k.hpp>

namespace goldml::directml {

// The parameters that DirectML's structures do not contain: the feature level, and goldml's policies. Policies that an
// operator does not have are ignored.
struct policies {
  goldml::feature_level feature_level = goldml::feature_level::latest;
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::duplicates duplicates = goldml::duplicates::refuse;
  bool in_place = false;
  goldml::empty_axes empty_axes = goldml::empty_axes::allow;
  goldml::zero_stride zero_stride = goldml::zero_stride::refuse;
  goldml::value_conversion value_conversion = goldml::value_conversion::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::shift_policy shift_policy = goldml::shift_policy::zero;
  goldml::inverted_range inverted_range = goldml::inverted_range::literal;
  goldml::cast_overflow cast_overflow = goldml::cast_overflow::saturate;
  goldml::integer_narrowing integer_narrowing = goldml::integer_narrowing::wrap;
  goldml::integer_scale_bias integer_scale_bias = goldml::integer_scale_bias::refuse;
  goldml::constant_pow_integers constant_pow_integers = goldml::constant_pow_integers::allow;
  goldml::k_limit k_limit = goldml::k_limit::inclusive;
  goldml::off_axis_sizes off_axis_sizes = goldml::off_axis_sizes::equal;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::pixel_alignment pixel_alignment = goldml::pixel_alignment::centers;
  goldml::channel_counts channel_counts = goldml::channel_counts::page;
  goldml::padded_rows padded_rows = goldml::padded_rows::undefined;
  goldml::transform transform = goldml::transform::refuse;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::one_dimensional one_dimensional = goldml::one_dimensional::refuse;
  goldml::fixed_point fixed_point = goldml::fixed_point::refuse;
  goldml::zero_range zero_range = goldml::zero_range::formula;
  goldml::integer_operands integer_operands = goldml::integer_operands::own;
  goldml::absent_zero_point absent_zero_point = goldml::absent_zero_point::midpoint;
  goldml::sequence sequence = goldml::sequence::multiply;
  goldml::output_peephole output_peephole = goldml::output_peephole::current;
  goldml::adam_step_zero adam_step_zero = goldml::adam_step_zero::formula;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::pool_overhang pool_overhang = goldml::pool_overhang::window;
  goldml::lp_power lp_power = goldml::lp_power::refuse;
  goldml::nearest_ties nearest_ties = goldml::nearest_ties::up;
  goldml::integer_rounding integer_rounding = goldml::integer_rounding::truncate;
  goldml::gradient_offsets gradient_offsets = goldml::gradient_offsets::tensor;
  goldml::roi_samples roi_samples = goldml::roi_samples::ceil;
  goldml::roi_gradient roi_gradient = goldml::roi_gradient::derivative;
  goldml::variance_policy variance = goldml::variance_policy::any;
  goldml::use_mean_off use_mean_off = goldml::use_mean_off::zero;
  goldml::training_mean training_mean = goldml::training_mean::tensor;
  goldml::lp_epsilon lp_epsilon = goldml::lp_epsilon::any;
  goldml::lrn_window lrn_window = goldml::lrn_window::upper;
  goldml::lrn_divisor lrn_divisor = goldml::lrn_divisor::size;
  goldml::mask_filter mask_filter = goldml::mask_filter::add;
  goldml::masked_rows masked_rows = goldml::masked_rows::judge;
  goldml::past_only past_only = goldml::past_only::allow;
  goldml::present_bias present_bias = goldml::present_bias::added;
  goldml::causal_with_lengths causal_with_lengths = goldml::causal_with_lengths::implicit;
  goldml::intermediates intermediates = goldml::intermediates::tensor_type;
};

namespace detail {

// The members of `policies` as rows, with the names that they have in operators.
inline constexpr std::array policy_rows{row<&policies::nan_policy>("nan_policy"),
                                        row<&policies::range_policy>("range_policy"),
                                        row<&policies::duplicates>("duplicates"),
                                        row<&policies::in_place>("in_place"),
                                        row<&policies::empty_axes>("empty_axes"),
                                        row<&policies::zero_stride>("zero_stride"),
                                        row<&policies::value_conversion>("value_conversion"),
                                        row<&policies::same_resource>("same_resource"),
                                        row<&policies::shift_policy>("shift_policy"),
                                        row<&policies::inverted_range>("inverted_range"),
                                        row<&policies::cast_overflow>("cast_overflow"),
                                        row<&policies::integer_narrowing>("integer_narrowing"),
                                        row<&policies::integer_scale_bias>("integer_scale_bias"),
                                        row<&policies::constant_pow_integers>("constant_pow_integers"),
                                        row<&policies::k_limit>("k_limit"),
                                        row<&policies::off_axis_sizes>("off_axis_sizes"),
                                        row<&policies::accumulation>("accumulation"),
                                        row<&policies::pixel_alignment>("pixel_alignment"),
                                        row<&policies::channel_counts>("channel_counts"),
                                        row<&policies::padded_rows>("padded_rows"),
                                        row<&policies::transform>("transform"),
                                        row<&policies::quantize_ties>("quantize_ties"),
                                        row<&policies::one_dimensional>("one_dimensional"),
                                        row<&policies::fixed_point>("fixed_point"),
                                        row<&policies::zero_range>("zero_range"),
                                        row<&policies::integer_operands>("integer_operands"),
                                        row<&policies::absent_zero_point>("absent_zero_point"),
                                        row<&policies::sequence>("sequence"),
                                        row<&policies::output_peephole>("output_peephole"),
                                        row<&policies::adam_step_zero>("adam_step_zero"),
                                        row<&policies::pooling_sizes>("pooling_sizes"),
                                        row<&policies::pool_overhang>("pool_overhang"),
                                        row<&policies::lp_power>("lp_power"),
                                        row<&policies::nearest_ties>("nearest_ties"),
                                        row<&policies::integer_rounding>("integer_rounding"),
                                        row<&policies::gradient_offsets>("gradient_offsets"),
                                        row<&policies::roi_samples>("roi_samples"),
                                        row<&policies::roi_gradient>("roi_gradient"),
                                        row<&policies::variance>("variance"),
                                        row<&policies::use_mean_off>("use_mean_off"),
                                        row<&policies::training_mean>("training_mean"),
                                        row<&policies::lp_epsilon>("lp_epsilon"),
                                        row<&policies::lrn_window>("lrn_window"),
                                        row<&policies::lrn_divisor>("lrn_divisor"),
                                        row<&policies::mask_filter>("mask_filter"),
                                        row<&policies::masked_rows>("masked_rows"),
                                        row<&policies::past_only>("past_only"),
                                        row<&policies::present_bias>("present_bias"),
                                        row<&policies::causal_with_lengths>("causal_with_lengths"),
                                        row<&policies::intermediates>("intermediates")};

constexpr bool has_policies(std::span<const attribute> rows) {
  for (const attribute& wanted : rows) {
    bool found = false;
    for (const attribute& policy : policy_rows)
      found = found || (policy.name == wanted.name && policy.kind == wanted.kind);
    if (!found) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace goldml::directml
