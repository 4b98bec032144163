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
tensor_desc int8(std::uint32_t size) { return {.data_type = data_type::int8, .sizes = {size}}; }

std::string refused(const slice_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { slice(reference, t..., desc); }, input, output);
}
std::string refused(const slice_grad_desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { slice_grad(reference, t..., desc); }, input, output);
}
template <class Desc>
std::string message(const Desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return to_string(goldml_test::only_violation(desc, input, output));
}

// SLICE of 64 elements of one dimension.
std::string line(std::uint32_t offset, std::uint32_t size, std::uint32_t stride) {
  return refused(slice_desc{.offsets = {offset}, .sizes = {size}, .strides = {stride}}, int8(64), int8(size));
}
// SLICE_GRAD of `size` elements into 64.
std::string grad_line(std::uint32_t offset, std::uint32_t window, std::int32_t stride, std::uint32_t size = 1) {
  return refused(
      slice_grad_desc{
          .input_window_offsets = {offset}, .input_window_sizes = {window}, .input_window_strides = int32_list{stride}},
      int8(size), int8(64));
}
// The result of SLICE_GRAD of 1 to `size` into `count` elements.
floats grad(std::uint32_t count, std::uint32_t offset, std::uint32_t window, std::int32_t stride, std::uint32_t size) {
  tensor<float> y({count}, floats(count, 9));
  slice_grad(
      reference, counted({size}), y,
      {.input_window_offsets = {offset}, .input_window_sizes = {window}, .input_window_strides = int32_list{stride}});
  return y.elements();
}

template <class Desc>
std::string refused_at(feature_level level, data_type type, const dimensions& sizes) {
  Desc desc{.feature_level = level};
  const dimensions zeros = dimensions::filled(sizes.size(), 0);
  if constexpr (requires { desc.offsets; }) {
    desc.offsets = zeros;
    desc.sizes = sizes;
    desc.strides = dimensions::filled(sizes.size(), 1);
  } else {
    desc.input_window_offsets = zeros;
    desc.input_window_sizes = sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) desc.input_window_strides.push_back(1);
  }
  return refused(desc, {.data_type = type, .sizes = sizes}, {.data_type = type, .sizes = sizes});
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

TEST_CASE("SLICE, SLICE_GRAD: feature levels, their types and dimensions", "[slice][slice_grad]") {
  using enum feature_level;
  using enum data_type;
  const dimensions four{1, 1, 2, 4};
  for (const data_type type : {float32, float16, int32, int16, uint32, uint16})
    CHECK(refused_at<slice_desc>(level_1_0, type, four) == "");
  for (const data_type type : {data_type::int8, uint8}) {
    CHECK(refused_at<slice_desc>(level_2_0, type, four) == "T3 T3");
    CHECK(refused_at<slice_desc>(level_2_1, type, four) == "");
    CHECK(refused_at<slice_grad_desc>(level_3_0, type, four) == "");
  }
  for (const data_type type : {int64, uint64, float64}) {
    CHECK(refused_at<slice_desc>(level_4_0, type, four) == "T3 T3");
    CHECK(refused_at<slice_grad_desc>(level_4_0, type, four) == "T3 T3");
    CHECK(refused_at<slice_desc>(level_4_1, type, four) == "");
    CHECK(refused_at<slice_grad_desc>(level_4_1, type, four) == "");
  }
  CHECK(refused_at<slice_desc>(level_6_4, unknown, four) == "T3 T3");
  CHECK(refused_at<slice_grad_desc>(level_2_1, float32, four) == "T11");
  for (const dimensions& sizes : {dimensions{4}, dimensions{1, 2, 4}, dimensions::filled(8, 1)}) {
    CHECK(refused_at<slice_desc>(level_2_1, float32, sizes) == "T4 T4");
    CHECK(refused_at<slice_desc>(level_3_0, float32, sizes) == "");
    CHECK(refused_at<slice_grad_desc>(level_3_0, float32, sizes) == "T4 T4");
    CHECK(refused_at<slice_grad_desc>(level_3_1, float32, sizes) == "");
  }
  CHECK(refused_at<slice_desc>(level_1_0, float32, {1, 1, 1, 2, 4}) == "");
  CHECK(refused_at<slice_grad_desc>(level_3_0, float32, {1, 1, 1, 2, 4}) == "");
}

