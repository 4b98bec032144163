// Passes of shaders: constants, layouts, every kind of view, scratch memory, and order of passes.
#include "catch.hpp"

#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include <goldml/d3d12/runtime/dispatch.hpp>

#include "gpu.hpp"
#include "shaders/instructions.dxbc.hpp"
#include "shaders/probe.dxbc.hpp"

using namespace goldml;
using words = std::vector<std::uint32_t>;

namespace {

using probes::probe_root, probes::probe_table;

d3d12::constant_row row_of(const words& added) { return {added[0], added[1], added[2], added[3]}; }

// One command list of a device, with functions that upload and download words.
class session {
 public:
  explicit session(const d3d12::device& gpu) : gpu_(gpu), list_(gpu.take_list()), work_(gpu, list_.list.get()) {}

  d3d12::recorder& work() { return work_; }

  d3d12::buffer_range upload(const words& values) {
    const d3d12::buffer_range range = work_.scratch(values.size() * 4);
    staging_.emplace_back(gpu_.memory(), d3d12::heap::upload, values.size() * 4);
    staging_.back().map([&](std::byte* data) { std::memcpy(data, values.data(), values.size() * 4); });
    work_.copy(staging_.back().range(), range.part(0, values.size() * 4));
    return range;
  }

  // Runs the list; returns the contents of the ranges.
  std::vector<words> run(const std::vector<d3d12::buffer_range>& wanted) {
    std::vector<d3d12::buffer> back;
    for (const auto& range : wanted) {
      back.emplace_back(gpu_.memory(), d3d12::heap::readback, range.size);
      work_.copy(range, back.back().range());
    }
    work_.close();
    gpu_.run(std::move(list_));
    std::vector<words> result;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      result.emplace_back(wanted[i].size / 4);
      back[i].map([&](const std::byte* data) { std::memcpy(result[i].data(), data, wanted[i].size); });
    }
    return result;
  }

 private:
  const d3d12::device& gpu_;
  d3d12::command_list list_;
  d3d12::recorder work_;
  std::vector<d3d12::buffer> staging_;
};

words ramp(std::size_t count) {
  words values(count);
  std::iota(values.begin(), values.end(), 1U);
  return values;
}

}  // namespace

TEST_CASE("d3d12: root descriptors, constants and a layout; each pass sees the writes of the previous one") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto input = s.upload(ramp(100));
  const auto first = s.work().scratch(400), second = s.work().scratch(400);
  const auto add = [&](const auto& from, const auto& to, std::uint32_t factor, const words& added) {
    d3d12::pass p = d3d12::pass_of<probe_root>({2, 1, 1}, {.count = 100, .factor = factor},
                                               {.unused = {}, .added = row_of(added)});
    p.reads = {d3d12::raw(from)};
    p.writes = {d3d12::structured(to)};
    s.work().dispatch(p);
  };
  add(input, first, 2, {0, 1, 2, 3});
  add(first, second, 10, {5, 5, 5, 5});
  add(second, first, 1, {0, 0, 0, 1000});  // overwrites what the second pass has read
  const auto result = s.run({first.part(0, 400), second.part(0, 400)});
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::uint32_t once = (i + 1) * 2 + i % 4, twice = once * 10 + 5;
    CHECK(result[1][i] == twice);
    CHECK(result[0][i] == twice + (i % 4 == 3 ? 1000 : 0));
  }
}

TEST_CASE("d3d12: a root descriptor starts at the range's offset") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto input = s.upload(ramp(64)), output = s.upload(words(64, 7));
  d3d12::pass p = d3d12::pass_of<probe_root>({1, 1, 1}, {.count = 8, .factor = 1}, {.unused = {}, .added = {}});
  p.reads = {d3d12::raw(input.part(64, 32))};
  p.writes = {d3d12::structured(output.part(32, 32)), {}};  // a register without a view, too
  s.work().dispatch(p);
  const auto result = s.run({output});
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(result[0][i] == (i >= 8 && i < 16 ? i + 9 : 7));
}

TEST_CASE("d3d12: a descriptor table with typed and structured views at offsets, and empty registers", "[tables]") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto input = s.upload(ramp(64)), output = s.upload(words(64, 7)), halves = s.upload(words(64, 7)),
             sums = s.upload(words(8, 0)), single = s.upload(ramp(64));
  d3d12::pass p =
      d3d12::pass_of<probe_table>({1, 1, 1}, {.count = 8, .factor = 3}, {.unused = {}, .added = {1, 2, 3, 4}});
  p.reads = {d3d12::vectors(input.part(64, 128)), {}, d3d12::structured(single.part(40, 32))};
  p.writes = {d3d12::vectors(output.part(16, 128)), d3d12::pairs(halves.part(8, 64)), {},
              d3d12::structured(sums.part(12, 4))};
  s.work().dispatch(p);
  const auto result = s.run({output, halves, sums});
  for (std::uint32_t i = 0; i < 64; ++i) {
    CHECK(result[0][i] == (i >= 4 && i < 36 ? (i + 13) * 3 + i % 4 + 1 : 7));
    const std::uint32_t vector = (i - 2) / 2, lane = (i - 2) % 2 * 3;
    CHECK(result[1][i] == (i >= 2 && i < 18 ? (17 + vector * 4 + lane) * 3 + lane + 1 : 7));
  }
  CHECK(result[2] == words{0, 0, 0, 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18, 0, 0, 0, 0});
}

