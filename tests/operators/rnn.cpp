// RNN: results by hand, rules, and what devices may answer.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/cpu/rnn.hpp>
#include <goldml/operators/rnn.hpp>
#include <goldml/oracle/verdicts/rnn.hpp>
#include <goldml/reference/rnn.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using floats = std::vector<float>;
using lengths_type = std::vector<std::uint32_t>;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr activation identity{38}, relu{44}, hyperbolic{51};
constexpr auto forward = recurrent_network_direction::forward;
constexpr auto backward = recurrent_network_direction::backward;
constexpr auto bidirectional = recurrent_network_direction::bidirectional;

// A network with its sizes and data; empty: omitted.
template <class T = float>
struct network {
  std::uint32_t steps = 2, batch = 1, width = 2, hidden = 1;
  std::vector<T> x{}, w{}, r{}, bias{}, init{};
  lengths_type lengths{};
  rnn_desc desc{.activation_descs = {hyperbolic}};
  bool has_sequence = true, has_single = true;

  std::uint32_t directions() const { return static_cast<std::uint32_t>(direction_count(desc)); }
  std::vector<dimensions> sizes() const {
    const std::uint32_t d = directions();
    return {{1, steps, batch, width}, {1, d, hidden, width}, {1, d, hidden, hidden}, {1, 1, d, 2 * hidden},
            {1, d, batch, hidden},    {1, 1, 1, batch},      {steps, d, batch, hidden}, {1, d, batch, hidden}};
  }
  std::vector<const_tensor_ref> inputs() const {
    const auto all = sizes();
    const auto ref = [](const auto& elements, const dimensions& s) {
      return elements.empty() ? const_tensor_ref() : const_tensor_ref(tensor_view(elements.data(), s));
    };
    return {ref(x, all[0]),    ref(w, all[1]),    ref(r, all[2]),
            ref(bias, all[3]), ref(init, all[4]), ref(lengths, all[5])};
  }
};

template <class T>
struct answer {
  std::vector<T> sequence, single;
  answer(const network<T>& n, T fill)
      : sequence(n.has_sequence ? std::size_t{n.steps} * n.directions() * n.batch * n.hidden : 0, fill),
        single(n.has_single ? std::size_t{n.directions()} * n.batch * n.hidden : 0, fill) {}
  std::vector<tensor_ref> refs(const network<T>& n) {
    const auto ref = [](std::vector<T>& elements, const dimensions& s) {
      return elements.empty() ? tensor_ref() : tensor_ref(tensor_view(elements.data(), s));
    };
    return {ref(sequence, n.sizes()[6]), ref(single, n.sizes()[7])};
  }
};

template <class T, class Backend>
answer<T> run_on(const Backend& backend, const network<T>& n) {
  answer<T> result(n, std::bit_cast<T>(static_cast<typename goldml::detail::float_bits<T>::type>(0x1234)));
  const auto inputs = n.inputs();
  const auto outputs = result.refs(n);
  evaluate(backend, n.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
  return result;
}
template <class T>
answer<T> run(const network<T>& n) {
  const answer<T> result = run_on(reference, n);
  const answer<T> fast = run_on(cpu, n);
  CHECK(bits(fast.sequence) == bits(result.sequence));
  CHECK(bits(fast.single) == bits(result.single));
  return result;
}

// What each element may be; output 0 is the sequence.
template <class T>
std::vector<output_verdicts> verdicts_of(const network<T>& n, bool flushes = false) {
  answer<T> golden = run(n);
  const auto inputs = n.inputs();
  const auto outputs = golden.refs(n);
  std::vector<output_verdicts> result{output_verdicts(golden.sequence.size()), output_verdicts(golden.single.size())};
  if (flushes)
    oracle::verdict_traits<rnn_desc>::flushed_verdicts(n.desc, inputs, outputs, result);
  else
    oracle::verdict_traits<rnn_desc>::verdicts(n.desc, inputs, outputs, result);
  return result;
}
template <class T>
bool allows(const output_verdicts& verdicts, std::size_t element, T golden, T value) {
  if (verdicts[element] == verdict::undefined) return true;
  if (is_nan(value) ? is_nan(golden) : !is_nan(golden) && order_key(value) == order_key(golden)) return true;
  const interval* const allowed = verdicts.interval_of(element);
  return allowed != nullptr && place_in(*allowed, value) != interval_place::outside;
}
// Of the sequence.
template <class T>
bool accepted(const network<T>& n, std::size_t element, T value) {
  const T golden = run(n).sequence[element];
  return allows(verdicts_of(n)[0], element, golden, value) || allows(verdicts_of(n, true)[0], element, golden, value);
}

// One number of state, two steps. The first sum is 0.15, but for the rounding of 0.1 and 0.05 to FLOAT32.
network<> example() {
  network<> n;
  n.x = {1, 2, 3, 4};
  n.w = {0.5F, -0.25F};
  n.r = {0.5F};
  n.bias = {0.1F, 0.05F};
  return n;
}

// All tensors of a valid call with I = 4, H = 3, B = 2, S = 5; each test changes them.
struct layer {
  rnn_desc desc{.activation_descs = {hyperbolic, relu}, .direction = bidirectional};
  std::vector<tensor_desc> t = [] {
    std::vector<tensor_desc> all;
    for (const dimensions& sizes :
         std::vector<dimensions>{{1, 5, 2, 4}, {1, 2, 3, 4}, {1, 2, 3, 3}, {1, 1, 2, 6}, {1, 2, 2, 3}, {1, 1, 1, 2},
                                 {5, 2, 2, 3}, {1, 2, 2, 3}})
      all.push_back({.data_type = data_type::float32, .sizes = sizes});
    all[5].data_type = data_type::uint32;
    return all;
  }();

  std::string refused() const {
    std::vector<std::optional<tensor_desc>> given(t.begin(), t.end());
    for (std::optional<tensor_desc>& each : given)
      if (each->sizes.empty()) each.reset();
    const auto all = goldml_test::violations_of(desc, given);
    std::string codes;
    for (const violation& v : all) codes += (codes.empty() ? "" : " ") + std::string(v.rule);
    return codes;
  }
  std::string message() const {
    std::vector<std::optional<tensor_desc>> given(t.begin(), t.end());
    const auto all = goldml_test::violations_of(desc, given);
    REQUIRE(all.size() == 1);
    return to_string(all.front());
  }
};

}  // namespace

