// A second implementation of what each output element may be, written from the operators' pages independently of the
// library: with built-in comparisons, output by output. The tests judge the oracle by these rules. Those of ARGMIN,
// ARGMAX, SCATTER_ND and the diagonal matrices are of the default policies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/oracle/generate.hpp>

#include "allowed_activations.hpp"
#include "allowed_adam.hpp"
#include "allowed_attention.hpp"
#include "allowed_convolution.hpp"
#include "allowed_element_wise.hpp"
#include "allowed_elementary.hpp"
#include "allowed_gated.hpp"
#include "allowed_gather.hpp"
#include "allowed_gemm.hpp"
#include "allowed_layout.hpp"
#include "allowed_normalisation.hpp"
#include "allowed_pairs.hpp"
#include "allowed_power.hpp"
#include "allowed_quantised.hpp"
#include "allowed_resample.hpp"
#include "allowed_rnn.hpp"
#include "allowed_roi.hpp"
#include "allowed_roi_grad.hpp"
#include "allowed_scale_bias.hpp"
#include "allowed_select.hpp"
#include "allowed_softmax.hpp"
#include "allowed_upsample.hpp"
#include "allowed_value_scale.hpp"
#include "allowed_values.hpp"
#include "allowed_windows.hpp"

namespace judged {

// The pages' pseudo-code: the first or last of the least (ARGMIN) or greatest (ARGMAX) numbers; NaN only if there is no
// number (ledger 7.1). The elements of a slice are numbered with the axes of `order` from the slowest to the fastest.
template <class T, class Desc>
output_rules best_index_rules(const Desc& desc, const tensor_view<const T>& input, const dimensions& output_sizes,
                              const dimensions& order) {
  constexpr bool greatest = std::is_same_v<Desc, argmax_desc>;
  const bool last = desc.axis_direction == axis_direction::decreasing;
  struct slice {
    std::optional<T> best;
    std::uint64_t index = 0;
    std::uint64_t elements = 0;
  };
  std::vector<slice> slices(element_count(output_sizes));
  for (coordinate_tuple c : coordinates_of(input.sizes())) {
    const T x = input[c];
    std::uint64_t number = 0;
    for (const std::uint32_t axis : order) {
      number = number * input.sizes()[axis] + c[axis];
      c[axis] = 0;
    }
    slice& s = slices[number_of(c, output_sizes)];
    ++s.elements;
    if (x != x) continue;
    const bool better = !s.best || (greatest ? x > *s.best : x < *s.best);
    const bool tie = s.best && x == *s.best && (last ? number > s.index : number < s.index);
    if (better || tie) {
      s.best = x;
      s.index = number;
    }
  }
  output_rules rules;
  for (const slice& s : slices) {
    if (!s.best)
      rules.push_back({true, {last ? s.elements - 1 : 0}, s.elements});
    else
      rules.push_back({true, {s.index}});
  }
  return rules;
}

template <class Desc>
inline constexpr bool is_arg_reduce = std::is_same_v<Desc, argmin_desc> || std::is_same_v<Desc, argmax_desc>;

template <class Desc>
requires is_arg_reduce<Desc> all_rules rules_of(const Desc& desc, input_refs inputs, output_descs outputs,
                                                bool listing_order = false) {
  dimensions order = desc.axes;
  if (!listing_order) {
    order = {};
    for (std::uint32_t i = 0; i < 8; ++i)
      if (desc.axes.contains(i)) order.push_back(i);
  }
  all_rules rules(1);
  visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    rules[0] = best_index_rules(desc, inputs[0].as<T>(), outputs[0].sizes, order);
  });
  return rules;
}

