// Simulated outputs of sums for the tests of the fit: data, devices that add in some order, and their faults.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/outcome.hpp>

namespace fit_test {

using numbers = std::vector<float>;

struct generator {
  std::mt19937_64 engine;
  explicit generator(std::uint64_t seed) : engine(seed) {}
  double uniform() { return static_cast<double>(engine() >> 11) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine() % n); }
};

inline const std::vector<std::string> data_classes{
    "normal", "positive", "sorted", "alternating", "smooth",     "constant", "few values", "one huge",
    "sparse", "heavy",    "tiny",   "large mean",  "log-normal", "integers", "cancelling", "step"};

// One line of n numbers. Lines of one output share `shared`.
inline numbers line_of(const std::string& data, std::size_t n, double shared, generator& random) {
  numbers result;
  const double phase = 6 * random.uniform(), rate = 0.001 + 0.05 * random.uniform();
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<double>(i);
    double x = random.normal();
    if (data == "positive") x = random.uniform();
    if (data == "alternating") x = (i % 2 == 0 ? 1 : -1) * std::abs(x);
    if (data == "smooth") x = std::sin(phase + rate * at);
    if (data == "constant") x = 0.5 + shared;
    if (data == "few values") x = shared + 0.1 * static_cast<double>(random.below(10));
    if (data == "one huge") x = i == 0 ? 1e8 : random.uniform();
    if (data == "sparse") x = random.below(10) == 0 ? x : 0;
    if (data == "heavy") x = std::tan(std::numbers::pi * (random.uniform() - 0.5));
    if (data == "tiny") x *= 1e-12;
    if (data == "large mean") x = 100.3 + 0.01 * x;
    if (data == "log-normal") x = std::exp(2 * x);
    if (data == "integers") x = static_cast<double>(random.below(17)) - 8;
    if (data == "step") x = (i < n / 2 ? 1.1 : -1.07) + 0.001 * x;
    result.push_back(static_cast<float>(x));
  }
  if (data == "cancelling" && n > 1)
    for (std::size_t i = 0; i + 1 < n; i += 2) result[i + 1] = i == 0 ? -result[0] / 2 : -result[i];
  if (data == "sorted") std::sort(result.begin(), result.end());
  return result;
}

// A product of matrices, M by K and K by N, or sums of the rows of A where N is 0.
struct problem {
  std::size_t m, n, k;
  std::vector<numbers> a, b;  // rows of A, columns of B
  numbers c;                  // of each column; may be empty
  bool float16 = false;

  problem(std::size_t rows, std::size_t columns, std::size_t terms, const std::string& data, generator& random,
          bool halves = false)
      : m(rows), n((std::max)(columns, std::size_t{1})), k(terms), float16(halves) {
    const double shared = random.uniform();
    for (std::size_t i = 0; i < rows; ++i) a.push_back(line_of(data, k, shared, random));
    const bool ordered = data == "sorted" || data == "alternating" || data == "one huge" || data == "step";
    for (std::size_t j = 0; j < columns; ++j) b.push_back(line_of(ordered ? "positive" : data, k, shared, random));
    if (halves)
      for (auto* lines : {&a, &b})
        for (numbers& line : *lines)
          for (float& x : line) x = std::clamp(goldml::oracle::fit_half(x), -1024.0F, 1024.0F);
  }

  std::span<const float> right(std::size_t j) const { return b.empty() ? std::span<const float>() : b[j]; }

