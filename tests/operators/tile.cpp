// TILE: results and violations.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/tile.hpp>
#include <goldml/reference/tile.hpp>

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

// The page's example: FLOAT32 {1,1,2,3} to {1,1,6,9}. Each test changes it.
struct tiling {
  tile_desc desc{.repeats = {1, 1, 3, 3}};
  tensor_desc input{.data_type = data_type::float32, .sizes = {1, 1, 2, 3}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {1, 1, 6, 9}};
};

std::string refused(const tiling& s) {
  return goldml_test::refused(
      512, s.desc, [&](const auto&... t) { tile(reference, t..., s.desc); }, s.input, s.output);
}
std::string message(const tiling& s) { return to_string(goldml_test::only_violation(s.desc, s.input, s.output)); }

std::string refused_at(feature_level level, data_type type, const dimensions& sizes) {
  return refused({.desc = {.repeats = dimensions::filled(sizes.size(), 1), .feature_level = level},
                  .input = {.data_type = type, .sizes = sizes},
                  .output = {.data_type = type, .sizes = sizes}});
}

}  // namespace

TEST_CASE("TILE: the page's example", "[tile]") {
  floats wanted;
  for (int row = 0; row < 6; ++row)
    for (int i = 0; i < 3; ++i)
      for (const float x : row % 2 == 0 ? floats{1, 2, 3} : floats{4, 5, 6}) wanted.push_back(x);
  CHECK(tile(reference, tensor<float>({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}), {.repeats = {1, 1, 3, 3}}) ==
        tensor<float>({1, 1, 6, 9}, wanted));
}

TEST_CASE("TILE: repeats on outer and inner dimensions", "[tile]") {
  const tensor<float> x({2, 2}, {1, 2, 3, 4});
  CHECK(tile(reference, x, {.repeats = {1, 1}}) == x);
  CHECK(tile(reference, x, {.repeats = {2, 1}}) == tensor<float>({4, 2}, {1, 2, 3, 4, 1, 2, 3, 4}));
  CHECK(tile(reference, x, {.repeats = {1, 2}}) == tensor<float>({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4}));
  CHECK(tile(reference, tensor<float>({1}, {7}), {.repeats = {3}}) == tensor<float>({3}, {7, 7, 7}));
}

TEMPLATE_LIST_TEST_CASE("TILE: all data types, typed and at run time, moved bit by bit", "[tile]", a10_types) {
  const tensor<TestType> x({2, 1}, different_elements<TestType>(2, 0));
  const auto b = bits(x.elements());
  const std::vector<std::uint64_t> wanted{b[0], b[0], b[1], b[1], b[0], b[0], b[1], b[1]};
  CHECK(bits(tile(reference, x, {.repeats = {2, 2}}).elements()) == wanted);
  tensor<TestType> y({4, 2});
  tile(reference, const_tensor_ref(x.view()), tensor_ref(y.view()), {.repeats = {2, 2}});
  CHECK(bits(y.elements()) == wanted);
}

TEST_CASE("TILE: NaN payloads, -0.0 and subnormals are moved bit by bit", "[tile]") {
  const auto check = []<class T>(const std::vector<std::uint64_t>& patterns, T) {
    tensor<T> x({static_cast<std::uint32_t>(patterns.size())});
    for (std::size_t i = 0; i < patterns.size(); ++i) x.data()[i] = from_bits<T>(patterns[i]);
    auto twice = patterns;
    twice.insert(twice.end(), patterns.begin(), patterns.end());
    CHECK(bits(tile(reference, x, {.repeats = {2}}).elements()) == twice);
  };
  check({0x7FC1'2345, 0x7F81'2345, 0xFFBF'FFFF, 0x8000'0000, 0x0000'0001, 0x807F'FFFF, 0xFF80'0000}, 0.0f);
  check({0x7E12, 0x7C12, 0xFE01, 0xFDFF, 0x8000, 0x0001, 0x83FF, 0xFC00}, float16(0));
}

TEST_CASE("TILE: one to eight dimensions, in all layouts; gaps are unchanged", "[tile]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    // Dimension 0 has 3 elements and is repeated twice, the last one (if another) has 1 and is repeated 3 times.
    dimensions sizes = dimensions::filled(rank, 2);
    dimensions repeats = dimensions::filled(rank, 1);
    if (rank > 1) {
      sizes[rank - 1] = 1;
      repeats[rank - 1] = 3;
    }
    sizes[0] = 3;
    repeats[0] = 2;
    dimensions out = sizes;
    for (std::size_t i = 0; i < rank; ++i) out[i] *= repeats[i];
    const auto data = different_elements<std::uint16_t>(static_cast<std::size_t>(element_count(sizes)), 0);
    std::vector<std::uint16_t> wanted;
    for (int again = 0; again < 2; ++again)
      for (const std::uint16_t x : data) wanted.insert(wanted.end(), rank > 1 ? 3 : 1, x);
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts) {
        laid_out<std::uint16_t> x(sizes, strides_of(of_input, sizes), data);
        laid_out<std::uint16_t> y(out, strides_of(of_output, out), std::vector<std::uint16_t>(wanted.size()));
        tile(reference, x.view(), y.view(), {.repeats = repeats});
        CHECK(y.elements() == wanted);
        CHECK((x.gaps_untouched() && y.gaps_untouched()));
      }
  }
}

TEST_CASE("TILE: a valid desc violates no rule", "[tile]") { CHECK(refused({}) == ""); }

