// QUANTIZED_LINEAR_AVERAGE_POOLING: the example of SPEC-quantised 4.8, averages by hand, what a device may answer
// (2.6), devices that compute it legally and never may be refused, and wrong ones.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/quantized_linear_average_pooling.hpp>
#include <goldml/oracle/verdicts/quantized_linear_average_pooling.hpp>
#include <goldml/reference/quantized_linear_average_pooling.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "../support/quantised_answers.hpp"

namespace {

using namespace goldml;
using namespace goldml_test;
using u8 = std::uint8_t;
using s8 = std::int8_t;
using pooling = quantized_linear_average_pooling_desc;
constexpr float infinity = std::numeric_limits<float>::infinity();

// One window over all of {1, 1, 1, n}, less the zero point of UINT8, stored as INT8.
answer<s8> average_of(const numbers& x, int xz, float xs, float os, int oz, pooling desc = {}) {
  const auto n = static_cast<std::uint32_t>(x.size());
  if (desc.window_size.size() == 0) desc.window_size = {1, n};
  desc = goldml::detail::with_default_windows(desc, 4);
  const auto input = tensor_of<u8>({1, 1, 1, n}, x), zero = tensor_of<u8>({1}, {xz});
  const auto x_scale = scale_of({1}, {xs}), y_scale = scale_of({1}, {os});
  const auto y_zero = tensor_of<s8>({1}, {oz});
  return computed<s8>(desc, {input.view(), x_scale.view(), zero.view(), y_scale.view(), y_zero.view()}, {1, 1, 1, 1});
}

}  // namespace

TEST_CASE("QUANTIZED_LINEAR_AVERAGE_POOLING: the page's formula by hand", "[quantized_linear_average_pooling]") {
  const auto x = tensor_of<u8>({1, 1, 3, 3}, {10, 20, 30, 40, 50, 60, 70, 80, 91}), xz = tensor_of<u8>({1}, {20}),
             oz = tensor_of<u8>({1, 1, 1, 1}, {5});
  const auto xs = scale_of({1}, {0.5F}), os = scale_of({1}, {1});
  pooling desc{
      .strides = {1, 1}, .window_size = {2, 2}, .start_padding = {1, 1}, .end_padding = {0, 0}, .dilations = {1, 1}};
  for (const bool include : {false, true}) {
    desc.include_padding = include;
    const auto y = computed<u8>(desc, {x.view(), xs.view(), xz.view(), os.view(), oz.view()}, {1, 1, 3, 3});
    CHECK(y.values() == (include ? numbers{4, 4, 6, 6, 10, 15, 14, 25, 30} : numbers{0, 3, 7, 7, 10, 15, 23, 25, 30}));
    CHECK(y.output->verdicts.all_exact());
  }
  // Each channel has its scales and zero points; a window with gaps, and one more by rounding up.
  const auto two = tensor_of<s8>({1, 2, 1, 4}, {-10, 0, 20, 30, 5, 6, 7, 8});
  const auto zeros = tensor_of<s8>({1, 2, 1, 1}, {-2, 6});
  const auto scales = scale_of({2}, {1, 4}), steps = scale_of({1, 2, 1, 1}, {0.5F, 2});
  tensor<s8> y({1, 2, 1, 2}), fast({1, 2, 1, 2});
  const pooling gaps{.strides = {1, 2}, .window_size = {1, 2}, .dilations = {1, 2}};
  // (-8 + 22) / 2 * 2 = 14; 22 * 2 = 44; ((-1 + 1) / 2) * 2 = 0; 1 * 2 = 2
  quantized_linear_average_pooling(reference, two, scales, zeros, steps, const_tensor_ref(), y, gaps);
  quantized_linear_average_pooling(cpu, two, scales, zeros, steps, const_tensor_ref(), fast, gaps);
  CHECK(numbers(y.data(), y.data() + 4) == numbers{14, 44, 0, 2});
  CHECK(std::equal(y.data(), y.data() + 4, fast.data()));
  // Five dimensions, no zero points, an input with strides: (1 + 2 + 5 + 6) / 4 = 3.5 and (2 + 3 + 6 + 7) / 4 = 4.5.
  const std::vector<u8> data{1, 99, 2, 99, 3, 99, 4, 99, 5, 99, 6, 99, 7, 99, 8};
  const tensor_view<const u8> cube(data.data(), {1, 1, 2, 1, 4}, {0, 0, 8, 0, 2});
  const auto one = scale_of({1}, {1});
  tensor<u8> third({1, 1, 1, 1, 3}), again({1, 1, 1, 1, 3});
  quantized_linear_average_pooling(reference, cube, one, one, third, {.window_size = {2, 1, 2}});
  quantized_linear_average_pooling(cpu, cube, one, one, again, {.window_size = {2, 1, 2}});
  CHECK(numbers(third.data(), third.data() + 3) == numbers{4, 4, 6});
  CHECK(std::equal(third.data(), third.data() + 3, again.data()));
}

