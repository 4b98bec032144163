// The mock's binding table, and its recorder, which checks everything that a dispatch depends on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mock_operators.hpp"

namespace directml_mock {

// A DML_BINDING_DESC, copied.
struct binding {
  DML_BINDING_TYPE type = DML_BINDING_TYPE_NONE;
  DML_BUFFER_BINDING buffer{};

  explicit binding(const DML_BINDING_DESC& from) : type(from.Type) {
    if (type == DML_BINDING_TYPE_BUFFER) buffer = *static_cast<const DML_BUFFER_BINDING*>(from.Desc);
  }
};

class mock_table : public child<IDMLBindingTable> {
 public:
  mock_table(world& of, const DML_BINDING_TABLE_DESC& given) : child(of) { reset(given); }

  void STDMETHODCALLTYPE BindInputs(UINT count, const DML_BINDING_DESC* bindings) override {
    bind("BindInputs", inputs, count, bindings);
  }
  void STDMETHODCALLTYPE BindOutputs(UINT count, const DML_BINDING_DESC* bindings) override {
    bind("BindOutputs", outputs, count, bindings);
  }
  void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC* binding) override {
    bind("BindTemporaryResource", temporary, binding == nullptr ? 0 : 1, binding);
  }
  void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC* binding) override {
    bind("BindPersistentResource", persistent, binding == nullptr ? 0 : 1, binding);
  }
  HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC* given) override {
    const HRESULT result = w().call("IDMLBindingTable::Reset");
    expect(given != nullptr, "IDMLBindingTable::Reset without a desc");
    if (SUCCEEDED(result)) reset(*given);
    return result;
  }

  DML_BINDING_TABLE_DESC desc{};
  std::vector<binding> inputs, outputs, temporary, persistent;

 private:
  void reset(const DML_BINDING_TABLE_DESC& given) {
    desc = given;
    inputs.clear();
    outputs.clear();
    temporary.clear();
    persistent.clear();
    dispatchable* const target = mock_of(desc.Dispatchable);
    expect(target != nullptr, "a binding table of nothing");
    if (target != nullptr)
      expect(desc.SizeInDescriptors >= target->needs().RequiredDescriptorCount,
             "a binding table of too few descriptors");
  }

  void bind(const char* name, std::vector<binding>& to, UINT count, const DML_BINDING_DESC* bindings) {
    w().silent_call(name);
    w().write_descriptors(desc.CPUDescriptorHandle, desc.SizeInDescriptors);
    to.clear();
    for (UINT i = 0; i < count; ++i) to.emplace_back(bindings[i]);
  }
};

class mock_recorder : public child<IDMLCommandRecorder> {
 public:
  using child::child;