TEST_CASE("RNN: one number of state, forward and backward, by hand", "[rnn]") {
  network<> n = example();
  answer<float> y = run(n);
  CHECK(y.sequence == floats{0.14888504F, 0.61965356F});
  CHECK(y.single == floats{0.61965356F});
  n.desc.direction = backward;
  y = run(n);
  CHECK(y.sequence == floats{0.41018613F, 0.57166997F});
  CHECK(y.single == floats{0.41018613F});
}

TEST_CASE("RNN: both directions; the second one's steps are stored at their places", "[rnn]") {
  network<> n = example();
  n.desc.direction = bidirectional;
  n.desc.activation_descs = {hyperbolic, hyperbolic};
  n.w = {0.5F, -0.25F, 0.5F, -0.25F};
  n.r = {0.5F, 0.5F};
  n.bias = {0.1F, 0.05F, 0.1F, 0.05F};
  const answer<float> y = run(n);
  CHECK(y.sequence == floats{0.14888504F, 0.41018613F, 0.61965356F, 0.57166997F});
  CHECK(y.single == floats{0.61965356F, 0.41018613F});
  // Each direction has its function.
  n.desc.activation_descs = {hyperbolic, identity};
  CHECK(run(n).single[0] == 0.61965356F);
  CHECK(run(n).single[1] == 0.475F);  // 0 + 0.5 * (0.5 + 0.15) + 0.15
}

TEST_CASE("RNN: matrices of small integers, by hand", "[rnn]") {
  // h = W x + R h with W = 1 2 / 3 4 / 5 6, R = 0 1 0 / 1 0 0 / 0 0 1: two batches, two steps.
  network<> n{.batch = 2, .hidden = 3};
  n.x = {1, 0, 0, 1, 1, 1, 2, 0};
  n.w = {1, 2, 3, 4, 5, 6};
  n.r = {0, 1, 0, 1, 0, 0, 0, 0, 1};
  n.desc.activation_descs = {identity};
  CHECK(run(n).sequence == floats{1, 3, 5, 2, 4, 6, 3 + 3, 7 + 1, 11 + 5, 2 + 4, 6 + 2, 10 + 6});
  CHECK(run(n).single == floats{6, 8, 16, 6, 8, 16});
  // The biases, that of W first, and the first state.
  n.bias = {1, 2, 3, 10, 20, 30};
  n.init = {1, 0, 0, 0, 0, 2};
  CHECK(run(n).sequence ==
        floats{1 + 11, 3 + 22 + 1, 5 + 33, 2 + 11, 4 + 22, 6 + 33 + 2, 3 + 11 + 26, 7 + 22 + 12, 11 + 33 + 38,
               2 + 11 + 26, 6 + 22 + 13, 10 + 33 + 41});
  // One output alone.
  network<> one = n;
  one.has_single = false;
  CHECK(run(one).sequence == run(n).sequence);
  one.has_single = true;
  one.has_sequence = false;
  CHECK(run(one).single == run(n).single);
  CHECK(run(one).sequence.empty());
}

