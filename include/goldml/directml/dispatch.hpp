// Runs an operator of DirectML on tensors in host memory: create, compile, initialise, bind, dispatch, read back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/d3d12/runtime/dispatch.hpp>
#include <goldml/d3d12/runtime/host_copy.hpp>
#include <goldml/directml/binding.hpp>
#include <goldml/directml/device.hpp>
#include <goldml/directml/to_directml.hpp>

namespace goldml::directml {

// Creates the operator; this allocates no memory yet. Throws device_error if DirectML refuses the desc (E_INVALIDARG)
// or fails.
inline com_ptr<IDMLOperator> create_operator(const device& dml, const DML_OPERATOR_DESC& desc, std::string_view name) {
  com_ptr<IDMLOperator> result;
  dml.check(dml.native()->CreateOperator(&desc, d3d12::iid_of<IDMLOperator>(), result.put_void()),
            fmt::format("IDMLDevice::CreateOperator({})", name));
  return result;
}

// A compiled operator with its initializer.
class compiled_operator {
 public:
  compiled_operator(const device& dml, const DML_OPERATOR_DESC& desc, std::string_view name,
                    DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE)
      : name_(name) {
    const com_ptr<IDMLOperator> op = create_operator(dml, desc, name);
    dml.check(
        dml.native()->CompileOperator(op.get(), flags, d3d12::iid_of<IDMLCompiledOperator>(), compiled_.put_void()),
        fmt::format("IDMLDevice::CompileOperator({})", name));
    IDMLCompiledOperator* const operators[] = {compiled_.get()};
    dml.check(dml.native()->CreateOperatorInitializer(1, operators, d3d12::iid_of<IDMLOperatorInitializer>(),
                                                      initializer_.put_void()),
              fmt::format("IDMLDevice::CreateOperatorInitializer({})", name));
  }

  const std::string& name() const { return name_; }
  IDMLDispatchable* compiled() const { return compiled_.get(); }
  IDMLDispatchable* initializer() const { return initializer_.get(); }

 private:
  std::string name_;
  com_ptr<IDMLCompiledOperator> compiled_;
  com_ptr<IDMLOperatorInitializer> initializer_;
};

// One execution, in one command list. Must live until the GPU has finished it.
class execution {
 public:
  execution(const device& dml, const compiled_operator& op)
      : dml_(&dml), op_(&op), list_(dml.gpu().take_list()), work_(dml.gpu(), list_.list.get()) {}
  execution(const execution&) = delete;
  execution& operator=(const execution&) = delete;

  // Uploads the elements of the tensor, without the bytes between them.
  void add_input(const const_tensor_ref& tensor) {
    if (!tensor.present()) return inputs_.push_back({});
    inputs_.push_back(take(total_tensor_size_in_bytes(tensor.desc())));
    upload(tensor, inputs_.back());
  }

  // `reads`: the operator reads the elements before it writes them, so that they are uploaded, too.
  void add_output(const tensor_ref& tensor, bool reads = false) {
    if (!tensor.present()) return outputs_.push_back({});
    awaited_.push_back({outputs_.size(),
                        d3d12::buffer(dml_->gpu().memory(), d3d12::heap::readback, addressed_bytes(tensor.desc())),
                        tensor});
    outputs_.push_back(take(total_tensor_size_in_bytes(tensor.desc())));
    if (reads) upload(tensor, outputs_.back());
  }

