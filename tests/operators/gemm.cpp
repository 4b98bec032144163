// GEMM: the page's formula by hand, its rules, and what devices may answer: legal kernels are accepted, wrong ones are
// not.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/gemm.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/gemm.hpp>
#include <goldml/reference/gemm.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using floats = std::vector<float>;
using level = feature_level;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// The fused activation of that number.
activation fused(std::uint32_t number, float first = 0, float second = 0) {
  return {.operator_type = number, .parameters = {first, second}};
}
constexpr std::uint32_t clip = 8, elu = 35, linear = 40, relu = 44, sigmoid = 47, softmax = 48, softplus = 49;

// One element, of K products.
template <class T>
struct dot {
  gemm_desc desc;
  std::vector<T> a, b;
  std::optional<T> c = {};

  std::uint32_t k() const { return static_cast<std::uint32_t>(a.size()); }
  T golden() const {
    tensor<T> result({1, 1});
    if (c)
      gemm(reference, tensor<T>({1, k()}, a), tensor<T>({k(), 1}, b), tensor<T>({1, 1}, {*c}), result, desc);
    else
      gemm(reference, tensor<T>({1, k()}, a), tensor<T>({k(), 1}, b), result, desc);
    return result.elements().front();
  }

  // How a value may be, with and without flushing; `strictly` without only.
  interval_place place(T value, bool strictly = false) const {
    const tensor<T> left({1, k()}, a), right({k(), 1}, b), addend({1, 1}, {c.value_or(T(0.0F))});
    tensor<T> answer({1, 1}, {golden()});
    const T wanted = golden();
    if (is_nan(value) ? is_nan(wanted) : !is_nan(wanted) && order_key(value) == order_key(wanted))
      return interval_place::usual;
    std::vector<const_tensor_ref> inputs{left.view(), right.view(), {}};
    if (c) inputs[2] = addend.view();
    const std::vector<tensor_ref> outputs{answer.view()};
    interval_place best = interval_place::outside;
    for (const bool flushes : {false, true}) {
      if (flushes && (strictly || sizeof(T) != sizeof(float))) continue;
      std::vector<output_verdicts> result{output_verdicts(1)};
      if (flushes)
        oracle::verdict_traits<gemm_desc>::flushed_verdicts(desc, inputs, outputs, result);
      else
        oracle::verdict_traits<gemm_desc>::verdicts(desc, inputs, outputs, result);
      if (const interval* const allowed = result[0].interval_of(0)) best = (std::max)(best, place_in(*allowed, value));
      best = (std::max)(best, result[0].place_in_others(0, value, 0));
    }
    return best;
  }
  bool accepts(T value, bool strictly = false) const { return place(value, strictly) != interval_place::outside; }
  // Only the golden value.
  bool is_exact() const {
    const T wanted = golden();
    const T above = static_cast<T>(std::nextafter(static_cast<float>(wanted), inf));
    const T below = static_cast<T>(std::nextafter(static_cast<float>(wanted), -inf));
    for (const T x : {above, below})
      if (order_key(x) != order_key(wanted) && accepts(x)) return false;
    return !accepts(T(not_a_number)) && !accepts(T(inf)) && !accepts(T(-inf));
  }
};
using float_dot = dot<float>;
using half_dot = dot<float16>;

std::vector<float16> halves(const floats& numbers) {
  std::vector<float16> result;
  for (const float x : numbers) result.push_back(float16(x));
  return result;
}

tensor_desc sized(const dimensions& sizes, data_type type = data_type::float32) {
  return {.data_type = type, .sizes = sizes};
}

std::string codes(const gemm_desc& desc, const tensor_desc& a, const tensor_desc& b,
                  const std::optional<tensor_desc>& c, const tensor_desc& output) {
  std::string result;
  std::vector<violation> all = c ? violations(desc, a, b, *c, output) : violations(desc, a, b, output);
  for (const violation& each : all) result += (result.empty() ? "" : " ") + std::string(each.rule);
  return result;
}
std::string codes_of_fused(const activation& f, level at = level::latest) {
  const tensor_desc one = sized({1, 1, 1, 1});
  return codes({.fused_activation = f, .feature_level = at}, one, one, one, one);
}

}  // namespace

TEST_CASE("GEMM: the examples", "[gemm]") {
  const tensor<float> a({3, 1}, {1, 2, 3}), b({1, 3}, {4, 5, 6}), c({3, 3}, floats(9, 2));
  tensor<float> y({3, 3});
  gemm(reference, a, b, c, y);
  CHECK(y.elements() == floats{6, 7, 8, 10, 12, 14, 14, 17, 20});
  const std::vector<const_tensor_ref> inputs{a.view(), b.view(), c.view()};
  const std::vector<tensor_ref> outputs{y.view()};
  for (const bool flushes : {false, true}) {
    std::vector<output_verdicts> verdicts{output_verdicts(9)};
    if (flushes)
      oracle::verdict_traits<gemm_desc>::flushed_verdicts({}, inputs, outputs, verdicts);
    else
      oracle::verdict_traits<gemm_desc>::verdicts({}, inputs, outputs, verdicts);
    CHECK(verdicts[0].all_exact());
  }
  const tensor<float> ones({1, 1, 32, 32}, floats(1024, 1));
  CHECK(gemm(reference, ones, ones).elements() == floats(1024, 32));
  CHECK(float_dot{{}, floats(32, 1), floats(32, 1)}.is_exact());
  CHECK(float_dot{{.accumulation = accumulation::half}, floats(32, 1), floats(32, 1)}.is_exact());
}

