// The elementary functions among the element-wise operators: results, what a device may answer (SPEC-functions 2.2 to
// 2.5, ledger FN-R1 to FN-R4), devices that compute them legally in FLOAT32 and never may be refused, and wrong ones.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/element_wise.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/verdicts/element_wise_functions.hpp>
#include <goldml/reference/element_wise.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using arithmetic::elementary;
using e = elementary;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::vector<float> golden(const auto& function, const std::vector<float>& x) {
  std::vector<float> y(x.size()), fast(x.size());
  function(reference, x, y);
  function(cpu, x, fast);
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(fast[i]));
  return y;
}

// r: refused, s: suspicious, t: toward zero, a: usual; of each value.
template <class T = float>
std::string judged(elementary f, T x, const std::vector<T>& values, std::optional<scale_bias> by = {},
                   bool flushes = false, accumulation precision = accumulation::single) {
  const arithmetic_mode mode{std::is_same_v<T, float>, flushes, precision};
  const graded_interval allowed = goldml::detail::elementary_interval<T>(f, x, by, mode);
  std::string letters;
  for (const T value : values) letters += "rostu"[static_cast<int>(place_in(allowed.allowed, value))];
  return letters;
}
bool is_close(elementary f, float x, float value) {
  return place_in(goldml::detail::elementary_interval<float>(f, x, {}, {}).close, value) != interval_place::outside;
}
std::string at(elementary f, float x, const std::vector<float>& values) { return judged(f, x, values); }

}  // namespace

TEST_CASE("functions of one number: results", "[element_wise]") {
  const std::vector<float> x{-2, 0.5f, 1, 3};
  CHECK(golden(element_wise_sin, x) == std::vector<float>{-0.9092974f, 0.47942555f, 0.84147096f, 0.14112f});
  CHECK(golden(element_wise_cos, x) == std::vector<float>{-0.41614684f, 0.87758255f, 0.5403023f, -0.9899925f});
  CHECK(golden(element_wise_tan, x) == std::vector<float>{2.1850398f, 0.5463025f, 1.5574077f, -0.14254655f});
  CHECK(golden(element_wise_atan, x) == std::vector<float>{-1.1071488f, 0.4636476f, 0.7853982f, 1.2490457f});
  CHECK(golden(element_wise_exp, x) == std::vector<float>{0.13533528f, 1.6487212f, 2.7182817f, 20.085537f});
  CHECK(golden(element_wise_erf, x) == std::vector<float>{-0.9953223f, 0.5204999f, 0.8427008f, 0.9999779f});
  CHECK(golden(element_wise_sinh, x) == std::vector<float>{-3.6268604f, 0.5210953f, 1.1752012f, 10.017875f});
  CHECK(golden(element_wise_cosh, x) == std::vector<float>{3.7621956f, 1.127626f, 1.5430807f, 10.067662f});
  CHECK(golden(element_wise_tanh, x) == std::vector<float>{-0.9640276f, 0.46211717f, 0.7615942f, 0.9950548f});
  CHECK(golden(element_wise_asinh, x) == std::vector<float>{-1.4436355f, 0.4812118f, 0.8813736f, 1.8184465f});
  CHECK(golden(element_wise_asin, {-0.5f, 1}) == std::vector<float>{-0.5235988f, 1.5707964f});
  CHECK(golden(element_wise_acos, {-1, 0, 0.5f}) == std::vector<float>{3.1415927f, 1.5707964f, 1.0471976f});
  CHECK(golden(element_wise_acosh, {1.5f, 10}) == std::vector<float>{0.9624236f, 2.993223f});
  CHECK(golden(element_wise_atanh, {0.5f, 1}) == std::vector<float>{0.54930615f, infinity});
  CHECK(golden(element_wise_log, {10, 1e-30f, 0}) == std::vector<float>{2.3025851f, -69.07755f, -infinity});
  CHECK(golden(element_wise_sqrt, {2, 0}) == std::vector<float>{1.4142135f, 0});
  CHECK(golden(element_wise_recip, {3, -infinity, -0.0f}) == std::vector<float>{0.33333334f, 0, -infinity});
  CHECK(golden(element_wise_sin, {1e30f, 315}) == std::vector<float>{-0.79116344f, 0.7451333f});
  for (const float odd : {-1.0f, not_a_number, -infinity}) CHECK(std::isnan(golden(element_wise_log, {odd})[0]));
  CHECK(std::isnan(golden(element_wise_cos, {infinity})[0]));
  std::vector<float> y{0};
  element_wise_sqrt(cpu, std::vector<float>{7}, y, {.scale_bias = scale_bias{-2, 18}});
  CHECK(y[0] == 2);
}

