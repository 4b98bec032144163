// MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1: results by hand, rules, and what devices may answer.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/multihead_attention.hpp>
#include <goldml/operators/multihead_attention.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/multihead_attention.hpp>
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
using mask_types = multihead_attention_mask_type;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// A call with its sizes and elements; empty: omitted.
template <class T = float>
struct attention {
  std::uint32_t b = 1, s = 2, l = 2, p = 0, n = 1, g = 1, d = 2, dv = 2;
  desc_type desc{};
  std::array<std::vector<T>, 11> in{};  // by operand
  std::vector<std::int32_t> mask{};
  std::array<bool, 3> bound{true, false, false};

  std::uint32_t t() const { return p + l; }
  dimensions sizes(std::size_t i) const {
    return std::array<dimensions, 15>{{{b, s, n * d},
                                       {b, l, g * d},
                                       {b, l, g * dv},
                                       {b, s, n, 2, d},
                                       {b, l, g, 2, d},
                                       {b, s, n, 3, d},
                                       {n * d + g * d + g * dv},
                                       mask_sizes(),
                                       {b, n, s, t()},
                                       {b, g, p, d},
                                       {b, g, p, dv},
                                       {b},
                                       {b, s, n * dv},
                                       {b, g, t(), d},
                                       {b, g, t(), dv}}}[i];
  }
  dimensions mask_sizes() const {
    return std::array<dimensions, 5>{
        {{}, {b}, {2, b}, {3 * b + 2}, {b, n, s, t()}}}[static_cast<std::size_t>(desc.mask_type)];
  }
  desc_type full() const {
    desc_type result = desc;
    result.query_head_count = n;
    result.key_value_head_count = g;
    return result;
  }
  std::vector<const_tensor_ref> refs() const {
    std::vector<const_tensor_ref> result;
    for (std::size_t i = 0; i < in.size(); ++i)
      result.push_back(in[i].empty() ? const_tensor_ref() : const_tensor_ref(tensor_view(in[i].data(), sizes(i))));
    if (!mask.empty()) result[at::mask] = tensor_view(mask.data(), mask_sizes());
    result.emplace_back();
    return result;
  }
  template <class F>
  void fill(F draw, std::initializer_list<std::size_t> operands) {
    for (const std::size_t i : operands) {
      in[i].clear();
      for (std::uint64_t k = element_count(sizes(i)); k > 0; --k) in[i].push_back(T(static_cast<float>(draw())));
    }
  }
};

