// MULTIHEAD_ATTENTION1 with PastSequenceLengthsTensor, whose presents are caches that are read and written: results by
// hand, rules, and what devices may answer.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/cpu/multihead_attention.hpp>
#include <goldml/operators/multihead_attention.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/reference/multihead_attention.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;
using floats = std::vector<float>;
using desc_type = multihead_attention1_desc;
using traits = operator_traits<desc_type>;
using at = goldml::detail::attention_places;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// A call: packed tensors, the caches before it, and the lengths of the past.
template <class T = float>
struct call {
  std::uint32_t b = 1, s = 1, n = 1, g = 1, d = 1, dv = 1, most = 1;  // most: positions of the caches
  float scale = 1;
  causal_with_lengths causal = causal_with_lengths::implicit;
  std::vector<T> query{}, key{}, value{};
  std::vector<std::int32_t> lengths{};
  std::array<std::vector<T>, 2> caches{};

  desc_type desc() const {
    return {.scale = scale, .query_head_count = n, .key_value_head_count = g, .causal_with_lengths = causal};
  }
  std::array<dimensions, 3> output_sizes() const { return {{{b, s, n * dv}, {b, g, most, d}, {b, g, most, dv}}}; }
  std::vector<const_tensor_ref> inputs() const {
    std::vector<const_tensor_ref> result(traits::inputs);
    result[at::query] = tensor_view(query.data(), {b, s, n * d});
    result[at::key] = tensor_view(key.data(), {b, s, g * d});
    result[at::value] = tensor_view(value.data(), {b, s, g * dv});
    result[at::lengths] = tensor_view(lengths.data(), {b});
    return result;
  }
  std::vector<const_tensor_ref> initial() const {
    return {{}, tensor_view(caches[0].data(), output_sizes()[1]), tensor_view(caches[1].data(), output_sizes()[2])};
  }
};

// The output and both caches.
template <class T>
using answer = std::array<std::vector<T>, 3>;
template <class T>
std::vector<tensor_ref> refs_of(const call<T>& c, answer<T>& a) {
  std::vector<tensor_ref> result;
  for (std::size_t i = 0; i < 3; ++i) result.push_back(tensor_view(a[i].data(), c.output_sizes()[i]));
  return result;
}
template <class T>
answer<T> before(const call<T>& c) {
  return {std::vector<T>(element_count(c.output_sizes()[0]), T(7.0F)), c.caches[0], c.caches[1]};
}
template <class T>
answer<T> run(const call<T>& c) {
  answer<T> result = before(c), fast = before(c);
  const auto inputs = c.inputs();
  evaluate(reference, c.desc(), std::span<const const_tensor_ref>(inputs),
           std::span<const tensor_ref>(refs_of(c, result)));
  evaluate(cpu, c.desc(), std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(refs_of(c, fast)));
  for (std::size_t i = 0; i < 3; ++i) CHECK(bits(fast[i]) == bits(result[i]));
  return result;
}
template <class T>
oracle::golden golden_of(const call<T>& c) {
  std::vector<tensor_desc> outputs;
  for (const dimensions& sizes : c.output_sizes()) outputs.push_back({.data_type = data_type_of<T>, .sizes = sizes});
  const auto inputs = c.inputs(), initial = c.initial();
  return oracle::expect(c.desc(), std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs),
                        std::span<const const_tensor_ref>(initial));
}
template <class T>
bool agrees(const call<T>& c, const oracle::golden& golden, answer<T> a) {
  const auto refs = refs_of(c, a);
  return oracle::compare(golden, std::vector<const_tensor_ref>(refs.begin(), refs.end())).outcome() ==
         oracle::outcome::agrees;
}
// Whether only the golden value is right of an element of the output.
bool is_exact(const oracle::golden& golden, std::size_t element) {
  const interval* allowed = golden.answers[0][0].verdicts.interval_of(element);
  return allowed == nullptr || (allowed->low == allowed->high && allowed->also == 0);
}

std::mt19937 engine(17);
float real_number() { return std::uniform_real_distribution<float>(-1, 1)(engine); }