TEST_CASE("functions of one number on cpu are those of reference: many numbers, FLOAT16, ScaleBias", "[element_wise]") {
  std::mt19937 random(5);
  std::vector<float> x(517);
  for (float& each : x) each = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0xC7FF'FFFF);
  x[3] = infinity, x[4] = -infinity, x[5] = not_a_number, x[6] = 0, x[7] = -0.0f, x[8] = 1e30f, x[9] = 1, x[10] = -1;
  std::vector<float16> h;
  for (const float each : x) h.push_back(static_cast<float16>(each));
  const auto compare = [&](const auto& function) {
    for (const bool scaled : {false, true}) {
      using desc_type = typename std::remove_cvref_t<decltype(function)>::desc_type;
      desc_type desc;
      if (scaled) desc.scale_bias = scale_bias{0.7f, 0.1f};
      const auto differences = [&]<class T>(const std::vector<T>& input) {
        std::vector<T> slow(input.size()), fast(input.size());
        function(reference, input, slow, desc);
        function(cpu, input, fast, desc);
        using bits = typename goldml::detail::float_bits<T>::type;
        std::size_t count = 0;
        for (std::size_t i = 0; i < input.size(); ++i)
          count += std::bit_cast<bits>(slow[i]) != std::bit_cast<bits>(fast[i]);
        return count;
      };
      CHECK(differences(x) == 0);
      CHECK(differences(h) == 0);
    }
  };
  compare(element_wise_acos), compare(element_wise_asin), compare(element_wise_atan), compare(element_wise_cos);
  compare(element_wise_exp), compare(element_wise_log), compare(element_wise_recip), compare(element_wise_sin);
  compare(element_wise_sqrt), compare(element_wise_tan), compare(element_wise_erf), compare(element_wise_sinh);
  compare(element_wise_cosh), compare(element_wise_tanh), compare(element_wise_asinh), compare(element_wise_acosh);
  compare(element_wise_atanh);
}