TEST_CASE("QUANTIZED_LINEAR_AVERAGE_POOLING: what a device may answer", "[quantized_linear_average_pooling]") {
  // 5 / 2 / 1: a tie that is met exactly. By thirds both are possible.
  CHECK(average_of({2, 3}, 0, 1, 1, 0).at(0, {2, 3}) == "ur");
  CHECK(average_of({2, 3}, 0, 1, 1, 0, {.quantize_ties = quantize_ties::away}).at(0, {3, 2}) == "ur");
  CHECK(average_of({2, 2, 3}, 0, 3, 2, 0).values() == numbers{4});  // 3.5
  CHECK(average_of({2, 2, 3}, 0, 3, 2, 0).at(0, {2, 3, 4, 5}) == "ruur");
  // 0.50001: floats may accumulate to less than a half.
  CHECK(average_of({255, 2}, 128, 0.1F, 0.099998F, 0).at(0, {1, 0, 2}) == "usr");
  CHECK(average_of({7}, 0, 3, 2, 0, {.accumulation = accumulation::half}).values() == numbers{10});  // 10.5
  CHECK(average_of({7}, 0, 1, 1e-5F, 0, {.accumulation = accumulation::half}).at(0, 0) == '?');
  // Scales at which something overflows or vanishes.
  for (const float s : {0.0F, 1e-39F, infinity, std::numeric_limits<float>::quiet_NaN(), 3e38F}) {
    CHECK(average_of({7, 8}, 0, s, 1, 0).at(0, 0) == '?');
    CHECK(average_of({7, 8}, 0, 1, s, 0).at(0, 0) == '?');
  }
  CHECK(average_of({7, 8}, 0, -1, 1, 0).values() == numbers{-8});
  // Scaling by an integer and a shift: 5 * 7 / 80 = 0.4375.
  CHECK(average_of({5}, 0, 7, 80, 0).at(0, {0, 1}) == "ur");
  CHECK(average_of({5}, 0, 7, 80, 0, {.fixed_point = fixed_point::accept}).at(0, {0, 1, 2}) == "uur");
  // A window in the padding: 0 / 0, or nothing over what it has room for.
  pooling padded{.window_size = {1, 1}, .start_padding = {0, 1}};
  padded.strides = {1, 2};
  CHECK(average_of({9}, 4, 1, 1, 3, padded).at(0, {3, 4}) == "??");
  padded.include_padding = true;
  CHECK(average_of({9}, 4, 1, 1, 3, padded).at(0, {3, 4}) == "ur");
}

TEST_CASE("QUANTIZED_LINEAR_AVERAGE_POOLING: windows of more than 2^29 places", "[quantized_linear_average_pooling]") {
  const auto with = [](std::uint32_t window, float xs) {
    return average_of({3}, 0, xs, 1, 0,
                      {.window_size = {1, window}, .start_padding = {0, window - 1}, .include_padding = true})
        .values();
  };
  CHECK(with(3U << 29, 0x1.4p30F) == numbers{2});        // 2.5
  CHECK(with((3U << 29) + 1, 0x1.4p30F) == numbers{2});  // less
  CHECK(with((3U << 29) - 1, 0x1.4p30F) == numbers{3});  // more
  CHECK(with(3U << 29, 0x1.cp30F) == numbers{4});        // 3.5
  CHECK(with((3U << 29) + 1, 0x1.cp30F) == numbers{3});
}

namespace {

// A window of the example's kind: elements less the zero point, and what their sum is divided by on two axes.
struct window {
  numbers x;
  int rows, columns;  // of which some may be padding
  float xs, os;
  int oz;

  int count() const { return rows * columns; }
  int stored(float v) const { return limited(std::nearbyint(std::clamp(static_cast<double>(v), -1e6, 1e6)) + oz); }
  // Kernels that Direct3D allows, by their divisions.
  template <class Divide>
  numbers legal(const Divide& divide) const {
    int sum = 0;
    float serial = 0, reversed = 0, fused = 0, of_quotients = 0;
    const auto n = static_cast<float>(count());
    for (const int each : x) {
      sum += each;
      serial += static_cast<float>(each) * xs;
      fused = std::fma(static_cast<float>(each), xs, fused);
      of_quotients += divide(static_cast<float>(each) * xs, n);
    }
    for (std::size_t i = x.size(); i-- > 0;) reversed += static_cast<float>(x[i]) * xs;
    const auto s = static_cast<float>(sum);
    numbers result;
    for (const float v : {divide(divide(s * xs, n), os), divide(divide(s, n) * xs, os), divide(s, n) * divide(xs, os),
                          s * divide(divide(xs, n), os), divide(s * xs, n * os), divide(divide(serial, n), os),
                          divide(divide(reversed, n), os), divide(divide(fused, n), os), divide(of_quotients, os),
                          divide(divide(divide(s * xs, static_cast<float>(rows)), static_cast<float>(columns)), os)})
      result.push_back(stored(v));
    return result;
  }
};

}  // namespace

