// A call on tensors in host memory: uploads inputs, runs the passes of the operator, reads outputs back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/d3d12/runtime/dispatch.hpp>
#include <goldml/d3d12/runtime/host_copy.hpp>

namespace goldml::d3d12 {

// How shaders compute an operator. A specialisation has
//   static void record(recorder&, const Desc&, std::span<const buffer_tensor> inputs,
//                      std::span<const buffer_tensor> outputs)
// for operands that have passed check(), in the order of the C structure. kernel<Desc, d3d12::device> then derives from
// host_kernel<Desc>.
template <class Desc>
struct program;

// Copies between host tensors and device buffers. Staging memory is as large as the tensors.
class host_transfer {
 public:
  explicit host_transfer(recorder& work) : work_(&work) {}

  // A buffer for the tensor. With `fill`, its elements are uploaded from host memory. Throws std::invalid_argument for
  // a bound resource without a host address.
  buffer_tensor add(const const_tensor_ref& tensor, bool fill) {
    if (!tensor.present()) return {};
    require_host_memory(tensor);
    const std::uint64_t size = buffer_tensor_size_in_bytes(tensor.desc());
    const buffer_tensor result{tensor.desc(), work_->scratch(size).part(0, size)};
    if (fill) {
      staging_.emplace_back(work_->gpu().memory(), heap::upload, copied_bytes(tensor.desc()));
      staging_.back().map([&](std::byte* data) { copy_elements(tensor.desc(), tensor.data(), data); });
      work_->copy(staging_.back().range(), result.range.part(0, staging_.back().range().size));
    }
    return result;
  }

  // Records the copy of a tensor's elements to staging memory. deliver() copies them to the host tensor.
  void read_back(const buffer_tensor& from, const tensor_ref& to) {
    awaited_.push_back({buffer(work_->gpu().memory(), heap::readback, copied_bytes(from.desc)), to});
    const buffer_range staging = awaited_.back().staging.range();
    work_->copy(from.range.part(0, staging.size), staging);
  }

  // Call when the GPU has finished. Copies the elements from staging memory to the host tensors.
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
  std::vector<buffer> staging_;  // for uploads
  std::vector<awaited_tensor> awaited_;
};

// Which elements of its outputs a program writes. Those that it leaves are uploaded before.
enum class written_outputs { whole, partial };

// The kernel of an operator that has a program, for tensors in host memory. The operands have passed check().
// Violations that depend on data are thrown before any output in host memory is written.
template <class Desc, written_outputs Written = written_outputs::whole>
struct host_kernel {
  static void run(const device& gpu, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    command_list list = gpu.take_list();
    recorder work(gpu, list.list.get());
    host_transfer transfer(work);

    std::vector<buffer_tensor> device_inputs, device_outputs;
    for (const const_tensor_ref& input : inputs) device_inputs.push_back(transfer.add(input, true));
    for (const tensor_ref& output : outputs)
      device_outputs.push_back(transfer.add(output, Written == written_outputs::partial));
    program<Desc>::record(work, desc, std::span<const buffer_tensor>(device_inputs),
                          std::span<const buffer_tensor>(device_outputs));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].present()) transfer.read_back(device_outputs[i], outputs[i]);
    work.close();
    gpu.run(std::move(list));
    work.throw_refusals();
    transfer.deliver();
  }
};

}  // namespace goldml::d3d12