inline all_rules rules_of(const nonzero_coordinates_desc&, input_refs inputs, output_descs outputs) {
  const std::size_t rank = inputs[0].desc().sizes.size();
  const std::size_t columns = outputs[1].sizes.back();
  output_rules rows;
  visit_data_type(a8_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto input = inputs[0].as<T>();
    for (const coordinate_tuple& c : coordinates_of(inputs[0].desc().sizes))
      if (input[c] != T{})
        for (std::size_t j = rank - columns; j < rank; ++j) rows.push_back({true, {c[j]}});
  });
  const std::uint64_t count = rows.size() / columns;
  rows.resize(element_count(outputs[1].sizes), {false, {}});
  return {{{true, {count}, 0}}, rows};
}

// With the policies `refuse`: an index out of range makes everything undefined; any of the updates for an element may
// remain (ledger 7.5, 7.6).
inline all_rules rules_of(const scatter_nd_desc& desc, input_refs inputs, output_descs) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const dimensions& index_sizes = inputs[1].desc().sizes;
  const dimensions& update_sizes = inputs[2].desc().sizes;
  const std::size_t all = sizes.size();
  const std::size_t r = desc.input_dimension_count;
  const std::size_t tuple_dimensions = desc.indices_dimension_count - 1;
  const std::uint32_t k = index_sizes[all - 1];
  output_rules rules;
  for (const bits b : values_of(inputs[0])) rules.push_back({true, {b}});
  std::vector<bool> written(rules.size());
  const values updates = values_of(inputs[2]);
  const values indices = values_of(inputs[1]);
  bool in_range = true;
  for (const coordinate_tuple& u : coordinates_of(update_sizes)) {
    coordinate_tuple from = coordinate_tuple::filled(all, 0);
    for (std::size_t i = 0; i < tuple_dimensions; ++i)
      from[all - 1 - tuple_dimensions + i] = u[all - (r - k) - tuple_dimensions + i];
    coordinate_tuple place = coordinate_tuple::filled(all, 0);
    for (std::uint32_t j = 0; j < k; ++j) {
      from[all - 1] = j;
      const bits index = indices[number_of(from, index_sizes)];
      std::uint64_t position = index;
      const std::uint64_t size = sizes[all - r + j];
      if (inputs[1].desc().data_type == data_type::int32 && value_of<std::int32_t>(index) < 0)
        position = size + static_cast<std::uint64_t>(std::int64_t{value_of<std::int32_t>(index)});
      if (inputs[1].desc().data_type == data_type::int64 && value_of<std::int64_t>(index) < 0) position = size + index;
      in_range = in_range && position < size;
      place[all - r + j] = static_cast<std::uint32_t>(position);
    }
    if (!in_range) break;
    for (std::size_t i = 0; i < r - k; ++i) place[all - (r - k) + i] = u[all - (r - k) + i];
    const std::size_t number = number_of(place, sizes);
    if (!written[number]) rules[number].allowed.clear();
    written[number] = true;
    rules[number].allowed.push_back(updates[number_of(u, update_sizes)]);
  }
  if (!in_range) rules.assign(rules.size(), {false, {}});
  return {rules};
}

// TOP_K, TOP_K1: the best number that is left, K times, of equal ones the first. A sequence with a NaN may be in any
// order, unless NaN propagates, as the greatest number (ledger L47).
template <class T>
void take_best(const values& sequence, std::size_t k, bool greatest, values& positions) {
  std::vector<bool> taken(sequence.size());
  for (std::size_t n = 0; n < k; ++n) {
    std::size_t best = sequence.size();
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (taken[i]) continue;
      if (best == sequence.size()) {
        best = i;
        continue;
      }
      const T x = value_of<T>(sequence[i]);
      const T y = value_of<T>(sequence[best]);
      const bool is_greater = y == y && (x != x || x > y);
      const bool is_less = x == x && (y != y || x < y);
      if (greatest ? is_greater : is_less) best = i;
    }
    taken[best] = true;
    positions.push_back(best);
  }
}

template <class Desc>
inline constexpr bool is_top_k = std::is_same_v<Desc, top_k_desc> || std::is_same_v<Desc, top_k1_desc>;

