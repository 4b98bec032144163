// LSTM: results by hand, rules, and what devices may answer.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/lstm.hpp>
#include <goldml/operators/lstm.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/verdicts/lstm.hpp>
#include <goldml/reference/lstm.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"
#include "recurrent_layers.hpp"

namespace {

using namespace recurrent_layers;
using traits = operator_traits<lstm_desc>;
template <class T = float>
using layer = layer_of<lstm_desc, T>;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// The faults of SPEC-sequences 2.7.
enum class fault {
  none,
  order_ifco,
  order_icof,
  swaps_o_f,
  no_recurrent_bias,
  interleaved_bias,
  peephole_ifo,
  peephole_time,
  no_peephole,
  transposed,
  direction,
  no_initial_cell,
  last_input,
  no_clip,
  clip_before_bias,
  not_coupled,
  coupled_other,
  swaps_i_f,
  h_of_c,
  no_h,
  stale,
  whole_backward,
  last_cell
};
// A device, in Real: a plain kernel that shares no code with goldml. Sums forward or backward, states as they are or
// stored as T.
template <class T, class Real>
answer<T> device(const layer<T>& l, bool forward, bool stores, fault wrong = fault::none) {
  answer<T> result(l);
  const std::size_t S = l.steps, B = l.batch, I = l.inputs, H = l.hidden, D = direction_count(l.desc);
  const auto at = [&](std::size_t operand, std::size_t i) {
    return l.in[operand].empty() ? Real{0} : static_cast<Real>(static_cast<float>(l.in[operand][i]));
  };
  const auto kept = [&](Real x) {
    return stores ? static_cast<Real>(static_cast<float>(T(static_cast<float>(x)))) : x;
  };
  const bool clips = l.desc.use_clip_threshold && wrong != fault::no_clip;
  const Real most = static_cast<Real>(l.desc.clip_threshold);
  for (std::size_t d = 0; d < D; ++d)
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t length = l.lengths.empty() ? S : l.lengths[b];
      const bool backwards = (d == 1 && wrong != fault::direction) || l.desc.direction == backward;
      std::vector<Real> h(H), c(H), first(H);
      for (std::size_t i = 0; i < H; ++i) {
        h[i] = first[i] = at(4, (d * B + b) * H + i);
        c[i] = wrong == fault::no_initial_cell ? 0 : at(5, (d * B + b) * H + i);
      }
      const std::size_t count = wrong == fault::whole_backward && backwards ? S : length;
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t t = backwards ? count - 1 - n : n;
        std::vector<Real> next_h(H), next_c(H);
        for (std::size_t i = 0; i < H; ++i) {
          const auto gate = [&](std::size_t k, Real cell) {  // in the order i, o, f, c
            std::size_t row = k;
            if (wrong == fault::order_ifco) row = std::array<std::size_t, 4>{0, 3, 1, 2}[k];
            if (wrong == fault::order_icof) row = std::array<std::size_t, 4>{0, 2, 3, 1}[k];
            if (wrong == fault::swaps_o_f) row = std::array<std::size_t, 4>{0, 2, 1, 3}[k];
            std::vector<Real> terms;
            for (std::size_t j = 0; j + (wrong == fault::last_input ? 1 : 0) < I; ++j)
              terms.push_back(at(1, ((d * 4 + row) * H + i) * I + j) * at(0, (t * B + b) * I + j));
            for (std::size_t j = 0; j < H; ++j)
              terms.push_back((wrong == fault::transposed ? at(2, ((d * 4 + row) * H + j) * H + i)
                                                          : at(2, ((d * 4 + row) * H + i) * H + j)) *
                              (wrong == fault::stale ? first : h)[j]);
            const std::size_t plain = row * H + i;
            std::vector<Real> rest{at(3, d * 8 * H + (wrong == fault::interleaved_bias ? 2 * plain : plain))};
            if (wrong != fault::no_recurrent_bias)
              rest.push_back(at(3, d * 8 * H + (wrong == fault::interleaved_bias ? 2 * plain + 1 : 4 * H + plain)));
            if (k != 3 && wrong != fault::no_peephole) {
              const std::size_t p = wrong == fault::peephole_ifo ? std::array<std::size_t, 3>{0, 2, 1}[k] : k;
              rest.push_back(at(7, (d * 3 + p) * H + i) * cell);
            }
            if (wrong != fault::clip_before_bias) terms.insert(terms.end(), rest.begin(), rest.end());
            if (!forward) std::reverse(terms.begin(), terms.end());
            Real s = 0;
            for (const Real term : terms) s += term;
            if (clips) s = std::min(most, std::max(-most, s));
            if (wrong == fault::clip_before_bias)
              for (const Real term : rest) s += term;
            return activated<Real>(l.desc.activation_descs[3 * d + (k == 3 ? 1 : 0)], s);
          };
          const Real in = gate(0, c[i]);
          const bool couples = l.desc.couple_input_forget && wrong != fault::not_coupled;
          Real forget = couples ? 1 - in : gate(2, c[i]), input = in;
          if (wrong == fault::coupled_other && couples) std::swap(forget, input);
          if (wrong == fault::swaps_i_f) std::swap(forget, input);
          const Real candidate = gate(3, 0);
          next_c[i] = kept(forget * c[i] + input * candidate);
          const bool current = (l.desc.output_peephole == output_peephole::current) != (wrong == fault::peephole_time);
          const Real out = gate(1, current ? next_c[i] : c[i]);
          const Real seen = wrong == fault::h_of_c ? c[i] : next_c[i];
          next_h[i] =
              kept(out * (wrong == fault::no_h ? seen : activated<Real>(l.desc.activation_descs[3 * d + 2], seen)));
        }
        h = next_h;
        c = next_c;
        for (std::size_t i = 0; l.bound[0] && t < length && i < H; ++i)
          result.out[0][((t * D + d) * B + b) * H + i] = T(static_cast<float>(h[i]));
        // The last time step of the batch: of a shorter sequence nothing follows but zeros.
        for (std::size_t i = 0; i < H; ++i) {
          const std::size_t to = (d * B + b) * H + i;
          if (l.bound[1]) result.out[1][to] = T(static_cast<float>(h[i]));
          if (l.bound[2]) result.out[2][to] = T(static_cast<float>(wrong == fault::last_cell && length < S ? 0 : c[i]));
        }
      }
      for (std::size_t t = length; l.bound[0] && t < S; ++t)
        for (std::size_t i = 0; i < H; ++i) result.out[0][((t * D + d) * B + b) * H + i] = T(0.0F);
    }
  return result;
}

