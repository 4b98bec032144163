// CONVOLUTION: results by hand, rules, and what devices may answer: legal kernels are accepted, wrong ones are not.
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
#include <vector>

#include <goldml/operators/convolution.hpp>
#include <goldml/oracle/verdicts/convolution.hpp>
#include <goldml/reference/convolution.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using floats = std::vector<float>;

constexpr auto forward = convolution_direction::forward;
constexpr auto backward = convolution_direction::backward;
constexpr auto flipped = convolution_mode::convolution;
constexpr auto straight = convolution_mode::cross_correlation;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// A desc with one spatial axis.
convolution_desc line(convolution_direction direction = forward, convolution_mode mode = straight,
                      std::uint32_t stride = 1, std::uint32_t start = 0, std::uint32_t end = 0,
                      std::uint32_t dilation = 1) {
  return {.mode = mode,
          .direction = direction,
          .strides = {stride},
          .dilations = {dilation},
          .start_padding = {start},
          .end_padding = {end},
          .output_padding = {0}};
}
// One batch and one channel.
template <class T>
tensor<T> line_of(const std::vector<T>& x) {
  return tensor<T>({1, 1, static_cast<std::uint32_t>(x.size())}, x);
}
floats convolved(const convolution_desc& desc, const floats& x, const floats& w) {
  return convolution(reference, line_of(x), line_of(w), desc).elements();
}

// Small integers, so that sums are exact.
tensor<float> integers(std::mt19937& engine, const dimensions& sizes) {
  std::vector<float> x(static_cast<std::size_t>(element_count(sizes)));
  for (float& each : x) each = static_cast<float>(engine() % 9) - 4;
  return tensor<float>(sizes, x);
}
double dot(const tensor<float>& a, const tensor<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a.elements()[i]} * double{b.elements()[i]};
  return sum;
}

// What a device may answer to a call; `inputs` are the input, the filter and perhaps the bias.
template <class T>
class judgement {
 public:
  judgement(const convolution_desc& desc, const std::vector<tensor<T>>& inputs)
      : golden_(convolution_output_sizes(desc, inputs[0].sizes(), inputs[1].sizes())) {
    std::vector<const_tensor_ref> refs;
    for (const tensor<T>& input : inputs) refs.push_back(input.view());
    refs.resize(3);
    const std::vector<tensor_ref> outputs{golden_.view()};
    evaluate(reference, desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_ref>(outputs));
    std::vector<output_verdicts> result{output_verdicts(golden_.size())};
    oracle::verdict_traits<convolution_desc>::verdicts(desc, refs, outputs, result);
    verdicts_.push_back(result[0]);
    result = {output_verdicts(golden_.size())};
    oracle::verdict_traits<convolution_desc>::flushed_verdicts(desc, refs, outputs, result);
    verdicts_.push_back(result[0]);
  }

  T golden(std::size_t element = 0) const { return golden_.elements()[element]; }
  const output_verdicts& strict() const { return verdicts_[0]; }
  bool exact() const { return verdicts_[0].all_exact() && verdicts_[1].all_exact(); }

  interval_place place(T value, std::size_t element = 0) const {
    const T wanted = golden(element);
    if (is_nan(value) ? is_nan(wanted) : !is_nan(wanted) && order_key(value) == order_key(wanted))
      return interval_place::usual;
    interval_place best = interval_place::outside;
    for (const output_verdicts& each : verdicts_) {
      if (each[element] == verdict::undefined) return interval_place::usual;
      if (const interval* const allowed = each.interval_of(element)) best = (std::max)(best, place_in(*allowed, value));
    }
    return best;
  }
  bool accepts(T value, std::size_t element = 0) const { return place(value, element) != interval_place::outside; }
  // Of a whole answer.
  bool accepts(const std::vector<T>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!accepts(values[i], i)) return false;
    return values.size() == golden_.size();
  }

 private:
  tensor<T> golden_;
  std::vector<output_verdicts> verdicts_;
};
judgement<float> judged(const convolution_desc& desc, const floats& x, const floats& w) {
  return judgement<float>(desc, {line_of(x), line_of(w)});
}

std::string broken(const convolution_desc& desc, const dimensions& input, const dimensions& filter,
                   const std::optional<dimensions>& bias, const dimensions& output) {
  const auto as = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  const auto found = bias ? violations(desc, as(input), as(filter), as(*bias), as(output))
                          : violations(desc, as(input), as(filter), as(output));
  std::string codes;
  for (const violation& each : found) codes += (codes.empty() ? "" : " ") + std::string(each.rule);
  return codes;
}

const floats one_to_five{1, 2, 3, 4, 5};
const floats powers{1, 10, 100};

}  // namespace

TEST_CASE("CONVOLUTION: one axis, by hand", "[convolution]") {
  CHECK(convolved(line(), one_to_five, powers) == floats{321, 432, 543});
  CHECK(convolved(line(forward, flipped), one_to_five, powers) == floats{123, 234, 345});
  CHECK(convolved(line(forward, straight, 2, 1, 2, 2), one_to_five, powers) == floats{420, 42});
  const floats x{1, 2, 3};
  CHECK(convolved(line(backward, straight, 2), x, powers) == floats{1, 10, 102, 20, 203, 30, 300});
  CHECK(convolved(line(backward, straight, 2, 1, 1), x, powers) == floats{10, 102, 20, 203, 30});
  CHECK(convolved(line(backward, flipped, 2), x, powers) == floats{100, 10, 201, 20, 302, 30, 3});
}