template <class T>
struct answer {
  std::array<std::vector<T>, 3> out;
  explicit answer(const attention<T>& a) {
    for (std::size_t i = 0; i < 3; ++i)
      if (a.bound[i]) out[i].resize(element_count(a.sizes(traits::places.output + i)), T(7.0F));
  }
  std::vector<tensor_ref> refs(const attention<T>& a) {
    std::vector<tensor_ref> result;
    for (std::size_t i = 0; i < 3; ++i)
      result.push_back(out[i].empty() ? tensor_ref()
                                      : tensor_ref(tensor_view(out[i].data(), a.sizes(traits::places.output + i))));
    return result;
  }
};
template <class T>
answer<T> run(const attention<T>& a) {
  answer<T> result(a), fast(a);
  const auto inputs = a.refs();
  const auto call = [&](const auto& backend, answer<T>& to) {
    evaluate(backend, a.full(), std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(to.refs(a)));
  };
  call(reference, result);
  call(cpu, fast);
  for (std::size_t i = 0; i < 3; ++i) CHECK(bits(fast.out[i]) == bits(result.out[i]));
  return result;
}
template <class T>
oracle::golden golden_of(const attention<T>& a) {
  const auto inputs = a.refs();
  std::vector<tensor_desc> outputs(3);
  for (std::size_t i = 0; i < 3; ++i)
    if (a.bound[i]) outputs[i] = {.data_type = data_type_of<T>, .sizes = a.sizes(traits::places.output + i)};
  return oracle::expect(a.full(), std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
}
template <class T>
oracle::judgement judge(const attention<T>& a, const oracle::golden& golden, answer<T> got) {
  const auto refs = got.refs(a);
  const std::vector<const_tensor_ref> actual(refs.begin(), refs.end());
  return oracle::compare(golden, actual);
}
template <class T>
bool agrees(const attention<T>& a, const oracle::golden& golden, const answer<T>& got) {
  return judge(a, golden, got).outcome() == oracle::outcome::agrees;
}
// The greatest distance of an end of an interval from the golden element.
template <class T>
double width_of(const oracle::golden& golden, std::size_t element) {
  const oracle::golden_output& output = golden.answers.front().front();
  const interval* allowed = output.verdicts.interval_of(element);
  if (allowed == nullptr) return 0;
  const double y = static_cast<double>(static_cast<float>(output.values.ref().template as<T>().data()[element]));
  return std::max(double{allowed->high} - y, y - double{allowed->low});
}

enum class way { two_pass, online, backward, split, powers_of_2, scaled_query };
// The faults of SPEC-sequences 4.10.
enum class fault {
  none,
  mask_later,
  mask_earlier,
  other_batch,
  inverted,
  no_mask,
  new_first,
  new_first_in_k,
  new_first_in_v,
  other_heads,
  next_head,
  first_values,
  no_scale,
  scale_twice,
  negative_scale,
  transposed_keys,
  no_position_bias,
  other_row,
  no_bias,
  swapped_bias,
  last_key,
  last_in_denominator,
  transposed_output,
  no_maximum,
  biased_past
};

// A device in Real, which shares no code with goldml; `stores`: intermediate results in FLOAT16 where the tensors are.
template <class T, class Real>
answer<T> device(const attention<T>& a, way how, bool stores, fault wrong = fault::none) {
  answer<T> result(a);
  const std::size_t B = a.b, S = a.s, L = a.l, P = a.p, N = a.n, G = a.g, D = a.d, V = a.dv, K = P + L;
  const auto kept = [&](Real x) {
    return stores ? static_cast<Real>(static_cast<float>(T(static_cast<float>(x)))) : x;
  };
  const auto element = [&](std::size_t i, std::size_t k) { return static_cast<Real>(static_cast<float>(a.in[i][k])); };
  const auto bias = [&](std::size_t k) {
    return a.in[at::bias].empty() || wrong == fault::no_bias ? Real{0} : element(at::bias, k);
  };
  const bool stacked = !a.in[at::query_key_value].empty();
  const auto query = [&](std::size_t b, std::size_t n, std::size_t i, std::size_t d) {
    const Real x = stacked                        ? element(5, (((b * S + i) * N + n) * 3) * D + d)
                   : !a.in[at::query_key].empty() ? element(3, (((b * S + i) * N + n) * 2) * D + d)
                                                  : element(0, (b * S + i) * N * D + n * D + d);
    return kept(x + bias(n * D + d));
  };
  const auto fresh_key = [&](std::size_t b, std::size_t m, std::size_t j, std::size_t d) {
    const Real x = stacked                           ? element(5, (((b * S + j) * N + m) * 3 + 1) * D + d)
                   : !a.in[at::query_key].empty()    ? element(3, (((b * S + j) * N + m) * 2 + 1) * D + d)
                   : !a.in[at::key_value].empty()    ? element(4, (((b * L + j) * G + m) * 2) * D + d)
                   : wrong == fault::transposed_keys ? element(1, (b * L + j) * G * D + d * G + m)
                                                     : element(1, (b * L + j) * G * D + m * D + d);
    const std::size_t first = N * D + (wrong == fault::swapped_bias ? G * D : 0);
    return kept(x + bias(first + m * D + d));
  };
  const auto fresh_value = [&](std::size_t b, std::size_t m, std::size_t j, std::size_t d) {
    const Real x = stacked                        ? element(5, (((b * S + j) * N + m) * 3 + 2) * D + d)
                   : !a.in[at::key_value].empty() ? element(4, (((b * L + j) * G + m) * 2 + 1) * D + d)
                                                  : element(2, (b * L + j) * G * V + m * V + d);
    const std::size_t first = N * D + (wrong == fault::swapped_bias ? 0 : G * D);
    return kept(x + bias(first + m * V + d));
  };
  const auto key = [&](std::size_t b, std::size_t m, std::size_t t, std::size_t d, bool new_first) {
    const bool is_past = new_first ? t >= L : t < P;
    if (!is_past) return fresh_key(b, m, new_first ? t : t - P, d);
    const Real x = element(9, ((b * G + m) * P + (new_first ? t - L : t)) * D + d);
    return wrong == fault::biased_past ? x + bias(N * D + m * D + d) : x;
  };
  const auto value = [&](std::size_t b, std::size_t m, std::size_t t, std::size_t d, bool new_first) {
    const bool is_past = new_first ? t >= L : t < P;
    return is_past ? element(10, ((b * G + m) * P + (new_first ? t - L : t)) * V + d)
                   : fresh_value(b, m, new_first ? t : t - P, d);
  };
  const bool first_in_k = wrong == fault::new_first || wrong == fault::new_first_in_k;
  const bool first_in_v = wrong == fault::new_first || wrong == fault::new_first_in_v;
  const auto masked = [&](std::size_t b, std::size_t n, std::size_t i, std::size_t t) {
    if (a.mask.empty() || wrong == fault::no_mask) return false;
    if (wrong == fault::other_batch) b = (b + 1) % B;
    auto position = static_cast<std::int64_t>(t);
    if (wrong == fault::mask_later) --position;
    if (wrong == fault::mask_earlier) ++position;
    bool out = false;
    switch (a.desc.mask_type) {
      case mask_types::key_sequence_end_start:
        out = position >= a.mask[b] || position < a.mask[B + b];
        break;
      case mask_types::boolean:
        out = a.mask[((b * N + n) * S + i) * K + static_cast<std::size_t>((position + static_cast<std::int64_t>(K)) %
                                                                          static_cast<std::int64_t>(K))] == 0;
        break;
      default:
        out = position >= a.mask[b];
    }
    return out != (wrong == fault::inverted);
  };
  Real scale = static_cast<Real>(a.desc.scale);
  if (wrong == fault::no_scale) scale = 1;
  if (wrong == fault::scale_twice) scale *= scale;
  if (wrong == fault::negative_scale) scale = -scale;
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t n = 0; n < N; ++n)
      for (std::size_t i = 0; i < S; ++i) {
        std::size_t m = n / (N / G);
        if (wrong == fault::other_heads) m = n % G;
        if (wrong == fault::next_head) m = (m + 1) % G;
        std::vector<Real> score(K);
        for (std::size_t t = 0; t < K; ++t) {
          Real sum = 0;
          for (std::size_t d = 0; d < D; ++d) {
            Real q = query(b, n, i, d);
            if (how == way::scaled_query) q = kept(q * scale);
            sum += q * key(b, m, t, d, first_in_k);
          }
          sum = kept(sum);
          if (how != way::scaled_query) sum = kept(sum * scale);
          const std::size_t row = wrong == fault::other_row ? (i + 1) % S : i;
          if (!a.in[at::position_bias].empty() && wrong != fault::no_position_bias)
            sum = kept(sum + element(8, ((b * N + n) * S + row) * K + t));
          if (masked(b, n, i, t)) sum = kept(sum + static_cast<Real>(a.desc.mask_filter_value));
          score[t] = sum;
        }
        const std::size_t count = wrong == fault::last_key && K > 1 ? K - 1 : K;
        const auto power = [&](Real x) {
          return how == way::powers_of_2 ? std::exp2(x * static_cast<Real>(1.4426950408889634)) : std::exp(x);
        };
        const std::size_t of_value = wrong == fault::first_values ? 0 : m;
        std::vector<Real> y(V, 0);
        Real total = 0, greatest = -std::numeric_limits<Real>::infinity();
        if (how == way::online || how == way::backward || how == way::split) {
          // Blocks of 16 keys, in either order; split: two halves are merged.
          const auto pass = [&](std::size_t from, std::size_t to) {
            std::vector<Real> part(V, 0);
            Real most = -std::numeric_limits<Real>::infinity(), sum = 0;
            std::vector<std::size_t> blocks;
            for (std::size_t k = from; k < to; k += 16) blocks.push_back(k);
            if (how == way::backward) std::reverse(blocks.begin(), blocks.end());
            for (const std::size_t first : blocks) {
              const std::size_t last = std::min(first + 16, to);
              Real next = most;
              for (std::size_t t = first; t < last; ++t) next = std::max(next, score[t]);
              const Real by = std::isinf(most) ? 0 : power(most - next);
              for (Real& x : part) x *= by;
              sum *= by;
              for (std::size_t t = first; t < last; ++t) {
                const Real w = kept(power(score[t] - next));
                sum += w;
                for (std::size_t d = 0; d < V; ++d) part[d] += w * value(b, of_value, t, d, first_in_v);
              }
              most = next;
            }
            return std::pair(part, std::array<Real, 2>{sum, most});
          };
          const std::size_t middle = how == way::split ? count / 2 : 0;
          const auto [high, of_high] = pass(middle, count);
          y = high, total = of_high[0], greatest = of_high[1];
          if (middle > 0) {
            const auto [low, of_low] = pass(0, middle);
            const Real most = std::max(greatest, of_low[1]);
            const Real by_high = power(greatest - most), by_low = power(of_low[1] - most);
            for (std::size_t d = 0; d < V; ++d) y[d] = y[d] * by_high + low[d] * by_low;
            total = total * by_high + of_low[0] * by_low;
          }
          for (Real& x : y) x /= total;
        } else {
          for (std::size_t t = 0; t < count; ++t) greatest = std::max(greatest, score[t]);
          if (wrong == fault::no_maximum) greatest = 0;
          std::vector<Real> p(count);
          for (std::size_t t = 0; t < count; ++t) p[t] = power(score[t] - greatest);
          for (std::size_t t = 0; t < count; ++t)
            if (wrong != fault::last_in_denominator || t + 1 < count || count == 1) total += p[t];
          for (std::size_t t = 0; t < count; ++t) {
            const Real share = kept(p[t] / total);
            for (std::size_t d = 0; d < V; ++d) y[d] += share * value(b, of_value, t, d, first_in_v);
          }
        }
        for (std::size_t d = 0; d < V; ++d) {
          const std::size_t to = wrong == fault::transposed_output ? d * N + n : n * V + d;
          result.out[0][(b * S + i) * N * V + to] = T(static_cast<float>(y[d]));
        }
      }
  const auto store = [&](std::size_t output, std::size_t width, const auto& from, bool new_first) {
    for (std::size_t k = 0; k < result.out[output].size(); ++k)
      result.out[output][k] =
          T(static_cast<float>(from(k / width / K / G, k / width / K % G, k / width % K, k % width, new_first)));
  };
  store(1, D, key, first_in_k);
  store(2, V, value, first_in_v);
  return result;
}