TEST_CASE("GEMM: transposed matrices, batches, Alpha and Beta", "[gemm]") {
  const tensor<float> a({2, 3}, {1, 2, 3, 4, 5, 6}), b({3, 2}, {7, 8, 9, 10, 11, 12});
  const tensor<float> a_t({3, 2}, {1, 4, 2, 5, 3, 6}), b_t({2, 3}, {7, 9, 11, 8, 10, 12});
  const floats wanted{58, 64, 139, 154};
  constexpr auto transpose = matrix_transform::transpose;
  CHECK(gemm(reference, a, b).elements() == wanted);
  CHECK(gemm(reference, a_t, b, {.trans_a = transpose}).elements() == wanted);
  CHECK(gemm(reference, a, b_t, {.trans_b = transpose}).elements() == wanted);
  CHECK(gemm(reference, a_t, b_t, {.trans_a = transpose, .trans_b = transpose}).elements() == wanted);
  tensor<float> y({2, 2});
  gemm(reference, a, b, tensor<float>({2, 2}, {1, 2, 3, 4}), y, {.alpha = 0.5F, .beta = -2});
  CHECK(y.elements() == floats{27, 28, 63.5F, 69});

  // Two batches of two channels, {1,2} x {2,1}.
  const tensor<float> left({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), right({2, 2, 2, 1}, {1, 10, 2, 20, 3, 30, 4, 40});
  CHECK(gemm(reference, left, right).elements() == floats{21, 86, 195, 348});
  // C, and A for all batches, with strides of 0.
  const floats one_row{1, 2}, addends{100};
  tensor<float> z({2, 2, 1, 1});
  gemm(reference, tensor_view(one_row, {2, 2, 1, 2}, {0, 0, 2, 1}), right.view(),
       tensor_view(addends, {2, 2, 1, 1}, {0, 0, 0, 0}), z.view());
  CHECK(z.elements() == floats{121, 142, 163, 184});
}

TEST_CASE("GEMM: the result is exact and rounded once", "[gemm]") {
  CHECK(float_dot{{}, {1e8F, 1, -1e8F}, {1, 1, 1}}.golden() == 1);
  CHECK(float_dot{{}, {1e30F, 0x1p-149F, -1e30F}, {1, 1, 1}}.golden() == 0x1p-149F);
  CHECK(float_dot{{}, {16777216, 1}, {1, 1}}.golden() == 16777216);  // a tie, to even
  CHECK(float_dot{{}, {16777216, 1, 0x1p-100F}, {1, 1, 0x1p-49F}}.golden() == 16777218);
  CHECK(float_dot{{.alpha = 0x1p-149F}, {1}, {1}}.golden() == 0x1p-149F);
  CHECK(float_dot{{.alpha = 0x1p-100F}, {0x1p100F}, {0x1p100F}}.golden() == 0x1p100F);
  CHECK(float_dot{{.alpha = 1 / 3.0F}, {3}, {1}}.golden() == 1);  // 0.33333334... * 3 = 1 + 2^-25, nearer to 1
  CHECK(float_dot{{.alpha = 3e38F}, {2}, {1}}.golden() == inf);
  CHECK(float_dot{{.beta = 0.1F}, {1}, {1}, 10.0F}.golden() == 2);
  CHECK(static_cast<float>(half_dot{{.alpha = 0.1F}, halves({1000}), halves({1000})}.golden()) == inf);
  CHECK(static_cast<float>(half_dot{{.alpha = 0.01F}, halves({1000}), halves({1000})}.golden()) == 10000);
  // Signs of zeros.
  CHECK(std::signbit(float_dot{{}, {-0.0F, 0}, {1, -1}}.golden()));
  CHECK_FALSE(std::signbit(float_dot{{}, {-0.0F, 0}, {1, 1}}.golden()));
  CHECK_FALSE(std::signbit(float_dot{{}, {1, -1}, {1, 1}}.golden()));
  CHECK_FALSE(std::signbit(float_dot{{}, {-0.0F}, {1}, 0.0F}.golden()));
}

TEST_CASE("GEMM: infinities, NaN, and factors of 0", "[gemm]") {
  CHECK(float_dot{{}, {inf, 1}, {2, 1}}.golden() == inf);
  CHECK(is_nan(float_dot{{}, {inf, 1}, {0, 1}}.golden()));
  CHECK(is_nan(float_dot{{}, {inf, inf}, {1, -1}}.golden()));
  CHECK(float_dot{{.alpha = -1}, {inf}, {1}}.golden() == -inf);
  CHECK(is_nan(float_dot{{.alpha = -1}, {inf}, {1}, inf}.golden()));
  CHECK(is_nan(float_dot{{.alpha = not_a_number}, {1}, {1}}.golden()));
  CHECK(float_dot{{.alpha = inf}, {1, 2}, {1, 1}}.golden() == inf);
  CHECK(is_nan(float_dot{{.alpha = inf}, {1, 0}, {1, 1}}.golden()));
  // Alpha or Beta 0 still multiplies (GM-R1); a device that skips is accepted.
  const float_dot no_alpha{{.alpha = 0}, {inf}, {1}, 5.0F};
  CHECK(is_nan(no_alpha.golden()));
  CHECK(no_alpha.accepts(5));
  CHECK_FALSE(no_alpha.accepts(5.000001F));
  CHECK_FALSE(no_alpha.accepts(inf));
  const float_dot no_beta{{.beta = 0}, {2}, {3}, not_a_number};
  CHECK(is_nan(no_beta.golden()));
  CHECK(no_beta.accepts(6));
  CHECK_FALSE(no_beta.accepts(0));
  CHECK(float_dot{{.beta = not_a_number}, {2}, {3}}.golden() == 6);  // without C, Beta is ignored
  CHECK(float_dot{{.beta = not_a_number}, {2}, {3}}.is_exact());
  CHECK(float_dot{{.beta = 0}, {2}, {3}, 7.0F}.is_exact());
  CHECK(float_dot{{.alpha = 0}, {2}, {3}, 7.0F}.is_exact());
  // Where the golden value is infinite or NaN, no number is right.
  CHECK_FALSE(float_dot{{}, {inf, 1}, {0, 1}}.accepts(1));
  CHECK_FALSE(float_dot{{}, {inf, 1}, {2, 1}}.accepts(not_a_number));
  CHECK(float_dot{{}, {inf, -3e38F, -3e38F}, {2, 1, 1}}.accepts(not_a_number));  // inf - inf
  CHECK(float_dot{{}, {inf}, {0x1p-140F}}.accepts(not_a_number));                // flushed
  CHECK_FALSE(float_dot{{}, {inf}, {0x1p-140F}}.accepts(not_a_number, true));
}

TEST_CASE("GEMM: what a device may answer, by hand", "[gemm]") {
  const float_dot cancelling{{}, {1e8F, 1, -1e8F}, {1, 1, 1}};  // E = g(6, 2^-24) * 200000001 = 71.5
  for (const float each : {1.0F, 0.0F, 8.0F, 72.0F, -70.0F}) CHECK(cancelling.accepts(each));
  for (const float each : {73.0F, -72.0F, inf, not_a_number}) CHECK_FALSE(cancelling.accepts(each));
  // Products that are exact, and no others.
  CHECK(float_dot{{}, {3, 4, -5}, {6, -7, 8}, 9.0F}.is_exact());
  CHECK(float_dot{{.alpha = 0.25F, .beta = 3}, {3, 4, -5}, {6, -7, 8}, 9.0F}.is_exact());
  CHECK_FALSE(float_dot{{.alpha = 0.3F}, {3, 4, -5}, {6, -7, 8}}.is_exact());
  CHECK(float_dot{{}, {4096, 1}, {4095, 1}}.is_exact());  // 4096 * 4095 + 1 <= 2^24
  CHECK_FALSE(float_dot{{}, {0x1.fffffep127F}, {1}}.accepts(0x1.fffffcp127F));
  CHECK_FALSE(float_dot{{}, {4096, 1}, {4096, 1}}.is_exact());      // 2^24 + 1
  CHECK_FALSE(float_dot{{}, {0x1.8p-70F}, {0x1p-70F}}.is_exact());  // may be flushed
  CHECK(float_dot{{}, {0x1.8p-70F}, {0x1p-70F}}.accepts(0));
  CHECK_FALSE(float_dot{{}, {0x1.8p-70F}, {0x1p-70F}}.accepts(0, true));
  CHECK(float_dot{{}, {0x1p-140F}, {0x1p100F}}.accepts(0));  // an input may be flushed
  CHECK_FALSE(float_dot{{}, {0x1p-140F}, {0x1p100F}}.accepts(0, true));
  CHECK_FALSE(float_dot{{}, {0x1p-120F}, {0x1p100F}}.accepts(0));
  CHECK(float_dot{{.beta = 0x1p-130F}, {1}, {0}, 0x1p100F}.accepts(0));
  CHECK_FALSE(float_dot{{.beta = 0x1p-130F}, {1}, {0}, 0x1p100F}.accepts(0, true));
  // Alpha may be applied to a first: 1e-30 * 1e-10 may be 0.
  CHECK(float_dot{{.alpha = 1e-10F}, {1e-30F}, {1e35F}}.accepts(0));
  CHECK_FALSE(float_dot{{.alpha = 1e-2F}, {1e-30F}, {1e35F}}.accepts(0));
  // Overflow of partial sums, and before Alpha or after it.
  const float_dot sums{{}, {3e38F, 3e38F, -3e38F}, {1, 1, 1}};
  CHECK(sums.golden() == 3e38F);
  CHECK(sums.accepts(inf));
  CHECK_FALSE(sums.accepts(-inf));
  CHECK_FALSE(sums.accepts(not_a_number));
  for (const float addend : {2e38F, -2e38F}) {  // C, with the product of its sign first
    const float_dot with_c{{}, {2e38F, -2e38F}, {1, 1}, addend};
    CHECK(with_c.golden() == addend);
    CHECK(with_c.accepts(addend > 0 ? inf : -inf));
    CHECK_FALSE(with_c.accepts(addend > 0 ? -inf : inf));
  }
  const float_dot both{{}, {3e38F, 3e38F, -3e38F, -3e38F}, {1, 1, 1, 1}};
  for (const float each : {inf, -inf, not_a_number, 0.0F}) CHECK(both.accepts(each));
  const float_dot before{{.alpha = 1e-10F}, {1e20F}, {1e19F}};
  CHECK(before.accepts(inf));
  CHECK_FALSE(before.accepts(-inf));
  CHECK(float_dot{{.alpha = -1e-10F}, {1e20F}, {1e19F}}.accepts(-inf));
  const float_dot scaled{{.alpha = 1e20F}, {1e20F}, {1e-30F}};
  for (const float each : {inf, -inf, not_a_number}) CHECK(scaled.accepts(each));
  CHECK(float_dot{{.alpha = 0}, {1e20F}, {1e19F}}.accepts(not_a_number));
  CHECK_FALSE(float_dot{{.alpha = 0}, {1e20F}, {1e18F}}.accepts(not_a_number));
  CHECK_FALSE(float_dot{{.alpha = 1e10F}, {1e10F}, {1e10F}}.accepts(inf));
  CHECK_FALSE(float_dot{{.alpha = inf}, {1, 2}, {1, 1}}.accepts(3));
}

TEST_CASE("GEMM: Alpha and Beta may be flushed", "[gemm]") {
  const auto only_flushed = [](const float_dot& x, float value) { return x.accepts(value) && !x.accepts(value, true); };
  CHECK(float_dot{{.alpha = 0x1p-130F}, {0x1p100F}, {1}}.golden() == 0x1p-30F);
  CHECK(only_flushed({{.alpha = 0x1p-130F}, {0x1p100F}, {1}}, 0));
  CHECK_FALSE(float_dot{{.alpha = 0x1p-130F}, {0x1p100F}, {1}}.accepts(0x1p-24F));
  // Then 0 * inf is NaN, and so it is of a sum that overflows.
  CHECK(only_flushed({{.alpha = 0x1p-130F}, {inf}, {1}}, not_a_number));
  CHECK(only_flushed({{.alpha = 0x1p-130F}, {0x1p100F}, {0x1p100F}}, not_a_number));
  CHECK(only_flushed({{.beta = 0x1p-130F}, {1}, {1}, inf}, not_a_number));
  CHECK(only_flushed({{.beta = inf}, {1}, {1}, 0x1p-130F}, not_a_number));
  CHECK_FALSE(float_dot{{.beta = 0x1p-120F}, {1}, {1}, inf}.accepts(not_a_number));
  CHECK_FALSE(float_dot{{.beta = inf}, {1}, {1}, 0x1p-120F}.accepts(not_a_number));
}

TEST_CASE("GEMM: an Alpha that is no FLOAT16", "[gemm]") {
  for (const bool is_half : {false, true}) {
    const accumulation precision = is_half ? accumulation::half : accumulation::single;
    CHECK(float_dot{{.alpha = 0x1p-26F, .accumulation = precision}, {1}, {1}}.accepts(0) == is_half);
    CHECK(float_dot{{.alpha = 0x1p17F, .accumulation = precision}, {1}, {1}}.accepts(inf) == is_half);
    CHECK(float_dot{{.alpha = 0x1p10F, .accumulation = precision}, {1}, {1}}.is_exact());
  }
}

TEST_CASE("GEMM: half precision only if it is allowed", "[gemm]") {
  const half_dot cancels{{}, halves({300, 300}), halves({300, -300})};
  CHECK(cancels.is_exact());
  half_dot in_half = cancels;
  in_half.desc.accumulation = accumulation::half;
  CHECK(in_half.accepts(float16(not_a_number)));  // inf - inf: 90000 > 65504
  // Products of more than 11 bits, which cancel.
  for (const bool is_half : {false, true}) {
    const gemm_desc desc{.accumulation = is_half ? accumulation::half : accumulation::single};
    const half_dot wide{desc, halves({127, 128, 127, 128}), halves({129, -128, 129, -128})};
    CHECK(static_cast<float>(wide.golden()) == -2);
    CHECK(wide.accepts(float16(0.0F)) == is_half);
    CHECK(wide.accepts(float16(-1.0F)) == is_half);
    const float_dot of_floats{desc, {1, 1e-3F}, {1, 1}};
    CHECK(of_floats.accepts(1.002F) == is_half);
    CHECK_FALSE(of_floats.accepts(1.2F));
    CHECK(float_dot{desc, {70000}, {1}}.accepts(inf) == is_half);
    CHECK(float_dot{desc, {1}, {0x1p-25F}}.accepts(0) == is_half);
  }
  const gemm_desc half_desc{.accumulation = accumulation::half};
  // 1 + 2^-20, of four roundings and three of inputs: g(7, 2^-11) = 0.003423, and 4 * 2^-25.
  const float_dot seven{half_desc, {1}, {0x1.00001p0F}};
  CHECK(seven.accepts(1.0034F));
  CHECK_FALSE(seven.accepts(1.0035F));
  // C may be read as a FLOAT16: 0.75 * 2^-24 as 2^-24, and Beta times that is 2^-9.
  const float_dot of_c{{.beta = 0x1p15F, .accumulation = accumulation::half}, {0}, {0}, 0x1.8p-25F};
  CHECK(of_c.golden() == 0x1.8p-10F);
  CHECK(of_c.accepts(0x1p-9F));
  CHECK_FALSE(of_c.accepts(0x1.42p-9F));  // 1.0044 * 2^-25 * 2^15 from the value, and 0.0034 of it, are 0x1.411p-9
  const half_dot narrowed{{}, halves({2048, 3}), halves({1, 1})};  // 2051, between 2050 and 2052
  CHECK(narrowed.place(float16(2052.0F)) == interval_place::usual);
  CHECK(narrowed.place(float16(2050.0F)) == interval_place::toward_zero);
  CHECK(narrowed.place(float16(2048.0F)) == interval_place::outside);
}

TEST_CASE("GEMM: a fused activation of the exact sum", "[gemm]") {
  const gemm_desc with_relu{.fused_activation = fused(relu)};
  CHECK(float_dot{with_relu, {1, 2}, {3, -4}}.golden() == 0);
  CHECK(float_dot{with_relu, {1, 2}, {3, 4}}.golden() == 11);
  CHECK(float_dot{with_relu, {1, 2}, {3, 4}}.is_exact());
  CHECK(float_dot{{.alpha = 2, .fused_activation = fused(linear, 3, 1)}, {1, 2}, {3, 4}, 5.0F}.golden() == 82);
  CHECK(float_dot{{.fused_activation = fused(elu, 0.5F)}, {1, 2}, {2, -2}}.golden() == -0.43233237F);
  CHECK(float_dot{{.fused_activation = fused(sigmoid)}, {1}, {0}}.golden() == 0.5F);
  CHECK(float_dot{{.fused_activation = fused(sigmoid)}, {1}, {0}}.accepts(0.50000006F));
  CHECK_FALSE(float_dot{{.fused_activation = fused(sigmoid)}, {1}, {0}}.accepts(0.501F));
  const gemm_desc with_clip{.fused_activation = fused(clip, -2, 10)};
  CHECK(float_dot{with_clip, {1, 2}, {3, -4}}.golden() == -2);
  CHECK(float_dot{with_clip, {1, 2}, {3, 3}}.golden() == 9);
  CHECK(float_dot{with_clip, {1, 2}, {3, 4}}.golden() == 10);
  CHECK(float_dot{with_clip, {1, 2}, {3, 4}}.is_exact());
  gemm_desc adjusted = with_clip;
  adjusted.fused_activation->scale_bias = scale_bias{2, -0.5F};
  CHECK(float_dot{adjusted, {1, 2}, {3, 0.5F}}.golden() == 7.5F);
  CHECK(float_dot{adjusted, {1, 2}, {3, 0.5F}}.is_exact());
  CHECK(float_dot{adjusted, {1, 2}, {3, 4}}.golden() == 10);
  CHECK(float_dot{adjusted, {1, 2}, {3, -4}}.golden() == -2);
  // The sum is 1 + 2^-30: 2^30 times that, less 2^30, is 1, or 0 if the sum is rounded.
  adjusted.fused_activation->scale_bias = scale_bias{0x1p30F, -0x1p30F};
  const float_dot cancelling{adjusted, {1, 0x1p-15F}, {1, 0x1p-15F}};
  CHECK(cancelling.golden() == 1);
  CHECK(cancelling.accepts(0));
  CHECK(cancelling.accepts(10));  // the sum is off by 2^-23
  CHECK_FALSE(cancelling.accepts(10.5F));
  // A sum that a device has to within 4: at the end of a bound it may be less, but not more.
  const float_dot near_bound{with_clip, {1e7F, 10, -1e7F, 0.5F}, {1, 1, 1, 0.3F}};
  CHECK(near_bound.golden() == 10);
  CHECK(near_bound.accepts(9.5F));
  CHECK_FALSE(near_bound.accepts(10.000001F));
  CHECK_FALSE(near_bound.accepts(-1));
  // The sum 2^-30 is rounded away by the device: RELU of -71 to 71.
  const float_dot open{with_relu, {1e8F, 0x1p-30F, -1e8F}, {1, 1, 1}};
  CHECK(open.golden() == 0x1p-30F);
  CHECK(open.accepts(70));
  CHECK(open.accepts(0));
  CHECK_FALSE(open.accepts(-1));
  // NaN: RELU skips it, or not (AR-R4).
  const float_dot undefined{with_relu, {inf}, {0}};
  CHECK(undefined.golden() == 0);
  CHECK(undefined.accepts(not_a_number));
}

TEST_CASE("GEMM: activations of what may be NaN, and of what is", "[gemm]") {
  // inf - 3e38 - 3e38 is inf, or inf - inf: maximum and comparison may skip the NaN (AR-R4).
  const floats a{inf, -3e38F, -3e38F}, ones{1, 1, 1};
  constexpr std::uint32_t hard_sigmoid = 37, thresholded_relu = 52, shrink = 90, celu = 128;
  for (const activation& f : {fused(relu), fused(thresholded_relu, 1), fused(shrink, 0, 1), fused(celu, 1)}) {
    const float_dot may_be{{.fused_activation = f}, a, ones};
    INFO(f.operator_type);
    CHECK((may_be.golden() == inf));
    for (const float right : {inf, not_a_number, 0.0F}) CHECK(may_be.accepts(right));
    for (const float wrong : {1.0F, -inf, 3e38F}) CHECK_FALSE(may_be.accepts(wrong));
  }
  const float_dot bounded{{.fused_activation = fused(hard_sigmoid, 0.2F, 0.5F)}, a, ones};
  for (const float right : {1.0F, not_a_number, 0.0F}) CHECK(bounded.accepts(right));
  CHECK_FALSE(bounded.accepts(0.5F));
  CHECK_FALSE((float_dot{{.fused_activation = fused(sigmoid)}, a, ones}.accepts(0)));
  // A sum that has a NaN has no infinity, whatever overflows: -2 * 3.4e38 may be -inf. In half precision 70000 may.
  const floats with_nan{not_a_number, std::numeric_limits<float>::max()};
  for (const gemm_desc& desc : {gemm_desc{.alpha = -2}, gemm_desc{.accumulation = accumulation::half},
                                gemm_desc{.accumulation = accumulation::half_products}})
    for (const float wrong : {inf, -inf, 0.0F}) CHECK_FALSE((float_dot{desc, with_nan, {1, 1}}.accepts(wrong)));
  const float_dot rectified{{.alpha = -2, .fused_activation = fused(relu)}, with_nan, {1, 1}};
  CHECK(rectified.accepts(0));
  CHECK(rectified.accepts(not_a_number));
  for (const float wrong : {inf, 0x1p-126F, 0x1p-149F}) CHECK_FALSE(rectified.accepts(wrong));
}

TEST_CASE("GEMM: rules", "[gemm]") {
  const tensor_desc a = sized({2, 3, 4, 5}), b = sized({2, 3, 5, 6}), c = sized({2, 3, 4, 6});
  CHECK(codes({}, a, b, c, c).empty());
  CHECK(codes({}, a, b, std::nullopt, c).empty());
  constexpr auto transpose = matrix_transform::transpose;
  CHECK(codes({.trans_a = transpose}, sized({2, 3, 5, 4}), b, c, c).empty());
  CHECK(codes({.trans_b = transpose}, a, sized({2, 3, 6, 5}), c, c).empty());
  constexpr auto half = data_type::float16;
  CHECK(codes({}, a, sized(b.sizes, half), c, c) == "GM1");
  CHECK(codes({}, a, b, sized(c.sizes, half), c) == "GM1");
  CHECK(codes({}, a, b, c, sized(c.sizes, half)) == "GM1");
  CHECK(codes({}, a, sized({3, 5, 6}), c, c) == "GM2");
  CHECK(codes({}, a, b, sized({4, 6}), c) == "GM2");
  CHECK(codes({}, a, b, c, sized({3, 4, 6})) == "GM2");
  CHECK(codes({}, a, sized({1, 3, 5, 6}), c, c) == "GM3");  // not broadcast
  CHECK(codes({}, a, sized({2, 1, 5, 6}), c, c) == "GM3");
  CHECK(codes({}, a, b, std::nullopt, sized({2, 4, 4, 6})) == "GM3");
  CHECK(codes({}, a, sized({2, 3, 4, 6}), c, c) == "GM4");
  CHECK(codes({.trans_b = transpose}, a, b, c, c) == "GM4 GM5");
  CHECK(codes({}, a, b, std::nullopt, sized({2, 3, 5, 6})) == "GM5");
  CHECK(codes({}, a, b, std::nullopt, sized({2, 3, 4, 5})) == "GM5");
  CHECK(codes({}, a, b, sized({1, 1, 1, 6}), c) == "GM6");  // superseded: C is broadcast by strides
  CHECK(codes({}, a, b, c, sized({2, 3, 4, 7})) == "GM5 GM6");
  CHECK(codes({.trans_a = static_cast<matrix_transform>(2)}, a, b, c, c) == "GM7");
  CHECK(codes({.trans_b = static_cast<matrix_transform>(7)}, a, b, c, c) == "GM7");
  // A cause hides what follows from it.
  CHECK(codes({.trans_b = static_cast<matrix_transform>(2)}, a, sized({1, 1, 1, 1}), c, c) == "GM7");
  CHECK(codes({}, a, sized({1, 3, 4, 6}, half), c, c) == "GM1");
  CHECK(codes({}, a, sized({0, 3, 4, 6}), c, c) == "T5");
  CHECK(codes({}, sized({5}), sized({5}), std::nullopt, sized({5})) == "T4 T4 T4");
  CHECK(codes({.feature_level = level::level_3_1}, sized({4, 5}), sized({5, 6}), std::nullopt, sized({4, 6})) ==
        "T4 T4 T4");
  CHECK(codes({.feature_level = level::level_4_0}, sized({4, 5}), sized({5, 6}), std::nullopt, sized({4, 6})).empty());
  CHECK(to_string(*validate(gemm_desc{}, a, sized({2, 3, 4, 6}), c)) ==
        "GEMM GM4: BTensor.Sizes[2] is 4, wanted 5 (K, as in ATensor)");
  // The call that returns its output.
  const auto refused = [](const dimensions& left, const dimensions& right) {
    return refusal_of([&] { static_cast<void>(gemm(reference, tensor<float>(left), tensor<float>(right))); });
  };
  CHECK(refused({2, 3}, {3, 4}) == "none");
  CHECK(refused({2, 3}, {2, 4}) == "GM4");
  CHECK(refused({2, 3}, {1, 3, 4}) == "GM2");
  CHECK(refused({3}, {3}) == "T4");
}

TEST_CASE("GEMM: rules on the fused activation, which GM8 refers to", "[gemm]") {
  CHECK(codes_of_fused(fused(relu)).empty());
  activation with_tensors = fused(relu);
  with_tensors.has_tensors = true;
  CHECK(codes_of_fused(with_tensors) == "AR7");
  CHECK(codes_of_fused(fused(2)) == "AR8");
  CHECK(codes_of_fused(fused(clip, 0, 1)).empty());
  CHECK(codes_of_fused(fused(clip, 0, 1), level::level_5_2) == "AR8");
  activation adjusted = fused(clip, 0, 1);
  adjusted.scale_bias = scale_bias{std::numeric_limits<float>::infinity(), 1};
  CHECK(codes_of_fused(adjusted).empty());
  CHECK(codes_of_fused(fused(softmax), level::level_6_0) == "AR8");
  CHECK(codes_of_fused(fused(softmax), level::level_6_1).empty());
  CHECK(codes_of_fused(activations::softmax1({3, 0}), level::level_6_0) == "AR8");
  CHECK(codes_of_fused(activations::softmax1({3, 0}), level::level_6_1).empty());
  CHECK(codes_of_fused(activations::softmax1({4})) == "SO5");
  CHECK(codes_of_fused(activations::softmax1({1, 1})) == "SO6");
  CHECK(codes_of_fused(activations::softmax1({})) == "SO7");
  CHECK(codes_of_fused(activations::softmax1(dimensions::null())) == "SO7");
  const tensor_desc one_one = sized({1, 1});
  CHECK(to_string(*validate(gemm_desc{.fused_activation = activations::softmax1({0, 2})}, one_one, one_one, one_one)) ==
        "GEMM SO5: Axes[1] is 2, wanted below DimensionCount 2 (Axes {0,2})");
  CHECK(codes_of_fused(fused(linear, inf, 1)) == "AR9");
  CHECK(codes_of_fused(fused(softplus, 0.5F), level::level_6_3) == "AR10");
  CHECK(codes_of_fused(fused(softplus, 0.5F)).empty());
}

namespace {

// A product whose elements are the same numbers as B: A is 1.
struct softmax_of_row {
  floats row;
  gemm_desc desc = {.fused_activation = fused(softmax)};
  floats column = {1};
  std::uint32_t n() const { return static_cast<std::uint32_t>(row.size() / column.size()); }

  floats golden() const {
    const auto k = static_cast<std::uint32_t>(column.size());
    return gemm(reference, tensor<float>({1, k}, column), tensor<float>({k, n()}, row), desc).elements();
  }
  bool accepts(std::size_t i, float value, bool strictly = false) const {
    const auto k = static_cast<std::uint32_t>(column.size());
    const tensor<float> a({1, k}, column), b({k, n()}, row);
    const tensor<float> answer = gemm(reference, a, b, desc);
    const tensor_desc output = sized({1, n()});
    const std::array<const_tensor_ref, 3> inputs{a.view(), b.view(), const_tensor_ref()};
    const std::array<tensor_desc, 1> outputs{output};
    const oracle::golden expected = oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
    floats got = answer.elements();
    got[i] = value;
    const tensor<float> given({1, n()}, got);
    const std::array<const_tensor_ref, 1> actual{given.view()};
    const auto options = strictly ? oracle::compare_options::strict() : oracle::compare_options{};
    return oracle::compare(expected, actual, options).result.differing() == 0;
  }
};

}  // namespace

TEST_CASE("GEMM with SOFTMAX: of the exact sums, rounded once", "[gemm]") {
  const floats of_three{0.0900305733F, 0.244728476F, 0.665240943F};
  CHECK(softmax_of_row{{1, 2, 3}}.golden() == of_three);
  // (1, 2) times {{1, 0, 3}, {0, 1, 0}} is (1, 2, 3).
  CHECK(softmax_of_row{.row = {1, 0, 3, 0, 1, 0}, .column = {1, 2}}.golden() == of_three);
  // Sums that differ by 1, which FLOAT32 cannot hold, nor a double in the second row: 1 / (1 + e).
  const floats of_two{0.268941432F, 0.731058598F};
  CHECK(softmax_of_row{.row = {0x1p24F, 0x1p24F, 0, 1}, .column = {1, 1}}.golden() == of_two);
  CHECK(softmax_of_row{.row = {1e38F, 1e38F, 0, 1}, .column = {1e38F, 1}}.golden() == of_two);
  CHECK(softmax_of_row{.row = {-1e38F, -1e38F, 0, 1}, .column = {1e38F, 1}}.golden() == of_two);
  // The greatest cannot be told by doubles.
  CHECK(softmax_of_row{.row = {1e38F, 1e38F, 1e30F, 0}, .column = {1e38F, 1}}.golden() == floats{1, 0});
  CHECK(softmax_of_row{{1000, 1000}}.golden() == floats{0.5F, 0.5F});
  CHECK(softmax_of_row{{-inf, 0, 0}}.golden() == floats{0, 0.5F, 0.5F});
  for (const floats& undefined : {floats{0, not_a_number}, {inf, 0}, {-inf, -inf}})
    for (const float each : softmax_of_row{undefined}.golden()) CHECK(is_nan(each));
  // Each row by itself; of SOFTMAX1 each column, or all.
  const tensor<float> one({2, 2}, {1, 0, 0, 1}), b({2, 2}, {0, 1, not_a_number, 3});
  const auto golden = [&](const activation& f) { return gemm(reference, one, b, {.fused_activation = f}).elements(); };
  const floats by_row = golden(fused(softmax));
  CHECK(is_nan(by_row[0]));  // 0 * NaN
  const tensor<float> d({2, 2}, {0, 1, 2, 3});
  const auto of_d = [&](const dimensions& axes) {
    return gemm(reference, one, d, {.fused_activation = activations::softmax1(axes)}).elements();
  };
  CHECK(of_d({1}) == floats{of_two[0], of_two[1], of_two[0], of_two[1]});
  CHECK(of_d({1}) == gemm(reference, one, d, {.fused_activation = fused(softmax)}).elements());
  CHECK(of_d({0}) == floats{0.119202919F, 0.119202919F, 0.880797088F, 0.880797088F});  // 1 / (1 + e^2)
  CHECK(of_d({0, 1}) == floats{0.0320586041F, 0.0871443152F, 0.236882821F, 0.643914282F});
}

TEST_CASE("GEMM with SOFTMAX: what a device may answer", "[gemm]") {
  // E of 3.9 for exact sums: 2.2e-7, 5.1e-7, 1.2e-6.
  const softmax_of_row three{{1, 2, 3}};
  CHECK(three.accepts(0, 0.0900305733F + 1.7e-7F));
  CHECK_FALSE(three.accepts(0, 0.0900305733F + 2.4e-7F));
  CHECK(three.accepts(2, 0.665240943F - 9.3e-7F));
  CHECK_FALSE(three.accepts(2, 0.665240943F - 1.3e-6F));
  CHECK_FALSE(three.accepts(2, not_a_number));
  // 0.1 * 1 is exact in A, 0.1 * 3 is not: Ew = g(4, u) * 0.3 and a rounding are relative errors of the term.
  const softmax_of_row third{.row = {3, 0}, .column = {0.1F}};
  const double p = 1 / (1 + std::exp(-3 * static_cast<double>(0.1F)));
  const double w = 0.3, unit = 0x1p-24, from_w = (4 + 1) * unit * w;
  const double exponential = 0x1p-21 + w * 0x1p-22 + unit * w;  // of e^-0.3
  const double e = p * (0x1p-21 + from_w + p * (0x1p-21 + from_w) + (1 - p) * exponential + 11 * unit);
  CHECK(third.accepts(0, static_cast<float>(p + 0.9 * e)));
  CHECK_FALSE(third.accepts(0, static_cast<float>(p + 1.1 * e)));
  // A device that rounds the sums to 2^24: anything from 0 to 1.
  const softmax_of_row great{.row = {0x1p24F, 0x1p24F, 0, 1}, .column = {1, 1}};
  CHECK(great.accepts(0, 0.5F));
  CHECK(great.accepts(0, 1));
  CHECK_FALSE(great.accepts(0, 1.001F));
  CHECK_FALSE(great.accepts(0, -0.001F));
  CHECK_FALSE(great.accepts(0, not_a_number));
  // However uncertain the sums are, no e^(x - M) is above 1, and their sum does not overflow.
  const softmax_of_row uncertain{.row = {1e12F, 1e12F, -1e12F, 1e12F}, .column = {1, 1}};
  CHECK(uncertain.accepts(0, 1));
  CHECK_FALSE(uncertain.accepts(0, not_a_number));
  // Sums that overflow.
  const softmax_of_row overflow{.row = {1e38F, 1e38F, 0, 1}, .column = {1e38F, 1}};
  CHECK(overflow.accepts(0, not_a_number));
  // -infinity is exactly 0. Where the row is NaN nothing else is accepted.
  const softmax_of_row without{{-inf, 0, 0}};
  CHECK_FALSE(without.accepts(0, 1e-30F));
  CHECK(without.accepts(1, 0.50000006F));
  CHECK_FALSE(without.accepts(0, not_a_number));
  CHECK_FALSE(softmax_of_row{{inf, 0}}.accepts(0, 1));
  // Half precision: e^x is off by some 2^-8.
  softmax_of_row in_half = three;
  in_half.desc.accumulation = accumulation::half;
  CHECK(in_half.accepts(2, 0.6701F));
  CHECK_FALSE(three.accepts(2, 0.6701F));
  CHECK_FALSE(in_half.accepts(2, 0.69F));
}

// Products and SOFTMAX in FLOAT32, in either order of the terms.
TEST_CASE("GEMM with SOFTMAX: devices are accepted, and wrong ones are not", "[gemm]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> any(-1, 1);
  std::uint64_t refused = 0, caught = 0, tried = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = 1 + random() % 20, n = 2 + random() % 10;
    softmax_of_row made{.row = floats(k * n), .column = floats(k)};
    for (float& x : made.row) x = any(random);
    for (float& x : made.column) x = any(random);
    const auto device = [&](bool backward, std::size_t from) {
      floats sums(n, 0.0F);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = from; i < k; ++i) {
          const std::size_t at = backward ? k - 1 - i + from : i;
          sums[j] += made.column[at] * made.row[at * n + j];
        }
      const float most = *std::max_element(sums.begin(), sums.end());
      float total = 0;
      for (float& x : sums) total += x = std::exp2((x - most) * 1.44269504F);
      for (float& x : sums) x /= total;
      return sums;
    };
    for (const bool backward : {false, true}) {
      const floats right = device(backward, 0);
      for (std::size_t j = 0; j < n; ++j)
        if (!made.accepts(j, right[j])) ++refused;
    }
    ++tried;
    const floats wrong = device(false, 1);  // without the first product
    bool found = false;
    for (std::size_t j = 0; j < n; ++j) found = found || !made.accepts(j, wrong[j]);
    if (found) ++caught;
  }
  CHECK(refused == 0);
  CHECK(caught * 10 > tried * 9);
}

