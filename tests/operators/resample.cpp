// RESAMPLE, RESAMPLE1, RESAMPLE2, RESAMPLE3, RESAMPLE_GRAD, RESAMPLE_GRAD1: results, what a device may answer, and the
// rules, by hand from SPEC-windows 2, 6, 7 and the ledger (RM-R1 to RM-R7, RD-R1).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/cpu/resample.hpp>
#include <goldml/operators/resample.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/resample.hpp>
#include <goldml/reference/resample.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr auto linear = interpolation_mode::linear;
constexpr auto up = axis_direction::increasing, down = axis_direction::decreasing;

// On both backends.
template <class T = float, class Desc>
numbers made(const numbers& x, const dimensions& from, const dimensions& to, const Desc& desc) {
  std::vector<T> elements;
  for (const float each : x) elements.push_back(static_cast<T>(each));
  const tensor<T> input(from, elements);
  tensor<T> one(to), other(to);
  const detail::resample_call<Desc> call;
  call(reference, input, one, desc);
  call(cpu, input, other, desc);
  CHECK(one.elements() == other.elements());
  numbers result;
  for (const T each : one.elements()) result.push_back(static_cast<float>(each));
  return result;
}
// One axis of 10 20 30.
template <class Desc>
numbers row(std::uint32_t outputs, const Desc& desc) {
  return made({10, 20, 30}, {3}, {outputs}, desc);
}

template <class T, class Desc>
oracle::golden expected(const std::vector<T>& x, const dimensions& from, const dimensions& to, const Desc& desc) {
  const tensor_desc input{.data_type = data_type_of<T>, .sizes = from};
  const std::array inputs{const_tensor_ref(input, x.data(), x.size() * sizeof(T))};
  const std::array outputs{tensor_desc{.data_type = data_type_of<T>, .sizes = to}};
  return oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
}
template <class T>
std::string judged(const oracle::golden& golden, const std::vector<T>& answer, const dimensions& sizes) {
  const tensor_desc output{.data_type = data_type_of<T>, .sizes = sizes};
  const std::array actual{const_tensor_ref(output, answer.data(), answer.size() * sizeof(T))};
  return goldml_test::judged(golden, actual);
}

}  // namespace

TEST_CASE("RESAMPLE: places and neighbours", "[resample]") {
  struct example {
    float s, ip, op;
    numbers nearest, increasing, decreasing, interpolated;
  };
  const example examples[] = {
      {2,
       0.5F,
       -0.5F,
       {10, 10, 20, 20, 30, 30},
       {10, 20, 20, 30, 30, 30},
       {10, 10, 10, 20, 20, 30},
       {10, 12.5F, 17.5F, 22.5F, 27.5F, 30}},
      {2, 0, 0, {10, 20, 20, 30, 30, 30}, {10, 20, 20, 30, 30, 30}, {10, 10, 20, 20, 30, 30}, {10, 15, 20, 25, 30, 30}},
      {1.5F, 0.5F, -0.5F, {10, 20, 20, 30}, {10, 20, 30, 30}, {10, 10, 20, 20}, {10, 15, 65 / 3.0F, 85 / 3.0F}},
      {0.5F, 0.5F, -0.5F, {20}, {20}, {10}, {15}},
  };
  for (const auto& [s, ip, op, nearest, increasing, decreasing, interpolated] : examples) {
    INFO("scale " << s << ", offsets " << ip << " " << op);
    const auto n = static_cast<std::uint32_t>(nearest.size());
    const float32_list scales{s}, in{ip}, out{op};
    CHECK(row(n, resample1_desc{.scales = scales, .input_pixel_offsets = in, .output_pixel_offsets = out}) == nearest);
    if (ip == 0.5F) CHECK(row(n, resample_desc{.scales = scales}) == nearest);
    for (const auto& [direction, wanted] : {std::pair(up, increasing), std::pair(down, decreasing)}) {
      CHECK(row(n, resample2_desc{.rounding_direction = direction,
                                  .scales = scales,
                                  .input_pixel_offsets = in,
                                  .output_pixel_offsets = out}) == wanted);
      CHECK(row(n, resample3_desc{.rounding_direction = direction,
                                  .scales = scales,
                                  .input_pixel_offsets = in,
                                  .output_pixel_offsets = out,
                                  .antialiased = true}) == wanted);
    }
    CHECK(row(n, resample1_desc{.interpolation_mode = linear,
                                .scales = scales,
                                .input_pixel_offsets = in,
                                .output_pixel_offsets = out}) == interpolated);
    CHECK(row(n, resample3_desc{.interpolation_mode = linear,
                                .rounding_direction = down,
                                .scales = scales,
                                .input_pixel_offsets = in,
                                .output_pixel_offsets = out,
                                .antialiased = true}) == interpolated);  // 1 / scale is at most 2
    if (ip == 0.5F) CHECK(row(n, resample_desc{.interpolation_mode = linear, .scales = scales}) == interpolated);
  }
  CHECK(row(1, resample_desc{.scales = {0.5F}, .nearest_ties = nearest_ties::down}) == numbers{10});
  // Any sizes: a larger output repeats the edge, a smaller one crops.
  CHECK(row(8, resample_desc{.scales = {2}}) == numbers{10, 10, 20, 20, 30, 30, 30, 30});
  CHECK(row(2, resample_desc{.interpolation_mode = linear, .scales = {2}}) == numbers{10, 12.5F});
  // Places at the end of FLOAT32, and scales that collapse an axis.
  const float most = std::numeric_limits<float>::max();
  CHECK(row(3, resample_desc{.scales = {most}}) == numbers{10, 10, 10});
  CHECK(row(3, resample_desc{.interpolation_mode = linear, .scales = {1e-40F}}) == numbers{30, 30, 30});
  numbers image;
  for (int i = 0; i < 24; ++i) image.push_back(static_cast<float>(i));
  CHECK(made(image, {1, 1, 4, 6}, {1, 1, 2, 3}, resample_desc{.scales = {1, 1, 0.5F, 0.5F}}) ==
        numbers{7, 9, 11, 19, 21, 23});
}

