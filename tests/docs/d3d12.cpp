// The code of docs/d3d12.md. Part of test_d3d12.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>

#include "../d3d12/gpu.hpp"
#include "catch.hpp"

using namespace goldml;

namespace {

std::vector<std::uint32_t> least_of_rows(const std::vector<float>& x) {
  const d3d12::device gpu;  // or gpu({.adapter = "NVIDIA"})
  std::vector<std::uint32_t> y(3);
  argmin(gpu, tensor_view{x, {3, 3}}, tensor_view{y, {3, 1}}, {.axes = {1}});
  return y;
}

void record_least_of_rows(d3d12::recording& work, ID3D12Resource* x, ID3D12Resource* y) {
  const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 3}};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = {3, 1}};
  work.add(argmin_desc{.axes = {1}}, {{x, 0, input}}, {{y, 256, output}});  // resource, offset in bytes, desc
}

d3d12::pass clear_words(ID3D12Resource* memory, std::uint32_t count) {
  const d3d12::group_counts groups = d3d12::grid(d3d12::divide_up(count, 1024));
  d3d12::pass p = d3d12::pass_of<d3d12::shaders::clear>(groups, {.words = count, .groups_x = groups[0]});
  p.writes = {d3d12::raw({memory, 0, std::uint64_t{4} * count})};
  return p;
}

}  // namespace

TEST_CASE("d3d12: the code of the page") {
  if (!gpus::under_wine()) CHECK(least_of_rows({1, 2, 3, 3, 0, 4, 2, 5, 2}) == std::vector<std::uint32_t>{0, 1, 0});

  const d3d12::device gpu = gpus::open();
  const d3d12::buffer x(gpu.memory(), d3d12::heap::device, 36), y(gpu.memory(), d3d12::heap::device, 268);
  d3d12::command_list list = gpu.take_list();
  for (const d3d12::buffer* b : {&x, &y}) {
    // From COMMON into the state that the page's resources are in.
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {b->resource(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, D3D12_RESOURCE_STATE_COMMON,
                          D3D12_RESOURCE_STATE_UNORDERED_ACCESS};
    list.list->ResourceBarrier(1, &barrier);
  }
  d3d12::recording work(gpu, list.list.get());
  record_least_of_rows(work, x.resource(), y.resource());
  // The page's own pass, after the operator.
  work.passes().use(y.resource(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  work.passes().dispatch(clear_words(y.resource(), 66));
  work.passes().close();
  d3d12::buffer back(gpu.memory(), d3d12::heap::readback, 268);
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {y.resource(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                        D3D12_RESOURCE_STATE_COPY_SOURCE};
  list.list->ResourceBarrier(1, &barrier);
  list.list->CopyBufferRegion(back.resource(), 0, y.resource(), 0, 268);
  gpu.run(std::move(list));
  CHECK_NOTHROW(work.finish());
  back.map([&](const std::byte* data) {
    CHECK(std::all_of(data, data + 264, [](std::byte b) { return b == std::byte{0}; }));
  });
}
