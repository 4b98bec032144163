// GRU: results by hand, rules, and what devices may answer.
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

#include <goldml/cpu/gru.hpp>
#include <goldml/operators/gru.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/verdicts/gru.hpp>
#include <goldml/reference/gru.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"
#include "recurrent_layers.hpp"

namespace {

using namespace recurrent_layers;
using traits = operator_traits<gru_desc>;
template <class T = float>
using layer = layer_of<gru_desc, T>;

// The faults of SPEC-sequences 3.6, and RNN's.
enum class fault {
  none,
  order_rz,
  order_rz_in_r,
  other_mix,
  other_reset,
  outside_reset,
  no_recurrent_bias,
  interleaved_bias,
  last_input,
  direction,
  transposed,
  stale,
  no_reset,
  whole_backward,
  no_initial
};
// A device, in Real: a plain kernel that shares no code with goldml. Sums forward or backward; h as (1 - z) n + z h or
// as n + z (h - n); states, gates and products with states as they are or stored as T.
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
  const bool linear = l.desc.linear_before_reset != (wrong == fault::other_reset);
  for (std::size_t d = 0; d < D; ++d)
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t length = l.lengths.empty() ? S : l.lengths[b];
      const bool backwards = (d == 1 && wrong != fault::direction) || l.desc.direction == backward;
      std::vector<Real> h(H);
      for (std::size_t i = 0; i < H; ++i) h[i] = wrong == fault::no_initial ? 0 : at(4, (d * B + b) * H + i);
      const std::vector<Real> first = h;
      const std::size_t count = wrong == fault::whole_backward && backwards ? S : length;
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t t = backwards ? count - 1 - n : n;
        const auto total = [&](std::vector<Real> terms) {
          if (!forward) std::reverse(terms.begin(), terms.end());
          Real s = 0;
          for (const Real term : terms) s += term;
          return s;
        };
        const auto bias_of = [&](std::size_t row, std::size_t half) {
          if (half == 1 && wrong == fault::no_recurrent_bias) return Real{0};
          return at(3, d * 6 * H + (wrong == fault::interleaved_bias ? 2 * row + half : half * 3 * H + row));
        };
        const auto input_terms = [&](std::size_t row) {
          std::vector<Real> terms;
          for (std::size_t j = 0; j + (wrong == fault::last_input ? 1 : 0) < I; ++j)
            terms.push_back(at(1, (d * 3 * H + row) * I + j) * at(0, (t * B + b) * I + j));
          return terms;
        };
        const auto state_terms = [&](std::size_t row, const std::vector<Real>& states) {
          std::vector<Real> terms;
          const std::size_t gate = row / H, i = row % H;
          for (std::size_t j = 0; j < H; ++j)
            terms.push_back((wrong == fault::transposed ? at(2, ((d * 3 + gate) * H + j) * H + i)
                                                        : at(2, (d * 3 * H + row) * H + j)) *
                            states[j]);
          return terms;
        };
        const auto sum = [&](std::size_t row, std::size_t row_of_r, const std::vector<Real>& states) {
          std::vector<Real> terms = input_terms(row);
          for (const Real term : state_terms(row_of_r, states)) terms.push_back(term);
          terms.push_back(bias_of(row, 0));
          terms.push_back(bias_of(row, 1));
          return total(terms);
        };
        const activation &f = l.desc.activation_descs[2 * d], &g = l.desc.activation_descs[2 * d + 1];
        std::vector<Real> z(H), r(H), reset(H), next(H);
        const std::vector<Real>& seen = wrong == fault::stale ? first : h;
        for (std::size_t i = 0; i < H; ++i) {
          const bool in_w = wrong == fault::order_rz, in_r = in_w || wrong == fault::order_rz_in_r;
          z[i] = kept(activated<Real>(f, sum(in_w ? H + i : i, in_r ? H + i : i, seen)));
          r[i] = activated<Real>(f, sum(in_w ? i : H + i, in_r ? i : H + i, seen));
          if (wrong == fault::no_reset) r[i] = 1;
          reset[i] = kept(r[i] * seen[i]);
        }
        for (std::size_t i = 0; i < H; ++i) {
          const std::size_t row = 2 * H + i;
          Real candidate;
          if (linear) {
            std::vector<Real> of_state = state_terms(row, seen), terms = input_terms(row);
            if (wrong != fault::outside_reset) of_state.push_back(bias_of(row, 1));
            terms.push_back(r[i] * kept(total(of_state)));
            if (wrong == fault::outside_reset) terms.push_back(bias_of(row, 1));
            terms.push_back(bias_of(row, 0));
            candidate = activated<Real>(g, total(terms));
          } else {
            candidate = activated<Real>(g, sum(row, row, reset));
          }
          const Real old = wrong == fault::other_mix ? candidate : h[i];
          if (wrong == fault::other_mix) candidate = h[i];
          next[i] = kept(forward ? (1 - z[i]) * candidate + z[i] * old : candidate + z[i] * (old - candidate));
        }
        h = next;
        for (std::size_t i = 0; l.bound[0] && t < length && i < H; ++i)
          result.out[0][((t * D + d) * B + b) * H + i] = T(static_cast<float>(h[i]));
        for (std::size_t i = 0; l.bound[1] && i < H; ++i)
          result.out[1][(d * B + b) * H + i] = T(static_cast<float>(h[i]));
      }
      for (std::size_t t = length; l.bound[0] && t < S; ++t)
        for (std::size_t i = 0; i < H; ++i) result.out[0][((t * D + d) * B + b) * H + i] = T(0.0F);
    }
  return result;
}

