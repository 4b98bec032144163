// Published cases with tensors in any layout, on both backends: packed, padded, permuted and stepped, whose gaps must
// stay as they are.
#include "../operators/layouts.hpp"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <goldml/cpu/batch_normalization.hpp>
#include <goldml/cpu/batch_normalization_grad.hpp>
#include <goldml/cpu/convolution_integer.hpp>
#include <goldml/cpu/fold.hpp>
#include <goldml/cpu/gru.hpp>
#include <goldml/cpu/local_response_normalization.hpp>
#include <goldml/cpu/lp_normalization.hpp>
#include <goldml/cpu/lstm.hpp>
#include <goldml/cpu/matrix_multiply_integer.hpp>
#include <goldml/cpu/matrix_multiply_integer_to_float.hpp>
#include <goldml/cpu/mean_variance_normalization.hpp>
#include <goldml/cpu/multihead_attention.hpp>
#include <goldml/cpu/pooling.hpp>
#include <goldml/cpu/pooling_grad.hpp>
#include <goldml/cpu/quantize.hpp>
#include <goldml/cpu/quantize_linear.hpp>
#include <goldml/cpu/quantized_linear_add.hpp>
#include <goldml/cpu/quantized_linear_average_pooling.hpp>
#include <goldml/cpu/quantized_linear_convolution.hpp>
#include <goldml/cpu/quantized_linear_matrix_multiply.hpp>
#include <goldml/cpu/resample.hpp>
#include <goldml/cpu/roi_align.hpp>
#include <goldml/cpu/roi_align_grad.hpp>
#include <goldml/cpu/roi_pooling.hpp>

#include "../catch.hpp"
#include "cases.hpp"

using namespace published;

namespace {

// A tensor with strides in its own bytes: the sentinel where no element is.
struct laid_out {
  tensor_desc desc;
  bytes data;

  laid_out(const tensor_desc& packed, layouts::layout layout, const std::byte* elements) : desc(packed) {
    desc.strides = layouts::strides_of(layout, packed.sizes);
    const std::size_t width = element_size_in_bytes(desc.data_type);
    data.assign(static_cast<std::size_t>(addressed_size_in_bytes(desc.data_type, desc.sizes, desc.strides)), sentinel);
    if (elements == nullptr) return;
    if (is_4_bit(desc.data_type)) {  // whose elements are given as bytes
      for (const coordinate_tuple& c : coordinates_of(desc.sizes))
        goldml::detail::set_bits_at(data.data(), offset_of(c, desc.strides),
                                    std::to_integer<std::uint8_t>(*elements++));
      return;
    }
    std::size_t from = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
      std::memcpy(&data[static_cast<std::size_t>(offset_of(c, desc.strides)) * width], elements + from, width);
      from += width;
    }
  }
  bytes elements() const {
    const std::size_t width = element_size_in_bytes(desc.data_type);
    bytes result;
    const readable_tensor readable(is_4_bit(desc.data_type) ? const_tensor_ref(desc, data.data(), data.size())
                                                            : const_tensor_ref());
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
      if (readable.ref().present()) {
        result.push_back(static_cast<const std::byte*>(readable.ref().data())[offset_of(c, desc.strides)]);
        continue;
      }
      const auto first = data.begin() + static_cast<std::ptrdiff_t>(offset_of(c, desc.strides) * width);
      result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
    return result;
  }
};

template <class Desc, class Backend>
bool is_right(const Backend& backend, const json& one, layouts::layout layout) {
  case_tensors tensors = tensors_of_case<Desc>(one);
  std::vector<laid_out> inputs;
  for (const const_tensor_ref& input : tensors.inputs)
    if (input.present()) {
      const readable_tensor readable(input);
      inputs.emplace_back(input.desc(), layout, static_cast<const std::byte*>(readable.ref().data()));
    }
  std::vector<const_tensor_ref> refs;
  std::size_t next = 0;
  for (const const_tensor_ref& input : tensors.inputs) {
    refs.emplace_back();
    if (!input.present()) continue;
    refs.back() = const_tensor_ref(inputs[next].desc, inputs[next].data.data(), inputs[next].data.size());
    ++next;
  }
  std::vector<laid_out> got;
  std::vector<tensor_ref> outputs;
  got.reserve(tensors.outputs.size());
  for (const tensor_ref& output : tensors.output_refs) {
    outputs.emplace_back();
    if (!output.present()) continue;
    laid_out& each = got.emplace_back(output.desc(), layout, nullptr);
    outputs.back() = tensor_ref(each.desc, each.data.data(), each.data.size());
  }
  Desc desc = desc_of_case<Desc>(one);
  suit_policies(one, desc);
  evaluate(backend, desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_ref>(outputs));
  bool right = true;
  next = 0;
  for (output& expected : tensors.outputs) {
    if (expected.omitted) continue;
    const laid_out& each = got[next++];
    expected.got = each.elements();
    const laid_out again(each.desc, layout, expected.got.data());  // with its gaps
    right = right && expected.right() && again.data == each.data;
  }
  return right;
}

// How many cases of the operators are right in each layout on both backends.
template <class... Desc>
std::map<std::string, int> right_in_all_layouts(type_list<Desc...>) {
  const rapidjson::Document vectors = read_vectors();
  std::map<std::string, int> right;
  const auto play_all = [&]<class D>(std::type_identity<D>) {
    const std::string name(operator_traits<D>::name);
    for (const json& one : vectors.GetArray()) {
      if (text_of(one["op"]) != "DML_OPERATOR_" + name || is_answer(one)) continue;
      INFO(text_of(one["source"]) << ": " << name << ": " << text_of(one["name"]));
      for (const layouts::layout layout : layouts::all_layouts) {
        const bool both = is_right<D>(reference, one, layout) && is_right<D>(cpu, one, layout);
        CHECK(both);
        right[name] += both;
      }
    }
  };
  (play_all(std::type_identity<Desc>{}), ...);
  return right;
}

}  // namespace

