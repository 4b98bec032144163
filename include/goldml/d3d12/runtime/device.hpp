// The backend d3d12::device: any Direct3D 12 adapter, on Windows or through vkd3d.
//   const d3d12::device gpu;                        the first hardware adapter
//   const d3d12::device gpu({.adapter = "NVIDIA"}); chosen by a part of its name
//   argmin(gpu, input, output, {.axes = {1}});      as with any backend; for resident buffers see resident.hpp
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/backend_options.hpp>
#include <goldml/d3d12/runtime/adapter.hpp>
#include <goldml/d3d12/runtime/memory.hpp>
#include <goldml/d3d12/runtime/pipelines.hpp>

namespace goldml::d3d12 {

// How the buffers of shaders are bound.
enum class bindings : std::uint8_t {
  automatic,  // whichever is faster
  root,       // root descriptors only: no typed views, buffers of at most 512 MiB; the only choice in Wine 8
  tables,     // descriptor tables wherever possible
};

struct device_options {
  std::string adapter = {};  // a part of its name; if empty, the first hardware adapter, or else a software one
  d3d12::bindings bindings = d3d12::bindings::automatic;
  shader_code code = shader_code::system;
};

// A command list that is being recorded, with its allocator.
struct command_list {
  com_ptr<ID3D12CommandAllocator> allocator;
  com_ptr<ID3D12GraphicsCommandList> list;

  explicit operator bool() const { return static_cast<bool>(list); }
};

// Owns the device, its queue, and objects kept for reuse. Thread-safe. Must be destroyed before main() returns; this
// releases everything.
class device {
 public:
  // Throws device_error if there is no such adapter, or no driver.
  explicit device(const device_options& options = {}) : options_(options) {
    const adapter_list list;
    const std::optional<std::size_t> chosen = choose_adapter(list.adapters(), options.adapter);
    if (!chosen) throw device_error(DXGI_ERROR_NOT_FOUND, "choosing an adapter", no_adapter_text(list.adapters()));
    adapter_ = list.adapters()[*chosen];
    if (adapter_.software && options.adapter.empty())
      std::fputs(fmt::format("d3d12: no hardware adapter, using {}\n", adapter_.name).c_str(), stderr);
    device_ = list.create_device(*chosen);
    D3D12_COMMAND_QUEUE_DESC desc{};
    desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    check_result(device_->CreateCommandQueue(&desc, iid_of<ID3D12CommandQueue>(), queue_.put_void()),
                 "ID3D12Device::CreateCommandQueue", device_.get());
    set_up();
  }

  // Uses the caller's device and queue (direct or compute). `options.adapter` is the name that adapter() returns.
  device(ID3D12Device* native, ID3D12CommandQueue* queue, const device_options& options = {})
      : options_(options),
        adapter_{options.adapter, false},
        device_(com_ptr<ID3D12Device>::share(native)),
        queue_(com_ptr<ID3D12CommandQueue>::share(queue)) {
    set_up();
  }

  device(device&&) = default;
  device& operator=(device&&) = default;

  const d3d12::adapter& adapter() const { return adapter_; }
  const device_options& options() const { return options_; }
  ID3D12Device* native() const { return device_.get(); }
  ID3D12CommandQueue* queue() const { return queue_.get(); }

  d3d12::memory& memory() const { return kept_->memory; }
  d3d12::pipelines& pipelines() const { return kept_->pipelines; }

  // An open list for the queue.
  command_list take_list() const {
    if (command_list spare = kept_->lists.take(0)) {
      check_result(spare.allocator->Reset(), "ID3D12CommandAllocator::Reset", native());
      check_result(spare.list->Reset(spare.allocator.get(), nullptr), "ID3D12GraphicsCommandList::Reset", native());
      return spare;
    }
    const D3D12_COMMAND_LIST_TYPE type = queue_->GetDesc().Type;
    command_list result;
    check_result(device_->CreateCommandAllocator(type, iid_of<ID3D12CommandAllocator>(), result.allocator.put_void()),
                 "ID3D12Device::CreateCommandAllocator", native());
    check_result(device_->CreateCommandList(0, type, result.allocator.get(), nullptr,
                                            iid_of<ID3D12GraphicsCommandList>(), result.list.put_void()),
                 "ID3D12Device::CreateCommandList", native());
    return result;
  }