namespace {

// {1,1,4,4} to {1,1,2,2}, and back. Valid; each test changes it.
const slice_desc valid_slice{.offsets = {0, 0, 1, 0}, .sizes = {1, 1, 2, 2}, .strides = {1, 1, 2, 3}};
const slice_grad_desc valid_grad{
    .input_window_offsets = {0, 0, 0, 1}, .input_window_sizes = {1, 1, 4, 3}, .input_window_strides = {1, 1, -2, 2}};
const tensor_desc larger = f32({1, 1, 4, 4});
const tensor_desc smaller = f32({1, 1, 2, 2});

}  // namespace

TEST_CASE("SL1, SL2, SG1, SG2: another data type, another DimensionCount", "[slice][slice_grad]") {
  CHECK(refused(valid_slice, larger, smaller) == "");
  CHECK(refused(valid_grad, smaller, larger) == "");
  const tensor_desc integers{.data_type = data_type::int32, .sizes = {1, 1, 2, 2}};
  CHECK(refused(valid_slice, larger, integers) == "SL1");
  CHECK(refused(valid_grad, integers, larger) == "SG1");
  CHECK(message(valid_grad, integers, larger) ==
        "SLICE_GRAD SG1: OutputGradientTensor.DataType is FLOAT32, wanted INT32 (InputGradientTensor's)");
  CHECK(refused(valid_slice, larger, f32({9, 9, 9})) == "SL2");
  CHECK(refused(valid_grad, smaller, f32({1, 1, 1})) == "SG2");
  CHECK(message(valid_slice, larger, f32({9, 9, 9})) ==
        "SLICE SL2: OutputTensor.DimensionCount is 3, wanted 4 (the input's)");
}

TEST_CASE("SLICE SL3: Sizes are not the output's", "[slice]") {
  CHECK(refused(valid_slice, larger, f32({1, 1, 2, 1})) == "SL3");
  CHECK(message(valid_slice, larger, f32({1, 1, 2, 1})) == "SLICE SL3: Sizes[3] is 2, wanted 1 (the output's size)");
  slice_desc desc = valid_slice;
  desc.sizes = {1, 0, 2, 2};  // SL7 is not judged on that dimension
  CHECK(refused(desc, larger, smaller) == "SL3");
}

TEST_CASE("SL4, SG4: a list is not as long as DimensionCount; none is read", "[slice][slice_grad]") {
  for (const dimensions& list : {dimensions{0, 0, 0}, dimensions{0, 0, 0, 0, 0}, dimensions{}, dimensions::null(),
                                 dimensions(std::vector<std::uint32_t>(9, 0))}) {
    for (const auto member : {&slice_desc::offsets, &slice_desc::sizes, &slice_desc::strides}) {
      slice_desc desc = valid_slice;
      desc.*member = list;
      CHECK(refused(desc, larger, smaller) == "SL4");
    }
    slice_grad_desc desc = valid_grad;
    desc.input_window_sizes = list;
    CHECK(refused(desc, smaller, larger) == "SG4");
  }
  slice_desc desc = valid_slice;
  desc.strides = {0, 0};
  CHECK(message(desc, larger, smaller) == "SLICE SL4: DimensionCount is 2, wanted 4 (the tensors', for Strides)");
  slice_grad_desc grad_desc = valid_grad;
  grad_desc.input_window_strides = int32_list::null();
  CHECK(message(grad_desc, smaller, larger) ==
        "SLICE_GRAD SG4: DimensionCount is 0, wanted 4 (the tensors', for InputWindowStrides)");
}