template <class Desc>
requires is_top_k<Desc> all_rules rules_of(const Desc& desc, input_refs inputs, output_descs outputs) {
  bool greatest = true;
  if constexpr (requires { desc.axis_direction; }) greatest = desc.axis_direction == axis_direction::decreasing;
  const data_type type = inputs[0].desc().data_type;
  const values input = values_of(inputs[0]);
  dimensions sequences = inputs[0].desc().sizes;
  sequences[desc.axis] = 1;
  all_rules rules(2, output_rules(element_count(outputs[0].sizes)));
  for (coordinate_tuple c : coordinates_of(sequences)) {
    values sequence;
    bool any_order = false;
    for (c[desc.axis] = 0; c[desc.axis] < inputs[0].desc().sizes[desc.axis]; ++c[desc.axis]) {
      sequence.push_back(input[number_of(c, inputs[0].desc().sizes)]);
      any_order = any_order || (desc.nan_policy == nan_policy::skip && is_nan_of(type, sequence.back()));
    }
    values positions;
    visit_data_type(a10_types{}, type,
                    [&]<class T>(std::type_identity<T>) { take_best<T>(sequence, desc.k, greatest, positions); });
    for (std::uint32_t i = 0; i < desc.k; ++i) {
      c[desc.axis] = i;
      const std::size_t element = number_of(c, outputs[0].sizes);
      rules[0][element] = {!any_order, {sequence[positions[i]]}};
      rules[1][element] = {!any_order, {positions[i]}};
    }
  }
  return rules;
}

template <class Desc>
bool is(const any_desc& desc) {
  return &desc.description() == &description_of<Desc>();
}
inline bool reduces_args(const any_desc& desc) {
  if (is<reduce_desc>(desc)) {
    const reduce_function f = desc.as<reduce_desc>().function;
    return f == reduce_function::argmin || f == reduce_function::argmax;
  }
  return is<argmin_desc>(desc) || is<argmax_desc>(desc);
}
// Operators whose index tensor may name one place several times.
inline bool scatters(const any_desc& desc) {
  return is<scatter_nd_desc>(desc) || is<scatter_elements_desc>(desc) || is<max_unpooling_desc>(desc);
}
inline bool gathers(const any_desc& desc) {
  return is<gather_desc>(desc) || is<gather_elements_desc>(desc) || is<gather_nd_desc>(desc) ||
         is<gather_nd1_desc>(desc);
}
inline bool marks(const any_desc& desc) {
  return is<activation_hardmax_desc>(desc) || is<activation_hardmax1_desc>(desc);
}
inline bool selects(const any_desc& desc) { return is<top_k_desc>(desc) || is<top_k1_desc>(desc); }

inline bool rounds(const any_desc& desc) {
  return is<element_wise_add_desc>(desc) || is<element_wise_add1_desc>(desc) || is<activation_softmax_desc>(desc) ||
         is<activation_softmax1_desc>(desc) || is<activation_log_softmax_desc>(desc) ||
         is<activation_log_softmax1_desc>(desc) || is<element_wise_subtract_desc>(desc) ||
         is<element_wise_multiply_desc>(desc) || is<element_wise_divide_desc>(desc) ||
         is<activation_parameterized_relu_desc>(desc);
}

inline bool pools(const any_desc& desc) {
  bool result = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (has_windows<Desc> || std::is_same_v<Desc, fold_desc>) result = result || is<Desc>(desc);
  });
  return result;
}

// Whether what a device answers to a step depends on what it stored of the one before.
inline bool is_recurrent(const any_desc& desc) {
  return is<rnn_desc>(desc) || is<lstm_desc>(desc) || is<gru_desc>(desc);
}

