// LOCAL_RESPONSE_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION_GRAD: results, and what a device may answer, by hand
// from their pages and the ledger (LR-R1 to LR-R3). Refusals: tests/lines.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/local_response_normalization.hpp>
#include <goldml/operators/local_response_normalization.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/local_response_normalization.hpp>
#include <goldml/reference/local_response_normalization.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/long_run.hpp"
#include "layouts.hpp"
#include "normalisation_devices.hpp"

namespace {

using namespace goldml;
using namespace normalising;
using layouts::bits;
using desc = local_response_normalization_desc;
using grad = local_response_normalization_grad_desc;

template <class T>
std::vector<T> normalised(const std::vector<T>& x, const dimensions& sizes, const desc& d) {
  std::vector<T> y(x.size()), z(x.size());
  local_response_normalization(reference, tensor_view{x, sizes}, tensor_view{y, sizes}, d);
  local_response_normalization(cpu, tensor_view{x, sizes}, tensor_view{z, sizes}, d);
  CHECK(bits(y) == bits(z));
  return y;
}
template <class T>
std::vector<T> gradient(const std::vector<T>& x, const std::vector<T>& dy, const dimensions& sizes, const grad& d) {
  std::vector<T> y(x.size()), z(x.size());
  local_response_normalization_grad(reference, tensor_view{x, sizes}, tensor_view{dy, sizes}, tensor_view{y, sizes}, d);
  local_response_normalization_grad(cpu, tensor_view{x, sizes}, tensor_view{dy, sizes}, tensor_view{z, sizes}, d);
  CHECK(bits(y) == bits(z));
  return y;
}
template <class T, class Desc>
oracle::golden golden_of(const std::vector<std::vector<T>>& in, const dimensions& sizes, const Desc& d) {
  const tensor_desc t{.data_type = data_type_of<T>, .sizes = sizes};
  std::vector<const_tensor_ref> inputs;
  for (const auto& each : in) inputs.emplace_back(t, each.data(), each.size() * sizeof(T));
  const std::array outputs{t};
  return oracle::expect(d, std::span<const const_tensor_ref>(inputs), outputs);
}
std::string judged(const floats& x, const floats& answer, const desc& d) {
  const dimensions sizes{1, static_cast<std::uint32_t>(x.size()), 1, 1};
  const tensor_desc t{.data_type = data_type::float32, .sizes = sizes};
  const std::array actual{const_tensor_ref(t, answer.data(), answer.size() * sizeof(float))};
  return goldml_test::judged(golden_of<float>({x}, sizes, d), actual);
}

const floats counted{1, 2, 3, 4};
const dimensions channels{1, 4, 1, 1}, image{1, 1, 2, 2};

}  // namespace

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION: the examples of the digest", "[local_response_normalization]") {
  const desc two{.local_size = 2, .alpha = 2, .beta = 1};
  CHECK(normalised(counted, channels, two) == floats{1.0F / 6, 2.0F / 14, 3.0F / 26, 4.0F / 17});
  CHECK(normalised(counted, channels, {.local_size = 2, .alpha = 2, .beta = 1, .lrn_window = lrn_window::lower}) ==
        floats{0.5F, 2.0F / 6, 3.0F / 14, 4.0F / 26});
  CHECK(normalised(counted, channels, {.local_size = 3, .alpha = 3, .beta = 1}) ==
        floats{1.0F / 6, 2.0F / 15, 0.1F, 4.0F / 26});
  CHECK(normalised(counted, channels, {.local_size = 2, .alpha = 2, .beta = 0.5F}) ==
        floats{0.408248305F, 0.534522474F, 0.588348389F, 0.970142484F});
  const desc square{.cross_channel = false, .local_size = 2, .alpha = 2, .beta = 1};
  CHECK(normalised(counted, image, square) == floats{1.0F / 31, 2.0F / 21, 3.0F / 26, 4.0F / 17});
  desc area = square;
  area.lrn_divisor = lrn_divisor::area;
  CHECK(normalised(counted, image, area) == floats{1.0F / 16, 2.0F / 11, 3.0F / 13.5F, 4.0F / 9});
  // A window larger than any tensor, and one of its element alone.
  CHECK(normalised(counted, channels, {.local_size = 0xFFFF'FFFF, .alpha = 4294967295.0F, .beta = 1})[0] ==
        Approx(1.0 / 31));
  CHECK(normalised(counted, channels, {.local_size = 1, .alpha = 1, .beta = 1}) == floats{0.5F, 0.4F, 0.3F, 4.0F / 17});
  // The default: Beta 0.75.
  CHECK(normalised(counted, channels, {.local_size = 1, .alpha = 1, .beta = 0.75F})[0] == Approx(std::pow(2.0, -0.75)));
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION: edges", "[local_response_normalization]") {
  const auto first = [](const floats& x, const desc& d) {
    return normalised(x, {1, static_cast<std::uint32_t>(x.size()), 1, 1}, d)[0];
  };
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(first({5}, {.local_size = 1, .beta = 0}) == 5);
  CHECK(is_nan(first({5}, {.local_size = 1, .alpha = -1, .beta = 0.5F})));
  CHECK(is_nan(first({1}, {.local_size = 1, .alpha = -1, .beta = 1}) - infinity));
  CHECK(first({2, infinity}, {.local_size = 2}) == 0);
  CHECK(is_nan(first({infinity}, {})));
  CHECK(is_nan(first({2, nan}, {.local_size = 2})));
  CHECK(first({0, 1}, {.local_size = 2}) == 0);
  CHECK(judged({5}, {5.000001F}, {.local_size = 1, .beta = 0}) != "rr");
  CHECK(judged({5}, {5.00001F}, {.local_size = 1, .beta = 0}) == "rr");
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION: a device may flush what it divides by", "[local_response_normalization]") {
  const desc d{.local_size = 1, .alpha = 1, .beta = 0.75F, .bias = 0};
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(judged({1e-22F, -1e-22F}, {infinity, -infinity}, d) == "ar");
  CHECK(judged({1e-10F, -1e-10F}, {infinity, -infinity}, d) == "rr");
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION_GRAD: the examples of the digest", "[local_response_normalization]") {
  const floats dy{0, 0, 1, 0};
  CHECK(gradient(counted, dy, channels, {.local_size = 2, .alpha = 2, .beta = 1}) ==
        floats{0, 0, 0.0118343197F, -0.035502959F});
  CHECK(gradient(counted, dy, channels, {.local_size = 3, .alpha = 3, .beta = 1}) ==
        floats{0, -0.0133333337F, 0.0133333337F, -0.0266666673F});
  CHECK(gradient(counted, {1, 0, 0, 1}, channels, {.local_size = 2, .alpha = 2, .beta = 1}) ==
        floats{0.111111112F, -0.111111112F, 0, -0.0519031137F});
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION: Beta 0 where D is not finite, or 0", "[local_response_normalization]") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  desc d{.local_size = 1, .alpha = infinity, .beta = 0};
  for (const float bias : {1.0F, 0.0F}) {
    d.bias = bias;
    d.alpha = bias == 0 ? 0 : infinity;
    d.accumulation = accumulation::single;
    CHECK(judged({1.0003F}, {1.0003F}, d) == "aa");
    CHECK(judged({1.0003F}, {nan}, d) == "aa");
    for (const float wrong : {1.0F, 0.0F, infinity}) CHECK(judged({1.0003F}, {wrong}, d) == "rr");
    d.accumulation = accumulation::half;  // x is 1 in FLOAT16
    CHECK(judged({1.0003F}, {1}, d) == "aa");
    CHECK(judged({1.0003F}, {nan}, d) == "aa");
    for (const float wrong : {1.02F, 0.0F, infinity}) CHECK(judged({1.0003F}, {wrong}, d) == "rr");
  }
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION_GRAD: a factor of a term may be infinite", "[local_response_normalization]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const dimensions sizes{1, 2, 1, 1};
  const tensor_desc t{.data_type = data_type::float32, .sizes = sizes};
  const auto judge = [&](const floats& x, const floats& dy, float first, const grad& d) {
    floats answer = gradient(x, dy, sizes, d);
    answer[0] = first;
    const std::array actual{const_tensor_ref(t, answer.data(), answer.size() * sizeof(float))};
    return goldml_test::judged(golden_of<float>({x, dy}, sizes, d), actual);
  };
  // dY x = 1e39, although D^-2 makes it small.
  grad d{.local_size = 3, .alpha = 1e-30F, .beta = 1};
  CHECK(judge({1, 1e19F}, {1, 1e20F}, -infinity, d) == "or");
  CHECK(judge({1, 1e19F}, {1, 1e10F}, -infinity, d) == "rr");
  d = {.local_size = 3, .alpha = 1, .beta = 1, .accumulation = accumulation::half};
  CHECK(judge({1, 7.7F}, {1, 6e4F}, -infinity, d)[0] == 'o');
  CHECK(judge({1, 7.7F}, {1, 6}, -infinity, d)[0] == 'r');
}

// By differences, in double.
TEST_CASE("LOCAL_RESPONSE_NORMALIZATION_GRAD is the derivative", "[local_response_normalization]") {
  std::mt19937 random(3);
  std::normal_distribution<double> any;
  const dimensions sizes{2, 3, 3, 4};
  const auto forward = [&](const std::vector<double>& x, const grad& d, std::size_t at) {
    const coordinate_tuple c = coordinate_at(sizes, at);
    double s = 0;
    const std::int64_t low = (std::int64_t{d.local_size} - 1) / 2, high = d.local_size / 2;
    std::size_t i = 0;
    for (const coordinate_tuple& e : coordinates_of(sizes)) {
      bool inside = e[0] == c[0];
      for (std::size_t axis = 1; axis < 4; ++axis) {
        const std::int64_t apart = std::int64_t{e[axis]} - c[axis];
        inside = inside && ((axis == 1) == d.cross_channel ? -low <= apart && apart <= high : apart == 0);
      }
      if (inside) s += x[i] * x[i];
      ++i;
    }
    return x[at] * std::pow(static_cast<double>(d.bias) + static_cast<double>(d.alpha) / d.local_size * s,
                            -static_cast<double>(d.beta));
  };
  for (std::uint32_t size = 1; size <= 5; ++size)
    for (const bool cross : {true, false}) {
      const grad d{.cross_channel = cross, .local_size = size, .alpha = 1.5F, .beta = 0.6F, .bias = 1.25F};
      floats x, dy;
      std::vector<double> exact;
      for (int i = 0; i < 72; ++i) {
        x.push_back(static_cast<float>(any(random)));
        dy.push_back(static_cast<float>(any(random)));
        exact.push_back(static_cast<double>(x.back()));
      }
      const floats y = gradient(x, dy, sizes, d);
      for (std::size_t j = 0; j < 72; ++j) {
        double sum = 0;
        for (const double step : {1e-5, -1e-5}) {
          auto moved = exact;
          moved[j] += step;
          for (std::size_t i = 0; i < 72; ++i) sum += static_cast<double>(dy[i]) * forward(moved, d, i) / (2 * step);
        }
        CHECK(static_cast<double>(y[j]) == Approx(sum).margin(1e-6));
      }
    }
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION: right devices are accepted, wrong ones noticed",
          "[local_response_normalization]") {
  std::mt19937 random(19);
  std::normal_distribution<float> any;
  enum fault { none, other_side, longer, not_divided, by_clipped_count, magnitude, swapped, outside };
  const dimensions sizes{5, 7, 8, 9};
  const auto play = [&]<class T>(std::type_identity<T>, fault how, const desc& d, unsigned way) {
    std::vector<T> x, y;
    for (std::uint64_t i = 0; i < element_count(sizes); ++i) x.push_back(static_cast<T>(any(random)));
    const std::int64_t size = d.local_size + (how == longer ? 1 : 0),
                       low = how == other_side ? size / 2 : (size - 1) / 2, high = size - 1 - low;
    const float alpha = how == swapped ? d.beta : d.alpha, beta = how == swapped ? d.alpha : d.beta;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      floats squares;
      for (std::int64_t k = c[1] - low; k <= c[1] + high; ++k) {
        if (k < 0 || k >= sizes[1]) continue;
        coordinate_tuple i = c;
        i[1] = static_cast<std::uint32_t>(k);
        const auto e = static_cast<float>(x[static_cast<std::size_t>(offset_of(i, packed_strides(sizes)))]);
        squares.push_back(how == magnitude ? std::abs(e) : e * e);
      }
      const float n = how == not_divided        ? 1
                      : how == by_clipped_count ? static_cast<float>(squares.size())
                                                : static_cast<float>(d.local_size);
      const float s = sum(squares, way % 2 == 0 ? order::serial : order::pairwise),
                  dd = way < 2 ? d.bias + alpha / n * s : d.bias + alpha * s / n;
      const auto e = static_cast<float>(x[static_cast<std::size_t>(offset_of(c, packed_strides(sizes)))]);
      const float p = std::exp2(beta * std::log2(dd));
      float z = way % 2 == 0 ? e / p : e * std::pow(dd, -beta);
      if (how == outside) z = e / (d.bias + std::pow(alpha / n * s, beta));
      y.push_back(static_cast<T>(z));
    }
    refusals all;
    count<T>(golden_of<T>({x}, sizes, d), {y}, {{.data_type = data_type_of<T>, .sizes = sizes}}, all);
    return all;
  };
  std::uint64_t right = 0, elements = 0;
  goldml_test::thinned devices(7);
  for (std::uint32_t size = 1; size < 8; ++size)
    for (const float beta : {0.75F, 0.5F, 1.0F, 0.6F})
      for (const float alpha : {1e-4F, 2.0F})
        for (unsigned way = 0; way < 4; ++way) {
          if (devices.skips()) continue;
          const desc d{.local_size = size, .alpha = alpha, .beta = beta, .bias = 1.5F};
          for (const refusals& r :
               {play(std::type_identity<float>{}, none, d, way), play(std::type_identity<float16>{}, none, d, way)})
            right += r.refused, elements += r.elements;
        }
  WARN(fmt::format("right devices: {} of {} refused", right, elements));
  CHECK(right == 0);
  for (const fault how : {other_side, longer, not_divided, by_clipped_count, magnitude, swapped, outside}) {
    INFO("fault " << how);
    const refusals r =
        play(std::type_identity<float>{}, how, {.local_size = 4, .alpha = 2, .beta = 0.75F, .bias = 1.5F}, 0);
    // Windows that are not clipped have the same count; at the ends other windows have the same elements.
    CHECK(r.percent() > (how == by_clipped_count ? 40 : how == longer || how == other_side ? 60 : 98));
  }
}

