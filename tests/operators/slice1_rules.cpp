// Violations of SLICE1: SL1, SL2, SL4 to SL8, levels, memory, and their order.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/slice1.hpp>
#include <goldml/reference/slice1.hpp>

#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using dims = dimensions;

// FLOAT32 {1,1,4,4}, the page's first example. Valid; each test changes it.
struct sliced {
  slice1_desc desc{
      .input_window_offsets = {0, 0, 0, 1}, .input_window_sizes = {1, 1, 4, 3}, .input_window_strides = {1, 1, 2, 2}};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 1, 4, 4}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 1, 2, 2}};
};

std::string refused(const sliced& s) {
  return goldml_test::refused(
      512, s.desc, [&](const auto&... t) { slice1(reference, t..., s.desc); }, s.input, s.output);
}
std::string message(const sliced& s) { return to_string(goldml_test::only_violation(s.desc, s.input, s.output)); }

// One dimension. 64 elements of input, one of output.
std::string line(std::uint32_t offset, std::uint32_t window, std::int32_t stride, std::uint32_t size = 1) {
  return refused({.desc = {.input_window_offsets = {offset},
                           .input_window_sizes = {window},
                           .input_window_strides = int32_list{stride}},
                  .input = {.data_type = data_type::int8, .sizes = {64}},
                  .output = {.data_type = data_type::int8, .sizes = {size}}});
}

}  // namespace

TEST_CASE("SLICE1: a valid desc violates no rule", "[slice1]") {
  CHECK(refused({}) == "");
  CHECK(line(63, 1, 1) == "");
  CHECK(line(0, 64, -1, 64) == "");
}

TEST_CASE("SLICE1 SL1: the output has another data type", "[slice1]") {
  sliced s;
  s.output.data_type = data_type::int32;
  CHECK(refused(s) == "SL1");
  CHECK(message(s) == "SLICE1 SL1: OutputTensor.DataType is INT32, wanted FLOAT32 (the input's)");
}

TEST_CASE("SLICE1 SL2: the output has another DimensionCount; sizes are not checked", "[slice1]") {
  sliced s;
  s.output.sizes = {1, 4, 4};
  CHECK(refused(s) == "SL2");
  CHECK(message(s) == "SLICE1 SL2: OutputTensor.DimensionCount is 3, wanted 4 (the input's)");
  s.output.sizes = {1, 1, 1, 9, 9};
  CHECK(refused(s) == "SL2");
  s.desc.input_window_offsets = {0, 0, 0, 2};  // SL7
  CHECK(refused(s) == "SL2");
  s.desc.input_window_strides = {1, 0, 1, 1};
  CHECK(refused(s) == "SL2 SL5");
}

TEST_CASE("SLICE1 SL4: a list is not as long as DimensionCount; none is read", "[slice1]") {
  sliced s;
  s.desc = {
      .input_window_offsets = {0, 9, 9}, .input_window_sizes = {0, 1, 4, 3}, .input_window_strides = {0, 1, 2, 2}};
  CHECK(refused(s) == "SL4");
  CHECK(message(s) == "SLICE1 SL4: DimensionCount is 3, wanted 4 (the tensors', for InputWindowOffsets)");
  s = {};
  s.desc.input_window_sizes = {1, 1, 4, 3, 1};
  CHECK(message(s) == "SLICE1 SL4: DimensionCount is 5, wanted 4 (the tensors', for InputWindowSizes)");
  CHECK(refused(s) == "SL4");
  s = {};
  s.desc.input_window_strides = {1, 1, 2};
  CHECK(message(s) == "SLICE1 SL4: DimensionCount is 3, wanted 4 (the tensors', for InputWindowStrides)");
  CHECK(refused(s) == "SL4");
  s.desc.input_window_strides = {};
  CHECK(refused(s) == "SL4");
  s.desc.input_window_strides = int32_list::null();
  CHECK(refused(s) == "SL4");
  s.desc = {};
  CHECK(refused(s) == "SL4");
  // More than 8, also where the tensors have 8.
  sliced eight{.desc = {.input_window_offsets = dims::filled(8, 0), .input_window_sizes = dims::filled(8, 1)},
              .input = {.data_type = data_type::int8, .sizes = dims::filled(8, 1)},
              .output = {.data_type = data_type::int8, .sizes = dims::filled(8, 1)}};
  eight.desc.input_window_strides = int32_list(std::vector<std::int32_t>(8, 1));
  CHECK(refused(eight) == "");
  eight.desc.input_window_strides = int32_list(std::vector<std::int32_t>(9, 1));
  CHECK(refused(eight) == "SL4");
  CHECK(message(eight) == "SLICE1 SL4: DimensionCount is 9, wanted 8 (the tensors', for InputWindowStrides)");
}