// All operands, lengths and both directions.
template <class T, class F>
layer<T> drawn_layer(F number, gru_desc desc, std::uint32_t steps, std::uint32_t hidden = 3) {
  layer<T> l{.steps = steps, .batch = 2, .inputs = 3, .hidden = hidden, .desc = std::move(desc)};
  l.desc.direction = bidirectional;
  l.lengths = {steps, steps - 1};
  l.fill(number, {0, 1, 2, 3, 4});
  return l;
}

}  // namespace

TEST_CASE("GRU: small integers, by hand", "[gru]") {
  layer<> l{.desc = {.activation_descs = {relu, identity}}};
  l.in = {{{1, 2}, {1, 2, 1}, {1, 0, 1}, {0, 0, 1, 0, 0, 2}, {1}}};
  const auto check = [&](const floats& h) {
    const answer<float> y = run(l);
    CHECK(y.out[0] == h);
    CHECK(y.out[1] == floats{l.desc.direction == backward ? h[0] : h[1]});
    const oracle::golden golden = golden_of(l);
    for (const oracle::golden_output& output : golden.answers.front()) CHECK(output.verdicts.all_exact());
  };
  check({-4, -11});
  l.desc.direction = backward;
  check({-26, -15});
  l.desc.linear_before_reset = true;
  check({-48, -27});
  l.desc.direction = recurrent_network_direction::forward;
  check({-6, -13});
}

TEST_CASE("GRU: ONNX Runtime's layers (SPEC-sequences 3.5)", "[gru]") {
  layer<> l{.batch = 2, .hidden = 3};
  l.in = {{{1, 2, 10, 11}, {0.1F, 0.2F, 0.3F, 1, 2, 3, 10, 11, 12}, floats(27, 0.1F), {}, {}}};
  check_near(run(l).out[0],
             {0.4750208F, 0.4501660F, 0.4255575F, 0.4501660F, 0.4013123F, 0.3543437F, 0.6027093F, 0.5083023F,
              0.4495022F, 0.5754369F, 0.4548546F, 0.3747841F},
             1e-7F);
  l = {.hidden = 3};
  l.in = {{{-0.1F, -0.3F},
           {0.1F, 0.2F, 0.3F, 0.2F, 0.3F, 0.1F, 0.3F, 0.1F, 0.2F},
           floats(27, 0.1F),
           {-0.01F, 0.1F, 0.01F, -0.2F, -0.02F, 0.02F, 0.3F, -0.3F, -0.3F, -0.03F, 0.5F, -0.7F, 0.05F, -0.7F, 0.3F,
            0.07F, -0.03F, 0.5F},
           {}}};
  const answer<float> before = run(l);
  check_near(before.out[0], {0.16783131F, -0.11754231F, 0.11977844F, 0.22688603F, -0.19698406F, 0.14017844F}, 1e-7F);
  l.desc.linear_before_reset = true;
  const answer<float> after = run(l);
  check_near(after.out[0], {0.15024948F, -0.11097029F, -0.02121867F, 0.19538902F, -0.19016477F, -0.05644283F}, 1e-7F);
  CHECK(judge(l, golden_of(l), before).outcome() == oracle::outcome::differs);
  CHECK(judge(l, golden_of(l), after).outcome() == oracle::outcome::agrees);
}

