// recorder: records dispatches of shaders into a command list, with their barriers, descriptors and scratch memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/violation.hpp>
#include <goldml/d3d12/runtime/device.hpp>

namespace goldml::d3d12 {

// Must live until the GPU has finished the recorded work. Changes only the root signature, pipeline and descriptor
// heaps of the list.
class recorder {
 public:
  recorder(const device& gpu, ID3D12GraphicsCommandList* list) : gpu_(&gpu), list_(list) {}
  ~recorder() {
    for (auto& heap : heaps_) gpu_->give_back(std::move(heap));
  }
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  const device& gpu() const { return *gpu_; }
  bool may_use_tables() const { return gpu_->options().bindings != bindings::root; }
  bool must_use_tables() const { return gpu_->options().bindings == bindings::tables; }

  // Registers a resource of the caller and its current state. close() restores that state.
  void use(ID3D12Resource* resource, D3D12_RESOURCE_STATES state) {
    if (find(resource) == nullptr) resources_.push_back({resource, state, state, true, false});
    tracked& t = *find(resource);
    t.state = t.home = state;
  }

  // Device memory in a separate resource, contents undefined; the size is rounded up to 16 bytes. Reserved for the
  // operator until close().
  buffer_range scratch(std::uint64_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    for (scratch_buffer& s : scratch_)
      if (!s.busy && s.memory.capacity() == memory::size_class(bytes)) {
        s.busy = true;
        return {s.memory.resource(), 0, bytes};
      }
    scratch_.push_back({buffer(gpu_->memory(), heap::device, bytes), true});
    ID3D12Resource* const resource = scratch_.back().memory.resource();
    resources_.push_back({resource, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COMMON, false, false});
    return {resource, 0, bytes};
  }