TEST_CASE("functions of one number: what a device may answer", "[element_wise]") {
  CHECK(at(e::sin, 1, {0.84067f, 0.840672f, 0.8414404f, 0.8415f, 0.8416f, 0.84227f, 0.842272f}) == "rsuussr");
  CHECK(at(e::tan, 1.5f, {13.9325f, 13.93254f, 14.10142f, 14.27416f, 14.2743f}) == "rsusr");
  CHECK(at(e::tan, 1.5707964f, {-22877332, 1248, -infinity, infinity, not_a_number}) == "uuuur");
  CHECK(at(e::log, 10, {2.302583f, 2.3025835f, 2.3025868f, 2.302588f}) == "ruur");
  CHECK(at(e::recip, 3, {0.3333331f, 0.33333316f, 0.33333334f, 0.3333335f, 0.3333336f}) == "rsusr");
  // Where the rounded root is -x, ln of what remains: possible, and no more.
  CHECK(at(e::acosh, -6000, {not_a_number, -infinity, -20, -7, -6.60975f, -6.609f, 9}) == "ussssrr");
  for (const float y : {-infinity, -20.0f, -7.0f}) CHECK(!is_close(e::acosh, -6000, y));
  CHECK(is_close(e::acosh, -6000, not_a_number));
  CHECK(at(e::acosh, -1400, {not_a_number, -infinity, -7}) == "urr");
  CHECK(at(e::asinh, -1000, {-8.272f, -8.2717f, -7.6009026f, -7.600904f, -7.2031f, -7.2f}) == "rsuusr");
  CHECK(at(e::sin, 400, {-1, 1, 0.5f, 1.0001f, not_a_number}) == "sssrr");
  CHECK(at(e::sin, 1000, {0.82687954f, 0.827088f, 0.82709f}) == "uus");  // 2^-15 + 3000 * 2^-24
  CHECK(at(e::sin, 0, {0, -0.0f, 1e-6f}) == "uur");
  CHECK(at(e::cos, 0, {1, 0.9999999f}) == "ur");
  CHECK(at(e::asin, 0, {0, 6.75e-5f, 0.00079f, 0.00081f}) == "uusr");
  CHECK(at(e::asin, 1.5f, {not_a_number, 1.57f}) == "ur");
  CHECK(at(e::atan, infinity, {1.5707964f, 1.5715f, 1.5717f}) == "usr");
  CHECK(at(e::exp, 88, {1.6516363e38f, 1.65167e38f, 1.6517e38f}) == "usr");
  CHECK(at(e::exp, 0, {1, 1.0000001f}) == "ur");
  CHECK(at(e::log, 1, {0, 3e-7f, 4e-7f}) == "uur");
  CHECK(at(e::sqrt, 4, {2, 2.0000002f, 2.0000005f, 2.000001f}) == "uusr");
  CHECK(at(e::sinh, 89, {infinity, 2.2448057e38f, -infinity}) == "uur");
  CHECK(at(e::cosh, -87.4f, {infinity, 4.5e37f}) == "ur");
  CHECK(at(e::tanh, 90, {1, 0.99999f, 0.9993f, 0.999f, not_a_number}) == "uusrr");
  CHECK(at(e::asinh, -infinity, {-infinity, not_a_number, infinity}) == "uur");
  CHECK(at(e::asinh, 2e19f, {infinity, 45.135414f}) == "uu");
  CHECK(at(e::atanh, 1, {infinity, 9}) == "ur");
  CHECK(at(e::atanh, 0x1p126f, {not_a_number, -infinity, infinity}) == "uur");
  CHECK(at(e::erf, 1, {0.8427008f, 0.8427f, 0.8436f, 0.8438f}) == "uusr");
  CHECK(at(e::erf, 4.5f, {1, 1.000003f, 1.000004f, 0.99999f}) == "uurr");
  CHECK(at(e::cos, not_a_number, {not_a_number, 0}) == "ur");
  // Flushed: 1/x, ln x and the root of a subnormal number, as of 0.
  const auto flushed = [](elementary f, float x, const std::vector<float>& values) {
    return judged(f, x, values, {}, true);
  };
  CHECK(flushed(e::recip, 1e-38f, {infinity, 1e38f, -infinity}) == "uur");
  CHECK(flushed(e::recip, 1.5e38f, {0, 6.6666666e-39f}) == "uu");
  CHECK(flushed(e::log, 1e-40f, {-infinity, -92.1034f}) == "uu");
  CHECK(at(e::log, 1e-40f, {-infinity}) == "r");
  CHECK(flushed(e::log, -1e-40f, {-infinity, not_a_number}) == "uu");
  CHECK(flushed(e::sqrt, -1e-40f, {0, not_a_number, 1}) == "uur");
  CHECK(flushed(e::exp, -88, {0, 6.054602e-39f, 7e-39f}) == "uur");
  // Direct3D has a sine of 0 and a cosine of 1 of FLOAT32 subnormals.
  for (const bool flushes : {false, true})
    for (const float x : {1e-40f, -1e-40f, 0x1.fffffcp-127f}) {
      CHECK(judged(e::sin, x, {x, 0, x * 0.99999f, 0.0007f, 1e-37f}, {}, flushes) == "uuurr");
      CHECK(judged(e::tan, x, {x, 0, x * 0.99999f, 0.0007f, 1e-37f}, {}, flushes) == "uuurr");
      CHECK(judged(e::cos, x, {1, 0.9999999f, 0.9993f, 0}, {}, flushes) == "urrr");
    }
  CHECK(flushed(e::sin, 0x1p-126f, {0x1p-126f, 0.0007f}) == "us");
  // FLOAT16 is narrowed to nearest or toward zero.
  const auto half = [](float x) { return static_cast<float16>(x); };
  CHECK(judged(e::recip, half(17), {half(0.05883789f), half(0.05880737f), half(0.0589f)}) == "utr");
}