TEST_CASE("RESAMPLE: integers are cut toward zero", "[resample]") {
  const resample_desc cut{.interpolation_mode = linear, .scales = {0.6F, 0.6F}};
  resample_desc nearest = cut;
  nearest.integer_rounding = integer_rounding::nearest;
  CHECK(made<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4}, {1, 2}, cut) == numbers{2, 4});
  CHECK(made<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4}, {1, 2}, nearest) == numbers{3, 4});
  CHECK(made<std::int8_t>({1, -2, 3, -4, -5, 6, -7, 8}, {2, 4}, {1, 2}, cut) == numbers{0, 0});
  const std::vector<std::uint8_t> x{1, 2, 3, 4, 5, 6, 7, 8};
  const oracle::golden golden = expected(x, {2, 4}, {1, 2}, cut);
  using bytes = std::vector<std::uint8_t>;
  CHECK(judged(golden, bytes{2, 4}, {1, 2}) == "aa");
  CHECK(judged(golden, bytes{3, 4}, {1, 2}) == "ss");  // rounded to nearest
  CHECK(judged(golden, bytes{2, 5}, {1, 2}) == "rr");
  CHECK(judged(golden, bytes{1, 4}, {1, 2}) == "rr");
  // Exact and whole: nothing else.
  const oracle::golden whole =
      expected(bytes{2, 4}, {2}, {1}, resample_desc{.interpolation_mode = linear, .scales = {0.5F}});
  CHECK(judged(whole, bytes{3}, {1}) == "aa");
  CHECK(judged(whole, bytes{2}, {1}) == "rr");
}