  // Call once, after adding all operands in the order of the C structure. The elements of the outputs, without the
  // bytes between them, are written only if everything succeeds.
  void run() {
    const DML_BINDING_PROPERTIES initializing = binding_properties(op_->initializer());
    const DML_BINDING_PROPERTIES executing = binding_properties(op_->compiled());
    // The two dispatches share no memory except the persistent resource, which the first writes and the second reads.
    const d3d12::buffer_range initializer_temporary = take(initializing.TemporaryResourceSize);
    const d3d12::buffer_range temporary = take(executing.TemporaryResourceSize);
    const d3d12::buffer_range persistent = take(executing.PersistentResourceSize);
    make_unordered();

    const UINT first = initializing.RequiredDescriptorCount;  // the first of the operator's descriptors
    const com_ptr<ID3D12DescriptorHeap> heap = make_heap(first + executing.RequiredDescriptorCount);
    ID3D12DescriptorHeap* const heaps[] = {heap.get()};
    list_.list->SetDescriptorHeaps(1, heaps);
    com_ptr<IDMLCommandRecorder> recorder;
    dml_->check(dml_->native()->CreateCommandRecorder(d3d12::iid_of<IDMLCommandRecorder>(), recorder.put_void()),
                "IDMLDevice::CreateCommandRecorder");

    DML_BINDING_TABLE_DESC desc = table_desc(op_->initializer(), heap.get(), 0, first);
    com_ptr<IDMLBindingTable> table;
    dml_->check(dml_->native()->CreateBindingTable(&desc, d3d12::iid_of<IDMLBindingTable>(), table.put_void()),
                fmt::format("IDMLDevice::CreateBindingTable({}'s initializer)", op_->name()));
    const d3d12::buffer_range none{};
    bind(table.get(), {&none, 1}, {&persistent, 1}, initializer_temporary, none);
    record(recorder.get(), op_->initializer(), table.get(), "'s initializer");
    wait_for_dispatch();

    desc = table_desc(op_->compiled(), heap.get(), first, executing.RequiredDescriptorCount);
    dml_->check(table->Reset(&desc), fmt::format("IDMLBindingTable::Reset({})", op_->name()));
    bind(table.get(), inputs_, outputs_, temporary, persistent);
    record(recorder.get(), op_->compiled(), table.get(), "");

    read_back();
  }

 private:
  struct bound_buffer {
    ID3D12Resource* resource;
    D3D12_RESOURCE_STATES state;  // the state before the dispatches
  };
  struct awaited_tensor {
    std::size_t output;  // its number; omitted ones are not awaited
    d3d12::buffer staging;
    tensor_ref to;
  };

  // To the buffer that was taken last.
  void upload(const const_tensor_ref& tensor, const d3d12::buffer_range& range) {
    staging_.emplace_back(dml_->gpu().memory(), d3d12::heap::upload, addressed_bytes(tensor.desc()));
    const d3d12::buffer& staging = staging_.back();
    staging.map([&](std::byte* data) { d3d12::copy_elements(tensor.desc(), tensor.data(), data); });
    work_.copy(staging.range(), range.part(0, staging.range().size));
    bound_.back().state = D3D12_RESOURCE_STATE_COPY_DEST;
  }

  static std::uint64_t addressed_bytes(const tensor_desc& desc) {
    return addressed_size_in_bytes(desc.data_type, desc.sizes, effective_strides(desc));
  }

  void record(IDMLCommandRecorder* recorder, IDMLDispatchable* dispatchable, IDMLBindingTable* table,
              std::string_view whose) const {
    recorder->RecordDispatch(list_.list.get(), dispatchable, table);
    dml_->check_alive(fmt::format("IDMLCommandRecorder::RecordDispatch({}{})", op_->name(), whose));
  }

  // Runs the list, then copies the elements of the outputs to the host tensors.
  void read_back() {
    for (const awaited_tensor& t : awaited_) {  // the transition waits for the dispatch
      const d3d12::buffer_range staging = t.staging.range();
      work_.copy(outputs_[t.output].part(0, staging.size), staging);
    }
    work_.close();
    dml_->gpu().run(std::move(list_));
    dml_->check_alive(fmt::format("running {}", op_->name()));
    for (const awaited_tensor& t : awaited_)
      t.staging.map([&](const std::byte* data) { d3d12::copy_elements(t.to.desc(), data, t.to.data()); });
  }

  // A buffer in a separate resource, so that its offset satisfies every alignment; no resource for 0 bytes. The size is
  // rounded up to 16 bytes, because sizes of bound ranges must be multiples of 4.
  d3d12::buffer_range take(std::uint64_t bytes) {
    if (bytes == 0) return {};
    const d3d12::buffer_range range = work_.scratch(bytes);
    bound_.push_back({range.resource, D3D12_RESOURCE_STATE_COMMON});
    return range;
  }

