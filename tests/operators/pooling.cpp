// AVERAGE_POOLING, LP_POOLING, MAX_POOLING and their 1- and 2-versions: results by hand, what devices may answer, and
// kernels of devices, right and wrong.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/cpu/pooling.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/pooling.hpp>
#include <goldml/reference/pooling.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<float>;
using indices = std::vector<std::uint32_t>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// By both backends, which agree bit by bit.
template <class Call, class T, class Desc>
std::vector<T> pooled(const Call& call, const dimensions& sizes, const std::vector<T>& x, const Desc& desc) {
  const auto values = [&](const auto& result) {
    if constexpr (requires { result.values; })
      return result.values.elements();
    else
      return result.elements();
  };
  const std::vector<T> y = values(call(reference, tensor<T>(sizes, x), desc));
  const std::vector<T> z = values(call(cpu, tensor<T>(sizes, x), desc));
  REQUIRE(y.size() == z.size());
  for (std::size_t i = 0; i < y.size(); ++i) CHECK((y[i] == z[i] || (is_nan(y[i]) && is_nan(z[i]))));
  return y;
}
numbers average(const numbers& x, const average_pooling1_desc& desc) {
  return pooled(average_pooling1, {1, 1, 1, static_cast<std::uint32_t>(x.size())}, x, desc);
}
numbers greatest(const numbers& x, const max_pooling2_desc& desc) {
  return pooled(max_pooling2, {1, 1, 1, static_cast<std::uint32_t>(x.size())}, x, desc);
}
indices places(const dimensions& sizes, const numbers& x, const max_pooling2_desc& desc) {
  const auto y = max_pooling2(reference, tensor<float>(sizes, x), desc).indices.elements();
  CHECK(max_pooling2(cpu, tensor<float>(sizes, x), desc).indices.elements() == y);
  return y;
}
numbers norm(const numbers& x, std::uint32_t p, std::uint32_t window) {
  return pooled(lp_pooling1, {1, 1, 1, static_cast<std::uint32_t>(x.size())}, x,
                lp_pooling1_desc{.window_size = {1, window}, .p = p});
}

// How an answer is judged, by default and strictly. `got` has the values and, of MAX, may have indices.
template <class Desc, class T>
std::string judged(Desc desc, const dimensions& sizes, const std::vector<T>& x, const dimensions& counts,
                   const std::vector<T>& got, const std::vector<std::uint32_t>& places = {}) {
  desc = detail::with_default_windows(desc, sizes.size());
  const tensor_desc in{.data_type = data_type_of<T>, .sizes = sizes},
      out{.data_type = data_type_of<T>, .sizes = counts};
  const std::array inputs{const_tensor_ref(in, x.data(), x.size() * sizeof(T))};
  std::vector<tensor_desc> outputs{out};
  std::vector<const_tensor_ref> actual{const_tensor_ref(out, got.data(), got.size() * sizeof(T))};
  if constexpr (detail::pooling_with_indices<Desc>) {
    outputs.push_back({.data_type = data_type::uint32, .sizes = counts});
    actual.emplace_back(outputs[1], places.data(), places.size() * sizeof(std::uint32_t));
  }
  const oracle::golden golden =
      oracle::expect(desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
  std::string letters;
  for (const auto& options : {oracle::compare_options{}, oracle::compare_options::strict()}) {
    const bool differs = oracle::compare(golden, actual, options).result.differing() != 0;
    letters += differs ? 'r' : goldml_test::judged(golden, actual, options);  // also beside undefined elements
  }
  return letters;
}
template <class Desc>
std::string judged_row(const Desc& desc, const numbers& x, const numbers& got) {
  return judged(desc, {1, 1, 1, static_cast<std::uint32_t>(x.size())}, x,
                {1, 1, 1, static_cast<std::uint32_t>(got.size())}, got);
}

}  // namespace

TEST_CASE("MAX_POOLING: by hand", "[pooling]") {
  const numbers x{1, 5, 3, 5, 2, 4};
  const max_pooling2_desc padded{
      .strides = {1, 2}, .window_size = {1, 3}, .start_padding = {0, 1}, .end_padding = {0, 1}};
  CHECK(greatest(x, padded) == numbers{5, 5, 5});
  CHECK(places({1, 1, 1, 6}, x, padded) == indices{1, 1, 3});
  const max_pooling2_desc dilated{.window_size = {1, 2}, .dilations = {1, 2}};
  CHECK(greatest(x, dilated) == numbers{3, 5, 3, 5});
  CHECK(places({1, 1, 1, 6}, x, dilated) == indices{2, 1, 2, 3});
  // The pages' examples.
  const numbers page{1, 2, 3, 2, 4, 2, 5, 6, 7};
  const max_pooling2_desc square{.window_size = {2, 2}};
  CHECK(pooled(max_pooling2, {1, 1, 3, 3}, page, square) == numbers{4, 4, 6, 7});
  CHECK(places({1, 1, 3, 3}, page, square) == indices{4, 4, 7, 8});
  // Indices count over the whole input, batch and channel too.
  const max_pooling2_desc row{.window_size = {1, 3}};
  CHECK(places({2, 1, 1, 4}, {3, 5, 7, 1, 9, 4, 2, 8}, row) == indices{2, 2, 4, 7});
  CHECK(places({1, 2, 1, 4}, {3, 5, 7, 1, 9, 4, 2, 8}, row) == indices{2, 2, 4, 7});
}

