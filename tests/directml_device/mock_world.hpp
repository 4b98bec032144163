// State shared by the objects of the mock: settings, findings, objects that must live until the GPU has finished; and
// the part of COM that all of them implement.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/d3d12/runtime/resident.hpp>
#include <goldml/directml/binding.hpp>
#include <goldml/directml/from_directml.hpp>

#include "../support/run_case.hpp"
#include "list_spy.hpp"

namespace directml_mock {

using namespace goldml;

// The behaviour of this DirectML.
struct settings {
  goldml::feature_level level = feature_level::latest;
  bool knows_levels = true;                         // false: like the first DirectML
  data_type unsupported_type = data_type::unknown;  // on the adapter
  DML_BINDING_PROPERTIES initializing = {1, 0, 0};
  DML_BINDING_PROPERTIES executing = {5, 0, 0};
  std::optional<std::uint64_t> fails_at = {};  // the number of the call, of those that return a HRESULT
  HRESULT failure = E_OUTOFMEMORY;
  std::optional<std::uint64_t> removed_at = {};  // the number of the call, of those that return nothing
  // Deviations from the specification.
  std::function<bool(std::string_view operator_name)> refuses = {};  // legal descs
  std::function<bool(std::string_view rule)> accepts = {};           // illegal descs
  std::function<bool(std::string_view operator_name)> errs = {};     // computes wrong results
};

constexpr HRESULT device_removed = static_cast<HRESULT>(0x887A0005), device_hung = static_cast<HRESULT>(0x887A0006);

class world {
 public:
  world(const d3d12::device& device, const settings& s) : set(s), gpu(device), spy(device, found) {}

  settings set;
  findings found;
  const d3d12::device& gpu;
  list_spy spy;
  int live_objects = 0;
  std::vector<std::optional<tensor_desc>> described;  // the tensors of the last operator that was created
  HRESULT removed = S_OK;
  std::string failed_call;
  std::uint64_t failing_calls = 0;  // calls that return a HRESULT
  std::uint64_t silent_calls = 0;   // calls that return nothing

  // A call that returns a HRESULT.
  HRESULT call(std::string_view name) {
    ++found.calls;
    if (set.fails_at == failing_calls++) {
      failed_call = name;
      return set.failure;
    }
    return removed;
  }
  // A call that returns nothing.
  void silent_call(std::string_view name) {
    ++found.calls;
    if (set.removed_at == silent_calls++) {
      failed_call = name;
      removed = device_hung;
    }
  }

  // Marks descriptors as used by a recorded dispatch until its list has finished.
  void use_descriptors(const D3D12_CPU_DESCRIPTOR_HANDLE& first, UINT count) {
    forget_done_lists();
    used_.push_back({first.ptr, first.ptr + SIZE_T{count} * increment()});
  }
  void write_descriptors(const D3D12_CPU_DESCRIPTOR_HANDLE& first, UINT count) {
    forget_done_lists();
    for (const auto& [begin, end] : used_)
      found.expect(first.ptr >= end || begin >= first.ptr + SIZE_T{count} * increment(),
                   "descriptors are overwritten that a recorded dispatch uses");
  }
  UINT increment() const {
    return gpu.native()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  }

  // Records a fill of the range, which is in state UNORDERED_ACCESS, with bytes of one value.
  void fill(ID3D12GraphicsCommandList* list, const DML_BUFFER_BINDING& b, std::byte value) {
    upload(list, b, std::vector<std::byte>(b.SizeInBytes, value));
  }

  // Records what a dispatch may do to its outputs: padding and undefined elements may get any value.
  void spoil(ID3D12GraphicsCommandList* list, std::span<const DML_BUFFER_BINDING> outputs) {
    for (const DML_BUFFER_BINDING& output : outputs)
      if (output.Buffer != nullptr) fill(list, output, std::byte{0xCD});
  }

  // Records a copy of the range, which settle() checks to be bytes of one value.
  void expect_filled(ID3D12GraphicsCommandList* list, const DML_BUFFER_BINDING& b, std::byte value) {
    read_back(list, b, "the persistent resource is not what was initialised",
              [value, size = b.SizeInBytes](const auto* data) {
                return std::all_of(data, data + size, [&](std::byte got) { return got == value; });
              });
  }