TEST_CASE("SLICE1 SL5: a stride of 0", "[slice1]") {
  CHECK(line(0, 64, 0) == "SL5");
  CHECK(line(1, 64, 0, 3) == "SL5");  // SL7 and SL8 are skipped on that dimension
  sliced s;
  s.desc.input_window_strides = {1, 1, 0, 0};
  CHECK(refused(s) == "SL5 SL5");
  s.desc.input_window_strides = {1, 1, 2, 0};
  CHECK(message(s) ==
        "SLICE1 SL5: InputWindowStrides[3] is 0, wanted a stride that is not 0 (InputWindowStrides {1,1,2,0})");
}

TEST_CASE("SLICE1 SL6: an empty window", "[slice1]") {
  CHECK(line(0, 0, 1) == "SL6");
  CHECK(line(65, 0, -1) == "SL6");
  CHECK(line(0, 0, 0) == "SL5 SL6");
  sliced s;
  s.desc.input_window_sizes = {1, 0, 4, 3};
  CHECK(message(s) == "SLICE1 SL6: InputWindowSizes[1] is 0, wanted at least 1 (InputWindowSizes {1,0,4,3})");
}

TEST_CASE("SLICE1 SL7: a window that exceeds the input, even if the excess is not read", "[slice1]") {
  CHECK(line(1, 64, 1) == "SL7");
  CHECK(line(0, 65, 1) == "SL7");
  CHECK(line(64, 1, 1) == "SL7");
  CHECK(line(60, 5, 100) == "SL7");  // the only element that is read is inside the input
  CHECK(line(0, 64, 1, 64) == "");
  // The end is not taken modulo 2^32.
  CHECK(line(0xFFFF'FFFF, 1, 1) == "SL7");
  CHECK(line(1, 0xFFFF'FFFF, 1) == "SL7");
  CHECK(line(0x8000'0000, 0x8000'0000, std::numeric_limits<std::int32_t>::min()) == "SL7");
  CHECK(line(0xFFFF'FFFF, 0xFFFF'FFFF, -1) == "SL7");
  sliced s;
  s.desc.input_window_offsets = {0, 0, 0, 2};
  CHECK(refused(s) == "SL7");
  CHECK(message(s) ==
        "SLICE1 SL7: InputWindowSizes[3] is 3 from 2, wanted an end of at most 4 "
        "(InputWindowOffsets {0,0,0,2}, InputWindowSizes {1,1,4,3}, the input's sizes {1,1,4,4})");
}

TEST_CASE("SLICE1 SL8: more elements than the window has in steps of the stride", "[slice1]") {
  CHECK(line(0, 5, 3, 2) == "");
  CHECK(line(0, 5, 3, 3) == "SL8");
  CHECK(line(0, 5, -3, 2) == "");  // the page omits the magnitude of the stride
  CHECK(line(0, 5, -3, 3) == "SL8");
  CHECK(line(0, 4, 4, 1) == "");
  CHECK(line(0, 4, 4, 2) == "SL8");
  CHECK(line(0, 4, 1, 5) == "SL8");
  CHECK(line(0, 64, std::numeric_limits<std::int32_t>::min(), 2) == "SL8");
  sliced s;
  s.output.sizes = {1, 1, 3, 3};
  CHECK(refused(s) == "SL8 SL8");
  s.output.sizes = {1, 1, 2, 3};
  CHECK(message(s) == "SLICE1 SL8: OutputTensor.Sizes[3] is 3, wanted at most 2 (a window of 3 in steps of 2)");
}

TEST_CASE("SLICE1: levels, their types and dimensions", "[slice1]") {
  using enum feature_level;
  const auto at = [](feature_level level, data_type type, std::uint32_t rank) {
    sliced s{.desc = {.input_window_offsets = dims::filled(rank, 0),
                     .input_window_sizes = dims::filled(rank, 1),
                     .feature_level = level},
            .input = {.data_type = type, .sizes = dims::filled(rank, 2)},
            .output = {.data_type = type, .sizes = dims::filled(rank, 1)}};
    s.desc.input_window_strides = int32_list(std::vector<std::int32_t>(rank, -1));
    return refused(s);
  };
  CHECK(at(level_2_0, data_type::float32, 4) == "T11");
  for (const data_type type : {data_type::float32, data_type::float16, data_type::int32, data_type::int16,
                               data_type::int8, data_type::uint32, data_type::uint16, data_type::uint8})
    CHECK(at(level_2_1, type, 4) == "");
  for (const data_type type : {data_type::int64, data_type::uint64, data_type::float64}) {
    CHECK(at(level_4_0, type, 4) == "T3 T3");
    CHECK(at(level_4_1, type, 4) == "");
  }
  CHECK(at(level_6_4, data_type::unknown, 4) == "T3 T3");
  CHECK(at(level_2_1, data_type::int8, 5) == "");
  for (const std::uint32_t rank : {1u, 2u, 3u, 6u, 7u, 8u}) {
    CHECK(at(level_2_1, data_type::int8, rank).starts_with("T4"));
    CHECK(at(level_3_0, data_type::int8, rank) == "");
  }
}

TEST_CASE("SLICE1: the order: tensors, own codes with causes first, memory", "[slice1]") {
  sliced s;
  s.output = {.data_type = data_type::int32, .sizes = {1, 1, 3, 1}, .strides = {1, 1, 0, 1}};
  s.desc.input_window_strides = {1, 0, 2, 1};
  s.desc.input_window_offsets = {0, 0, 0, 4};
  s.desc.input_window_sizes = {0, 1, 4, 3};
  CHECK(refused(s) == "T9 SL5 SL6 SL7");  // SL1 and SL8 use the output
  s.desc.input_window_strides = {1, 0, 2};
  CHECK(refused(s) == "T9 SL4");
  s.output.strides = {};
  CHECK(refused(s) == "SL1 SL4");
  s.desc.input_window_strides = {1, 0, 2, 1};
  CHECK(refused(s) == "SL1 SL5 SL6 SL7 SL8");
  s.input.flags = static_cast<tensor_flags>(2);  // without an input nothing says how long the lists are
  CHECK(refused(s) == "T10");

  std::vector<float> memory(16, 1);
  const tensor_view view{memory, {1, 1, 4, 4}};
  const auto refusal = [&](const slice1_desc& desc) {
    return refusal_of([&] { slice1(reference, view, tensor_view{memory, {1, 1, 2, 2}}, desc); });
  };
  CHECK(refusal(sliced{}.desc) == "T12");  // there is no execution in place
  CHECK(refusal({}) == "SL4");
  CHECK(memory == std::vector<float>(16, 1));
}

TEST_CASE("SLICE1: the call that returns the output reports the desc's own rule, and allocates no more than the input",
          "[slice1]") {
  const tensor<float> x({4}, {1, 2, 3, 4});
  const auto rule = [&](const dimensions& offsets, const dimensions& sizes, const int32_list& strides) {
    return refusal_of([&] {
      static_cast<void>(
          slice1(reference, x,
                 {.input_window_offsets = offsets, .input_window_sizes = sizes, .input_window_strides = strides}));
    });
  };
  CHECK(rule({0}, {4}, int32_list{1}) == "none");
  CHECK(rule({0}, {0}, int32_list{1}) == "SL6");
  CHECK(rule({0}, {4}, int32_list{0}) == "SL5");
  CHECK(rule({0}, {4}, {1, 1}) == "SL4");
  CHECK(rule({0}, {4}, int32_list{}) == "SL4");
  CHECK(rule({0}, {4, 1}, int32_list{1}) == "SL4");
  CHECK(rule({0}, {}, int32_list{1}) == "SL4");
  CHECK(rule({0}, {0xFFFF'FFFF}, int32_list{1}) == "SL7");
}