TEST_CASE("GRU: legal devices agree and each fault is refused", "[gru]") {
  std::mt19937 random(9);
  const auto integer = [&] { return static_cast<float>(static_cast<int>(random() % 5) - 2); };
  const auto real = [&] { return static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1; };
  std::map<fault, std::array<int, 2>> faults;  // tried and refused
  const auto try_all = [&]<class T>(layer<T> l) {
    for (const bool whole : {true, false}) {
      l.bound = {whole, true};
      const oracle::golden golden = golden_of(l);
      for (const bool forward : {true, false})
        for (const bool stores : {true, false}) {
          CHECK(judge(l, golden, device<T, float>(l, forward, stores)).outcome() == oracle::outcome::agrees);
          CHECK(judge(l, golden, device<T, double>(l, forward, stores)).outcome() == oracle::outcome::agrees);
        }
      for (int k = 1; whole && k <= static_cast<int>(fault::no_initial); ++k) {
        const auto wrong = static_cast<fault>(k);
        if (wrong == fault::outside_reset && !l.desc.linear_before_reset) continue;
        ++faults[wrong][0];
        faults[wrong][1] +=
            judge(l, golden, device<T, double>(l, true, false, wrong)).outcome() == oracle::outcome::differs;
      }
    }
  };
  for (const bool linear : {false, true}) {
    gru_desc desc{.activation_descs = {sigmoid, hyperbolic, sigmoid, hyperbolic}};
    desc.linear_before_reset = linear;
    try_all(drawn_layer<float>(real, desc, 3));
    try_all(drawn_layer<float16>(real, desc, 2));
    // Exact in every order.
    desc.activation_descs = {relu, identity, relu, identity};
    try_all(drawn_layer<float>(integer, desc, 2));
  }
  for (const auto& [wrong, count] : faults) {
    INFO("fault " << static_cast<int>(wrong) << ": " << count[1] << " of " << count[0] << " refused");
    CHECK(count[1] == count[0]);
    CHECK(count[0] > 0);
  }
}

TEST_CASE("GRU: in 32 steps of 32 numbers the first wrong step is refused, and legal devices are not", "[gru]") {
  std::mt19937 random(7);
  const auto real = [&] { return (static_cast<float>(random() & 0xFFFFFF) * 0x1p-23F - 1) * 0.17F; };
  for (const bool linear : {false, true}) {
    gru_desc desc{.activation_descs = {sigmoid, hyperbolic, sigmoid, hyperbolic}, .linear_before_reset = linear};
    const auto try_type = [&]<class T>(T) {
      const layer<T> l = drawn_layer<T>(real, desc, 32, 32);
      const oracle::golden golden = golden_of(l);
      for (const bool forward : {true, false})
        CHECK(judge(l, golden, device<T, float>(l, forward, !forward)).outcome() == oracle::outcome::agrees);
      for (const fault wrong : {fault::order_rz, fault::other_mix, fault::no_recurrent_bias, fault::last_input}) {
        const answer<T> right = device<T, float>(l, true, false), other = device<T, float>(l, true, false, wrong);
        // Right up to step 8, of direction 0, and the fault's answer to the same state in it alone: few elements.
        answer<T> got = right;
        const std::size_t row = 2 * 2 * 32;
        std::copy(other.out[0].begin() + 8 * row, other.out[0].begin() + 8 * row + 32, got.out[0].begin() + 8 * row);
        CHECK(judge(l, golden, got).outcome() == oracle::outcome::differs);
      }
    };
    try_type(0.0F);
    try_type(float16());
  }
}

TEST_CASE("GRU: lengths, and steps judged from the states that the device stored", "[gru]") {
  layer<> l{.steps = 3, .batch = 2, .desc = {.activation_descs = {identity, identity}}};
  // z = 0 and n = r h + 1 with r = 1, so h' = h + 1.
  l.in = {{floats(6, 0), floats(3, 0), {0, 0, 1}, {0, 1, 1, 0, 0, 0}, {5, 6}}};
  l.lengths = {2, 0};
  answer<float> y = run(l);
  CHECK(y.out[0] == floats{6, 0, 7, 0, 0, 0});
  CHECK(y.out[1] == floats{7, 6});
  const oracle::golden golden = golden_of(l);
  y.out[1][1] = 7;  // of a length of 0 it is undefined
  CHECK(judge(l, golden, y).outcome() == oracle::outcome::agrees);
  y.out[0][5] = 1;  // beyond the length
  CHECK(judge(l, golden, y).result.differing() == 1);
  l.desc.direction = backward;
  CHECK(run(l).out[0] == floats{7, 0, 6, 0, 0, 0});
  // The first wrong state alone is wrong.
  layer<> sum{.steps = 3, .desc = {.activation_descs = {identity, identity}}};
  sum.in = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 1, 1, 0, 0, 0}, {}}};
  answer<float> got = run(sum);
  CHECK(got.out[0] == floats{1, 2, 3});
  got.out[0] = {1, 5, 6};
  got.out[1] = {6};
  const oracle::golden of_sum = golden_of(sum);
  const std::string report = report_of(sum, of_sum, got);
  CHECK(report.find("in direction 0 step 1 of sequence 0 is the first that differs") != std::string::npos);
  CHECK(judge(sum, of_sum, got).result.differing() == 1);
}

