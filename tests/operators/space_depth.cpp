// SPACE_TO_DEPTH, SPACE_TO_DEPTH1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1: results and violations.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/space_depth.hpp>
#include <goldml/reference/space_depth.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using enum depth_space_order;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

// {1,8,2,3}, in which channel k has 9k to 9k + 5.
tensor<float> page_depth() {
  tensor<float> x({1, 8, 2, 3});
  for (std::size_t k = 0; k < 8; ++k)
    for (std::size_t i = 0; i < 6; ++i) x.data()[6 * k + i] = static_cast<float>(9 * k + i);
  return x;
}

// {1,2,4,6}: the first channel, and the second, which has `step` more.
tensor<float> page_space(const floats& first, float step) {
  floats elements = first;
  for (const float x : first) elements.push_back(x + step);
  return tensor<float>({1, 2, 4, 6}, elements);
}
tensor<float> page_space_of_order_0() {
  return page_space({0, 18, 1, 19, 2, 20, 36, 54, 37, 55, 38, 56, 3, 21, 4, 22, 5, 23, 39, 57, 40, 58, 41, 59}, 9);
}
tensor<float> page_space_of_order_1() {
  return page_space({0, 9, 1, 10, 2, 11, 18, 27, 19, 28, 20, 29, 3, 12, 4, 13, 5, 14, 21, 30, 22, 31, 23, 32}, 36);
}

tensor_desc f32(const dimensions& sizes) { return {.data_type = data_type::float32, .sizes = sizes}; }

template <class Desc>
std::string refused(const Desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return goldml_test::refused(
      512, desc, [&](const auto&... t) { space_depth_function<Desc>{}(reference, t..., desc); }, input, output);
}
template <class Desc>
std::string message(const Desc& desc, const tensor_desc& input, const tensor_desc& output) {
  return to_string(goldml_test::only_violation(desc, input, output));
}

template <class Desc>
std::string refused_at(feature_level level, data_type type, const dimensions& sizes) {
  const tensor_desc t{.data_type = type, .sizes = sizes};
  return refused(Desc{.feature_level = level}, t, t);
}

}  // namespace

TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE: the pages' examples, both ways", "[space_depth]") {
  const tensor<float> depth = page_depth();
  CHECK(depth_to_space(reference, depth, {.block_size = 2}) == page_space_of_order_0());
  CHECK(space_to_depth(reference, page_space_of_order_0(), {.block_size = 2}) == depth);
  CHECK(depth_to_space1(reference, depth, {.block_size = 2}) == page_space_of_order_0());
  CHECK(space_to_depth1(reference, page_space_of_order_0(), {.block_size = 2}) == depth);
  CHECK(depth_to_space1(reference, depth, {.block_size = 2, .order = column_row_depth}) == page_space_of_order_1());
  CHECK(space_to_depth1(reference, page_space_of_order_1(), {.block_size = 2, .order = column_row_depth}) == depth);
}