TEST_CASE("RNN RN-R1, RN-R2: lengths", "[rnn]") {
  network<> n{.steps = 3, .batch = 3, .width = 1};
  n.x = {1, 2, 3, 10, 20, 30, 100, 200, 300};  // of batch 0: 1, 10, 100
  n.w = {1};
  n.r = {2};
  n.init = {5, 6, 7};
  n.desc.activation_descs = {identity};
  n.lengths = {2, 3, 0};
  CHECK(run(n).sequence == floats{11, 14, 0, 32, 48, 0, 0, 296, 0});
  CHECK(run(n).single == floats{32, 296, 7});
  n.desc.direction = backward;  // from the end of each length
  CHECK(run(n).sequence == floats{41, 890, 0, 20, 444, 0, 0, 212, 0});
  CHECK(run(n).single == floats{41, 890, 7});
  // A device has zeros beyond the length, of either sign; the last state of no step is undefined.
  CHECK(accepted(n, 2, -0.0F));
  CHECK_FALSE(accepted(n, 6, 1.0F));
  CHECK_FALSE(accepted(n, 2, 0x1p-149F));
  CHECK(verdicts_of(n)[1][2] == verdict::undefined);
  CHECK(verdicts_of(n)[1][0] == verdict::exact);
  CHECK(verdicts_of(n)[0][0] == verdict::exact);
}

TEST_CASE("RNN RN-R3: states are not rounded, what is stored is rounded once", "[rnn]") {
  // h0 = 2^24 + 1/2, which FLOAT32 does not hold; h1 = h0 - 2^24 = 1/2.
  network<> n{.width = 1};
  n.x = {0x1p24F, 0};
  n.w = {1};
  n.r = {1};
  n.bias = {0.5F, 0};
  n.desc.activation_descs = {identity};
  CHECK(run(n).sequence == floats{0x1p24F, 0x1p24F});  // the bias is added again: 2^24 + 1, to even
  n.x = {0x1p24F, -0x1p24F};
  CHECK(run(n).sequence == floats{0x1p24F, 1});
  // Beyond FLOAT32 and back.
  n.bias = {};
  n.x = {3e38F, 3e38F, -3e38F, -3e38F};
  n.steps = 4;
  CHECK((run(n).sequence == floats{3e38F, inf, 3e38F, 0}));
  // A sum that cancels.
  network<> wide{.steps = 1, .width = 3};
  wide.x = {1e30F, 1e-30F, -1e30F};
  wide.w = {1e8F, 1e-8F, 1e8F};
  wide.r = {0};
  wide.desc.activation_descs = {identity};
  CHECK(run(wide).single[0] == static_cast<float>(static_cast<double>(1e-30F) * static_cast<double>(1e-8F)));
  // tanh of 1e-38, and its double.
  wide.x = {1e-38F, 0, 0};
  wide.w = {1, 0, 0};
  wide.desc.activation_descs = {hyperbolic};
  CHECK(run(wide).single[0] == 1e-38F);
}

TEST_CASE("RNN: CLIP", "[rnn]") {
  network<> n{.steps = 3, .width = 1};
  n.w = {1};
  n.r = {1};
  n.x = {1, 2, 3};
  n.desc.activation_descs = {activation{8, {-1, 100}}};
  CHECK(run(n).sequence == floats{1, 3, 6});
  n.desc.activation_descs = {activation{8, {-1, 2.5F}}};
  CHECK(run(n).sequence == floats{1, 2.5F, 2.5F});
  CHECK(accepted(n, 2, 2.5F));
  CHECK_FALSE(accepted(n, 2, 2.4F));
  // The state is not rounded: 2^24 + 1, less 2^24.
  n.x = {0x1p24F, 1, -0x1p24F};
  n.desc.activation_descs = {activation{8, {-1, inf}}};
  CHECK(run(n).sequence == floats{0x1p24F, 0x1p24F, 1});
  // Nor to a double: 1 + 2^-60, less 1 - 2^-60.
  network<> fine{.width = 1};
  fine.x = {1, -1};
  fine.w = {1};
  fine.r = {1};
  fine.bias = {0x1p-60F, 0};
  fine.desc.activation_descs = {activation{8, {-8, 8}}};
  CHECK(run(fine).sequence == floats{1, 0x1p-59F});
  // An infinite bound as the state: infinity times 0 is NaN, of which Min is taken.
  n.desc.activation_descs = {activation{8, {-5, -inf}}};
  CHECK((run(n).sequence == floats{-inf, -inf, -inf}));
  n.r = {0};
  n.x = {1, 2, 3};
  n.desc.activation_descs = {activation{8, {inf, inf}}};
  CHECK((run(n).sequence == floats{inf, inf, inf}));
}

