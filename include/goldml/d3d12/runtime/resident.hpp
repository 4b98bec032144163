// Operators on tensors in buffer resources, validated and recorded into the caller's command list.
//   d3d12::recording work(gpu, list);
//   work.add(argmin_desc{.axes = {1}}, {{input, 0, input_desc}}, {{output, 256, output_desc}});
//   ... close and execute the list on a queue of the device, wait for it ...
//   work.finish();
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include <goldml/core/evaluate.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>

namespace goldml::d3d12 {

// A tensor in a buffer resource. A null resource stands for an omitted optional operand. Outputs must allow unordered
// access.
struct resident_tensor {
  ID3D12Resource* resource = nullptr;
  std::uint64_t offset_in_bytes = 0;  // a multiple of 16
  tensor_desc desc = {};
  // The state of the resource before the operator, and again after it.
  D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
};

// Operators recorded into one command list. Owns their scratch memory, so it must live until the GPU has finished the
// list. Bytes of a resource outside a tensor or between its elements are unchanged. Changes the root signature,
// pipeline and descriptor heaps of the list.
class recording {
 public:
  recording(const device& gpu, ID3D12GraphicsCommandList* list) : work_(gpu, list) {}

  // Operands are in the order of the C structure. Throws error with the first violation, with nothing recorded.
  template <class Desc>
  void add(const Desc& desc, std::initializer_list<resident_tensor> inputs,
           std::initializer_list<resident_tensor> outputs) {
    add(desc, std::span(inputs.begin(), inputs.size()), std::span(outputs.begin(), outputs.size()));
  }
  template <class Desc>
  void add(const Desc& desc, std::span<const resident_tensor> inputs, std::span<const resident_tensor> outputs) {
    std::vector<const_tensor_ref> input_refs;
    std::vector<tensor_ref> output_refs;
    for (const resident_tensor& t : inputs) input_refs.push_back(ref<const_tensor_ref>(t));
    for (const resident_tensor& t : outputs) output_refs.push_back(ref<tensor_ref>(t));
    auto operands =
        to_operands<Desc>(std::span<const const_tensor_ref>(input_refs), std::span<const tensor_ref>(output_refs));
    violation_sink sink;
    check(desc, operands, sink);
    if (sink.first()) throw error(*sink.first());

    std::vector<buffer_tensor> device_inputs = use(inputs);
    const std::vector<buffer_tensor> device_outputs = use(outputs);
    for (buffer_tensor& input : device_inputs) move_from(device_outputs, input);
    program<Desc>::record(work_, desc, std::span<const buffer_tensor>(device_inputs),
                          std::span<const buffer_tensor>(device_outputs));
    work_.close();
  }

  // For the caller's own passes between operators: use() the resources, dispatch(), then close().
  recorder& passes() { return work_; }

  // Call when the GPU has finished. Throws error if an operator refused its data; that operator has written nothing.
  void finish() const { work_.throw_refusals(); }

 private:
  // The binding covers the rest of the resource.
  template <class Ref>
  static Ref ref(const resident_tensor& t) {
    if (t.resource == nullptr) return {};
    const std::uint64_t width = t.resource->GetDesc().Width;
    const std::uint64_t rest = t.offset_in_bytes < width ? width - t.offset_in_bytes : 0;
    return Ref::bound(t.desc, t.resource, t.offset_in_bytes, rest / 4 * 4, nullptr);
  }

  std::vector<buffer_tensor> use(std::span<const resident_tensor> tensors) {
    std::vector<buffer_tensor> result;
    for (const resident_tensor& t : tensors) {
      result.emplace_back();
      if (t.resource == nullptr) continue;
      work_.use(t.resource, t.state);
      result.back() = {t.desc, {t.resource, t.offset_in_bytes, buffer_tensor_size_in_bytes(t.desc)}};
    }
    return result;
  }

  // An input that is in the resource of an output, and is not the output itself (policy same_resource), is copied
  // first: one dispatch cannot use a buffer in two states.
  void move_from(std::span<const buffer_tensor> outputs, buffer_tensor& input) {
    for (const buffer_tensor& output : outputs) {
      if (input.range.resource == nullptr || input.range.resource != output.range.resource) continue;
      if (input.range.offset == output.range.offset) continue;  // in place
      const std::uint64_t size = input.range.size;
      const buffer_range copy = work_.scratch(size).part(0, size);
      work_.copy(input.range, copy);
      input.range = copy;
    }
  }

  recorder work_;
};

}  // namespace goldml::d3d12
