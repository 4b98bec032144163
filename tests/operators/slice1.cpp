// Results of SLICE1: the page's examples, windows and strides of either sign, every data type and layout.
// Violations: slice1_rules.cpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <goldml/operators/slice1.hpp>
#include <goldml/reference/slice1.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

// {1,1,4,4} = 1..16.
tensor<float> page_input() {
  tensor<float> x({1, 1, 4, 4});
  for (std::size_t i = 0; i < 16; ++i) x.data()[i] = static_cast<float>(i + 1);
  return x;
}

// A window of the elements 0..count-1 of one dimension, with an output of `size` elements.
floats line(std::uint32_t count, std::uint32_t offset, std::uint32_t window, std::int32_t stride, std::uint32_t size) {
  tensor<float> x({count});
  for (std::uint32_t i = 0; i < count; ++i) x.data()[i] = static_cast<float>(i);
  tensor<float> y({size});
  slice1(reference, x, y,
         {.input_window_offsets = {offset}, .input_window_sizes = {window}, .input_window_strides = {stride}});
  return y.elements();
}

}  // namespace

TEST_CASE("SLICE1: the page's examples", "[slice1]") {
  slice1_desc desc{
      .input_window_offsets = {0, 0, 0, 1}, .input_window_sizes = {1, 1, 4, 3}, .input_window_strides = {1, 1, 2, 2}};
  CHECK(slice1(reference, page_input(), desc) == tensor<float>({1, 1, 2, 2}, {2, 4, 10, 12}));
  desc.input_window_strides = {1, 1, -2, 2};  // from row 3 downwards
  CHECK(slice1(reference, page_input(), desc) == tensor<float>({1, 1, 2, 2}, {14, 16, 6, 8}));
}

TEST_CASE("SLICE1: the examples of the SLICE page, whose strides are all positive", "[slice1]") {
  CHECK(slice1(reference, page_input(),
               {.input_window_offsets = {0, 0, 1, 2},
                .input_window_sizes = {1, 1, 3, 2},
                .input_window_strides = {1, 1, 1, 1}}) == tensor<float>({1, 1, 3, 2}, {7, 8, 11, 12, 15, 16}));
  CHECK(slice1(reference, page_input(),
               {.input_window_offsets = {0, 0, 1, 0},
                .input_window_sizes = {1, 1, 3, 4},
                .input_window_strides = {1, 1, 2, 3}}) == tensor<float>({1, 1, 2, 2}, {5, 8, 13, 16}));
}

TEST_CASE("SLICE1: a negative stride starts at the last element of the window", "[slice1]") {
  CHECK(line(5, 0, 5, -3, 2) == floats{4, 1});
  CHECK(line(5, 0, 5, -3, 1) == floats{4});
  CHECK(line(4, 0, 4, -3, 2) == floats{3, 0});
  CHECK(line(9, 2, 5, -1, 5) == floats{6, 5, 4, 3, 2});
  CHECK(line(9, 2, 5, -2, 3) == floats{6, 4, 2});
  CHECK(line(9, 2, 5, 2, 3) == floats{2, 4, 6});
}

TEST_CASE("SLICE1: the output may be smaller than the window allows", "[slice1]") {
  CHECK(line(9, 1, 7, 1, 2) == floats{1, 2});
  CHECK(line(9, 1, 7, -1, 2) == floats{7, 6});
  CHECK(line(9, 1, 7, 3, 2) == floats{1, 4});
  CHECK(line(9, 1, 7, 3, 3) == floats{1, 4, 7});
}

TEST_CASE("SLICE1: a stride longer than the window gives one element", "[slice1]") {
  for (const std::int32_t stride : {5, 100, most}) CHECK(line(9, 3, 5, stride, 1) == floats{3});
  for (const std::int32_t stride : {-5, -100, -most, least}) CHECK(line(9, 3, 5, stride, 1) == floats{7});
  CHECK(line(1, 0, 1, least, 1) == floats{0});
}