namespace {

// Dot products as devices may compute them: alpha applied to a, to products, or to the sum.
float computed(const float_dot& d, std::string_view order, std::string_view scaled, std::mt19937& random) {
  floats terms;
  for (std::size_t i = 0; i < d.a.size(); ++i) {
    const float x = scaled == "a" ? d.desc.alpha * d.a[i] : d.a[i];
    terms.push_back(scaled == "products" ? d.desc.alpha * (x * d.b[i]) : x * d.b[i]);
  }
  if (order == "backward") std::reverse(terms.begin(), terms.end());
  if (order == "shuffled") std::shuffle(terms.begin(), terms.end(), random);
  float sum = 0;
  if (order == "fused") {
    for (std::size_t i = 0; i < d.a.size(); ++i) {
      const float x = scaled == "a" || scaled == "products" ? d.desc.alpha * d.a[i] : d.a[i];
      sum = std::fma(x, d.b[i], sum);
    }
  } else if (order == "pairwise") {
    while (terms.size() > 1) {
      for (std::size_t i = 0; i < terms.size() / 2; ++i) terms[i] = terms[2 * i] + terms[2 * i + 1];
      if (terms.size() % 2 == 1) terms[terms.size() / 2] = terms.back();
      terms.resize((terms.size() + 1) / 2);
    }
    sum = terms[0];
  } else {
    for (const float t : terms) sum += t;
  }
  if (scaled == "sum") sum *= d.desc.alpha;
  return d.c ? std::fma(d.desc.beta, *d.c, sum) : sum;
}

}  // namespace

