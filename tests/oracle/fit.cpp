// The fit: the model of a sum's errors, the measure, and what it says of simulated devices.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/oracle/fit/outcome.hpp>

#include "../catch.hpp"
#include "fit_devices.hpp"

using namespace goldml;

namespace {

constexpr double variance_of_rounding = 0x1p-48 / 3;

oracle::fit_result fit_of(const oracle::fit_sums& sums, const fit_test::numbers& output) {
  const oracle::fit_answers got = [&](std::uint64_t i) { return double{output[static_cast<std::size_t>(i)]}; };
  oracle::fit_measure measure(sums, got);
  const oracle::fit_sample sample = oracle::fit_sample_of(measure);
  return oracle::fit_outcome_of(measure, sample);
}

struct noticed_share {
  int noticed = 0, of = 0;
  double percent() const { return 100.0 * noticed / of; }
};

}  // namespace

TEST_CASE("F2.1: the variance of a sum, by hand") {
  oracle::fit_model model;
  // Terms 1 and 3: Q2 = 10, m = 2, s2 = 1: 10 + 1 * 2*3/6 + 4 * 2*3*5/6 = 31.
  oracle::fit_facts f{2, 4, 10, 4};
  CHECK(model.variance(f) / variance_of_rounding == Approx(31));
  CHECK(model.variance({1, 3, 9, 3}) / variance_of_rounding == Approx(9));  // one term: only its product
  f.addend = 2;
  model.has_addend = true;
  CHECK(model.variance(f) / variance_of_rounding == Approx(31 + 2 * 4 + 2 * 4 * 3 + 36));
  f.addend = -2;  // n c^2 + c y0 (n+1) = 8 - 24 < 0
  CHECK(model.variance(f) / variance_of_rounding == Approx(31 + 4));
  f.addend = 0;
  model = {};
  model.scales = true;
  CHECK(model.variance(f) / variance_of_rounding == Approx(31 + 16));
  model = {};
  model.finish = oracle::fit_finish::average;
  CHECK(model.variance(f) / variance_of_rounding == Approx(31.0 / 4 + 81 * 4));
  model.refuses_reciprocals = true;
  CHECK(model.variance(f) / variance_of_rounding == Approx(31.0 / 4 + 9 * 4));
  model.finish = oracle::fit_finish::root;
  CHECK(model.variance(f) / variance_of_rounding == Approx(31.0 / 16 + 4 * 4));
  model.refuses_reciprocals = false;
  CHECK(model.variance(f) / variance_of_rounding == Approx(31.0 / 16 + 9 * 4));
  model = {.half = true};
  CHECK(model.variance(f) == Approx(0x1p-22 / 3 * (31 + 20) + 2 * 0x1p-50));
}

TEST_CASE("F2.2: the least error of a FLOAT32 sum that was narrowed") {
  const auto nearest = [](double got, double y) { return oracle::fit_error(got, y, true, rounding::nearest_even); };
  const auto cut = [](double got, double y) { return oracle::fit_error(got, y, true, rounding::toward_zero); };
  CHECK(oracle::fit_error(1, 0.75, false, rounding::nearest_even) == 0.25);
  CHECK(nearest(1.5, 1.5 + 0x1p-11) == 0);
  CHECK(nearest(1.5, 1.5 + 0x1p-10) == -0x1p-11);
  CHECK(nearest(-1.5, -1.5 - 0x1p-10) == 0x1p-11);
  CHECK(nearest(1.5, 1.5 - 0x1p-10) == 0x1p-11);
  CHECK(nearest(1, 1 - 0x1p-11) == 0x1p-12);  // below a power of two half as far
  CHECK(nearest(0, 0x1p-24) == -0x1p-25);
  CHECK(nearest(0, -0x1p-24) == 0x1p-25);
  CHECK(nearest(0x1p-24, 0) == 0x1p-25);
  CHECK(nearest(0x1p-14, 0x1p-14 - 0x1p-25) == 0);  // below it are subnormal numbers, as far apart
  CHECK(cut(1.5, 1.5 + 0x1p-10) == 0);
  CHECK(cut(1.5, 1.5 - 0x1p-12) == 0x1p-12);
  CHECK(cut(-1.5, -1.5 + 0x1p-12) == -0x1p-12);
  CHECK(cut(0, -0x1p-24) == 0);
  CHECK(oracle::fit_half(1 + 0x1p-11F) == 1);
  CHECK(oracle::fit_half(1 + 3 * 0x1p-11F) == 1 + 0x1p-9F);
  CHECK(oracle::fit_half(65519.0F) == 65504);
  CHECK(oracle::fit_half(3 * 0x1p-25F) == 0x1p-23F);
}