  goldml::oracle::fit_sums sums() const {
    goldml::oracle::fit_sums s;
    s.model.float32 = !float16;
    s.model.has_addend = !c.empty();
    s.rows = m;
    s.columns = n;
    s.has_right = s.is_matrix = !b.empty();
    s.place_of = [this](std::uint64_t e) {
      return goldml::oracle::fit_place{e / n, e % n, k, c.empty() ? 0.0 : c[static_cast<std::size_t>(e % n)]};
    };
    s.left = [this](std::uint64_t i, numbers& to) { to = a[static_cast<std::size_t>(i)]; };
    s.right = [this](std::uint64_t j, numbers& to) { to = b[static_cast<std::size_t>(j)]; };
    s.totals_of = [this, place = s.place_of](std::uint64_t e) {
      const goldml::oracle::fit_place p = place(e);
      const auto f = goldml::oracle::fit_facts_of(a[static_cast<std::size_t>(p.left)],
                                                  right(static_cast<std::size_t>(p.right)), 1, p.addend);
      return goldml::oracle::fit_sums::totals{f.total(), f.magnitude + std::abs(p.addend)};
    };
    return s;
  }
};

// How a device adds: the terms are numbers, or products that it rounds.
using device = std::function<float(std::span<const float> a, std::span<const float> b)>;

inline float term(std::span<const float> a, std::span<const float> b, std::size_t k) {
  return b.empty() ? a[k] : a[k] * b[k];
}
inline float fused(std::span<const float> a, std::span<const float> b, std::size_t k, float sum) {
  return b.empty() ? a[k] + sum : std::fma(a[k], b[k], sum);
}
inline float in_lanes(std::span<const float> a, std::span<const float> b, std::size_t lanes, bool fuses) {
  numbers each(lanes, 0.0F);
  for (std::size_t k = 0; k < a.size(); ++k)
    each[k % lanes] = fuses ? fused(a, b, k, each[k % lanes]) : each[k % lanes] + term(a, b, k);
  for (std::size_t width = lanes; width > 1; width = (width + 1) / 2)
    for (std::size_t i = 0; i < width / 2; ++i) each[i] += each[i + (width + 1) / 2];
  return each[0];
}
inline float in_blocks(std::span<const float> a, std::span<const float> b, std::size_t length, bool backward) {
  float sum = 0;
  for (std::size_t first = 0; first < a.size(); first += length) {
    const std::size_t count = (std::min)(length, a.size() - first);
    float block = 0;
    for (std::size_t i = 0; i < count; ++i) block = fused(a, b, first + (backward ? count - 1 - i : i), block);
    sum += block;
  }
  return sum;
}
inline float pairwise(std::span<const float> a, std::span<const float> b) {
  if (a.size() == 1) return term(a, b, 0);
  const std::size_t half = a.size() / 2;
  const auto rest = [&](std::span<const float> x) { return x.empty() ? x : x.subspan(half); };
  const auto start = [&](std::span<const float> x) { return x.empty() ? x : x.first(half); };
  const float left = pairwise(start(a), start(b)), right = pairwise(rest(a), rest(b));
  return left + right;
}

// Right devices; the replays have none of them but the first.
inline std::vector<std::pair<std::string, device>> right_devices() {
  using view = std::span<const float>;
  return {{"forward", [](view a, view b) { return in_lanes(a, b, 1, false); }},
          {"3 lanes", [](view a, view b) { return in_lanes(a, b, 3, false); }},
          {"64 lanes", [](view a, view b) { return in_lanes(a, b, 64, false); }},
          {"16 lanes, fma", [](view a, view b) { return in_lanes(a, b, 16, true); }},
          {"blocks of 24, fma", [](view a, view b) { return in_blocks(a, b, 24, false); }},
          {"blocks of 1000, backward, fma", [](view a, view b) { return in_blocks(a, b, 1000, true); }},
          {"pairwise", [](view a, view b) { return pairwise(a, b); }},
          {"double", [](view a, view b) { return static_cast<float>(goldml::oracle::fit_sum(a, b, 1)); }}};
}

// The output of a device; C is added last.
inline numbers output_of(const problem& p, const device& add) {
  numbers result;
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = 0; j < p.n; ++j) {
      float x = add(p.a[i], p.right(j));
      if (!p.c.empty()) x += p.c[j];
      result.push_back(p.float16 ? goldml::oracle::fit_half(x) : x);
    }
  return result;
}

}  // namespace fit_test
