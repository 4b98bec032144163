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
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/report.hpp>
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
    return {{1, steps, batch, width}, {1, d, hidden, width}, {1, d, hidden, hidden},    {1, 1, d, 2 * hidden},
            {1, d, batch, hidden},    {1, 1, 1, batch},      {steps, d, batch, hidden}, {1, d, batch, hidden}};
  }
  std::vector<const_tensor_ref> inputs() const {
    const auto all = sizes();
    const auto ref = [](const auto& elements, const dimensions& s) {
      return elements.empty() ? const_tensor_ref() : const_tensor_ref(tensor_view(elements.data(), s));
    };
    return {ref(x, all[0]), ref(w, all[1]), ref(r, all[2]), ref(bias, all[3]), ref(init, all[4]), ref(lengths, all[5])};
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
    for (const dimensions& sizes : std::vector<dimensions>{{1, 5, 2, 4},
                                                           {1, 2, 3, 4},
                                                           {1, 2, 3, 3},
                                                           {1, 1, 2, 6},
                                                           {1, 2, 2, 3},
                                                           {1, 1, 1, 2},
                                                           {5, 2, 2, 3},
                                                           {1, 2, 2, 3}})
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
  CHECK(run(n).sequence == floats{1 + 11, 3 + 22 + 1, 5 + 33, 2 + 11, 4 + 22, 6 + 33 + 2, 3 + 11 + 26, 7 + 22 + 12,
                                  11 + 33 + 38, 2 + 11 + 26, 6 + 22 + 13, 10 + 33 + 41});
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

TEST_CASE("RNN RN-R3: steps that magnify what a double loses", "[rnn]") {
  std::mt19937 random(43);
  for (const activation& f : {hyperbolic, relu, identity}) {
    network<> n{.steps = 30, .batch = 2, .width = 2, .hidden = 7};
    const auto draw = [&](floats& numbers, std::size_t count) {
      numbers.clear();
      while (numbers.size() < count) numbers.push_back(static_cast<float>(random() % (1 << 24)) * 0x1p-22F - 2);
    };
    draw(n.x, 30 * 2 * 2);
    draw(n.w, 7 * 2);
    draw(n.r, 7 * 7);
    draw(n.bias, 2 * 7);
    draw(n.init, 2 * 7);
    n.desc.activation_descs = {f};
    run(n);
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

namespace {

// The golden answer of a network, and the judgement of a device that has this sequence and last state.
template <class T>
oracle::golden golden_of(const network<T>& n) {
  const auto inputs = n.inputs();
  std::vector<tensor_desc> outputs(2);
  if (n.has_sequence) outputs[0] = {.data_type = data_type_of<T>, .sizes = n.sizes()[6]};
  if (n.has_single) outputs[1] = {.data_type = data_type_of<T>, .sizes = n.sizes()[7]};
  return oracle::expect(n.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
}
template <class T>
struct judged_states {
  oracle::judgement judged;
  std::string report;
  // The first step, in the order of OutputSequence, with a refused state; the number of steps if none is.
  std::uint32_t first_wrong;
};
template <class T>
judged_states<T> judge_states(const network<T>& n, const oracle::golden& golden, answer<T> got) {
  std::vector<const_tensor_ref> actual;
  for (const tensor_ref& ref : got.refs(n)) actual.push_back(ref);
  judged_states<T> result{oracle::compare(golden, actual), "", n.steps};
  const oracle::judged_names names{"RNN", {"OutputSequenceTensor", "OutputSingleTensor"}};
  result.report = oracle::report(golden, actual, result.judged, {}, names, "");
  if (!n.has_sequence) return result;
  const auto& output = oracle::judged_outputs(golden, result.judged)[0];
  const auto values = output.values.ref().template as<T>();
  for (std::size_t i = got.sequence.size(); i-- > 0;) {
    const coordinate_tuple c = coordinate_at(n.sizes()[6], i);
    if (oracle::place_of<T>(output, i, values[c], got.sequence[i], {}) == interval_place::outside)
      result.first_wrong = c[0];
  }
  return result;
}

enum class storage { nearest, toward_zero };
// A device: its state is State, and stored as T. The faults begin at step `from`.
enum class rnn_fault { none, constant, ignores_r, forgets_bias };
template <class T, class State>
answer<T> states_of_device(const network<T>& n, storage stored, rnn_fault fault = rnn_fault::none,
                           std::uint32_t from = 0) {
  answer<T> result(n, T{});
  const bool backwards = n.desc.direction == backward;
  std::vector<State> h(n.hidden), next(n.hidden);
  const auto number = [](T x) { return static_cast<State>(static_cast<float>(x)); };
  for (std::uint32_t b = 0; b < n.batch; ++b) {
    const std::uint32_t length = n.lengths.empty() ? n.steps : n.lengths[b];
    for (std::uint32_t i = 0; i < n.hidden; ++i) h[i] = n.init.empty() ? State{} : number(n.init[b * n.hidden + i]);
    for (std::uint32_t step = 0; step < length; ++step) {
      const std::uint32_t t = backwards ? length - 1 - step : step;
      const rnn_fault now = step < from ? rnn_fault::none : fault;
      for (std::uint32_t i = 0; i < n.hidden; ++i) {
        using sum_type = std::conditional_t<std::is_same_v<State, double>, double, float>;
        sum_type sum = 0;
        for (std::uint32_t j = 0; j < n.width; ++j)
          sum += static_cast<sum_type>(number(n.w[i * n.width + j])) *
                 static_cast<sum_type>(number(n.x[(t * n.batch + b) * n.width + j]));
        if (now != rnn_fault::ignores_r)
          for (std::uint32_t j = 0; j < n.hidden; ++j)
            sum += static_cast<sum_type>(number(n.r[i * n.hidden + j])) * static_cast<sum_type>(h[j]);
        sum += static_cast<sum_type>(number(n.bias[i]));
        if (now != rnn_fault::forgets_bias) sum += static_cast<sum_type>(number(n.bias[n.hidden + i]));
        sum_type y = now == rnn_fault::constant ? sum_type(0.99) : std::tanh(sum);
        const auto direction = stored == storage::nearest ? rounding::nearest_even : rounding::toward_zero;
        const T kept =
            std::is_same_v<T, float> ? T(static_cast<float>(y)) : rounded<T>(static_cast<double>(y), direction);
        next[i] = std::is_same_v<State, double> ? static_cast<State>(y)
                  : std::is_same_v<State, T>    ? number(kept)
                                                : static_cast<State>(y);
        if (n.has_sequence) result.sequence[(t * n.batch + b) * n.hidden + i] = kept;
        if (n.has_single && step + 1 == length) result.single[b * n.hidden + i] = kept;
      }
      h.swap(next);
    }
  }
  return result;
}

// Weights of +-1/sqrt(size), inputs of +-1, biases of 1/8.
template <class T>
network<T> large_network(std::uint32_t seed, std::uint32_t size, std::uint32_t steps) {
  std::mt19937 random(seed);
  network<T> n{.steps = steps, .batch = 1, .width = size, .hidden = size};
  const float weight = 1 / std::sqrt(static_cast<float>(size));
  const auto fill = [&](std::vector<T>& to, std::size_t count, float magnitude) {
    for (std::size_t i = 0; i < count; ++i) to.push_back(T(random() % 2 == 0 ? magnitude : -magnitude));
  };
  fill(n.x, std::size_t{steps} * size, 1);
  fill(n.w, std::size_t{size} * size, weight);
  fill(n.r, std::size_t{size} * size, weight);
  for (std::size_t i = 0; i < 2 * std::size_t{size}; ++i) n.bias.push_back(T(0.125F));
  return n;
}

}  // namespace

// The layers of the ledger have 256 numbers and 64 steps; these are less, so that they can be run with every change.
TEST_CASE("A9: RNN is judged step by step from the states that the device stored", "[rnn]") {
  const auto run_all = [](auto number, std::uint32_t size, std::uint32_t steps) {
    using T = decltype(number);
    network<T> n = large_network<T>(5, size, steps);
    for (const bool backwards : {false, true}) {
      if (backwards) n.desc.direction = backward;
      const oracle::golden golden = golden_of(n);
      for (const storage stored : {storage::nearest, storage::toward_zero}) {
        if (std::is_same_v<T, float> && stored == storage::toward_zero) continue;
        for (const auto& legal : {states_of_device<T, float>(n, stored), states_of_device<T, double>(n, stored),
                                  states_of_device<T, T>(n, stored)}) {
          const auto judged = judge_states(n, golden, legal);
          CHECK(judged.judged.outcome() == oracle::outcome::agrees);
          CHECK(judged.judged.result.hardly_tested() == 0);
        }
      }
      // The first step with a fault differs, and none before; in the order of the steps, which may run backward.
      for (const rnn_fault fault : {rnn_fault::constant, rnn_fault::ignores_r, rnn_fault::forgets_bias}) {
        const std::uint32_t from = 3;
        const auto wrong = judge_states(n, golden, states_of_device<T, float>(n, storage::nearest, fault, from));
        CHECK(wrong.judged.outcome() == oracle::outcome::differs);
        const std::uint32_t at = backwards ? steps - 1 - from : from;
        const std::string note = fmt::format("in direction 0 step {} of sequence 0 is the first that differs", at);
        CHECK(wrong.report.find(note) != std::string::npos);
        if (!backwards) CHECK(wrong.first_wrong == from);
      }
    }
  };
  run_all(0.0F, 24, 12);
  run_all(float16{}, 12, 8);
}

TEST_CASE("A9: without OutputSequence an RNN is hardly tested, and the report says so", "[rnn]") {
  network<> n = large_network<float>(7, 16, 40);
  for (float& r : n.r) r *= 8;
  n.has_sequence = false;
  const oracle::golden golden = golden_of(n);
  const auto wrong = judge_states(n, golden, answer<float>(n, 0.99F));
  CHECK(wrong.judged.outcome() == oracle::outcome::agrees);
  CHECK(wrong.judged.result.hardly_tested() == 16);
  CHECK(
      wrong.report.find("RNN: agrees; 100 % of the elements were hardly tested: OutputSequenceTensor, bound and given, "
                        "would test them\n") == 0);
  // Bound, it is tested: also if only the last state is wrong.
  n.has_sequence = true;
  const oracle::golden bound = golden_of(n);
  answer<float> got = states_of_device<float, float>(n, storage::nearest);
  CHECK(judge_states(n, bound, got).judged.outcome() == oracle::outcome::agrees);
  got.single[5] = 0.99F;
  const auto last = judge_states(n, bound, got);
  CHECK(last.judged.result.outputs[0].differing == 0);
  CHECK(last.judged.result.outputs[1].differing == 1);
  CHECK(last.report.find(" from the device's state before, got 0.99 ") != std::string::npos);
  // A sequence that cannot be compared says nothing.
  std::vector<const_tensor_ref> actual{const_tensor_ref(), got.refs(n)[1]};
  CHECK(oracle::compare(bound, actual).given == nullptr);
}

TEST_CASE("A9: a refused state, and one that is not finite, are used all the same", "[rnn]") {
  // h = x + h: 1, 3, 6. Exactly, so that each step has one right answer.
  network<> n{.steps = 3, .width = 1};
  n.w = {1};
  n.r = {1};
  n.x = {1, 2, 3};
  n.desc.activation_descs = {identity};
  n.has_single = false;
  const oracle::golden golden = golden_of(n);
  const auto wrong_steps = [&](const floats& states) {
    answer<float> got(n, 0);
    got.sequence = states;
    return judge_states(n, golden, got).judged.result.differing();
  };
  CHECK(wrong_steps({1, 3, 6}) == 0);
  CHECK(wrong_steps({1, 4, 7}) == 1);  // 4 is wrong, and 7 follows from it
  CHECK(wrong_steps({1, 4, 6}) == 1);  // or the golden value
  CHECK(wrong_steps({1, 4, 8}) == 2);
  CHECK(wrong_steps({1, 3, 6.0000005F}) == 1);
  CHECK(wrong_steps({inf, inf, inf}) == 1);
  CHECK(wrong_steps({not_a_number, not_a_number, not_a_number}) == 1);
  CHECK(wrong_steps({1, not_a_number, 6}) == 1);
  CHECK(wrong_steps({1, not_a_number, 7}) == 2);
  // A length, and a first state.
  n.lengths = {2};
  n.init = {10};
  const oracle::golden shorter = golden_of(n);
  answer<float> got(n, 0);
  got.sequence = {11, 13, 0};
  CHECK(judge_states(n, shorter, got).judged.result.differing() == 0);
  got.sequence = {1, 3, 0};
  CHECK(judge_states(n, shorter, got).judged.result.differing() == 1);
  got.sequence = {11, 13, 16};
  CHECK(judge_states(n, shorter, got).judged.result.differing() == 1);
}

TEST_CASE("A9: in half precision the state before is off by half a unit of FLOAT16", "[rnn]") {
  // From the stored state h = 1: e = 2^-11 h + 2^-25. The sum of I + H + 3 and three more roundings: ((1 + 2^-11)^8 - 1)
  // (1 + e) + e + 2^-25 * 7 = 0.0044031, which is rounded to FLOAT16, 2^-10 (1 + 0.0044): 0.0053842.
  network<> n{.width = 1};
  n.x = {1, 0};
  n.w = n.r = {1};
  n.desc.activation_descs = {identity};
  n.desc.accumulation = accumulation::half;
  n.has_single = false;
  const oracle::golden golden = golden_of(n);
  const auto agrees = [&](float second) {
    answer<float> got(n, 0);
    got.sequence = {1, second};
    return judge_states(n, golden, got).judged.outcome() == oracle::outcome::agrees;
  };
  for (const float right : {1.00538F, 0.99462F, 1.0F}) CHECK(agrees(right));
  for (const float wrong : {1.00539F, 0.9946F}) CHECK_FALSE(agrees(wrong));
}

TEST_CASE("A9: a device may go on with more than the greatest FLOAT16 that it stored", "[rnn]") {
  // 40000 and the bias of R, 30000, are 70000, kept in FLOAT32 and stored as inf or 65504; then 0.5 * 70000 + 30000.
  network<float16> n{.width = 1};
  const auto h = [](float x) { return static_cast<float16>(x); };
  n.w = {h(2)};
  n.r = {h(0.5F)};
  n.x = {h(20000), h(0)};
  n.bias = {h(0), h(30000)};
  n.desc.activation_descs = {identity};
  n.has_single = false;
  const oracle::golden golden = golden_of(n);
  const auto agrees = [&](float first, float second) {
    answer<float16> got(n, h(0));
    got.sequence = {h(first), h(second)};
    return judge_states(n, golden, got).judged.outcome() == oracle::outcome::agrees;
  };
  CHECK(agrees(inf, 64992));
  CHECK(agrees(65504, 64992));
  CHECK(agrees(inf, inf));
  CHECK(agrees(65504, 62752));
  CHECK_FALSE(agrees(20000, 64992));
}

TEST_CASE("A3: of RNN in FLOAT16 the projection of the input may be stored", "[rnn]") {
  // W x = 2049, which FLOAT16 has not: 2048 or 2050; R h is 0, and the bias of R -2047. So 2 is right, and 1 and 3 are
  // what a device gives that stores W x toward zero, to nearest even or with another rounding.
  const auto h = [](float x) { return static_cast<float16>(x); };
  network<float16> n{.steps = 1, .width = 2};
  n.w = {h(1), h(1)};
  n.x = {h(2048), h(1)};
  n.r = {h(0)};
  n.bias = {h(0), h(-2047)};
  n.desc.activation_descs = {identity};
  CHECK(run(n).sequence[0] == h(2));
  CHECK(accepted(n, 0, h(1)));
  CHECK(accepted(n, 0, h(3)));
  CHECK_FALSE(accepted(n, 0, h(8)));
  // 2048 is stored as it is, and so is 2048 - 2: exact.
  n.x = {h(2047), h(1)};
  n.bias = {h(-2), h(0)};
  CHECK(run(n).sequence[0] == h(2046));
  CHECK_FALSE(accepted(n, 0, h(2045)));
  CHECK_FALSE(accepted(n, 0, h(2047)));
  // In FLOAT32 nothing is stored in between.
  network<> wide{.steps = 1, .width = 2};
  wide.w = {1, 1};
  wide.x = {2048, 1};
  wide.r = {0};
  wide.bias = {0, -2047};
  wide.desc.activation_descs = {identity};
  CHECK_FALSE(accepted(wide, 0, 1.0F));
  // Above 65504 it may be infinite: nothing is known of a sum that is not.
  n.x = {h(60000), h(60000)};
  n.bias = {h(-60000), h(-60000)};
  CHECK(run(n).sequence[0] == h(0));
  CHECK(accepted(n, 0, h(inf)));
  CHECK(accepted(n, 0, h(5504 - 60000)));
}

TEST_CASE("A8: RNN with RELU of a sum that is infinite in one order and NaN in another", "[rnn]") {
  // inf - 3e38 - 3e38; from the other end -inf + inf. RELU of that NaN is 0, and RELU(1 - 0) is 1.
  network<> n{.width = 3};
  n.x = {inf, 3e38F, 3e38F, 1, 0, 0};
  n.w = {1, -1, -1};
  n.r = {-1};
  n.desc.activation_descs = {relu};
  CHECK(run(n).sequence == floats{inf, 0});
  for (const float right : {0.0F, 1.0F, not_a_number}) CHECK(accepted(n, 1, right));
  CHECK_FALSE(accepted(n, 1, -1.0F));
}

TEST_CASE("RNN: work and the memory of verdicts, by hand", "[rnn]") {
  operands_of<rnn_desc> operands;
  const std::array<dimensions, 8> sizes{
      {{1, 3, 2, 5}, {1, 1, 4, 5}, {1, 1, 4, 4}, {}, {}, {}, {3, 1, 2, 4}, {1, 1, 2, 4}}};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!sizes[i].empty()) operands[i].desc = {.data_type = data_type::float32, .sizes = sizes[i]};
  const rnn_desc desc{.activation_descs = {hyperbolic}};
  // 24 + 8 elements with a byte and an interval, three times; all tensors; two states of 4 numbers with their errors.
  CHECK(oracle::verdict_traits<rnn_desc>::verdict_memory(desc, operands) ==
        3 * 32 * (1 + sizeof(interval) + more_interval_memory) + 4 * (30 + 20 + 16 + 24 + 8) + 2 * 4 * sizeof(detail::uncertain_hidden));
  operands[6].desc = {};
  CHECK(oracle::verdict_traits<rnn_desc>::verdict_memory(desc, operands) ==
        8 * (1 + sizeof(interval) + more_interval_memory) + 4 * (30 + 20 + 16 + 8) + 2 * 4 * sizeof(detail::uncertain_hidden));
}

TEST_CASE("RNN: cpu gives the same bits as reference", "[rnn]") {
  std::mt19937 random(11);
  const auto element = [&](int kind) -> float {
    if (kind == 0) return static_cast<float>(static_cast<int>(random() % 5) - 2);
    if (kind == 1) return static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1;
    return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  };
  constexpr std::array<std::uint32_t, 16> types{35, 37, 38, 39, 40, 43, 44, 45, 46, 47, 49, 50, 51, 52, 90, 128};
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
  CHECK(l.message() == "RNN RN4: BiasTensor.Sizes[3] is 3, wanted 6 (twice WeightTensor.Sizes[2])");
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
  l.desc.activation_descs = {hyperbolic, activation{8, {0, 1}}};  // CLIP (LS-R6)
  CHECK(l.refused() == "AR8");
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