// Whether a fault can change an answer to a call.
template <class T>
bool concerns(fault wrong, const attention<T>& a) {
  switch (wrong) {
    case fault::mask_later:
    case fault::mask_earlier:
    case fault::inverted:
    case fault::no_mask:
      return !a.mask.empty();
    case fault::other_batch:
      return !a.mask.empty() && a.b > 1;
    case fault::new_first:
      return a.p > 0 && a.l > 0 && a.bound[1];
    case fault::new_first_in_k:
    case fault::new_first_in_v:
      return a.p > 0 && a.l > 0;
    case fault::other_heads:
      return a.g > 1 && a.g < a.n;
    case fault::next_head:
    case fault::first_values:
    case fault::transposed_keys:
      return a.g > 1 && !a.in[at::key].empty();
    case fault::no_scale:
    case fault::scale_twice:
      return std::abs(a.desc.scale) != 1;
    case fault::no_position_bias:
    case fault::other_row:
      return !a.in[at::position_bias].empty();
    case fault::no_bias:
    case fault::swapped_bias:
      return !a.in[at::bias].empty() && a.d == a.dv;
    case fault::biased_past:
      return !a.in[at::bias].empty() && a.p > 0 && a.bound[1];
    case fault::no_maximum:
      return false;
    default:
      return true;
  }
}