TEST_CASE("CONVOLUTION: groups read their own channels", "[convolution]") {
  convolution_desc desc = line();
  desc.group_count = 2;
  const tensor<float> x({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  const tensor<float> w({2, 1, 2}, {1, 10, 2, 20});
  const tensor<float> y = convolution(reference, x, w, desc);
  CHECK(y.sizes() == dimensions{1, 2, 2});
  CHECK(y.elements() == floats{21, 32, 108, 130});
  // Two output channels of each of two groups: BACKWARD the filter is {C, O / groups, ...}.
  desc.direction = backward;
  const tensor<float> points({1, 2, 1}, {1, 2});
  const tensor<float> each({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(convolution(reference, points, each, desc).elements() == floats{1, 2, 3, 4, 10, 12, 14, 16});
}

TEST_CASE("CONVOLUTION: bias, batches, and two and three axes", "[convolution]") {
  const convolution_desc plane{
      .strides = {1, 1}, .dilations = {1, 1}, .start_padding = {0, 1}, .end_padding = {0, 0}, .output_padding = {0, 0}};
  // Batch 1 is 10 times batch 0. The filter [[1, 2], [3, 4]] and its double.
  const tensor<float> x({2, 1, 2, 2}, {1, 2, 3, 4, 10, 20, 30, 40});
  const tensor<float> w({2, 1, 2, 2}, {1, 2, 3, 4, 2, 4, 6, 8});
  const tensor<float> bias({1, 2, 1, 1}, {0.5F, -0.5F});
  tensor<float> y({2, 2, 1, 2});
  convolution(reference, x, w, bias, y, plane);
  // [0 1; 0 3]: 2 + 12 = 14; [1 2; 3 4]: 1 + 4 + 9 + 16 = 30
  CHECK(y.elements() == floats{14.5F, 30.5F, 27.5F, 59.5F, 140.5F, 300.5F, 279.5F, 599.5F});

  const convolution_desc box{.strides = {1, 2, 1},
                             .dilations = {1, 1, 2},
                             .start_padding = {0, 0, 0},
                             .end_padding = {0, 0, 0},
                             .output_padding = {0, 0, 0}};
  // Elements are 100 z + 10 y + x; the taps are at z, z + 1 and x, x + 2.
  floats digits;
  for (int z = 0; z < 2; ++z)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 4; ++k) digits.push_back(static_cast<float>(100 * z + 10 * i + k));
  const tensor<float> cube({1, 1, 2, 3, 4}, digits);
  const tensor<float> taps({1, 1, 2, 1, 2}, {1, 2, 3, 4});
  // y[0, q, r] = x(0,2q,r) + 2 x(0,2q,r+2) + 3 x(1,2q,r) + 4 x(1,2q,r+2)
  CHECK(convolution(reference, cube, taps, box).elements() == floats{712, 722, 912, 922});
}

TEST_CASE("CONVOLUTION: BACKWARD is the adjoint of FORWARD", "[convolution]") {
  // The sum of forward(x) * v is that of x * backward(v), for the same filter and parameters.
  std::mt19937 engine(1);
  int tried = 0;
  for (int round = 0; round < 200; ++round) {
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(engine() % n); };
    convolution_desc desc;
    desc.mode = below(2) == 0 ? flipped : straight;
    desc.group_count = 1 + below(2);
    const std::uint32_t inputs = 1 + below(2), outputs = 1 + below(2);
    dimensions x{1 + below(2), desc.group_count * inputs};
    dimensions w{desc.group_count * outputs, inputs};
    for (std::uint32_t axes = 1 + below(3); axes > 0; --axes) {
      desc.strides.push_back(1 + below(3));
      desc.dilations.push_back(1 + below(3));
      desc.start_padding.push_back(below(3));
      desc.end_padding.push_back(below(3));
      desc.output_padding.push_back(0);
      w.push_back(1 + below(3));
      x.push_back((w.back() - 1) * desc.dilations.back() + 1 + below(4));
    }
    const tensor<float> input = integers(engine, x);
    const tensor<float> filter = integers(engine, w);
    const tensor<float> ahead = convolution(reference, input, filter, desc);
    const tensor<float> other = integers(engine, ahead.sizes());
    desc.direction = backward;
    if (!broken(desc, ahead.sizes(), w, {}, x).empty()) continue;  // CV8: the formula gives no element
    ++tried;
    tensor<float> back(x);  // up to stride - 1 longer than the formula, where FORWARD drops elements (CV-R1)
    convolution(reference, other, filter, back, desc);
    CHECK(dot(ahead, other) == dot(input, back));
  }
  CHECK(tried > 150);
}

TEST_CASE("C1: CONVOLUTION: BACKWARD with large strides takes time for the taps that exist", "[convolution]") {
  // One element: the output is the filter, of 90,000 taps, each of which reaches one element of the output. Trying all
  // of them for each would take a minute.
  convolution_desc desc{.direction = backward,
                        .strides = {300, 300},
                        .dilations = {1, 1},
                        .start_padding = {0, 0},
                        .end_padding = {0, 0},
                        .output_padding = {0, 0}};
  std::vector<float> weights(300 * 300);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i);
  desc.mode = straight;
  const tensor<float> one({1, 1, 1, 1}, {1});
  CHECK(convolution(reference, one, tensor<float>({1, 1, 300, 300}, weights), desc).elements() == weights);
}

TEST_CASE("CONVOLUTION: a longer output BACKWARD is computed by the formula (CV-R1)", "[convolution]") {
  convolution_desc desc = line(backward, straight, 2, 1, 1);
  tensor<float> y({1, 1, 6});
  convolution(reference, line_of(floats{1, 2, 3}), line_of(powers), y, desc);
  CHECK(y.elements() == floats{10, 102, 20, 203, 30, 300});
  desc.output_padding = {1};
  CHECK(convolved(desc, {1, 2, 3}, powers) == floats{10, 102, 20, 203, 30, 300});
  // A device may pad with zeros, or with anything, until one is asked.
  const judgement<float> padded = judged(desc, {1, 2, 3}, powers);
  for (std::size_t i = 0; i < 6; ++i) CHECK((padded.strict()[i] == verdict::undefined) == (i == 5));
  CHECK_FALSE(padded.accepts(31, 4));
}

TEST_CASE("CONVOLUTION: a stride that is much larger than the input", "[convolution]") {
  // Only the taps are stored, not the 2^31 phases.
  const convolution_desc desc = line(backward, straight, 0x8000'0000, 0, 0x7FFF'FFF0);
  const judgement<float> answer = judged(desc, {1, 2}, {3});
  CHECK(answer.golden(0) == 3);
  CHECK(answer.golden(16) == 0);
  CHECK_FALSE(answer.accepts(1, 16));
}

TEST_CASE("CONVOLUTION: where nothing contributes, the output is the bias", "[convolution]") {
  // Every third output has a contribution.
  const convolution_desc desc = line(backward, straight, 3);
  const tensor<float> x({1, 1, 2}, {1, 2}), w({1, 1, 1}, {5}), bias({1, 1, 1}, {0.1F});
  tensor<float> y({1, 1, 4});
  convolution(reference, x, w, bias, y, desc);
  CHECK(y.elements() == floats{5.1F, 0.1F, 0.1F, 10.1F});
  const judgement<float> answer(desc, {x, w, bias});
  CHECK(answer.strict()[1] == verdict::exact);
  CHECK(answer.strict()[0] == verdict::within);
}

TEST_CASE("CONVOLUTION: results are exact and rounded once", "[convolution]") {
  const floats ones{1, 1, 1};
  CHECK(convolved(line(), {1e8F, 1, -1e8F}, ones) == floats{1});
  CHECK(convolved(line(), {3e38F, 3e38F, -3e38F}, ones) == floats{3e38F});
  CHECK(convolved(line(), {16777216, 1, 0x1p-100F}, ones) == floats{16777218});
  CHECK(convolved(line(), {0x1p-149F, 1e30F, -1e30F}, ones) == floats{0x1p-149F});
  CHECK(convolved(line(), {1e30F}, {1e30F}) == floats{inf});
  const std::vector<float16> halves(4096, float16(1.0F));
  const tensor<float16> sum = convolution(reference, line_of(halves), line_of(halves), line());
  CHECK(static_cast<float>(sum.elements()[0]) == 4096);
}

TEST_CASE("CONVOLUTION: infinities, NaN and the sign of zero", "[convolution]") {
  CHECK(convolved(line(), {inf, 1}, {1, 1}) == floats{inf});
  CHECK(is_nan(convolved(line(), {inf, 1}, {0, 1})[0]));
  CHECK(is_nan(convolved(line(), {inf, -inf}, {1, 1})[0]));
  CHECK(is_nan(convolved(line(), {not_a_number, 1}, {1, 1})[0]));
  CHECK(std::signbit(convolved(line(), {-1, 1}, {0, -0.0F})[0]));
  CHECK_FALSE(std::signbit(convolved(line(), {-1, 1}, {0, 0})[0]));
}

TEST_CASE("CONVOLUTION: fused activations work on the exact sum", "[convolution]") {
  convolution_desc desc = line();
  desc.fused_activation = activation{44, {}};  // RELU
  CHECK(convolved(desc, {1, -1, -3}, {1, 1}) == floats{0, 0});
  CHECK(convolved(desc, {1, 2, -3}, {1, 1}) == floats{3, 0});
  desc.fused_activation = activation{40, {2, 0.5F}};  // LINEAR
  CHECK(convolved(desc, {1, 2, -3}, {1, 1}) == floats{6.5F, -1.5F});
  desc.fused_activation = activation{8, {-0.5F, 2}};  // CLIP
  CHECK(convolved(desc, {1, 2, -3}, {1, 1}) == floats{2, -0.5F});
  desc.fused_activation->scale_bias = scale_bias{0.25F, 1};
  CHECK(convolved(desc, {1, 2, -3}, {1, 1}) == floats{1.75F, 0.75F});
  CHECK(convolved(desc, {1, 20, -30}, {1, 1}) == floats{2, -0.5F});
  CHECK(judged(desc, {1, 2}, {1, 1}).accepts(1.75F));
  CHECK_FALSE(judged(desc, {1, 2}, {1, 1}).accepts(1.7500001F));
  CHECK_FALSE(judged(desc, {1, 2}, {1, 1}).accepts(2));  // without
  // The sum is 1 + 2^-25, which FLOAT32 cannot hold; minus 1 it can.
  desc.fused_activation = activation{40, {1, -1}};
  CHECK(convolved(desc, {1, 0x1p-25F}, {1, 1}) == floats{0x1p-25F});
  const judgement<float> answer = judged(desc, {1, 0x1p-25F}, {1, 1});
  CHECK(answer.accepts(0));  // a device rounds the sum first
  CHECK_FALSE(answer.accepts(0x1p-20F));
}

TEST_CASE("CONVOLUTION: integers have exact verdicts, and wrong kernels are found", "[convolution]") {
  std::mt19937 engine(2);
  convolution_desc desc{.strides = {2, 1},
                        .dilations = {1, 2},
                        .start_padding = {1, 0},
                        .end_padding = {0, 2},
                        .output_padding = {0, 0},
                        .group_count = 2};
  const tensor<float> x = integers(engine, {2, 4, 6, 7}), w = integers(engine, {6, 2, 3, 2});
  const tensor<float> bias = integers(engine, {1, 6, 1, 1});
  const judgement<float> answer(desc, {x, w, bias});
  const std::size_t count =
      static_cast<std::size_t>(element_count(convolution_output_sizes(desc, x.sizes(), w.sizes())));
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_zero(answer.golden(i))) ++zeros;
    if (!is_zero(answer.golden(i))) CHECK(answer.strict()[i] == verdict::exact);
    CHECK_FALSE(answer.accepts(answer.golden(i) + 1, i));
    if (is_zero(answer.golden(i))) CHECK(answer.accepts(-0.0F, i));
  }
  CHECK(zeros < count);
  const auto result_of = [&](const convolution_desc& wrong, const tensor<float>& filter) {
    tensor<float> y(convolution_output_sizes(desc, x.sizes(), w.sizes()));
    convolution(reference, x, filter, bias, y, wrong);
    return y.elements();
  };
  CHECK(answer.accepts(result_of(desc, w)));
  convolution_desc wrong = desc;
  wrong.mode = flipped;
  CHECK_FALSE(answer.accepts(result_of(wrong, w)));
  wrong = desc;
  wrong.start_padding = {0, 0};  // the window off by one
  wrong.end_padding = {1, 2};
  CHECK_FALSE(answer.accepts(result_of(wrong, w)));
  wrong = desc;
  wrong.dilations = {2, 1};
  wrong.start_padding = {2, 0};
  wrong.end_padding = {1, 1};
  CHECK_FALSE(answer.accepts(result_of(wrong, w)));
  floats weights = w.elements();
  weights.back() = 0;  // the last tap missing
  CHECK(w.elements().back() != 0);
  CHECK_FALSE(answer.accepts(result_of(desc, tensor<float>(w.sizes(), weights))));
  std::rotate(weights.begin(), weights.begin() + 36, weights.end());  // groups mixed
  CHECK_FALSE(answer.accepts(result_of(desc, tensor<float>(w.sizes(), weights))));
  tensor<float> without(convolution_output_sizes(desc, x.sizes(), w.sizes()));
  convolution(reference, x, w, without, desc);  // the bias forgotten
  CHECK_FALSE(answer.accepts(without.elements()));
}