TEST_CASE("RESAMPLE3: a filter as wide as the step", "[resample]") {
  const resample3_desc desc{.interpolation_mode = linear,
                            .scales = {0.25F},
                            .input_pixel_offsets = {0.5F},
                            .output_pixel_offsets = {-0.5F},
                            .antialiased = true};
  CHECK(made({0, 0, 0, 16, 0, 0, 0, 0}, {8}, {2}, desc) == numbers{2.5F, 1.5F});
  numbers ramp;
  for (int i = 0; i < 32; ++i) ramp.push_back(static_cast<float>(i));
  CHECK(made(ramp, {32}, {8}, desc) == numbers{1.65625F, 5.5F, 9.5F, 13.5F, 17.5F, 21.5F, 25.5F, 29.34375F});
  const oracle::golden golden = expected(numbers{0, 0, 0, 16, 0, 0, 0, 0}, {8}, {2}, desc);
  CHECK(judged(golden, numbers{4, 0}, {2}) == "aa");  // halved twice
  CHECK(judged(golden, numbers{-1, 0}, {2}) == "rr");
  CHECK(judged(golden, numbers{17, 0}, {2}) == "rr");
  const oracle::golden constant = expected(numbers(8, 3.0F), {8}, {2}, desc);
  CHECK(judged(constant, numbers{3, 3.000001F}, {2}) == "aa");
  CHECK(judged(constant, numbers{3, 3.0001F}, {2}) == "rr");
  numbers special(8, 1.0F);
  special[0] = infinity;
  const oracle::golden infinite = expected(special, {8}, {2}, desc);
  CHECK(judged(infinite, numbers{infinity, 1}, {2}) == "aa");
  CHECK(judged(infinite, numbers{1, 1}, {2}) == "aa");  // a filter that leaves the first element out
  CHECK(judged(infinite, numbers{2, 1}, {2}) == "rr");
  // The golden filter, from -2 to 5 at 1.5, leaves out the element at 6, which others have.
  special = numbers(8, 1.0F);
  special[6] = infinity;
  const oracle::golden beside = expected(special, {8}, {2}, desc);
  for (const float right : {1.0F, infinity, not_a_number}) CHECK(judged(beside, numbers{right, infinity}, {2}) == "aa");
  CHECK(judged(beside, numbers{-infinity, infinity}, {2}) == "rr");
}

TEST_CASE("RESAMPLE_GRAD: the adjoint", "[resample]") {
  const resample_grad_desc twice{
      .interpolation_mode = linear, .scales = {2}, .input_pixel_offsets = {-0.5F}, .output_pixel_offsets = {0.5F}};
  resample_grad_desc nearest = twice, third = twice;
  nearest.interpolation_mode = interpolation_mode::nearest_neighbor;
  third.scales = {4 / 3.0F};
  CHECK(made({1, 10, 100, 1000}, {4}, {2}, twice) == numbers{33.5F, 1077.5F});
  CHECK(made({1, 10, 100, 1000}, {4}, {2}, nearest) == numbers{11, 1100});
  CHECK(made({1, 10, 100, 1000}, {4}, {3}, third) == numbers{4.7500005F, 68.75001F, 1037.5F});
  // The page: 4 5 6, scales 0.5 and 1.5, to 2x2. With half pixels it needs DECREASING, or ties that go down.
  const numbers page{9, 6, 0, 0};
  const resample_grad1_desc by_page{.rounding_direction = down,
                                    .scales = {0.5F, 1.5F},
                                    .input_pixel_offsets = {-0.5F, -0.5F},
                                    .output_pixel_offsets = {0.5F, 0.5F}};
  CHECK(made({4, 5, 6}, {1, 3}, {2, 2}, by_page) == page);
  resample_grad_desc ties{.scales = by_page.scales,
                          .input_pixel_offsets = by_page.input_pixel_offsets,
                          .output_pixel_offsets = by_page.output_pixel_offsets};
  CHECK(made({4, 5, 6}, {1, 3}, {2, 2}, ties) == numbers{0, 0, 4, 11});
  ties.nearest_ties = nearest_ties::down;
  CHECK(made({4, 5, 6}, {1, 3}, {2, 2}, ties) == page);
  CHECK(made({4, 5, 6}, {1, 3}, {2, 2},
             resample_grad_desc{
                 .scales = {0.5F, 1.5F}, .input_pixel_offsets = {0, 0}, .output_pixel_offsets = {0.5F, 0.5F}}) == page);

  // sum g * R(x) = sum x * G(g), where doubles have everything exactly.
  std::mt19937 random(1);
  const auto draw = [&](std::size_t n) {
    numbers result;
    for (std::size_t i = 0; i < n; ++i) result.push_back(static_cast<float>(static_cast<int>(random() % 41) - 20));
    return result;
  };
  const auto product = [](const numbers& a, const numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
  };
  for (int run = 0; run < 400; ++run) {
    const auto size = [&] { return static_cast<std::uint32_t>(1 + random() % 6); };
    const dimensions from{size(), size(), size()}, to{size(), size(), size()};
    const bool interpolates = run % 2 == 0;
    float32_list scales, in, out;
    for (int i = 0; i < 3; ++i) {
      scales.push_back(interpolates ? std::array{0.25F, 0.5F, 1.0F, 2.0F, 4.0F}[random() % 5]
                                    : std::array{0.3F, 1 / 3.0F, 1.0F, 1.5F, 3.0F}[random() % 5]);
      in.push_back(std::array{0.0F, 0.5F, 0.25F, -1.0F}[random() % 4]);
      out.push_back(std::array{0.0F, -0.5F, 0.75F}[random() % 3]);
    }
    const numbers x = draw(static_cast<std::size_t>(element_count(from)));
    const numbers g = draw(static_cast<std::size_t>(element_count(to)));
    const auto mode = interpolates ? linear : interpolation_mode::nearest_neighbor;
    const numbers one = made(x, from, to, resample1_desc{mode, scales, in, out});
    CHECK(product(one, g) == product(x, made(g, to, from, resample_grad_desc{mode, scales, out, in})));
    const numbers two = made(x, from, to, resample2_desc{mode, down, scales, in, out});
    CHECK(product(two, g) == product(x, made(g, to, from, resample_grad1_desc{mode, down, scales, out, in})));
  }
}