  // The inputs that the next dispatch must get, with what outputs contain that it reads, and the outputs that it gives
  // if its operator has no shaders.
  void expect_dispatch(const std::vector<host_tensor>& inputs, const std::vector<host_tensor>& answer) {
    expected_inputs_ = inputs;
    answer_ = answer;
  }
  void expect_inputs(ID3D12GraphicsCommandList* list, std::span<const DML_BUFFER_BINDING> in,
                     std::span<const DML_BUFFER_BINDING> out) {
    std::vector<DML_BUFFER_BINDING> bound(in.begin(), in.end());
    bound.insert(bound.end(), out.begin(), out.end());
    for (std::size_t i = 0; i < expected_inputs_.size(); ++i) {
      if (i >= in.size() && expected_inputs_[i].omitted()) continue;  // an output that is not read
      if (i >= bound.size() || (bound[i].Buffer == nullptr) != expected_inputs_[i].bytes().empty())
        found.expect(false, fmt::format("input {} is bound, or it is not, unlike the case's", i));
      else if (bound[i].Buffer != nullptr)
        read_back(list, bound[i], fmt::format("input {} has other elements than the case's", i),
                  [input = expected_inputs_[i], size = bound[i].SizeInBytes](const std::byte* data) {
                    return goldml_test::logical_bytes(const_tensor_ref(input.desc(), data, size)) ==
                           goldml_test::logical_bytes(input.ref());
                  });
    }
    expected_inputs_.clear();
  }
  // Gives the elements; the bytes between them are others than the test's.
  void give_answer(ID3D12GraphicsCommandList* list, std::span<const DML_BUFFER_BINDING> bound) {
    found.expect(answer_.size() == bound.size(),
                 "an operator without shaders is dispatched, and the test has no answer");
    for (std::size_t i = 0; i < answer_.size() && i < bound.size(); ++i) {
      if (answer_[i].omitted()) continue;
      host_tensor given(answer_[i].desc(), std::byte{0xCD});
      if (is_4_bit(given.desc().data_type)) pack(readable_tensor(std::as_const(answer_[i]).ref()).ref(), given.ref());
      visit_data_type(all_types{}, given.desc().data_type, [&]<class T>(std::type_identity<T>) {
        const tensor_view<T> to = given.ref().as<T>();
        const tensor_view<const T> from = std::as_const(answer_[i]).ref().as<T>();
        for (const coordinate_tuple& c : coordinates_of(to.sizes())) to[c] = from[c];
      });
      std::vector<std::byte> bytes = given.bytes();
      bytes.resize(bound[i].SizeInBytes, std::byte{0xCD});
      upload(list, bound[i], bytes);
    }
    answer_.clear();
  }

  // For the operator's own dispatches; kept until settle().
  d3d12::recording& new_recording(ID3D12GraphicsCommandList* list) {
    recordings_.push_back(std::make_unique<d3d12::recording>(gpu, list));
    return *recordings_.back();
  }

  // Call after each call, when the GPU has finished. Only `devices` objects may be alive: the device, or none if it
  // could not be created.
  void settle(int devices = 1) {
    for (const awaited_bytes& a : awaited_) {
      if (spy.closed_lists() == a.recorded_at) continue;  // never run
      a.bytes.map([&](const std::byte* data) { found.expect(a.holds(data), a.complaint); });
    }
    awaited_.clear();
    expected_inputs_.clear();
    answer_.clear();
    recordings_.clear();
    staging_.clear();
    found.expect(live_objects == devices, fmt::format("{} objects live, wanted {}", live_objects, devices));
  }

 private:
  struct awaited_bytes {
    d3d12::buffer bytes;
    std::uint64_t recorded_at;
    std::string complaint;
    std::function<bool(const std::byte* data)> holds;
  };

  // Records a copy to the range.
  void upload(ID3D12GraphicsCommandList* list, const DML_BUFFER_BINDING& b, const std::vector<std::byte>& bytes) {
    staging_.emplace_back(gpu.memory(), d3d12::heap::upload, bytes.size());
    staging_.back().map([&](std::byte* data) { std::memcpy(data, bytes.data(), bytes.size()); });
    transition(list, b.Buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyBufferRegion(b.Buffer, b.Offset, staging_.back().resource(), 0, bytes.size());
    transition(list, b.Buffer, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }

  // Records a copy of the range, which settle() passes to `holds`.
  void read_back(ID3D12GraphicsCommandList* list, const DML_BUFFER_BINDING& b, std::string complaint,
                 std::function<bool(const std::byte* data)> holds) {
    awaited_.push_back({d3d12::buffer(gpu.memory(), d3d12::heap::readback, b.SizeInBytes), spy.closed_lists(),
                        std::move(complaint), std::move(holds)});
    transition(list, b.Buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyBufferRegion(awaited_.back().bytes.resource(), 0, b.Buffer, b.Offset, b.SizeInBytes);
    transition(list, b.Buffer, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }

  void forget_done_lists() {
    if (std::exchange(used_at_, spy.closed_lists()) != spy.closed_lists()) used_.clear();
  }

  static void transition(ID3D12GraphicsCommandList* list, ID3D12Resource* resource, D3D12_RESOURCE_STATES from,
                         D3D12_RESOURCE_STATES to) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
    list->ResourceBarrier(1, &barrier);
  }

  std::vector<std::pair<SIZE_T, SIZE_T>> used_;
  std::uint64_t used_at_ = 0;
  std::vector<d3d12::buffer> staging_;
  std::vector<awaited_bytes> awaited_;
  std::vector<host_tensor> expected_inputs_, answer_;
  std::vector<std::unique_ptr<d3d12::recording>> recordings_;
};

// A COM object with a reference count. Derived classes implement the interfaces' own functions.
template <class Interface>
class object : public Interface {
 public:
  explicit object(world& of) : world_(&of) { ++world_->live_objects; }
  object(const object&) = delete;
  object& operator=(const object&) = delete;
  virtual ~object() { --world_->live_objects; }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void** result) override {
    *result = nullptr;
    return E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++references_; }
  ULONG STDMETHODCALLTYPE Release() override {
    const ULONG left = --references_;
    if (left == 0) delete this;
    return left;
  }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, IUnknown*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetName(PCWSTR) override { return E_NOTIMPL; }

 protected:
  world& w() const { return *world_; }
  void expect(bool holds, const std::string& what) const { world_->found.expect(holds, what); }

 private:
  world* world_;
  std::atomic<ULONG> references_{1};
};

template <class Interface>
class child : public object<Interface> {
 public:
  using object<Interface>::object;
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void** result) override {
    *result = nullptr;
    return E_NOTIMPL;
  }
};

inline bool same(const GUID& a, const GUID& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace directml_mock