TEST_CASE("CONVOLUTION: sums in any order are accepted, others are not", "[convolution]") {
  const floats ones{1, 1, 1};
  const judgement<float> cancelling = judged(line(), {1e8F, 1, -1e8F}, ones);
  // E = 3 * 2^-24 * 200000001 = 35.8
  CHECK(cancelling.golden() == 1);
  CHECK(cancelling.accepts(0));
  CHECK(cancelling.accepts(8));
  CHECK(cancelling.accepts(36.7F));
  CHECK_FALSE(cancelling.accepts(36.9F));
  CHECK_FALSE(cancelling.accepts(-35));
  CHECK_FALSE(cancelling.accepts(inf));
  // With a bias of 0 one rounding more: E = 4 * 2^-24 * 200000001 = 47.7
  const judgement<float> biased(line(), {line_of(floats{1e8F, 1, -1e8F}), line_of(ones), line_of(floats{0})});
  CHECK(biased.accepts(48));
  CHECK_FALSE(biased.accepts(49));
  // BACKWARD only taps that read an element count: one, of which the product alone is rounded.
  const judgement<float> one = judged(line(backward), {1.1F}, {1.1F});
  const double product = double{1.1F} * double{1.1F};
  CHECK(one.accepts(static_cast<float>(product * (1 + 0x1p-24))));
  CHECK_FALSE(one.accepts(static_cast<float>(product * (1 + 0x1p-22))));
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 lies between two numbers; one rounding reaches these two, three reach others.
  constexpr float tap = 0x1.001p0F;
  const judgement<float> between = judged(line(backward), {tap}, {tap, tap, tap});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(between.golden(i) == 0x1.002p0F);
    CHECK(between.accepts(0x1.002002p0F, i));
    CHECK_FALSE(between.accepts(0x1.002004p0F, i));
  }
}

