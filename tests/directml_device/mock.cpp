// The mock detects errors: one operator dispatched directly, with one error at a time.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "d3d12/gpu.hpp"
#include "mock_directml.hpp"

using namespace goldml;
using d3d12::com_ptr;
using d3d12::iid_of;
using directml_mock::world;

namespace {

enum class fault {
  none,
  leak,
  flags,
  not_initialized,
  initialized_twice,
  input_to_initializer,
  no_barrier,
  wrong_state,
  no_heap,
  few_descriptors,
  same_descriptors,
  other_table,
  small_input,
  odd_offset,
  odd_size,
  host_heap,
  one_resource,
  missing_output,
  no_temporary,
  other_persistent,
  persistent_as_temporary,
};

class by_hand {
 public:
  explicit by_hand(fault wrong) : wrong_(wrong), gpu_(gpus::open()), w_(gpu_, settings()) {}

  std::string first_complaint() {
    try {
      run();
    } catch (const error&) {  // goldml::d3d12, which computes for the mock, refuses it too
    }
    w_.settle(0);
    leaked_ = {};
    return w_.found.complaints.empty() ? "none" : w_.found.complaints.front();
  }

 private:
  static directml_mock::settings settings() {
    directml_mock::settings set;
    set.initializing = {2, 0, 0};
    set.executing = {5, 32, 64};
    return set;
  }

  bool is(fault f) const { return wrong_ == f; }

