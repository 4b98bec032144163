// Observes what is recorded into command lists: states of resources, barriers between dispatches, descriptor heaps. The
// table of functions that all lists of the driver share is changed in place while a spy lives; there is one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/d3d12/runtime/device.hpp>

#ifndef _WIN32
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace directml_mock {

// The complaints, and how much was checked.
struct findings {
  std::vector<std::string> complaints;
  std::uint64_t calls = 0;       // of DirectML's interfaces
  std::uint64_t dispatches = 0;  // of operators
  std::uint64_t barriers = 0;
  std::uint64_t copies = 0;

  void expect(bool holds, const std::string& what) {
    if (!holds && complaints.size() < 20) complaints.push_back(what);
  }
};

class list_spy {
 public:
  list_spy(const goldml::d3d12::device& gpu, findings& found) : found_(&found) {
    if (spy() != nullptr) throw std::logic_error("one spy at a time");
    const goldml::d3d12::command_list list = gpu.take_list();
    table_ = *reinterpret_cast<void***>(list.list.get());
    for (const hook& h : hooks()) exchange(h.slot, h.replacement, &originals_[h.slot]);
    spy() = this;
  }
  ~list_spy() {
    for (const hook& h : hooks()) exchange(h.slot, originals_[h.slot], nullptr);
    spy() = nullptr;
  }
  list_spy(const list_spy&) = delete;
  list_spy& operator=(const list_spy&) = delete;

  // During its lifetime, lists are not observed.
  class pause {
   public:
    explicit pause(list_spy& s) : spy_(&s) { spy_->paused_ = true; }
    ~pause() { spy_->paused_ = false; }
    pause(const pause&) = delete;
    pause& operator=(const pause&) = delete;

   private:
    list_spy* spy_;
  };

  // How a dispatch uses a resource.
  void dispatch_touches(ID3D12Resource* resource, bool writes, const std::string& what) {
    tracked& t = resources_[resource];
    found_->expect(t.state == D3D12_RESOURCE_STATE_UNORDERED_ACCESS || t.state == D3D12_RESOURCE_STATE_COMMON,
                   fmt::format("{} is in state {:#x} at the dispatch", what, static_cast<unsigned>(t.state)));
    found_->expect(!t.written, what + " was written by a dispatch before, and no barrier waits for it");
    t.state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    t.now_written = t.now_written || writes;
  }
  void dispatch_done() {
    for (auto& [resource, t] : resources_)
      if (t.now_written) t.written = true, t.now_written = false;
  }

  // The current heap, or null.
  ID3D12DescriptorHeap* heap() const { return heap_; }

  // The number of closed lists: the work of one can be assumed finished when the next is closed.
  std::uint64_t closed_lists() const { return closed_; }

 private:
  struct tracked {
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
    bool written = false;      // by a dispatch, since the last barrier
    bool now_written = false;  // by the dispatch that is being recorded
  };
  struct hook {
    std::size_t slot;
    void* replacement;
  };

  static list_spy*& spy() {
    static list_spy* current = nullptr;
    return current;
  }

  // Places in the table: IUnknown, ID3D12Object, ID3D12DeviceChild, ID3D12CommandList, ID3D12GraphicsCommandList.
  static constexpr std::size_t close_slot = 9, copy_slot = 15, barrier_slot = 26, heaps_slot = 28;

  static std::array<hook, 4> hooks() {
    return {{{close_slot, reinterpret_cast<void*>(&close)},
             {copy_slot, reinterpret_cast<void*>(&copy)},
             {barrier_slot, reinterpret_cast<void*>(&barrier)},
             {heaps_slot, reinterpret_cast<void*>(&set_heaps)}}};
  }

  template <class Function>
  Function original(std::size_t slot) const {
    return reinterpret_cast<Function>(originals_[slot]);
  }

  static HRESULT STDMETHODCALLTYPE close(ID3D12GraphicsCommandList* list) {
    spy()->resources_.clear();  // buffers are in state COMMON again when the list is done
    spy()->heap_ = nullptr;
    ++spy()->closed_;
    return spy()->original<decltype(&close)>(close_slot)(list);
  }

  static void STDMETHODCALLTYPE copy(ID3D12GraphicsCommandList* list, ID3D12Resource* to, UINT64 to_offset,
                                     ID3D12Resource* from, UINT64 from_offset, UINT64 bytes) {
    if (!spy()->paused_) {
      ++spy()->found_->copies;
      spy()->check_copy(to, to_offset, bytes, D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COPY_DEST, "target");
      spy()->check_copy(from, from_offset, bytes, D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_COPY_SOURCE, "source");
    }
    spy()->original<decltype(&copy)>(copy_slot)(list, to, to_offset, from, from_offset, bytes);
  }

  void check_copy(ID3D12Resource* resource, UINT64 offset, UINT64 bytes, D3D12_HEAP_TYPE host_heap,
                  D3D12_RESOURCE_STATES wanted, const char* what) {
    found_->expect(bytes > 0 && offset + bytes <= resource->GetDesc().Width,
                   fmt::format("the {} of a copy ends behind its resource", what));
    D3D12_HEAP_PROPERTIES properties{};
    goldml::d3d12::check_result(resource->GetHeapProperties(&properties, nullptr), "ID3D12Resource::GetHeapProperties");
    if (properties.Type == host_heap) return;
    found_->expect(properties.Type == D3D12_HEAP_TYPE_DEFAULT,
                   fmt::format("the {} of a copy is in a wrong heap", what));
    tracked& t = resources_[resource];
    if (t.state == D3D12_RESOURCE_STATE_COMMON) t.state = wanted;  // buffers are promoted
    found_->expect(t.state == wanted,
                   fmt::format("the {} of a copy is in state {:#x}", what, static_cast<unsigned>(t.state)));
  }

  static void STDMETHODCALLTYPE barrier(ID3D12GraphicsCommandList* list, UINT count,
                                        const D3D12_RESOURCE_BARRIER* barriers) {
    if (!spy()->paused_) {
      spy()->found_->barriers += count;
      spy()->found_->expect(count > 0, "a call of ResourceBarrier without barriers");
      for (UINT i = 0; i < count; ++i) spy()->check_barrier(barriers[i]);
    }
    spy()->original<decltype(&barrier)>(barrier_slot)(list, count, barriers);
  }

  void check_barrier(const D3D12_RESOURCE_BARRIER& b) {
    if (b.Type == D3D12_RESOURCE_BARRIER_TYPE_UAV) {
      for (auto& [resource, t] : resources_)
        if (b.UAV.pResource == nullptr || b.UAV.pResource == resource) t.written = false;
      return;
    }
    found_->expect(b.Type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION, "a barrier that is neither transition nor UAV");
    tracked& t = resources_[b.Transition.pResource];
    found_->expect(t.state == b.Transition.StateBefore,
                   fmt::format("a transition from state {:#x} of a resource in state {:#x}",
                               static_cast<unsigned>(b.Transition.StateBefore), static_cast<unsigned>(t.state)));
    found_->expect(b.Transition.StateBefore != b.Transition.StateAfter, "a transition that changes nothing");
    t.state = b.Transition.StateAfter;
    t.written = false;
  }

  static void STDMETHODCALLTYPE set_heaps(ID3D12GraphicsCommandList* list, UINT count,
                                          ID3D12DescriptorHeap* const* heaps) {
    if (!spy()->paused_) {
      spy()->found_->expect(count == 1, "not one descriptor heap");
      spy()->heap_ = heaps[0];
    }
    spy()->original<decltype(&set_heaps)>(heaps_slot)(list, count, heaps);
  }

  // The table is constant: its page is made writable for a moment.
  void exchange(std::size_t slot, void* replacement, void** original) {
    void** const entry = table_ + slot;
    if (original != nullptr) *original = *entry;
#ifdef _WIN32
    DWORD before = 0;
    if (VirtualProtect(entry, sizeof *entry, PAGE_READWRITE, &before) == 0) throw std::runtime_error("VirtualProtect");
    *entry = replacement;
    VirtualProtect(entry, sizeof *entry, before, &before);
#else
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto* const start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(entry) / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("mprotect");
    *entry = replacement;
    mprotect(start, page, PROT_READ);
#endif
  }

  findings* found_;
  void** table_ = nullptr;
  std::array<void*, 32> originals_{};
  std::map<ID3D12Resource*, tracked> resources_;
  ID3D12DescriptorHeap* heap_ = nullptr;
  std::uint64_t closed_ = 0;
  bool paused_ = false;
};

}  // namespace directml_mock