TEST_CASE("functions of x * Scale + Bias", "[element_wise]") {
  constexpr float two_pi = 6.2831855f;
  const auto of = [](elementary f, float x, scale_bias by, const std::vector<float>& values) {
    return judged(f, x, values, by);
  };
  CHECK(of(e::sin, 0.25f, {two_pi, 0}, {1, 0.9993f, 0.999f, 1.1f}) == "usrr");
  CHECK(of(e::sin, 0.5f, {two_pi, 0}, {0, 0.00079f, 0.00082f}) == "usr");
  CHECK(of(e::recip, 0.1f, {10, -1}, {1e30f, -infinity, infinity, 0.5f, not_a_number}) ==
        "uuuur");  // 0.1 * 10 is about 1
  CHECK(of(e::sqrt, 0.1f, {10, -1}, {0, not_a_number, 1e-4f, 1}) == "uuur");
  CHECK(of(e::log, 2, {3, 4}, {2.3025851f, 0.6931472f}) == "ur");
  CHECK(of(e::acosh, 1, {1, 0}, {0, not_a_number}) == "ur");
}

TEST_CASE("functions of one number in half precision", "[element_wise]") {
  const auto of = [](elementary f, float x, const std::vector<float>& values) {
    return judged(f, x, values, {}, false, accumulation::half);
  };
  CHECK(of(e::sin, 1, {0.8414f, 0.85f, 0.8505f}) == "uur");
  CHECK(of(e::sin, 1.0001f, {0.8414f, 0.8505f}) == "uu");  // x is rounded
  CHECK(of(e::exp, 2, {7.389f, 7.44f, 7.5f}) == "uur");
  // e^12 is 162755, and e^11.09 up to 67921: the result may be infinite, but that of e^10 is not.
  CHECK(of(e::exp, 12, {162754.8f, infinity, -infinity, not_a_number}) == "uurr");
  CHECK(of(e::exp, 11.09f, {65512.8f, infinity}) == "uu");
  CHECK(of(e::exp, 10, {22026.5f, infinity}) == "ur");
  CHECK(of(e::tan, 1.5629f, {126, infinity}) == "uu");  // the cosine is 2^-7, which it may be off by
  CHECK(of(e::acosh, -300, {not_a_number, -infinity, infinity}) == "uuu");
  CHECK(of(e::sinh, 11.5f, {49357.9f, infinity, -infinity}) == "uur");
  CHECK(of(e::asinh, 300, {6.39693f, infinity}) == "uu");
  CHECK(of(e::erf, 0.5f, {0.5205f, 0.536f, 0.537f}) == "uur");
  CHECK(of(e::sqrt, 70000, {264.575f, not_a_number, 5}) == "uuu");
}