  void run() {
    com_ptr<IDMLDevice> dml;
    *dml.put() = new directml_mock::mock_device(w_);
    const directml::operator_structure<argmin_desc> structure(
        {.axes = {0}}, {tensor_desc{.data_type = data_type::uint32, .sizes = {4}},
                        tensor_desc{.data_type = data_type::uint32, .sizes = {1}}});
    com_ptr<IDMLOperator> op;
    com_ptr<IDMLCompiledOperator> compiled;
    com_ptr<IDMLOperatorInitializer> initializer;
    com_ptr<IDMLCommandRecorder> recorder;
    com_ptr<IDMLBindingTable> table;
    dml->CreateOperator(&structure.get(), iid_of<IDMLOperator>(), op.put_void());
    if (is(fault::leak)) leaked_ = op;
    dml->CompileOperator(op.get(), is(fault::flags) ? DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE : DML_EXECUTION_FLAG_NONE,
                         iid_of<IDMLCompiledOperator>(), compiled.put_void());
    IDMLCompiledOperator* const operators[] = {compiled.get()};
    dml->CreateOperatorInitializer(1, operators, iid_of<IDMLOperatorInitializer>(), initializer.put_void());
    dml->CreateCommandRecorder(iid_of<IDMLCommandRecorder>(), recorder.put_void());

    d3d12::command_list list = gpu_.take_list();
    ID3D12GraphicsCommandList* const commands = list.list.get();
    for (const d3d12::buffer* b : {&input_, &output_, &temporary_, &persistent_, &other_})
      transition(commands, *b,
                 is(fault::wrong_state) && b == &output_ ? D3D12_RESOURCE_STATE_COPY_DEST
                                                         : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    com_ptr<ID3D12DescriptorHeap> heap = gpu_.take_heap();
    ID3D12DescriptorHeap* const heaps[] = {heap.get()};
    if (!is(fault::no_heap)) commands->SetDescriptorHeaps(1, heaps);

    DML_BINDING_TABLE_DESC desc{initializer.get(), heap->GetCPUDescriptorHandleForHeapStart(),
                                heap->GetGPUDescriptorHandleForHeapStart(), 2};
    dml->CreateBindingTable(&desc, iid_of<IDMLBindingTable>(), table.put_void());
    const directml::binding_list nothing(d3d12::buffer_range{}), persistent(persistent_.range());
    const directml::binding_list in(input_.range());
    table->BindInputs(1, is(fault::input_to_initializer) ? in.data() : nothing.data());
    table->BindOutputs(1, persistent.data());
    if (!is(fault::not_initialized)) recorder->RecordDispatch(commands, initializer.get(), table.get());
    if (is(fault::initialized_twice)) recorder->RecordDispatch(commands, initializer.get(), table.get());
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    if (!is(fault::no_barrier)) commands->ResourceBarrier(1, &barrier);

    desc.Dispatchable = compiled.get();
    desc.SizeInDescriptors = is(fault::few_descriptors) ? 4 : 5;
    const UINT first = is(fault::same_descriptors) ? 1 : 2;
    desc.CPUDescriptorHandle.ptr += SIZE_T{first} * w_.increment();
    desc.GPUDescriptorHandle.ptr += UINT64{first} * w_.increment();
    table->Reset(&desc);
    bind(table.get());
    recorder->RecordDispatch(
        commands, is(fault::other_table) ? static_cast<IDMLDispatchable*>(initializer.get()) : compiled.get(),
        table.get());
    gpu_.run(std::move(list));
    gpu_.give_back(std::move(heap));
  }

  void bind(IDMLBindingTable* table) const {
    d3d12::buffer_range input = input_.range(), output = output_.range();
    if (is(fault::small_input)) input.size = 12;
    if (is(fault::odd_offset)) input.offset = 8;
    if (is(fault::odd_size)) input.size = 18;
    if (is(fault::host_heap)) input = upload_.range();
    if (is(fault::one_resource)) output = {input.resource, 256, 16};
    const directml::binding_list in(input), out(output), temporary(temporary_.range());
    const directml::binding_list persistent(is(fault::other_persistent)          ? other_.range()
                                            : is(fault::persistent_as_temporary) ? temporary_.range()
                                                                                 : persistent_.range());
    table->BindInputs(1, in.data());
    table->BindOutputs(is(fault::missing_output) ? 0 : 1, out.data());
    if (!is(fault::no_temporary)) table->BindTemporaryResource(temporary.data());
    table->BindPersistentResource(persistent.data());
  }

  static void transition(ID3D12GraphicsCommandList* list, const d3d12::buffer& b, D3D12_RESOURCE_STATES to) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {b.resource(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, D3D12_RESOURCE_STATE_COMMON, to};
    list->ResourceBarrier(1, &barrier);
  }

  fault wrong_;
  d3d12::device gpu_;
  world w_;
  com_ptr<IDMLOperator> leaked_;
  d3d12::buffer input_{gpu_.memory(), d3d12::heap::device, 16}, output_{gpu_.memory(), d3d12::heap::device, 16};
  d3d12::buffer temporary_{gpu_.memory(), d3d12::heap::device, 64}, persistent_{gpu_.memory(), d3d12::heap::device, 64};
  d3d12::buffer other_{gpu_.memory(), d3d12::heap::device, 64}, upload_{gpu_.memory(), d3d12::heap::upload, 16};
};

}  // namespace

TEST_CASE("directml mock: an operator dispatched directly, with each possible error") {
  const auto complaint = [](fault wrong) { return by_hand(wrong).first_complaint(); };
  CHECK(complaint(fault::none) == "none");
  CHECK(complaint(fault::leak) == "1 objects live, wanted 0");
  CHECK(complaint(fault::flags) == "CompileOperator: flags");
  CHECK(complaint(fault::not_initialized) == "an operator is executed that was not initialised");
  CHECK(complaint(fault::initialized_twice) == "an operator is initialised twice");
  CHECK(complaint(fault::input_to_initializer) == "an initializer has an input though DirectML owns none");
  CHECK(complaint(fault::no_barrier) ==
        "the persistent resource was written by a dispatch before, and no barrier waits for it");
  CHECK(complaint(fault::wrong_state) == "an output is in state 0x400 at the dispatch");
  CHECK(complaint(fault::no_heap) == "no descriptor heap is set");
  CHECK(complaint(fault::few_descriptors) == "a binding table of too few descriptors");
  CHECK(complaint(fault::same_descriptors) == "descriptors are overwritten that a recorded dispatch uses");
  CHECK(complaint(fault::other_table) == "the binding table is another dispatchable's");
  CHECK(complaint(fault::small_input) == "input 0: 12 bytes are bound, wanted 16");
  CHECK(complaint(fault::odd_offset) == "input 0 is at a wrong offset");
  CHECK(complaint(fault::odd_size) == "input 0: the size is no multiple of 4");
  CHECK(complaint(fault::host_heap) == "input 0 is in a heap of the host's");
  CHECK(complaint(fault::one_resource) == "a resource is bound as input and as output");
  CHECK(complaint(fault::missing_output) == "not as many outputs are bound as the operator has");
  CHECK(complaint(fault::no_temporary) == "the temporary resource is not bound");
  CHECK(complaint(fault::other_persistent) == "the persistent resource is not the one that was initialised");
  CHECK(complaint(fault::persistent_as_temporary) == "a range that is written overlaps one that is read");
}

TEST_CASE("directml mock: inputs that are not the case's, and an operator without shaders that has no answer") {
  const d3d12::device gpu = gpus::open();
  const auto complaints_of = [&](const std::vector<float>& expected, auto&& call) {
    world w(gpu, {});
    const directml::device dml = directml_mock::over_mock(w);
    host_tensor input({.data_type = data_type::float32, .sizes = {2}});
    std::memcpy(input.ref().data(), expected.data(), 8);
    w.expect_dispatch({input}, {});
    call(dml);
    w.settle();
    return w.found.complaints;
  };
  using strings = std::vector<std::string>;
  const tensor<float> x({2}, {2, 1});
  const auto least = [&](const directml::device& dml) { (void)argmin(dml, x, {.axes = {0}}); };
  CHECK(complaints_of({2, 1}, least) == strings{});
  CHECK(complaints_of({2, 3}, least) == strings{"input 0 has other elements than the case's"});
  const auto absolute = [&](const directml::device& dml) {
    tensor<float> output({2});
    element_wise_abs(dml, x, output, {});
  };
  CHECK(complaints_of({2, 1}, absolute) ==
        strings{"an operator without shaders is dispatched, and the test has no answer"});
}