TEST_CASE("F2.3: the orders of a replay, by hand") {
  // 2^24, 1, 1, 1: forward each 1 is lost; backward 3 + 2^24 is rounded to 2^24 + 4.
  const fit_test::numbers x{0x1p24F, 1, 1, 1}, ones{1, 1, 1, 1};
  const auto replay = [&](const fit_test::numbers& a, const fit_test::numbers& b, oracle::fit_model model = {}) {
    const oracle::fit_task task{a, b, oracle::fit_facts_of(a, b, 1, 0)};
    return oracle::fit_replays(model, 1, std::vector{task, task})[1];
  };
  for (const bool products : {false, true}) {
    const auto r = replay(x, products ? ones : fit_test::numbers{}).results;
    CHECK(r[0] == 0x1p24);
    CHECK(r[1] == 0x1p24 + 4);
    CHECK(r[2] == 0x1p24 + 2);  // (2^24 + 1) + (1 + 1)
    CHECK(r[3] == 0x1p24);      // lanes are joined serially
    CHECK(r[8] == 0x1p24 + 2);  // two blocks
    CHECK(r[11] == 0x1p24);
  }
  // A fused step rounds no product: 2^-24 is lost with 1 + 2^-23 + 2^-24 rounded first.
  const fit_test::numbers a{1 + 0x1p-12F, -1}, b{1 + 0x1p-12F, 1};
  CHECK(replay(a, b).results[0] == 0x1p-11);
  CHECK(replay(a, b).results[11] == 0x1p-11);
  const fit_test::numbers minus{-1, 1 + 0x1p-12F}, plus{1, 1 + 0x1p-12F};
  CHECK(replay(minus, plus).results[11] == 0x1p-11 + 0x1p-24);
  // Products 4; blocks of one term have the partial sums 1, 1, 1, 1 and 2, 3, 4, forward has 1, 2, 3, 4.
  CHECK(replay(ones, {}).most_variance / variance_of_rounding == Approx(4 + 33));
  CHECK(replay({2048, 1, 1, 1}, {}, {.half = true}).results[0] == 2048);
  CHECK(replay({2048, 1, 1, 1}, {}, {.half = true}).results[1] == 2052);
  oracle::fit_model average;
  average.finish = oracle::fit_finish::average;
  CHECK(replay({1, 1, 2}, {}, average).results[0] == double{4.0F / 3});
}