namespace {

// Primitives of Direct3D with an error, `by` of what they may have beside their rounding, and functions that are made
// of these.
struct device {
  double by;
  float exp(float x) const {
    const float scaled = x * 1.44269504f;
    return scaled == 0 ? 1 : static_cast<float>(std::exp2(static_cast<double>(scaled)) * (1 + by * 0x1p-21));
  }
  float log(float x) const {
    if (x < 0) return not_a_number;
    const double v = std::log2(static_cast<double>(x));
    if (std::isinf(v)) return static_cast<float>(v);
    return static_cast<float>(v + by * 0x1p-21 * (x >= 0.5f && x <= 2 ? 1 : std::abs(v))) * 0.693147182f;
  }
  float rcp(float x) const { return static_cast<float>(1 / static_cast<double>(x) * (1 + by * (0x1p-21 - 0x1p-24))); }
  float sqrt(float x) const { return static_cast<float>(std::sqrt(static_cast<double>(x)) * (1 + by * 0x1p-24)); }
  float sine(double y) const { return static_cast<float>(std::clamp(y + by * (0.0008 - 0x1p-24), -1.0, 1.0)); }
  // The expansions of Direct3D's compiler.
  static float acos_of(float x) {
    const float a = std::abs(x);
    const float y = std::sqrt(1 - a) * (1.5707288f + a * (-0.2121144f + a * (0.0742610f - 0.0187293f * a)));
    return x < 0 ? 3.14159265f - y : y;
  }
  float atan_of(float x) const {
    const float a = std::abs(x), t = a > 1 ? rcp(a) : a, s = t * t;
    float y = t * (0.9998660f + s * (-0.3302995f + s * (0.1801410f + s * (-0.0851330f + 0.0208351f * s))));
    if (a > 1) y = 1.57079637f - y;
    return x < 0 ? -y : y;
  }
  float erf_of(float x) const {  // Abramowitz and Stegun 7.1.26
    const float a = std::abs(x), t = rcp(1 + 0.3275911f * a);
    const float y =
        1 - t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f)))) *
                exp(-a * a);
    return x < 0 ? -y : y;
  }
  float of(elementary f, float x) const {
    switch (f) {
      case e::acos:
        return acos_of(x);
      case e::asin:
        return 1.57079637f - acos_of(x);
      case e::atan:
        return atan_of(x);
      case e::sin:
        return sine(std::sin(static_cast<double>(x)));
      case e::cos:
        return sine(std::cos(static_cast<double>(x)));
      case e::tan:
        return sine(std::sin(static_cast<double>(x))) * rcp(sine(std::cos(static_cast<double>(x))));
      case e::exp:
        return exp(x);
      case e::log:
        return log(x);
      case e::recip:
        return rcp(x);
      case e::sqrt:
        return sqrt(x);
      case e::erf:
        return erf_of(x);
      case e::sinh:
        return (exp(x) - rcp(exp(x))) * 0.5f;
      case e::cosh:
        return (exp(x) + exp(-x)) * 0.5f;
      case e::tanh: {
        if (std::abs(x) > 40) return x < 0 ? -1.0f : 1.0f;
        const float p = exp(x), q = exp(-x);
        return (p - q) * rcp(p + q);
      }
      case e::asinh:
        return log(x + sqrt(x * x + 1));
      case e::acosh:
        return log(x + sqrt((x - 1) * (x + 1)));
      case e::atanh:
        return 0.5f * log((1 + x) * rcp(1 - x));
    }
    return 0;
  }
};

std::vector<float> arguments(elementary f) {
  std::mt19937 random(static_cast<std::uint32_t>(f));
  std::vector<float> result;
  const auto [least, most] = arithmetic::domain_of(f);
  const std::uint32_t count = goldml_test::is_long_run() ? 400'000 : goldml_test::is_slow ? 900 : 40'000;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto any = static_cast<std::uint32_t>(random());
    const std::uint32_t exponent = i % 3 == 0 ? any >> 23 & 0xFF : 118 + (any >> 23 & 0xFF) % 14;
    const float x = std::bit_cast<float>((any & 0x807F'FFFF) | exponent << 23);
    if (std::isfinite(x) && x >= least && x <= most) result.push_back(x);
  }
  return result;
}

}  // namespace