  // Records one pass. It sees what earlier passes wrote.
  void dispatch(const pass& p) {
    const shader& code = *p.code;
    check_pass(p);
    for (const view& v : p.reads)
      if (v.range.resource != nullptr) to(v.range.resource, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
    for (const view& v : p.writes)
      if (v.range.resource != nullptr) to(v.range.resource, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    flush_barriers();

    list_->SetComputeRootSignature(gpu_->pipelines().signature(code.binding));
    list_->SetPipelineState(gpu_->pipelines().pipeline(code));
    if (!p.constants.empty())
      list_->SetComputeRoot32BitConstants(root_parameter::constants, static_cast<UINT>(p.constants.size()),
                                          p.constants.data(), 0);
    if (!p.block.empty()) list_->SetComputeRootConstantBufferView(root_parameter::block, upload_block(p.block));
    if (code.binding == binding_model::table)
      bind_table(p);
    else
      bind_root(p);
    list_->Dispatch(p.groups[0], p.groups[1], p.groups[2]);
    for (const view& v : p.writes)
      if (tracked* t = find(v.range.resource)) t->written = true;
  }

  // Reads the words back after all passes. throw_refusals() calls `check` with them and throws the violation that it
  // returns.
  void check_after(const buffer_range& words,
                   std::function<std::optional<violation>(std::span<const std::uint32_t>)> check) {
    checks_.push_back({words, buffer(gpu_->memory(), heap::readback, words.size), std::move(check)});
  }

  // Call after the last pass of an operator. Records the copies for check_after() and restores the states given to
  // use().
  void close() {
    for (; closed_checks_ < checks_.size(); ++closed_checks_)
      copy(checks_[closed_checks_].words, checks_[closed_checks_].readback.range());
    for (tracked& t : resources_)
      if (t.borrowed) to(t.resource, t.home);
    flush_barriers();
    for (scratch_buffer& s : scratch_) s.busy = false;
  }

  // Call when the GPU has finished. Throws error with the first violation that a check finds.
  void throw_refusals() const {
    for (const awaited_check& c : checks_) {
      std::vector<std::uint32_t> words(static_cast<std::size_t>(c.words.size / 4));
      c.readback.map([&](const std::byte* data) { std::memcpy(words.data(), data, words.size() * 4); });
      if (const auto broken = c.check(words)) throw error(*broken);
    }
  }

  // Records a copy of bytes. `to_range` is in an upload or readback heap, or in a resource that the recorder knows.
  void copy(const buffer_range& from, const buffer_range& to_range) {
    if (find(from.resource) != nullptr) to(from.resource, D3D12_RESOURCE_STATE_COPY_SOURCE);
    if (find(to_range.resource) != nullptr) to(to_range.resource, D3D12_RESOURCE_STATE_COPY_DEST);
    flush_barriers();
    list_->CopyBufferRegion(to_range.resource, to_range.offset, from.resource, from.offset, from.size);
  }

 private:
  struct tracked {
    ID3D12Resource* resource;
    D3D12_RESOURCE_STATES state;
    D3D12_RESOURCE_STATES home;
    bool borrowed;  // the caller's: `home` is restored by close()
    bool written;   // written by a shader since the last barrier
  };

  struct scratch_buffer {
    buffer memory;
    bool busy;  // reserved for the current operator, otherwise free for the next one
  };

  struct awaited_check {
    buffer_range words;
    buffer readback;
    std::function<std::optional<violation>(std::span<const std::uint32_t>)> check;
  };

  tracked* find(ID3D12Resource* resource) {
    const auto found =
        std::find_if(resources_.begin(), resources_.end(), [&](const tracked& t) { return t.resource == resource; });
    return found == resources_.end() ? nullptr : &*found;
  }

  void to(ID3D12Resource* resource, D3D12_RESOURCE_STATES state) {
    tracked& t = *find(resource);
    D3D12_RESOURCE_BARRIER barrier{};
    if (t.state != state) {
      barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
      barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, t.state, state};
      t.state = state;
    } else if (t.written) {
      barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
      barrier.UAV.pResource = resource;
    } else {
      return;
    }
    t.written = false;
    barriers_.push_back(barrier);
  }

  void flush_barriers() {
    if (!barriers_.empty()) list_->ResourceBarrier(static_cast<UINT>(barriers_.size()), barriers_.data());
    barriers_.clear();
  }

  [[noreturn]] static void misuse(const pass& p, std::string_view what) {
    throw std::logic_error(fmt::format("goldml: d3d12 pass of {}: {}", p.code->name, what));
  }

  void check_pass(const pass& p) {
    if (p.constants.size() > most_constants) misuse(p, "more than 32 constants");
    if (p.block.size() > 16384) misuse(p, "a block of more than 64 KiB");
    if (p.reads.size() > most_views || p.writes.size() > most_views) misuse(p, "more than 4 views of a kind");
    for (const std::uint32_t groups : p.groups)
      if (groups == 0 || groups > 65535) misuse(p, "groups outside 1 to 65535");
    for (const auto* views : {&p.reads, &p.writes})
      for (const view& v : *views) {
        if (v.range.resource == nullptr) continue;
        if (find(v.range.resource) == nullptr) misuse(p, "an unknown resource");
        if (!fits(v)) misuse(p, "a view that does not fit its resource, its alignment or the limit");
        if (p.code->binding == binding_model::root && v.kind != view_kind::raw && v.kind != view_kind::structured)
          misuse(p, "a typed view as a root descriptor");
      }
    for (const view& r : p.reads)
      for (const view& w : p.writes)
        if (r.range.resource != nullptr && r.range.resource == w.range.resource)
          misuse(p, "a resource that is read and written");
  }

  void bind_root(const pass& p) {
    for (UINT i = 0; i < p.reads.size(); ++i)
      if (const buffer_range& r = p.reads[i].range; r.resource != nullptr)
        list_->SetComputeRootShaderResourceView(root_parameter::first_read + i, address(r));
    for (UINT i = 0; i < p.writes.size(); ++i)
      if (const buffer_range& r = p.writes[i].range; r.resource != nullptr)
        list_->SetComputeRootUnorderedAccessView(root_parameter::first_write + i, address(r));
  }

  static D3D12_GPU_VIRTUAL_ADDRESS address(const buffer_range& range) {
    return range.resource->GetGPUVirtualAddress() + range.offset;
  }

  // Registers without a view get null descriptors.
  void bind_table(const pass& p) {
    constexpr UINT views = static_cast<UINT>(most_views);
    if (heaps_.empty() || used_descriptors_ + 2 * views > device::heap_size) {
      heaps_.push_back(gpu_->take_heap());
      used_descriptors_ = 0;
    }
    ID3D12DescriptorHeap* const heap = heaps_.back().get();
    list_->SetDescriptorHeaps(1, &heap);
    const UINT increment = gpu_->native()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    D3D12_CPU_DESCRIPTOR_HANDLE next = heap->GetCPUDescriptorHandleForHeapStart();
    next.ptr += SIZE_T{used_descriptors_} * increment;
    for (UINT i = 0; i < views; ++i, next.ptr += increment)
      describe_read(i < p.reads.size() ? p.reads[i] : view{}, next);
    for (UINT i = 0; i < views; ++i, next.ptr += increment)
      describe_write(i < p.writes.size() ? p.writes[i] : view{}, next);
    D3D12_GPU_DESCRIPTOR_HANDLE table = heap->GetGPUDescriptorHandleForHeapStart();
    table.ptr += UINT64{used_descriptors_} * increment;
    list_->SetComputeRootDescriptorTable(root_parameter::table, table);
    used_descriptors_ += 2 * views;
  }

  static DXGI_FORMAT format_of(view_kind kind) {
    switch (kind) {
      case view_kind::raw: return DXGI_FORMAT_R32_TYPELESS;
      case view_kind::structured: return DXGI_FORMAT_UNKNOWN;
      case view_kind::words: return DXGI_FORMAT_R32_UINT;
      case view_kind::pairs: return DXGI_FORMAT_R32G32_UINT;
      case view_kind::halves: return DXGI_FORMAT_R16_FLOAT;
      case view_kind::bytes: return DXGI_FORMAT_R8_UINT;
      default: return DXGI_FORMAT_R32G32B32A32_UINT;
    }
  }

  void describe_read(const view& v, D3D12_CPU_DESCRIPTOR_HANDLE at) const {
    D3D12_SHADER_RESOURCE_VIEW_DESC desc{};
    const std::uint32_t element = element_bytes(v.kind);
    desc.Format = format_of(v.kind);
    desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
    desc.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
    desc.Buffer.FirstElement = v.range.offset / element;
    desc.Buffer.NumElements = static_cast<UINT>((v.range.size + element - 1) / element);
    if (v.kind == view_kind::structured) desc.Buffer.StructureByteStride = element;
    if (v.kind == view_kind::raw) desc.Buffer.Flags = D3D12_BUFFER_SRV_FLAG_RAW;
    gpu_->native()->CreateShaderResourceView(v.range.resource, &desc, at);
  }

  void describe_write(const view& v, D3D12_CPU_DESCRIPTOR_HANDLE at) const {
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
    const std::uint32_t element = element_bytes(v.kind);
    desc.Format = format_of(v.kind);
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.FirstElement = v.range.offset / element;
    desc.Buffer.NumElements = static_cast<UINT>((v.range.size + element - 1) / element);
    if (v.kind == view_kind::structured) desc.Buffer.StructureByteStride = element;
    if (v.kind == view_kind::raw) desc.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
    gpu_->native()->CreateUnorderedAccessView(v.range.resource, nullptr, &desc, at);
  }

  // Uploads the words for b1; returns their address.
  D3D12_GPU_VIRTUAL_ADDRESS upload_block(std::span<const std::uint32_t> words) {
    constexpr std::uint64_t block_alignment = 256;  // of constant buffers
    const std::uint64_t bytes = (words.size_bytes() + block_alignment - 1) / block_alignment * block_alignment;
    if (blocks_.empty() || used_block_bytes_ + bytes > block_bytes) {
      blocks_.emplace_back(gpu_->memory(), heap::upload, block_bytes);
      used_block_bytes_ = 0;
    }
    const std::uint64_t at = std::exchange(used_block_bytes_, used_block_bytes_ + bytes);
    blocks_.back().map([&](std::byte* data) { std::memcpy(data + at, words.data(), words.size_bytes()); });
    return blocks_.back().resource()->GetGPUVirtualAddress() + at;
  }

  static constexpr std::uint64_t block_bytes = 64 * 1024;
  const device* gpu_;
  ID3D12GraphicsCommandList* list_;
  std::vector<tracked> resources_;
  std::vector<D3D12_RESOURCE_BARRIER> barriers_;
  std::vector<scratch_buffer> scratch_;
  std::vector<awaited_check> checks_;
  std::size_t closed_checks_ = 0;  // checks whose copy is recorded
  std::vector<com_ptr<ID3D12DescriptorHeap>> heaps_;
  UINT used_descriptors_ = 0;
  std::vector<buffer> blocks_;  // the memory of b1
  std::uint64_t used_block_bytes_ = 0;
};

}  // namespace goldml::d3d12