TEST_CASE("GRU: cpu gives the same bits as reference", "[gru]") {
  check_backends<gru_desc>(2, [](auto& l, auto& random, const auto& number) {
    l.desc.linear_before_reset = random() % 2 == 0;
    for (const std::size_t i : {3U, 4U})
      if (random() % 2 == 0) l.fill(number, {i});
  });
}

TEST_CASE("GRU GR1 to GR4, GR9: every dimension, data type and flag of each operand", "[gru]") {
  std::array<std::optional<tensor_desc>, 8> legal;
  layer<> l{.steps = 5, .batch = 2, .inputs = 4, .hidden = 3};
  l.desc.direction = bidirectional;
  l.desc.activation_descs = {sigmoid, hyperbolic, sigmoid, relu};
  for (std::size_t i = 0; i < 8; ++i)
    legal[i] = {.data_type = i == traits::lengths ? data_type::uint32 : data_type::float32, .sizes = l.sizes(i)};
  const auto refused = [&](const gru_desc& desc, const auto& tensors) {
    std::string codes;
    const std::vector<std::optional<tensor_desc>> all(tensors.begin(), tensors.end());
    for (const violation& v : goldml_test::violations_of(desc, all))
      if (codes.find(v.rule) == std::string::npos) codes += (codes.empty() ? "" : " ") + std::string(v.rule);
    return codes;
  };
  CHECK(refused(l.desc, legal) == "");
  const char* const rules[8][4]{{"GR2", "GR4", "GR4", "GR4"}, {"GR2", "GR3", "GR4", "GR4"},
                                {"GR2", "GR3", "GR4", "GR4"}, {"GR2", "GR2", "GR3", "GR4"},
                                {"GR2", "GR3", "GR4", "GR4"}, {"GR2", "GR2", "GR2", "GR4"},
                                {"GR4", "GR3", "GR4", "GR4"}, {"GR2", "GR3", "GR4", "GR4"}};
  for (std::size_t i = 0; i < 8; ++i) {
    INFO("operand " << i);
    for (std::size_t dimension = 0; dimension < 4; ++dimension) {
      auto t = legal;
      ++t[i]->sizes[dimension];
      CHECK(refused(l.desc, t) == rules[i][dimension]);
    }
    auto t = legal;
    t[i]->data_type = i == traits::lengths ? data_type::int32 : data_type::float16;
    CHECK(refused(l.desc, t) == (i == traits::lengths ? "T3" : "GR1"));
    t = legal;
    t[i]->flags = tensor_flags::owned_by_dml;
    CHECK(refused(l.desc, t) == (i < traits::sequence ? "GR9" : "T10"));
    t = legal;
    t[i].reset();
    CHECK(refused(l.desc, t) == (i < 3 ? "T1" : ""));
  }
  // What no line of tests/lines/gru.txt can say.
  gru_desc desc = l.desc;
  desc.activation_descs = activation_list::null();
  CHECK(refused(desc, legal) == "GR5");
  desc = l.desc;
  desc.direction = static_cast<recurrent_network_direction>(3);
  CHECK(refused(desc, legal) == "GR8");
}

TEST_CASE("GRU GR10: a length above the steps; nothing is written", "[gru]") {
  layer<> l;
  l.fill([] { return 1.0F; }, {0, 1, 2});
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
    CHECK(message == "GRU GR10: SequenceLengthsTensor.element[0] is 3, wanted at most 2 (InputTensor.Sizes[1])");
  for (const auto& out : y.out) CHECK(std::all_of(out.begin(), out.end(), [](float x) { return x == 7; }));
}

TEST_CASE("GRU: the typed call, with omitted tensors", "[gru]") {
  const tensor<float> x({1, 2, 1, 1}, {1, 2}), w({1, 1, 3, 1}, {1, 2, 1}), r({1, 1, 3, 1}, {1, 0, 1});
  const tensor<float> bias({1, 1, 1, 6}, {0, 0, 1, 0, 0, 2}), first({1, 1, 1, 1}, {1});
  tensor<float> last({1, 1, 1, 1});
  gru(reference, x, w, r, bias, first, const_tensor_ref(), tensor_ref(), last,
      gru_desc{.activation_descs = {relu, identity}});
  CHECK(last.elements() == floats{-11});
}
