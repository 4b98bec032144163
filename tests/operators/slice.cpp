// SLICE and SLICE_GRAD: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/slice.hpp>
#include <goldml/operators/slice_grad.hpp>
#include <goldml/reference/slice.hpp>
#include <goldml/reference/slice_grad.hpp>

#include "../support/refusals.hpp"
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

tensor<float> counted(const dimensions& sizes) {
  tensor<float> x(sizes);
  for (std::size_t i = 0; i < x.elements().size(); ++i) x.data()[i] = static_cast<float>(i + 1);
  return x;
}

tensor_desc f32(const dimensions& sizes) { return {.data_type = data_type::float32, .sizes = sizes}; }

std::string refused(const slice_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { slice(reference, t..., desc); }, input, output);
}
std::string refused(const slice_grad_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { slice_grad(reference, t..., desc); }, input, output);
}

// The result of SLICE_GRAD of 1 to `size` into `count` elements.
floats grad(std::uint32_t count, std::uint32_t offset, std::uint32_t window, std::int32_t stride, std::uint32_t size) {
  tensor<float> y({count}, floats(count, 9));
  slice_grad(
      reference, counted({size}), y,
      {.input_window_offsets = {offset}, .input_window_sizes = {window}, .input_window_strides = int32_list{stride}});
  return y.elements();
}

}  // namespace

TEST_CASE("SLICE: the page's examples", "[slice]") {
  const tensor<float> x = counted({1, 1, 4, 4});
  CHECK(slice(reference, x, {.offsets = {0, 0, 1, 2}, .sizes = {1, 1, 3, 2}, .strides = {1, 1, 1, 1}}) ==
        tensor<float>({1, 1, 3, 2}, {7, 8, 11, 12, 15, 16}));
  CHECK(slice(reference, x, {.offsets = {0, 0, 1, 0}, .sizes = {1, 1, 2, 2}, .strides = {1, 1, 2, 3}}) ==
        tensor<float>({1, 1, 2, 2}, {5, 8, 13, 16}));
}

TEST_CASE("SLICE: DxDispatch's example", "[slice]") {
  CHECK(slice(reference, counted({1, 1, 5, 5}),
              {.offsets = {0, 0, 1, 1}, .sizes = {1, 1, 3, 2}, .strides = {1, 1, 1, 2}}) ==
        tensor<float>({1, 1, 3, 2}, {7, 9, 12, 14, 17, 19}));
}

TEST_CASE("SLICE: every offset, size and stride of a small input", "[slice]") {
  std::size_t legal = 0;
  for (std::uint32_t offset = 0; offset < 8; ++offset)
    for (std::uint32_t stride = 1; stride < 8; ++stride) {
      floats walk;
      for (std::uint32_t at = offset; at < 7; at += stride) walk.push_back(static_cast<float>(at + 1));
      for (std::uint32_t size = 1; size <= 8; ++size) {
        const slice_desc desc{.offsets = {offset}, .sizes = {size}, .strides = {stride}};
        if (size <= walk.size()) {
          CHECK(slice(reference, counted({7}), desc).elements() == floats(walk.begin(), walk.begin() + size));
          ++legal;
        } else {
          CHECK(refusal_of([&] { static_cast<void>(slice(reference, counted({7}), desc)); }) == "SL7");
        }
      }
    }
  CHECK(legal == 28 + 16 + 12 + 10 + 9 + 8 + 7);
}

TEST_CASE("SLICE_GRAD: elements over zeros", "[slice_grad]") {
  tensor<float> y({4, 4}, floats(16, 9));
  slice_grad(reference, counted({2, 2}), y,
             {.input_window_offsets = {0, 0}, .input_window_sizes = {4, 4}, .input_window_strides = {2, 2}});
  CHECK(y.elements() == floats{1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0});
  slice_grad(reference, counted({2, 2}), y,
             {.input_window_offsets = {0, 1}, .input_window_sizes = {4, 3}, .input_window_strides = {-2, 2}});
  CHECK(y.elements() == floats{0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 1, 0, 2});
}

TEST_CASE("SLICE_GRAD: windows and strides of either sign", "[slice_grad]") {
  CHECK(grad(5, 0, 5, -3, 2) == floats{0, 2, 0, 0, 1});
  CHECK(grad(5, 0, 5, -3, 1) == floats{0, 0, 0, 0, 1});
  CHECK(grad(4, 0, 4, -3, 2) == floats{2, 0, 0, 1});
  CHECK(grad(6, 1, 4, 1, 2) == floats{0, 1, 2, 0, 0, 0});  // a part of the window
  CHECK(grad(6, 1, 4, 100, 1) == floats{0, 1, 0, 0, 0, 0});
  CHECK(grad(6, 1, 4, least, 1) == floats{0, 0, 0, 0, 1, 0});
  CHECK(grad(3, 0, 3, -1, 3) == floats{3, 2, 1});
}

TEMPLATE_LIST_TEST_CASE("SLICE, SLICE_GRAD: all data types, typed and at run time, moved bit by bit",
                        "[slice][slice_grad]", a11_types) {
  const tensor<TestType> x({2, 3}, different_elements<TestType>(6, 0));
  const auto b = bits(x.elements());
  const slice_desc desc{.offsets = {0, 0}, .sizes = {2, 2}, .strides = {1, 2}};
  const std::vector<std::uint64_t> wanted{b[0], b[2], b[3], b[5]};
  const tensor<TestType> y = slice(reference, x, desc);
  CHECK(bits(y.elements()) == wanted);
  tensor<TestType> z({2, 2});
  slice(reference, const_tensor_ref(x.view()), tensor_ref(z.view()), desc);
  CHECK(bits(z.elements()) == wanted);
  tensor<TestType> back({2, 3}, different_elements<TestType>(6, 9));
  slice_grad(reference, y, back,
             {.input_window_offsets = {0, 0}, .input_window_sizes = {2, 3}, .input_window_strides = {1, 2}});
  CHECK(bits(back.elements()) == std::vector<std::uint64_t>{b[0], 0, b[2], b[3], 0, b[5]});
}