  void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* target,
                                        IDMLBindingTable* bindings) override {
    w().silent_call("RecordDispatch");
    if (FAILED(w().removed)) return;
    auto* const commands = static_cast<ID3D12GraphicsCommandList*>(list);
    expect(list->GetType() == D3D12_COMMAND_LIST_TYPE_DIRECT || list->GetType() == D3D12_COMMAND_LIST_TYPE_COMPUTE,
           "a list that cannot compute");
    auto& table = *static_cast<mock_table*>(bindings);
    expect(table.desc.Dispatchable == target, "the binding table is another dispatchable's");
    check_descriptors(table);
    dispatchable* const made = mock_of(target);
    if (auto* const initializer = dynamic_cast<mock_initializer*>(made))
      initialize(commands, *initializer, table);
    else if (auto* const compiled = dynamic_cast<mock_compiled*>(made))
      execute(commands, *compiled, table);
    w().spy.dispatch_done();
    w().use_descriptors(table.desc.CPUDescriptorHandle, table.desc.SizeInDescriptors);
  }

 private:
  void check_descriptors(const mock_table& table) const {
    ID3D12DescriptorHeap* const heap = w().spy.heap();
    expect(heap != nullptr, "no descriptor heap is set");
    if (heap == nullptr) return;
    const D3D12_DESCRIPTOR_HEAP_DESC desc = heap->GetDesc();
    expect(desc.Type == D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV &&
               (desc.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0,
           "a descriptor heap of the wrong type");
    const SIZE_T cpu = table.desc.CPUDescriptorHandle.ptr - heap->GetCPUDescriptorHandleForHeapStart().ptr;
    const UINT64 gpu = table.desc.GPUDescriptorHandle.ptr - heap->GetGPUDescriptorHandleForHeapStart().ptr;
    expect(cpu == gpu, "the table's two handles are different descriptors, and nothing was copied");
    expect(cpu % w().increment() == 0 && cpu / w().increment() + table.desc.SizeInDescriptors <= desc.NumDescriptors,
           "the table's descriptors are not in the heap that is set");
  }

  // Checks that a buffer has the size and alignment that DirectML requires.
  bool check_buffer(const binding& b, UINT64 bytes, UINT64 alignment, const std::string& what) const {
    expect(b.type == DML_BINDING_TYPE_BUFFER && b.buffer.Buffer != nullptr, what + " is not bound");
    if (b.type != DML_BINDING_TYPE_BUFFER || b.buffer.Buffer == nullptr) return false;
    const D3D12_RESOURCE_DESC desc = b.buffer.Buffer->GetDesc();
    D3D12_HEAP_PROPERTIES heap{};
    d3d12::check_result(b.buffer.Buffer->GetHeapProperties(&heap, nullptr), "ID3D12Resource::GetHeapProperties");
    expect(desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER, what + " is no buffer");
    expect(heap.Type == D3D12_HEAP_TYPE_DEFAULT, what + " is in a heap of the host's");
    expect((desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0, what + " does not allow unordered access");
    expect(b.buffer.Offset % alignment == 0, what + " is at a wrong offset");
    expect(b.buffer.SizeInBytes % 4 == 0, what + ": the size is no multiple of 4");
    expect(b.buffer.SizeInBytes >= bytes,
           fmt::format("{}: {} bytes are bound, wanted {}", what, b.buffer.SizeInBytes, bytes));
    expect(b.buffer.Offset + b.buffer.SizeInBytes <= desc.Width, what + " ends behind its resource");
    return true;
  }

  // Checks that what a dispatch writes does not overlap any other of its bindings.
  void check_apart(std::span<const DML_BUFFER_BINDING> written, std::span<const DML_BUFFER_BINDING> others) const {
    const auto meet = [](const DML_BUFFER_BINDING& a, const DML_BUFFER_BINDING& b) {
      return a.Buffer == b.Buffer && a.Offset < b.Offset + b.SizeInBytes && b.Offset < a.Offset + a.SizeInBytes;
    };
    for (std::size_t i = 0; i < written.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) expect(!meet(written[i], written[k]), "two ranges that are written overlap");
      for (const DML_BUFFER_BINDING& other : others)
        expect(!meet(written[i], other), "a range that is written overlaps one that is read");
    }
  }

  // One of the two bindings that may be empty. Returns whether it is bound.
  bool check_scratch(const std::vector<binding>& bound, UINT64 bytes, const std::string& what) const {
    if (bytes == 0) {
      expect(bound.empty() || bound[0].type == DML_BINDING_TYPE_NONE, what + " is bound though none is needed");
      return false;
    }
    expect(bound.size() == 1, what + " is not bound");
    return bound.size() == 1 && check_buffer(bound[0], bytes, DML_TEMPORARY_BUFFER_ALIGNMENT, what);
  }

  void initialize(ID3D12GraphicsCommandList* list, const mock_initializer& initializer, const mock_table& table) {
    const auto operators = initializer.operators();
    const UINT64 bytes = w().set.executing.PersistentResourceSize;
    for (const binding& input : table.inputs)
      expect(input.type == DML_BINDING_TYPE_NONE, "an initializer has an input though DirectML owns none");
    expect(table.inputs.empty() || table.inputs.size() == operators.size(),
           "an initializer's inputs are too many or few");
    expect(table.persistent.empty(), "an initializer has a persistent resource of its own");
    expect(table.outputs.size() == operators.size(), "not one persistent resource for each operator");
    const bool temporary = check_scratch(table.temporary, initializer.needs().TemporaryResourceSize,
                                         "the initializer's temporary resource");
    if (temporary)
      w().spy.dispatch_touches(table.temporary[0].buffer.Buffer, true, "the initializer's temporary resource");
    std::vector<DML_BUFFER_BINDING> written;
    if (temporary) written.push_back(table.temporary[0].buffer);
    for (const binding& output : table.outputs)
      if (output.type == DML_BINDING_TYPE_BUFFER) written.push_back(output.buffer);
    check_apart(written, {});
    const list_spy::pause paused(w().spy);
    if (temporary) w().fill(list, table.temporary[0].buffer, std::byte{0xEE});
    for (std::size_t i = 0; i < operators.size() && i < table.outputs.size(); ++i) {
      expect(!operators[i]->initialized, "an operator is initialised twice");
      operators[i]->initialized = true;
      if (!check_scratch({table.outputs[i]}, bytes, "the persistent resource")) continue;
      operators[i]->persistent = table.outputs[i].buffer;
      w().spy.dispatch_touches(table.outputs[i].buffer.Buffer, true, "the persistent resource");
      w().fill(list, table.outputs[i].buffer, std::byte{0x5C});
    }
  }

  void execute(ID3D12GraphicsCommandList* list, const mock_compiled& op, const mock_table& table) {
    ++w().found.dispatches;
    expect(op.initialized, "an operator is executed that was not initialised");
    const bool temporary = check_scratch(table.temporary, op.needs().TemporaryResourceSize, "the temporary resource");
    const bool persistent =
        check_scratch(table.persistent, op.needs().PersistentResourceSize, "the persistent resource");
    std::vector<DML_BUFFER_BINDING> in, out;
    if (!check_tensors(op.what().inputs, table.inputs, "input", in)) return;
    if (!check_tensors(op.what().outputs, table.outputs, "output", out)) return;
    for (const DML_BUFFER_BINDING& i : in)
      for (const DML_BUFFER_BINDING& o : out)
        expect(i.Buffer == nullptr || i.Buffer != o.Buffer, "a resource is bound as input and as output");
    std::vector<DML_BUFFER_BINDING> written = out, others = in;
    if (temporary) written.push_back(table.temporary[0].buffer);
    if (persistent) others.push_back(table.persistent[0].buffer);
    check_apart(written, others);
    for (const DML_BUFFER_BINDING& i : in)
      if (i.Buffer != nullptr) w().spy.dispatch_touches(i.Buffer, false, "an input");
    for (const DML_BUFFER_BINDING& o : out) w().spy.dispatch_touches(o.Buffer, true, "an output");
    if (temporary) w().spy.dispatch_touches(table.temporary[0].buffer.Buffer, true, "the temporary resource");
    if (persistent) {
      const DML_BUFFER_BINDING& now = table.persistent[0].buffer;
      expect(now.Buffer == op.persistent.Buffer && now.Offset == op.persistent.Offset,
             "the persistent resource is not the one that was initialised");
      w().spy.dispatch_touches(now.Buffer, false, "the persistent resource");
    }

    const list_spy::pause paused(w().spy);
    if (persistent) w().expect_filled(list, table.persistent[0].buffer, std::byte{0x5C});
    if (temporary) w().fill(list, table.temporary[0].buffer, std::byte{0xEE});
    if (w().set.errs && w().set.errs(op.what().name())) return w().spoil(list, out);
    op.what().record(w(), list, in, out);
  }

  bool check_tensors(const std::vector<std::optional<tensor_desc>>& tensors, const std::vector<binding>& bound,
                     const std::string& role, std::vector<DML_BUFFER_BINDING>& ranges) const {
    expect(tensors.size() == bound.size(), "not as many " + role + "s are bound as the operator has");
    if (tensors.size() != bound.size()) return false;
    bool all = true;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::string what = fmt::format("{} {}", role, i);
      ranges.push_back(bound[i].buffer);
      if (!tensors[i])
        expect(bound[i].type == DML_BINDING_TYPE_NONE, what + " is bound though the operator has none");
      else
        all = check_buffer(
                  bound[i], *tensors[i]->total_tensor_size_in_bytes,
                  (std::max<UINT64>)(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, tensors[i]->guaranteed_base_offset_alignment),
                  what) &&
              all;
    }
    return all;
  }
};

}  // namespace directml_mock