enum class fault {
  none,
  not_causal,
  one_less,
  one_more,
  at_begin,
  other_length,
  before_write,
  past_only,
  zeroed,
  heads
};
enum class way { two_pass, masked, online };

// A device in Real, which shares no code with goldml. masked: it computes the scores of all positions, and adds -10000
// beyond those that a query sees.
template <class Real, class T>
answer<T> device(const call<T>& c, way how, bool stores, fault wrong = fault::none) {
  answer<T> result = before(c);
  const std::size_t B = c.b, S = c.s, N = c.n, G = c.g, D = c.d, V = c.dv, K = c.most;
  const auto number = [](const T& x) { return static_cast<Real>(static_cast<float>(x)); };
  const auto kept = [&](Real x) { return stores ? number(T(static_cast<float>(x))) : x; };
  const auto length = [&](std::size_t b) {
    return wrong == fault::at_begin
               ? 0
               : static_cast<std::size_t>(c.lengths[wrong == fault::other_length ? (b + 1) % B : b]);
  };
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t m = 0; m < G; ++m) {
      for (std::size_t t = 0; t < K; ++t) {
        const bool is_new = t >= length(b) && t < length(b) + S;
        for (std::size_t i = 0; i < D + V; ++i) {
          const bool of_key = i < D;
          const std::size_t width = of_key ? D : V, k = of_key ? i : i - D,
                            from = (b * S + t - length(b)) * G * width + m * width + k;
          T& to = result[of_key ? 1 : 2][((b * G + m) * K + t) * width + k];
          if (is_new) to = of_key ? c.key[from] : c.value[from];
          if (wrong == fault::zeroed && t >= length(b) + S) to = T(0.0F);
        }
      }
    }
  const answer<T> read = wrong == fault::before_write ? before(c) : result;
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t n = 0; n < N; ++n)
      for (std::size_t i = 0; i < S; ++i) {
        const std::size_t m = wrong == fault::heads ? n % G : n / (N / G);
        std::size_t seen = length(b) + i + 1;
        if (wrong == fault::not_causal || c.causal == causal_with_lengths::none) seen = length(b) + S;
        if (wrong == fault::one_less) seen = std::max(seen - 1, std::size_t{1});
        if (wrong == fault::one_more) seen = std::min(seen + 1, K);
        if (wrong == fault::past_only) seen = std::max(length(b), std::size_t{1});
        const std::size_t all = how == way::masked ? K : seen;
        std::vector<Real> scores;
        for (std::size_t t = 0; t < all; ++t) {
          Real sum = 0;
          for (std::size_t k = 0; k < D; ++k)
            sum += number(c.query[(b * S + i) * N * D + n * D + k]) * number(read[1][((b * G + m) * K + t) * D + k]);
          scores.push_back(kept(kept(sum) * static_cast<Real>(c.scale)));
          if (t >= seen) scores.back() = kept(scores.back() + Real{-10000});
        }
        std::vector<Real> y(V, 0);
        Real total = 0, greatest = -std::numeric_limits<Real>::infinity();
        const std::size_t block = how == way::online ? 16 : all;
        for (std::size_t first = 0; first < all; first += block) {
          const std::size_t last = std::min(first + block, all);
          const Real next = std::max(greatest, *std::max_element(scores.begin() + static_cast<std::ptrdiff_t>(first),
                                                                 scores.begin() + static_cast<std::ptrdiff_t>(last)));
          const Real by = std::isinf(greatest) ? 0 : std::exp(greatest - next);
          for (Real& x : y) x *= by;
          total *= by;
          for (std::size_t t = first; t < last; ++t) {
            const Real w = kept(std::exp(scores[t] - next));
            total += w;
            for (std::size_t k = 0; k < V; ++k) y[k] += w * number(read[2][((b * G + m) * K + t) * V + k]);
          }
          greatest = next;
        }
        for (std::size_t k = 0; k < V; ++k)
          result[0][((b * S + i) * N + n) * V + k] = T(static_cast<float>(y[k] / total));
      }
  return result;
}