TEST_CASE("d3d12: views of FLOAT16 and UINT8", "[tables]") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto input = s.upload({0x3F80'0000, 0, 0, 200, 0, 0}), halves = s.upload(words(4, 0)),
             bytes = s.upload(words(4, 0));  // FLOAT32 1, and 200 as a UINT32
  d3d12::pass p = d3d12::pass_of<probes::typed_stores>({1, 1, 1}, {.count = 2});
  p.reads = {d3d12::raw(input)};
  p.writes = {{halves.part(0, 4), d3d12::view_kind::halves}, {bytes.part(0, 2), d3d12::view_kind::bytes}};
  s.work().dispatch(p);
  const auto result = s.run({halves, bytes});
  CHECK(result[0] == words{0x3C00, 0, 0, 0});
  CHECK((result[1][0] & 0xFFFF'FF00) == 200 << 8);  // what a store makes of more than 255 is not asked here
}

TEST_CASE("d3d12: more passes than a descriptor heap or a buffer of blocks holds", "[tables]") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto single = s.upload(ramp(4)), halves = s.work().scratch(16), sums = s.upload(words(4, 0));
  const auto a = s.upload(words(4, 0)), b = s.upload(words(4, 0));
  for (std::uint32_t i = 0; i < 150; ++i) {
    d3d12::pass p =
        d3d12::pass_of<probe_table>({1, 1, 1}, {.count = 1, .factor = 1}, {.unused = {}, .added = {i, i, i, 1}});
    p.reads = {d3d12::vectors(i % 2 == 0 ? a : b), {}, d3d12::structured(single)};
    p.writes = {d3d12::vectors(i % 2 == 0 ? b : a), d3d12::pairs(halves), {}, d3d12::structured(sums)};
    s.work().dispatch(p);
  }
  const auto result = s.run({a, sums});
  CHECK(result[0] == words{150 * 149 / 2, 150 * 149 / 2, 150 * 149 / 2, 150});
  CHECK(result[1][0] == 150);
}

TEST_CASE("d3d12: many thousands of groups, in several calls on one device") {
  const d3d12::device gpu = gpus::open();
  for (const std::uint32_t groups : {1U, 1000U, 65535U}) {
    session s(gpu);
    const std::uint32_t count = groups * 64 - 3;
    const auto input = s.upload(words(count, 5)), output = s.work().scratch(std::uint64_t{groups} * 256);
    d3d12::pass p = d3d12::pass_of<probe_root>({groups, 1, 1}, {.count = count, .factor = 3},
                                               {.unused = {}, .added = {1, 1, 1, 1}});
    p.reads = {d3d12::raw(input)};
    p.writes = {d3d12::structured(output)};
    s.work().dispatch(p);
    CHECK(s.run({output.part(0, count * 4)})[0] == words(count, 16));
  }
}

TEST_CASE("d3d12: scratch memory is free for the next operator after close(), if it has the size") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  ID3D12Resource* const little = s.work().scratch(1000).resource;
  CHECK(s.work().scratch(1000).resource != little);  // reserved for this operator
  s.work().close();
  const d3d12::buffer_range large = s.work().scratch(1'000'000);
  CHECK(large.resource != little);
  CHECK(large.size == 1'000'000);
  CHECK(large.resource->GetDesc().Width >= 1'000'000);
  CHECK(s.work().scratch(2000).resource == little);  // of one size class
  s.run({});
}

TEST_CASE("d3d12: words for a check are read back, and the violation that it finds is thrown") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto status = s.upload({3, 1, 4, 1});
  words seen;
  s.work().check_after(status.part(4, 8), [&](std::span<const std::uint32_t> got) -> std::optional<violation> {
    seen.assign(got.begin(), got.end());
    violation found{};
    found.rule = "S10";
    return found;
  });
  s.run({});
  CHECK(refusal_of([&] { s.work().throw_refusals(); }) == "S10");
  CHECK(seen == words{1, 4});
}

TEST_CASE("d3d12: invalid passes are refused before they are recorded") {
  const d3d12::device gpu = gpus::open();
  session s(gpu);
  const auto a = s.work().scratch(256), b = s.work().scratch(256);
  const auto refused = [&](const d3d12::pass& p) {
    CHECK_THROWS_AS(s.work().dispatch(p), std::logic_error);
  };
  using d3d12::raw, d3d12::structured, d3d12::vectors;
  d3d12::pass good =
      d3d12::pass_of<probe_root>({1, 1, 1}, {.count = 1, .factor = 1}, {.unused = {}, .added = {1, 1, 1, 1}});
  good.reads = {raw(a)};
  good.writes = {structured(b)};
  d3d12::pass p = good;
  p.constants = words(33);
  refused(p);
  p = good;
  p.block = words(16385);
  refused(p);
  p = good;
  p.writes = {structured(a)};  // read and written
  refused(p);
  p = good;
  p.reads = {raw(a.part(4, 8))};  // offset not a multiple of 16
  refused(p);
  p = good;
  p.reads = {raw(a.part(65536, 16))};  // outside the resource
  refused(p);
  p = good;
  p.reads = {vectors(a)};  // typed, as a root descriptor
  refused(p);
  p = good;
  p.reads = std::vector<d3d12::view>(5, raw(a));
  refused(p);
  p = good;
  p.writes = std::vector<d3d12::view>(5, structured(b));
  refused(p);
  p = good;
  p.groups = {65536, 1, 1};
  refused(p);
  p = good;
  p.groups = {1, 0, 1};
  refused(p);
  d3d12::memory elsewhere(d3d12::com_ptr<ID3D12Device>::share(gpu.native()));
  const d3d12::buffer unknown(elsewhere, d3d12::heap::device, 256);
  p = good;
  p.reads = {raw(unknown.range())};
  refused(p);
  CHECK_NOTHROW(s.work().dispatch(good));
  s.run({});
}
