// The shaders of DIAGONAL_MATRIX1 with bounds of more than 32 bits, which DIAGONAL_MATRIX needs.
#include <cstdint>
#include <utility>
#include <vector>

#include <goldml/d3d12/diagonal_matrix1.hpp>

#include "catch.hpp"
#include "gpu.hpp"

using namespace goldml;

namespace {

// A matrix of a type, computed by the shaders; the elements of the input are 9.
template <class T>
std::vector<T> fill(const d3d12::device& gpu, const dimensions& sizes, const d3d12::diagonal_fill& what,
                    bool with_input) {
  std::vector<T> values(element_count(sizes), T{9}), result(values.size());
  d3d12::command_list list = gpu.take_list();
  d3d12::recorder work(gpu, list.list.get());
  d3d12::host_transfer transfer(work);
  const tensor_ref to(tensor_view{result, sizes});
  const d3d12::buffer_tensor input =
      transfer.add(with_input ? const_tensor_ref(tensor_view{values, sizes}) : const_tensor_ref(), true);
  const d3d12::buffer_tensor output = transfer.add(to, false);
  d3d12::record_diagonal_fill(work, what, output, input);
  transfer.read_back(output, to);
  work.close();
  gpu.run(std::move(list));
  transfer.deliver();
  return result;
}

template <class T>
std::vector<T> wanted(const dimensions& sizes, const d3d12::diagonal_fill& what, T value, T rest) {
  const std::uint32_t width = sizes.back(), height = sizes[sizes.size() - 2];
  std::vector<T> result;
  for (std::uint64_t i = 0; i < element_count(sizes); ++i) {
    const auto x = static_cast<std::int64_t>(i % width), y = static_cast<std::int64_t>(i / width % height);
    result.push_back(diagonal_is_filled(x - y, what.begin, what.end) ? value : rest);
  }
  return result;
}

constexpr std::int64_t power(int exponent) { return std::int64_t{1} << exponent; }

}  // namespace

TEST_CASE("d3d12: a range of diagonals whose bounds have up to 33 bits") {
  const std::vector<std::int64_t> bounds{1 - power(32), -power(31) - 1, -power(31),   -5, -1, 0, 1, 4,
                                         power(31) - 1, power(31),      power(32) - 1};
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    for (const std::int64_t begin : bounds)
      for (const std::int64_t end : bounds) {
        CAPTURE(begin, end);
        const d3d12::diagonal_fill bytes{std::uint8_t{3}, begin, end}, floats{3.0f, begin, end};
        CHECK(fill<std::uint8_t>(gpu, {2, 6, 7}, bytes, false) == wanted<std::uint8_t>({2, 6, 7}, bytes, 3, 0));
        CHECK(fill<float>(gpu, {5, 8}, floats, true) == wanted<float>({5, 8}, floats, 3, 9));
      }
  }
}

// Large enough for vectors with any binding but root descriptors; rows of 192 vectors have groups of their own.
TEST_CASE("d3d12: large matrices, packed, with long rows and with others") {
  for (const auto bindings : gpus::all_bindings()) {
    const d3d12::device gpu = gpus::open(bindings);
    for (const dimensions& sizes : {dimensions{80, 81}, {5, 768}, {2, 6, 768}, {6, 770}}) {
      CAPTURE(static_cast<int>(bindings), sizes.back());
      const d3d12::diagonal_fill floats{3.0f, -1, 4};
      CHECK(fill<float>(gpu, sizes, floats, true) == wanted<float>(sizes, floats, 3, 9));
      CHECK(fill<float>(gpu, sizes, floats, false) == wanted<float>(sizes, floats, 3, 0));
    }
  }
}

// DIAGONAL_MATRIX: Offset .. Offset + 1, also for Offset INT32_MAX.
TEST_CASE("d3d12: one diagonal") {
  const d3d12::device gpu = gpus::open();
  const auto diagonal = [&](std::int64_t offset) {
    return fill<std::int32_t>(gpu, {3, 2}, {1, offset, offset + 1}, false);
  };
  CHECK(diagonal(0) == std::vector<std::int32_t>{1, 0, 0, 1, 0, 0});
  CHECK(diagonal(-1) == std::vector<std::int32_t>{0, 0, 1, 0, 0, 1});
  CHECK(diagonal(1) == std::vector<std::int32_t>{0, 1, 0, 0, 0, 0});
  CHECK(diagonal(INT32_MIN) == std::vector<std::int32_t>(6, 0));
  CHECK(diagonal(INT32_MAX) == std::vector<std::int32_t>(6, 0));
}