template <class T>
call<T> random_call(std::uint32_t most_of_past, const std::function<float()>& number) {
  const auto below = [](std::uint32_t end) { return static_cast<std::uint32_t>(engine() % end); };
  call<T> c{.b = 1 + below(3), .s = 1 + below(5), .n = 4, .g = 1U << below(3), .d = 1 + below(9), .dv = 1 + below(5)};
  c.most = c.s + below(most_of_past);
  c.scale = 1 / std::sqrt(static_cast<float>(c.d));
  const auto fill = [&](std::vector<T>& to, std::uint64_t count) {
    for (to.clear(); count > 0; --count) to.push_back(T(number()));
  };
  fill(c.query, std::uint64_t{c.b} * c.s * c.n * c.d);
  fill(c.key, std::uint64_t{c.b} * c.s * c.g * c.d);
  fill(c.value, std::uint64_t{c.b} * c.s * c.g * c.dv);
  for (std::size_t i = 0; i < 2; ++i) fill(c.caches[i], element_count(c.output_sizes()[i + 1]));
  for (std::uint32_t b = 0; b < c.b; ++b) c.lengths.push_back(static_cast<std::int32_t>(below(c.most - c.s + 1)));
  return c;
}

// Example 5 of SPEC-sequences 4.9.
call<> example() {
  return {.s = 3,
          .most = 4,
          .query = {0, 0, 0},
          .key = {1, 2, 3},
          .value = {2, 5, 9},
          .lengths = {1},
          .caches = {{{4, 0, 0, 0}, {8, 0, 0, 0}}}};
}

}  // namespace

TEST_CASE("MULTIHEAD_ATTENTION1: caches in place, by hand", "[attention]") {
  call<> c = example();
  CHECK(run(c) == answer<float>{floats{5, 5, 6}, floats{4, 1, 2, 3}, floats{8, 2, 5, 9}});
  const oracle::golden golden = golden_of(c);
  CHECK(is_exact(golden, 0));
  CHECK_FALSE(is_exact(golden, 1));
  CHECK(is_exact(golden, 2));
  c.causal = causal_with_lengths::none;
  CHECK(run(c) == answer<float>{floats{6, 6, 6}, floats{4, 1, 2, 3}, floats{8, 2, 5, 9}});
  CHECK_FALSE(agrees(c, golden, run(c)));

  // Two sequences of one query in two heads, which share a key head; what is not written remains, bit by bit.
  call<> two{.b = 2, .n = 2, .most = 3, .scale = 64, .query = {1, -1, 1, -1}, .key = {-1, 1}, .value = {30, 60}};
  two.lengths = {1, 0};
  two.caches = {{{1, not_a_number, -0.0F, not_a_number, 5, not_a_number}, {10, 77, -0.0F, 78, 79, not_a_number}}};
  // The first sequence: keys 1 and -1, scores 64 and -64 of the first head. The second one has one key.
  const answer<float> y = run(two);
  CHECK(y[0] == floats{10, 30, 60, 60});
  CHECK(bits(y[1]) == bits(floats{1, -1, -0.0F, 1, 5, not_a_number}));
  CHECK(bits(y[2]) == bits(floats{10, 30, -0.0F, 60, 79, not_a_number}));
  CHECK(agrees(two, golden_of(two), y));
  answer<float> changed = y;
  changed[2][2] = 1;  // beyond the new value
  CHECK_FALSE(agrees(two, golden_of(two), changed));
  // A device that reads what a query does not see, with a weight of 0, has NaN; but not of the first sequence.
  changed = y;
  changed[0][2] = changed[0][3] = not_a_number;
  CHECK(agrees(two, golden_of(two), changed));
  changed[0][0] = not_a_number;
  CHECK_FALSE(agrees(two, golden_of(two), changed));
}