TEST_CASE("CONVOLUTION: sums of many terms", "[convolution]") {
  floats x(2000, 1);
  x[1] = 2;
  x.back() = 3;
  const judgement<float> many = judged(line(), x, floats(2000, 1));
  CHECK(many.golden() == 2003);
  CHECK(many.exact());
  x[0] = 0x1p30F;
  CHECK_FALSE(judged(line(), x, floats(2000, 1)).exact());
}

TEST_CASE("CONVOLUTION: overflow of partial sums", "[convolution]") {
  const judgement<float> both = judged(line(), {3e38F, 3e38F, -3e38F, -3e38F}, {1, 1, 1, 1});
  CHECK(both.golden() == 0);
  for (const float each : {inf, -inf, not_a_number}) CHECK(both.accepts(each));
  const judgement<float> above = judged(line(), {3e38F, 3e38F, -3e38F}, {1, 1, 1});
  CHECK(above.accepts(inf));
  CHECK_FALSE(above.accepts(-inf));
  CHECK_FALSE(above.accepts(not_a_number));
  // Products beyond FLOAT32, of which the small one must not be lost in the large.
  const judgement<float> apart = judged(line(), {-1e30F, 1e20F, 1}, {1e30F, 1e15F, 1});
  CHECK(apart.golden() == -inf);
  CHECK_FALSE(apart.accepts(not_a_number));
  CHECK(judged(line(), {-1e30F, 1e20F, 1}, {1e30F, 1e20F, 1}).accepts(not_a_number));
}

