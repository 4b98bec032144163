// The rules of MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1, written from their pages and the ledger's MH-R1 to MH-R14:
// a row in long double, and how far a device may be from it. Of rows with infinite scores or values, of scores near the
// end of their type and of half precision nothing is claimed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/multihead_attention.hpp>

#include "allowed_reduce.hpp"

namespace judged {

namespace attending {

// The elements of a call by their numbers in the tensors, which are packed.
template <class T, class Desc>
struct call {
  static constexpr bool is_float = std::is_same_v<T, float>;
  const Desc& desc;
  std::array<values, 11> in;
  std::size_t B, S, L = 0, P = 0, N, G, D, V;
  bool stores, flushes, is_cached = false;
  values lengths;

  call(const Desc& d, input_refs inputs, output_descs outputs, bool flushing)
      : desc(d), stores(!is_float && d.intermediates == intermediates::tensor_type), flushes(!is_float || flushing) {
    for (std::size_t i = 0; i < in.size(); ++i)
      if (inputs[i].present()) in[i] = values_of(inputs[i]);
    if constexpr (std::is_same_v<Desc, multihead_attention_desc>)
      N = G = d.head_count;
    else
      N = d.query_head_count, G = d.key_value_head_count;
    const auto size = [](const dimensions& sizes, std::size_t from_end) {
      return std::size_t{sizes[sizes.size() - 1 - from_end]};
    };
    const dimensions& out = outputs[0].sizes;
    B = size(out, 2), S = size(out, 1), V = size(out, 0) / N;
    const auto sizes = [&](std::size_t i) { return inputs[i].desc().sizes; };
    D = !in[0].empty() ? size(sizes(0), 0) / N : !in[3].empty() ? sizes(3)[4] : sizes(5)[4];
    if (!in[9].empty()) P = size(sizes(9), 1);
    if (!in[1].empty()) L = size(sizes(1), 1);
    if (!in[3].empty() || !in[5].empty()) L = S;
    if (!in[4].empty()) L = sizes(4)[1];
    if (inputs.size() > 12 && inputs[13].present()) read_caches(inputs);
  }
  // Caches in place, with the new keys and values, as the past.
  void read_caches(input_refs inputs) {
    is_cached = true;
    lengths = values_of(inputs[11]);
    const dimensions& sizes = inputs[13].desc().sizes;
    P = sizes[sizes.size() - 2];
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t width = k == 0 ? D : V;
      values& cache = in[9 + k] = values_of(inputs[13 + k]);
      for (std::size_t i = 0; i < B * L * G * width; ++i) {
        const std::size_t d = i % width, m = i / width % G, j = i / width / G % L, b = i / width / G / L;
        cache[((b * G + m) * P + static_cast<std::size_t>(lengths[b]) + j) * width + d] = in[1 + k][i];
      }
    }
    L = 0;
  }
  // The keys that a query sees.
  std::size_t seen(std::size_t b, std::size_t i) const {
    if (!is_cached) return P + L;
    bool whole = false;
    if constexpr (std::is_same_v<Desc, multihead_attention1_desc>)
      whole = desc.causal_with_lengths == causal_with_lengths::none;
    return static_cast<std::size_t>(lengths[b]) + (whole ? S : i + 1);
  }
  real at(std::size_t operand, std::size_t i) const {
    return static_cast<real>(static_cast<double>(value_of<T>(in[operand][i])));
  }
  std::int64_t mask_at(std::size_t i) const { return static_cast<std::int32_t>(static_cast<std::uint32_t>(in[7][i])); }
  real bias(std::size_t i) const { return in[6].empty() ? 0 : at(6, i); }
  real raw_query(std::size_t b, std::size_t n, std::size_t i, std::size_t d) const {
    if (!in[0].empty()) return at(0, ((b * S + i) * N + n) * D + d);
    return in[3].empty() ? at(5, (((b * S + i) * N + n) * 3) * D + d) : at(3, (((b * S + i) * N + n) * 2) * D + d);
  }
  // Where the number of a new key or value is: an operand, and the number of the element.
  using place = std::array<std::size_t, 2>;
  place place_of_key(std::size_t b, std::size_t m, std::size_t j, std::size_t d) const {
    if (!in[1].empty()) return {1, ((b * L + j) * G + m) * D + d};
    if (!in[3].empty()) return {3, (((b * L + j) * G + m) * 2 + 1) * D + d};
    if (!in[4].empty()) return {4, (((b * L + j) * G + m) * 2) * D + d};
    return {5, (((b * L + j) * G + m) * 3 + 1) * D + d};
  }
  place place_of_value(std::size_t b, std::size_t m, std::size_t j, std::size_t d) const {
    if (!in[2].empty()) return {2, ((b * L + j) * G + m) * V + d};
    if (!in[4].empty()) return {4, (((b * L + j) * G + m) * 2 + 1) * V + d};
    return {5, (((b * L + j) * G + m) * 3 + 2) * V + d};
  }
  real at(const place& p) const { return at(p[0], p[1]); }
  // A number, and how far it may be off because of its bias.
  struct known {
    real value = 0, off = 0;
  };
  known biased(real x, std::size_t i) const {
    if (in[6].empty()) return {x, 0};
    const real y = x + bias(i);
    return {y, stores ? 0x1p-10L * std::abs(y) + 0x1p-24L : 0x1p-24L * std::abs(y) + least_normal};
  }
  known key(std::size_t b, std::size_t m, std::size_t t, std::size_t d) const {
    if (t < P) return {at(9, ((b * G + m) * P + t) * D + d), 0};
    return biased(at(place_of_key(b, m, t - P, d)), N * D + m * D + d);
  }
  known value(std::size_t b, std::size_t m, std::size_t t, std::size_t d) const {
    if (t < P) return {at(10, ((b * G + m) * P + t) * V + d), 0};
    return biased(at(place_of_value(b, m, t - P, d)), (N + G) * D + m * V + d);
  }
  // 1: kept, 0: masked, 2: the row is undefined.
  int kept(std::size_t b, std::size_t n, std::size_t i, std::size_t t) const {
    const auto position = static_cast<std::int64_t>(t);
    switch (static_cast<int>(desc.mask_type)) {
      case 0:
        return 1;
      case 1:
        return position < mask_at(b) ? 1 : 0;
      case 2:
        return position < mask_at(b) && position >= mask_at(B + b) ? 1 : 0;
      case 3:
        for (std::size_t k = 0; k <= B; ++k)
          if (mask_at(B + k) != static_cast<std::int64_t>(k * S) ||
              mask_at(2 * B + 1 + k) != static_cast<std::int64_t>(k * L))
            return 2;
        return position < mask_at(b) ? 1 : 0;
      default: {
        const std::int64_t x = mask_at(((b * N + n) * S + i) * (P + L) + t);
        return x == 0 || x == 1 ? static_cast<int>(x) : 2;
      }
    }
  }