TEST_CASE("MULTIHEAD_ATTENTION1: the call over caches of any strides", "[attention]") {
  // Positions beside each other, and a cache with room for more numbers.
  floats out(3), keys{4, -9, 0, -9, 0, -9, 0, -9}, values{8, 0, 0, 0};
  const call<> c = example();
  attention_tensors t{.query = tensor_view(c.query.data(), {1, 3, 1}),
                      .key = tensor_view(c.key.data(), {1, 3, 1}),
                      .value = tensor_view(c.value.data(), {1, 3, 1}),
                      .past_sequence_lengths = tensor_view(c.lengths.data(), {1}),
                      .output = tensor_view(out.data(), {1, 3, 1}),
                      .present_key = tensor_view(keys.data(), {1, 1, 4, 1}, {8, 8, 2, 1}),
                      .present_value = tensor_view(values.data(), {1, 1, 1, 4, 1})};
  multihead_attention(cpu, t, desc_type{});
  CHECK(out == floats{5, 5, 6});
  CHECK(keys == floats{4, -9, 1, -9, 2, -9, 3, -9});
  CHECK(values == floats{8, 2, 5, 9});
  // The same again writes the same.
  multihead_attention(reference, t, desc_type{});
  CHECK(values == floats{8, 2, 5, 9});
  CHECK_THROWS_AS(multihead_attention(cpu, t, multihead_attention_desc{}), std::invalid_argument);
}

TEST_CASE("MULTIHEAD_ATTENTION1 MH15: lengths of the past", "[attention]") {
  for (const std::int32_t length :
       {-1, 2, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
    call<> c = example();
    c.lengths = {length};
    const auto inputs = c.inputs();
    answer<float> a = before(c);
    const auto refused = [&](const auto& backend) {
      return refusal_of([&] {
        evaluate(backend, c.desc(), std::span<const const_tensor_ref>(inputs),
                 std::span<const tensor_ref>(refs_of(c, a)));
      });
    };
    CHECK(refused(reference) == "MH15");
    CHECK(refused(cpu) == "MH15");
    CHECK(refusal_of([&] { golden_of(c); }) == "MH15");
    CHECK(a == before(c));
  }
}

TEST_CASE("MULTIHEAD_ATTENTION1 MH13, MH14: what goes with caches in place", "[attention]") {
  using tensors = std::vector<std::optional<tensor_desc>>;
  const desc_type desc{.query_head_count = 4, .key_value_head_count = 2};
  const tensor_desc lengths{.data_type = data_type::int32, .sizes = {2}};
  const auto floating = [](const dimensions& sizes) {
    return tensor_desc{.data_type = data_type::float32, .sizes = sizes};
  };
  tensors all(15);
  all[at::query] = floating({2, 3, 20});
  all[at::key] = floating({2, 3, 10});
  all[at::value] = floating({2, 3, 6});
  all[at::lengths] = lengths;
  all[12] = floating({2, 3, 12});
  all[13] = floating({2, 2, 7, 5});
  all[14] = floating({2, 2, 7, 3});
  const auto refused = [&](const std::function<void(tensors&)>& change, const desc_type& by) {
    tensors t = all;
    change(t);
    std::string codes;
    for (const violation& v : goldml_test::violations_of(by, t))
      if (codes.find(v.rule) == std::string::npos) codes += (codes.empty() ? "" : " ") + std::string(v.rule);
    return codes;
  };
  const auto size = [&](std::size_t i, std::size_t k, std::uint32_t to) {
    return refused([&](tensors& t) { t[i]->sizes[k] = to; }, desc);
  };
  const auto given = [&](std::size_t i, const dimensions& sizes) {
    return refused([&](tensors& t) { t[i] = floating(sizes); }, desc);
  };
  CHECK(refused([](tensors&) {}, desc) == "");
  // The caches are of any length from that of the new keys on, both of the same.
  CHECK(refused([](tensors& t) { t[13]->sizes[2] = t[14]->sizes[2] = 3; }, desc) == "");
  CHECK(refused([](tensors& t) { t[13]->sizes[2] = t[14]->sizes[2] = 2; }, desc) == "MH14");
  CHECK(size(13, 2, 6) == "MH13");
  CHECK(size(14, 2, 8) == "MH13");
  for (const std::size_t i : {std::size_t{13}, std::size_t{14}})
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{3}})
      CHECK(size(i, k, all[i]->sizes[k] + 1) == "MH13");
  CHECK(size(at::lengths, 0, 3) == "MH14");
  CHECK(refused([](tensors& t) { t[at::lengths]->sizes = {2, 2}; }, desc) == "MH4");
  CHECK(refused([](tensors& t) { t[at::lengths]->sizes = {1, 1, 2}; }, desc) == "");
  for (const std::size_t i : {std::size_t{13}, std::size_t{14}})
    CHECK(refused([&](tensors& t) { t[i].reset(); }, desc) == "MH14");
  // As many keys as queries.
  CHECK(refused([](tensors& t) { t[at::key]->sizes[1] = t[at::value]->sizes[1] = 4; }, desc) == "MH14");
  CHECK(refused([](tensors& t) { t[at::key]->sizes[1] = t[at::value]->sizes[1] = 2; }, desc) == "MH14");
  CHECK(size(at::key, 1, 4) == "MH6 MH14");
  // No other operand.
  CHECK(given(at::bias, {36}) == "MH14");
  CHECK(given(at::position_bias, {2, 4, 3, 7}) == "MH14");
  CHECK(refused([&](tensors& t) { t[9] = floating({2, 2, 1, 5}), t[10] = floating({2, 2, 1, 3}); }, desc) == "MH14");
  CHECK(given(at::past_key, {2, 2, 1, 5}) == "MH7 MH14");
  desc_type masked = desc;
  masked.mask_type = multihead_attention_mask_type::key_sequence_length;
  CHECK(refused([&](tensors& t) { t[at::mask] = lengths; }, masked) == "MH14");
  CHECK(refused([](tensors&) {}, masked) == "MH9");
  const auto stacked = [&](std::size_t i, const dimensions& sizes, std::initializer_list<std::size_t> without) {
    return refused(
        [&](tensors& t) {
          t[i] = floating(sizes);
          for (const std::size_t k : without) t[k].reset();
          t[13]->sizes[1] = t[14]->sizes[1] = 4;
          t[12]->sizes[2] = i == at::query_key ? 12 : 20;
          if (i == at::query_key) t[at::value]->sizes[2] = 12;
          if (i != at::query_key) t[14]->sizes[3] = 5;
        },
        {.query_head_count = 4, .key_value_head_count = 4});
  };
  CHECK(stacked(at::query_key, {2, 3, 4, 2, 5}, {at::query, at::key}) == "MH14");
  CHECK(stacked(at::key_value, {2, 3, 4, 2, 5}, {at::key, at::value}) == "MH14");
  CHECK(stacked(at::query_key_value, {2, 3, 4, 3, 5}, {at::query, at::key, at::value}) == "MH14");
}