// h = min(Max, max(Min, Scale * (x + h) + Bias)); the state is not rounded.
TEST_CASE("RNN: CLIP with a ScaleBias", "[rnn]") {
  network<> n{.steps = 3, .width = 1};
  n.w = {1};
  n.r = {1};
  n.x = {1, 2, 3};
  const auto clip = [](float low, float high, float scale, float bias) {
    return activation{.operator_type = 8, .parameters = {low, high}, .scale_bias = scale_bias{scale, bias}};
  };
  n.desc.activation_descs = {clip(-1, 100, 2, -0.5F)};
  CHECK(run(n).sequence == floats{1.5F, 6.5F, 18.5F});
  CHECK(accepted(n, 2, 18.5F));
  CHECK_FALSE(accepted(n, 2, 18.51F));
  CHECK_FALSE(accepted(n, 2, 6.0F));  // without
  n.desc.activation_descs = {clip(-1, 10, 2, -0.5F)};
  CHECK(run(n).sequence == floats{1.5F, 6.5F, 10});
  CHECK_FALSE(accepted(n, 2, 9.9F));
  // A state at a bound is exact if every device is beyond it: 17.5, and then 2 * (10 - 8) - 0.5.
  n.steps = 2;
  n.x = {9, -8};
  CHECK(run(n).sequence == floats{10, 3.5F});
  CHECK(accepted(n, 1, 3.5F));
  CHECK_FALSE(accepted(n, 1, std::nextafter(3.5F, 4.0F)));
  // So it is where a device has an infinity, which is beyond it, too.
  n.x = {100, -10};
  n.desc.activation_descs = {clip(-1, 10, 1e38F, 0)};
  CHECK(run(n).sequence == floats{10, 0});
  CHECK_FALSE(accepted(n, 0, 9.9F));
  CHECK_FALSE(accepted(n, 0, inf));
  n.desc.activation_descs = {clip(-1, 10, 2, -0.5F)};
  // Otherwise it is not: 4097 * 4097 is 16785409, or 16785408 to a device, which goes on with 0 instead of 0.5. Then
  // 4097 * 4096.5 is 16783360 to it.
  n.x = {4097, 4096.5F};
  n.desc.activation_descs = {clip(-10000, 0.5F, 4097, -16785408)};
  CHECK(run(n).sequence == floats{0.5F, 0.5F});
  CHECK(accepted(n, 0, 0.0F));
  CHECK(accepted(n, 1, -2048.0F));
  CHECK_FALSE(accepted(n, 1, -9000.0F));
  n.steps = 3;
  // 27 * 2^23 - 13 is no FLOAT32.
  n.x = {0x1p23F, 0, 0};
  n.desc.activation_descs = {clip(-inf, inf, 3, -1)};
  CHECK(run(n).sequence == floats{0x1.8p24F - 1, 0x1.2p26F - 4, 0x1.bp27F - 16});  // 9 * 2^23 - 4, 27 * 2^23 - 13
  n.x = {1, 2, 3};
  n.desc.activation_descs = {clip(-5, 7, inf, 1)};
  CHECK(run(n).sequence == floats{7, 7, 7});
  n.desc.activation_descs = {clip(-5, 7, 0, not_a_number)};  // NaN is Min
  CHECK(run(n).sequence == floats{-5, -5, -5});
}

TEST_CASE("RNN: CLIP of what may be NaN, between two equal bounds", "[rnn]") {
  network<> n{.width = 1};
  n.w = {1};
  n.r = {1};
  n.x = {0, 1};
  n.desc.activation_descs = {
      activation{.operator_type = 8, .parameters = {7, 7}, .scale_bias = scale_bias{inf, 0}}};  // 0 * inf
  CHECK(run(n).sequence == floats{7, 7});
  for (const std::size_t i : {0u, 1u}) {
    CHECK(accepted(n, i, not_a_number));
    CHECK_FALSE(accepted(n, i, 8.0F));
  }
}

TEST_CASE("RNN: SOFTPLUS with Steepness 0 is infinite, of an infinity NaN", "[rnn]") {
  network<> n{.width = 1};
  n.w = {1};
  n.r = {1};
  n.x = {1, 2};
  n.desc.activation_descs = {activation{49, {0, 0}}};
  const floats y = run(n).sequence;
  CHECK((y[0] == inf && is_nan(y[1])));
  n.r = {0};  // 0 * inf is NaN
  CHECK(is_nan(run(n).sequence[1]));
}

TEST_CASE("RNN: infinities and NaN", "[rnn]") {
  network<> n{.steps = 3, .width = 1};
  n.w = {1};
  n.r = {1};
  n.x = {inf, 0, -inf};
  n.desc.activation_descs = {identity};
  CHECK((run(n).sequence[1] == inf));
  CHECK(is_nan(run(n).sequence[2]));
  n.desc.activation_descs = {hyperbolic};
  CHECK(run(n).sequence == floats{1, 0.7615942F, -1});
  n.desc.activation_descs = {relu};
  n.x = {not_a_number, 1, 2};
  CHECK(run(n).sequence == floats{0, 1, 3});
  CHECK(accepted(n, 1, not_a_number));
  CHECK(accepted(n, 1, 1.0F));
  n.r = {inf};
  n.x = {1, 1, 1};
  CHECK(run(n).sequence == floats{0, 0, 0});  // RELU of inf * 0
  n.init = {1};
  CHECK((run(n).sequence == floats{inf, inf, inf}));
}

