// The caller's buffer resources: in place, several operators in one list, states, and violations found before and after
// the GPU has run.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>

#include "cases.hpp"
#include "catch.hpp"
#include "gpu.hpp"

using namespace goldml;
using words = std::vector<std::uint32_t>;

namespace {

// One command list and its resources, with known contents.
class session {
 public:
  explicit session(const d3d12::device& gpu) : gpu_(gpu), list_(gpu.take_list()), work(gpu, list_.list.get()) {}

  // Adds a resource that begins with the words, followed by known bytes.
  std::size_t add(const words& values, std::size_t bytes_after = 0) {
    resources_.emplace_back(gpu_, values.size() * 4 + bytes_after);
    std::memcpy(resources_.back().bytes().data(), values.data(), values.size() * 4);
    resources_.back().fill(list());
    return resources_.size() - 1;
  }
  ID3D12GraphicsCommandList* list() { return list_.list.get(); }
  ID3D12Resource* operator[](std::size_t i) { return resources_[i].get(); }

  // Runs the list; returns the contents of each resource.
  std::vector<words> run() {
    for (auto& r : resources_) r.read_back(list());
    gpu_.run(std::move(list_));
    std::vector<words> result;
    for (auto& r : resources_) {
      const std::vector<std::byte> bytes = r.fetch();
      result.emplace_back(bytes.size() / 4);
      std::memcpy(result.back().data(), bytes.data(), bytes.size());
    }
    return result;
  }

 private:
  const d3d12::device& gpu_;
  d3d12::command_list list_;
  std::vector<gpu_cases::known_resource> resources_;

 public:
  d3d12::recording work;
};

tensor_desc u32(const dimensions& sizes, const dimensions& strides = {}) {
  return {.data_type = data_type::uint32, .sizes = sizes, .strides = strides};
}

// Valid in-place cases: input and output have the same desc.
template <class Desc>
void check_in_place(const d3d12::device& gpu) {
  std::uint64_t ran = 0;
  for (std::uint64_t number = 0; ran < 150; ++number) {
    oracle::test_case<Desc> c =
        oracle::detail::from_any<Desc>(gpu_cases::sample(oracle::any_operator_of<Desc>(), {.seed = 11}, number));
    const std::size_t output = c.tensors.size() - 1;
    if (!c.tensors[0]) continue;
    c.tensors[output] = c.tensors[0];
    c.desc.in_place = true;
    operands_of<Desc> operands;
    for (std::size_t i = 0; i < operands.size(); ++i) operands[i].desc = c.tensors[i];
    violation_sink sink;
    check(c.desc, operands, sink);
    if (sink.first()) continue;  // a broadcast input cannot be the output
    ++ran;
    CAPTURE(to_string(c));
    const std::vector<host_tensor> inputs = oracle::detail::inputs_of(c);
    const gpu_cases::any_case any = oracle::detail::to_any(c);
    std::vector<std::uint64_t> sizes;
    std::vector<gpu_cases::place> places =
        gpu_cases::places_of(any, 3 * number + 1, sizes);  // a separate resource for each
    places[output] = places[0];
    bool spilled = false;
    const gpu_cases::outcome got = gpu_cases::call_resident(gpu, any, inputs, places, sizes, spilled);

    // `reference` runs in place too, so that the bytes between elements are those of the input.
    host_tensor both = inputs[0];
    std::vector<const_tensor_ref> refs;
    for (const host_tensor& input : inputs) refs.push_back(input.ref());
    refs[0] = const_tensor_ref(both.ref());
    gpu_cases::outcome wanted;
    try {
      const tensor_ref to[] = {both.ref()};
      evaluate(reference, c.desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_ref>(to));
    } catch (const error& refusal) {
      wanted.refusal = refusal.what();
    }
    wanted.outputs = {both.bytes()};
    CHECK(gpu_cases::difference(any, got, wanted, true) == "");
    CHECK_FALSE(spilled);
  }
}

}  // namespace

TEST_CASE("d3d12: SCATTER_ND and DIAGONAL_MATRIX1 in place") {
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    check_in_place<scatter_nd_desc>(gpu);
    check_in_place<diagonal_matrix1_desc>(gpu);
  }
}