std::mt19937 engine(5);
float real_number() { return static_cast<float>(engine() & 0xFFFFFF) * 0x1p-23F - 1; }

// Grouped heads, a past, a mask by lengths; with a bias and a position bias or not.
template <class T>
attention<T> random_call(bool biased, std::uint32_t keys, std::uint32_t d) {
  attention<T> a{.b = 2, .s = 3, .l = keys - 3, .p = 3, .n = 4, .g = 2, .d = d, .dv = d};
  a.bound = {true, true, true};
  a.desc.scale = 2 / std::sqrt(static_cast<float>(d));
  a.fill(real_number, {at::query, at::key, at::value, at::past_key, at::past_value});
  if (biased) a.fill(real_number, {at::bias, at::position_bias});
  a.desc.mask_type = mask_types::key_sequence_length;
  a.mask = {static_cast<std::int32_t>(keys), static_cast<std::int32_t>(keys) / 2};
  return a;
}

}  // namespace

TEST_CASE("MULTIHEAD_ATTENTION: the examples of SPEC-sequences 4.9", "[attention]") {
  attention<> a;
  a.in[at::query] = a.in[at::key] = {1, 0, 0, 1};
  a.in[at::value] = {1, 2, 3, 4};
  const auto check = [&](const floats& wanted, const std::vector<double>& widths) {
    const answer<float> y = run(a);
    const oracle::golden golden = golden_of(a);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      INFO("element " << i << ": " << y.out[0][i] << ", wanted " << wanted[i]);
      CHECK(std::abs(y.out[0][i] - wanted[i]) <= 5e-7F * std::abs(wanted[i]));
      if (!widths.empty()) CHECK(width_of<float>(golden, i) <= widths[i % widths.size()]);
    }
  };
  check({1.5378828F, 2.5378828F, 2.4621172F, 3.4621172F}, {3.2e-6, 4.4e-6, 4.4e-6, 5.6e-6});
  a.desc.scale = 0.5F;
  check({1.7550813F, 2.7550814F, 2.2449186F, 3.2449186F}, {});
  attention<> stacked;
  stacked.in[at::query_key_value] = {1, 0, 1, 0, 1, 2, 0, 1, 0, 1, 3, 4};
  const answer<float> of_stacked = run(stacked);
  a.desc.scale = 1;
  CHECK(of_stacked.out[0] == run(a).out[0]);
  // 3: masks.
  a.desc.mask_type = mask_types::key_sequence_length;
  a.mask = {1};
  check({1, 2, 1, 2}, {0});
  a.desc.mask_type = mask_types::key_sequence_end_start;
  a.mask = {2, 1};
  check({3, 4, 3, 4}, {0});
  a.desc.mask_type = mask_types::key_sequence_length;
  a.mask = {0};  // added, or set
  check({1.5378828F, 2.5378828F, 2.4621172F, 3.4621172F}, {});
  const oracle::golden golden = golden_of(a);
  answer<float> set(a);
  set.out[0] = {2, 3, 2, 3};
  CHECK(agrees(a, golden, set));
  set.out[0][0] = 1.5378828F;  // a row of both readings
  CHECK(judge(a, golden, set).result.differing() == 1);
  set.out[0][1] = 2.5378828F;
  CHECK(agrees(a, golden, set));
  set.out[0][0] = 2.2F;
  CHECK_FALSE(agrees(a, golden, set));
  a.desc.mask_filter = mask_filter::set;
  check({2, 3, 2, 3}, {0});
  a.desc.masked_rows = masked_rows::any;
  CHECK(judge(a, golden_of(a), set).outcome() == oracle::outcome::nothing_defined);
  a.desc = {};
  a.mask.clear();
  a.in[at::position_bias] = {0, 0.6931472F, 0, 0};
  check({1.8477662F, 2.8477662F, 2.4621172F, 3.4621172F}, {});
  // 2: a past.
  a.in[at::position_bias].clear();
  a.p = 1;
  a.in[at::past_key] = {1, 1};
  a.in[at::past_value] = {10, 20};
  a.bound = {true, true, true};
  check({5.111594F, 9.912463F, 5.645507F, 10.446376F}, {3e-5});
  const answer<float> y = run(a);
  CHECK(y.out[1] == floats{1, 1, 1, 0, 0, 1});
  CHECK(y.out[2] == floats{10, 20, 1, 2, 3, 4});
  // Of the past alone; the presents are the pasts.
  a.l = 0;
  a.in[at::key].clear(), a.in[at::value].clear();
  CHECK(run(a).out[0] == floats{10, 20, 10, 20});
  CHECK(run(a).out[2] == floats{10, 20});
}

TEST_CASE("MULTIHEAD_ATTENTION1: consecutive query heads share a key head", "[attention]") {
  attention<> a{.s = 1, .l = 1, .n = 4, .g = 2, .d = 1, .dv = 1};
  a.in[at::query] = {1, 1, 1, 1};
  a.in[at::key] = {1, 1};
  a.in[at::value] = {3, 5};
  CHECK(run(a).out[0] == floats{3, 3, 5, 5});
}