inline bool resamples(const any_desc& desc) {
  return is<resample_desc>(desc) || is<resample1_desc>(desc) || is<resample2_desc>(desc) || is<resample3_desc>(desc) ||
         is<resample_grad_desc>(desc) || is<resample_grad1_desc>(desc);
}
inline bool aligns(const any_desc& desc) {
  return is<roi_align_desc>(desc) || is<roi_align1_desc>(desc) || is<roi_align_grad_desc>(desc);
}
inline bool normalises(const any_desc& desc) {
  return is<mean_variance_normalization_desc>(desc) || is<mean_variance_normalization1_desc>(desc) ||
         is<mean_variance_normalization2_desc>(desc) || is<batch_normalization_desc>(desc) ||
         is<batch_normalization_training_desc>(desc) || is<lp_normalization_desc>(desc) ||
         is<local_response_normalization_desc>(desc) || is<local_response_normalization_grad_desc>(desc) ||
         is<batch_normalization_grad_desc>(desc) || is<batch_normalization_training_grad_desc>(desc);
}

// Whether the rules of an operator are those of its default policies.
inline bool has_default_policies_only(const any_desc& desc) {
  return reduces_args(desc) || is<reduce_desc>(desc) || is<gemm_desc>(desc) || scatters(desc) || gathers(desc) ||
         rounds(desc) || is<cumulative_summation_desc>(desc) || is<cumulative_product_desc>(desc) ||
         is<diagonal_matrix_desc>(desc) || is<diagonal_matrix1_desc>(desc) || is<convolution_desc>(desc) ||
         is<upsample_2d_desc>(desc) || is_recurrent(desc) || is<fill_value_sequence_desc>(desc) ||
         is<element_wise_clip_grad_desc>(desc) || is<element_wise_clip_grad1_desc>(desc) ||
         is<activation_relu_grad_desc>(desc) || marks(desc) || is<value_scale_2d_desc>(desc) || pools(desc) ||
         resamples(desc) || aligns(desc) || normalises(desc) || is<adam_optimizer_desc>(desc) ||
         is<element_wise_quantize_linear_desc>(desc) || is<element_wise_dequantize_linear_desc>(desc) ||
         is<quantize_desc>(desc) || is<dequantize_desc>(desc);
}

// How the elements of an operator's outputs are made, as far as the rules of floating-point numbers depend on it.
enum class making {
  moved,      // bit by bit
  selected,   // moved to a place that depends on comparisons
  compared,   // a position or a count, which depends on comparisons
  computed,   // from numbers: subnormals may be flushed
  bounded,    // to within a bound: the rules say what flushing adds
  from_bits,  // a NaN is no other NaN
  tested,     // 1 or 0, from bits
};

template <class Desc>
inline constexpr bool is_activation = false;
template <goldml::arithmetic::activation_type F>
inline constexpr bool is_activation<activation_desc<F>> = true;
template <goldml::softmax_function F>
inline constexpr bool is_activation<softmax_desc<F>> = true;
template <goldml::softmax_function F>
inline constexpr bool is_activation<softmax1_desc<F>> = true;
template <>
inline constexpr bool is_activation<element_wise_add1_desc> = true;  // it may fuse one

template <class Desc>
inline constexpr bool is_normalisation =
    goldml::detail::mean_variance_operator<Desc> || goldml::detail::batch_gradient_operator<Desc> ||
    goldml::detail::local_response_operator<Desc> || std::is_same_v<Desc, batch_normalization_desc> ||
    std::is_same_v<Desc, batch_normalization_training_desc> || std::is_same_v<Desc, lp_normalization_desc>;