TEST_CASE("SPACE_TO_DEPTH: one block; the row of the block is slower than its column", "[space_depth]") {
  const tensor<float> space({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const tensor<float> depth({1, 9, 1, 1}, space.elements());
  for (const depth_space_order order : {depth_column_row, column_row_depth}) {
    CHECK(space_to_depth1(reference, space, {.block_size = 3, .order = order}) == depth);
    CHECK(depth_to_space1(reference, depth, {.block_size = 3, .order = order}) == space);
  }
  // Two channels: DEPTH_COLUMN_ROW has them fastest, COLUMN_ROW_DEPTH slowest.
  const tensor<float> two({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(space_to_depth1(reference, two, {.block_size = 2, .order = depth_column_row}).elements() ==
        floats{1, 5, 2, 6, 3, 7, 4, 8});
  CHECK(space_to_depth1(reference, two, {.block_size = 2, .order = column_row_depth}).elements() ==
        floats{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE: a block of one element is a copy", "[space_depth]") {
  const tensor<float> x = page_depth();
  CHECK(space_to_depth(reference, x, {}) == x);
  CHECK(depth_to_space(reference, x, {}) == x);
  CHECK(space_to_depth1(reference, x, {.order = column_row_depth}) == x);
  CHECK(depth_to_space1(reference, x, {.order = column_row_depth}) == x);
}

TEMPLATE_LIST_TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE: all data types, moved bit by bit", "[space_depth]",
                        a11_types) {
  const tensor<TestType> x({2, 1, 2, 2}, different_elements<TestType>(8, 0));
  const auto b = bits(x.elements());
  const tensor<TestType> depth = space_to_depth(reference, x, {.block_size = 2});
  CHECK(depth.sizes() == dimensions{2, 4, 1, 1});
  CHECK(bits(depth.elements()) == b);
  CHECK(bits(depth_to_space(reference, depth, {.block_size = 2}).elements()) == b);
  tensor<TestType> y({2, 4, 1, 1});
  space_to_depth1(reference, const_tensor_ref(x.view()), tensor_ref(y.view()), {.block_size = 2});
  CHECK(bits(y.elements()) == b);
}

TEST_CASE("SPACE_TO_DEPTH: NaN payloads, -0.0 and subnormals are moved bit by bit", "[space_depth]") {
  const std::vector<std::uint64_t> patterns{0x7FC1'2345, 0x7F81'2345, 0xFFBF'FFFF, 0x8000'0000};
  tensor<float> x({1, 1, 2, 2});
  for (std::size_t i = 0; i < 4; ++i) x.data()[i] = from_bits<float>(patterns[i]);
  CHECK(bits(space_to_depth(reference, x, {.block_size = 2}).elements()) == patterns);
}

TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE: in all layouts; gaps are unchanged", "[space_depth]") {
  // Two batches of three channels, in blocks of 2 and of different height and width.
  const dimensions space{2, 3, 4, 6};
  const dimensions depth{2, 12, 2, 3};
  const auto data = different_elements<std::uint16_t>(144, 0);
  for (const depth_space_order order : {depth_column_row, column_row_depth}) {
    // By the definition, over the depth form: channel = (y * 2 + x) * 3 + ch or (ch * 2 + y) * 2 + x.
    std::vector<std::uint16_t> wanted;
    for (std::size_t n = 0; n < 2; ++n)
      for (std::size_t k = 0; k < 12; ++k)
        for (std::size_t h = 0; h < 2; ++h)
          for (std::size_t w = 0; w < 3; ++w) {
            const std::size_t ch = order == depth_column_row ? k % 3 : k / 4;
            const std::size_t y = order == depth_column_row ? k / 6 : k / 2 % 2;
            const std::size_t x = order == depth_column_row ? k / 3 % 2 : k % 2;
            wanted.push_back(data[((n * 3 + ch) * 4 + h * 2 + y) * 6 + w * 2 + x]);
          }
    for (const auto of_space : all_layouts)
      for (const auto of_depth : all_layouts) {
        laid_out<std::uint16_t> x(space, strides_of(of_space, space), data);
        laid_out<std::uint16_t> y(depth, strides_of(of_depth, depth), std::vector<std::uint16_t>(144));
        space_to_depth1(reference, x.view(), y.view(), {.block_size = 2, .order = order});
        CHECK(y.elements() == wanted);
        laid_out<std::uint16_t> back(space, strides_of(of_space, space), std::vector<std::uint16_t>(144));
        depth_to_space1(reference, y.view(), back.view(), {.block_size = 2, .order = order});
        CHECK(back.elements() == data);
        CHECK((x.gaps_untouched() && y.gaps_untouched() && back.gaps_untouched()));
      }
  }
}

TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE: feature levels, their types and dimensions", "[space_depth]") {
  using enum feature_level;
  using enum data_type;
  const dimensions one{1, 1, 1, 1};
  const auto check = [&]<class Old, class New>(Old, New) {
    for (const data_type type : {float32, float16}) CHECK(refused_at<Old>(level_1_0, type, one) == "");
    CHECK(refused_at<New>(level_2_0, float32, one) == "T11");
    for (const data_type type : {int32, int16, int8, uint32, uint16, uint8}) {
      CHECK(refused_at<Old>(level_2_0, type, one) == "T3 T3");
      CHECK(refused_at<Old>(level_2_1, type, one) == "");
      CHECK(refused_at<New>(level_2_1, type, one) == "");
    }
    for (const data_type type : {int64, uint64, float64}) {
      CHECK(refused_at<Old>(level_4_1, type, one) == "T3 T3");
      CHECK(refused_at<New>(level_4_1, type, one) == "T3 T3");
      CHECK(refused_at<Old>(level_5_0, type, one) == "");
      CHECK(refused_at<New>(level_5_0, type, one) == "");
    }
    CHECK(refused_at<Old>(level_6_4, unknown, one) == "T3 T3");
    for (const std::size_t count : {1u, 3u, 5u, 8u}) {
      CHECK(refused_at<Old>(level_6_4, float32, dimensions::filled(count, 1)) == "T4 T4");
      CHECK(refused_at<New>(level_6_4, float32, dimensions::filled(count, 1)) == "T4 T4");
    }
  };
  check(space_to_depth_desc{}, space_to_depth1_desc{});
  check(depth_to_space_desc{}, depth_to_space1_desc{});
}

TEST_CASE("SD1, DS1: another data type", "[space_depth]") {
  const tensor_desc integers{.data_type = data_type::int32, .sizes = {1, 1, 1, 1}};
  CHECK(refused(space_to_depth_desc{}, f32({1, 1, 1, 1}), integers) == "SD1");
  CHECK(refused(depth_to_space1_desc{}, f32({1, 1, 1, 1}), integers) == "DS1");
  CHECK(message(space_to_depth1_desc{}, f32({1, 1, 1, 1}), integers) ==
        "SPACE_TO_DEPTH1 SD1: OutputTensor.DataType is INT32, wanted FLOAT32 (the input's)");
}

TEST_CASE("SD3, DS3: a size of the output", "[space_depth]") {
  const space_to_depth_desc to_depth{.block_size = 2};
  const depth_to_space_desc to_space{.block_size = 2};
  CHECK(refused(to_depth, f32({1, 2, 4, 6}), f32({1, 8, 2, 3})) == "");
  CHECK(refused(to_depth, f32({1, 2, 4, 6}), f32({2, 8, 2, 3})) == "SD3");
  CHECK(refused(to_depth, f32({1, 2, 4, 6}), f32({1, 2, 8, 12})) == "SD3 SD3 SD3");
  CHECK(message(to_depth, f32({1, 2, 4, 6}), f32({1, 8, 2, 6})) ==
        "SPACE_TO_DEPTH SD3: OutputTensor.Sizes[3] is 6, wanted 3 (the input's are {1,2,4,6}, BlockSize is 2)");
  CHECK(refused(to_space, f32({1, 8, 2, 3}), f32({1, 2, 4, 6})) == "");
  CHECK(refused(to_space, f32({1, 8, 2, 3}), f32({1, 2, 4, 3})) == "DS3");
  CHECK(message(to_space, f32({1, 8, 2, 3}), f32({1, 4, 4, 6})) ==
        "DEPTH_TO_SPACE DS3: OutputTensor.Sizes[1] is 4, wanted 2 (the input's are {1,8,2,3}, BlockSize is 2)");
}

TEST_CASE("SD4, DS4: BlockSize 0; sizes are not checked", "[space_depth]") {
  CHECK(refused(space_to_depth_desc{.block_size = 0}, f32({1, 2, 4, 6}), f32({9, 9, 2, 3})) == "SD4");
  CHECK(refused(depth_to_space1_desc{.block_size = 0}, f32({1, 2, 4, 6}), f32({1, 2, 4, 6})) == "DS4");
  CHECK(message(space_to_depth_desc{.block_size = 0}, f32({1, 2, 4, 6}), f32({9, 9, 2, 3})) ==
        "SPACE_TO_DEPTH SD4: BlockSize is 0, wanted at least 1");
}

TEST_CASE("SD5, DS5: a remainder; sizes are not checked", "[space_depth]") {
  CHECK(refused(space_to_depth_desc{.block_size = 2}, f32({1, 2, 5, 6}), f32({1, 8, 2, 3})) == "SD5");
  CHECK(refused(space_to_depth1_desc{.block_size = 2}, f32({1, 2, 5, 7}), f32({1, 8, 2, 3})) == "SD5 SD5");
  CHECK(refused(depth_to_space_desc{.block_size = 2}, f32({1, 6, 2, 3}), f32({1, 1, 4, 6})) == "DS5");
  CHECK(message(space_to_depth_desc{.block_size = 2}, f32({1, 2, 4, 7}), f32({1, 8, 2, 3})) ==
        "SPACE_TO_DEPTH SD5: InputTensor.Sizes[3] is 7, wanted a multiple of 2 (BlockSize is 2)");
  CHECK(message(depth_to_space_desc{.block_size = 2}, f32({1, 6, 2, 3}), f32({1, 1, 4, 6})) ==
        "DEPTH_TO_SPACE DS5: InputTensor.Sizes[1] is 6, wanted a multiple of 4 (BlockSize is 2)");
  // The square of the block size is not taken modulo 2^32.
  CHECK(refused(depth_to_space_desc{.block_size = 0x1'0000}, f32({1, 1, 1, 1}), f32({1, 1, 1, 1})) == "DS5");
  CHECK(refused(depth_to_space_desc{.block_size = 0xFFFF'FFFF}, f32({1, 1, 1, 1}), f32({1, 1, 1, 1})) == "DS5");
  CHECK(refused(space_to_depth_desc{.block_size = 0xFFFF'FFFF}, f32({1, 1, 1, 1}), f32({1, 1, 1, 1})) == "SD5 SD5");
}

TEST_CASE("SD6, DS6: an unknown order, after all other rules", "[space_depth]") {
  const auto unknown = static_cast<depth_space_order>(2);
  CHECK(refused(space_to_depth1_desc{.order = unknown}, f32({1, 1, 1, 1}), f32({1, 1, 1, 1})) == "SD6");
  CHECK(refused(depth_to_space1_desc{.order = unknown}, f32({1, 1, 1, 1}), f32({1, 1, 1, 2})) == "DS3 DS6");
  CHECK(refused(space_to_depth1_desc{.block_size = 0, .order = unknown}, f32({1, 1, 1, 1}), f32({1, 1, 1, 1})) ==
        "SD4 SD6");
  CHECK(message(depth_to_space1_desc{.order = unknown}, f32({1, 1, 1, 1}), f32({1, 1, 1, 1})) ==
        "DEPTH_TO_SPACE1 DS6: Order is 2, wanted 0 or 1");
}

TEST_CASE("SPACE_TO_DEPTH, DEPTH_TO_SPACE: tensors that break a T rule, memory, and the call that returns the output",
          "[space_depth]") {
  CHECK(refused(space_to_depth_desc{.block_size = 2}, f32({1, 1, 0, 3}), f32({1, 9, 1, 1})) == "T5");
  CHECK(refused(space_to_depth_desc{.block_size = 2}, f32({1, 1, 2, 3}), f32({1, 4, 0, 1})) == "T5 SD5");
  floats memory(4, 1);
  const tensor_view x{memory, {1, 1, 2, 2}};
  CHECK(refusal_of([&] {
          space_to_depth(reference, x, tensor_view{memory, {1, 4, 1, 1}}, {.block_size = 2});
        }) == "T12");
  CHECK(memory == floats(4, 1));
  const auto rule = [](const dimensions& sizes, std::uint32_t block) {
    return refusal_of(
        [&] { static_cast<void>(space_to_depth(reference, tensor<float>(sizes), {.block_size = block})); });
  };
  CHECK(rule({1, 1, 2, 2}, 2) == "none");
  CHECK(rule({1, 1, 2, 2}, 0) == "SD4");
  CHECK(rule({1, 1, 3, 2}, 2) == "SD5");
  CHECK(rule({1, 2, 2}, 2) == "T4");
}