TEST_CASE("MULTIHEAD_ATTENTION: legal devices agree, of random data", "[attention]") {
  std::size_t judged = 0;
  const auto try_type = [&]<class T>(T) {
    for (const bool biased : {false, true})
      for (const std::uint32_t keys : {4U, 17U, 70U})
        for (const std::uint32_t d : {1U, 5U, 33U}) {
          const attention<T> a = random_call<T>(biased, keys, d);
          const oracle::golden golden = golden_of(a);
          for (const way how :
               {way::two_pass, way::online, way::backward, way::split, way::powers_of_2, way::scaled_query})
            for (const bool stores : {false, true}) {
              CAPTURE(biased, keys, d, static_cast<int>(how), stores);
              CHECK(agrees(a, golden, device<T, float>(a, how, stores)));
              CHECK(agrees(a, golden, device<T, double>(a, how, stores)));
              judged += 2 * element_count(a.sizes(traits::places.output));
            }
        }
  };
  try_type(0.0F);
  try_type(float16());
  fmt::print("attention: {} outputs of legal devices agree\n", judged);
}

TEST_CASE("MULTIHEAD_ATTENTION: each fault is refused", "[attention]") {
  std::map<fault, std::array<int, 2>> faults;  // tried and refused
  const auto try_all = [&]<class T>(const attention<T>& a, const char* name, const std::vector<fault>& blind) {
    const oracle::golden golden = golden_of(a);
    for (const way how : {way::two_pass, way::online, way::split})
      CHECK(agrees(a, golden, device<T, float>(a, how, true)));
    for (int k = 1; k <= static_cast<int>(fault::biased_past); ++k) {
      const auto wrong = static_cast<fault>(k);
      if (!concerns(wrong, a) || std::find(blind.begin(), blind.end(), wrong) != blind.end()) continue;
      INFO(name << ", fault " << k);
      ++faults[wrong][0];
      faults[wrong][1] += !agrees(a, golden, device<T, float>(a, way::two_pass, false, wrong));
    }
  };
  for (int round = 0; round < 4; ++round) {
    try_all(random_call<float>(round % 2 == 0, 9, 4), "random", {});
    try_all(random_call<float16>(round % 2 == 0, 9, 4), "random, FLOAT16",
            {fault::last_key, fault::last_in_denominator});
  }
  // Uniform rows: every weight is the same, values are integers.
  attention<> uniform{.b = 2, .s = 3, .l = 5, .p = 3, .n = 4, .g = 2, .d = 3, .dv = 3};
  uniform.bound = {true, true, true};
  float next = 0;
  uniform.fill([] { return 0.0F; }, {at::query});
  uniform.fill(real_number, {at::key, at::past_key});
  uniform.fill([&] { return next += 1; }, {at::value});
  uniform.fill([&] { return next += 3; }, {at::past_value});
  uniform.desc.mask_type = mask_types::key_sequence_length;
  uniform.mask = {4, 2};
  CHECK(width_of<float>(golden_of(uniform), 0) == 0);
  try_all(uniform, "uniform",
          {fault::new_first_in_k, fault::transposed_keys, fault::negative_scale, fault::last_key,
           fault::last_in_denominator});
  // One-hot: keys of an orthogonal code, of which a query is one; lift: a position bias brings another key above it.
  const auto try_codes = [&]<class T>(T) {
    for (const bool lifts : {false, true}) {
      attention<T> a{.b = 2, .s = 8, .l = 5, .p = 3, .n = 4, .g = 2, .d = 4, .dv = 4};
      a.bound = {true, true, true};
      const auto code = [](std::size_t key, std::size_t d) {
        const int sign = std::popcount(key % 4 & d) % 2 == 0 ? 1 : -1;
        return static_cast<float>(key < 4 ? sign : -sign);
      };
      a.fill([] { return 0.0F; }, {at::query, at::key, at::past_key, at::bias});
      const auto shift = [&](std::size_t b, std::size_t m) { return 3 * b + 5 * m; };
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t m = 0; m < 2; ++m)
          for (std::size_t t = 0; t < 8; ++t)
            for (std::size_t d = 0; d < 4; ++d) {
              const T x(code((t + shift(b, m)) % 8, d));
              if (t < 3)
                a.in[at::past_key][((b * 2 + m) * 3 + t) * 4 + d] = x;
              else
                a.in[at::key][((b * 5 + t - 3) * 2 + m) * 4 + d] = x;
              for (std::size_t n = 2 * m; n < 2 * m + 2; ++n)
                a.in[at::query][((b * 8 + t) * 4 + n) * 4 + d] = T(code((t + n + shift(b, m)) % 8, d));
            }
      float value = 0;
      a.fill([&] { return value += 1; }, {at::value, at::past_value});
      for (std::size_t i = 24; i < 32; ++i) a.in[at::bias][i] = T(static_cast<float>(i));  // of the values alone
      a.desc.scale = 32;
      if (lifts) {
        a.desc.scale = 64;
        a.fill([] { return 0.0F; }, {at::position_bias});
        for (std::size_t b = 0; b < 2; ++b)
          for (std::size_t n = 0; n < 4; ++n)
            for (std::size_t i = 0; i < 8; ++i) {
              std::size_t t = (i + n + 1) % 8;  // a key whose score is 0
              if (t % 8 == (i + n + 4) % 8) t = (t + 1) % 8;
              a.in[at::position_bias][((b * 4 + n) * 8 + i) * 8 + t] = T(i % 2 == 0 ? 384.0F : 128.0F);
            }
      }
      const oracle::golden golden = golden_of(a);
      for (std::size_t k = 0; k < a.sizes(traits::places.output)[2]; ++k) CHECK(width_of<T>(golden, k) == 0);
      std::vector<fault> blind{fault::last_in_denominator, fault::biased_past};
      if (!lifts) blind.push_back(fault::scale_twice);
      try_all(a, lifts ? "lift" : "one-hot", blind);
    }
  };
  try_codes(0.0F);
  try_codes(float16());
  for (const auto& [wrong, count] : faults) {
    INFO("fault " << static_cast<int>(wrong) << ": " << count[1] << " of " << count[0] << " refused");
    CHECK(count[1] == count[0]);
    CHECK(count[0] > 0);
  }
}