TEST_CASE("MULTIHEAD_ATTENTION1: devices with caches in place", "[attention]") {
  const auto try_kind = [&]<class T>(T) {
    constexpr bool is_half = std::is_same_v<T, float16>;
    std::array<std::array<int, 2>, 10> found{};
    for (int round = 0; round < 60; ++round) {
      const call<T> c = random_call<T>(round % 4 == 0 ? 70 : 9, real_number);
      const answer<T> right = run(c);
      const oracle::golden golden = golden_of(c);
      CHECK(agrees(c, golden, right));
      for (const way how : {way::two_pass, way::masked, way::online}) {
        CHECK(agrees(c, golden, device<float>(c, how, is_half)));
        CHECK(agrees(c, golden, device<double>(c, how, false)));
      }
      for (std::size_t i = 1; i < found.size(); ++i) {
        const answer<T> wrong = device<double>(c, way::two_pass, false, static_cast<fault>(i));
        bool differs = false;  // more than by rounding
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t e = 0; e < wrong[k].size(); ++e)
            differs = differs || std::abs(static_cast<float>(wrong[k][e]) - static_cast<float>(right[k][e])) >
                                     (is_half ? 0.1F : 1e-3F);
        if (!differs) continue;
        ++found[i][0];
        found[i][1] += agrees(c, golden, wrong) ? 0 : 1;
      }
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
      INFO("fault " << i);
      CHECK(found[i][0] > 10);
      CHECK(found[i][1] == found[i][0]);
    }
  };
  try_kind(0.0F);
  try_kind(float16());
}