// Whether a fault changes anything of a layer.
bool concerns(fault wrong, const lstm_desc& desc) {
  if (wrong == fault::no_clip || wrong == fault::clip_before_bias) return desc.use_clip_threshold;
  if (wrong == fault::not_coupled || wrong == fault::coupled_other) return desc.couple_input_forget;
  return true;
}

// All operands, lengths and both directions.
template <class T, class F>
layer<T> drawn_layer(F number, bool couples, bool clips, lstm_desc desc, std::uint32_t steps) {
  layer<T> l{.steps = steps, .batch = 2, .inputs = 3, .hidden = 3, .desc = std::move(desc)};
  l.desc.direction = bidirectional;
  l.desc.couple_input_forget = couples;
  l.desc.use_clip_threshold = clips;
  l.lengths = {steps, steps - 1};
  const auto small = [&] { return number() / 2; };
  l.fill(number, {0, 1, 3, 4, 5});
  l.fill(small, {2, 7});
  return l;
}

// ONNX Runtime's layer (SPEC-sequences 2.6, 2). Its other forms, and WPT's layers, are among the published vectors.
layer<> onnx() {
  layer<> l{.inputs = 2, .hidden = 2};
  l.in[0] = {-0.455351F, -0.276391F, -0.185934F, -0.269585F};
  l.in[1] = {-0.494659F,  0.0453352F, -0.487793F, 0.417264F,  -0.0175329F, 0.489074F,  -0.446013F, 0.414029F,
             -0.0091708F, -0.255364F, -0.106952F, -0.266717F, -0.0888852F, -0.428709F, -0.283349F, 0.208792F};
  l.in[2] = {0.146626F,  -0.0620289F, -0.0815302F, 0.100482F, -0.219535F, -0.306635F, -0.28515F,  -0.314112F,
             -0.228172F, 0.405972F,   0.31576F,    0.281487F, -0.394864F, 0.42111F,   -0.386624F, -0.390225F};
  l.in[3] = {0.381619F, 0.0323954F, -0.14449F, 0.420804F, -0.258721F, 0.45056F, -0.250755F, 0.0967895F};
  l.in[3].resize(16, 0);
  l.in[7] = {0.2345F, 0.5235F, 0.4378F, 0.3475F, 0.8927F, 0.3456F};
  return l;
}

}  // namespace