TEST_CASE("SL5, SG5: a stride of 0", "[slice][slice_grad]") {
  CHECK(line(0, 1, 0) == "SL5");
  CHECK(line(64, 2, 0) == "SL5");  // SL7 is skipped
  CHECK(grad_line(0, 64, 0) == "SG5");
  CHECK(grad_line(1, 64, 0, 3) == "SG5");  // SG7 and SG8 are skipped
  slice_desc desc = valid_slice;
  desc.strides = {1, 1, 2, 0};
  CHECK(message(desc, larger, smaller) ==
        "SLICE SL5: Strides[3] is 0, wanted a stride that is not 0 (Strides {1,1,2,0})");
  CHECK(refused(desc, larger, f32({1, 2, 2})) == "SL2 SL5");
}

TEST_CASE("SLICE SL7: a last position beyond the input", "[slice]") {
  CHECK(line(0, 64, 1) == "");
  CHECK(line(0, 65, 1) == "SL7");
  CHECK(line(63, 1, 1) == "");
  CHECK(line(64, 1, 1) == "SL7");
  CHECK(line(1, 22, 3) == "SL7");
  CHECK(line(0, 22, 3) == "");
  CHECK(line(0, 1, 0xFFFF'FFFF) == "");  // the stride does not matter for one element
  // Not modulo 2^32.
  CHECK(line(0xFFFF'FFFF, 1, 1) == "SL7");
  CHECK(line(0, 2, 0xFFFF'FFFF) == "SL7");
  CHECK(line(0, 3, 0x8000'0000) == "SL7");
  CHECK(line(0xFFFF'FFFF, 2, 1) == "SL7");
  slice_desc desc = valid_slice;
  desc.offsets = {0, 0, 1, 1};
  CHECK(message(desc, larger, smaller) ==
        "SLICE SL7: Offsets[3] is 1, wanted a last position below 4 (2 elements in steps of 3 end at 4)");
  CHECK(refused(desc, larger, f32({1, 2, 2})) == "SL2");  // not compared with an output of other dimensions
  CHECK(rules::codes_of(goldml_test::violations_of(
            slice_desc{.offsets = {0xFFFF'FFFF}, .sizes = {0xFFFF'FFFF}, .strides = {0xFFFF'FFFF}},
            std::vector<tensor_desc>{int8(64), int8(0xFFFF'FFFF)})) == "SL7");
}

TEST_CASE("SLICE_GRAD SG6: an empty window", "[slice_grad]") {
  CHECK(grad_line(0, 0, 1) == "SG6");
  CHECK(grad_line(65, 0, -1) == "SG6");
  CHECK(grad_line(0, 0, 0) == "SG5 SG6");
}

TEST_CASE("SLICE_GRAD SG7: a window that exceeds the output", "[slice_grad]") {
  CHECK(grad_line(0, 64, 1, 64) == "");
  CHECK(grad_line(1, 64, 1) == "SG7");
  CHECK(grad_line(60, 5, 100) == "SG7");
  CHECK(grad_line(0xFFFF'FFFF, 1, 1) == "SG7");
  CHECK(grad_line(0x8000'0000, 0x8000'0000, least) == "SG7");
  slice_grad_desc desc = valid_grad;
  desc.input_window_offsets = {0, 0, 0, 2};
  CHECK(message(desc, smaller, larger) ==
        "SLICE_GRAD SG7: InputWindowSizes[3] is 3 from 2, wanted an end of at most 4 "
        "(InputWindowOffsets {0,0,0,2}, InputWindowSizes {1,1,4,3}, the output's sizes {1,1,4,4})");
}

TEST_CASE("SLICE_GRAD SG8: more elements than the window has in steps of the stride", "[slice_grad]") {
  CHECK(grad_line(0, 5, 3, 2) == "");
  CHECK(grad_line(0, 5, 3, 3) == "SG8");
  CHECK(grad_line(0, 5, -3, 2) == "");
  CHECK(grad_line(0, 5, -3, 3) == "SG8");
  CHECK(message(valid_grad, f32({1, 1, 2, 3}), larger) ==
        "SLICE_GRAD SG8: InputGradientTensor.Sizes[3] is 3, wanted at most 2 (a window of 3 in steps of 2)");
}

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