TEST_CASE("MULTIHEAD_ATTENTION1: cpu over caches gives the same bits as reference, of any numbers", "[attention]") {
  for (int round = 0; round < 40; ++round) {
    const auto number = [&]() -> float {
      return round % 2 == 0 ? real_number() * 8 : std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
    };
    call<> c = random_call<float>(40, number);
    if (round % 3 == 0) c.causal = causal_with_lengths::none;
    const answer<float> golden = run(c);
    CHECK(agrees(c, golden_of(c), golden));
    run(random_call<float16>(40, number));
  }
}

TEST_CASE("MULTIHEAD_ATTENTION1: what caches contain before, in expect and in cases", "[attention]") {
  const call<> c = example();
  const auto inputs = c.inputs(), initial = c.initial();
  std::vector<tensor_desc> outputs;
  for (const dimensions& sizes : c.output_sizes()) outputs.push_back({.data_type = data_type::float32, .sizes = sizes});
  const auto expected = [&](std::span<const const_tensor_ref> contents) {
    return oracle::expect(c.desc(), std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs),
                          contents);
  };
  CHECK_NOTHROW(expected(initial));
  CHECK_THROWS_AS(expected({}), std::invalid_argument);
  auto changed = initial;
  changed[1] = {};
  CHECK_THROWS_AS(expected(changed), std::invalid_argument);
  changed = initial;
  changed[0] = changed[1];  // is not read
  CHECK_THROWS_AS(expected(changed), std::invalid_argument);
  changed = initial;
  changed[2] = tensor_view(c.caches[1].data(), {1, 1, 1, 4});
  CHECK_THROWS_AS(expected(changed), std::invalid_argument);

  const std::string line =
      "MULTIHEAD_ATTENTION1 QueryTensor=FLOAT32{1,3,1}:{0,0,0} KeyTensor=FLOAT32{1,3,1}:{1,2,3} "
      "ValueTensor=FLOAT32{1,3,1}:{2,5,9} PastSequenceLengthsTensor=INT32{1}:{1} OutputTensor=FLOAT32{1,3,1} "
      "OutputPresentKeyTensor=FLOAT32{1,1,4,1}:{4,0,0,0} OutputPresentValueTensor=FLOAT32{1,1,4,1}:{8,0,0,0}";
  const auto text = oracle::parse_case<desc_type>(line);
  CHECK(oracle::to_string(oracle::parse_case<desc_type>(oracle::to_string(text))) == oracle::to_string(text));
  const auto made = oracle::make_case(text);
  REQUIRE(made.initial.size() == 3);
  CHECK(made.initial[0].omitted());
  std::vector<oracle::watched_output> answers;
  for (std::size_t i = 0; i < 3; ++i) answers.emplace_back(made.outputs[i], 1, made.initial[i].ref());
  std::vector<tensor_ref> refs;
  for (oracle::watched_output& one : answers) refs.push_back(one.ref());
  const auto before_call = answers[2].bytes();
  evaluate(cpu, made.text.desc, std::span<const const_tensor_ref>(made.input_refs()),
           std::span<const tensor_ref>(refs));
  CHECK(oracle::judge(made, answers));
  CHECK(answers[2].changes().outside == 0);
  answers[2].bytes() = before_call;  // a device that does not write the cache
  CHECK_FALSE(oracle::judge(made, answers));
  // Elements of an output that is not read.
  for (const std::string& other : {std::string("MULTIHEAD_ATTENTION1 OutputTensor=FLOAT32{1,1,1}:{1}"),
                                   std::string("MULTIHEAD_ATTENTION1 OutputPresentKeyTensor=FLOAT32{1,1,1,1}:{1}"),
                                   std::string("MULTIHEAD_ATTENTION OutputPresentKeyTensor=FLOAT32{1,1,1,1}:{1}")})
    CHECK(refusal_of([&] {
            if (other.starts_with("MULTIHEAD_ATTENTION1"))
              oracle::parse_case<desc_type>(other);
            else
              oracle::parse_case<multihead_attention_desc>(other);
          }) == "M10");
}