TEST_CASE("LSTM: small integers, by hand", "[lstm]") {
  layer<> l{.desc = {.activation_descs = {relu, identity, identity}}};
  l.in = {{{1, 2}, {1, 2, 3, 1}, {1, 0, 0, 1}, {0, 1, 0, 0, 0, 0, -1, 1}, {}, {}, {}, {0, 1, 0}}};
  const auto check = [&](const floats& h, const floats& c) {
    const answer<float> y = run(l);
    CHECK(y.out[0] == h);
    CHECK(y.out[1] == floats{l.desc.direction == backward ? h[0] : h[1]});
    CHECK(y.out[2] == floats{c.back()});
    const oracle::golden golden = golden_of(l);
    for (const oracle::golden_output& output : golden.answers.front())
      CHECK((output.verdicts.all_exact() || h[0] == 0));  // a zero has either sign
  };
  check({10, 28386}, {166});
  l.desc.output_peephole = output_peephole::previous;
  check({6, 574}, {82});
  l.desc.output_peephole = output_peephole::current;
  l.desc.clip_threshold = 4;
  l.desc.use_clip_threshold = true;
  check({8, 96}, {24});
  l.desc.couple_input_forget = true;
  for (const std::size_t unread : {1U, 3U}) l.in[unread][2] = not_a_number;  // of the forget gate
  check({8, 40}, {10});
  l.desc.couple_input_forget = false;
  l.in[1][2] = 3, l.in[3][2] = 0;
  l.desc.direction = backward;
  check({112, 24}, {28});
  // Infinity clips nothing; 0 leaves f(0); without UseClipThreshold the member is ignored.
  l.desc.direction = recurrent_network_direction::forward;
  l.desc.clip_threshold = std::numeric_limits<float>::infinity();
  check({10, 28386}, {166});
  l.desc.use_clip_threshold = false;
  l.desc.clip_threshold = not_a_number;
  check({10, 28386}, {166});
  l.desc.use_clip_threshold = true;
  l.desc.clip_threshold = 0;
  check({0, 0}, {0});
}