TEST_CASE("functions of one number: legal devices are never refused", "[element_wise]") {
  for (std::size_t i = 0; i < arithmetic::elementary_count; ++i) {
    const auto f = static_cast<elementary>(i);
    std::uint64_t refused = 0, library_not_close = 0, count = 0;
    float first = 0;
    for (const float x : arguments(f)) {
      const arithmetic_mode flushing{true, true, accumulation::single};
      const graded_interval allowed = goldml::detail::elementary_interval<float>(f, x, {}, flushing);
      for (const double by : {-1.0, -0.3, 0.0, 0.6, 1.0}) {
        const bool is_zero_angle = x == 0 || std::abs(x) < 1e-37f;
        const float answer = device{is_zero_angle ? 0 : by}.of(f, x);
        if (place_in(allowed.allowed, answer) == interval_place::outside && refused++ == 0) first = x;
        ++count;
      }
      const float library = arithmetic::elementary_rounded<float>(f, static_cast<double>(x));
      if (!is_close(f, x, library)) ++library_not_close;
    }
    INFO("function " << i << ", " << count << " answers: " << refused << " refused, first of " << first);
    CHECK(count > 500);
    CHECK(refused == 0);
    CHECK(library_not_close == 0);
  }
}
TEST_CASE("functions of one number: the intervals of blocks are those of single numbers", "[element_wise]") {
  std::vector<float> more{0,       infinity, not_a_number,    0x1p-149f, 0x1p-126f, 88.7228f, 87.3366f,    103.97f,
                          0x1p18f, 0x1p126f, 0x1.fffffep127f, 314.159f,  1,         0.5f,     0.70710678f, 256,
                          4,       11.09f,   1.84e19f};
  for (std::size_t i = more.size(); i-- > 0;)
    for (const float to : {-infinity, infinity}) more.push_back(std::nextafter(more[i], to));
  for (std::size_t i = more.size(); i-- > 0;) more.push_back(-more[i]);
  const arithmetic_mode mode;
  for (std::size_t k = 0; k < arithmetic::elementary_count; ++k) {
    const auto f = static_cast<elementary>(k);
    std::vector<float> x = arguments(f);
    x.insert(x.end(), more.begin(), more.end());
    const std::vector<double> numbers(x.begin(), x.end());
    std::vector<double> values(x.size());
    arithmetic::detail::elementary_doubles(f, numbers.data(), values.data(), x.size());
    const arithmetic::elementary_bounds all(f, mode, arithmetic::granted::possible),
        close(f, mode, arithmetic::granted::close);
    std::uint64_t other_values = 0, other_intervals = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value = arithmetic::elementary_value(f, numbers[i]).value;
      if (std::bit_cast<std::uint64_t>(value) != std::bit_cast<std::uint64_t>(values[i]) && !std::isnan(value))
        ++other_values;
      if (!std::isfinite(x[i])) continue;
      const float golden = arithmetic::elementary_rounded<float>(f, numbers[i]);
      const auto found = goldml::detail::elementary_interval_at<float>(
          all, close, x[i], arithmetic::approximation_of(values[i]), mode, golden);
      // The general way, by the three sets of a device_number.
      const formula::possible most = all.over(formula::possible::of(numbers[i]));
      formula::possible least = close.over(formula::possible::of(numbers[i]));
      least.low = std::max(least.low, most.low);
      least.high = std::min(least.high, most.high);
      const auto graded = formula::device_number::graded(
          mode, [&](arithmetic::granted what) { return what == arithmetic::granted::possible ? most : least; });
      if (found != formula::interval_of<float>(graded, std::optional<float>(golden)) ||
          found != goldml::detail::elementary_interval<float>(f, x[i], {}, mode, golden))
        ++other_intervals;
    }
    INFO("function " << k);
    CHECK(other_values == 0);
    CHECK(other_intervals == 0);
  }
}
TEST_CASE("functions of one number: wrong devices are noticed", "[element_wise]") {
  // The least share of numbers, in percent, for which the answer is refused: those of SPEC-functions 11, less what
  // chance may take.
  struct wrong_device {
    elementary f;
    const char* name;
    float (*of)(float x);
    int least;
  };
  constexpr float pi = 3.14159265f;
  const wrong_device wrong_devices[] = {
      {e::sin, "cos", [](float x) { return std::cos(x); }, 99},
      {e::sin, "degrees", [](float x) { return std::sin(x * (pi / 180)); }, 99},
      {e::sin, "no reduction", [](float x) { return x - x * x * x / 6 + x * x * x * x * x / 120; }, 81},
      {e::cos, "sin", [](float x) { return std::sin(x); }, 99},
      {e::tan, "degrees", [](float x) { return std::tan(x * (pi / 180)); }, 99},
      {e::asin, "x", [](float x) { return x; }, 82},
      {e::asin, "sin", [](float x) { return std::sin(x); }, 86},
      {e::acos, "asin", [](float x) { return std::asin(x); }, 99},
      {e::atan, "x", [](float x) { return x; }, 98},
      {e::exp, "exp2", [](float x) { return std::exp2(x); }, 99},
      {e::log, "log2", [](float x) { return std::log2(x); }, 99},
      {e::log, "log10", [](float x) { return std::log10(x); }, 99},
      {e::log, "log1p", [](float x) { return std::log1p(x); }, 99},
      {e::recip, "FLOAT16", [](float x) { return static_cast<float>(static_cast<float16>(1 / x)); }, 99},
      {e::sqrt, "FLOAT16", [](float x) { return static_cast<float>(static_cast<float16>(std::sqrt(x))); }, 99},
      {e::erf, "erf(x / sqrt(2))", [](float x) { return std::erf(x * 0.70710678f); }, 99},
      {e::erf, "erfc", [](float x) { return std::erfc(x); }, 99},
      {e::erf, "tanh", [](float x) { return std::tanh(x); }, 99},
      {e::sinh, "cosh", [](float x) { return std::cosh(x); }, 83},
      {e::cosh, "sinh", [](float x) { return std::sinh(x); }, 83},
      {e::tanh, "atan", [](float x) { return std::atan(x); }, 95},
      {e::asinh, "acosh", [](float x) { return std::acosh(x); }, 99},
      {e::asinh, "without its sign", [](float x) { return std::asinh(std::abs(x)); }, 49},
      {e::acosh, "asinh", [](float x) { return std::asinh(x); }, 99},
      {e::atanh, "without 1/2", [](float x) { return 2 * std::atanh(x); }, 99}};
  for (const wrong_device& device : wrong_devices) {
    std::uint64_t noticed = 0, count = 0;
    std::mt19937 random(static_cast<std::uint32_t>(device.f));
    const auto [least, most] = arithmetic::domain_of(device.f);
    for (int i = 0; i < (goldml_test::is_slow ? 1000 : 20'000); ++i) {
      const double part = static_cast<double>(random()) / 0x1p32;  // of the numbers for which f is defined
      const float size = device.f == e::erf ? 2 : 10;
      const float from = std::max(-size, static_cast<float>(least)), to = std::min(size, static_cast<float>(most));
      const auto x = static_cast<float>(from + part * (to - from));
      ++count;
      const graded_interval allowed = goldml::detail::elementary_interval<float>(device.f, x, {}, {});
      if (place_in(allowed.allowed, device.of(x)) == interval_place::outside) ++noticed;
    }
    const std::uint64_t share = noticed * 100 / count;
    INFO("function " << static_cast<int>(device.f) << " as " << device.name << ": " << share << " % of " << count);
    CHECK(share >= static_cast<std::uint64_t>(device.least));
  }
}