TEST_CASE("F2.3: what is sampled") {
  using measure = oracle::fit_measure;
  CHECK(measure::spaced(5, 9) == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  CHECK(measure::spaced(11, 3) == std::vector<std::uint64_t>{0, 5, 10});
  fit_test::generator random(1);
  fit_test::problem p(2, 2, 4, "normal", random);
  oracle::fit_sums sums = p.sums();
  const auto count = [&](std::uint64_t rows, std::uint64_t columns, std::uint64_t terms) {
    sums.rows = rows;
    sums.columns = columns;
    sums.place_of = [terms](std::uint64_t) { return oracle::fit_place{0, 0, terms}; };
    return oracle::detail::fit_elements_of(sums).size();
  };
  CHECK(count(1000, 1000, 10) == 4096);
  CHECK(count(100000, 1, 10) == 4096);
  CHECK(count(1, 100000, 1 << 12) == 1024);
  CHECK(count(100, 1, 1 << 22) == 4);
  CHECK(count(3, 1, 1 << 22) == 3);
  CHECK(count(4, 1, (1 << 22) + 1) == 0);
  CHECK(count(1, 1, 1 << 24) == 1);
}

TEST_CASE("F2.3: independent elements") {
  fit_test::generator random(2);
  fit_test::problem p(16, 4, 32, "normal", random);
  const oracle::fit_sums sums = p.sums();
  const auto sample_of = [&] {
    const oracle::fit_answers got = [](std::uint64_t) { return 0.0; };
    oracle::fit_measure measure(sums, got);
    return oracle::fit_sample_of(measure);
  };
  CHECK(sample_of().independent > 16);
  CHECK(sample_of().independent <= 64);
  for (fit_test::numbers& row : p.a) row = p.a[0];
  CHECK(sample_of().independent <= 4);
  for (std::size_t i = 0; i < p.m; ++i) p.a[i][31] = static_cast<float>(random.normal());  // equal but for a term
  CHECK(sample_of().independent < 24);
}

TEST_CASE("F2.2: elements that are left out") {
  const auto measured = [](const fit_test::numbers& a, const fit_test::numbers& b, float got) {
    fit_test::generator random(1);
    fit_test::problem p(1, 1, a.size(), "normal", random);
    p.a[0] = a;
    p.b[0] = b;
    const oracle::fit_sums sums = p.sums();
    return fit_of(sums, {got}).measured;
  };
  CHECK(measured({1.1F, 2.3F}, {0.7F, 0.3F}, 1) == 1);
  CHECK(measured({1, 2}, {3, 4}, 1) == 0);  // exact
  CHECK(measured({1.1F, 2.3F}, {0.7F, 0.3F}, std::nanf("")) == 0);
  CHECK(measured({1.1F, 2.3F}, {0.7F, 0.3F}, HUGE_VALF) == 0);
  CHECK(measured({1.1e38F, 2.3F}, {2.7F, 0.3F}, 3e38F) == 1);
  CHECK(measured({1.1e38F, 2.3e38F}, {2.7F, -0.3F}, 3e38F) == 0);       // a partial sum may overflow
  CHECK(measured({1.1e-20F, 2.3e-20F}, {0.7e-18F, 0.3e-18F}, 0) == 0);  // flushing may take the products
  CHECK(measured({0, 0}, {0.7F, 0.3F}, 0) == 0);
  fit_test::generator random(1);
  fit_test::problem p(1, 1, 2, "normal", random);
  const oracle::fit_sums sums = p.sums();
  CHECK(fit_of(sums, {std::nanf("")}).outcome == oracle::fit_outcome::none);
  CHECK(fit_of(sums, {std::nanf("")}).silent_because == "no element is both rounded and finite");
}

TEST_CASE("F3: right devices fit, in any order and on any data") {
  fit_test::generator random(3);
  int outputs = 0, wrong = 0;
  for (const std::string& data : fit_test::data_classes)
    for (const bool float16 : {false, true})
      for (const auto& [m, n, k] : {std::tuple{64, 0, 2}, {12, 12, 33}, {4, 4, 300}, {1, 0, 100}}) {
        const fit_test::problem p(static_cast<std::size_t>(m), static_cast<std::size_t>(n), static_cast<std::size_t>(k),
                                  data, random, float16);
        for (const auto& [name, add] : fit_test::right_devices()) {
          const oracle::fit_result fit = fit_of(p.sums(), fit_test::output_of(p, add));
          ++outputs;
          if (fit.outcome == oracle::fit_outcome::fits || fit.outcome == oracle::fit_outcome::none) continue;
          ++wrong;
          UNSCOPED_INFO(data << (float16 ? " FLOAT16 " : " ") << m << "x" << n << "x" << k << " " << name << ": "
                             << oracle::name_of(fit.outcome) << " " << fit.rms << " " << fit.largest);
        }
      }
  INFO(outputs << " outputs");
  CHECK(outputs == 1024);
  CHECK(wrong == 0);
}
TEST_CASE("F6: right devices, at length", "[.simulation]") {
  int outputs = 0, wrong = 0, silent = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    fit_test::generator random(100 + seed);
    for (const std::string& data : fit_test::data_classes)
      for (const bool float16 : {false, true})
        for (const auto& [m, n, k] : {std::tuple{1000, 0, 2},
                                      {1024, 0, 1},
                                      {64, 64, 8},
                                      {16, 16, 256},
                                      {16, 16, 32},
                                      {8, 8, 4096},
                                      {1, 0, 100},
                                      {4, 0, 1000},
                                      {1, 0, 20000},
                                      {2, 2, 777}}) {
          if (seed >= 2 && m * k > 20000) continue;
          const fit_test::problem p(static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                                    static_cast<std::size_t>(k), data, random, float16);
          for (const auto& [name, add] : fit_test::right_devices()) {
            const oracle::fit_result fit = fit_of(p.sums(), fit_test::output_of(p, add));
            ++outputs;
            silent += fit.outcome == oracle::fit_outcome::none ? 1 : 0;
            if (fit.outcome == oracle::fit_outcome::fits || fit.outcome == oracle::fit_outcome::none) continue;
            ++wrong;
            WARN(data << (float16 ? " FLOAT16 " : " ") << m << "x" << n << "x" << k << " " << name << ": "
                      << oracle::name_of(fit.outcome) << " Z " << fit.rms << " largest " << fit.largest << " N* "
                      << fit.independent << (fit.dependent ? " dependent" : ""));
          }
        }
  }
  WARN(outputs << " outputs, " << silent << " without a statement, " << wrong << " called wrong");
  CHECK(wrong == 0);
}