TEST_CASE("LSTM: ONNX Runtime's layer, and LS-R1", "[lstm]") {
  layer<> l = onnx();
  answer<float> y = run(l);
  check_near(y.out[0], {-0.02510625F, 0.05612619F, -0.03277518F, 0.05935364F}, 2e-8F);
  check_near(y.out[2], {-0.07802058F, 0.09882900F}, 2e-8F);
  // The peephole of the output gate reads the state before: right as a whole, and the report says so.
  const oracle::golden golden = golden_of(l);
  lstm_desc previous = l.desc;
  previous.output_peephole = output_peephole::previous;
  layer<> other = l;
  other.desc = previous;
  const answer<float> before = run(other);
  check_near(before.out[0], {-0.02547895F, 0.05548427F, -0.03296886F, 0.05939729F}, 2e-8F);
  CHECK(judge(l, golden, before).outcome() == oracle::outcome::agrees);
  CHECK(report_of(l, golden, before)
            .find("LSTM: agrees with the cell state of the step before in the output gate's peephole (ledger LS-R1)") ==
        0);
  CHECK(report_of(l, golden, y).find("LSTM: agrees\n") == 0);
  answer<float> mixed = y;
  mixed.out[0][0] = before.out[0][0];
  CHECK(judge(l, golden, mixed).outcome() == oracle::outcome::differs);
  CHECK(judge(other, golden_of(other), y).outcome() == oracle::outcome::differs);  // the policy `previous`
  l.in[7].clear();
  CHECK(golden_of(l).answers.size() == 1);
}

TEST_CASE("LSTM: legal devices agree and each fault is refused", "[lstm]") {
  std::mt19937 random(9);
  const auto integer = [&] { return static_cast<float>(static_cast<int>(random() % 5) - 2); };
  const auto real = [&] { return static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1; };
  std::map<fault, std::array<int, 2>> faults;  // tried and refused
  const auto try_all = [&]<class T>(layer<T> l) {
    for (const bool whole : {true, false}) {
      l.bound = {whole, true, true};
      const oracle::golden golden = golden_of(l);
      for (const bool forward : {true, false})
        for (const bool stores : {true, false}) {
          CHECK(judge(l, golden, device<T, float>(l, forward, stores)).outcome() == oracle::outcome::agrees);
          CHECK(judge(l, golden, device<T, double>(l, forward, stores)).outcome() == oracle::outcome::agrees);
        }
      for (int k = 1; whole && k <= static_cast<int>(fault::last_cell); ++k) {
        const auto wrong = static_cast<fault>(k);
        // The time of the peephole is refused by example 2 above.
        if (wrong == fault::peephole_time || !concerns(wrong, l.desc)) continue;
        ++faults[wrong][0];
        faults[wrong][1] +=
            judge(l, golden, device<T, double>(l, true, false, wrong)).outcome() == oracle::outcome::differs;
      }
    }
  };
  const std::vector<activation> usual{sigmoid, hyperbolic, hyperbolic, sigmoid, hyperbolic, hyperbolic};
  for (const bool couples : {false, true}) {
    lstm_desc desc{.activation_descs = activation_list(usual)};
    desc.clip_threshold = 0.5F;
    try_all(drawn_layer<float>(real, couples, !couples, desc, 3));
    if (couples) try_all(drawn_layer<float16>(real, couples, true, desc, 2));
    // Exact in every order: SPEC-sequences 2.3.
    desc.activation_descs = {identity, relu, relu, identity, relu, relu};
    desc.clip_threshold = 4;
    try_all(drawn_layer<float>(integer, couples, true, desc, 4));
  }
  for (const auto& [wrong, count] : faults) {
    INFO("fault " << static_cast<int>(wrong) << ": " << count[1] << " of " << count[0] << " refused");
    CHECK(count[1] == count[0]);
    CHECK(count[0] > 0);
  }
}