TEST_CASE("RNN RN-R4: what a device may answer, by hand", "[rnn]") {
  const network<> n = example();
  // w = 0.15, of the exact tanh; E is near 1.04e-5, of which hardware's tanh is 1e-5.
  CHECK(accepted(n, 0, 0.148895F));
  CHECK_FALSE(accepted(n, 0, 0.148896F));
  CHECK(accepted(n, 1, 0.619665F));
  CHECK_FALSE(accepted(n, 1, 0.61967F));
  CHECK_FALSE(accepted(n, 1, 0.57166997F));  // the other direction
  // The state 1e39 is infinite in FLOAT32, or kept with more range; 1e-10 times it is either 1e29 or inf.
  network<> overflowing{.batch = 1, .hidden = 1};
  overflowing.x = {1e20F, 0, 0, 0};
  overflowing.w = {1e19F, 0};
  overflowing.r = {1e-10F};
  overflowing.desc.activation_descs = {activation{40, {1, 0}}};  // LINEAR
  CHECK(accepted(overflowing, 1, 1e29F));
  CHECK(accepted(overflowing, 1, inf));
  CHECK_FALSE(accepted(overflowing, 1, 42.0F));
  CHECK_FALSE(accepted(overflowing, 1, -7.0F));
  // Small integers are exact.
  network<> exact{.batch = 1, .hidden = 1};
  exact.x = {1, 2, 3, 4};
  exact.w = {3, -1};
  exact.r = {2};
  exact.desc.activation_descs = {relu};
  CHECK(run(exact).sequence == floats{1, 7});
  CHECK(verdicts_of(exact)[0].all_exact());
  CHECK_FALSE(accepted(exact, 1, 5.0F));  // the state before is lost
  // A state that FLOAT32 does not hold may be rounded.
  network<> rounded_state{.width = 1};
  rounded_state.x = {0x1p24F, -0x1p24F};
  rounded_state.w = {1};
  rounded_state.r = {1};
  rounded_state.bias = {0.5F, 0};
  rounded_state.desc.activation_descs = {identity};
  CHECK(accepted(rounded_state, 1, 0.5F));
  CHECK(accepted(rounded_state, 1, 2.5F));
  CHECK_FALSE(accepted(rounded_state, 1, 60.0F));
  // An overflow: tanh of what may be infinite.
  network<> large{.width = 2};
  large.x = {3e38F, 3e38F, 1, 0};
  large.w = {1, 1};
  large.r = {1};
  large.desc.activation_descs = {identity};
  CHECK((run(large).sequence[0] == inf));
  CHECK(accepted(large, 1, inf));
  // Flushed.
  network<> tiny{.steps = 1, .width = 1};
  tiny.x = {0x1p-100F};
  tiny.w = {0x1p-30F};
  tiny.r = {1};
  tiny.desc.activation_descs = {identity};
  CHECK(accepted(tiny, 0, 0.0F));
  CHECK_FALSE(accepted(tiny, 0, 0x1p-120F));
}

TEST_CASE("RNN RN-R4: half precision, by hand", "[rnn]") {
  // In units of 2^-10: the first state, 1, is uncertain by 5. The second sum, 1.5, is uncertain by half of that for the
  // state. A sum of I + H + 3 = 5 terms is rounded five times, and three more for what half precision may round before;
  // each by half a unit of 1.5, which makes 6. The rounding of the factors makes the rest: 11.
  const auto h = [](float x) { return static_cast<float16>(x); };
  network<float16> n{.width = 1};
  n.x = {h(1), h(1)};
  n.w = {h(0.7F)};
  n.r = {h(0.5F)};
  n.bias = {h(0.3F), h(0)};
  n.desc.activation_descs = {identity};
  n.desc.accumulation = accumulation::half;
  CHECK(run(n).sequence == std::vector{h(1), h(1.5F)});
  for (const float units : {-11.0F, -10.0F, 10.0F, 11.0F}) CHECK(accepted(n, 1, h(1.5F + units * 0x1p-10F)));
  for (const float units : {-12.0F, 12.0F}) CHECK_FALSE(accepted(n, 1, h(1.5F + units * 0x1p-10F)));
}

namespace {

// A device in float: products in ascending or descending order, tanh of the C library, states rounded or not.
floats computed_by_device(const network<>& n, bool descending, bool in_double) {
  floats result(std::size_t{n.steps} * n.batch * n.hidden);
  for (std::uint32_t b = 0; b < n.batch; ++b) {
    std::vector<double> h(n.hidden, 0.0), next(n.hidden);
    for (std::uint32_t t = 0; t < n.steps; ++t) {
      for (std::uint32_t i = 0; i < n.hidden; ++i) {
        floats terms;
        std::vector<double> exact;
        const auto add = [&](double a, double c) {
          terms.push_back(static_cast<float>(a) * static_cast<float>(c));
          exact.push_back(a * c);
        };
        for (std::uint32_t j = 0; j < n.width; ++j)
          add(double{n.w[i * n.width + j]}, double{n.x[(t * n.batch + b) * n.width + j]});
        for (std::uint32_t j = 0; j < n.hidden; ++j) add(double{n.r[i * n.hidden + j]}, h[j]);
        add(1, double{n.bias[i]});
        add(1, double{n.bias[n.hidden + i]});
        if (descending) {
          std::reverse(terms.begin(), terms.end());
          std::reverse(exact.begin(), exact.end());
        }
        float sum = 0;
        double precise = 0;
        for (const float term : terms) sum += term;
        for (const double term : exact) precise += term;
        next[i] = in_double ? std::tanh(precise) : static_cast<double>(std::tanh(sum));
        result[(t * n.batch + b) * n.hidden + i] = static_cast<float>(next[i]);
      }
      h.swap(next);
    }
  }
  return result;
}

network<> random_network(std::mt19937& random, std::uint32_t steps, std::uint32_t hidden) {
  network<> n{.steps = steps, .batch = 2, .width = 3, .hidden = hidden};
  const auto number = [&] { return static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1; };
  for (std::size_t i = 0; i < std::size_t{steps} * 6; ++i) n.x.push_back(number());
  for (std::size_t i = 0; i < std::size_t{hidden} * 3; ++i) n.w.push_back(number());
  for (std::size_t i = 0; i < std::size_t{hidden} * hidden; ++i) n.r.push_back(number() / 2);
  for (std::size_t i = 0; i < std::size_t{hidden} * 2; ++i) n.bias.push_back(number());
  return n;
}

}  // namespace