TEST_CASE("QUANTIZED_LINEAR_AVERAGE_POOLING: legal devices are never refused, wrong ones are noticed",
          "[quantized_linear_average_pooling]") {
  std::mt19937 random(169);
  const int cases = goldml_test::is_long_run() ? 100'000 : goldml_test::is_slow ? 1'500 : 20'000;
  std::uint64_t refused = 0, suspicious = 0;
  std::map<std::string_view, int> found;
  int borders = 0;
  for (int i = 0; i < cases; ++i) {
    const bool exact = i % 3 == 0;
    const int rows = exact ? 1 << random() % 3 : 1 + static_cast<int>(random() % 4),
              columns = exact ? 1 << random() % 3 : 1 + static_cast<int>(random() % 5);
    const int kept = i % 2 == 0 ? columns : 1 + static_cast<int>(random() % static_cast<unsigned>(columns));
    const int xz = static_cast<int>(random() % 256);
    numbers elements, x;
    for (int k = 0; k < rows * kept; ++k) {
      elements.push_back(static_cast<int>(random() % 256));
      x.push_back(elements.back() - xz);
    }
    const float xs = exact ? 0.5F : 0.01F + static_cast<float>(random() % 65536) * 0x1p-17F;
    window w{x,
             rows,
             columns,
             xs,
             exact ? 2 : xs * (1 + static_cast<float>(random() % 1000) * 1e-3F),
             static_cast<int>(random() % 41) - 20};
    int sum = 0;
    for (const int each : x) sum += each;
    if (!exact && i % 5 == 0 && sum != 0)  // close to a tie
      w.os = static_cast<float>(static_cast<double>(xs) * std::abs(sum) / w.count() /
                                (static_cast<double>(random() % 60) + 0.5));
    const auto input =
                   tensor_of<u8>({1, 1, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(kept)}, elements),
               zero = tensor_of<u8>({1}, {xz});
    const auto x_scale = scale_of({1}, {w.xs}), y_scale = scale_of({1}, {w.os});
    const auto y_zero = tensor_of<s8>({1}, {w.oz});
    const pooling desc{.strides = {1, 1},
                       .window_size = {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)},
                       .start_padding = {0, static_cast<std::uint32_t>(columns - kept)},
                       .end_padding = {0, 0},
                       .dilations = {1, 1},
                       .include_padding = true};
    const auto golden =
        computed<s8>(desc, {input.view(), x_scale.view(), zero.view(), y_scale.view(), y_zero.view()}, {1, 1, 1, 1});
    const numbers direct = w.legal([](float a, float b) { return a / b; });
    numbers all = w.legal([](float a, float b) { return a * (1 / b); });
    if (!exact)
      for (const double by : {0.99 * 0x1p-21, -0.99 * 0x1p-21}) {
        const numbers more =
            w.legal([&](float a, float b) { return a * static_cast<float>((1 + by) / static_cast<double>(b)); });
        all.insert(all.end(), more.begin(), more.end());
      }
    for (const int value : all) refused += golden.at(0, value) == 'r';
    for (const int value : direct) refused += golden.at(0, value, true) == 'r';
    for (std::size_t k = 0; k < 4; ++k) suspicious += golden.at(0, direct[k]) == 's';
    const double unit = static_cast<double>(w.xs) / static_cast<double>(w.os);
    const auto wrong = [&](std::string_view name, double v) {
      found[name] += golden.at(0, limited(std::nearbyint(v) + w.oz)) == 'r';
    };
    if (kept < columns) {
      ++borders;
      wrong("count at borders", unit * sum / static_cast<double>(x.size()));
      wrong("padded with 0", unit * (sum - xz * (w.count() - static_cast<int>(x.size()))) / w.count());
    }
    wrong("mean rounded first", unit * std::nearbyint(static_cast<double>(sum) / w.count()));
    wrong("truncation", std::trunc(unit * sum / w.count()));
    wrong("zero point forgotten", unit * (sum + xz * static_cast<int>(x.size())) / w.count());
    if (exact) wrong("halves away", std::round(unit * sum / w.count()));
  }
  CHECK(refused == 0);
  CHECK(suspicious == 0);
  const auto rate = [&](std::string_view name, int of) { return 100.0 * found[name] / of; };
  for (const auto& [name, count] : found) UNSCOPED_INFO(name << ": " << count << " of " << cases);
  CHECK(rate("count at borders", borders) > 70);
  CHECK(rate("padded with 0", borders) > 70);
  CHECK(rate("mean rounded first", cases) > 10);
  CHECK(rate("truncation", cases) > 35);
  CHECK(rate("zero point forgotten", cases) > 80);
  CHECK(rate("halves away", cases / 3) > 1);
}
