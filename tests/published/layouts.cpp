// The published cases of the quantised operators and of RESAMPLE's family with tensors in any layout, on both backends:
// packed, padded, permuted and stepped, whose gaps must stay as they are.
#include "../operators/layouts.hpp"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <goldml/cpu/convolution_integer.hpp>
#include <goldml/cpu/matrix_multiply_integer.hpp>
#include <goldml/cpu/quantize_linear.hpp>
#include <goldml/cpu/resample.hpp>
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
  output& expected = tensors.outputs.at(0);
  laid_out got(tensors.output_refs.at(0).desc(), layout, nullptr);
  const std::vector<tensor_ref> outputs{tensor_ref(got.desc, got.data.data(), got.data.size())};
  Desc desc = desc_of_case<Desc>(one);
  suit_policies(one, desc);
  evaluate(backend, desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_ref>(outputs));
  expected.got = got.elements();
  const laid_out again(got.desc, layout, expected.got.data());  // with its gaps
  return expected.right() && again.data == got.data;
}

}  // namespace

namespace {

// The cases of an operator that are right in any layout on both backends, times the number of layouts.
template <class Desc>
void play_all(const rapidjson::Document& vectors, std::map<std::string, int>& right) {
  const std::string name(operator_traits<Desc>::name);
  for (const json& one : vectors.GetArray()) {
    if (text_of(one["op"]) != "DML_OPERATOR_" + name || is_answer(one)) continue;
    INFO(text_of(one["source"]) << ": " << text_of(one["name"]));
    for (const layouts::layout layout : layouts::all_layouts) {
      const bool both = is_right<Desc>(reference, one, layout) && is_right<Desc>(cpu, one, layout);
      CHECK(both);
      right[name] += both;
    }
  }
}

}  // namespace

TEST_CASE("published vectors: quantised operators in any layout, on both backends", "[published]") {
  const rapidjson::Document vectors = read_vectors();
  std::map<std::string, int> right;
  play_all<element_wise_quantize_linear_desc>(vectors, right);
  play_all<element_wise_dequantize_linear_desc>(vectors, right);
  play_all<matrix_multiply_integer_desc>(vectors, right);
  play_all<convolution_integer_desc>(vectors, right);
  CHECK(right == std::map<std::string, int>{{"ELEMENT_WISE_QUANTIZE_LINEAR", 4 * 50},
                                            {"ELEMENT_WISE_DEQUANTIZE_LINEAR", 4 * 96},
                                            {"MATRIX_MULTIPLY_INTEGER", 4 * 12},
                                            {"CONVOLUTION_INTEGER", 4 * 17}});
}

TEST_CASE("published vectors: RESAMPLE and ROI_POOLING in any layout, on both backends", "[published]") {
  const rapidjson::Document vectors = read_vectors();
  std::map<std::string, int> right;
  play_all<resample_desc>(vectors, right);
  play_all<resample1_desc>(vectors, right);
  play_all<resample2_desc>(vectors, right);
  play_all<resample3_desc>(vectors, right);
  play_all<resample_grad_desc>(vectors, right);
  play_all<resample_grad1_desc>(vectors, right);
  play_all<roi_pooling_desc>(vectors, right);
  CHECK(right == std::map<std::string, int>{{"RESAMPLE", 4 * 16},
                                            {"RESAMPLE1", 4 * 30},
                                            {"RESAMPLE2", 4 * 33},
                                            {"RESAMPLE3", 4 * 16},
                                            {"RESAMPLE_GRAD", 4 * 6},
                                            {"RESAMPLE_GRAD1", 4 * 6},
                                            {"ROI_POOLING", 4 * 3}});
}