  // The rules of a row, of each number of its values.
  output_rules row(std::size_t b, std::size_t n, std::size_t i, bool sets) const {
    const std::size_t T_ = seen(b, i), m = n / (N / G);
    const real scale = static_cast<real>(desc.scale), filter = static_cast<real>(desc.mask_filter_value);
    const real size = std::abs(scale), limit = (stores ? 65504.0L : 0x1p120L) / 1.5L;
    std::vector<real> s(T_), off(T_, 0);
    output_rules rules(V);
    const auto open = [&] {
      for (element_rule& rule : rules) {
        rule.range =
            float_range{.type = is_float ? data_type::float32 : data_type::float16, .low = 1, .high = 0, .open = true};
      }
      return rules;
    };
    bool is_open = desc.accumulation != accumulation::single;
    real greatest = -std::numeric_limits<real>::infinity();
    for (std::size_t t = 0; t < T_; ++t) {
      const bool masked = kept(b, n, i, t) == 0;
      if (masked && sets) {
        s[t] = filter;
        is_open = is_open || std::abs(filter) > limit;
        greatest = std::max(greatest, s[t]);
        continue;
      }
      real sum = 0, all = 0, crossed = 0, of_factors = 0, plain = 0;
      for (std::size_t d = 0; d < D; ++d) {
        const known q = biased(raw_query(b, n, i, d), n * D + d), k = key(b, m, t, d);
        sum += q.value * k.value;
        plain += std::abs(q.value * k.value);
        all += (std::abs(q.value) + q.off) * (std::abs(k.value) + k.off);
        crossed += std::abs(q.value) * k.off + std::abs(k.value) * q.off + q.off * k.off;
        of_factors += std::abs(q.value) + std::abs(k.value);
        const real factor = std::max(std::abs(q.value), std::abs(k.value));  // which may be stored, also when scaled
        is_open = is_open || (stores && std::max<real>(1, size) * factor > 65000);
        if (flushes && (std::abs(q.value) < least_normal || std::abs(k.value) < least_normal))
          crossed += std::abs(q.value * k.value);
      }
      const real position = in[8].empty() ? 0 : at(8, ((b * N + n) * S + i) * T_ + t), added = masked ? filter : 0;
      s[t] = scale * sum + position + added;
      const real magnitude = size * all + std::abs(position) + std::abs(added);
      is_open = is_open || !std::isfinite(s[t]) || magnitude > limit || plain > limit;
      off[t] = grown(static_cast<real>(D) + 8) * magnitude + size * crossed +
               (std::max<real>(1, size) * 2 * (static_cast<real>(D) + 8) + of_factors) * least_normal;
      if (std::abs(position) < least_normal) off[t] += std::abs(position);
      if (size < least_normal) off[t] += size * plain;
      if (stores)
        off[t] +=
            0x1p-10L * (2 * size * plain + std::abs(scale * sum) + std::abs(scale * sum + position) + std::abs(s[t])) +
            0x1p-24L * (6 + size);
      greatest = std::max(greatest, s[t]);
    }
    for (std::size_t t = T_; is_cached && t < P; ++t) {  // what a weight of 0 may be multiplied with
      for (std::size_t d = 0; d < D; ++d) is_open = is_open || !std::isfinite(key(b, m, t, d).value);
      for (std::size_t d = 0; d < V; ++d) is_open = is_open || !std::isfinite(value(b, m, t, d).value);
    }
    if (is_open) return open();
    real top = 0, total = 0, of_weights = 0;
    for (std::size_t t = 0; t < T_; ++t) {
      if (s[t] == greatest) top = std::max(top, off[t]);
      total += std::exp(s[t] - greatest);
    }
    const real blocks = std::ceil(static_cast<real>(T_) / 16);
    std::vector<real> p(T_), by(T_, 0);
    std::vector<bool> alive(T_);
    for (std::size_t t = 0; t < T_; ++t) {
      const real x = s[t] - greatest, far_off = std::abs(x) + off[t] + top;
      p[t] = std::exp(x) / total;
      alive[t] = x + off[t] + top >= -110.001L;
      if (!alive[t]) continue;
      by[t] = std::expm1(off[t] + 1.001L * (0x1p-21L + 0x1p-22L * far_off + 0x1p-24L * far_off + blocks * 0x1p-21L));
      of_weights += p[t] * by[t];
    }
    const real g = 2 * grown(static_cast<real>(T_) + 2 * blocks + 2) + 9 * 0x1p-24L + (stores ? 0x1p-10L : 0);
    const real tiny = stores ? 0x1p-24L : 2 * least_normal;
    for (std::size_t d = 0; d < V; ++d) {
      real y = 0, magnitude = 0, spread = 0, given = 0, sum = 0, low = 0, high = 0, most = 0;
      bool first = true, odd = false;
      for (std::size_t t = 0; t < T_; ++t) y += p[t] == 0 ? 0 : p[t] * value(b, m, t, d).value;
      for (std::size_t t = 0; t < T_; ++t) {
        const known v = value(b, m, t, d);
        odd = odd || !std::isfinite(v.value) || (!in[6].empty() && std::abs(v.value) > (stores ? 65000 : 1e38L));
        magnitude += p[t] * std::abs(v.value);
        if (!alive[t]) continue;
        spread += p[t] * by[t] * std::abs(v.value - y);
        given += p[t] * v.off;
        sum += std::abs(v.value);
        low = first ? v.value : std::min(low, v.value);
        high = first ? v.value : std::max(high, v.value);
        most = std::max(most, std::abs(v.value) + v.off);
        first = false;
      }
      if (odd) {
        rules[d] = open()[d];
        continue;
      }
      const real fixed = tiny * sum + (is_float ? 3 * static_cast<real>(T_) * least_normal : 0);
      const real within = g * most + most - std::max(std::abs(low), std::abs(high)) + fixed;
      real e = of_weights < 0.5L ? (spread + g * magnitude + given * (1 + of_weights)) / (1 - of_weights) + fixed
                                 : std::numeric_limits<real>::infinity();
      e = std::min(e, std::max(high - y, y - low) + within) * 1.01L + 1e-9L * magnitude;
      rules[d] = rule_of_number<T>(approximate{y, e}, false);
      const element_rule inner = rule_of_number<T>(approximate{y, 0}, false);
      rules[d].range->low = inner.range->low;
      rules[d].range->high = inner.range->high;
    }
    return rules;
  }