TEST_CASE("RESAMPLE: what a device may answer", "[resample]") {
  constexpr float u = 0x1p-24F;
  // Where the place is within rounding of the middle, one of the two; else the nearest only.
  const numbers x = [] {
    numbers all;
    for (int i = 0; i < 20; ++i) all.push_back(static_cast<float>(i));
    return all;
  }();
  const resample2_desc near_whole{
      .rounding_direction = down, .scales = {0.3F}, .input_pixel_offsets = {0}, .output_pixel_offsets = {-0.5F}};
  const oracle::golden golden = expected(x, {20}, {6}, near_whole);
  CHECK(made(x, {20}, {6}, near_whole) == numbers{1, 4, 8, 11, 14, 18});
  CHECK(judged(golden, numbers{1, 4, 8, 11, 15, 18}, {6}) == "aa");
  CHECK(judged(golden, numbers{1, 5, 8, 11, 15, 18}, {6}) == "aa");
  CHECK(judged(golden, numbers{1, 4, 8, 12, 14, 18}, {6}) == "rr");
  const oracle::golden tie =
      expected(numbers{10, 20, 30}, {3}, {6},
               resample1_desc{.scales = {2}, .input_pixel_offsets = {0}, .output_pixel_offsets = {0}});
  CHECK(judged(tie, numbers{10, 10, 20, 20, 30, 30}, {6}) == "aa");  // all ties down
  CHECK(judged(tie, numbers{10, 20, 20, 20, 30, 30}, {6}) == "aa");
  CHECK(judged(tie, numbers{20, 20, 20, 30, 30, 30}, {6}) == "rr");

  // LINEAR with scale 3: t of q = 1 is 0, and a device may see it 13 u (M + 1) off, M = (1 + 1/2) / 3 + 1/2 = 1.
  const resample_desc third{.interpolation_mode = linear, .scales = {3}};
  const oracle::golden thirds = expected(numbers{1, 4}, {2}, {6}, third);
  const auto with = [&](float y) { return judged(thirds, numbers{1, y, 2, 3, 4, 4}, {6}); };
  CHECK(with(1) == "aa");
  CHECK(with(1 + 70 * u) == "aa");   // 16 u times 1 and 4: the division of two steps
  CHECK(with(1 + 120 * u) == "ss");  // 26 u times 1 and 4, and roundings
  CHECK(with(1 + 200 * u) == "rr");
  // Exact axes and small integers: nothing but the golden value.
  const oracle::golden half =
      expected(numbers{1, 4}, {2}, {4}, resample_desc{.interpolation_mode = linear, .scales = {2}});
  CHECK(judged(half, numbers{1, 1.75F, 3.25F, 4}, {4}) == "aa");
  CHECK(judged(half, numbers{1, 1.7500001F, 3.25F, 4}, {4}) == "rr");
  // An infinity beside an axis that is not scaled must not show; beside a place that may be elsewhere it may.
  const numbers special{1, infinity, 2, 3};
  const oracle::golden beside =
      expected(special, {2, 2}, {2, 4}, resample_desc{.interpolation_mode = linear, .scales = {1, 2}});
  CHECK(judged(beside, numbers{1, infinity, infinity, infinity, 2, 2.25F, 2.75F, 3}, {2, 4}) == "aa");
  CHECK(judged(beside, numbers{not_a_number, infinity, infinity, infinity, 2, 2.25F, 2.75F, 3}, {2, 4}) == "aa");
  CHECK(judged(beside, numbers{1, infinity, infinity, infinity, not_a_number, 2.25F, 2.75F, 3}, {2, 4}) == "rr");
  CHECK(judged(beside, numbers{1, 7, infinity, infinity, 2, 2.25F, 2.75F, 3}, {2, 4}) == "rr");
  // Strictly as well: nothing overflows. t of q = 0 and 1 is 0, exactly or not.
  const oracle::golden first =
      expected(numbers{1, infinity}, {2}, {6}, resample_desc{.interpolation_mode = linear, .scales = {3}});
  for (const std::size_t q : {0u, 1u}) {
    numbers answer{1, 1, infinity, infinity, infinity, infinity};
    for (const float right : {1.0F, infinity, not_a_number})
      CHECK((answer[q] = right, judged(first, answer, {6})) == "aa");
    for (const float wrong : {-infinity, 2.0F}) CHECK((answer[q] = wrong, judged(first, answer, {6})) == "rr");
  }
  // b - a overflows although the result is small.
  const oracle::golden wide =
      expected(numbers{3e38F, -3e38F}, {2}, {4}, resample_desc{.interpolation_mode = linear, .scales = {2}});
  CHECK(judged(wide, numbers{3e38F, -infinity, -1.5e38F, -3e38F}, {4}) == "or");
  CHECK(judged(wide, numbers{not_a_number, 1.5e38F, -1.5e38F, -3e38F}, {4}) == "or");  // times 0
  CHECK(judged(wide, numbers{3e38F, 1.5e38F, -1.5e38F, not_a_number}, {4}) == "rr");   // nothing after the last
  // The same of bytes: 200 u off where only an approximate reciprocal is. t of q = 1199 is about 3999.
  std::vector<std::uint8_t> bytes(4000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i % 2 == 0 ? 0 : 255);
  const resample1_desc down_by{
      .interpolation_mode = linear, .scales = {0.3F}, .input_pixel_offsets = {0.5F}, .output_pixel_offsets = {-0.5F}};
  const oracle::golden of_bytes = expected(bytes, {4000}, {1200}, down_by);
  std::vector<std::uint8_t> near_by(1200), farther(1200);
  for (std::size_t q = 0; q < 1200; ++q) {
    const double t = (static_cast<double>(q) + 0.5) / double{0.3F} - 0.5, margin = (t + 2) * double{u};
    const auto at = [&](double place) {
      const double limited = std::clamp(place, 0.0, 3999.0), k = std::floor(limited), f = limited - k;
      const auto whole = static_cast<std::size_t>(k), next = std::min<std::size_t>(whole + 1, 3999);
      return static_cast<std::uint8_t>((1 - f) * bytes[whole] + f * bytes[next]);
    };
    near_by[q] = at(t + 4 * margin);
    farther[q] = at(t + 12 * margin);
  }
  oracle::compare_options no_reciprocals;
  no_reciprocals.reciprocals = oracle::reciprocal_errors::refuse;
  const auto differing = [&](const std::vector<std::uint8_t>& answer, const oracle::compare_options& options) {
    const tensor_desc desc{.data_type = data_type::uint8, .sizes = {1200}};
    const std::array actual{const_tensor_ref(desc, answer.data(), answer.size())};
    return oracle::compare(of_bytes, actual, options).result.differing();
  };
  CHECK(differing(near_by, {}) == 0);
  CHECK(differing(farther, {}) == 0);
  CHECK(differing(near_by, no_reciprocals) == 0);
  CHECK(differing(farther, no_reciprocals) > 0);
  // An antialiasing filter around a place that is limited to the elements first: 11.5 of 0 .. 0 8 16.
  const oracle::golden beyond = expected(numbers{0, 0, 0, 0, 0, 0, 8, 16}, {8}, {8},
                                         resample3_desc{.interpolation_mode = linear,
                                                        .scales = {0.25F},
                                                        .input_pixel_offsets = {0.5F},
                                                        .output_pixel_offsets = {-0.5F},
                                                        .antialiased = true});
  const oracle::golden_output& filtered = beyond.answers.front()[0];
  for (std::size_t q = 3; q < 8; ++q) {
    const auto* const allowed = filtered.verdicts.interval_of<float>(q);
    REQUIRE(allowed != nullptr);
    CHECK((allowed->low <= 11.5F && allowed->high >= 16 && allowed->high < 16.01F));
  }
  // So many elements that may be meant that nothing is said: 200 x 200, offsets of 2^28.
  const float offset = 0x1p28F;
  const oracle::golden many_places = expected(
      numbers(200 * 200, 1.0F), {200, 200}, {200, 200},
      resample1_desc{
          .scales = {1, 1}, .input_pixel_offsets = {offset, offset}, .output_pixel_offsets = {-offset, -offset}});
  CHECK(judged(many_places, numbers(200 * 200, -1.0F), {200, 200})[0] == 'u');
  // A scale that may be flushed.
  const oracle::golden tiny_scale =
      expected(numbers{1, 2}, {2}, {1},
               resample1_desc{.scales = {1e-40F}, .input_pixel_offsets = {0}, .output_pixel_offsets = {0}});
  CHECK(judged(tiny_scale, numbers{2}, {1})[0] == 'u');
  // Places from 2^30 on are nobody's.
  const oracle::golden lost = expected(numbers{1, 2}, {2}, {2}, resample_desc{.scales = {1e-10F}});
  CHECK(judged(lost, numbers{1, 1}, {2})[0] == 'u');
  // A gradient that may be elsewhere is there or not, however many there are: t = 2 q - 1/2.
  const resample_grad_desc ties{.scales = {0.5F}, .input_pixel_offsets = {0}, .output_pixel_offsets = {0.5F}};
  numbers many(20), above(40), below(40), between(40);
  for (std::size_t q = 0; q < 20; ++q) {
    many[q] = static_cast<float>(q + 1);
    above[2 * q] = below[q == 0 ? 0 : 2 * q - 1] = many[q];
    between[2 * q] = between[q == 0 ? 0 : 2 * q - 1] = many[q] / (q == 19 ? 2 : 1);
  }
  const oracle::golden apart = expected(many, {20}, {40}, ties);
  CHECK(judged(apart, above, {40}) == "aa");
  CHECK(judged(apart, below, {40}) == "aa");
  CHECK(judged(apart, between, {40}) == "rr");
  // An infinity that may be elsewhere is no NaN.
  const oracle::golden infinite = expected(numbers{1, infinity}, {2}, {3}, ties);
  CHECK(judged(infinite, numbers{1, 0, infinity}, {3}) == "aa");
  CHECK(judged(infinite, numbers{1, not_a_number, infinity}, {3}) == "rr");
  // The gradient's offsets as those of the forward operator: the whole answer, or nothing of it.
  const resample_grad_desc gradient{.scales = {2}, .input_pixel_offsets = {-0.5F}, .output_pixel_offsets = {0.5F}};
  const numbers g{1, 10, 100, 1000};
  const numbers forward = made(g, {4}, {2}, [&] {
    resample_grad_desc other = gradient;
    other.gradient_offsets = gradient_offsets::forward;
    return other;
  }());
  CHECK(forward != numbers{11, 1100});
  const oracle::golden gradients = expected(g, {4}, {2}, gradient);
  CHECK(judged(gradients, forward, {2}) == "aa");
  CHECK(judged(gradients, numbers{forward[0], 1100}, {2}) == "rr");
}