TEST_CASE("published vectors: quantised operators in any layout, on both backends", "[published]") {
  CHECK(right_in_all_layouts(type_list<element_wise_quantize_linear_desc, element_wise_dequantize_linear_desc,
                                       matrix_multiply_integer_desc, convolution_integer_desc,
                                       quantized_linear_matrix_multiply_desc, quantized_linear_convolution_desc,
                                       element_wise_quantized_linear_add_desc, matrix_multiply_integer_to_float_desc,
                                       quantized_linear_average_pooling_desc, quantize_desc, dequantize_desc>{}) ==
        std::map<std::string, int>{{"ELEMENT_WISE_QUANTIZE_LINEAR", 4 * 50},
                                   {"ELEMENT_WISE_DEQUANTIZE_LINEAR", 4 * 96},
                                   {"MATRIX_MULTIPLY_INTEGER", 4 * 12},
                                   {"CONVOLUTION_INTEGER", 4 * 17},
                                   {"QUANTIZED_LINEAR_MATRIX_MULTIPLY", 4 * 8},
                                   {"QUANTIZED_LINEAR_CONVOLUTION", 4 * 4},
                                   {"ELEMENT_WISE_QUANTIZED_LINEAR_ADD", 4 * 9},
                                   {"MATRIX_MULTIPLY_INTEGER_TO_FLOAT", 4 * 3},
                                   {"QUANTIZED_LINEAR_AVERAGE_POOLING", 4 * 2},
                                   {"QUANTIZE", 4 * 62},
                                   {"DEQUANTIZE", 4 * 64}});
}

TEST_CASE("published vectors: normalisations in any layout, on both backends", "[published]") {
  CHECK(right_in_all_layouts(
            type_list<mean_variance_normalization_desc, mean_variance_normalization1_desc,
                      mean_variance_normalization2_desc, batch_normalization_desc, batch_normalization_training_desc,
                      batch_normalization_grad_desc, batch_normalization_training_grad_desc, lp_normalization_desc,
                      local_response_normalization_desc, local_response_normalization_grad_desc>{}) ==
        std::map<std::string, int>{{"MEAN_VARIANCE_NORMALIZATION", 4 * 23},
                                   {"MEAN_VARIANCE_NORMALIZATION1", 4 * 75},
                                   {"MEAN_VARIANCE_NORMALIZATION2", 4 * 51},
                                   {"BATCH_NORMALIZATION", 4 * 27},
                                   {"BATCH_NORMALIZATION_TRAINING", 4 * 11},
                                   {"BATCH_NORMALIZATION_GRAD", 4 * 3},
                                   {"BATCH_NORMALIZATION_TRAINING_GRAD", 4 * 3},
                                   {"LP_NORMALIZATION", 4 * 10},
                                   {"LOCAL_RESPONSE_NORMALIZATION", 4 * 8},
                                   {"LOCAL_RESPONSE_NORMALIZATION_GRAD", 4}});
}

TEST_CASE("published vectors: RESAMPLE and regions in any layout, on both backends", "[published]") {
  CHECK(
      right_in_all_layouts(type_list<resample_desc, resample1_desc, resample2_desc, resample3_desc, resample_grad_desc,
                                     resample_grad1_desc, roi_pooling_desc, roi_align_desc, roi_align1_desc,
                                     roi_align_grad_desc>{}) ==
      std::map<std::string, int>{{"RESAMPLE", 4 * 16},
                                 {"RESAMPLE1", 4 * 30},
                                 {"RESAMPLE2", 4 * 33},
                                 {"RESAMPLE3", 4 * 16},
                                 {"RESAMPLE_GRAD", 4 * 6},
                                 {"RESAMPLE_GRAD1", 4 * 6},
                                 {"ROI_POOLING", 4 * 3},
                                 {"ROI_ALIGN", 4 * 3},
                                 {"ROI_ALIGN1", 4 * 15},
                                 {"ROI_ALIGN_GRAD", 4}});
}

TEST_CASE("published vectors: recurrent layers and attention in any layout, on both backends", "[published]") {
  CHECK(right_in_all_layouts(type_list<lstm_desc, gru_desc, multihead_attention_desc, multihead_attention1_desc>{}) ==
        std::map<std::string, int>{
            {"LSTM", 4 * 57}, {"GRU", 4 * 62}, {"MULTIHEAD_ATTENTION", 4 * 33}, {"MULTIHEAD_ATTENTION1", 4 * 24}});
}

TEST_CASE("published vectors: windows in any layout, on both backends", "[published]") {
  CHECK(right_in_all_layouts(type_list<average_pooling_desc, average_pooling1_desc, lp_pooling_desc, lp_pooling1_desc,
                                       max_pooling_desc, max_pooling1_desc, max_pooling2_desc,
                                       average_pooling_grad_desc, max_pooling_grad_desc, fold_desc, unfold_desc>{}) ==
        std::map<std::string, int>{{"AVERAGE_POOLING", 4 * 48},
                                   {"AVERAGE_POOLING1", 4 * 12},
                                   {"LP_POOLING", 4 * 26},
                                   {"LP_POOLING1", 4 * 5},
                                   {"MAX_POOLING", 4 * 41},
                                   {"MAX_POOLING1", 4 * 5},
                                   {"MAX_POOLING2", 4 * 34},
                                   {"AVERAGE_POOLING_GRAD", 4 * 3},
                                   {"MAX_POOLING_GRAD", 4 * 7},
                                   {"FOLD", 4 * 10},
                                   {"UNFOLD", 4 * 8}});
}