TEST_CASE("F3: one wrong element is an outlier, rows are, and all elements are coarser") {
  fit_test::generator random(4);
  const auto add = fit_test::right_devices()[4].second;
  for (const std::size_t k : {std::size_t{64}, std::size_t{256}}) {
    const fit_test::problem p(16, 16, k, "normal", random);
    const oracle::fit_sums sums = p.sums();
    const fit_test::numbers right = fit_test::output_of(p, add);
    noticed_share missing, doubled;
    for (int trial = 0; trial < 10; ++trial) {
      const std::size_t e = random.below(right.size()), t = random.below(k);
      for (const float sign : {-1.0F, 1.0F}) {
        fit_test::numbers got = right;
        got[e] += sign * p.a[e / p.n][t] * p.b[e % p.n][t];
        const oracle::fit_result fit = fit_of(sums, got);
        noticed_share& s = sign < 0 ? missing : doubled;
        ++s.of;
        s.noticed +=
            fit.outcome == oracle::fit_outcome::outliers && fit.outliers == std::vector{static_cast<std::uint64_t>(e)}
                ? 1
                : 0;
      }
    }
    INFO("K = " << k << ": missing " << missing.percent() << " %, doubled " << doubled.percent() << " %");
    CHECK(missing.noticed >= 9);
    CHECK(doubled.noticed >= 9);
    fit_test::numbers row = right, all = right, column = right;
    for (std::size_t e = 0; e < right.size(); ++e) {
      const float p7 = p.a[e / p.n][7] * p.b[e % p.n][7];
      if (e / p.n == 5) row[e] -= p7;
      if (e % p.n == p.n - 1) column[e] = 0;
      all[e] -= p7;
    }
    CHECK(fit_of(sums, row).outcome == oracle::fit_outcome::outliers);
    CHECK(fit_of(sums, row).where == "row");
    CHECK(fit_of(sums, column).where == "column");
    CHECK(fit_of(sums, all).outcome == oracle::fit_outcome::coarser);
    for (float& x : row) x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & ~std::uint32_t{7});
    CHECK(fit_of(sums, row).outcome != oracle::fit_outcome::fits);
  }
}