TEST_CASE("CONVOLUTION: weights that are not finite, over padding (CV-R2)", "[convolution]") {
  const judgement<float> padded = judged(line(forward, straight, 1, 1, 0), {1, 2}, {inf, 1});
  CHECK(padded.golden(0) == 1);  // the tap on the padding counts as absent
  CHECK(padded.accepts(not_a_number, 0));
  CHECK_FALSE(padded.accepts(inf, 0));
  CHECK(padded.golden(1) == inf);
  CHECK_FALSE(padded.accepts(not_a_number, 1));
  // BACKWARD a device may put zeros between the elements.
  const judgement<float> between = judged(line(backward, straight, 2), {1, 2}, {not_a_number, 3});
  CHECK(is_nan(between.golden(0)));
  CHECK(between.golden(1) == 3);
  CHECK(between.accepts(not_a_number, 1));
  CHECK_FALSE(between.accepts(inf, 1));
  CHECK_FALSE(judged(line(forward, straight, 1, 1, 0), {1, inf}, {1, 1}).accepts(not_a_number, 0));
}

TEST_CASE("CONVOLUTION: FLOAT32 subnormals may be flushed, FLOAT16 ones not", "[convolution]") {
  const judgement<float> flushed = judged(line(), {0x1p-130F, 1}, {0x1p30F, 1});
  CHECK(flushed.golden() == 1);
  const judgement<float> small = judged(line(), {0x1p-130F}, {0x1p30F});
  CHECK(small.golden() == 0x1p-100F);
  CHECK(small.accepts(0));
  CHECK(small.strict()[0] == verdict::exact);
  CHECK_FALSE(small.accepts(0x1p-98F));
  // The least normal number is none, also where another element is one: 2^-126 times 2^100, and 2^-130 times 1.
  const judgement<float> normal = judged(line(), {0x1p-126F, 0, 0x1p-130F}, {0x1p100F, 1});
  CHECK(normal.golden(0) == 0x1p-26F);
  CHECK_FALSE(normal.accepts(0, 0));
  CHECK(normal.accepts(0, 1));
  const judgement<float> product = judged(line(), {0x1p-70F}, {0x1p-70F});
  CHECK(product.golden() == 0x1p-140F);
  CHECK(product.accepts(0));
  const judgement<float16> kept(
      line(), {line_of(std::vector<float16>{float16(0x1p-24F)}), line_of(std::vector<float16>{float16(1024.0F)})});
  CHECK(static_cast<float>(kept.golden()) == 0x1p-14F);
  CHECK(kept.exact());
}