  all_rules rules(output_descs outputs) const {
    all_rules result(3);
    result[0].resize(B * S * N * V);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t n = 0; n < N; ++n)
        for (std::size_t i = 0; i < S; ++i) {
          bool defined = true, masks = false, whole = true;
          for (std::size_t t = 0; t < P + L; ++t) {
            const int state = kept(b, n, i, t);
            defined = defined && state != 2;
            masks = masks || state == 0;
            whole = whole && state == 0;
          }
          const bool by_length = masks && static_cast<int>(desc.mask_type) < 4;
          if (whole && desc.masked_rows == masked_rows::any) defined = false;
          if (!defined) {
            for (std::size_t d = 0; d < V; ++d) result[0][((b * S + i) * N + n) * V + d].defined = false;
            continue;
          }
          output_rules rules = row(b, n, i, by_length && desc.mask_filter == mask_filter::set);
          if (by_length && desc.mask_filter == mask_filter::add) {
            const output_rules set = row(b, n, i, true);
            for (std::size_t d = 0; d < V; ++d) {
              rules[d].apart.push_back(*set[d].range);
              rules[d].apart.back().low = 1, rules[d].apart.back().high = 0;
            }
          }
          for (std::size_t d = 0; d < V; ++d) result[0][((b * S + i) * N + n) * V + d] = rules[d];
        }
    const auto present = [&](std::size_t output, std::size_t width, std::size_t past, const auto& fresh,
                             std::size_t first_bias) {
      if (outputs[output].sizes.empty()) return;
      for (std::size_t k = 0; k < B * G * (P + L) * width; ++k) {
        const std::size_t d = k % width, t = k / width % (P + L), m = k / width / (P + L) % G,
                          b = k / width / (P + L) / G;
        const bool adds = !in[6].empty() && desc.present_bias == present_bias::added;
        if (t < P) {
          result[output].push_back({true, {in[past][((b * G + m) * P + t) * width + d]}});
          continue;
        }
        const place from = fresh(b, m, t - P, d);
        if (!adds) {
          result[output].push_back({true, {in[from[0]][from[1]]}});
          continue;
        }
        const real x = at(from), y = bias(first_bias + m * width + d);
        element_rule rule = rule_of_number<T>(sum_of({x, y}, {x, y}, 1, is_float, flushes).result, false);
        const element_rule inner = rule_of_number<T>(approximate{x + y, 0}, false);
        if (rule.range && inner.range) rule.range->low = inner.range->low, rule.range->high = inner.range->high;
        if (rule.range && desc.accumulation != accumulation::single) rule.range->open = true;
        result[output].push_back(rule);
      }
    };
    const auto key_place = [&](auto... numbers) { return place_of_key(numbers...); };
    const auto value_place = [&](auto... numbers) { return place_of_value(numbers...); };
    present(1, D, 9, key_place, N * D);
    present(2, V, 10, value_place, (N + G) * D);
    return result;
  }
};

}  // namespace attending

template <class Desc>
requires attention_operator<Desc> all_rules rules_of(const Desc& desc, input_refs inputs, output_descs outputs,
                                                     bool flushing = false) {
  all_rules result;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    result = attending::call<T, Desc>(desc, inputs, outputs, flushing).rules(outputs);
  });
  return result;
}

}  // namespace judged