TEST_CASE("d3d12: an operator reads the output of the previous one in the list") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const std::size_t x = s.add({5, 4, 9, 9, 1, 7}), least = s.add({77, 77}, 32), y = s.add({0, 0, 0, 0}),
                    count = s.add({0}), coordinates = s.add({7, 7, 7, 7, 7, 7, 7, 7});
  // First the columns of the least elements, 1 and 1; then a matrix with an update at these indices; then its
  // coordinates.
  s.work.add(argmin_desc{.axes = {1}}, {{s[x], 0, u32({2, 3})}}, {{s[least], 0, u32({2, 1})}});
  s.work.add(scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 1},
             {{s[s.add({0, 0, 0, 0})], 0, u32({2, 2})}, {s[least], 0, u32({1, 2})}, {s[s.add({8})], 0, u32({1, 1})}},
             {{s[y], 0, u32({2, 2})}});
  s.work.add(nonzero_coordinates_desc{}, {{s[y], 0, u32({2, 2})}},
             {{s[count], 0, u32({1})}, {s[coordinates], 0, u32({4, 2})}});
  const std::vector<words> result = s.run();
  s.work.finish();
  CHECK(result[least][0] == 1);
  CHECK(result[least][1] == 1);
  CHECK(result[y] == words{0, 0, 0, 8});
  CHECK(result[count] == words{1});
  CHECK(words(result[coordinates].begin(), result[coordinates].begin() + 2) == words{1, 1});
}

// Long enough for several thread groups per output element.
TEST_CASE("d3d12: ARGMIN of long rows, repeated in one list") {
  constexpr std::uint32_t rows = 3, columns = 400'000;
  words values(rows * columns);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = 5 + i * 7919 % 1009;  // each about 400 times per row
  const auto least_of = [&](std::uint32_t first, std::uint32_t count, bool last) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < count; ++i)
      if (values[first + i] < values[first + best] || (last && values[first + i] == values[first + best])) best = i;
    return best;
  };
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    session s(gpu);
    const std::size_t x = s.add(values);
    const auto add = [&](const argmin_desc& desc, data_type type, const dimensions& sizes) {
      const std::size_t y = s.add(words(8, 77));
      s.work.add(desc, {{s[x], 0, u32({rows, columns})}}, {{s[y], 0, {.data_type = type, .sizes = sizes}}});
      return y;
    };
    constexpr auto decreasing = axis_direction::decreasing;
    const std::size_t firsts = add({.axes = {1}}, data_type::uint32, {rows, 1});
    const std::size_t lasts = add({.axes = {1}, .axis_direction = decreasing}, data_type::uint32, {rows, 1});
    const std::size_t all = add({.axes = {0, 1}, .axis_direction = decreasing}, data_type::uint64, {1, 1});
    const std::size_t again = add({.axes = {1}}, data_type::uint32, {rows, 1});
    const std::vector<words> result = s.run();
    for (std::uint32_t row = 0; row < rows; ++row) {
      CHECK(result[firsts][row] == least_of(row * columns, columns, false));
      CHECK(result[lasts][row] == least_of(row * columns, columns, true));
      CHECK(result[again][row] == result[firsts][row]);
    }
    CHECK(result[all][0] == least_of(0, rows * columns, true));
    CHECK(result[all][1] == 0);
    CHECK(result[all][2] == 77);
  }
}

TEST_CASE("d3d12: the state of a resource is restored") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const std::size_t x = s.add({5, 4, 9}), y = s.add({77}, 12);
  const auto transition = [&](D3D12_RESOURCE_STATES from, D3D12_RESOURCE_STATES to) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {s[x], D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
    s.list()->ResourceBarrier(1, &barrier);
  };
  transition(D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
  s.work.add(argmin_desc{.axes = {0}}, {{s[x], 0, u32({3}), D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE}},
             {{s[y], 0, u32({1})}});
  transition(D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  s.work.add(argmin_desc{.axes = {0}, .axis_direction = axis_direction::decreasing}, {{s[x], 0, u32({3}, {0})}},
             {{s[y], 0, u32({1})}});
  CHECK(s.run()[y][0] == 2);
}

TEST_CASE("d3d12: invalid bindings are refused, and nothing is recorded") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const std::size_t x = s.add({5, 4, 9, 3, 2, 1}, 64), y = s.add({77}, 12);
  const words before{5, 4, 9, 3, 2, 1};
  const auto rule = [&](const d3d12::resident_tensor& input, const d3d12::resident_tensor& output) {
    return refusal_of([&] { s.work.add(argmin_desc{.axes = {0}}, {input}, {output}); });
  };
  CHECK(rule({s[x], 8, u32({3})}, {s[y], 0, u32({1})}) == "T12");     // offset
  CHECK(rule({s[x], 0, u32({23})}, {s[y], 0, u32({1})}) == "T12");    // beyond the end
  CHECK(rule({s[x], 1024, u32({3})}, {s[y], 0, u32({1})}) == "T12");  // begins beyond the end
  CHECK(rule({s[x], 0, u32({3})}, {s[x], 16, u32({1})}) == "T12");    // the input's resource
  const argmin_desc disjoint{.axes = {0}, .same_resource = same_resource::disjoint};
  CHECK(refusal_of([&] {
          s.work.add(disjoint, {{s[x], 0, u32({5})}}, {{s[x], 16, u32({1})}});
        }) == "T12");  // they meet
  CHECK(rule({nullptr, 0, {}}, {s[y], 0, u32({1})}) == "T1");
  CHECK(rule({s[x], 0, u32({3})}, {s[y], 0, u32({2})}) == "A3");
  CHECK(rule({s[x], 0, u32({3})}, {nullptr, 0, {}}) == "T1");
  const std::vector<words> result = s.run();
  s.work.finish();
  CHECK(words(result[x].begin(), result[x].begin() + 6) == before);
  CHECK(result[y][0] == 77);
}