TEST_CASE("CONVOLUTION: half precision where it is allowed", "[convolution]") {
  convolution_desc desc = line();
  const floats x{127, 128, 127, 128}, w{129, -128, 129, -128};
  CHECK(judged(desc, x, w).golden() == -2);
  CHECK_FALSE(judged(desc, x, w).accepts(0));
  desc.accumulation = accumulation::half;
  CHECK(judged(desc, x, w).accepts(0));
  // 90000 is above the greatest FLOAT16: the partial sums may be infinite.
  desc.accumulation = accumulation::single;
  const floats large{300, 300}, opposite{300, -300};
  CHECK_FALSE(judged(desc, large, opposite).accepts(not_a_number));
  desc.accumulation = accumulation::half;
  CHECK(judged(desc, large, opposite).accepts(not_a_number));
  // Small integers are exact in half precision too, and larger numbers may be read as infinities.
  CHECK(judged(desc, {1, 2, 3}, powers).exact());
  CHECK(judged(desc, {70000, 1}, {1, 1}).accepts(inf));
  CHECK_FALSE(judged(desc, {60000, 1}, {1, 1}).accepts(inf));
  CHECK(judged(desc, {60000, 1}, {1, 1}).accepts(60000));
  CHECK(judged(desc, {0x1p17F, 1}, {1, 1}).accepts(inf));  // of few bits
  CHECK(judged(desc, {1, 1}, {1, 0x1p17F}).accepts(inf));
}

TEST_CASE("CONVOLUTION: FLOAT16 results may be narrowed toward zero", "[convolution]") {
  // 2049 is halfway between 2048 and 2050; 2051 between 2050 and 2052.
  const auto halves = [](const floats& x) {
    std::vector<float16> result;
    for (const float each : x) result.push_back(float16(each));
    return line_of(result);
  };
  const judgement<float16> answer(line(), {halves({2048, 3}), halves({1, 1})});
  CHECK(static_cast<float>(answer.golden()) == 2052);
  CHECK(answer.place(float16(2050.0F)) == interval_place::toward_zero);
  CHECK_FALSE(answer.accepts(float16(2054.0F)));
  CHECK_FALSE(answer.accepts(float16(2048.0F)));
}