// Whether the interval of an element, or the band of what is suspicious, notices what a device answered.
template <class T>
bool interval_notices(std::span<const float> a, std::span<const float> b, float got) {
  sum_terms terms;
  for (std::size_t k = 0; k < a.size(); ++k) terms.add_product(double{a[k]}, double{b[k]});
  const interval allowed = interval_of<T>(terms.bound_with(terms.count(), arithmetic_mode{std::is_same_v<T, float>}));
  return got < allowed.usual_low || got > allowed.usual_high;
}
// What docs/verdicts.md prints of faults.
TEST_CASE("F6: how often a fault is noticed, at length", "[.simulation]") {
  const std::array<std::size_t, 4> lengths{64, 1024, 4096, 20000};
  const std::array<std::string, 7> faults{
      "missing, interval only", "missing", "twice", "neighbour's", "missing in a row", "in a tile of 4 x 4", "in 10 %"};
  const auto add = fit_test::right_devices()[4].second;
  std::string table;
  for (const std::string data : {"normal", "positive"})
    for (const bool float16 : {false, true}) {
      std::array<std::array<noticed_share, 4>, 7> shares{};
      for (std::size_t length = 0; length < lengths.size(); ++length) {
        const std::size_t k = lengths[length];
        fit_test::generator random(2000 + k);
        const int trials = k > 10000 ? 25 : 50;
        for (int trial = 0; trial < (data == "normal" ? 6 : 1) * trials; ++trial) {
          const fit_test::problem p(16, 16, k, data, random, float16);
          const fit_test::numbers right = fit_test::output_of(p, add);
          const std::size_t e = random.below(right.size()), t = random.below(k);
          const std::size_t row = e / p.n, column = e % p.n;
          for (std::size_t fault = 0; fault < faults.size(); ++fault) {
            if (trial >= trials && fault != 1) continue;
            fit_test::numbers got = right;
            for (std::size_t i = 0; i < right.size(); ++i) {
              const std::size_t y = i / p.n, x = i % p.n;
              const bool hit = fault < 4    ? i == e
                               : fault == 4 ? y == row
                               : fault == 5 ? y / 4 == row / 4 && x / 4 == column / 4
                                            : random.below(10) == 0;
              if (!hit) continue;
              fit_test::numbers line = p.a[y];
              line[t] = fault == 2 ? 2 * line[t] : fault == 3 ? p.a[(y + 1) % p.m][t] : 0;
              const float sum = add(line, p.b[x]);
              got[i] = float16 ? oracle::fit_half(sum) : sum;
            }
            noticed_share& s = shares[fault][length];
            ++s.of;
            const bool notices = fault > 0 ? fit_of(p.sums(), got).misfits()
                                 : float16 ? interval_notices<goldml::float16>(p.a[row], p.b[column], got[e])
                                           : interval_notices<float>(p.a[row], p.b[column], got[e]);
            s.noticed += notices ? 1 : 0;
          }
        }
      }
      for (std::size_t fault = 0; fault < faults.size(); ++fault) {
        table += "\n| FLOAT" + std::string(float16 ? "16, " : "32, ") + data + " | " + faults[fault] + " |";
        for (const noticed_share& s : shares[fault]) table += " " + std::to_string(100 * s.noticed / s.of) + " % |";
      }
    }
  WARN("noticed, K = 64, 1024, 4096, 20000:" << table);
}

TEST_CASE("F3: an element outside the sample is found") {
  fit_test::generator random(5);
  const fit_test::problem p(100, 90, 16, "normal", random);
  const oracle::fit_sums sums = p.sums();
  fit_test::numbers got = fit_test::output_of(p, fit_test::right_devices()[0].second);
  const oracle::fit_result right = fit_of(sums, got);
  CHECK(right.outcome == oracle::fit_outcome::fits);
  CHECK(right.measured == 2209);  // 47 x 47, about a quarter
  got[91] -= p.a[1][3] * p.b[1][3];
  CHECK(fit_of(sums, got).outliers == std::vector<std::uint64_t>{91});
}

TEST_CASE("F3: errors on one side") {
  fit_test::generator random(6);
  const fit_test::problem p(24, 24, 64, "positive", random);
  const auto cut = [](std::span<const float> a, std::span<const float> b) {
    float sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double exact = double{sum} + double{a[k]} * double{b[k]};
      sum = static_cast<float>(exact);
      if (double{sum} > exact) sum = std::nextafter(sum, 0.0F);
    }
    return sum;
  };
  const oracle::fit_result fit = fit_of(p.sums(), fit_test::output_of(p, cut));
  CHECK((fit.outcome == oracle::fit_outcome::biased || fit.outcome == oracle::fit_outcome::coarser));
  CHECK(fit.bias < -1);
}