TEST_CASE("RNN RN-R4: devices that compute in float or double are accepted; the bound settles", "[rnn]") {
  std::mt19937 random(3);
  double widest = 0;
  for (int round = 0; round < 6; ++round) {
    const network<> n = random_network(random, 20, 5);
    const floats golden = run(n).sequence;
    const auto verdicts = verdicts_of(n);
    for (const bool descending : {false, true})
      for (const bool in_double : {false, true}) {
        const floats got = computed_by_device(n, descending, in_double);
        for (std::size_t i = 0; i < got.size(); ++i)
          if (!allows(verdicts[0], i, golden[i], got[i])) FAIL_CHECK("element " << i << ": " << got[i]);
      }
    for (std::size_t i = 0; i < golden.size(); ++i) {
      const interval* const allowed = verdicts[0].interval_of(i);
      REQUIRE(allowed != nullptr);
      widest = (std::max)(widest, double{allowed->high} - double{allowed->low});
    }
    // The state before is not used.
    network<> forgetful = n;
    std::fill(forgetful.r.begin(), forgetful.r.end(), 0.0F);
    const floats wrong = run(forgetful).sequence;
    std::size_t found = 0;
    for (std::size_t i = 10; i < wrong.size(); ++i) found += allows(verdicts[0], i, golden[i], wrong[i]) ? 0U : 1U;
    CHECK(found > wrong.size() / 2);
  }
  CHECK(widest < 0.01);
}

TEST_CASE("RNN RN-R4: a state that a device keeps is any that rounds to what is allowed", "[rnn]") {
  // From -1 to 1 are allowed for 0. 1 + 2^-24 still rounds to 1, and a device may keep it.
  const bound w{.value = 0, .error = 1, .usual_error = 1};
  const detail::uncertain_hidden h = detail::hidden_after<float>(identity, w, interval{-1, 1, -0.5F, 0.5F}, {});
  CHECK(h.value == 0);
  CHECK(h.error == 1 + 0x1p-24);  // and 2^-149, which a double does not hold beside it
  CHECK(h.usual_error == 0.5 + 0x1p-25);
}

TEST_CASE("RNN: work and the memory of verdicts, by hand", "[rnn]") {
  operands_of<rnn_desc> operands;
  const std::array<dimensions, 8> sizes{
      {{1, 3, 2, 5}, {1, 1, 4, 5}, {1, 1, 4, 4}, {}, {}, {}, {3, 1, 2, 4}, {1, 1, 2, 4}}};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!sizes[i].empty()) operands[i].desc = {.data_type = data_type::float32, .sizes = sizes[i]};
  const rnn_desc desc{.activation_descs = {hyperbolic}};
  // 24 + 8 elements with a byte and an interval, and two states of 4 numbers with their errors.
  CHECK(oracle::verdict_traits<rnn_desc>::verdict_memory(desc, operands) ==
        32 * (1 + sizeof(interval) + more_interval_memory) + 2 * 4 * sizeof(detail::uncertain_hidden));
  operands[6].desc = {};
  CHECK(oracle::verdict_traits<rnn_desc>::verdict_memory(desc, operands) ==
        8 * (1 + sizeof(interval) + more_interval_memory) + 2 * 4 * sizeof(detail::uncertain_hidden));
}