TEST_CASE("TILE: feature levels, their types and dimensions", "[tile]") {
  using enum feature_level;
  using enum data_type;
  for (const data_type type : {float32, float16}) CHECK(refused_at(level_1_0, type, {1, 1, 2, 4}) == "");
  for (const data_type type : {int32, int16, int8, uint32, uint16, uint8}) {
    CHECK(refused_at(level_2_0, type, {1, 1, 2, 4}) == "T3 T3");
    CHECK(refused_at(level_2_1, type, {1, 1, 2, 4}) == "");
  }
  for (const data_type type : {int64, uint64}) {
    CHECK(refused_at(level_4_0, type, {1, 1, 2, 4}) == "T3 T3");
    CHECK(refused_at(level_4_1, type, {1, 1, 2, 4}) == "");
  }
  for (const data_type type : {float64, unknown}) CHECK(refused_at(level_6_4, type, {1, 1, 2, 4}) == "T3 T3");
  for (const dimensions& sizes :
       {dimensions{4}, dimensions{1, 2, 4}, dimensions{1, 1, 1, 2, 4}, dimensions::filled(8, 1)}) {
    CHECK(refused_at(level_3_0, float32, sizes) == "T4 T4");
    CHECK(refused_at(level_3_1, float32, sizes) == "");
  }
}

TEST_CASE("TILE TI1, TI2: another data type, another DimensionCount", "[tile]") {
  tiling s;
  s.output.data_type = data_type::int32;
  CHECK(refused(s) == "TI1");
  CHECK(message(s) == "TILE TI1: OutputTensor.DataType is INT32, wanted FLOAT32 (the input's)");
  s = {};
  s.output.sizes = {1, 6, 9};
  CHECK(refused(s) == "TI2");
  CHECK(message(s) == "TILE TI2: OutputTensor.DimensionCount is 3, wanted 4 (the input's)");
}

TEST_CASE("TILE TI3: a size is not the input's times the repeats", "[tile]") {
  tiling s;
  s.output.sizes = {1, 1, 6, 8};
  CHECK(refused(s) == "TI3");
  CHECK(message(s) == "TILE TI3: OutputTensor.Sizes[3] is 8, wanted 9 (3 times 3)");
  s.output.sizes = {1, 1, 2, 3};
  CHECK(refused(s) == "TI3 TI3");
  // The product is not taken modulo 2^32.
  s.desc.repeats = {1, 1, 1, 0x8000'0001};
  s.input.sizes = {1, 1, 1, 2};
  s.output.sizes = {1, 1, 1, 2};
  CHECK(refused(s) == "TI3");
  CHECK(message(s) == "TILE TI3: OutputTensor.Sizes[3] is 2, wanted 4294967298 (2147483649 times 2)");
}

TEST_CASE("TILE TI4: as many repeats as dimensions; otherwise none is read", "[tile]") {
  tiling s;
  for (const dimensions& repeats : {dimensions{0, 3, 3}, dimensions{1, 1, 3, 3, 1}, dimensions{}, dimensions::null()}) {
    s.desc.repeats = repeats;
    CHECK(refused(s) == "TI4");
  }
  s.desc.repeats = {3, 3};
  CHECK(message(s) == "TILE TI4: RepeatsCount is 2, wanted 4 (the tensors', for Repeats)");
  s.desc.repeats = dimensions(std::vector<std::uint32_t>(9, 1));
  CHECK(message(s) == "TILE TI4: RepeatsCount is 9, wanted 4 (the tensors', for Repeats)");
  s.output.sizes = {1, 6, 9};
  CHECK(refused(s) == "TI2 TI4");
}

TEST_CASE("TILE TI5: a repeat of 0 leaves no expected size", "[tile]") {
  tiling s;
  s.desc.repeats = {1, 0, 3, 3};
  CHECK(refused(s) == "TI5");
  CHECK(message(s) == "TILE TI5: Repeats[1] is 0, wanted at least 1 (Repeats {1,0,3,3})");
  s.output.sizes = {1, 9, 6, 8};
  CHECK(refused(s) == "TI5 TI3");
  s.output.sizes = {1, 1, 1, 6, 8};
  CHECK(refused(s) == "TI2 TI5");
}

TEST_CASE("TILE: tensors that break a T rule, and memory", "[tile]") {
  tiling s;
  s.output.sizes = {1, 1, 0, 5};
  s.desc.repeats = {1, 1, 1, 0};
  CHECK(refused(s) == "T5 TI5");
  s.input.sizes = {1, 1, 0, 3};
  CHECK(refused(s) == "T5 T5");
  floats memory(6, 1);
  const tensor_view x{memory, {3}};
  CHECK(refusal_of([&] { tile(reference, x, tensor_view{memory, {3}}, {.repeats = {1}}); }) == "T12");
  CHECK(refusal_of([&] { tile(reference, x, tensor_view{memory, {6}}, {.repeats = {2}}); }) == "T12");
  CHECK(memory == floats(6, 1));
}

TEST_CASE("TILE: the call that returns the output reports the desc's own rule, and allocates nothing for it",
          "[tile]") {
  const tensor<float> x({2, 2}, {1, 2, 3, 4});
  const auto rule = [&](const dimensions& repeats) {
    return refusal_of([&] { static_cast<void>(tile(reference, x, {.repeats = repeats})); });
  };
  CHECK(rule({1, 1}) == "none");
  CHECK(rule({1}) == "TI4");
  CHECK(rule({1, 1, 1}) == "TI4");
  CHECK(rule({1, 0}) == "TI5");
  CHECK(rule({1, 0xFFFF'FFFF}) == "T6");
}
