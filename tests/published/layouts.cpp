// The published cases of quantised operators, recurrent layers and attention with tensors in any layout, on both
// backends: packed, padded, permuted and stepped, whose gaps must stay as they are.
#include "../operators/layouts.hpp"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <goldml/cpu/convolution_integer.hpp>
#include <goldml/cpu/gru.hpp>
#include <goldml/cpu/lstm.hpp>
#include <goldml/cpu/matrix_multiply_integer.hpp>
#include <goldml/cpu/multihead_attention.hpp>
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
  got.reserve(tensors.outputs.size());
  for (const tensor_ref& output : tensors.output_refs) {
    outputs.emplace_back();
    if (!output.present()) continue;
    laid_out& each = got.emplace_back(output.desc(), layout, nullptr);
    outputs.back() = tensor_ref(each.desc, each.data.data(), each.data.size());
  }
  evaluate(backend, desc_of_case<Desc>(one), std::span<const const_tensor_ref>(refs),
           std::span<const tensor_ref>(outputs));
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

}  // namespace

TEST_CASE("published vectors: operators in any layout, on both backends", "[published]") {
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
  play_all(std::type_identity<lstm_desc>{});
  play_all(std::type_identity<gru_desc>{});
  play_all(std::type_identity<multihead_attention_desc>{});
  play_all(std::type_identity<multihead_attention1_desc>{});
  CHECK(right == std::map<std::string, int>{{"ELEMENT_WISE_QUANTIZE_LINEAR", 4 * 50},
                                            {"ELEMENT_WISE_DEQUANTIZE_LINEAR", 4 * 96},
                                            {"MATRIX_MULTIPLY_INTEGER", 4 * 12},
                                            {"CONVOLUTION_INTEGER", 4 * 17},
                                            {"LSTM", 4 * 57},
                                            {"GRU", 4 * 62},
                                            {"MULTIHEAD_ATTENTION", 4 * 33},
                                            {"MULTIHEAD_ATTENTION1", 4 * 26}});
}