template <class Desc>
constexpr making making_of() {
  if constexpr (is_arg_reduce<Desc> || std::is_same_v<Desc, reduce_desc> ||
                std::is_same_v<Desc, nonzero_coordinates_desc> || goldml::detail::hardmax_operator<Desc>)
    return making::compared;
  else if constexpr (is_top_k<Desc>)
    return making::selected;
  else if constexpr (std::is_same_v<Desc, cast_desc>)
    return making::computed;
  else if constexpr (std::is_same_v<Desc, random_generator_desc> ||
                     std::is_same_v<Desc, matrix_multiply_integer_desc> ||
                     std::is_same_v<Desc, convolution_integer_desc>)
    return making::from_bits;
  else if constexpr (std::is_same_v<Desc, convolution_desc> || std::is_same_v<Desc, rnn_desc> ||
                     std::is_same_v<Desc, lstm_desc> || std::is_same_v<Desc, gru_desc> || attention_operator<Desc> ||
                     std::is_same_v<Desc, gemm_desc> || std::is_same_v<Desc, value_scale_2d_desc> ||
                     std::is_same_v<Desc, adam_optimizer_desc> || goldml::detail::quantize_linear_operator<Desc> ||
                     goldml::detail::block_quantize_operator<Desc> || has_windows<Desc> ||
                     std::is_same_v<Desc, fold_desc> || std::is_same_v<Desc, roi_pooling_desc> ||
                     goldml::detail::roi_align_operator<Desc> || std::is_same_v<Desc, roi_align_grad_desc> ||
                     is_normalisation<Desc> ||
                     goldml::detail::quantised_product_operator<Desc> ||
                     std::is_same_v<Desc, dynamic_quantize_linear_desc> ||
                     std::is_same_v<Desc, matrix_multiply_integer_to_float_desc>)
    return making::bounded;
  else if constexpr (is_activation<Desc>)
    return std::is_same_v<Desc, activation_identity_desc> ? making::moved : making::bounded;
  else if constexpr (requires { operator_traits<Desc>::table_row; }) {
    constexpr element_wise_op op = operator_traits<Desc>::table_row.op;
    if constexpr (op == element_wise_op::identity || op == element_wise_op::condition)
      return making::moved;
    else if constexpr (goldml::detail::is_function<op> || goldml::detail::is_pair<op> || goldml::detail::is_power<op>)
      return making::bounded;
    else if constexpr (is_on_bits(op))
      return making::from_bits;
    else if constexpr (op == element_wise_op::is_nan || op == element_wise_op::is_infinity)
      return making::tested;
    else
      return making::computed;
  } else {
    return making::moved;
  }
}

inline making making_of(const any_desc& desc) {
  if (is<reduce_desc>(desc) && !reduces_args(desc)) return making::bounded;
  if (is<cumulative_summation_desc>(desc) || is<cumulative_product_desc>(desc) || is<fill_value_sequence_desc>(desc))
    return making::bounded;
  if (is<upsample_2d_desc>(desc) && desc.as<upsample_2d_desc>().interpolation_mode == interpolation_mode::linear)
    return making::bounded;
  if (with_scale_bias(desc, [](const auto&) {})) return making::bounded;
  bool bounded = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (goldml::detail::resample_operator<Desc>)
      if (is<Desc>(desc))
        bounded = goldml::detail::resample_gradient<Desc> ||
                  desc.as<Desc>().interpolation_mode == interpolation_mode::linear;
  });
  if (bounded) return making::bounded;
  making result = making::moved;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (is<Desc>(desc)) result = making_of<Desc>();
  });
  return result;
}

// How a case is read, where there are several ways.
enum class reading {
  as_written,
  in_listing_order,  // ARGMIN, ARGMAX: the elements are numbered in the order of Axes
  flushing,          // numbers are flushed where they are compared or computed
};