TEST_CASE("LSTM: lengths, and steps judged from the states that the device stored", "[lstm]") {
  layer<> l{.steps = 3, .batch = 2, .desc = {.activation_descs = {identity, identity, identity}}};
  // The sum of every gate is 1: c' = c + 1 and h = c'.
  l.in = {{floats(6, 0), floats(4, 0), floats(4, 0), {1, 1, 1, 1, 0, 0, 0, 0}, {5, 6}, {10, 20}, {}, {}}};
  l.lengths = {2, 0};
  answer<float> y = run(l);
  CHECK(y.out[0] == floats{11, 0, 12, 0, 0, 0});
  CHECK(y.out[1] == floats{12, 6});
  CHECK(y.out[2] == floats{12, 20});
  const oracle::golden golden = golden_of(l);
  y.out[1][1] = y.out[2][1] = 7;  // of a length of 0 both are undefined
  CHECK(judge(l, golden, y).outcome() == oracle::outcome::agrees);
  y.out[0][5] = 1;  // beyond the length
  CHECK(judge(l, golden, y).result.differing() == 1);
  l.desc.direction = backward;
  CHECK(run(l).out[0] == floats{12, 0, 11, 0, 0, 0});
  // h = h + 1, from what was stored: the first wrong state alone is wrong.
  layer<> sum{.steps = 3, .desc = {.activation_descs = {identity, identity, identity}}};
  sum.in = {{{0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 0, 1, 0, 0, 0, 0}, {}, {}, {}, {}}};
  answer<float> got = run(sum);
  CHECK(got.out[0] == floats{1, 2, 3});
  got.out[0] = {1, 5, 6};
  got.out[1] = {6};
  const std::string report = report_of(sum, golden_of(sum), got);
  CHECK(report.find("in direction 0 step 1 of sequence 0 is the first that differs") != std::string::npos);
  CHECK(judge(sum, golden_of(sum), got).result.differing() == 1);
}

TEST_CASE("LSTM: cpu gives the same bits as reference", "[lstm]") {
  check_backends<lstm_desc>(3, [](auto& l, auto& random, const auto& number) {
    l.desc.couple_input_forget = random() % 2 == 0;
    l.desc.use_clip_threshold = random() % 2 == 0;
    l.desc.clip_threshold = static_cast<float>(random() % 4);
    for (const std::size_t i : {3U, 4U, 5U, 7U})
      if (random() % 2 == 0) l.fill(number, {i});
  });
}

TEST_CASE("LSTM LS1 to LS4, LS9: every dimension, data type and flag of each operand", "[lstm]") {
  std::array<std::optional<tensor_desc>, 11> legal;
  layer<> l{.steps = 5, .batch = 2, .inputs = 4, .hidden = 3};
  l.desc.direction = bidirectional;
  l.desc.activation_descs = {sigmoid, hyperbolic, hyperbolic, sigmoid, hyperbolic, relu};
  for (std::size_t i = 0; i < 11; ++i)
    legal[i] = {.data_type = i == traits::lengths ? data_type::uint32 : data_type::float32, .sizes = l.sizes(i)};
  const auto refused = [&](const lstm_desc& desc, const auto& tensors) {
    std::string codes;
    const std::vector<std::optional<tensor_desc>> all(tensors.begin(), tensors.end());
    for (const violation& v : goldml_test::violations_of(desc, all))
      if (codes.find(v.rule) == std::string::npos) codes += (codes.empty() ? "" : " ") + std::string(v.rule);
    return codes;
  };
  CHECK(refused(l.desc, legal) == "");
  // The rule of each dimension; W and R say what H and I are.
  const char* const rules[11][4]{
      {"LS2", "LS4", "LS4", "LS4"}, {"LS2", "LS3", "LS4", "LS4"}, {"LS2", "LS3", "LS4", "LS4"},
      {"LS2", "LS2", "LS3", "LS4"}, {"LS2", "LS3", "LS4", "LS4"}, {"LS2", "LS3", "LS4", "LS4"},
      {"LS2", "LS2", "LS2", "LS4"}, {"LS2", "LS2", "LS3", "LS4"}, {"LS4", "LS3", "LS4", "LS4"},
      {"LS2", "LS3", "LS4", "LS4"}, {"LS2", "LS3", "LS4", "LS4"}};
  for (std::size_t i = 0; i < 11; ++i) {
    INFO("operand " << i);
    for (std::size_t dimension = 0; dimension < 4; ++dimension) {
      auto t = legal;
      ++t[i]->sizes[dimension];
      CHECK(refused(l.desc, t) == rules[i][dimension]);
    }
    auto t = legal;
    t[i]->data_type = i == traits::lengths ? data_type::int32 : data_type::float16;
    CHECK(refused(l.desc, t) == (i == 0 ? "LS1" : i == traits::lengths ? "T3" : "LS1"));
    t = legal;
    t[i]->flags = tensor_flags::owned_by_dml;
    CHECK(refused(l.desc, t) == (i < traits::sequence ? "LS9" : "T10"));
    t = legal;
    t[i].reset();
    CHECK(refused(l.desc, t) == (i < 3 ? "T1" : ""));
  }
  // What no line of tests/lines/lstm.txt can say.
  lstm_desc desc = l.desc;
  desc.activation_descs = activation_list::null();
  CHECK(refused(desc, legal) == "LS5");
  desc = l.desc;
  desc.direction = static_cast<recurrent_network_direction>(3);
  CHECK(refused(desc, legal) == "LS8");
  desc.activation_descs = activation_list::null();  // LS8 hides LS5
  CHECK(refused(desc, legal) == "LS8");
  desc = l.desc;
  desc.clip_threshold = not_a_number;
  CHECK(refused(desc, legal) == "");
  desc.use_clip_threshold = true;
  CHECK(refused(desc, legal) == "LS11");
}

