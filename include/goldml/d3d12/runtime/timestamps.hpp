// timestamps: the time at which the GPU reached marks in a command list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <goldml/d3d12/runtime/device.hpp>

namespace goldml::d3d12 {

class timestamps {
 public:
  timestamps(const device& gpu, UINT count)
      : count_(count), times_(gpu.memory(), heap::readback, std::uint64_t{count} * sizeof(std::uint64_t)) {
    const D3D12_QUERY_HEAP_DESC desc{D3D12_QUERY_HEAP_TYPE_TIMESTAMP, count, 0};
    check_result(gpu.native()->CreateQueryHeap(&desc, iid_of<ID3D12QueryHeap>(), queries_.put_void()),
                 "ID3D12Device::CreateQueryHeap", gpu.native());
    check_result(gpu.queue()->GetTimestampFrequency(&frequency_), "ID3D12CommandQueue::GetTimestampFrequency",
                 gpu.native());
  }

  // Records mark `index` (below `count`): the time when everything recorded before it has finished.
  void mark(ID3D12GraphicsCommandList* list, UINT index) const {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;  // for every resource
    list->ResourceBarrier(1, &barrier);
    list->EndQuery(queries_.get(), D3D12_QUERY_TYPE_TIMESTAMP, index);
  }

  // Call after the last mark, in the same list. All marks must have been recorded.
  void resolve(ID3D12GraphicsCommandList* list) const {
    list->ResolveQueryData(queries_.get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, count_, times_.resource(), 0);
  }

  // Call when the GPU has finished. Returns the seconds from each mark to the next.
  std::vector<double> seconds() const {
    std::vector<std::uint64_t> ticks(count_);
    times_.map([&](const std::byte* data) { std::memcpy(ticks.data(), data, ticks.size() * sizeof(ticks[0])); });
    std::vector<double> result;
    for (std::size_t i = 1; i < ticks.size(); ++i)
      result.push_back(static_cast<double>(ticks[i] - ticks[i - 1]) / static_cast<double>(frequency_));
    return result;
  }

 private:
  UINT count_;
  com_ptr<ID3D12QueryHeap> queries_;
  buffer times_;
  UINT64 frequency_ = 0;
};

}  // namespace goldml::d3d12