// The rules of a case of any operator. What outputs contain that the case reads follows the inputs.
inline all_rules rules_of_case(const oracle::generated_case<any_desc>& c, reading how = reading::as_written) {
  std::vector<const_tensor_ref> refs = c.input_refs();
  for (const const_tensor_ref& output : c.initial_refs()) refs.push_back(output);
  const input_refs inputs(refs);
  const output_descs outputs(c.outputs);
  all_rules rules;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (!is<Desc>(c.text.desc)) return;
    const Desc& desc = c.text.desc.as<Desc>();
    if constexpr (
        requires { desc.scale_bias; } && !requires { desc.accumulation; })
      if (desc.scale_bias) {
        rules = scaled_rules_of(desc, inputs, how == reading::flushing);
        return;
      }
    if constexpr (std::is_same_v<Desc, reduce_desc>)
      rules = rules_of(desc, inputs, outputs, how == reading::in_listing_order, how == reading::flushing);
    else if constexpr (is_arg_reduce<Desc>)
      rules = rules_of(desc, inputs, outputs, how == reading::in_listing_order);
    else if constexpr (requires { rules_of(desc, inputs, outputs, true); })
      rules = rules_of(desc, inputs, outputs, how == reading::flushing);
    else
      rules = rules_of(desc, inputs, outputs);
  });
  return rules;
}

// The case with its FLOAT32 subnormals replaced by zeros of the same sign, also those of FILL_VALUE_SEQUENCE, which has
// no inputs.
inline oracle::generated_case<any_desc> flushed_case(oracle::generated_case<any_desc> c) {
  if (is<fill_value_sequence_desc>(c.text.desc) && c.outputs[0].data_type == data_type::float32) {
    auto& desc = *static_cast<fill_value_sequence_desc*>(c.text.desc.get());
    for (scalar* value : {&desc.value_start, &desc.value_delta})
      *value = value_of<float>(flushed<float>(bits_of_scalar(*value, data_type::float32)));
  }
  for (host_tensor& input : c.inputs) {
    if (input.bytes().empty() || input.desc().data_type != data_type::float32) continue;
    const auto view = input.ref().as<float>();
    for (const coordinate_tuple& at : coordinates_of(input.desc().sizes))
      view[at] = value_of<float>(flushed<float>(bits_of(view[at])));
  }
  return c;
}

// What a device may answer that flushes FLOAT32 subnormals where it compares or computes (ledger 7.4), element by
// element, besides what the page says.
inline void add_flushed(const oracle::generated_case<any_desc>& c, making made, all_rules& rules) {
  const oracle::generated_case<any_desc> zeros = flushed_case(c);
  const all_rules others = rules_of_case(zeros);
  if (made == making::selected) {  // the elements are moved, in the other order
    const values input = values_of(c.inputs[0].ref());
    const dimensions& sizes = c.inputs[0].desc().sizes;
    const std::uint32_t axis =
        is<top_k_desc>(c.text.desc) ? c.text.desc.as<top_k_desc>().axis : c.text.desc.as<top_k1_desc>().axis;
    std::size_t element = 0;
    for (coordinate_tuple at : coordinates_of(c.outputs[0].sizes)) {
      if (others[1][element].defined) {
        at[axis] = static_cast<std::uint32_t>(others[1][element].allowed.front());
        rules[0][element].allowed.push_back(input[number_of(at, sizes)]);
      }
      ++element;
    }
  }
  if (made == making::computed) {  // also the result may be flushed
    const all_rules flushing = rules_of_case(c, reading::flushing);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      add_allowed(rules[i], flushing[i]);
      for (element_rule& rule : rules[i]) {
        const values before = rule.allowed;
        for (const bits b : before) rule.allowed.push_back(flushed(c.outputs[i].data_type, b));
      }
    }
  }
  for (std::size_t i = 0; i < rules.size(); ++i) add_allowed(rules[i], others[i]);
}

// The case with Scale and Bias rounded to FLOAT16, if that is its type and changes them.
inline std::optional<oracle::generated_case<any_desc>> with_rounded_scale_bias(oracle::generated_case<any_desc> c) {
  bool changed = false;
  if (c.outputs[0].data_type != data_type::float16) return std::nullopt;
  with_scale_bias(c.text.desc, [&](auto& desc) {
    const auto given = *desc.scale_bias;
    const auto half = [](float x) {
      return static_cast<float>(value_of<float16>(attribute_rule<float16>(x).allowed[0]));
    };
    desc.scale_bias = scale_bias{half(given.scale), half(given.bias)};
    const auto differ = [](float a, float b) { return a == a && a != b; };
    changed = differ(given.scale, desc.scale_bias->scale) || differ(given.bias, desc.scale_bias->bias);
  });
  if (!changed) return std::nullopt;
  return c;
}