TEST_CASE("MULTIHEAD_ATTENTION: what is not finite", "[attention]") {
  attention<> a;
  a.in[at::query] = a.in[at::key] = {1, 0, 0, 1};
  a.in[at::value] = {1, 2, 3, 4};
  a.in[at::position_bias] = {-infinity, 0, 0, -infinity};
  CHECK(run(a).out[0] == floats{3, 4, 1, 2});
  a.in[at::position_bias] = {-infinity, -infinity, infinity, 0};
  answer<float> y = run(a);
  for (const float x : y.out[0]) CHECK(x != x);
  const oracle::golden golden = golden_of(a);
  CHECK(agrees(a, golden, y));
  y.out[0][0] = 0;  // with a guard
  CHECK(agrees(a, golden, y));
  y.out[0][2] = 0;
  CHECK_FALSE(agrees(a, golden, y));
  // An infinite value, with a weight and without.
  a.in[at::position_bias].clear();
  a.in[at::value][2] = infinity;
  y = run(a);
  CHECK(y.out[0][0] == infinity);
  a.desc.mask_type = mask_types::key_sequence_length;
  a.mask = {1};
  y = run(a);
  CHECK(y.out[0][0] != y.out[0][0]);
  CHECK(y.out[0][1] == 2);
  const oracle::golden masked = golden_of(a);
  for (const float x : {1.0F, infinity, not_a_number}) {
    y.out[0][0] = x;
    CHECK(agrees(a, masked, y));
  }
}

TEST_CASE("MULTIHEAD_ATTENTION: cpu gives the same bits as reference", "[attention]") {
  for (int round = 0; round < 60; ++round) {
    const int kind = round % 3;
    const auto number = [&]() -> float {
      return kind == 0   ? static_cast<float>(static_cast<int>(engine() % 5) - 2)
             : kind == 1 ? real_number() * 4
                         : std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
    };
    const auto draw = [&]<class T>(T) {
      attention<T> a = random_call<T>(false, 8, 3);
      a.fill(number, {at::query, at::key, at::value, at::past_key, at::past_value});
      if (engine() % 2 == 0) a.fill(number, {at::bias});
      if (engine() % 2 == 0) a.fill(number, {at::position_bias});
      a.desc.mask_type = static_cast<mask_types>(engine() % 5);
      a.mask.clear();
      if (a.desc.mask_type != mask_types::none)
        for (std::uint64_t k = element_count(a.mask_sizes()); k > 0; --k)
          a.mask.push_back(static_cast<std::int32_t>(engine() % (a.desc.mask_type == mask_types::boolean ? 2 : 9)));
      CAPTURE(round);
      const answer<T> golden = run(a);
      CHECK(judge(a, golden_of(a), golden).tolerated());
    };
    draw(0.0F);
    draw(float16());
  }
}

// Equal keys in pairs whose values cancel but for some bits, which a double does not tell; with every instruction set.
TEST_CASE("MULTIHEAD_ATTENTION: cpu gives the same bits as reference where values cancel", "[attention]") {
  for (const auto set : all_instruction_sets)
    for (const int rest : {12, 18, 26, 40}) {
      if (!is_supported(set)) continue;
      attention<> a{.s = 9, .l = 70, .n = 4, .g = 2, .d = 19, .dv = 13};
      a.desc.scale = rest == 18 ? 3.0F : 0.25F;
      a.fill(real_number, {at::query, at::key, at::value});
      if (rest != 12) a.fill(real_number, {at::bias, at::position_bias});
      if (rest == 26) {
        a.desc.mask_type = mask_types::key_sequence_length;
        a.mask = {66};
      }
      const std::size_t width = std::size_t{a.g} * a.d, value_width = std::size_t{a.g} * a.dv;
      for (std::size_t t = 0; t < a.l; t += 2) {
        for (std::size_t i = 0; i < width; ++i) a.in[at::key][(t + 1) * width + i] = a.in[at::key][t * width + i];
        for (std::size_t i = 0; i < a.n * std::size_t{a.s} && rest != 12; ++i)
          a.in[at::position_bias][i * a.l + t + 1] = a.in[at::position_bias][i * a.l + t];
        for (std::size_t i = 0; i < value_width; ++i)
          a.in[at::value][(t + 1) * value_width + i] =
              std::ldexp(real_number(), -rest) - a.in[at::value][t * value_width + i];
      }
      for (std::size_t i = a.n * a.d + width; rest != 12 && i < a.in[at::bias].size(); ++i)
        a.in[at::bias][i] = std::ldexp(a.in[at::bias][i], -rest);
      answer<float> wanted(a), got(a);
      const auto inputs = a.refs();
      const auto call = [&](const auto& backend, answer<float>& to) {
        evaluate(backend, a.full(), std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(to.refs(a)));
      };
      call(reference, wanted);
      call(cpu.with(set), got);
      INFO(name_of(set) << ", " << rest);
      CHECK(bits(got.out[0]) == bits(wanted.out[0]));
    }
}

