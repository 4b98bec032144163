// Devices that normalise in FLOAT32, in ways of their own: right ones, and wrong ones. Shares no code with the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/float16.hpp>
#include <goldml/oracle/compare.hpp>

#include "../support/judged.hpp"

namespace normalising {

using floats = std::vector<float>;

inline float rounded_to(float x, bool half) { return half ? static_cast<float>(static_cast<goldml::float16>(x)) : x; }

// The orders of a sum.
enum class order { serial, reversed, pairwise, lanes };
inline float sum(const floats& x, order how) {
  if (x.empty()) return 0;
  if (how == order::pairwise) {
    if (x.size() == 1) return x[0];
    const auto half = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    return sum(floats(x.begin(), half), how) + sum(floats(half, x.end()), how);
  }
  if (how == order::lanes) {
    floats lanes(8, 0.0F);
    for (std::size_t i = 0; i < x.size(); ++i) lanes[i % 8] += x[i];
    return sum(lanes, order::pairwise);
  }
  float total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) total += x[how == order::reversed ? x.size() - 1 - i : i];
  return total;
}

enum class way {
  two_pass,
  corrected,
  one_pass,
  welford,
  merged,  // lanes of Welford's recurrence, merged
  // Wrong.
  sample_variance,
  count_and_one,
  last_missing_in_mean,
  last_missing_in_variance,
  epsilon_outside,
  no_epsilon,
  no_root,
  half_sums,
};
inline constexpr way right_ways[] = {way::two_pass, way::corrected, way::one_pass, way::welford, way::merged};

struct moments {
  float mean, variance;
};
inline moments moments_of(const floats& x, way how, order by, bool reciprocal) {
  const auto n = static_cast<float>(x.size());
  const auto over = [&](float total, float count) { return reciprocal ? total * (1 / count) : total / count; };
  const auto squares_about = [&](const floats& elements, float c) {
    floats s;
    for (const float e : elements) s.push_back((e - c) * (e - c));
    return sum(s, by);
  };
  floats shorter(x.begin(), x.end() - 1);
  switch (how) {
    case way::one_pass: {
      const float mean = over(sum(x, by), n);
      return {mean, over(squares_about(x, 0), n) - mean * mean};
    }
    case way::welford: {
      float mean = 0, m2 = 0, k = 0;
      for (const float e : x) {
        k += 1;
        const float d = e - mean;
        mean += d / k;
        m2 += d * (e - mean);
      }
      return {mean, over(m2, n)};
    }
    case way::merged: {
      moments all{};
      float count = 0;
      for (std::size_t lane = 0; lane < 4; ++lane) {
        floats part;
        for (std::size_t i = lane; i < x.size(); i += 4) part.push_back(x[i]);
        if (part.empty()) continue;
        const moments m = moments_of(part, way::welford, by, false);
        const auto size = static_cast<float>(part.size());
        const float d = m.mean - all.mean, total = count + size;
        all.mean += d * (size / total);
        all.variance += m.variance * size + d * d * (count * (size / total));
        count = total;
      }
      return {all.mean, over(all.variance, n)};
    }
    case way::corrected: {
      const float mean = over(sum(x, by), n);
      floats d;
      for (const float e : x) d.push_back(e - mean);
      const float rest = sum(d, by);
      return {mean, over(squares_about(x, mean) - rest * rest / n, n)};
    }
    case way::sample_variance: {
      const float mean = over(sum(x, by), n);
      return {mean, squares_about(x, mean) / (n - 1)};
    }
    case way::count_and_one: {
      const float mean = sum(x, by) / (n + 1);
      return {mean, squares_about(x, mean) / (n + 1)};
    }
    case way::last_missing_in_mean: {
      const float mean = over(sum(shorter, by), n);
      return {mean, over(squares_about(x, mean), n)};
    }
    case way::last_missing_in_variance: {
      const float mean = over(sum(x, by), n);
      return {mean, over(squares_about(shorter, mean), n)};
    }
    case way::half_sums: {
      float mean = 0, m2 = 0;
      for (const float e : x) mean = rounded_to(mean + e, true);
      mean = rounded_to(mean / n, true);
      for (const float e : x) m2 = rounded_to(m2 + (e - mean) * (e - mean), true);
      return {mean, rounded_to(m2 / n, true)};
    }
    default: {
      const float mean = over(sum(x, by), n);
      return {mean, over(squares_about(x, mean), n)};
    }
  }
}

// 1 / sqrt(d): exact, by `rsq` 2^-21 too high or low, or by a division.
inline float inverse_root(float d, unsigned kind) {
  const double exact = 1 / std::sqrt(static_cast<double>(d));
  if (kind == 0) return static_cast<float>(exact * (1 + 0x1p-21 * 0.98));
  if (kind == 1) return static_cast<float>(exact * (1 - 0x1p-21 * 0.98));
  return 1 / std::sqrt(d);
}
// s * (x - c) * r + b: directly, or folded.
inline float affine(float x, float c, float r, float s, float b, unsigned kind) {
  const float a = s * r;
  if (kind == 0) return (x - c) * r * s + b;
  if (kind == 1) return (x - c) * a + b;
  if (kind == 2) return x * a + (b - c * a);
  if (kind == 3) return std::fma(x, a, std::fma(-c, a, b));
  return std::fma((x - c) * r, s, b);
}

struct refusals {
  std::uint64_t refused = 0, suspicious = 0, elements = 0;
  double percent() const { return 100.0 * static_cast<double>(refused) / static_cast<double>(elements); }
};

// Counts the elements of an answer that are refused, or suspicious.
template <class T>
void count(const goldml::oracle::golden& golden, const std::vector<std::vector<T>>& answer,
           const std::vector<goldml::tensor_desc>& outputs, refusals& to) {
  std::vector<goldml::const_tensor_ref> actual;
  for (std::size_t i = 0; i < answer.size(); ++i)
    actual.emplace_back(outputs[i], answer[i].data(), answer[i].size() * sizeof(T));
  const goldml::oracle::comparison compared =
      goldml::oracle::compare(golden, std::span<const goldml::const_tensor_ref>(actual)).result;
  to.refused += compared.differing();
  to.suspicious += compared.suspicious();
  for (const auto& each : answer) to.elements += each.size();
}

}  // namespace normalising
