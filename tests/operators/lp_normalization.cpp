// LP_NORMALIZATION: results, and what a device may answer, by hand from its page and the ledger (LP-R1, LP-R2).
// Refusals: tests/lines.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/lp_normalization.hpp>
#include <goldml/operators/lp_normalization.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/lp_normalization.hpp>
#include <goldml/reference/lp_normalization.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/long_run.hpp"
#include "layouts.hpp"
#include "normalisation_devices.hpp"

namespace {

using namespace goldml;
using namespace normalising;
using layouts::bits;
using desc = lp_normalization_desc;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// On both backends.
template <class T>
std::vector<T> normalised(const std::vector<T>& x, const dimensions& sizes, const desc& d) {
  std::vector<T> y(x.size()), z(x.size());
  lp_normalization(reference, tensor_view{x, sizes}, tensor_view{y, sizes}, d);
  lp_normalization(cpu, tensor_view{x, sizes}, tensor_view{z, sizes}, d);
  CHECK(bits(y) == bits(z));
  return y;
}
floats row(const floats& x, const desc& d) { return normalised(x, {static_cast<std::uint32_t>(x.size())}, d); }

template <class T>
oracle::golden golden_of(const std::vector<T>& x, const dimensions& sizes, const desc& d) {
  const tensor_desc t{.data_type = data_type_of<T>, .sizes = sizes};
  const std::array inputs{const_tensor_ref(t, x.data(), x.size() * sizeof(T))};
  const std::array outputs{t};
  return oracle::expect(d, std::span<const const_tensor_ref>(inputs), outputs);
}
std::string judged(const floats& x, const floats& answer, const desc& d) {
  const dimensions sizes{static_cast<std::uint32_t>(x.size())};
  const tensor_desc t{.data_type = data_type::float32, .sizes = sizes};
  const std::array actual{const_tensor_ref(t, answer.data(), answer.size() * sizeof(float))};
  return goldml_test::judged(golden_of(x, sizes, d), actual);
}

}  // namespace

TEST_CASE("LP_NORMALIZATION: the examples of the digest", "[lp_normalization]") {
  CHECK(row({3, -4}, {.p = 1}) == floats{0.428571433F, -0.571428597F});
  CHECK(row({3, -4}, {.p = 2}) == floats{0.6F, -0.8F});
  CHECK(normalised<float>({1, 0, 3, 2, 0, 0, 0, 2}, {2, 4}, {.p = 1}) == floats{1, 0, 1, 0.5F, 0, 0, 0, 0.5F});
  const floats small{1e-6F, 0};
  CHECK(row(small, {.p = 2})[0] == Approx(0.1));
  CHECK(row(small, {.p = 2, .lp_epsilon = lp_epsilon::add})[0] == Approx(0.0909091));
  CHECK(row(small, {.p = 2, .lp_epsilon = lp_epsilon::add_inside})[0] == Approx(3.16e-4).epsilon(1e-3));
  CHECK(row(small, {.p = 2, .lp_epsilon = lp_epsilon::max_inside})[0] == Approx(3.16e-4).epsilon(1e-3));
  CHECK(row({1, 3}, {.epsilon = 4, .p = 1, .lp_epsilon = lp_epsilon::add}) == floats{0.125F, 0.375F});
  CHECK(row({3, 4}, {.epsilon = 11, .p = 2, .lp_epsilon = lp_epsilon::add_inside}) == floats{0.5F, 0.666666687F});
}

