// MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and MEAN_VARIANCE_NORMALIZATION2: results, what a device
// may answer, by hand from their pages and the ledger (NO-R1 to NO-R6, MV-R1, MV-R2). Refusals: tests/lines.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/mean_variance_normalization.hpp>
#include <goldml/operators/mean_variance_normalization.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/deciding.hpp>
#include <goldml/oracle/judged_names.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/verdicts/mean_variance_normalization.hpp>
#include <goldml/reference/mean_variance_normalization.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "layouts.hpp"
#include "normalisation_devices.hpp"

namespace {

using namespace goldml;
using namespace normalising;
using layouts::bits;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

tensor_desc of(const dimensions& sizes, data_type type = data_type::float32) {
  return {.data_type = type, .sizes = sizes};
}
template <class T>
const_tensor_ref ref_of(const std::vector<T>& x, const dimensions& sizes, std::vector<tensor_desc>& kept) {
  if (x.empty()) return {};
  kept.push_back(of(sizes, data_type_of<T>));
  return {kept.back(), x.data(), x.size() * sizeof(T)};
}

// A call: the input, Scale and Bias (empty: null) with their sizes.
template <class T = float>
struct given {
  std::vector<T> x;
  dimensions sizes;
  std::vector<T> scale = {}, bias = {};
  dimensions scale_sizes = {}, bias_sizes = {};
};

template <class Desc, class T>
std::vector<T> normalised(const given<T>& g, const Desc& desc) {
  std::vector<tensor_desc> kept;
  kept.reserve(4);
  const std::array inputs{ref_of(g.x, g.sizes, kept), ref_of(g.scale, g.scale_sizes, kept),
                          ref_of(g.bias, g.bias_sizes, kept)};
  std::vector<T> y(g.x.size()), z(g.x.size());
  const auto call = [&](const auto& backend, std::vector<T>& to) {
    const std::array outputs{tensor_ref(of(g.sizes, data_type_of<T>), to.data(), to.size() * sizeof(T))};
    evaluate(backend, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
  };
  call(reference, y);
  call(cpu, z);
  CHECK(bits(y) == bits(z));
  return y;
}
template <class Desc, class T>
oracle::golden golden_of(const given<T>& g, const Desc& desc) {
  std::vector<tensor_desc> kept;
  kept.reserve(4);
  const std::array inputs{ref_of(g.x, g.sizes, kept), ref_of(g.scale, g.scale_sizes, kept),
                          ref_of(g.bias, g.bias_sizes, kept)};
  const std::array outputs{of(g.sizes, data_type_of<T>)};
  return oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
}
template <class Desc>
std::string judged(const given<float>& g, const floats& answer, const Desc& desc) {
  const std::array actual{const_tensor_ref(of(g.sizes), answer.data(), answer.size() * sizeof(float))};
  return goldml_test::judged(golden_of(g, desc), actual);
}

// E of an element.
double error_of(const oracle::golden& golden, std::size_t element) {
  const oracle::golden_output& output = golden.answers[0][0];
  const interval* allowed = output.verdicts.interval_of<float>(element);
  if (allowed == nullptr) return 0;
  return (static_cast<double>(allowed->high) - static_cast<double>(allowed->low)) / 2;
}

const given<float> example{{1, 2, 3, 4, 0, 0, 4, 4}, {1, 2, 2, 2}};

}  // namespace

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: the examples of the digest", "[mean_variance_normalization]") {
  CHECK(normalised(example, mean_variance_normalization_desc{.epsilon = 0.75F}) ==
        floats{-1.06066012F, -0.353553385F, 0.353553385F, 1.06066012F, -0.917662919F, -0.917662919F, 0.917662919F,
               0.917662919F});
  const floats across{-0.6741999F, -0.13483997F, 0.40451992F, 0.9438798F,
                      -1.2135597F, -1.2135597F,  0.9438798F,  0.9438798F};
  CHECK(normalised(example, mean_variance_normalization_desc{.cross_channel = true, .epsilon = 0.75F}) == across);
  CHECK(normalised(example, mean_variance_normalization1_desc{.axes = {3, 1, 2}, .epsilon = 0.75F}) == across);
  given<float> scaled = example;
  scaled.scale = scaled.bias = {2, 1};
  scaled.bias = {10, -1};
  scaled.scale_sizes = scaled.bias_sizes = {1, 2, 1, 1};
  const floats y = normalised(scaled, mean_variance_normalization1_desc{.axes = {2, 3}, .epsilon = 0.75F});
  CHECK(floats(y.begin(), y.begin() + 4) == floats{7.87867975F, 9.29289341F, 10.7071066F, 12.1213207F});
  // Without NormalizeVariance only the mean is subtracted, and Epsilon is not read.
  CHECK(normalised(example, mean_variance_normalization_desc{.normalize_variance = false, .epsilon = not_a_number}) ==
        floats{-1.5F, -0.5F, 0.5F, 1.5F, -2, -2, 2, 2});
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION2: UseMean and UseVariance", "[mean_variance_normalization]") {
  using desc = mean_variance_normalization2_desc;
  const given<float> two{{3, 4}, {2}};
  const auto with = [&](bool mean, bool variance) {
    return normalised(two, desc{.axes = {0}, .use_mean = mean, .use_variance = variance, .epsilon = 0});
  };
  CHECK(with(true, true) == floats{-1, 1});
  CHECK(with(true, false) == floats{-0.5F, 0.5F});
  CHECK(with(false, true) == floats{0.84852815F, 1.1313709F});
  CHECK(with(false, false) == floats{3, 4});
  CHECK(normalised(given<float>{{3, 4, 12, 0}, {4}}, desc{.axes = {0}, .use_mean = false, .epsilon = 2.75F}) ==
        floats{0.4472136F, 0.5962848F, 1.7888544F, 0});
  // The policy: the variance about the mean, 1/4.
  CHECK(normalised(
            two, desc{.axes = {0}, .use_mean = false, .epsilon = 0, .use_mean_off = use_mean_off::variance_centred}) ==
        floats{6, 8});
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: rounded once, ties to even", "[mean_variance_normalization]") {
  using desc = mean_variance_normalization1_desc;
  // A tie: y = 1 + 2^-24 exactly.
  const given<float> tie{{1.5F, -0.5F}, {2}, {}, {0x1p-24F}, {}, {1}};
  CHECK(normalised(tie, desc{.axes = {0}, .epsilon = 0}) == floats{1, -1 + 0x1p-24F});
  // Three elements, a mean that is no FLOAT32: x - 7/3, V = 14/9: -4/sqrt(14) and so on.
  CHECK(normalised(given<float>{{1, 2, 4}, {3}}, desc{.axes = {0}, .epsilon = 0}) ==
        floats{-1.069045F, -0.26726124F, 1.3363062F});
  CHECK(normalised(given<float>{{40000, 40001, 40002, 40003}, {4}}, desc{.axes = {0}}) ==
        floats{-1.34163541F, -0.447211802F, 0.447211802F, 1.34163541F});
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: no axes, constants, infinities and NaN", "[mean_variance_normalization]") {
  using desc = mean_variance_normalization1_desc;
  const given<float> with_bias{{5, 6}, {2}, {}, {3, 4}, {}, {2}};
  CHECK(normalised(with_bias, desc{}) == floats{3, 4});
  CHECK(normalised(with_bias, desc{.axes = {0}, .fused_activation = activations::relu()})[0] < 3);
  CHECK(normalised(given<float>{{7, 7, 7, 7}, {4}, {}, {3}, {}, {1}}, desc{.axes = {0}}) == floats{3, 3, 3, 3});
  CHECK(is_nan(normalised(given<float>{{7, 7}, {2}}, desc{.axes = {0}, .epsilon = 0})[0]));
  // A NaN stays in its slice, and reaches all of it.
  const floats nan = normalised(given<float>{{1, not_a_number, 3, 5}, {2, 2}}, desc{.axes = {1}, .epsilon = 0});
  CHECK(is_nan(nan[0]));
  CHECK(floats(nan.begin() + 2, nan.end()) == floats{-1, 1});
  // RMS of an infinity: finite elements are 0.
  const floats rms = normalised(given<float>{{1, infinity, 3}, {3}},
                                mean_variance_normalization2_desc{.axes = {0}, .use_mean = false});
  CHECK((rms[0] == 0 && is_nan(rms[1]) && rms[2] == 0));
  CHECK(is_nan(normalised(given<float>{{1, 2}, {2}}, desc{.axes = {0}, .epsilon = -1})[0]));
  CHECK(normalised(given<float>{{1, 2}, {2}}, desc{.axes = {0}, .epsilon = infinity}) == floats{0, 0});
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: what a device may answer beside infinities", "[mean_variance_normalization]") {
  constexpr float greatest = (std::numeric_limits<float>::max)();
  // The sum of three times a rounded third is above the last element, whose sign Scale = inf multiplies.
  given<float> g{{0.1F, 0.7F, 0.4F}, {3}, {infinity}, {}, {1}};
  const mean_variance_normalization1_desc d{.axes = {0}, .epsilon = 0.25F};
  CHECK(normalised(g, d) == floats{-infinity, infinity, infinity});
  CHECK(judged(g, {-infinity, infinity, -infinity}, d) == "aa");
  CHECK(judged(g, {-infinity, infinity, not_a_number}, d) == "aa");
  CHECK(judged(g, {infinity, infinity, infinity}, d) == "rr");
  CHECK(judged(g, {-infinity, infinity, 5}, d) == "rr");
  g.bias = {-infinity};
  g.bias_sizes = {1};
  CHECK(judged(g, {-infinity, not_a_number, -infinity}, d) == "aa");
  CHECK(judged(g, {-infinity, not_a_number, infinity}, d) == "rr");
  CHECK(judged(g, {-infinity, -infinity, -infinity}, d) == "rr");
  // Folded: Scale x is infinite, and Bias is.
  using desc = mean_variance_normalization2_desc;
  for (const float scale : {-greatest, 1.0F}) {
    const given<float> of_bias{{5}, {1}, {scale}, {-infinity}, {1}, {1}};
    CHECK(judged(of_bias, {not_a_number}, desc{.axes = {}, .use_variance = false}) == (scale < 0 ? "aa" : "rr"));
  }
  // Without the mean an infinity makes the variance infinite, and nothing else.
  const given<float> rms{{1, infinity, 3}, {3}, {}, {0.5F}, {}, {1}};
  const desc no_mean{.axes = {0}, .use_mean = false};
  CHECK(judged(rms, {0.5F, not_a_number, 0.5F}, no_mean) == "aa");
  for (const float wrong : {777.0F, not_a_number, infinity, 0.5000001F})
    CHECK(judged(rms, {wrong, not_a_number, 0.5F}, no_mean) == "rr");
  CHECK(judged(rms, {0.5F, 0.5F, 0.5F}, no_mean) == "rr");
  // Without mean and variance no element changes another's: products and sums are rounded as without an infinity.
  const desc neither{.axes = {0}, .use_mean = false, .use_variance = false};
  unsigned rounded_twice = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const float x = 1.25F + 0x1p-23F * static_cast<float>(i);
    const given<float> linear{{x, infinity}, {2}, {1.37F}, {0.01234F}, {1}, {1}};
    const float product = 1.37F * x, sum = product + 0.01234F;
    if (sum != normalised(linear, neither)[0]) ++rounded_twice;
    CHECK(judged(linear, {sum, infinity}, neither) == "aa");
    CHECK(judged(linear, {sum + 0x1p-19F, infinity}, neither) == "rr");
    CHECK(judged(linear, {not_a_number, infinity}, neither) == "rr");
    CHECK(judged(linear, {sum, not_a_number}, neither) == "rr");
  }
  CHECK(rounded_twice > 0);
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: right devices are accepted beside infinities and great numbers",
          "[mean_variance_normalization]") {
  std::mt19937 random(43);
  std::normal_distribution<float> any;
  const floats special{infinity, -infinity, not_a_number, 3e38F, -2e38F, 1e20F, 1e-20F, 0, 1e-30F};
  const auto draw = [&](unsigned one_of) {
    return random() % one_of == 0 ? special[random() % special.size()] : any(random);
  };
  using desc = mean_variance_normalization2_desc;
  refusals right;
  for (unsigned k = 0; k < 600; ++k) {
    const auto n = static_cast<std::uint32_t>(1 + random() % 5);
    given<float> g{{}, {n}, floats(n), floats(n), {n}, {n}};
    for (std::uint32_t i = 0; i < n; ++i) g.x.push_back(draw(8)), g.scale[i] = draw(3), g.bias[i] = draw(3);
    const desc d{.axes = {0}, .use_mean = k % 2 == 0, .use_variance = k % 4 < 2, .epsilon = 0.25F};
    const oracle::golden golden = golden_of(g, d);
    for (const way how : {way::two_pass, way::welford})
      for (unsigned form = 0; form < 5; ++form) {
        moments m = moments_of(g.x, how, form % 2 == 0 ? order::serial : order::reversed, false);
        if (!d.use_mean) {
          floats squares;
          for (const float e : g.x) squares.push_back(e * e);
          m = {0, sum(squares, order::serial) / static_cast<float>(n)};
        }
        const float r = d.use_variance ? inverse_root(m.variance + 0.25F, 2) : 1;
        std::vector<floats> y{floats(n)};
        for (std::size_t i = 0; i < n; ++i) y[0][i] = affine(g.x[i], m.mean, r, g.scale[i], g.bias[i], form);
        const std::uint64_t before = right.refused;
        count<float>(golden, y, {of(g.sizes)}, right);
        INFO("case " << k << ", form " << form << (how == way::welford ? ", Welford" : ""));
        CHECK(right.refused == before);
      }
  }
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: strides, types, fused activations on both backends",
          "[mean_variance_normalization]") {
  std::mt19937 random(3);
  std::normal_distribution<float> any(1, 2);
  const auto check = [&]<class T>(std::type_identity<T>) {
    for (const dimensions& sizes : {dimensions{2, 3, 4, 5}, dimensions{1, 2, 1, 131}, dimensions{3, 70, 1, 2}}) {
      given<T> g{{}, sizes};
      for (std::uint64_t i = 0; i < element_count(sizes); ++i) g.x.push_back(static_cast<T>(any(random)));
      g.scale_sizes = {1, sizes[1], 1, sizes[3]};
      for (std::uint64_t i = 0; i < element_count(g.scale_sizes); ++i) g.scale.push_back(static_cast<T>(any(random)));
      g.bias = {static_cast<T>(0.25F)};
      g.bias_sizes = {1, 1, 1, 1};
      for (const dimensions& axes :
           {dimensions{}, dimensions{0}, dimensions{0, 2}, dimensions{3, 1}, dimensions{0, 1, 2, 3}})
        for (const bool fused : {false, true}) {
          mean_variance_normalization2_desc desc{.axes = axes, .use_mean = any(random) > 0};
          if (fused) desc.fused_activation = activations::sigmoid();
          normalised(g, desc);
          desc.use_variance = false;
          normalised(g, desc);
        }
    }
  };
  check(std::type_identity<float>{});
  check(std::type_identity<float16>{});
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: what a device may answer", "[mean_variance_normalization]") {
  const mean_variance_normalization_desc desc{.epsilon = 0.75F};
  const oracle::golden golden = golden_of(example, desc);
  CHECK(error_of(golden, 0) == Approx(1.4e-5).epsilon(0.06));
  CHECK(error_of(golden, 1) == Approx(8e-6).epsilon(0.06));
  CHECK(error_of(golden, 4) == Approx(7e-6).epsilon(0.06));
  // The sample variance, -0.9649.
  floats answer = normalised(example, desc);
  answer[0] = -0.9649F;
  CHECK(judged(example, answer, desc) == "rr");
  // A constant with Epsilon gives its bias, never NaN.
  const given<float> constant{{7, 7, 7, 7}, {4}, {}, {3}, {}, {1}};
  const mean_variance_normalization1_desc axis{.axes = {0}};
  CHECK(judged(constant, {3, 3, 3, 3}, axis) == "aa");
  CHECK(judged(constant, {3.004F, 3, 3, 3}, axis) == "ss");
  CHECK(judged(constant, {not_a_number, 3, 3, 3}, axis) == "rr");
  // Powers of two give exactly 0.
  const given<float> power{{4, 4, 4, 4}, {4}};
  CHECK(judged(power, {0, 0, 0, 0}, axis) == "aa");
  CHECK(judged(power, {1e-9F, 0, 0, 0}, axis) == "rr");
  // Without Epsilon a constant is not judged.
  CHECK(judged(constant, {not_a_number, 5, 3, 3}, mean_variance_normalization1_desc{.axes = {0}, .epsilon = 0}) ==
        "uu");
  // Scale 0: Bias, exactly.
  const given<float> zero{{1, 2, 3, 5}, {4}, {0}, {3}, {1}, {1}};
  CHECK(judged(zero, {3, 3, 3, 3}, axis) == "aa");
  CHECK(judged(zero, {3.0000002F, 3, 3, 3}, axis) == "rr");
  // Means of powers of two of integers are exact.
  const mean_variance_normalization1_desc mean{.axes = {0}, .normalize_variance = false};
  CHECK(judged({{1, 2, 3, 6}, {4}}, {-2, -1, 0, 3}, mean) == "aa");
  CHECK(judged({{1, 2, 3, 6}, {4}}, {-2.0000002F, -1, 0, 3}, mean) == "rr");
  // One pass: {100..103} within 2.2 % by default, suspicious; wrong under `centred`.
  const given<float> hundred{{100, 101, 102, 103}, {4}};
  const auto with = [](variance_policy policy) {
    return mean_variance_normalization1_desc{.axes = {0}, .variance = policy};
  };
  const floats exact = normalised(hundred, axis);
  floats off = exact;
  for (float& e : off) e *= 1.01F;
  CHECK(judged(hundred, off, axis) == "ss");
  CHECK(judged(hundred, off, with(variance_policy::centred)) == "rr");
  CHECK(judged(hundred, off, with(variance_policy::one_pass)) == "ss");
  {
    // The report of a wrong element.
    const auto centred = with(variance_policy::centred);
    const const_tensor_ref x(of({4}), hundred.x.data(), 16), y(of({4}), off.data(), 16);
    const std::array inputs{x, const_tensor_ref(), const_tensor_ref()};
    const std::array actual{y};
    const oracle::golden golden_answer = golden_of(hundred, centred);
    const oracle::judgement judged_answer = oracle::compare(golden_answer, actual);
    const std::string text =
        oracle::report(golden_answer, actual, judged_answer, {},
                       oracle::names_of(centred, std::span<const const_tensor_ref>(inputs), 1), "");
    CHECK(text.find("fits a variance in one pass (ledger NO-R3)") != std::string::npos);
  }
  // A variance of -128 gives NaN, which only one_pass allows.
  const given<float> great{{40000, 40001, 40002, 40003}, {4}};
  const floats nans(4, not_a_number);
  CHECK(judged(great, nans, axis) == "rr");
  CHECK(judged(great, nans, with(variance_policy::one_pass)) == "uu");
  // In half precision little is known.
  CHECK(judged(example, {-1.06F, -0.353F, 0.353F, 1.06F, -0.917F, -0.917F, 0.917F, 0.917F},
               mean_variance_normalization_desc{.epsilon = 0.75F, .accumulation = accumulation::half}) == "aa");
  CHECK(judged(example, {-1.06F, -0.353F, 0.353F, 1.06F, -0.917F, -0.917F, 0.917F, 0.917F}, desc) == "rr");
}