// The case that a device may have computed instead: with the output gate's peephole of the state before, if LSTM has one
// and it does not say so (LS-R1); with the offsets of the forward operator in a gradient of RESAMPLE (RD-R1).
inline std::optional<oracle::generated_case<any_desc>> with_alternative(oracle::generated_case<any_desc> c) {
  bool changed = false;
  if (is<lstm_desc>(c.text.desc) && !c.inputs[operator_traits<lstm_desc>::peephole].omitted()) {
    output_peephole& reads = static_cast<lstm_desc*>(c.text.desc.get())->output_peephole;
    changed = reads != output_peephole::previous;
    reads = output_peephole::previous;
  }
  const auto to_forward = [&](auto& desc) {
    changed = desc.gradient_offsets != gradient_offsets::forward && desc.input_pixel_offsets != desc.output_pixel_offsets;
    desc.gradient_offsets = gradient_offsets::forward;
  };
  if (is<resample_grad_desc>(c.text.desc)) to_forward(*static_cast<resample_grad_desc*>(c.text.desc.get()));
  if (is<resample_grad1_desc>(c.text.desc)) to_forward(*static_cast<resample_grad1_desc*>(c.text.desc.get()));
  if (!changed) return std::nullopt;
  return c;
}

// The case with windows clipped to the padded image, if it averages with padding and does not say so (PO-R2).
inline std::optional<oracle::generated_case<any_desc>> with_clipped_windows(oracle::generated_case<any_desc> c) {
  bool changed = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (requires(Desc desc) { desc.pool_overhang; })
      if (is<Desc>(c.text.desc)) {
        Desc& desc = *static_cast<Desc*>(c.text.desc.get());
        bool steps = false;
        for (const std::uint32_t stride : desc.strides) steps = steps || stride != 1;
        changed = steps && desc.include_padding && desc.pool_overhang == pool_overhang::window;
        if (changed) desc.pool_overhang = pool_overhang::clipped;
      }
  });
  if (!changed) return std::nullopt;
  return c;
}

// All correct answers, each for the whole output. In strict mode there is one, or another with rounded attributes,
// the other peephole or clipped windows.
inline std::vector<all_rules> right_answers(const oracle::generated_case<any_desc>& c, bool strict) {
  const making made = making_of(c.text.desc);
  const bool flushes = !strict && made == making::bounded;
  std::vector<all_rules> answers{rules_of_case(c, flushes ? reading::flushing : reading::as_written)};
  if (const auto rounded = with_rounded_scale_bias(c)) answers.push_back(rules_of_case(*rounded));
  auto other = with_alternative(c);
  if (!other) other = with_clipped_windows(c);
  if (other) answers.push_back(rules_of_case(*other, flushes ? reading::flushing : reading::as_written));
  for (all_rules& rules : answers) {
    const oracle::golden_outputs& golden = c.expected.answers[other && &rules == &answers.back() ? 1 : 0];
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (golden[i].values.omitted()) continue;
      const values elements = values_of(golden[i].values.ref());
      for (std::size_t element = 0; element < rules[i].size(); ++element) rules[i][element].golden = elements[element];
    }
  }
  if (strict || flushes) return answers;
  if (reduces_args(c.text.desc)) {
    const oracle::generated_case<any_desc> zeros = flushed_case(c);
    answers.push_back(rules_of_case(c, reading::in_listing_order));
    add_allowed(answers[0][0], rules_of_case(zeros)[0]);
    add_allowed(answers[1][0], rules_of_case(zeros, reading::in_listing_order)[0]);
  } else if (marks(c.text.desc)) {
    add_allowed(answers[0][0], rules_of_case(flushed_case(c))[0]);
  } else if (made == making::compared) {
    answers.push_back(rules_of_case(flushed_case(c)));
  } else if (made == making::selected || made == making::computed) {
    add_flushed(c, made, answers.front());
  }
  return answers;
}