  // Transitions all bound resources to the state that RecordDispatch requires.
  void make_unordered() {
    std::vector<D3D12_RESOURCE_BARRIER> barriers;
    for (const bound_buffer& b : bound_) {
      D3D12_RESOURCE_BARRIER barrier{};
      barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
      barrier.Transition = {b.resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, b.state,
                            D3D12_RESOURCE_STATE_UNORDERED_ACCESS};
      barriers.push_back(barrier);
      work_.use(b.resource, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    }
    list_.list->ResourceBarrier(static_cast<UINT>(barriers.size()), barriers.data());
  }

  // For all resources, because an initializer may write to others than the persistent one.
  void wait_for_dispatch() const {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    list_.list->ResourceBarrier(1, &barrier);
  }

  // The two dispatches use different descriptors, because none may be overwritten before the GPU has finished.
  com_ptr<ID3D12DescriptorHeap> make_heap(UINT descriptors) const {
    const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, (std::max)(descriptors, 1u),
                                          D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    com_ptr<ID3D12DescriptorHeap> result;
    d3d12::check_result(
        dml_->gpu().native()->CreateDescriptorHeap(&desc, d3d12::iid_of<ID3D12DescriptorHeap>(), result.put_void()),
        "ID3D12Device::CreateDescriptorHeap", dml_->gpu().native());
    return result;
  }

  DML_BINDING_TABLE_DESC table_desc(IDMLDispatchable* dispatchable, ID3D12DescriptorHeap* heap, UINT first,
                                    UINT count) const {
    const UINT increment =
        dml_->gpu().native()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    DML_BINDING_TABLE_DESC desc{dispatchable, heap->GetCPUDescriptorHandleForHeapStart(),
                                heap->GetGPUDescriptorHandleForHeapStart(), count};
    desc.CPUDescriptorHandle.ptr += SIZE_T{first} * increment;
    desc.GPUDescriptorHandle.ptr += UINT64{first} * increment;
    return desc;
  }

  static void bind(IDMLBindingTable* table, std::span<const d3d12::buffer_range> inputs,
                   std::span<const d3d12::buffer_range> outputs, const d3d12::buffer_range& temporary,
                   const d3d12::buffer_range& persistent) {
    const binding_list input_list(inputs), output_list(outputs), temporary_list(temporary), persistent_list(persistent);
    table->BindInputs(input_list.count(), input_list.data());
    table->BindOutputs(output_list.count(), output_list.data());
    if (temporary.resource != nullptr) table->BindTemporaryResource(temporary_list.data());
    if (persistent.resource != nullptr) table->BindPersistentResource(persistent_list.data());
  }

  const device* dml_;
  const compiled_operator* op_;
  d3d12::command_list list_;
  d3d12::recorder work_;
  std::vector<bound_buffer> bound_;
  std::vector<d3d12::buffer_range> inputs_, outputs_;
  std::vector<d3d12::buffer> staging_;  // for uploads
  std::vector<awaited_tensor> awaited_;
};

// The flags that the desc's policies stand for: half precision is permitted if `accumulation` is `half`.
inline DML_EXECUTION_FLAGS execution_flags_of(const operator_description& op, const void* desc) {
  for (const attribute& policy : op.policies)
    if (policy.name == "accumulation" && load_enumerator(policy.address(desc)) == policy.names.value_of("half"))
      return DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION;
  return DML_EXECUTION_FLAG_NONE;
}

// Computes the outputs with DirectML, for tensors in host memory. The desc is of the structure's operator. Checks no
// rules, and ignores the level and all policies but `accumulation`. Inputs with OWNED_BY_DML are bound like the others,
// without the flag. Throws std::invalid_argument for a bound resource without a host address.
inline void execute(const device& dml, const structure_description& structure, const void* desc,
                    std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  for (const const_tensor_ref& input : inputs) d3d12::require_host_memory(input);
  for (const tensor_ref& output : outputs) d3d12::require_host_memory(output);
  std::vector<std::optional<tensor_desc>> descs;
  const auto add = [&](const auto& tensor) {
    descs.emplace_back();
    if (!tensor.present()) return;
    descs.back() = tensor.desc();
    descs.back()->flags = tensor_flags::none;
  };
  for (const const_tensor_ref& input : inputs) add(input);
  for (const tensor_ref& output : outputs) add(output);
  const compiled_operator op(dml, any_operator_structure(structure, desc, descs).get(), structure.op->name,
                             execution_flags_of(*structure.op, desc));
  execution work(dml, op);
  for (const const_tensor_ref& input : inputs) work.add_input(input);
  const auto is_given = [&](std::size_t k) { return descs[k].has_value(); };
  for (std::size_t i = 0; i < outputs.size(); ++i)
    work.add_output(outputs[i], structure.op->reads_output(inputs.size() + i, descs.size(), is_given));
  work.run();
}
inline void execute(const device& dml, const any_desc& desc, std::span<const const_tensor_ref> inputs,
                    std::span<const tensor_ref> outputs) {
  execute(dml, structure_of(desc.description()), desc.get(), inputs, outputs);
}
template <described Desc>
void execute(const device& dml, const Desc& desc, std::span<const const_tensor_ref> inputs,
             std::span<const tensor_ref> outputs) {
  execute(dml, structure_of<Desc>(), &desc, inputs, outputs);
}

}  // namespace goldml::directml
