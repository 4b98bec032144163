// A call on tensors in the host's memory: upload, the operator's passes, read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/d3d12/dispatch.hpp>
#include <goldml/d3d12/host_copy.hpp>

namespace goldml::d3d12 {

// How an operator is computed by shaders. A specialisation has
//   static void record(recorder&, const Desc&, std::span<const buffer_tensor> inputs,
//                      std::span<const buffer_tensor> outputs)
// over operands that have passed check(), in the order of the C structure, and
//   static constexpr bool partial_outputs = true;
// when it leaves elements of an output as they were.
template <class Desc>
struct program;

// The two ways between host tensors and buffers of the device. Staging memory is as large as the tensors.
class host_transfer {
 public:
  explicit host_transfer(recorder& work) : work_(&work) {}

  // A buffer for the tensor. With `fill`, its elements are those in the host's memory.
  buffer_tensor add(const const_tensor_ref& tensor, bool fill) {
    if (!tensor.present()) return {};
    const std::uint64_t size = buffer_tensor_size_in_bytes(tensor.desc());
    const buffer_tensor result{tensor.desc(), work_->scratch(size).part(0, size)};
    if (fill) {
      staging_.emplace_back(work_->gpu().memory(), heap::upload, copied_bytes(tensor.desc()));
      staging_.back().map([&](std::byte* data) { copy_elements(tensor.desc(), tensor.data(), data); });
      work_->copy(staging_.back().range(), result.range.part(0, staging_.back().range().size));
    }
    return result;
  }

  // Records the way back of a tensor's elements; deliver() is its end.
  void read_back(const buffer_tensor& from, const tensor_ref& to) {
    awaited_.push_back({buffer(work_->gpu().memory(), heap::readback, copied_bytes(from.desc)), to});
    const buffer_range staging = awaited_.back().staging.range();
    work_->copy(from.range.part(0, staging.size), staging);
  }

  // When the GPU is done: the elements that were read back go to the host's memory.
  void deliver() const {
    for (const awaited_tensor& t : awaited_)
      t.staging.map([&](const std::byte* data) { copy_elements(t.to.desc(), data, t.to.data()); });
  }

 private:
  struct awaited_tensor {
    buffer staging;
    tensor_ref to;
  };

  static std::uint64_t copied_bytes(const tensor_desc& desc) {
    return addressed_size_in_bytes(desc.data_type, desc.sizes, effective_strides(desc));
  }

  recorder* work_;
  std::vector<buffer> staging_;  // of uploads
  std::vector<awaited_tensor> awaited_;
};

// A kernel's whole work. The operands have passed check(); what depends on data is refused before the host's outputs
// are written.
template <class Desc>
void run_on_host_memory(const device& gpu, const Desc& desc, std::initializer_list<const_tensor_ref> inputs,
                        std::initializer_list<tensor_ref> outputs) {
  command_list list = gpu.take_list();
  recorder work(gpu, list.list.get());
  host_transfer transfer(work);
  bool fill_outputs = false;
  if constexpr (requires { program<Desc>::partial_outputs; }) fill_outputs = program<Desc>::partial_outputs;

  std::vector<buffer_tensor> device_inputs, device_outputs;
  for (const const_tensor_ref& input : inputs) device_inputs.push_back(transfer.add(input, true));
  for (const tensor_ref& output : outputs) device_outputs.push_back(transfer.add(output, fill_outputs));
  program<Desc>::record(work, desc, std::span<const buffer_tensor>(device_inputs),
                        std::span<const buffer_tensor>(device_outputs));
  for (std::size_t i = 0; i < device_outputs.size(); ++i) transfer.read_back(device_outputs[i], outputs.begin()[i]);
  work.close();
  gpu.run(std::move(list));
  work.throw_refusals();
  transfer.deliver();
}

}  // namespace goldml::d3d12