// The same for what a device answered, where rules depend on that.
inline std::vector<all_rules> right_answers(const oracle::generated_case<any_desc>& c, std::vector<all_rules> right,
                                            const std::vector<values>& got, bool strict) {
  const auto inputs = c.input_refs();
  if (is<rnn_desc>(c.text.desc))
    for (all_rules& rules : right) rules = rules_given(c.text.desc.as<rnn_desc>(), inputs, rules, got, !strict);
  if (is<gru_desc>(c.text.desc))
    for (all_rules& rules : right) rules = rules_given(c.text.desc.as<gru_desc>(), inputs, rules, got, !strict);
  if (is<dynamic_quantize_linear_desc>(c.text.desc)) {
    const auto& desc = c.text.desc.as<dynamic_quantize_linear_desc>();
    for (all_rules& rules : right) {
      all_rules given = rules_given(desc, inputs, c.outputs, &got, !strict);
      for (std::size_t i = 0; i < rules.size(); ++i)
        for (std::size_t element = 0; element < rules[i].size(); ++element)
          given[i][element].golden = rules[i][element].golden;
      rules = given;
    }
  }
  if (!is<lstm_desc>(c.text.desc)) return right;
  const auto other = with_alternative(c);
  for (all_rules& rules : right) {
    const any_desc& desc = (other && &rules != &right.front() ? *other : c).text.desc;
    rules = rules_given(desc.as<lstm_desc>(), inputs, rules, got, !strict);
  }
  return right;
}

// The number of wrong elements.
inline std::uint64_t broken_elements(const all_rules& rules, const std::vector<values>& got,
                                     const std::vector<tensor_desc>& outputs, bool strict) {
  std::uint64_t broken = 0;
  for (std::size_t i = 0; i < rules.size(); ++i)
    for (std::size_t element = 0; element < rules[i].size(); ++element) {
      const element_rule& rule = rules[i][element];
      const bits b = got[i][element];
      if (strict ? !rule.allows(b) || rule.overflows(b) : !rule.allows(b) && !rule.allows_nan(outputs[i].data_type, b))
        ++broken;
    }
  return broken;
}

// The same for the nearest of the correct answers. If no answer has this count of NONZERO_COORDINATES, that is one
// difference; otherwise only the answers with this count are compared.
inline std::uint64_t broken_elements(const any_desc& desc, const std::vector<all_rules>& right,
                                     const std::vector<values>& got, const std::vector<tensor_desc>& outputs,
                                     bool strict) {
  std::uint64_t least = is<nonzero_coordinates_desc>(desc) ? 1 : ~std::uint64_t{0};
  bool any = false;
  for (const all_rules& rules : right) {
    if (is<nonzero_coordinates_desc>(desc) && !rules[0][0].allows(got[0][0])) continue;
    const std::uint64_t broken = broken_elements(rules, got, outputs, strict);
    least = any ? (std::min)(least, broken) : broken;
    any = true;
  }
  return least;
}

// The same rules, of which an element breaks one if it is not surely allowed: between the two ends of a range nothing
// is claimed.
inline std::vector<all_rules> without_outer(std::vector<all_rules> right) {
  for (all_rules& rules : right)
    for (output_rules& output : rules)
      for (element_rule& rule : output) {
        const auto narrow = [](float_range& range) {
          range.outer_low = range.low;
          range.outer_high = range.high;
          range.open = false;
        };
        if (rule.range) narrow(*rule.range);
        std::for_each(rule.apart.begin(), rule.apart.end(), narrow);
      }
  return right;
}

}  // namespace judged