TEST_CASE("LP_NORMALIZATION: zeros, infinities, NaN, range", "[lp_normalization]") {
  CHECK(row({0, 0}, {}) == floats{0, 0});
  CHECK(is_nan(row({0, 0}, {.epsilon = 0})[0]));
  CHECK(is_nan(row({0, 0}, {.epsilon = -1})[0]));
  CHECK((is_nan(row({1, not_a_number}, {})[0])));
  const floats infinite = row({1, -infinity, 0}, {});
  CHECK((infinite[0] == 0 && is_nan(infinite[1]) && infinite[2] == 0));
  CHECK(row({1e30F, -1e30F}, {}) == floats{0.707106769F, -0.707106769F});
  CHECK(row({2, 1}, {.epsilon = infinity}) == floats{0, 0});
  CHECK(row({3, 4}, {.epsilon = -100, .p = 2}) == floats{0.6F, 0.8F});
  CHECK(judged({0, 0}, {0, 0}, {}) == "aa");
  CHECK(judged({0, 0}, {not_a_number, 0}, {}) == "rr");
  CHECK(judged({0, 0}, {0, 0}, {.epsilon = 0}) == "aa");
  CHECK(judged({1e30F, -1e30F}, {0, 0}, {}) != "rr");
  CHECK(judged({1, 1}, {0, 0.70710677F}, {}) == "rr");
}

TEST_CASE("LP_NORMALIZATION: a device may flush, and its max may skip NaN", "[lp_normalization]") {
  for (const float answer : {not_a_number, infinity, 0.0F}) {  // 0 / 0, or what a norm of 0 leaves
    CHECK(judged({1e-39F, 2e-39F}, {answer, answer}, {.epsilon = 0, .p = 1}) == "ar");
    CHECK(judged({1e-39F, 2e-39F}, {answer, answer}, {.epsilon = 0, .p = 2})[0] == 'a');
  }
  CHECK(judged({1e-37F, 2e-37F}, {not_a_number, 0.6666667F}, {.epsilon = 0, .p = 1}) == "rr");
  for (const std::uint32_t p : {1U, 2U}) {
    CHECK(judged({not_a_number, 1, -1}, {not_a_number, infinity, -infinity}, {.epsilon = 0, .p = p}) == "aa");
    CHECK(judged({not_a_number, 1, -1}, {not_a_number, infinity, -infinity}, {.epsilon = 1e-40F, .p = p})[0] == 'a');
    CHECK(judged({not_a_number, 1, -1}, {not_a_number, -infinity, not_a_number}, {.epsilon = 0, .p = p}) == "rr");
    CHECK(judged({not_a_number, 1, -1}, {not_a_number, infinity, -4}, {.epsilon = 0.25F, .p = p}) == "rr");
    CHECK(judged({not_a_number, 1, -1}, {not_a_number, 4, -4}, {.epsilon = 0.25F, .p = p}) == "aa");
  }
}

TEST_CASE("LP_NORMALIZATION: what a device may answer", "[lp_normalization]") {
  // Epsilon 1e-30 makes all placements agree.
  const auto error = [](const floats& x, const desc& d, std::size_t i) {
    const oracle::golden golden = golden_of(x, {static_cast<std::uint32_t>(x.size())}, d);
    const interval* allowed = golden.answers[0][0].verdicts.interval_of<float>(i);
    return allowed == nullptr ? 0 : (static_cast<double>(allowed->high) - static_cast<double>(allowed->low)) / 2;
  };
  CHECK(error({3, -4}, {.epsilon = 1e-30F, .p = 1, .lp_epsilon = lp_epsilon::max}, 0) == Approx(2.6e-7).margin(4e-8));
  CHECK(error({3, -4}, {.epsilon = 1e-30F, .p = 1, .lp_epsilon = lp_epsilon::max}, 1) == Approx(3.4e-7).margin(4e-8));
  CHECK(error({3, -4}, {.epsilon = 1e-30F, .p = 2, .lp_epsilon = lp_epsilon::max}, 0) == Approx(4.6e-7).margin(4e-8));
  CHECK(error({3, -4}, {.epsilon = 1e-30F, .p = 2, .lp_epsilon = lp_epsilon::max}, 1) == Approx(6.2e-7).margin(4e-8));
  CHECK(judged({3, -4}, {0.5999988F, -0.8F}, {}) == "ss");
  CHECK(judged({3, -4}, {0.5999988F, -0.8F}, {.lp_epsilon = lp_epsilon::max}) == "rr");
  // A norm of a power of two: exact under `max`.
  CHECK(judged({1, 3}, {0.25F, 0.75F}, {.p = 1, .lp_epsilon = lp_epsilon::max}) == "aa");
  CHECK(judged({1, 3}, {0.25F, 0.75000006F}, {.p = 1, .lp_epsilon = lp_epsilon::max}) == "rr");
  CHECK(judged({1, 3}, {0.25F, -0.75F}, {.p = 1}) == "rr");
}