TEST_CASE("SLICE1: positions and counts up to the limits of their types", "[slice1]") {
  CHECK(slice1_most_elements(1, least) == 1);
  CHECK(slice1_most_elements(0x8000'0000, least) == 1);
  CHECK(slice1_most_elements(0x8000'0001, least) == 2);  // |INT32_MIN| is 2^31
  CHECK(slice1_most_elements(0x8000'0000, most) == 2);
  CHECK(slice1_most_elements(0xFFFF'FFFF, -1) == 0xFFFF'FFFF);
  const slice1_desc desc{.input_window_offsets = {0xFFFF'FFF0, 0, 0},
                         .input_window_sizes = {15, 0xFFFF'FFFF, 0xFFFF'FFFF},
                         .input_window_strides = {-7, -1, least}};
  CHECK(slice1_position(desc, 0, 0) == 0xFFFF'FFFE);
  CHECK(slice1_position(desc, 0, 2) == 0xFFFF'FFF0);
  CHECK(slice1_position(desc, 1, 0) == 0xFFFF'FFFE);
  CHECK(slice1_position(desc, 1, 0xFFFF'FFFE) == 0);
  CHECK(slice1_position(desc, 2, 1) == 0x7FFF'FFFE);
}

TEST_CASE("SLICE1: every window, stride and output size of a small input", "[slice1]") {
  // Counted by iteration instead of the formula: the positions of a window that steps of the stride reach.
  std::size_t windows = 0;
  for (std::uint32_t offset = 0; offset < 7; ++offset)
    for (std::uint32_t window = 1; offset + window <= 7; ++window)
      for (std::int32_t stride = -8; stride <= 8; ++stride) {
        if (stride == 0) continue;
        floats walk;
        for (auto at = static_cast<std::int32_t>(stride > 0 ? offset : offset + window - 1);
             at >= static_cast<std::int32_t>(offset) && at < static_cast<std::int32_t>(offset + window); at += stride)
          walk.push_back(static_cast<float>(at));
        for (std::uint32_t size = 1; size <= walk.size(); ++size)
          CHECK(line(7, offset, window, stride, size) == floats(walk.begin(), walk.begin() + size));
        CHECK(refusal_of([&] { line(7, offset, window, stride, static_cast<std::uint32_t>(walk.size() + 1)); }) ==
              "SL8");
        ++windows;
      }
  CHECK(windows == 28 * 16);
}

TEMPLATE_LIST_TEST_CASE("SLICE1: all data types, typed and at run time, moved bit by bit", "[slice1]", a11_types) {
  const tensor<TestType> x({2, 3}, different_elements<TestType>(6, 0));
  const slice1_desc desc{.input_window_offsets = {0, 0}, .input_window_sizes = {2, 3}, .input_window_strides = {-1, 2}};
  const auto b = bits(x.elements());
  const std::vector<std::uint64_t> wanted{b[3], b[5], b[0], b[2]};
  CHECK(bits(slice1(reference, x, desc).elements()) == wanted);
  tensor<TestType> y({2, 2}, different_elements<TestType>(4, 5));
  slice1(reference, const_tensor_ref(x.view()), tensor_ref(y.view()), desc);
  CHECK(bits(y.elements()) == wanted);
}

TEST_CASE("SLICE1: NaN payloads, -0.0 and subnormals are moved bit by bit", "[slice1]") {
  const auto check = []<class T>(const std::vector<std::uint64_t>& patterns, T) {
    tensor<T> x({static_cast<std::uint32_t>(patterns.size())});
    for (std::size_t i = 0; i < patterns.size(); ++i) x.data()[i] = from_bits<T>(patterns[i]);
    const auto reversed =
        slice1(reference, x,
               {.input_window_offsets = {0}, .input_window_sizes = {x.sizes()[0]}, .input_window_strides = {-1}});
    CHECK(bits(reversed.elements()) == std::vector<std::uint64_t>(patterns.rbegin(), patterns.rend()));
  };
  check({0x7FC1'2345, 0x7F81'2345, 0xFFBF'FFFF, 0x8000'0000, 0x0000'0001, 0x807F'FFFF, 0xFF80'0000}, 0.0f);
  check({0x7E12, 0x7C12, 0xFE01, 0xFDFF, 0x8000, 0x0001, 0x83FF, 0xFC00}, float16(0));
  check({0x7FF0'1234'5678'9ABC, 0xFFF7'FFFF'FFFF'FFFF, 0x8000'0000'0000'0000, 1}, 0.0);
}

TEST_CASE("SLICE1: one to eight dimensions, in all layouts; gaps are unchanged", "[slice1]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    // 3 x 2 x 2 .. elements; dimension 0 backwards by 2, the last one from its second element on.
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[0] = 3;
    slice1_desc desc{.input_window_offsets = dimensions::filled(rank, 0), .input_window_sizes = sizes};
    for (std::uint32_t i = 0; i < rank; ++i) desc.input_window_strides.push_back(i == 0 ? -2 : 1);
    dimensions out = sizes;
    out[0] = 2;
    if (rank > 1) {
      desc.input_window_offsets[rank - 1] = 1;
      desc.input_window_sizes[rank - 1] = 1;
      out[rank - 1] = 1;
    }
    const auto count = static_cast<std::size_t>(element_count(sizes));
    const auto data = different_elements<std::uint16_t>(count, 0);
    std::vector<std::uint16_t> wanted;
    const std::size_t row = count / 3;
    for (const std::size_t first : {2 * row, std::size_t{0}})
      for (std::size_t i = 0; i < row; ++i)
        if (rank == 1 || i % 2 == 1) wanted.push_back(data[first + i]);
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts) {
        laid_out<std::uint16_t> x(sizes, strides_of(of_input, sizes), data);
        laid_out<std::uint16_t> y(out, strides_of(of_output, out), std::vector<std::uint16_t>(wanted.size()));
        slice1(reference, x.view(), y.view(), desc);
        CHECK(y.elements() == wanted);
        CHECK((x.gaps_untouched() && y.gaps_untouched()));
      }
  }
}

TEST_CASE("SLICE1: an input broadcast by strides of 0", "[slice1]") {
  const floats row{1, 2, 3};
  tensor<float> y({2, 2});
  slice1(reference, tensor_view{row, {4, 3}, {0, 1}}, y,
         {.input_window_offsets = {1, 0}, .input_window_sizes = {3, 3}, .input_window_strides = {2, -2}});
  CHECK(y.elements() == floats{3, 1, 3, 1});
}