TEST_CASE("GEMM: legal kernels are accepted, wrong ones are not", "[gemm]") {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::uint64_t wrong = 0, caught = 0;
  for (int round = 0; round < 300; ++round) {
    const bool integers = round % 3 == 0;
    float_dot d{{.alpha = integers ? 0.5F : normal(random), .beta = integers ? 2.0F : normal(random)}, {}, {}};
    const std::size_t k = 1 + random() % 200;
    const auto number = [&] { return integers ? static_cast<float>(random() % 17) - 8 : normal(random); };
    for (std::size_t i = 0; i < k; ++i) {
      d.a.push_back(number());
      d.b.push_back(number());
    }
    if (round % 2 == 0) d.c = number();
    for (const std::string_view order : {"forward", "backward", "shuffled", "pairwise", "fused"})
      for (const std::string_view scaled : {"a", "products", "sum"}) {
        INFO(round << " " << order << " " << scaled);
        CHECK(d.accepts(computed(d, order, scaled, random)));
      }
    // The last product is missing, C is forgotten, or Alpha is.
    float_dot last = d;
    last.a.back() = 0;
    float_dot no_c = d;
    no_c.c.reset();
    float_dot no_alpha = d;
    no_alpha.desc.alpha = 1;
    for (const float_dot& other : {last, no_c, no_alpha}) {
      const float value = other.golden();
      if (!integers || order_key(value) == order_key(d.golden()) || (is_zero(value) && is_zero(d.golden()))) continue;
      ++wrong;
      if (!d.accepts(value)) ++caught;
    }
  }
  CHECK(wrong > 150);
  CHECK(caught == wrong);
}