TEST_CASE("CONVOLUTION: the rules", "[convolution]") {
  const convolution_desc plane{.strides = {2, 1},
                               .dilations = {1, 2},
                               .start_padding = {1, 0},
                               .end_padding = {0, 2},
                               .output_padding = {0, 0},
                               .group_count = 2};
  const dimensions x{2, 4, 6, 7}, w{6, 2, 3, 2}, bias{1, 6, 1, 1}, y{2, 6, 3, 7};
  CHECK(broken(plane, x, w, bias, y).empty());
  CHECK(broken(plane, x, w, {}, y).empty());

  const auto f32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  const tensor_desc half{.data_type = data_type::float16, .sizes = w};
  CHECK(validate(plane, f32(x), half, f32(y))->rule == "CV1");
  // What compares sizes is skipped where the types or the numbers of dimensions differ.
  const auto of_half_output =
      violations(plane, f32(x), f32(w), tensor_desc{.data_type = data_type::float16, .sizes = {1, 6, 3, 7}});
  REQUIRE(of_half_output.size() == 1);
  CHECK(of_half_output[0].rule == "CV1");
  CHECK(broken(plane, x, {6, 2, 3, 2, 1}, {}, y) == "CV2");
  CHECK(broken(plane, x, w, dimensions{1, 6, 1, 1, 1}, y) == "CV2");
  CHECK(broken(plane, x, w, {}, {2, 6, 3}) == "CV2");

  const auto changed = [&](const auto& change) {
    convolution_desc desc = plane;
    change(desc);
    return broken(desc, x, w, bias, y);
  };
  CHECK(changed([](convolution_desc& d) { d.strides = {2}; }) == "CV3");
  CHECK(changed([](convolution_desc& d) { d.dilations = {1, 2, 1}; }) == "CV3");
  CHECK(changed([](convolution_desc& d) { d.start_padding = {}; }) == "CV3");
  CHECK(changed([](convolution_desc& d) { d.end_padding = {0}; }) == "CV3");
  CHECK(changed([](convolution_desc& d) { d.output_padding = {0}; }) == "CV3");
  CHECK(changed([](convolution_desc& d) { d.strides = {0, 1}; }) == "CV4");
  CHECK(changed([](convolution_desc& d) { d.dilations = {1, 0}; }) == "CV4");
  CHECK(changed([](convolution_desc& d) { d.end_padding = dimensions::null(); }) == "CV4");
  CHECK(changed([](convolution_desc& d) { d.group_count = 0; }) == "CV5");
  CHECK(changed([](convolution_desc& d) { d.group_count = 4; }) == "CV5");  // divides 4, not 6
  CHECK(changed([](convolution_desc& d) { d.group_count = 3; }) == "CV5");  // divides 6, not 4
  CHECK(changed([](convolution_desc& d) { d.group_count = 1; }) == "CV6");
  CHECK(broken(plane, x, {5, 2, 3, 2}, bias, y) == "CV6");
  CHECK(broken(plane, x, {6, 3, 3, 2}, bias, y) == "CV6");
  CHECK(to_string(*validate(plane, f32(x), f32({6, 4, 3, 2}), f32(y))) ==
        "CONVOLUTION CV6: FilterTensor.Sizes[1] is 4, wanted 2 (4 channels of the input, 2 groups)");
  CHECK(broken(plane, x, w, bias, {1, 6, 3, 7}) == "CV7");
  CHECK(broken(plane, x, {6, 2, 8, 2}, bias, y) == "CV8");
  CHECK(to_string(*validate(plane, f32(x), f32({6, 2, 8, 2}), f32(bias), f32(y))) ==
        "CONVOLUTION CV8: FilterTensor.Sizes[2] is 8, wanted a window inside the padded input (input 6, filter 8, "
        "stride 2, dilation 1, padding 1 and 0)");
  CHECK(broken(plane, x, {6, 2, 7, 2}, bias, {2, 6, 1, 7}).empty());
  CHECK(broken(plane, x, w, bias, {2, 6, 4, 7}) == "CV9");
  CHECK(broken(plane, x, w, bias, {2, 6, 3, 6}) == "CV9");
  CHECK(broken(plane, x, w, dimensions{1, 5, 1, 1}, y) == "CV10");
  CHECK(broken(plane, x, w, dimensions{1, 6, 1, 7}, y) == "CV10");
  CHECK(broken(plane, x, w, dimensions{2, 6, 1, 1}, y) == "CV10");
  CHECK(changed([](convolution_desc& d) { d.mode = static_cast<convolution_mode>(2); }) == "CV11");
  CHECK(changed([](convolution_desc& d) { d.direction = static_cast<convolution_direction>(2); }) == "CV11");
  CHECK(changed([](convolution_desc& d) { d.output_padding = {1, 0}; }) == "CV12");

  // BACKWARD: {C, O / groups, ...}, and the output is s (in - 1) + window - padding + OutputPadding, or longer.
  convolution_desc back = plane;
  back.direction = backward;
  const dimensions w2{4, 3, 3, 2};  // 2 * 5 + 3 - 1 = 12; 6 + 3 - 2 = 7
  CHECK(broken(back, x, w2, bias, {2, 6, 12, 7}).empty());
  CHECK(broken(back, x, w2, bias, {2, 6, 13, 7}).empty());
  CHECK(broken(back, x, w2, bias, {2, 6, 14, 7}) == "CV9");
  CHECK(broken(back, x, w2, bias, {2, 6, 11, 7}) == "CV9");
  CHECK(broken(back, x, w2, bias, {2, 6, 12, 8}) == "CV9");
  CHECK(broken(back, x, {5, 3, 3, 2}, bias, {2, 6, 12, 7}) == "CV6");
  CHECK(broken(back, x, {4, 2, 3, 2}, bias, {2, 6, 12, 7}) == "CV6");
  back.output_padding = {1, 1};
  CHECK(broken(back, x, w2, bias, {2, 6, 13, 8}).empty());
  back.output_padding = {2, 0};
  CHECK(broken(back, x, w2, bias, {2, 6, 14, 7}) == "CV12");
  back.output_padding = {0, 2};  // as large as the dilation
  CHECK(broken(back, x, w2, bias, {2, 6, 12, 9}) == "CV12");
  back.output_padding = {0, 0};
  back.start_padding = {13, 0};
  CHECK(broken(back, x, w2, bias, {2, 6, 1, 7}) == "CV8");
  // Nothing overflows.
  back = line(backward, straight, 0xFFFF'FFFF);
  CHECK(broken(back, {1, 1, 0xFFFF'FFFF}, {1, 1, 3}, {}, {1, 1, 0xFFFF'FFFF}) == "CV9");
  back.dilations = {0xFFFF'FFFF};
  CHECK(broken(back, {1, 1, 0xFFFF'FFFF}, {1, 1, 0xFFFF'FFFF}, {}, {1, 1, 0xFFFF'FFFF}) == "CV9");
  back.dilations = {1};
  back.end_padding = {0xFFFF'FFFF};
  CHECK(broken(line(forward, straight, 1, 0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF), {1, 1, 1}, {1, 1, 4}, {},
               {1, 1, 1}) == "CV8");
}

TEST_CASE("CONVOLUTION: causes before consequences", "[convolution]") {
  convolution_desc desc = line();
  desc.group_count = 0;
  desc.strides = {0};
  desc.mode = static_cast<convolution_mode>(7);
  desc.output_padding = {1};
  CHECK(broken(desc, {1, 2, 3}, {2, 2, 2}, {}, {2, 2, 9}) == "CV4 CV5 CV11");
  desc.mode = straight;
  desc.fused_activation = activation{44, {}, true};
  CHECK(broken(desc, {1, 2, 3}, {2, 2, 2}, {}, {2, 2, 9}) == "CV4 CV5 CV12 CV7 AR7");
  desc = line();
  desc.strides = {};
  CHECK(broken(desc, {1, 2, 3}, {3, 2, 2}, {}, {1, 2, 9}) == "CV3 CV6");
}

TEST_CASE("CONVOLUTION: the call that returns its output refuses what the rules do", "[convolution]") {
  const auto refused = [](const convolution_desc& with, const dimensions& input, const dimensions& filter) {
    return refusal_of(
        [&] { static_cast<void>(convolution(reference, tensor<float>(input), tensor<float>(filter), with)); });
  };
  CHECK(refused(line(), {1, 2, 3}, {3, 2, 2}) == "none");
  CHECK(refused(line(), {1, 2, 3}, {3, 1, 2}) == "CV6");
  CHECK(refused(line(), {1, 2, 3}, {3}) == "T4");
  CHECK(refused(line(), {3}, {3, 2, 2}) == "T4");
  convolution_desc plane = line();
  plane.strides = plane.dilations = {1, 1};
  plane.start_padding = plane.end_padding = plane.output_padding = {0, 0};
  CHECK(refused(plane, {1, 2, 3}, {3, 2, 2}) == "CV3");
  plane.strides = {1, 1, 1, 1, 1, 1, 1, 1};  // as many as a list can have
  CHECK(refused(plane, {1, 2, 3}, {3, 2, 2}) == "CV3");
}

TEST_CASE("37.8: CONVOLUTION without lists has strides and dilations of 1 and no padding", "[convolution]") {
  const tensor<float> x({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}), w({1, 1, 1, 2}, {1, 10}), bias({1, 1, 1, 1}, {100});
  CHECK(convolution(reference, x, w, {}) == tensor<float>({1, 1, 2, 2}, {21, 32, 54, 65}));
  tensor<float> y({1, 1, 2, 2});
  convolution(reference, x, w, y, {});
  CHECK(y.elements() == std::vector<float>{21, 32, 54, 65});
  convolution(reference, x, w, bias, y, {});
  CHECK(y.elements() == std::vector<float>{121, 132, 154, 165});
  CHECK(convolution(reference, x, w, {.strides = {2, 2}, .end_padding = {0, 1}}).elements() ==
        std::vector<float>{21, 3});
  const convolution_desc filled = with_default_lists({.strides = {2, 2}}, 4);
  CHECK((filled.strides == dimensions{2, 2} && filled.dilations == dimensions{1, 1} &&
         filled.start_padding == dimensions{0, 0} && filled.end_padding == dimensions{0, 0} &&
         filled.output_padding == dimensions{0, 0}));
  CHECK(with_default_lists({.strides = dimensions::null()}, 4).strides.is_null());
  // DirectML itself wants the entries.
  const auto f32 = [](const dimensions& sizes) { return tensor_desc{.data_type = data_type::float32, .sizes = sizes}; };
  CHECK(validate(convolution_desc{}, f32(x.sizes()), f32(w.sizes()), f32({1, 1, 2, 2}))->rule == "CV3");
}

TEST_CASE("CONVOLUTION: rules of fused activations", "[convolution]") {
  const auto with = [](const activation& f, feature_level level) {
    convolution_desc desc = line();
    desc.fused_activation = f;
    desc.feature_level = level;
    return broken(desc, {1, 1, 3}, {1, 1, 2}, {}, {1, 1, 2});
  };
  constexpr auto latest = feature_level::latest;
  CHECK(with({44, {}}, latest).empty());
  CHECK(with({44, {}, true}, latest) == "AR7");
  CHECK(with({8, {0, 1}}, latest).empty());
  CHECK(with({8, {0, 1}}, feature_level::level_5_2) == "AR8");
  CHECK(with({8, {0, 1}, false, scale_bias{inf, 0}}, latest).empty());
  CHECK(with({8, {0, 1}, false, scale_bias{2, 1}}, feature_level::level_5_2) == "AR8");
  CHECK(with({8, {-inf, std::numeric_limits<float>::quiet_NaN()}, false, scale_bias{2, 1}}, latest) == "AR9");
  CHECK(with({10, {}}, latest) == "AR8");
  CHECK(with({48, {}}, latest) == "AR8");  // SOFTMAX: in GEMM only
  CHECK(with({40, {inf, 0}}, latest) == "AR9");
  CHECK(with({49, {0.5F}}, feature_level::level_6_3) == "AR10");
  CHECK(with({49, {0.5F}}, feature_level::level_6_4).empty());
}

TEST_CASE("CONVOLUTION: work, by hand", "[convolution]") {
  operands_of<convolution_desc> operands;
  const std::array<dimensions, 4> sizes{{{2, 6, 5, 7}, {4, 3, 2, 1}, {1, 4, 1, 1}, {2, 4, 4, 7}}};
  for (std::size_t i = 0; i < 4; ++i) operands[i].desc = {.data_type = data_type::float32, .sizes = sizes[i]};
  // 224 output elements with 3 channels of 2 taps each; and the elements of all tensors.
  convolution_desc desc{.strides = {1, 1}, .dilations = {1, 1}, .start_padding = {0, 0}, .group_count = 2};
  work_counts wanted{.elements = 420 + 24 + 4 + 224, .terms = 224 * 3 * 2, .results = 224, .judged = 224};
  CHECK(work_of(desc, operands) == wanted);
  // BACKWARD with a stride of 2 each tap of the first axis has two of four rows.
  desc.direction = backward;
  desc.strides = {2, 1};
  wanted.terms = 224 * 3;
  CHECK(work_of(desc, operands) == wanted);
}

TEST_CASE("CONVOLUTION: dimensions by level", "[convolution]") {
  convolution_desc desc = line();
  desc.feature_level = feature_level::level_3_1;
  CHECK(validate(desc, tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 3}},
                 tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 2}},
                 tensor_desc{.data_type = data_type::float32, .sizes = {1, 1, 2}})
            ->rule == "T4");
  desc.feature_level = feature_level::level_4_0;
  CHECK(broken(desc, {1, 1, 3}, {1, 1, 2}, {}, {1, 1, 2}).empty());
}