// The first key is filtered, but its position bias is as great: in double its score 500 is lost.
TEST_CASE("MULTIHEAD_ATTENTION: a position bias and a filter that cancel", "[attention]") {
  attention<> a{.s = 1, .d = 1, .dv = 1};
  a.in[at::query] = {1};
  a.in[at::key] = {500, 200};
  a.in[at::value] = {3, 5};
  a.in[at::position_bias] = {1e30F, 0};
  a.desc.mask_type = mask_types::boolean;
  a.desc.mask_filter_value = -1e30F;
  a.mask = {0, 1};
  CHECK(run(a).out[0] == floats{3});
  a.in[at::key] = {500, 499.5F};
  CHECK(run(a).out[0] == floats{3.7550814F});
  a.in[at::position_bias] = {-infinity, 0};
  CHECK(run(a).out[0] == floats{5});
}

TEST_CASE("MULTIHEAD_ATTENTION: the bias is added to new keys and values, once, and not to the past", "[attention]") {
  attention<> a{.b = 1, .s = 1, .l = 1, .p = 1, .d = 1, .dv = 1};
  a.bound = {true, true, true};
  a.in[at::query] = {0};
  a.in[at::key] = {1}, a.in[at::value] = {2};
  a.in[at::past_key] = {10}, a.in[at::past_value] = {20};
  a.in[at::bias] = {5, 0.5F, 0.25F};
  answer<float> y = run(a);
  CHECK(y.out[1] == floats{10, 1.5F});
  CHECK(y.out[2] == floats{20, 2.25F});
  CHECK(agrees(a, golden_of(a), y));
  y.out[1][1] = 1;
  CHECK_FALSE(agrees(a, golden_of(a), y));
  a.desc.present_bias = present_bias::raw;
  y = run(a);
  CHECK(y.out[1] == floats{10, 1});
  CHECK(y.out[2] == floats{20, 2});
}

TEST_CASE("MULTIHEAD_ATTENTION MH-R4: queries and keys that FLOAT16 does not hold when they are stored",
          "[attention]") {
  using halves = std::vector<float16>;
  const auto half = [](float x) { return static_cast<float16>(x); };
  // One query, two keys of +-2^-14, values 0 and 1000.
  const auto verdicts_of = [&](float q, float bias, float scale, float k) {
    attention<float16> a{.s = 1, .d = 1, .dv = 1};
    a.desc.scale = scale;
    a.in[0] = {half(q)};
    a.in[1] = {half(k), half(-k)};
    a.in[2] = {half(0), half(1000)};
    if (bias != 0) a.in[6] = {half(bias), half(0), half(0)};
    return golden_of(a);
  };
  const auto agrees = [&](const oracle::golden& golden, float y) {
    const halves answer{half(y)};
    const std::array actual{const_tensor_ref(golden.answers[0][0].values.desc(), answer.data(), sizeof(float16)),
                            const_tensor_ref(), const_tensor_ref()};
    return oracle::compare(golden, actual).outcome() == oracle::outcome::agrees;
  };
  // 70000 with its bias: e^-4.27 / (e^4.27 + e^-4.27) of 1000; stored as the greatest FLOAT16 0.3365; as infinity NaN.
  const oracle::golden biased = verdicts_of(60000, 10000, 1, 0x1p-14F);
  for (const float right : {0.1945F, 0.3365F, not_a_number}) CHECK(agrees(biased, right));
  for (const float wrong : {-1.0F, 1010.0F}) CHECK_FALSE(agrees(biased, wrong));
  // The same of what is scaled, on either side.
  const oracle::golden scaled = verdicts_of(1000, 0, 100, 0x1p-14F);
  for (const float right : {0.3367F, not_a_number}) CHECK(agrees(scaled, right));
  const oracle::golden fits = verdicts_of(1000, 0, 1, 0x1p-14F);
  CHECK(agrees(fits, 469.5F));
  for (const float wrong : {0.3365F, not_a_number}) CHECK_FALSE(agrees(fits, wrong));
}

TEST_CASE("MULTIHEAD_ATTENTION: starts of many sequences", "[attention]") {
  attention<float> a{.b = 500, .s = 1, .l = 16, .d = 1, .dv = 1};
  a.desc.mask_type = mask_types::key_query_sequence_length_start_end;
  a.fill([] { return 1.0F; }, {0, 1, 2});
  a.mask.assign(3 * a.b + 2, 16);
  for (std::uint32_t i = 0; i <= a.b; ++i) {
    a.mask[a.b + i] = static_cast<std::int32_t>(i);
    a.mask[2 * a.b + 1 + i] = static_cast<std::int32_t>(16 * i);
  }
  const answer<float> ones = run(a);
  for (const float each : ones.out[0]) CHECK(each == 1);
  CHECK(judge(a, golden_of(a), run(a)).outcome() == oracle::outcome::agrees);
  a.mask[a.b + 499] = 0;  // one start is elsewhere: nothing is known of any row
  CHECK(judge(a, golden_of(a), run(a)).outcome() == oracle::outcome::nothing_defined);
}