TEST_CASE("LOCAL_RESPONSE_NORMALIZATION_GRAD: right devices are accepted, wrong ones noticed",
          "[local_response_normalization]") {
  std::mt19937 random(37);
  std::normal_distribution<float> any;
  enum fault { none, not_mirrored, no_second_term, half_factor, no_input };
  const dimensions sizes{2, 7, 5, 6}, strides = packed_strides(sizes);
  const auto place = [&](const coordinate_tuple& c) { return static_cast<std::size_t>(offset_of(c, strides)); };
  const auto play = [&]<class T>(std::type_identity<T>, fault how, const grad& d, unsigned way) {
    std::vector<T> x, dy, y;
    for (std::uint64_t i = 0; i < element_count(sizes); ++i)
      x.push_back(static_cast<T>(any(random))), dy.push_back(static_cast<T>(any(random)));
    const std::int64_t low = (std::int64_t{d.local_size} - 1) / 2, high = d.local_size / 2;
    const auto window = [&](const coordinate_tuple& c, std::int64_t before, std::int64_t after, const auto& f) {
      for (std::int64_t k = c[1] - before; k <= c[1] + after; ++k) {
        if (k < 0 || k >= sizes[1]) continue;
        coordinate_tuple i = c;
        i[1] = static_cast<std::uint32_t>(k);
        f(place(i));
      }
    };
    floats divisors, powers, terms;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      floats squares;
      window(c, low, high,
             [&](std::size_t i) { squares.push_back(static_cast<float>(x[i]) * static_cast<float>(x[i])); });
      const float s = sum(squares, way % 2 == 0 ? order::serial : order::pairwise);
      divisors.push_back(d.bias + d.alpha / static_cast<float>(d.local_size) * s);
      const float dd = divisors.back(), p = way < 2 ? std::exp2(-d.beta * std::log2(dd)) : std::pow(dd, -d.beta);
      powers.push_back(p);
      const float t = way % 2 == 0 ? p / dd : std::pow(dd, -d.beta - 1);
      const std::size_t at = place(c);
      terms.push_back(static_cast<float>(dy[at]) * (how == no_input ? 1 : static_cast<float>(x[at])) * t);
    }
    const float q = (how == half_factor ? 1.0F : 2.0F) * d.alpha * d.beta / static_cast<float>(d.local_size);
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      floats parts;
      const bool mirrored = how != not_mirrored;
      window(c, mirrored ? high : low, mirrored ? low : high, [&](std::size_t i) { parts.push_back(terms[i]); });
      const std::size_t at = place(c);
      const float second = q * static_cast<float>(x[at]) * sum(parts, order::serial);
      y.push_back(static_cast<T>(static_cast<float>(dy[at]) * powers[at] - (how == no_second_term ? 0 : second)));
    }
    refusals all;
    count<T>(golden_of<T>({x, dy}, sizes, d), {y}, {{.data_type = data_type_of<T>, .sizes = sizes}}, all);
    return all;
  };
  std::uint64_t right = 0, elements = 0;
  goldml_test::thinned devices(13);
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t size = 1; size < 8; ++size)
      for (const float beta : {0.75F, 0.5F, 1.0F, 0.6F})
        for (const float alpha : {1e-4F, 2.0F})
          for (unsigned way = 0; way < 4; ++way) {
            if (devices.skips()) continue;
            const grad d{.local_size = size, .alpha = alpha, .beta = beta, .bias = 1.5F};
            for (const refusals& r :
                 {play(std::type_identity<float>{}, none, d, way), play(std::type_identity<float16>{}, none, d, way)})
              right += r.refused, elements += r.elements;
          }
  WARN(fmt::format("right devices: {} of {} refused", right, elements));
  CHECK(right == 0);
  for (const fault how : {not_mirrored, no_second_term, half_factor, no_input}) {
    INFO("fault " << how);
    CHECK(play(std::type_identity<float>{}, how, {.local_size = 4, .alpha = 2, .beta = 0.75F, .bias = 1.5F}, 0)
              .percent() > 95);
  }
}