TEST_CASE("d3d12: policy same_resource: an input and the outputs in one resource, in ranges that do not meet") {
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    session s(gpu);
    const std::size_t all = s.add({5, 4, 9, 0, 77, 77, 77, 77, 2, 0, 3, 0, 88, 88, 88, 88}, 256);
    const argmin_desc least{.axes = {0}, .same_resource = same_resource::disjoint};
    s.work.add(least, {{s[all], 0, u32({3})}}, {{s[all], 240, u32({1})}});
    // Count and rows in the input's resource too: 2 and 3 are at 0 and 2.
    s.work.add(nonzero_coordinates_desc{.same_resource = same_resource::disjoint}, {{s[all], 32, u32({2}, {2})}},
               {{s[all], 48, u32({1})}, {s[all], 16, u32({2, 1})}});
    const words result = s.run()[all];
    s.work.finish();
    CHECK(words(result.begin(), result.begin() + 16) == words{5, 4, 9, 0, 0, 1, 77, 77, 2, 0, 3, 0, 2, 88, 88, 88});
    CHECK(result[60] == 1);
  }
}

TEST_CASE("d3d12: in place, a copy changes nothing") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const std::size_t x = s.add({5, 4, 9, 3});
  s.work.add(element_wise_identity_desc{}, {{s[x], 0, u32({4})}}, {{s[x], 0, u32({4})}});
  CHECK(s.run()[x] == words{5, 4, 9, 3});
}

TEST_CASE("d3d12: an input whose resource ends within a vector") {
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    session s(gpu);
    const std::size_t x = s.add({1, 2, 3, 4, 5, 6, 7, 8, 9}), y = s.add(words(9, 77), 28);
    s.work.add(diagonal_matrix1_desc{.value = std::uint32_t{50}, .diagonal_fill_end = 1}, {{s[x], 0, u32({3, 3})}},
               {{s[y], 0, u32({3, 3})}});
    const words result = s.run()[y];
    CHECK(words(result.begin(), result.begin() + 9) == words{50, 2, 3, 4, 50, 6, 7, 8, 50});
  }
}

// The resource is not touched beyond its first pages.
TEST_CASE("d3d12: a buffer of more than 512 MiB is refused if there are only root descriptors") {
  constexpr std::uint64_t size = std::uint64_t{520} << 20;
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    const d3d12::com_ptr<ID3D12Resource> large = gpu.memory().take({d3d12::heap::device, size});
    session s(gpu);
    const std::size_t y = s.add(words(3, 77));
    const d3d12::resident_tensor tensor{large.get(), 0, u32({3}), D3D12_RESOURCE_STATE_COMMON};
    const auto fill = [&] { s.work.add(fill_value_constant_desc{.value = std::uint32_t{3}}, {}, {tensor}); };
    if (bindings == d3d12::bindings::root) {
      CHECK_THROWS_WITH(fill(), "goldml: d3d12: a buffer of more than 512 MiB needs descriptor tables");
      continue;
    }
    fill();
    s.work.add(element_wise_identity_desc{}, {tensor}, {{s[y], 0, u32({3})}});
    CHECK(s.run()[y] == words{3, 3, 3});
  }
}