namespace {

// What a device computes in FLOAT32: one of the formulas of the place, with a reciprocal that is off.
struct device {
  int formula;
  int interpolation;
  float reciprocal;  // 1 +- 2^-21, or 1
  bool limits_first;

  float place(std::uint32_t q, float s, float ip, float op) const {
    const auto x = static_cast<float>(q);
    const float r = 1 / s * reciprocal;
    switch (formula) {
      case 0:
        return (x - op) / s - ip;
      case 1:
        return (x - op) * r - ip;
      case 2:
        return std::fma(x - op, r, -ip);
      case 3:
        return x * r + (-op * r - ip);
      case 4:
        return std::fma(x, r, -op * r - ip);
      default:
        return ((x + 0.5F) - (op + 0.5F)) / s - ip;
    }
  }
};
enum class fault { none, corners, ceil_for_floor, no_limit, inverse_scale, shifted };

// LINEAR along the last of two axes and then the other.
float interpolated(const device& d, fault wrong, const numbers& x, const dimensions& from, const coordinate_tuple& c,
                   const resample1_desc& desc) {
  std::array<std::array<std::int64_t, 2>, 2> at{};
  std::array<float, 2> f{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto last = static_cast<float>(from[i] - 1);
    float s = desc.scales[i], ip = desc.input_pixel_offsets[i], op = desc.output_pixel_offsets[i];
    if (wrong == fault::corners) ip = op = 0;
    if (wrong == fault::inverse_scale) s = 1 / s;
    if (wrong == fault::shifted) op += 1;
    float t = d.place(c[i], s, ip, op);
    if (d.limits_first && wrong != fault::no_limit) t = std::min(std::max(t, 0.0F), last);
    const float k = wrong == fault::ceil_for_floor ? std::ceil(t) : std::floor(t);
    f[i] = t - k;
    for (std::size_t n = 0; n < 2; ++n) {
      const float j = k + static_cast<float>(n);
      at[i][n] = wrong == fault::no_limit && (j < 0 || j > last)
                     ? -1
                     : static_cast<std::int64_t>(std::min(std::max(j, 0.0F), last));
    }
  }
  const auto element = [&](std::size_t i, std::size_t j) {
    if (at[0][i] < 0 || at[1][j] < 0) return 0.0F;
    return x[static_cast<std::size_t>(at[0][i] * from[1] + at[1][j])];
  };
  const auto mix = [&](float a, float b, float t) {
    return d.interpolation == 0 ? a + t * (b - a) : d.interpolation == 1 ? std::fma(t, b - a, a) : (1 - t) * a + t * b;
  };
  if (d.interpolation == 3) {
    float sum = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        sum += (i == 0 ? 1 - f[0] : f[0]) * (j == 0 ? 1 - f[1] : f[1]) * element(i, j);
    return sum;
  }
  return mix(mix(element(0, 0), element(0, 1), f[1]), mix(element(1, 0), element(1, 1), f[1]), f[0]);
}

}  // namespace