TEST_CASE("MAX_POOLING: ties, integers, NaN, windows in the padding", "[pooling]") {
  const max_pooling2_desc two{.window_size = {1, 2}};
  CHECK(places({1, 1, 1, 4}, {-0.0F, 0, -0.0F, -1}, two) == indices{0, 1, 2});
  const numbers zeros = greatest({-0.0F, 0, -0.0F, -1}, two);
  CHECK(std::signbit(zeros[0]));
  CHECK(!std::signbit(zeros[1]));
  CHECK(greatest({not_a_number, 1, 2, not_a_number}, two) == numbers{1, 2, 2});
  CHECK(places({1, 1, 1, 4}, {not_a_number, 1, 2, not_a_number}, two) == indices{1, 2, 2});
  CHECK(is_nan(greatest({not_a_number, not_a_number}, two)[0]));
  CHECK(places({1, 1, 1, 2}, {not_a_number, not_a_number}, two) == indices{0});
  CHECK(places({1, 1, 1, 2}, {-infinity, -infinity}, two) == indices{0});
  CHECK(places({1, 1, 1, 3}, {-infinity, not_a_number, -infinity}, two) == indices{0, 2});
  const max_pooling2_desc propagates{.window_size = {1, 2}, .nan_policy = nan_policy::propagate};
  CHECK(places({1, 1, 1, 4}, {5, not_a_number, not_a_number, 7}, propagates) == indices{1, 1, 2});
  const max_pooling_desc bytes{.window_size = {1, 2}, .end_padding = {0, 1}};
  CHECK(pooled<decltype(max_pooling), std::int8_t>(max_pooling, {1, 1, 1, 3}, {-128, -128, 127}, bytes) ==
        std::vector<std::int8_t>{-128, 127, 127});
  CHECK(pooled<decltype(max_pooling), std::uint64_t>(max_pooling, {1, 1, 1, 3}, {0, ~std::uint64_t{0}, 1}, bytes) ==
        std::vector<std::uint64_t>{~std::uint64_t{0}, ~std::uint64_t{0}, 1});
  CHECK(max_pooling1(cpu, tensor<std::uint8_t>({1, 1, 1, 2}, {0, 0}), {.window_size = {1, 2}}).indices.elements() ==
        indices{0});
  // PO-R3: the first window has no tap, and anything is right.
  const max_pooling2_desc empty{.window_size = {1, 1}, .start_padding = {0, 1}};
  CHECK(greatest({3}, empty) == numbers{-infinity, 3});
  CHECK(places({1, 1, 1, 1}, {3}, empty) == indices{0xFFFF'FFFF, 0});
  CHECK(judged(empty, {1, 1, 1, 1}, numbers{3}, {1, 1, 1, 2}, {0, 3}, {77, 0}) == "uu");
  CHECK(judged(empty, {1, 1, 1, 1}, numbers{3}, {1, 1, 1, 2}, {0, 4}, {77, 0}) == "rr");
  const max_pooling_desc of_bytes{.window_size = {1, 1}, .start_padding = {0, 1}};
  CHECK(pooled<decltype(max_pooling), std::int8_t>(max_pooling, {1, 1, 1, 1}, {3}, of_bytes)[0] == -128);
}

TEST_CASE("MAX_POOLING: what a device may answer", "[pooling]") {
  const max_pooling1_desc two{.window_size = {1, 2}};
  const auto of = [&](const numbers& x, float value, std::uint32_t place) {
    return judged(two, {1, 1, 1, 2}, x, {1, 1, 1, 1}, {value}, {place});
  };
  CHECK(of({1, 5}, 5, 1) == "aa");
  CHECK(of({1, 5}, 5, 0) == "rr");
  CHECK(of({5, 5}, 5, 1) == "rr");  // the last of equals
  CHECK(of({1, 5}, 1, 0) == "rr");
  CHECK(of({-0.0F, 0}, -0.0F, 0) == "aa");
  CHECK(of({-0.0F, 0}, 0, 0) == "aa");  // equal numbers, either of which is the greatest
  CHECK(of({-1, -2}, 0, 0) == "rr");    // padding read as 0 would give this
  CHECK(of({not_a_number, 5}, 5, 1) == "aa");
  CHECK(of({not_a_number, 5}, not_a_number, 0) == "aa");
  CHECK(of({not_a_number, 5}, not_a_number, 1) == "aa");
  CHECK(of({1, 5}, not_a_number, 1) == "rr");
  CHECK(of({not_a_number, not_a_number}, not_a_number, 1) == "aa");
  const float other_nan = -not_a_number;  // strictly, a NaN is the quiet one, and of nothing but NaN any of these
  CHECK(of({other_nan, 5}, not_a_number, 0) == "aa");
  CHECK(of({other_nan, 5}, other_nan, 0) == "ar");
  CHECK(of({other_nan, other_nan}, not_a_number, 0) == "aa");
  CHECK(of({other_nan, not_a_number}, not_a_number, 1) == "aa");
  CHECK(of({-infinity, -infinity}, -infinity, 9) == "uu");
  CHECK(of({not_a_number, -infinity}, -infinity, 0) == "uu");  // what begins with -infinity selects neither
  CHECK(of({not_a_number, -infinity}, 7, 0)[0] == 'r');
  // Flushed subnormals tie, with zeros; the first of the flushed ones wins.
  CHECK(of({1e-40F, 2e-40F}, 2e-40F, 1) == "aa");
  CHECK(of({1e-40F, 2e-40F}, 0, 0)[0] == 'a');
  CHECK(of({1e-40F, 2e-40F}, 1e-40F, 0)[0] == 'a');
  CHECK(of({1e-40F, 1}, 1, 0) == "rr");
  CHECK(of({-1e-40F, -1}, -0.0F, 0)[0] == 'a');
  CHECK(of({-1e-40F, -1}, 0, 0)[0] == 'a');
  const max_pooling1_desc propagates{.window_size = {1, 2}, .nan_policy = nan_policy::propagate};
  CHECK(judged(propagates, {1, 1, 1, 2}, numbers{not_a_number, 5}, {1, 1, 1, 1}, {5}, {1}) == "rr");
  CHECK(judged(propagates, {1, 1, 1, 2}, numbers{-infinity, not_a_number}, {1, 1, 1, 1}, {not_a_number}, {0}) == "rr");
}

TEST_CASE("AVERAGE_POOLING: by hand", "[pooling]") {
  const numbers x{1, 5, 3, 5, 2, 4};
  average_pooling1_desc padded{
      .strides = {1, 2}, .window_size = {1, 3}, .start_padding = {0, 1}, .end_padding = {0, 1}};
  CHECK(average(x, padded) == numbers{3, 13.0F / 3, 11.0F / 3});
  padded.include_padding = true;
  CHECK(average(x, padded) == numbers{2, 13.0F / 3, 11.0F / 3});
  average_pooling1_desc dilated{
      .window_size = {1, 2}, .start_padding = {0, 1}, .end_padding = {0, 1}, .dilations = {1, 2}};
  CHECK(average(x, dilated) == numbers{5, 2, 5, 2.5F, 4.5F, 2});
  dilated.include_padding = true;
  CHECK(average(x, dilated) == numbers{2.5F, 2, 5, 2.5F, 4.5F, 1});
  // PO-R1: one window more. The answer of ONNX Runtime's tests on DirectML.
  const numbers image{1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14, 16};
  average_pooling_desc up{.strides = {3, 1}, .window_size = {2, 2}, .start_padding = {0, 0}, .end_padding = {0, 0}};
  tensor<float> y({1, 1, 2, 3});
  average_pooling(reference, tensor<float>({1, 1, 4, 4}, image), y, up);
  CHECK(y.elements() == numbers{4, 4.5F, 5, 14, 14.5F, 15});
  average_pooling(cpu, tensor<float>({1, 1, 4, 4}, image), y, up);
  CHECK(y.elements() == numbers{4, 4.5F, 5, 14, 14.5F, 15});
  // PO-R3: no taps.
  const average_pooling1_desc empty{.window_size = {1, 1}, .start_padding = {0, 1}};
  CHECK(average({3}, empty) == numbers{0, 3});
  CHECK(judged_row(empty, {3}, {7, 3}) == "uu");
  average_pooling1_desc counted = empty;
  counted.include_padding = true;
  CHECK(judged_row(counted, {3}, {0, 3}) == "aa");
  CHECK(judged_row(counted, {3}, {7, 3}) == "rr");
}

TEST_CASE("AVERAGE_POOLING is exact, rounded once", "[pooling]") {
  const average_pooling1_desc two{.window_size = {1, 2}}, three{.window_size = {1, 3}};
  CHECK(average({0x1p24F, 0x1p24F + 2, 2}, two) == numbers{0x1p24F, 0x1p23F + 2});  // 2^24 + 1: a tie, to even
  CHECK(average({1e30F, 1, -1e30F}, three) == numbers{1.0F / 3});
  CHECK(average({3e38F, 3e38F}, two) == numbers{3e38F});
  CHECK(average({0x1p-149F, 0x1p-149F, 0}, two) == numbers{0x1p-149F, 0});  // half of the least number: a tie
  CHECK(std::signbit(average({-0.0F, -0.0F}, two)[0]));
  CHECK(!std::signbit(average({-0.0F, 0}, two)[0]));
  CHECK((average({infinity, 1, -infinity}, two) == numbers{infinity, -infinity}));
  CHECK(is_nan(average({infinity, 1, -infinity}, three)[0]));
  // A window of 2^32 - 1 elements in each direction: divided by almost 2^96.
  const std::uint32_t all = 0xFFFF'FFFF;
  average_pooling_desc vast{.strides = {1, 1, 1},
                            .window_size = {all, all, all},
                            .start_padding = {all - 1, all - 1, all - 1},
                            .end_padding = {0, 0, 0},
                            .include_padding = true};
  CHECK(pooled(average_pooling, {1, 1, 1, 1, 1}, numbers{0x1p90F}, vast) == numbers{0x1p-6F});
  vast.include_padding = false;
  CHECK(pooled(average_pooling, {1, 1, 1, 1, 1}, numbers{0x1p90F}, vast) == numbers{0x1p90F});
  // FLOAT16: 2049 and 2050 halves are ties.
  const std::vector<float16> halves{float16(2048.0F), float16(2050.0F), float16(2052.0F)};
  const average_pooling_desc of_halves{.window_size = {1, 2}};
  CHECK(pooled(average_pooling, {1, 1, 1, 3}, halves, of_halves) ==
        std::vector<float16>{float16(2048.0F), float16(2052.0F)});
}

TEST_CASE("AVERAGE_POOLING: what a device may answer", "[pooling]") {
  const average_pooling_desc three{.window_size = {1, 3}};
  // n = 3, r = 1: E = g(12) A / 3, usual 8 sqrt(6) u; u = 2^-24.
  const float u = 0x1p-24F;
  const numbers ones{1, 1, 1};
  CHECK(judged_row(three, ones, {1}) == "aa");
  CHECK(judged_row(three, ones, {1 - 6 * u}) == "aa");
  CHECK(judged_row(three, ones, {1 - 8 * u})[0] == 's');
  CHECK(judged_row(three, ones, {1 - 12 * u})[0] == 's');
  CHECK(judged_row(three, ones, {1 - 14 * u}) == "rr");
  // By 2 or 4 a device divides exactly.
  const average_pooling_desc two{.window_size = {1, 2}};
  CHECK(judged_row(two, {1, 2}, {1.5F}) == "aa");
  CHECK(judged_row(two, {1, 2}, {1.5F + 0x1p-23F}) == "rr");
  // Sliding sums are not right: 1e30, then 1, 1: 0.
  CHECK(judged_row(two, {1e30F, 1, 1}, {5e29F, 1}) == "aa");
  CHECK(judged_row(two, {1e30F, 1, 1}, {5e29F, 0}) == "rr");
  CHECK(judged_row(two, {3e38F, 3e38F}, {infinity})[0] == 'o');
  CHECK(judged_row(two, {3e38F, 3e38F}, {-infinity}) == "rr");
  // PO-R2: the last window of 2 ends one place after the padded image.
  const average_pooling_desc over{.strides = {1, 2}, .window_size = {1, 2}, .include_padding = true};
  CHECK(judged_row(over, {1, 2, 3}, {1.5F, 1.5F}) == "aa");
  CHECK(judged_row(over, {1, 2, 3}, {1.5F, 3}) == "aa");
  CHECK(judged_row(over, {1, 2, 3}, {1.5F, 2}) == "rr");
  average_pooling_desc clipped = over;
  clipped.pool_overhang = pool_overhang::clipped;
  CHECK(judged_row(clipped, {1, 2, 3}, {1.5F, 3}) == "aa");
  CHECK(judged_row(clipped, {1, 2, 3}, {1.5F, 1.5F}) == "rr");
  // Padding counts, but not what lies after it: the second window has one element, one place of padding, and no more.
  clipped.window_size = {1, 3};
  clipped.end_padding = {0, 1};
  CHECK(judged_row(clipped, {1, 2, 3}, {2, 1.5F}) == "aa");
  CHECK(judged_row(clipped, {1, 2, 3}, {2, 1}) == "rr");
  CHECK(judged_row(clipped, {1, 2, 3}, {2, 3}) == "rr");
  average_pooling_desc taps = over;
  taps.include_padding = false;
  CHECK(judged_row(taps, {1, 2, 3}, {1.5F, 1.5F}) == "rr");
  // Half precision.
  average_pooling_desc half = three;
  half.accumulation = accumulation::half;
  CHECK(judged_row(half, ones, {1.001F}) == "aa");
  CHECK(judged_row(half, ones, {1.01F}) == "rr");
  CHECK(judged_row(three, ones, {1.001F}) == "rr");
}

TEST_CASE("LP_POOLING: by hand", "[pooling]") {
  const numbers x{3, -4, 0, 5};
  CHECK(norm(x, 1, 2) == numbers{7, 4, 5});
  CHECK(norm(x, 2, 2) == numbers{5, 4, 5});
  CHECK(norm(x, 3, 2) == numbers{4.4979414F, 4, 5});
  CHECK(norm(x, 200, 2) == numbers{4, 4, 5});
  CHECK(norm(x, 0xFFFF'FFFF, 2) == numbers{4, 4, 5});
  CHECK(norm({3, 4, 5}, 3, 3) == numbers{6});
  // 27 equal elements, P = 3, are three times one of them: a middle of two FLOAT32, to even.
  CHECK(norm(numbers(27, 16777214), 3, 27) == numbers{50331640});
  CHECK(norm(numbers(27, 16777210), 3, 27) == numbers{50331632});
  for (const float little : {1.0F, 0x1p-3F, 0x1p-20F}) {  // with a little more it is above the middle
    numbers more(27, 16777214);
    more.push_back(little);
    CHECK(norm(more, 3, 28) == numbers{50331644});
  }
  CHECK((norm({infinity, 1}, 3, 2) == numbers{infinity}));
  CHECK(is_nan(norm({infinity, not_a_number}, 3, 2)[0]));
  CHECK(norm({-7}, 5, 1) == numbers{7});
  CHECK(norm({0x1p127F, 0x1p127F}, 3, 2) == numbers{0x1.428a3p127F});
  CHECK(norm({0x1p-149F, 0x1p-149F}, 3, 2) == numbers{0x1p-149F});
  // PO-R3: no taps.
  const lp_pooling_desc empty{.window_size = {1, 1}, .start_padding = {0, 1}, .p = 3};
  CHECK(judged_row(empty, {3}, {0, 3}) == "aa");
  CHECK(judged_row(empty, {3}, {1, 3}) == "rr");
}

TEST_CASE("LP_POOLING: what a device may answer", "[pooling]") {
  const auto with = [](std::uint32_t p) { return lp_pooling_desc{.window_size = {1, 2}, .p = p}; };
  CHECK(judged_row(with(1), {3, -4}, {7}) == "aa");
  CHECK(judged_row(with(1), {3, -4}, {7.0000005F}) == "rr");
  CHECK(judged_row(with(1), {3, -4}, {-1}) == "rr");    // without magnitudes
  CHECK(judged_row(with(1), {3, -4}, {3.5F}) == "rr");  // their mean
  CHECK(judged_row(with(2), {3, -4}, {5}) == "aa");
  CHECK(judged_row(with(2), {3, -4}, {5 + 0x1p-21F})[0] == 'a');
  CHECK(judged_row(with(2), {3, -4}, {5 + 0x1p-19F}) == "rr");
  CHECK(judged_row(with(2), {3, -4}, {3.5355339F}) == "rr");
  // P = 3: 2^-21 (1 + 3 * 2) / 3 and 2^-21 (1 + 1.5 * 6.5 / 3) of 4.498, about 6.6 * 2^-21.
  CHECK(judged_row(with(3), {3, -4}, {4.4979414F}) == "aa");
  CHECK(judged_row(with(3), {3, -4}, {4.4979414F * (1 + 5 * 0x1p-21F)}) == "aa");
  CHECK(judged_row(with(3), {3, -4}, {4.4979414F * (1 + 6 * 0x1p-21F)})[0] == 's');
  CHECK(judged_row(with(3), {3, -4}, {4.4979414F * (1 + 7 * 0x1p-21F)}) == "rr");
  CHECK(judged_row(with(3), {3, -4}, {5}) == "rr");
  CHECK(judged_row(with(200), {2, 2}, {infinity}) != "rr");  // 2^200 is infinite
  CHECK(judged_row(with(200), {0.5F, 0.5F}, {0}) != "rr");   // 2^-200 is nothing
  CHECK(judged_row(with(3), {2, 2}, {infinity}) == "rr");
  CHECK(judged_row(with(3), {1e-38F, 1e-38F}, {0})[0] != 'r');  // the cubes are nothing
  CHECK(judged_row(with(3), {1e-38F, 1e-38F}, {-1e-38F}) == "rr");
  // The policy lp_power: by powers also for P 1 and 2.
  lp_pooling_desc power = with(2);
  power.lp_power = lp_power::accept;
  CHECK(judged_row(power, {3, -4}, {5 + 0x1p-19F})[0] != 'r');
  CHECK(judged_row(power, {3, -4}, {5 + 0x1p-14F}) == "rr");
  lp_pooling_desc half = with(3);
  half.accumulation = accumulation::half;
  CHECK(judged_row(half, {3, -4}, {4.52F}) == "aa");
  CHECK(judged_row(half, {3, -4}, {5}) == "rr");
}

// What devices compute, written without the library: x and y are {N, C, H, W}, two spatial axes.
namespace {

struct plane_case {
  std::array<std::int64_t, 2> size, window, stride, dilation, start, end, count;
  bool include = false;
};
plane_case random_plane(std::mt19937& random, bool dilated) {
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  plane_case c{};
  for (std::size_t i = 0; i < 2; ++i) {
    c.size[i] = 5 + below(5);
    c.dilation[i] = dilated ? 1 + below(2) : 1;
    c.window[i] = 1 + below(3);
    c.stride[i] = 1 + below(2);
    c.start[i] = below(3);
    c.end[i] = below(3);
    const std::int64_t rest = c.size[i] + c.start[i] + c.end[i] - 1 - (c.window[i] - 1) * c.dilation[i];
    c.count[i] = rest / c.stride[i] + 1;
    if (below(2) == 0) c.count[i] = (rest + c.stride[i] - 1) / c.stride[i] + 1;
  }
  c.include = below(2) == 0;
  return c;
}
template <class Desc>
Desc desc_of(const plane_case& c) {
  const auto list = [](const std::array<std::int64_t, 2>& x) { return dimensions{x[0], x[1]}; };
  Desc desc{.strides = list(c.stride),
            .window_size = list(c.window),
            .start_padding = list(c.start),
            .end_padding = list(c.end)};
  if constexpr (detail::has_dilations<Desc>) desc.dilations = list(c.dilation);
  if constexpr (requires { desc.include_padding; }) desc.include_padding = c.include;
  return desc;
}
// Calls f(window number, value, row, column) of each tap, inside or not.
template <class F>
void for_taps(const plane_case& c, const F& f) {
  for (std::int64_t q = 0; q < c.count[0] * c.count[1]; ++q)
    for (std::int64_t i = 0; i < c.window[0]; ++i)
      for (std::int64_t j = 0; j < c.window[1]; ++j)
        f(static_cast<std::size_t>(q), q / c.count[1] * c.stride[0] + i * c.dilation[0] - c.start[0],
          q % c.count[1] * c.stride[1] + j * c.dilation[1] - c.start[1]);
}
bool inside(const plane_case& c, std::int64_t row, std::int64_t column) {
  return row >= 0 && row < c.size[0] && column >= 0 && column < c.size[1];
}
numbers values_of_taps(const plane_case& c, const numbers& x, std::size_t window) {
  numbers result;
  for_taps(c, [&](std::size_t q, std::int64_t row, std::int64_t column) {
    if (q == window && inside(c, row, column)) result.push_back(x[static_cast<std::size_t>(row * c.size[1] + column)]);
  });
  return result;
}
numbers small_integers(std::mt19937& random, const plane_case& c, int low, int high) {
  numbers x(static_cast<std::size_t>(c.size[0] * c.size[1]));
  for (float& each : x)
    each = static_cast<float>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
  return x;
}
template <class Desc>
char judged_plane(const plane_case& c, const numbers& x, const numbers& y, const indices& at = {},
                  Desc desc = desc_of<Desc>(plane_case{})) {
  return judged(desc, {1, 1, c.size[0], c.size[1]}, x, {1, 1, c.count[0], c.count[1]}, y, at)[0];
}
std::size_t count_of(const plane_case& c) { return static_cast<std::size_t>(c.count[0] * c.count[1]); }

// Devices for AVERAGE: a serial sum, products with 1 / v that are off by as much as `rcp` allows, axis after axis.
float average_of(const numbers& taps, float v, int how, std::mt19937& random) {
  if (taps.empty()) return 0;
  float sum = 0;
  const float push = (random() % 2 == 0 ? 1.0F : -1.0F) * 0x1.ep-22F;
  const float reciprocal = (1 / v) * (1 + push);
  if (how == 0) {
    for (const float x : taps) sum += x;
    return sum / v;
  }
  if (how == 1) {
    for (const float x : taps) sum += x;
    return sum * (v == 1 || v == 2 || v == 4 || v == 8 ? 1 / v : reciprocal);
  }
  if (how == 2) {
    for (std::size_t i = taps.size(); i-- > 0;) sum = std::fma(taps[i], 1 / v, sum);
    return sum;
  }
  numbers rest = taps;  // pairwise
  while (rest.size() > 1) {
    for (std::size_t i = 0; i < rest.size() / 2; ++i) rest[i] = rest[2 * i] + rest[2 * i + 1];
    if (rest.size() % 2 != 0) rest[rest.size() / 2] = rest.back();
    rest.resize((rest.size() + 1) / 2);
  }
  return rest[0] / v;
}

}  // namespace

TEST_CASE("Pooling: right devices are right", "[pooling]") {
  std::mt19937 random(40);
  for (int i = 0; i < 400; ++i) {
    const plane_case c = random_plane(random, true);
    numbers x(static_cast<std::size_t>(c.size[0] * c.size[1]));
    std::normal_distribution<float> normal;
    const float offset = i % 3 == 0 ? 0 : 10;
    for (float& each : x)
      each = i % 4 == 0 ? std::ldexp(normal(random), static_cast<int>(random() % 40) - 20) : normal(random) + offset;
    const float all = static_cast<float>(c.window[0] * c.window[1]);
    for (int how = 0; how < 4; ++how) {
      numbers y;
      for (std::size_t q = 0; q < count_of(c); ++q) {
        const numbers taps = values_of_taps(c, x, q);
        y.push_back(average_of(taps, c.include ? all : static_cast<float>(taps.size()), how, random));
      }
      INFO("case " << i << ", kernel " << how);
      CHECK(judged_plane(c, x, y, {}, desc_of<average_pooling1_desc>(c)) != 'r');
    }
    for (const std::uint32_t p : {1U, 2U, 3U, 7U}) {
      numbers y;
      for (std::size_t q = 0; q < count_of(c); ++q) {
        float sum = 0;
        for (const float tap : values_of_taps(c, x, q))
          sum += p == 1   ? std::abs(tap)
                 : p == 2 ? tap * tap
                          : std::exp2(static_cast<float>(p) * std::log2(std::abs(tap)));
        y.push_back(p == 1 ? sum : p == 2 ? std::sqrt(sum) : std::exp2(std::log2(sum) * (1 / static_cast<float>(p))));
      }
      lp_pooling1_desc desc = desc_of<lp_pooling1_desc>(c);
      desc.p = p;
      INFO("case " << i << ", P " << p);
      CHECK(judged_plane(c, x, y, {}, desc) != 'r');
    }
    numbers y(count_of(c), -infinity);
    indices at(count_of(c), 0xFFFF'FFFF);
    for_taps(c, [&](std::size_t q, std::int64_t row, std::int64_t column) {
      if (!inside(c, row, column)) return;
      const auto place = static_cast<std::uint32_t>(row * c.size[1] + column);
      if (x[place] > y[q]) {
        y[q] = x[place];
        at[q] = place;
      }
    });
    CHECK(judged_plane(c, x, y, at, desc_of<max_pooling2_desc>(c)) != 'r');
  }
}

TEST_CASE("Pooling: wrong devices are noticed wherever the result changes", "[pooling]") {
  std::mt19937 random(41);
  std::array<int, 9> changed{}, noticed{};
  const auto count = [&](std::size_t kernel, bool is_changed, char judgement) {
    if (!is_changed) {
      CHECK(judgement != 'r');
      return;
    }
    ++changed[kernel];
    if (judgement == 'r') ++noticed[kernel];
  };
  for (int i = 0; i < 300; ++i) {
    const plane_case c = random_plane(random, true);
    const auto pool = [&](const plane_case& of, const numbers& x, bool last, bool reads_padding, numbers& y,
                          indices& at, numbers& sums, numbers& taps) {
      y.assign(count_of(c), -infinity);
      at.assign(count_of(c), 0xFFFF'FFFF);
      sums.assign(count_of(c), 0);
      taps.assign(count_of(c), 0);
      plane_case with = of;
      with.count = c.count;
      for_taps(with, [&](std::size_t q, std::int64_t row, std::int64_t column) {
        if (!inside(c, row, column)) {
          if (reads_padding) y[q] = std::max(y[q], 0.0F);
          return;
        }
        const auto place = static_cast<std::uint32_t>(row * c.size[1] + column);
        sums[q] += x[place];
        taps[q] += 1;
        if (x[place] > y[q] || (last && x[place] == y[q])) {
          y[q] = x[place];
          at[q] = place;
        }
      });
    };
    const numbers x = small_integers(random, c, -8, -1), z = small_integers(random, c, 1, 8);
    numbers y, sums, taps, other, other_sums, other_taps;
    indices at, other_at;
    pool(c, x, false, false, y, at, sums, taps);
    const auto has_taps = [&](const auto& right, const auto& wrong) {  // elsewhere anything is right
      bool differs = false;
      for (std::size_t q = 0; q < taps.size(); ++q) differs = differs || (taps[q] > 0 && right[q] != wrong[q]);
      return differs;
    };
    const auto greatest_desc = desc_of<max_pooling2_desc>(c);
    pool(c, x, false, true, other, other_at, other_sums, other_taps);  // padding as 0
    count(0, has_taps(y, other), judged_plane(c, x, other, at, greatest_desc));
    pool(c, x, true, false, other, other_at, other_sums, other_taps);  // the last of equals
    count(1, has_taps(at, other_at), judged_plane(c, x, y, other_at, greatest_desc));
    plane_case wrong = c;
    std::swap(wrong.start, wrong.end);
    pool(wrong, x, false, false, other, other_at, other_sums, other_taps);
    count(2, has_taps(y, other) || has_taps(at, other_at), judged_plane(c, x, other, other_at, greatest_desc));
    wrong = c;
    wrong.dilation = {1, 1};
    pool(wrong, x, false, false, other, other_at, other_sums, other_taps);
    count(3, has_taps(y, other) || has_taps(at, other_at), judged_plane(c, x, other, other_at, greatest_desc));
    wrong = c;
    ++wrong.start[0];  // off by one
    pool(wrong, x, false, false, other, other_at, other_sums, other_taps);
    count(4, has_taps(y, other) || has_taps(at, other_at), judged_plane(c, x, other, other_at, greatest_desc));
    // Averages of numbers of one sign.
    const float all = static_cast<float>(c.window[0] * c.window[1]);
    const auto averages = [&](const numbers& of, const numbers& counts, bool include) {
      numbers result;
      for (std::size_t q = 0; q < of.size(); ++q)
        result.push_back(counts[q] == 0 && !include ? 0 : of[q] / (include ? all : counts[q]));
      return result;
    };
    const auto average_desc = desc_of<average_pooling1_desc>(c);
    const auto differs = [&](const numbers& a, const numbers& b) {
      for (std::size_t q = 0; q < a.size(); ++q)
        if ((taps[q] > 0 || c.include) && std::abs(a[q] - b[q]) > 1e-4F) return true;
      return false;
    };
    pool(c, z, false, false, y, at, sums, taps);
    const numbers right = averages(sums, taps, c.include);
    CHECK(judged_plane(c, z, right, {}, average_desc) != 'r');
    numbers inverted = averages(sums, taps, !c.include);
    bool overhangs = false;  // a device may clip such windows (PO-R2)
    for (std::size_t axis = 0; axis < 2; ++axis)
      overhangs = overhangs || (c.count[axis] - 1) * c.stride[axis] + (c.window[axis] - 1) * c.dilation[axis] >=
                                   c.size[axis] + c.start[axis] + c.end[axis];
    if (!overhangs) count(5, differs(right, inverted), judged_plane(c, z, inverted, {}, average_desc));
    wrong = c;
    std::swap(wrong.start, wrong.end);
    pool(wrong, z, false, false, other, other_at, other_sums, other_taps);
    inverted = averages(other_sums, other_taps, c.include);
    count(6, differs(right, inverted), judged_plane(c, z, inverted, {}, average_desc));
    numbers norms, means, sums_of_signs;
    for (std::size_t q = 0; q < taps.size(); ++q) {
      norms.push_back(sums[q]);
      means.push_back(taps[q] == 0 ? 0 : sums[q] / taps[q]);
    }
    lp_pooling1_desc one = desc_of<lp_pooling1_desc>(c);
    one.p = 1;
    count(7, norms != means, judged_plane(c, z, means, {}, one));
    pool(c, x, false, false, y, at, sums, taps);  // negative numbers, without magnitudes
    for (std::size_t q = 0; q < taps.size(); ++q) sums_of_signs.push_back(sums[q]);
    count(8, *std::min_element(sums.begin(), sums.end()) < 0, judged_plane(c, x, sums_of_signs, {}, one));
  }
  for (std::size_t kernel = 0; kernel < changed.size(); ++kernel) {
    INFO("kernel " << kernel << ": " << noticed[kernel] << " of " << changed[kernel]);
    CHECK(changed[kernel] > 50);
    CHECK(noticed[kernel] == changed[kernel]);
  }
}

TEST_CASE("Pooling: many dimensions and layouts agree between the backends", "[pooling]") {
  std::mt19937 random(42);
  for (int i = 0; i < 60; ++i) {
    const bool volume = i % 2 == 0;
    dimensions sizes{1 + random() % 2, 1 + random() % 3, 1 + random() % 6, 1 + random() % 20};
    if (volume) sizes.push_back(1 + random() % 9);
    max_pooling2_desc desc;
    for (std::size_t axis = 2; axis < sizes.size(); ++axis) {
      desc.dilations.push_back(1 + random() % 2);
      desc.strides.push_back(1 + random() % 3);
      desc.start_padding.push_back(random() % 3);
      desc.end_padding.push_back(random() % 3);
      const std::uint64_t padded = sizes[axis] + desc.start_padding[axis - 2] + desc.end_padding[axis - 2];
      desc.window_size.push_back(1 + random() % ((padded - 1) / desc.dilations[axis - 2] + 1));
    }
    numbers x(static_cast<std::size_t>(element_count(sizes)));
    for (float& each : x) each = static_cast<float>(random() % 100) - 50;
    if (i % 5 == 0) x[0] = not_a_number;
    places(sizes, x, desc);
    pooled(max_pooling2, sizes, x, desc);
    const average_pooling1_desc averages{.strides = desc.strides,
                                         .window_size = desc.window_size,
                                         .start_padding = desc.start_padding,
                                         .end_padding = desc.end_padding,
                                         .dilations = desc.dilations,
                                         .include_padding = i % 3 == 0};
    pooled(average_pooling1, sizes, x, averages);
    std::vector<float16> halves;
    for (const float each : x) halves.push_back(static_cast<float16>(each * 0.37F));
    pooled(average_pooling1, sizes, halves, averages);
    pooled(lp_pooling1, sizes, x,
           lp_pooling1_desc{.strides = desc.strides,
                            .window_size = desc.window_size,
                            .start_padding = desc.start_padding,
                            .end_padding = desc.end_padding,
                            .dilations = desc.dilations,
                            .p = 1 + static_cast<std::uint32_t>(i) % 4});
  }
}

TEST_CASE("Pooling: blocks of windows inside of an image agree bit by bit", "[pooling]") {
  std::mt19937 random(40);
  const float specials[] = {not_a_number, infinity,   -infinity,       0.0F,  -0.0F,
                            0x1p-149F,    -0x1p-149F, 0x1.fffffep127F, 1e-12F};
  const auto bits = [](const numbers& x) {
    std::vector<std::uint32_t> result;
    for (const float each : x) result.push_back(std::bit_cast<std::uint32_t>(each));
    return result;
  };
  for (int i = 0; i < 90; ++i) {
    const std::uint32_t window = i % 3 == 0 ? 2 : 3, step = i % 3 == 1 ? 1 : 2;
    const dimensions sizes{1 + random() % 2, 1 + random() % 2, window + random() % 4, 8 * step + random() % 40};
    numbers x(static_cast<std::size_t>(element_count(sizes)));
    for (float& each : x) {
      each = static_cast<float>(random() % 4001) - 2000;
      if (i % 4 == 1) each = std::ldexp(each, -static_cast<int>(random() % 40));
      if (i % 4 == 2) each = 1 + std::ldexp(static_cast<float>(random() >> 9), -23);  // sums that tie
      if (i % 4 == 3 && random() % 4 == 0) each = specials[random() % std::size(specials)];
      if (i % 20 == 7) each = random() % 3 == 0 ? 0.0F : -0.0F;
      if (i % 20 == 11) each = not_a_number;
    }
    const max_pooling_desc greatest{
        .strides = {1 + random() % 2, step},
        .window_size = {window, window},
        .start_padding = {random() % 2, random() % 3},
        .end_padding = {random() % 2, random() % 3},
        .nan_policy = i % 2 == 0 ? nan_policy::skip : nan_policy::propagate,
    };
    const average_pooling_desc averages{.strides = greatest.strides,
                                        .window_size = greatest.window_size,
                                        .start_padding = greatest.start_padding,
                                        .end_padding = greatest.end_padding,
                                        .include_padding = i % 5 == 0};
    const tensor<float> image(sizes, x);
    const auto most = bits(max_pooling(reference, image, greatest).elements());
    const auto mean = bits(average_pooling(reference, image, averages).elements());
    for (const instruction_set set : all_instruction_sets) {
      if (!is_supported(set)) continue;
      CHECK(bits(max_pooling(cpu.with(set), image, greatest).elements()) == most);
      CHECK(bits(average_pooling(cpu.with(set), image, averages).elements()) == mean);
    }
  }
}

TEST_CASE("Pooling: rules that no line can say", "[pooling]") {
  const tensor_desc x{.data_type = data_type::float32, .sizes = {1, 1, 4, 4}},
      y{.data_type = data_type::float32, .sizes = {1, 1, 3, 3}};
  const max_pooling_desc legal{
      .strides = {1, 1}, .window_size = {2, 2}, .start_padding = {0, 0}, .end_padding = {0, 0}};
  CHECK(rules::codes_of(violations(legal, x, y)) == "");
  for (const auto member : {&max_pooling_desc::strides, &max_pooling_desc::window_size,
                            &max_pooling_desc::start_padding, &max_pooling_desc::end_padding}) {
    max_pooling_desc desc = legal;
    desc.*member = dimensions::null();
    CHECK(rules::codes_of(violations(desc, x, y)) == "PO4");
    desc.*member = dimensions(std::vector<std::uint32_t>(9, 1));
    CHECK(rules::codes_of(violations(desc, x, y)) == "PO3");
  }
  // The call fills empty lists; a list that is null it leaves.
  const max_pooling_desc null{.strides = dimensions::null(), .window_size = {2, 2}};
  CHECK(refusal_of([&] { static_cast<void>(max_pooling(cpu, tensor<float>({1, 1, 4, 4}), null)); }) == "PO4");
}