TEST_CASE("RNN: cpu gives the same bits as reference", "[rnn]") {
  std::mt19937 random(11);
  const auto element = [&](int kind) -> float {
    if (kind == 0) return static_cast<float>(static_cast<int>(random() % 5) - 2);
    if (kind == 1) return static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1;
    return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  };
  constexpr std::array<std::uint32_t, 17> types{8, 35, 37, 38, 39, 40, 43, 44, 45, 46, 47, 49, 50, 51, 52, 90, 128};
  for (int round = 0; round < 400; ++round) {
    network<> n{.steps = 1 + static_cast<std::uint32_t>(random() % 4),
                .batch = 1 + static_cast<std::uint32_t>(random() % 2),
                .width = 1 + static_cast<std::uint32_t>(random() % 3),
                .hidden = 1 + static_cast<std::uint32_t>(random() % 3)};
    n.desc.direction = static_cast<recurrent_network_direction>(random() % 3);
    n.desc.activation_descs = {};
    for (std::size_t i = 0; i < direction_count(n.desc); ++i) {
      activation f{types[random() % types.size()]};
      f.parameters = {element(static_cast<int>(random() % 2)), element(static_cast<int>(random() % 2))};
      if (f.operator_type == 49) f.parameters[0] = 1 + std::abs(f.parameters[0]);
      if (f.operator_type == 8 && random() % 4 == 0) f.parameters[random() % 2] = random() % 2 == 0 ? inf : -inf;
      if (f.operator_type == 8 && random() % 3 != 0)
        f.scale_bias = scale_bias{random() % 8 == 0 ? inf : element(static_cast<int>(random() % 2)),
                                  random() % 8 == 0 ? -inf : element(static_cast<int>(random() % 2))};
      n.desc.activation_descs.push_back(f);
    }
    const int kind = round % 3;
    const std::uint32_t d = n.directions();
    const auto fill = [&](floats& to, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) to.push_back(element(kind));
    };
    fill(n.x, std::size_t{n.steps} * n.batch * n.width);
    fill(n.w, std::size_t{d} * n.hidden * n.width);
    fill(n.r, std::size_t{d} * n.hidden * n.hidden);
    if (random() % 2 == 0) fill(n.bias, std::size_t{d} * 2 * n.hidden);
    if (random() % 2 == 0) fill(n.init, std::size_t{d} * n.batch * n.hidden);
    if (random() % 3 == 0)
      for (std::uint32_t b = 0; b < n.batch; ++b)
        n.lengths.push_back(static_cast<std::uint32_t>(random() % (n.steps + 1)));
    n.has_sequence = random() % 4 != 0;
    n.has_single = !n.has_sequence || random() % 4 != 0;
    CAPTURE(round, n.desc.activation_descs[0].operator_type);
    run(n);
    network<float16> narrow{.steps = n.steps, .batch = n.batch, .width = n.width, .hidden = n.hidden};
    const auto as_half = [](const floats& from) {
      std::vector<float16> to;
      for (const float x : from) to.push_back(static_cast<float16>(x));
      return to;
    };
    narrow.x = as_half(n.x);
    narrow.w = as_half(n.w);
    narrow.r = as_half(n.r);
    narrow.bias = as_half(n.bias);
    narrow.init = as_half(n.init);
    narrow.lengths = n.lengths;
    narrow.desc = n.desc;
    run(narrow);
    // The golden answer is among what is allowed, and so is the exact one in the other modes.
    verdicts_of(n, true);
    verdicts_of(narrow);
  }
}

TEST_CASE("RNN: the typed call, with omitted tensors", "[rnn]") {
  const tensor<float> x({1, 2, 1, 2}, {1, 2, 3, 4}), w({1, 1, 1, 2}, {0.5F, -0.25F}), r({1, 1, 1, 1}, {0.5F});
  const tensor<float> bias({1, 1, 1, 2}, {0.1F, 0.05F});
  tensor<float> single({1, 1, 1, 1}), sequence({2, 1, 1, 1});
  const rnn_desc desc{.activation_descs = {hyperbolic}};
  rnn(reference, x, w, r, bias, const_tensor_ref(), const_tensor_ref(), tensor_ref(), single, desc);
  CHECK(single.elements() == floats{0.61965356F});
  rnn(cpu, x, w, r, bias, tensor<float>({1, 1, 1, 1}, {0}), tensor<std::uint32_t>({1, 1, 1, 1}, {1}), sequence, single,
      desc);
  CHECK(sequence.elements() == floats{0.14888504F, 0});
  CHECK(single.elements() == floats{0.14888504F});
}