TEST_CASE("LSTM LS10: a length above the steps; nothing is written", "[lstm]") {
  layer<> l = onnx();
  l.lengths = {3};
  answer<float> y(l);
  const auto inputs = l.refs();
  const auto outputs = y.refs(l);
  const auto refused = [&](const auto& backend) {
    try {
      evaluate(backend, l.desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
    } catch (const error& refusal) {
      return to_string(refusal.violation());
    }
    return std::string();
  };
  for (const std::string& message : {refused(reference), refused(cpu)})
    CHECK(message == "LSTM LS10: SequenceLengthsTensor.element[0] is 3, wanted at most 2 (InputTensor.Sizes[1])");
  for (const auto& out : y.out) CHECK(std::all_of(out.begin(), out.end(), [](float x) { return x == 7; }));
}

TEST_CASE("LSTM: what states make of products with 0, and of sums that are not finite", "[lstm]") {
  // R is 0, so every step is the first again, and g(0) is 0 on every device.
  layer<> l{.steps = 4};
  l.fill([] { return 0.0F; }, {0, 1, 2});
  const oracle::golden golden = golden_of(l);
  const interval* last = golden.answers.front()[2].verdicts.interval_of(0);
  CHECK((last == nullptr || (last->low > -0x1p-126F && last->high < 0x1p-126F)));
  // An infinite cell makes a peephole's sum infinite or NaN, which a bound clips.
  const float inf = std::numeric_limits<float>::infinity();
  l = onnx();
  l.in[5] = {inf, -inf};
  l.desc.use_clip_threshold = true;
  for (const float p : {1.0F, 0.0F, -1.0F})
    for (const float threshold : {0.5F, inf}) {
      l.in[7].assign(6, p);
      l.desc.clip_threshold = threshold;
      CHECK(judge(l, golden_of(l), run(l)).outcome() == oracle::outcome::agrees);
    }
}

TEST_CASE("LSTM: the typed call, with omitted tensors", "[lstm]") {
  const tensor<float> x({1, 2, 1, 1}, {1, 2}), w({1, 1, 4, 1}, {1, 2, 3, 1}), r({1, 1, 4, 1}, {1, 0, 0, 1});
  const tensor<float> bias({1, 1, 1, 8}, {0, 1, 0, 0, 0, 0, -1, 1}), peephole({1, 1, 1, 3}, {0, 1, 0});
  tensor<float> cell({1, 1, 1, 1});
  const const_tensor_ref none;
  const lstm_desc desc{.activation_descs = {relu, identity, identity}};
  lstm(reference, x, w, r, bias, none, none, none, peephole, tensor_ref(), tensor_ref(), cell, desc);
  CHECK(cell.elements() == floats{166});
}
