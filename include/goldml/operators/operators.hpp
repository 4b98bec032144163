// The list of operators. Code that needs all of them (the tool, the model readers, the generator) iterates over this
// list.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/any_desc.hpp>
#include <goldml/operators/activations.hpp>
#include <goldml/operators/adam_optimizer.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/operators/batch_normalization.hpp>
#include <goldml/operators/batch_normalization_grad.hpp>
#include <goldml/operators/cast.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/operators/convolution_integer.hpp>
#include <goldml/operators/cumulative.hpp>
#include <goldml/operators/diagonal_matrix.hpp>
#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/operators/dynamic_quantize_linear.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/fill_value_constant.hpp>
#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/operators/fold.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>
#include <goldml/operators/gemm.hpp>
#include <goldml/operators/gru.hpp>
#include <goldml/operators/hardmax.hpp>
#include <goldml/operators/join.hpp>
#include <goldml/operators/local_response_normalization.hpp>
#include <goldml/operators/lp_normalization.hpp>
#include <goldml/operators/lstm.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/operators/matrix_multiply_integer_to_float.hpp>
#include <goldml/operators/max_unpooling.hpp>
#include <goldml/operators/mean_variance_normalization.hpp>
#include <goldml/operators/multihead_attention.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/operators/one_hot.hpp>
#include <goldml/operators/padding.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_grad.hpp>
#include <goldml/operators/quantize.hpp>
#include <goldml/operators/quantize_linear.hpp>
#include <goldml/operators/quantized_linear_add.hpp>
#include <goldml/operators/quantized_linear_average_pooling.hpp>
#include <goldml/operators/quantized_linear_convolution.hpp>
#include <goldml/operators/quantized_linear_matrix_multiply.hpp>
#include <goldml/operators/random_generator.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/operators/resample.hpp>
#include <goldml/operators/reverse_subsequences.hpp>
#include <goldml/operators/rnn.hpp>
#include <goldml/operators/roi_align.hpp>
#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/operators/roi_pooling.hpp>
#include <goldml/operators/scatter_elements.hpp>
#include <goldml/operators/scatter_nd.hpp>
#include <goldml/operators/slice.hpp>
#include <goldml/operators/slice1.hpp>
#include <goldml/operators/slice_grad.hpp>
#include <goldml/operators/softmax.hpp>
#include <goldml/operators/space_depth.hpp>
#include <goldml/operators/split.hpp>
#include <goldml/operators/tile.hpp>
#include <goldml/operators/top_k.hpp>
#include <goldml/operators/upsample_2d.hpp>
#include <goldml/operators/value_scale_2d.hpp>

namespace goldml {

namespace detail {

template <class... First, class... Second>
constexpr type_list<First..., Second...> concatenated(type_list<First...>, type_list<Second...>);
template <class First, class Second>
using concatenation = decltype(concatenated(First{}, Second{}));

}  // namespace detail

using all_operators = detail::concatenation<
    type_list<argmin_desc, nonzero_coordinates_desc, scatter_nd_desc, diagonal_matrix1_desc, argmax_desc,
              diagonal_matrix_desc, fill_value_constant_desc, slice1_desc, slice_desc, slice_grad_desc, split_desc,
              join_desc, padding_desc, padding1_desc, tile_desc, space_to_depth_desc, space_to_depth1_desc,
              depth_to_space_desc, depth_to_space1_desc, cast_desc, top_k_desc, top_k1_desc, one_hot_desc, gather_desc,
              gather_elements_desc, gather_nd_desc, gather_nd1_desc, scatter_elements_desc, reduce_desc,
              fill_value_sequence_desc, reverse_subsequences_desc, max_unpooling_desc, cumulative_summation_desc,
              cumulative_product_desc, activation_softmax_desc, activation_softmax1_desc, activation_log_softmax_desc,
              activation_log_softmax1_desc, activation_hardmax_desc, activation_hardmax1_desc, convolution_desc,
              upsample_2d_desc, value_scale_2d_desc, rnn_desc, lstm_desc, gru_desc, multihead_attention_desc,
              multihead_attention1_desc, gemm_desc, random_generator_desc, adam_optimizer_desc,
              element_wise_quantize_linear_desc, element_wise_dequantize_linear_desc, matrix_multiply_integer_desc,
              convolution_integer_desc, average_pooling_desc, average_pooling1_desc, lp_pooling_desc, lp_pooling1_desc,
              max_pooling_desc, max_pooling1_desc, max_pooling2_desc, average_pooling_grad_desc, max_pooling_grad_desc,
              fold_desc, unfold_desc, resample_desc, resample1_desc, resample2_desc, resample3_desc, resample_grad_desc,
              resample_grad1_desc, mean_variance_normalization_desc, mean_variance_normalization1_desc,
              mean_variance_normalization2_desc, batch_normalization_desc, batch_normalization_training_desc,
              lp_normalization_desc, local_response_normalization_desc, local_response_normalization_grad_desc,
              batch_normalization_grad_desc, batch_normalization_training_grad_desc,
              quantized_linear_matrix_multiply_desc, quantized_linear_convolution_desc,
              element_wise_quantized_linear_add_desc, roi_pooling_desc, roi_align_desc, roi_align1_desc,
              roi_align_grad_desc, dynamic_quantize_linear_desc, matrix_multiply_integer_to_float_desc,
              quantized_linear_average_pooling_desc, quantize_desc, dequantize_desc>,
    detail::concatenation<element_wise_operators, activation_operators>>;

// Calls f(std::type_identity<Desc>{}) for each operator, in the order of the list.
template <class... Desc, class F>
constexpr void for_each_operator(type_list<Desc...>, F&& f) {
  (f(std::type_identity<Desc>{}), ...);
}

namespace detail {

// Whether `given` is the operator's name or its alias, with or without DML_OPERATOR_.
constexpr bool is_name_of(std::string_view name, std::string_view alias, std::string_view given) {
  constexpr std::string_view prefix = "DML_OPERATOR_";
  if (given.starts_with(prefix)) given.remove_prefix(prefix.size());
  return !given.empty() && (given == name || given == alias);
}

}  // namespace detail

// Calls f(std::type_identity<Desc>{}) for the operator of that name, with or without DML_OPERATOR_. Returns whether
// there is one.
template <class F>
constexpr bool visit_operator(std::string_view name, F&& f) {
  bool found = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc> desc) {
    if (detail::is_name_of(operator_traits<Desc>::name, operator_traits<Desc>::options.alias, name)) {
      found = true;
      f(desc);
    }
  });
  return found;
}

// The descriptions of all operators, in the order of the list. Functions that need every operator are templates, so
// that the compiler makes what they need only for units that call them.
template <class Operators = all_operators>
std::span<const operator_description* const> operator_descriptions() {
  static const auto all = []<class... Desc>(type_list<Desc...>) {
    return std::array{&description_of<Desc>()...};
  }(Operators{});
  return all;
}

// The description of the operator of that name, with or without DML_OPERATOR_; nullptr if there is none.
template <class Operators = all_operators>
const operator_description* find_operator(std::string_view name) {
  for (const operator_description* op : operator_descriptions<Operators>())
    if (detail::is_name_of(op->name, op->alias, name)) return op;
  return nullptr;
}

}  // namespace goldml
