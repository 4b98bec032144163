// The samplers of all operators.
#pragma once

#include <goldml/operators/operators.hpp>
#include <goldml/oracle/samplers/activations.hpp>
#include <goldml/oracle/samplers/adam_optimizer.hpp>
#include <goldml/oracle/samplers/arg_reduce.hpp>
#include <goldml/oracle/samplers/batch_normalization.hpp>
#include <goldml/oracle/samplers/batch_normalization_grad.hpp>
#include <goldml/oracle/samplers/cast.hpp>
#include <goldml/oracle/samplers/convolution.hpp>
#include <goldml/oracle/samplers/convolution_integer.hpp>
#include <goldml/oracle/samplers/cumulative.hpp>
#include <goldml/oracle/samplers/diagonal_matrix.hpp>
#include <goldml/oracle/samplers/diagonal_matrix1.hpp>
#include <goldml/oracle/samplers/dynamic_quantize_linear.hpp>
#include <goldml/oracle/samplers/element_wise.hpp>
#include <goldml/oracle/samplers/fill_value_constant.hpp>
#include <goldml/oracle/samplers/fill_value_sequence.hpp>
#include <goldml/oracle/samplers/fold.hpp>
#include <goldml/oracle/samplers/gather.hpp>
#include <goldml/oracle/samplers/gemm.hpp>
#include <goldml/oracle/samplers/gru.hpp>
#include <goldml/oracle/samplers/hardmax.hpp>
#include <goldml/oracle/samplers/join.hpp>
#include <goldml/oracle/samplers/local_response_normalization.hpp>
#include <goldml/oracle/samplers/lp_normalization.hpp>
#include <goldml/oracle/samplers/lstm.hpp>
#include <goldml/oracle/samplers/matrix_multiply_integer.hpp>
#include <goldml/oracle/samplers/max_unpooling.hpp>
#include <goldml/oracle/samplers/mean_variance_normalization.hpp>
#include <goldml/oracle/samplers/multihead_attention.hpp>
#include <goldml/oracle/samplers/nonzero_coordinates.hpp>
#include <goldml/oracle/samplers/one_hot.hpp>
#include <goldml/oracle/samplers/padding.hpp>
#include <goldml/oracle/samplers/pooling.hpp>
#include <goldml/oracle/samplers/pooling_grad.hpp>
#include <goldml/oracle/samplers/quantised_data.hpp>
#include <goldml/oracle/samplers/quantize.hpp>
#include <goldml/oracle/samplers/quantize_linear.hpp>
#include <goldml/oracle/samplers/quantized_linear_add.hpp>
#include <goldml/oracle/samplers/quantized_linear_average_pooling.hpp>
#include <goldml/oracle/samplers/random_generator.hpp>
#include <goldml/oracle/samplers/resample.hpp>
#include <goldml/oracle/samplers/reverse_subsequences.hpp>
#include <goldml/oracle/samplers/rnn.hpp>
#include <goldml/oracle/samplers/roi_align.hpp>
#include <goldml/oracle/samplers/roi_align_grad.hpp>
#include <goldml/oracle/samplers/roi_pooling.hpp>
#include <goldml/oracle/samplers/scatter_elements.hpp>
#include <goldml/oracle/samplers/scatter_nd.hpp>
#include <goldml/oracle/samplers/slice.hpp>
#include <goldml/oracle/samplers/slice1.hpp>
#include <goldml/oracle/samplers/slice_grad.hpp>
#include <goldml/oracle/samplers/softmax.hpp>
#include <goldml/oracle/samplers/space_depth.hpp>
#include <goldml/oracle/samplers/split.hpp>
#include <goldml/oracle/samplers/tile.hpp>
#include <goldml/oracle/samplers/top_k.hpp>
#include <goldml/oracle/samplers/upsample_2d.hpp>
#include <goldml/oracle/samplers/value_scale_2d.hpp>

namespace goldml::oracle {

namespace detail {

template <class Desc>
constexpr bool has_sampler() {
  constexpr bool found = requires { sizeof(sampler<Desc>); };
  static_assert(found,
                "goldml: an operator of all_operators has no goldml::oracle::sampler; write it in "
                "<goldml/oracle/samplers/x.hpp>, x the operator's name in lower case or its family's, and include that "
                "in <goldml/oracle/samplers.hpp>");
  return found;
}
template <class... Desc>
constexpr bool have_samplers(type_list<Desc...>) {
  return (has_sampler<Desc>() && ...);
}
static_assert(have_samplers(all_operators{}));

}  // namespace detail

}  // namespace goldml::oracle
