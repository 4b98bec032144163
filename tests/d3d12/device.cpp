// Adapters, their choice, error messages, and that a device releases everything when it is destroyed.
#include "catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/d3d12/runtime/device.hpp>

#include "gpu.hpp"

using namespace goldml;
using d3d12::adapter;
using d3d12::choose_adapter;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The number of references to a COM object, not counting the caller's.
template <class Interface>
unsigned long other_references(Interface* object) {
  object->AddRef();
  return object->Release() - 1;
}

d3d12::device_error failure_of(const d3d12::device_options& options) {
  try {
    const d3d12::device gpu(options);
  } catch (const d3d12::device_error& problem) {
    return problem;
  }
  FAIL("no error");
  throw;
}

}  // namespace

TEST_CASE("d3d12: hardware comes first, in the order of the list") {
  CHECK(choose_adapter({}, "") == std::nullopt);
  const std::vector<adapter> software_first{{"llvmpipe", true}, {"NVIDIA H200", false}, {"Radeon", false}};
  CHECK(choose_adapter(software_first, "") == 1);
  const std::vector<adapter> software_only{{"llvmpipe", true}, {"WARP", true}};
  CHECK(choose_adapter(software_only, "") == 0);
}

TEST_CASE("d3d12: an adapter is chosen by any part of its name, ignoring case") {
  const std::vector<adapter> all{{"llvmpipe (LLVM 15)", true}, {"NVIDIA H200", false}, {"NVIDIA H100", false}};
  CHECK(choose_adapter(all, "H100") == 2);
  CHECK(choose_adapter(all, "nvidia") == 1);
  CHECK(choose_adapter(all, "LLVMpipe") == 0);  // software, because it was requested by name
  CHECK(choose_adapter(all, "Radeon") == std::nullopt);
  CHECK(choose_adapter(all, "NVIDIA H200 and more") == std::nullopt);
}

TEST_CASE("d3d12: the adapter that is opened is one of those listed") {
  const std::vector<adapter> all = d3d12::adapters();
  const d3d12::device gpu = gpus::open();
  REQUIRE_FALSE(all.empty());
  bool listed = false;
  for (const adapter& a : all)
    listed = listed || (a.name == gpu.adapter().name && a.software == gpu.adapter().software);
  CHECK(listed);
  CHECK(d3d12::device({.adapter = gpu.adapter().name}).adapter().name == gpu.adapter().name);
}

TEST_CASE("d3d12: the error for a missing adapter lists the adapters") {
  const d3d12::device_error problem = failure_of({.adapter = "no such adapter"});
  CHECK(problem.result() == DXGI_ERROR_NOT_FOUND);
  const std::string text = problem.what();
  CHECK(has(text, "0x887a0002 DXGI_ERROR_NOT_FOUND"));
  CHECK(has(text, "none is called 'no such adapter'"));
  CHECK(has(text, d3d12::adapters()[0].name));
}

TEST_CASE("d3d12: the error of a failed call names the call and its HRESULT") {
  const d3d12::device gpu = gpus::open();
  try {
    gpu.memory().take({d3d12::heap::device, std::uint64_t{1} << 60});
    FAIL("a buffer of 2^60 bytes was made");
  } catch (const d3d12::device_error& problem) {
    CHECK(FAILED(problem.result()));
    CHECK(problem.call() == "ID3D12Device::CreateCommittedResource of 1152921504606846976 bytes");
    CHECK(has(problem.what(), d3d12::result_text(problem.result())));
  }
  CHECK_NOTHROW(gpu.memory().take({d3d12::heap::device, 65536}));  // the device is still usable
}