TEST_CASE("RESAMPLE: right devices are accepted, wrong ones noticed", "[resample]") {
  std::mt19937 random(7);
  const auto pick = [&](auto... values) { return std::array{values...}[random() % sizeof...(values)]; };
  std::uint64_t outputs = 0;
  std::array<std::array<int, 2>, 6> noticed{};  // of changed answers on exact data: how many, and how many noticed
  for (int run = 0; run < 1500; ++run) {
    const bool exact = run % 3 == 0;
    const auto size = [&] { return static_cast<std::uint32_t>(2 + random() % (run % 7 == 0 ? 200 : 6)); };
    const dimensions from{size(), size()}, to{size(), size()};
    resample1_desc desc{.interpolation_mode = linear};
    for (int i = 0; i < 2; ++i) {
      desc.scales.push_back(exact ? pick(0.5F, 2.0F, 0.25F, 4.0F) : pick(0.3F, 1 / 3.0F, 1.5F, 3.0F, 0.7F, 2.6F));
      desc.input_pixel_offsets.push_back(pick(0.5F, 0.5F, 0.0F, 0.25F));
      desc.output_pixel_offsets.push_back(pick(-0.5F, -0.5F, 0.0F));
    }
    numbers x;
    for (std::uint64_t i = 0; i < element_count(from); ++i)
      x.push_back(exact ? static_cast<float>(static_cast<int>(random() % 200) - 100)
                        : std::ldexp(static_cast<float>(static_cast<int>(random() % 0x1FF'FFFF) - 0xFF'FFFF),
                                     static_cast<int>(random() % 12) - 30));
    const oracle::golden golden = expected(x, from, to, desc);
    const device d{static_cast<int>(random() % 6), static_cast<int>(random() % 4),
                   exact ? 1.0F : pick(1.0F, 1 + 0x1p-21F, 1 - 0x1p-21F), random() % 2 == 0};
    const auto answer = [&](fault wrong) {
      numbers y;
      for (const coordinate_tuple& c : coordinates_of(to)) y.push_back(interpolated(d, wrong, x, from, c, desc));
      return y;
    };
    const numbers right = answer(fault::none);
    outputs += right.size();
    const std::string text = judged(golden, right, to);
    CHECK((text == "aa" || text == "ss"));
    if (!exact) continue;
    CHECK(text == "aa");
    for (const fault wrong :
         {fault::corners, fault::ceil_for_floor, fault::no_limit, fault::inverse_scale, fault::shifted}) {
      const numbers y = answer(wrong);
      if (y == right) continue;
      ++noticed[static_cast<std::size_t>(wrong)][0];
      if (judged(golden, y, to) == "rr") ++noticed[static_cast<std::size_t>(wrong)][1];
    }
  }
  CHECK(outputs > 100'000);
  for (std::size_t i = 1; i < noticed.size(); ++i) {
    INFO("fault " << i);
    CHECK(noticed[i][0] > 100);
    CHECK(noticed[i][0] == noticed[i][1]);
  }
}

TEST_CASE("RM4 RD4 RM7 RM8: lists", "[resample]") {
  const tensor_desc tensor{.data_type = data_type::float32, .sizes = {2, 2}};
  const auto broken = [&](const auto& desc) { return to_string(goldml_test::only_violation(desc, tensor, tensor)); };
  CHECK(broken(resample_desc{.scales = float32_list::null()}) == "RESAMPLE RM4: Scales is null, wanted a pointer");
  CHECK(broken(resample1_desc{
            .scales = {1, 1}, .input_pixel_offsets = float32_list::null(), .output_pixel_offsets = {0, 0}}) ==
        "RESAMPLE1 RM4: InputPixelOffsets is null, wanted a pointer");
  CHECK(broken(resample_grad1_desc{
            .scales = {1, 1}, .input_pixel_offsets = {0, 0}, .output_pixel_offsets = float32_list::null()}) ==
        "RESAMPLE_GRAD1 RD4: OutputPixelOffsets is null, wanted a pointer");
  CHECK(broken(resample_desc{.scales = {1, 0}}) ==
        "RESAMPLE RM7: Scales[1] is FLOAT32 0, wanted a finite number above 0");
  CHECK(broken(resample_desc{.scales = {1, -1}}) ==
        "RESAMPLE RM7: Scales[1] is FLOAT32 -1, wanted a finite number above 0");
  CHECK(broken(resample_desc{.scales = {infinity, 1}}) ==
        "RESAMPLE RM7: Scales[0] is FLOAT32 inf, wanted a finite number above 0");
  CHECK(broken(resample_desc{.scales = {not_a_number, 1}}) ==
        "RESAMPLE RM7: Scales[0] is FLOAT32 nan, wanted a finite number above 0");
  CHECK(
      broken(resample1_desc{.scales = {1, 1}, .input_pixel_offsets = {0, infinity}, .output_pixel_offsets = {0, 0}}) ==
      "RESAMPLE1 RM8: InputPixelOffsets[1] is FLOAT32 inf, wanted a finite number");
  CHECK(broken(resample_grad_desc{
            .scales = {1, 1}, .input_pixel_offsets = {0, 0}, .output_pixel_offsets = {not_a_number, 0}}) ==
        "RESAMPLE_GRAD RD8: OutputPixelOffsets[0] is FLOAT32 nan, wanted a finite number");
  // A call refuses alike, with the output unchanged.
  const resample_desc zero{.scales = {0, 1}};
  CHECK(goldml_test::refused(
            64, zero, [&](const auto&... t) { resample(reference, t..., zero); }, tensor, tensor) == "RM7");
}