namespace {

enum class data { normal, offset, far, tiny_and_outlier, constant, two_values };

floats drawn(std::mt19937& random, std::size_t n, data kind, float mean) {
  std::normal_distribution<float> any;
  floats x;
  for (std::size_t i = 0; i < n; ++i) {
    const float z = any(random);
    x.push_back(kind == data::constant           ? 7.25F
                : kind == data::two_values       ? (z < 0 ? -1.0F : 3.0F)
                : kind == data::far              ? 1000 + z
                : kind == data::tiny_and_outlier ? (i == 0 ? 1e4F : z)
                : kind == data::offset           ? 0.5F + z
                                                 : mean + z);
  }
  return x;
}

}  // namespace

// Every way of sums, roots and affine steps, with sizes from 1 to 300.
TEST_CASE("MEAN_VARIANCE_NORMALIZATION: a device may flush the variance", "[mean_variance_normalization]") {
  const mean_variance_normalization2_desc desc{.axes = {1}, .epsilon = 0};
  CHECK(judged({{1e-22F, -1e-22F}, {1, 2}}, {infinity, -infinity}, desc) == "ar");
  CHECK(judged({{1e-10F, -1e-10F}, {1, 2}}, {infinity, -infinity}, desc) == "rr");
}

TEST_CASE("MEAN_VARIANCE_NORMALIZATION: right devices are accepted", "[mean_variance_normalization]") {
  std::mt19937 random(17);
  std::normal_distribution<float> any;
  refusals all, one_pass_far, usual;
  const auto play = [&]<class T>(std::type_identity<T>, std::size_t n, data kind, float epsilon, bool uses_mean) {
    constexpr bool half = std::is_same_v<T, float16>;
    const std::size_t rows = 1 + 40 / n;
    given<T> g{{}, {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(n)}};
    std::vector<floats> slices;
    for (std::size_t row = 0; row < rows; ++row) {
      slices.push_back(drawn(random, n, kind, 0));
      for (float& e : slices.back()) g.x.push_back(static_cast<T>(e)), e = static_cast<float>(g.x.back());
    }
    g.scale_sizes = g.bias_sizes = {1, static_cast<std::uint32_t>(n)};
    for (std::size_t i = 0; i < n; ++i)
      g.scale.push_back(static_cast<T>(any(random))), g.bias.push_back(static_cast<T>(any(random)));
    const mean_variance_normalization2_desc desc{.axes = {1}, .use_mean = uses_mean, .epsilon = epsilon};
    const oracle::golden golden = golden_of(g, desc);
    for (const way how : right_ways) {
      if (!uses_mean && how != way::two_pass) continue;
      for (const order by : {order::serial, order::pairwise, order::lanes, order::reversed})
        for (unsigned kind_of_step = 0; kind_of_step < 5; ++kind_of_step) {
          std::vector<T> y;
          for (const floats& x : slices) {
            moments m = moments_of(x, how, by, kind_of_step % 2 != 0);
            if (!uses_mean) {
              floats squares;
              for (const float e : x) squares.push_back(e * e);
              m = {0, sum(squares, by) / static_cast<float>(n)};
            }
            const float r = inverse_root(m.variance + epsilon, kind_of_step % 3);
            for (std::size_t i = 0; i < n; ++i)
              y.push_back(static_cast<T>(affine(x[i], m.mean, r, static_cast<float>(g.scale[i]),
                                                static_cast<float>(g.bias[i]), kind_of_step)));
          }
          const bool cancels = how == way::one_pass && kind != data::normal && kind != data::offset;
          count<T>(golden, {y}, {of(g.sizes, data_type_of<T>)}, cancels ? one_pass_far : all);
          if (how != way::one_pass && !half) count<T>(golden, {y}, {of(g.sizes)}, usual);
        }
    }
  };
  for (const std::size_t n : {1U, 2U, 3U, 7U, 16U, 64U, 100U, 300U})
    for (const data kind :
         {data::normal, data::offset, data::far, data::tiny_and_outlier, data::constant, data::two_values})
      for (const float epsilon : {0.25F, 1e-5F})
        for (const bool uses_mean : {true, false}) {
          play(std::type_identity<float>{}, n, kind, epsilon, uses_mean);
          if (kind != data::tiny_and_outlier) play(std::type_identity<float16>{}, n, kind, epsilon, uses_mean);
        }
  WARN(fmt::format(
      "right devices: {} of {} refused, {} suspicious of {} centred; one pass where it cancels: {:.1f} % refused",
      all.refused, all.elements, usual.suspicious, usual.elements, one_pass_far.percent()));
  CHECK(all.refused == 0);
  CHECK(all.elements > 300'000);
  CHECK(one_pass_far.percent() > 5);
}

// Every step in FLOAT16, two passes, in any order; FLOAT32 tensors are rounded when they are read.
TEST_CASE("MEAN_VARIANCE_NORMALIZATION: devices in half precision are accepted", "[mean_variance_normalization]") {
  std::mt19937 random(29);
  std::normal_distribution<float> any;
  const auto r16 = [](float x) { return rounded_to(x, true); };
  refusals all;
  const auto play = [&]<class T>(std::type_identity<T>, std::size_t n, float mean, bool folded) {
    const std::size_t rows = 12;
    given<T> g{{}, {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(n)}};
    g.scale_sizes = g.bias_sizes = {1, static_cast<std::uint32_t>(n)};
    for (std::size_t i = 0; i < n; ++i)
      g.scale.push_back(static_cast<T>(any(random))), g.bias.push_back(static_cast<T>(any(random)));
    std::vector<T> y;
    const float epsilon = r16(0.25F);
    for (std::size_t row = 0; row < rows; ++row) {
      floats x;
      for (const float e : drawn(random, n, data::normal, mean)) {
        g.x.push_back(static_cast<T>(e));
        x.push_back(r16(static_cast<float>(g.x.back())));
      }
      float total = 0, squares = 0;
      for (const float e : x) total = r16(total + e);
      const float c = r16(total / static_cast<float>(n));
      for (const float e : x) squares = r16(squares + r16(r16(e - c) * r16(e - c)));
      const float v = r16(squares / static_cast<float>(n)), r = r16(1 / r16(std::sqrt(r16(v + epsilon))));
      for (std::size_t i = 0; i < n; ++i) {
        const float s = r16(static_cast<float>(g.scale[i])), b = r16(static_cast<float>(g.bias[i])), a = r16(s * r);
        const float z = folded ? r16(r16(x[i] * a) + r16(b - r16(c * a))) : r16(r16(r16(x[i] - c) * a) + b);
        y.push_back(static_cast<T>(z));
      }
    }
    const mean_variance_normalization1_desc desc{.axes = {1}, .epsilon = 0.25F, .accumulation = accumulation::half};
    count<T>(golden_of(g, desc), {y}, {of(g.sizes, data_type_of<T>)}, all);
  };
  for (const std::size_t n : {1U, 2U, 5U, 16U, 64U})
    for (const float mean : {0.0F, 1.0F, 20.0F})
      for (const bool folded : {false, true}) {
        play(std::type_identity<float>{}, n, mean, folded);
        play(std::type_identity<float16>{}, n, mean, folded);
      }
  CHECK(all.refused == 0);
  CHECK(all.elements > 10'000);
}

// The digest's rates (section 6) for FLOAT32, mean 0, Epsilon 0.25.
TEST_CASE("MEAN_VARIANCE_NORMALIZATION: wrong devices are noticed at the rates of the digest",
          "[mean_variance_normalization]") {
  struct fault {
    const char* name;
    way how;
    std::array<double, 3> least;  // percent, n = 8, 64, 256
  };
  const std::array faults{fault{"sample variance", way::sample_variance, {98, 98, 96}},
                          fault{"count n+1", way::count_and_one, {98, 98, 96}},
                          fault{"last missing in the mean", way::last_missing_in_mean, {98, 98, 97}},
                          fault{"last missing in the variance", way::last_missing_in_variance, {93, 85, 70}},
                          fault{"Epsilon outside the root", way::epsilon_outside, {98, 98, 98}},
                          fault{"no Epsilon", way::no_epsilon, {98, 98, 98}},
                          fault{"no root", way::no_root, {97, 98, 98}},
                          fault{"half accumulation", way::half_sums, {92, 88, 85}}};
  std::mt19937 random(23);
  for (const fault& f : faults) {
    std::string line = fmt::format("{:<30}", f.name);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t n = k == 0 ? 8 : k == 1 ? 64 : 256, rows = 4096 / n;
      given<float> g{{}, {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(n)}};
      floats y;
      constexpr float epsilon = 0.25F;
      for (std::size_t row = 0; row < rows; ++row) {
        const floats x = drawn(random, n, data::normal, 0);
        g.x.insert(g.x.end(), x.begin(), x.end());
        const moments m = moments_of(x, f.how, order::serial, false);
        const float d = m.variance + epsilon;
        const float r = f.how == way::epsilon_outside ? 1 / (std::sqrt(m.variance) + epsilon)
                        : f.how == way::no_epsilon    ? 1 / std::sqrt(m.variance)
                        : f.how == way::no_root       ? 1 / d
                                                      : 1 / std::sqrt(d);
        for (const float e : x) y.push_back((e - m.mean) * r);
      }
      refusals all;
      count<float>(golden_of(g, mean_variance_normalization1_desc{.axes = {1}, .epsilon = epsilon}), {y}, {of(g.sizes)},
                   all);
      line += fmt::format("{:>7.1f}", all.percent());
      INFO(f.name << ", n = " << n);
      CHECK(all.percent() >= f.least[k]);
    }
    std::printf("normalisation faults: %s\n", line.c_str());
  }
}