TEST_CASE("d3d12: a removed device is reported as such, with the reason") {
  const HRESULT removed = static_cast<HRESULT>(0x887A0005), hung = static_cast<HRESULT>(0x887A0006);
  const d3d12::device_error gone = d3d12::failed_call(removed, "ID3D12Device::CreateFence", hung);
  CHECK(gone.result() == removed);
  CHECK(gone.call() == "ID3D12Device::CreateFence");
  CHECK(std::string(gone.what()) ==
        "d3d12: ID3D12Device::CreateFence failed: 0x887a0005 DXGI_ERROR_DEVICE_REMOVED, the device was removed: "
        "0x887a0006 DXGI_ERROR_DEVICE_HUNG");
  CHECK(std::string(d3d12::failed_call(E_INVALIDARG, "f", S_OK).what()) ==
        "d3d12: f failed: 0x80070057 E_INVALIDARG");
  for (const auto& [code, text] : {std::pair{0x8000'4001u, "0x80004001 E_NOTIMPL"},
                                   {0x8000'4002u, "0x80004002 E_NOINTERFACE"},
                                   {0x8007'000Eu, "0x8007000e E_OUTOFMEMORY"},
                                   {0x887A'0001u, "0x887a0001 DXGI_ERROR_INVALID_CALL"},
                                   {0x887A'0007u, "0x887a0007 DXGI_ERROR_DEVICE_RESET"},
                                   {0x887A'0020u, "0x887a0020 DXGI_ERROR_DRIVER_INTERNAL_ERROR"}})
    CHECK(d3d12::result_text(static_cast<HRESULT>(code)) == text);
  CHECK(d3d12::result_text(static_cast<HRESULT>(0x87654321)) == "0x87654321");
  CHECK_NOTHROW(d3d12::check_result(S_OK, "f"));
  CHECK_NOTHROW(d3d12::check_result(S_FALSE, "f"));
  CHECK_THROWS_AS(d3d12::check_result(E_FAIL, "f"), d3d12::device_error);
}

TEST_CASE("d3d12: destroying a device releases everything that it created") {
  d3d12::com_ptr<ID3D12Device> native;
  d3d12::com_ptr<ID3D12CommandQueue> queue;
  {
    const d3d12::device gpu = gpus::open();
    native = d3d12::com_ptr<ID3D12Device>::share(gpu.native());
    queue = d3d12::com_ptr<ID3D12CommandQueue>::share(gpu.queue());
    for (int i = 0; i < 3; ++i) {
      const d3d12::buffer kept(gpu.memory(), d3d12::heap::upload, 100);
      gpu.run(gpu.take_list());
      gpu.give_back(gpu.take_heap());
    }
  }
  CHECK(other_references(queue.get()) == 0);
  queue = {};
  CHECK(other_references(native.get()) == 0);
}

TEST_CASE("d3d12: the caller's device and direct queue") {
  const d3d12::device owner = gpus::open();
  D3D12_COMMAND_QUEUE_DESC desc{};
  desc.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
  d3d12::com_ptr<ID3D12CommandQueue> queue;
  d3d12::check_result(
      owner.native()->CreateCommandQueue(&desc, d3d12::iid_of<ID3D12CommandQueue>(), queue.put_void()), "queue");
  const d3d12::device gpu(owner.native(), queue.get());
  CHECK(gpu.native() == owner.native());
  CHECK(gpu.queue() == queue.get());
  d3d12::command_list list = gpu.take_list();
  CHECK(list.list->GetType() == D3D12_COMMAND_LIST_TYPE_DIRECT);
  CHECK_NOTHROW(gpu.run(std::move(list)));
}

TEST_CASE("d3d12: buffers, lists and heaps are reused, also by several threads") {
  const d3d12::device gpu = gpus::open();
  ID3D12Resource* first = nullptr;
  {
    const d3d12::buffer b(gpu.memory(), d3d12::heap::device, 1000);
    first = b.resource();
  }
  CHECK(d3d12::buffer(gpu.memory(), d3d12::heap::device, 2000).resource() == first);
  CHECK(d3d12::buffer(gpu.memory(), d3d12::heap::upload, 1000).resource() != first);
  CHECK(d3d12::buffer(gpu.memory(), d3d12::heap::device, 1'000'000).resource() != first);

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&gpu] {
      for (int i = 0; i < 50; ++i) {
        const d3d12::buffer b(gpu.memory(), d3d12::heap::readback, 100);
        gpu.run(gpu.take_list());
        gpu.give_back(gpu.take_heap());
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("d3d12: large buffers are not kept for reuse, and hardly larger than wanted") {
  const d3d12::device gpu = gpus::open();
  constexpr std::uint64_t most = std::uint64_t{16} << 20;  // bytes of a buffer that is kept
  d3d12::com_ptr<ID3D12Resource> kept, large;
  {
    const d3d12::buffer a(gpu.memory(), d3d12::heap::device, most), b(gpu.memory(), d3d12::heap::device, most + 1);
    CHECK(a.capacity() == most);
    CHECK(b.capacity() == most + 65536);
    CHECK(b.resource()->GetDesc().Width == most + 65536);
    kept = d3d12::com_ptr<ID3D12Resource>::share(a.resource());
    large = d3d12::com_ptr<ID3D12Resource>::share(b.resource());
  }
  CHECK(other_references(kept.get()) == 1);
  CHECK(other_references(large.get()) == 0);
}

TEST_CASE("d3d12: com_ptr owns one reference") {
  const d3d12::device gpu = gpus::open();
  d3d12::com_ptr<ID3D12Resource> a = gpu.memory().take({d3d12::heap::device, 65536});
  CHECK(other_references(a.get()) == 0);
  d3d12::com_ptr<ID3D12Resource> b = a;
  CHECK(other_references(a.get()) == 1);
  b = static_cast<const d3d12::com_ptr<ID3D12Resource>&>(b);
  const d3d12::com_ptr<ID3D12Resource> c = std::move(b);
  CHECK(other_references(c.get()) == 1);
  CHECK_FALSE(b);
  a = {};
  CHECK(other_references(c.get()) == 0);
  const d3d12::com_ptr<ID3D12Resource> none = a;
  CHECK_FALSE(none);
  CHECK_FALSE(d3d12::com_ptr<ID3D12Resource>::share(nullptr));
  static_assert(std::is_nothrow_move_constructible_v<d3d12::com_ptr<ID3D12Resource>>);
}
