// The published cases of the quantised operators and of those with windows with tensors in any layout, on both
// backends: packed, padded, permuted and stepped, whose gaps must stay as they are.
#include "../operators/layouts.hpp"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <goldml/cpu/convolution_integer.hpp>
#include <goldml/cpu/fold.hpp>
#include <goldml/cpu/matrix_multiply_integer.hpp>
#include <goldml/cpu/pooling.hpp>
#include <goldml/cpu/pooling_grad.hpp>
#include <goldml/cpu/quantize_linear.hpp>

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
    data.assign(static_cast<std::size_t>(last_index(desc.sizes, desc.strides) + 1) * width, sentinel);
    if (elements == nullptr) return;
    std::size_t from = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
      std::memcpy(&data[static_cast<std::size_t>(offset_of(c, desc.strides)) * width], elements + from, width);
      from += width;
    }
  }
  bytes elements() const {
    const std::size_t width = element_size_in_bytes(desc.data_type);
    bytes result;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
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
    if (input.present()) inputs.emplace_back(input.desc(), layout, static_cast<const std::byte*>(input.data()));
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
  got.reserve(tensors.output_refs.size());
  for (const tensor_ref& output : tensors.output_refs) {
    outputs.emplace_back();
    if (!output.present()) continue;
    got.emplace_back(output.desc(), layout, nullptr);
    outputs.back() = tensor_ref(got.back().desc, got.back().data.data(), got.back().data.size());
  }
  evaluate(backend, desc_of_case<Desc>(one), std::span<const const_tensor_ref>(refs),
           std::span<const tensor_ref>(outputs));
  bool right = true;
  next = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].present()) continue;
    output& expected = tensors.outputs.at(i);
    const laid_out& answer = got[next++];
    expected.got = answer.elements();
    const laid_out again(answer.desc, layout, expected.got.data());  // with its gaps
    right = right && expected.right() && again.data == answer.data;
  }
  return right;
}

}  // namespace

TEST_CASE("published vectors: quantised operators and windows in any layout, on both backends", "[published]") {
  const rapidjson::Document vectors = read_vectors();
  std::map<std::string, int> right;
  const auto play_all = [&]<class Desc>(std::type_identity<Desc>) {
    const std::string name(operator_traits<Desc>::name);
    for (const json& one : vectors.GetArray()) {
      if (text_of(one["op"]) != "DML_OPERATOR_" + name) continue;
      INFO(text_of(one["source"]) << ": " << text_of(one["name"]));
      for (const layouts::layout layout : layouts::all_layouts) {
        const bool both = is_right<Desc>(reference, one, layout) && is_right<Desc>(cpu, one, layout);
        CHECK(both);
        right[name] += both;
      }
    }
  };
  play_all(std::type_identity<element_wise_quantize_linear_desc>{});
  play_all(std::type_identity<element_wise_dequantize_linear_desc>{});
  play_all(std::type_identity<matrix_multiply_integer_desc>{});
  play_all(std::type_identity<convolution_integer_desc>{});
  play_all(std::type_identity<average_pooling_desc>{});
  play_all(std::type_identity<average_pooling1_desc>{});
  play_all(std::type_identity<lp_pooling_desc>{});
  play_all(std::type_identity<lp_pooling1_desc>{});
  play_all(std::type_identity<max_pooling_desc>{});
  play_all(std::type_identity<max_pooling1_desc>{});
  play_all(std::type_identity<max_pooling2_desc>{});
  play_all(std::type_identity<average_pooling_grad_desc>{});
  play_all(std::type_identity<max_pooling_grad_desc>{});
  play_all(std::type_identity<fold_desc>{});
  play_all(std::type_identity<unfold_desc>{});
  CHECK(right == std::map<std::string, int>{{"ELEMENT_WISE_QUANTIZE_LINEAR", 4 * 50},
                                            {"ELEMENT_WISE_DEQUANTIZE_LINEAR", 4 * 96},
                                            {"MATRIX_MULTIPLY_INTEGER", 4 * 12},
                                            {"CONVOLUTION_INTEGER", 4 * 17},
                                            {"AVERAGE_POOLING", 4 * 51},
                                            {"AVERAGE_POOLING1", 4 * 14},
                                            {"LP_POOLING", 4 * 28},
                                            {"LP_POOLING1", 4 * 6},
                                            {"MAX_POOLING", 4 * 44},
                                            {"MAX_POOLING1", 4 * 5},
                                            {"MAX_POOLING2", 4 * 35},
                                            {"AVERAGE_POOLING_GRAD", 4 * 3},
                                            {"MAX_POOLING_GRAD", 4 * 7},
                                            {"FOLD", 4 * 10},
                                            {"UNFOLD", 4 * 8}});
}