TEST_CASE("LP_NORMALIZATION: right devices are accepted, wrong ones noticed", "[lp_normalization]") {
  std::mt19937 random(41);
  std::normal_distribution<float> any;
  enum kind { max, add, add_inside, max_inside, other_p, no_magnitude, mean_for_sum, last_missing };
  const auto play = [&]<class T>(std::type_identity<T>, kind how, std::uint32_t p, std::size_t n, float epsilon,
                                 order by, unsigned step) {
    const std::uint32_t rows = 20;
    const dimensions sizes{static_cast<std::uint32_t>(n), rows};
    std::vector<T> x, y(n * rows);
    for (std::size_t i = 0; i < n * rows; ++i) x.push_back(static_cast<T>(any(random)));
    for (std::size_t j = 0; j < rows; ++j) {
      floats terms;
      for (std::size_t i = 0; i < n; ++i) {
        const auto e = static_cast<float>(x[i * rows + j]);
        const bool first = (p == 1) != (how == other_p);
        if (how == last_missing && i + 1 == n) continue;
        terms.push_back(how == no_magnitude ? e : first ? std::abs(e) : e * e);
      }
      const bool root = (p == 2) != (how == other_p);
      float s = sum(terms, by);
      if (how == mean_for_sum) s = s / static_cast<float>(n);
      if (how == add_inside && root) s = s + epsilon;
      if (how == max_inside && root) s = std::max(s, epsilon);
      float norm = root ? std::sqrt(s) : s;
      if (how == add || (how == add_inside && !root)) norm += epsilon;
      if (how == max || how > max_inside || (how == max_inside && !root)) norm = std::max(norm, epsilon);
      for (std::size_t i = 0; i < n; ++i) {
        const auto e = static_cast<float>(x[i * rows + j]);
        y[i * rows + j] = static_cast<T>(step == 0   ? e / norm
                                         : step == 1 ? e * (1 / norm)
                                                     : e * inverse_root(norm * norm, step));
      }
    }
    refusals all;
    count<T>(golden_of(x, sizes, {.axis = 0, .epsilon = epsilon, .p = p}), {y},
             {{.data_type = data_type_of<T>, .sizes = sizes}}, all);
    return all;
  };
  std::uint64_t right = 0, elements = 0;
  goldml_test::thinned devices(11);
  for (const std::uint32_t p : {1U, 2U})
    for (const std::size_t n : {1U, 2U, 3U, 16U, 100U, 256U})
      for (const float epsilon : {1e-30F, 1e-5F, 0.25F, 30.0F})
        for (const kind how : {max, add, add_inside, max_inside})
          for (const order by : {order::serial, order::pairwise, order::lanes})
            for (unsigned step = 0; step < 2; ++step) {
              if (devices.skips()) continue;
              const refusals single = play(std::type_identity<float>{}, how, p, n, epsilon, by, step),
                             half = play(std::type_identity<float16>{}, how, p, n, epsilon, by, step);
              right += single.refused + half.refused;
              elements += single.elements + half.elements;
            }
  WARN(fmt::format("right devices: {} of {} refused", right, elements));
  CHECK(right == 0);
  for (const std::uint32_t p : {1U, 2U})
    for (const kind how : {other_p, no_magnitude, mean_for_sum, last_missing})
      for (const std::size_t n : {8U, 64U, 256U}) {
        INFO("P " << p << ", fault " << how << ", n = " << n);
        if (how == no_magnitude && p == 2) continue;
        CHECK(play(std::type_identity<float>{}, how, p, n, 1e-30F, order::serial, 0).percent() >=
              (how == last_missing ? 80 : 99));
      }
}