TEST_CASE("SLICE, SLICE_GRAD: NaN payloads, -0.0 and subnormals are moved bit by bit", "[slice][slice_grad]") {
  const std::vector<std::uint64_t> patterns{0x7FC1'2345, 0x7F81'2345, 0xFFBF'FFFF, 0x8000'0000, 0x0000'0001};
  tensor<float> x({5});
  for (std::size_t i = 0; i < 5; ++i) x.data()[i] = from_bits<float>(patterns[i]);
  CHECK(bits(slice(reference, x, {.offsets = {0}, .sizes = {5}, .strides = {1}}).elements()) == patterns);
  tensor<float> y({5});
  slice_grad(reference, x, y,
             {.input_window_offsets = {0}, .input_window_sizes = {5}, .input_window_strides = int32_list{1}});
  CHECK(bits(y.elements()) == patterns);
}

TEST_CASE("SLICE, SLICE_GRAD: one to eight dimensions, in all layouts; gaps are unchanged", "[slice][slice_grad]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    // Elements 0 and 2 of dimension 0; of the last dimension (if another) only element 1.
    dimensions sizes = dimensions::filled(rank, 2);
    sizes[0] = 3;
    slice_desc desc{.offsets = dimensions::filled(rank, 0), .sizes = sizes, .strides = dimensions::filled(rank, 1)};
    desc.sizes[0] = 2;
    desc.strides[0] = 2;
    if (rank > 1) {
      desc.offsets[rank - 1] = 1;
      desc.sizes[rank - 1] = 1;
    }
    slice_grad_desc grad_desc{.input_window_offsets = desc.offsets, .input_window_sizes = desc.sizes};
    grad_desc.input_window_sizes[0] = 3;
    for (const std::uint32_t stride : desc.strides) grad_desc.input_window_strides.push_back(static_cast<int>(stride));
    const auto count = static_cast<std::size_t>(element_count(sizes));
    const auto data = different_elements<std::uint16_t>(count, 0);
    std::vector<std::uint16_t> wanted;
    std::vector<std::uint16_t> spread(count, 0);
    for (std::size_t i = 0; i < count; ++i)
      if (i / (count / 3) != 1 && (rank == 1 || i % 2 == 1)) {
        wanted.push_back(data[i]);
        spread[i] = data[i];
      }
    for (const auto of_larger : all_layouts)
      for (const auto of_smaller : all_layouts) {
        laid_out<std::uint16_t> x(sizes, strides_of(of_larger, sizes), data);
        laid_out<std::uint16_t> y(desc.sizes, strides_of(of_smaller, desc.sizes),
                                  std::vector<std::uint16_t>(wanted.size()));
        slice(reference, x.view(), y.view(), desc);
        CHECK(y.elements() == wanted);
        laid_out<std::uint16_t> z(sizes, strides_of(of_larger, sizes), std::vector<std::uint16_t>(count, 9));
        slice_grad(reference, y.view(), z.view(), grad_desc);
        CHECK(z.elements() == spread);
        CHECK((x.gaps_untouched() && y.gaps_untouched() && z.gaps_untouched()));
      }
  }
}

namespace {

// {1,1,4,4} to {1,1,2,2}, and back. Valid; each test changes it.
const slice_desc valid_slice{.offsets = {0, 0, 1, 0}, .sizes = {1, 1, 2, 2}, .strides = {1, 1, 2, 3}};
const slice_grad_desc valid_grad{
    .input_window_offsets = {0, 0, 0, 1}, .input_window_sizes = {1, 1, 4, 3}, .input_window_strides = {1, 1, -2, 2}};
const tensor_desc larger = f32({1, 1, 4, 4});
const tensor_desc smaller = f32({1, 1, 2, 2});

}  // namespace

TEST_CASE("SLICE, SLICE_GRAD: tensors that break a T rule, and memory", "[slice][slice_grad]") {
  CHECK(refused(valid_slice, f32({1, 1, 0, 4}), f32({9, 9, 9, 9})) == "T5");
  CHECK(refused(valid_slice, larger, f32({1, 1, 0, 2})) == "T5");
  CHECK(refused(valid_grad, f32({1, 1, 0, 2}), larger) == "T5");
  CHECK(refused(valid_grad, smaller, f32({1, 1, 0, 4})) == "T5");
  floats memory(4, 1);
  CHECK(refusal_of([&] { slice(reference, memory, memory, {.offsets = {0}, .sizes = {4}, .strides = {1}}); }) == "T12");
  CHECK(memory == floats(4, 1));
  const auto rule = [](const dimensions& sizes, const dimensions& strides) {
    return refusal_of([&] {
      static_cast<void>(slice(reference, tensor<float>({4}), {.offsets = {0}, .sizes = sizes, .strides = strides}));
    });
  };
  CHECK(rule({4}, {1}) == "none");
  CHECK(rule({4}, {0}) == "SL5");
  CHECK(rule({0}, {1}) == "SL3");
  CHECK(rule({4, 1}, {1}) == "SL4");
  CHECK(rule({}, {1}) == "SL4");
  CHECK(rule({0xFFFF'FFFF}, {1}) == "SL7");
}