TEST_CASE("RNN RN10: a length above the number of steps; nothing is written", "[rnn]") {
  network<> n = example();
  n.lengths = {3};
  for (const bool fast : {false, true}) {
    answer<float> y(n, 7.0F);
    const auto inputs = n.inputs();
    const auto outputs = y.refs(n);
    try {
      if (fast)
        evaluate(cpu, n.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
      else
        evaluate(reference, n.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
      FAIL("not refused");
    } catch (const error& refusal) {
      CHECK(to_string(refusal.violation()) ==
            "RNN RN10: SequenceLengthsTensor.element[0] is 3, wanted at most 2 (InputTensor.Sizes[1])");
    }
    CHECK(y.sequence == floats{7, 7});
    CHECK(y.single == floats{7});
  }
}

TEST_CASE("RNN: a valid desc violates no rule, nor one without optional tensors", "[rnn]") {
  layer l;
  CHECK(l.refused() == "");
  for (const std::size_t omitted : {3u, 4u, 5u, 6u}) l.t[omitted] = {};
  CHECK(l.refused() == "");
  l.t[7] = {};
  CHECK(l.refused() == "RN7");
  l = {};
  l.t[7] = {};
  CHECK(l.refused() == "");
  l.t[2] = {};
  CHECK(l.refused() == "T1");
}

TEST_CASE("RNN RN1, T3, T4: data types and DimensionCounts", "[rnn]") {
  for (const std::size_t i : {1u, 2u, 3u, 4u, 6u, 7u}) {
    layer l;
    l.t[i].data_type = data_type::float16;
    CHECK(l.refused() == "RN1");
    l.t[i].sizes[3] += 1;
    CHECK(l.refused() == "RN1");  // sizes are not compared
    l.t[i].data_type = data_type::int32;
    CHECK(l.refused() == "T3");
  }
  layer l;
  l.t[5].data_type = data_type::int32;
  CHECK(l.refused() == "T3");
  l = {};
  l.t[0].sizes = {1, 1, 5, 2, 4};
  CHECK(l.refused() == "T4");
}

TEST_CASE("RNN RN2, RN3, RN4: sizes", "[rnn]") {
  // The rule of each dimension of each tensor; none of those that define a size.
  const std::vector<std::vector<std::string>> rules{{"RN2", "RN4", "RN4 RN4 RN4 RN4", "RN4"},
                                                    {"RN2", "RN3", "RN4 RN4 RN4 RN4 RN4 RN4", "RN4"},
                                                    {"RN2", "RN3", "RN4", "RN4"},
                                                    {"RN2", "RN2", "RN3", "RN4"},
                                                    {"RN2", "RN3", "RN4", "RN4"},
                                                    {"RN2", "RN2", "RN2", "RN4"},
                                                    {"RN4", "RN3", "RN4", "RN4"},
                                                    {"RN2", "RN3", "RN4", "RN4"}};
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t dimension = 0; dimension < 4; ++dimension) {
      layer l;
      l.t[i].sizes[dimension] += 1;
      INFO("tensor " << i << " dimension " << dimension);
      CHECK(l.refused() == rules[i][dimension]);
    }
  layer l;
  l.t[3].sizes[3] = 3;
  CHECK(l.message() ==
        "RNN RN4: BiasTensor.Sizes[3] is 3, wanted 6 (twice WeightTensor.Sizes[2])");
  l = {};
  l.t[6].sizes[1] = 1;
  CHECK(l.message() == "RNN RN3: OutputSequenceTensor.Sizes[1] is 1, wanted 2 (num_directions)");
}

TEST_CASE("RNN RN5, RN6, RN8: the activations and the direction", "[rnn]") {
  layer l;
  l.desc.activation_descs = {hyperbolic};
  CHECK(l.refused() == "RN5");
  CHECK(l.message() == "RNN RN5: ActivationDescCount is 1, wanted 2 (one for each direction)");
  l.desc.activation_descs = {hyperbolic, relu, relu};
  CHECK(l.refused() == "RN5");
  l.desc.activation_descs = activation_list(std::vector<activation>(20, relu));
  CHECK(l.message() == "RNN RN5: ActivationDescCount is 9, wanted 2 (one for each direction)");  // or more
  l.desc.activation_descs = activation_list::null();
  CHECK(l.refused() == "RN5");
  CHECK(l.message() == "RNN RN5: ActivationDescs is null, wanted a pointer");
  l.desc.activation_descs = {hyperbolic, relu};
  l.desc.activation_descs[1].has_tensors = true;
  CHECK(l.refused() == "AR7");
  l.desc.activation_descs = {hyperbolic, activation{48}};  // SOFTMAX
  CHECK(l.refused() == "AR8");
  l.desc.activation_descs = {hyperbolic, activation{40, {inf, 0}}};
  CHECK(l.refused() == "AR9");
  l.desc.activation_descs = {hyperbolic, activation{8, {0, 1}}};  // CLIP
  CHECK(l.refused() == "");
  l.desc.activation_descs[1].scale_bias = scale_bias{2, inf};
  CHECK(l.refused() == "");
  l.desc.activation_descs = {activation{49, {0.5F, 0}}, relu};
  CHECK(l.refused() == "");
  l.desc.feature_level = feature_level::level_6_3;
  CHECK(l.refused() == "AR10");
  l = {};
  l.desc.direction = static_cast<recurrent_network_direction>(3);
  CHECK(l.refused() == "RN8");
  l.t[0].sizes[0] = 2;
  CHECK(l.refused() == "RN8 RN2");
  l = {};
  l.desc.direction = forward;
  CHECK(l.refused() == "RN3 RN3 RN3 RN3 RN3 RN3 RN5");
}

TEST_CASE("RNN RN9: no input may be OWNED_BY_DML", "[rnn]") {
  for (std::size_t i = 0; i < 6; ++i) {
    layer l;
    l.t[i].flags = tensor_flags::owned_by_dml;
    CHECK(l.refused() == "RN9");
  }
  layer l;
  l.t[7].flags = tensor_flags::owned_by_dml;
  CHECK(l.refused() == "T10");
}