  // Closes the list, executes it, and waits until the GPU has finished.
  void run(command_list list) const {
    check_result(list.list->Close(), "ID3D12GraphicsCommandList::Close", native());
    std::uint64_t value = 0;
    {
      const std::lock_guard lock(kept_->submitting);  // fence values must increase
      ID3D12CommandList* const lists[] = {list.list.get()};
      queue_->ExecuteCommandLists(1, lists);
      value = ++kept_->submitted;
      check_result(queue_->Signal(kept_->fence.get(), value), "ID3D12CommandQueue::Signal", native());
    }
    wait(value);
    check_result(device_->GetDeviceRemovedReason(), "running a command list", native());
    kept_->lists.give_back(0, std::move(list));
  }

  // A shader-visible heap of heap_size descriptors.
  static constexpr UINT heap_size = 512;
  com_ptr<ID3D12DescriptorHeap> take_heap() const {
    if (auto spare = kept_->heaps.take(0)) return spare;
    const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, heap_size,
                                          D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    com_ptr<ID3D12DescriptorHeap> result;
    check_result(device_->CreateDescriptorHeap(&desc, iid_of<ID3D12DescriptorHeap>(), result.put_void()),
                 "ID3D12Device::CreateDescriptorHeap", native());
    return result;
  }
  void give_back(com_ptr<ID3D12DescriptorHeap> heap) const { kept_->heaps.give_back(0, std::move(heap)); }

 private:
  struct kept_objects {
    kept_objects(const com_ptr<ID3D12Device>& device, shader_code code) : memory(device), pipelines(device, code) {}
    d3d12::memory memory;
    d3d12::pipelines pipelines;
    spare_objects<int, command_list> lists;
    spare_objects<int, com_ptr<ID3D12DescriptorHeap>> heaps;
    com_ptr<ID3D12Fence> fence;
    std::mutex submitting;
    std::uint64_t submitted = 0;
  };

  // The event that SetEventOnCompletion signals.
  class event {
   public:
    event() = default;
    event(const event&) = delete;
    event& operator=(const event&) = delete;
#ifdef _WIN32
    ~event() { CloseHandle(handle_); }
    HANDLE handle() const { return handle_; }
    void wait() const { WaitForSingleObject(handle_, INFINITE); }

   private:
    HANDLE handle_ = CreateEventW(nullptr, FALSE, FALSE, nullptr);
#else
    ~event() { vkd3d_destroy_event(handle_); }
    HANDLE handle() const { return handle_; }
    void wait() const { vkd3d_wait_event(handle_, VKD3D_INFINITE); }

   private:
    HANDLE handle_ = vkd3d_create_event();
#endif
  };

  void set_up() {
    kept_ = std::make_unique<kept_objects>(device_, options_.code);
    check_result(device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, iid_of<ID3D12Fence>(), kept_->fence.put_void()),
                 "ID3D12Device::CreateFence", native());
  }

  void wait(std::uint64_t value) const {
    if (kept_->fence->GetCompletedValue() >= value) return;
    const event done;
    check_result(kept_->fence->SetEventOnCompletion(value, done.handle()), "ID3D12Fence::SetEventOnCompletion",
                 native());
    done.wait();
  }

  std::string no_adapter_text(const std::vector<d3d12::adapter>& all) const {
    if (all.empty()) return "there is none; is there a driver?";
    std::string names;
    for (const d3d12::adapter& a : all) names += (names.empty() ? "" : ", ") + a.name;
    return fmt::format("none is called '{}'; there are: {}", options_.adapter, names);
  }

  device_options options_;
  d3d12::adapter adapter_;
  com_ptr<ID3D12Device> device_;
  com_ptr<ID3D12CommandQueue> queue_;
  std::unique_ptr<kept_objects> kept_;  // shares the device, and is destroyed first
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
inline constexpr backend_options options_of_backend<d3d12::device>{.writes_elements_only = true};

}  // namespace goldml