TEST_CASE("MULTIHEAD_ATTENTION MH1 to MH14: each size of each operand", "[attention]") {
  using tensors = std::vector<std::optional<tensor_desc>>;
  attention<> a{.b = 2, .s = 3, .l = 5, .p = 7, .n = 4, .g = 2, .d = 3, .dv = 6};
  a.desc.mask_type = mask_types::boolean;
  const auto with = [&](std::initializer_list<std::size_t> given) {
    tensors t(15);
    for (const std::size_t i : given)
      t[i] = tensor_desc{.data_type = i == at::mask ? data_type::int32 : data_type::float32, .sizes = a.sizes(i)};
    return t;
  };
  const auto refused = [](const desc_type& desc, const tensors& t) {
    std::string codes;
    for (const violation& v : goldml_test::violations_of(desc, t))
      if (codes.find(v.rule) == std::string::npos) codes += (codes.empty() ? "" : " ") + std::string(v.rule);
    return codes;
  };
  const tensors all = with({0, 1, 2, 6, 7, 8, 9, 10, 12, 13, 14});
  CHECK(refused(a.full(), all) == "");
  const std::map<std::size_t, std::vector<std::string>> rules{
      {0, {"MH6 MH10 MH11 MH12 MH13", "", ""}}, {6, {"MH8"}},
      {7, {"MH10", "MH10", "MH10", "MH10"}},    {8, {"MH11", "MH11", "MH11", "MH11"}},
      {9, {"MH7", "MH7", "MH7", "MH7"}},        {10, {"MH7", "MH7", "MH7", "MH7"}},
      {12, {"MH12", "MH12", "MH12"}},           {13, {"MH13", "MH13", "MH13", "MH13"}},
      {14, {"MH13", "MH13", "MH13", "MH13"}}};
  for (const auto& [i, codes] : rules)
    for (std::size_t k = 0; i != 0 && k < codes.size(); ++k) {
      tensors t = all;
      ++t[i]->sizes[k];
      INFO("operand " << i << ", dimension " << k);
      CHECK(refused(a.full(), t) == codes[k]);
    }
  const auto changed = [&](std::size_t i, std::size_t k, std::uint32_t size) {
    tensors t = all;
    t[i]->sizes[k] = size;
    return refused(a.full(), t);
  };
  CHECK(changed(1, 0, 3) == "MH6");
  CHECK(changed(1, 1, 4) == "MH6");
  CHECK(changed(1, 2, 7) == "MH5");
  CHECK(changed(1, 2, 8) == "MH5");
  CHECK(changed(2, 0, 3) == "MH6");
  CHECK(changed(2, 1, 4) == "MH6");
  CHECK(changed(2, 2, 7) == "MH5");
  CHECK(changed(0, 2, 13) == "MH5");
  tensors t = all;
  t[0]->sizes = {2, 2, 3, 12};
  CHECK(refused(a.full(), t) == "MH4");
  t = all;
  t[9].reset();
  CHECK(refused(a.full(), t) == "MH7");
  t = all;
  t[7].reset();
  CHECK(refused(a.full(), t) == "MH9");
  desc_type desc = a.full();
  desc.mask_type = mask_types::none;
  CHECK(refused(desc, all) == "MH9");
  desc.mask_type = static_cast<mask_types>(5);
  CHECK(refused(desc, all) == "MH9");
  desc = a.full();
  desc.query_head_count = 0;
  CHECK(refused(desc, all) == "MH3");
  desc.query_head_count = 3;
  CHECK(refused(desc, all) == "MH3");
  desc = a.full();
  desc.key_value_head_count = 0;
  CHECK(refused(desc, all) == "MH3");
  t = all;
  t[1]->data_type = data_type::float16;
  CHECK(refused(a.full(), t) == "MH1");
  t = all;
  t[11] = tensor_desc{.data_type = data_type::int32, .sizes = {2}};
  CHECK(refused(a.full(), t) == "MH14");
  t[13]->sizes[2] = t[14]->sizes[2] = 40;  // caches
  CHECK(refused(a.full(), t) == "MH14");
  // Sources.
  a.desc.mask_type = mask_types::none;
  for (const auto& sources : std::vector<std::vector<std::size_t>>{
           {}, {0}, {0, 1}, {0, 2}, {1, 2}, {3}, {4}, {0, 3}, {0, 1, 2, 3}, {0, 1, 2, 5}, {3, 4}, {5, 2}, {0, 9}}) {
    t = with({12});
    for (const std::size_t i : sources) t[i] = tensor_desc{.data_type = data_type::float32, .sizes = a.sizes(i)};
    CHECK(refused(a.full(), t) == "MH2");
  }
  t = with({0, 9, 10, 12});
  t[12]->sizes = {2, 3, 24};
  CHECK(refused(a.full(), t) == "");
  desc = a.full();
  desc.past_only = past_only::refuse;
  CHECK(refused(desc, t) == "MH2");
  t = with({0, 4, 12});
  t[4]->sizes = {2, 5, 2, 2, 3};
  t[12]->sizes = {2, 3, 12};
  CHECK(refused(a.full(), t) == "");
  t[4]->sizes = {2, 5, 2, 3, 3};
  CHECK(refused(a.full(), t) == "MH5");
  t = with({3, 2, 12});
  CHECK(refused(a.full(), t) == "MH3");  // a stacked query has as many heads as the keys
}