TEST_CASE("d3d12: tensors that no view reaches are refused", "[tables]") {
  constexpr std::uint32_t beyond = 1u << 27;  // words: 512 MiB
  const d3d12::device gpu = gpus::open();
  const d3d12::com_ptr<ID3D12Resource> large = gpu.memory().take({d3d12::heap::device, (std::uint64_t{beyond} + 16) * 4});
  session s(gpu);
  const std::size_t x = s.add({1, 2, 3, 4}), y = s.add(words(6, 77)), z = s.add({1, 2, 3, 4, 5, 6});
  const d3d12::resident_tensor wide{large.get(), 0, u32({2, 2}, {beyond, 1}), D3D12_RESOURCE_STATE_COMMON};
  const d3d12::resident_tensor wider{large.get(), 0, u32({2, 3}, {beyond, 1}), D3D12_RESOURCE_STATE_COMMON};
  const d3d12::resident_tensor tuples{large.get(), 0, u32({2, 2}, {1, beyond}), D3D12_RESOURCE_STATE_COMMON};
  const padding_desc edge{.padding_mode = padding_mode::edge, .start_padding = {0, 1}, .end_padding = {0, 0}};
  const std::string padded = "goldml: d3d12: a tensor of more than 512 MiB is padded with its own elements";
  CHECK_THROWS_WITH(s.work.add(edge, {wide}, {{s[y], 0, u32({2, 3})}}), padded);
  CHECK_THROWS_WITH(s.work.add(edge, {{s[x], 0, u32({2, 2})}}, {wider}), padded);
  CHECK_THROWS_WITH(s.work.add(scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2},
                               {{s[z], 0, u32({2, 3})}, tuples, {s[x], 0, u32({1, 2})}}, {{s[y], 0, u32({2, 3})}}),
                    "goldml: d3d12: what belongs together is more than 256 MiB apart");
}

TEST_CASE("d3d12: a call on host memory refuses a bound resource without a host address") {
  const d3d12::device gpu = gpus::open();
  const int resource = 0;
  words values{5, 4, 9}, index{77};
  const tensor_view x{values, {3}}, y{index, {1}};
  const auto bound = [&](const dimensions& sizes) { return tensor_ref::bound(u32(sizes), &resource, 0, 16, nullptr); };
  CHECK_THROWS_AS(argmin(gpu, const_tensor_ref(bound({3})), y, {.axes = {0}}), std::invalid_argument);
  CHECK_THROWS_AS(argmin(gpu, x, bound({1}), {.axes = {0}}), std::invalid_argument);
  CHECK(index == words{77});
  argmin(gpu, x, y, {.axes = {0}});
  CHECK(index == words{1});
}

TEST_CASE("d3d12: violations that depend on data are thrown after the run; only that operator's output is unchanged") {
  const d3d12::device gpu = gpus::open();
  const auto scatter = [&](const words& indices, const words& wanted) {
    session s(gpu);
    const std::size_t x = s.add({1, 2, 3, 4}), i = s.add(indices), u = s.add({10, 20}), y = s.add({7, 7, 7, 7}),
                      z = s.add({7});
    s.work.add(scatter_nd_desc{.input_dimension_count = 1, .indices_dimension_count = 2},
               {{s[x], 0, u32({1, 4})}, {s[i], 0, u32({2, 1})}, {s[u], 0, u32({1, 2})}}, {{s[y], 0, u32({1, 4})}});
    s.work.add(argmin_desc{.axes = {0}, .axis_direction = axis_direction::decreasing}, {{s[x], 0, u32({4}, {0})}},
               {{s[z], 0, u32({1})}});
    const std::vector<words> result = s.run();
    CHECK(result[y] == wanted);
    CHECK(result[z] == words{3});
    return refusal_of([&] { s.work.finish(); });
  };
  CHECK(scatter({2, 0}, {20, 2, 10, 4}) == "none");
  CHECK(scatter({2, 4}, {7, 7, 7, 7}) == "S10");
  CHECK(scatter({3, 3}, {7, 7, 7, 7}) == "S11");
}

TEST_CASE("d3d12: the caller's command list and queue") {
  const d3d12::device owner = gpus::open();
  D3D12_COMMAND_QUEUE_DESC desc{};
  desc.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
  d3d12::com_ptr<ID3D12CommandQueue> queue;
  d3d12::check_result(owner.native()->CreateCommandQueue(&desc, d3d12::iid_of<ID3D12CommandQueue>(), queue.put_void()),
                      "queue");
  const d3d12::device gpu(owner.native(), queue.get(), owner.options());
  session s(gpu);
  const std::size_t x = s.add({5, 4, 9}), y = s.add({77});
  s.work.add(argmin_desc{.axes = {0}}, {{s[x], 0, u32({3})}}, {{s[y], 0, u32({1})}});
  CHECK(s.run()[y] == words{1});
}
