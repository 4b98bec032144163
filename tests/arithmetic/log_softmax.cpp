// LOG_SOFTMAX against MPFR, and its bound against devices that compute it in each of the legal ways, and wrongly.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <goldml/arithmetic/log_softmax_bounds.hpp>
#include <goldml/arithmetic/softmax.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "formula_data.hpp"
#include "precise.hpp"

namespace {

using namespace formula_test;
namespace ar = goldml::arithmetic;

// The ways of computing x - M - ln S that the specification permits, and wrong ones.
enum class way { by_difference, of_quotient, joint, last_missing, binary, no_logarithm, quotient, sum_of_powers };
constexpr way right_ways[] = {way::by_difference, way::of_quotient, way::joint};

template <class N>
std::vector<N> log_softmax(std::vector<N> x, way how) {
  const N zero = x[0].like(0);
  for (N& each : x) each = each + zero;  // it is read once
  const N top = fm::greatest<N>(x);
  const std::vector<N> p = fm::powers<N>(x, top);
  typename N::terms s;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (how != way::last_missing || i == 0 || i + 1 < p.size()) s.add(p[i]);
  const N total = s.total_from_zero();
  const N logarithm = how == way::binary ? log(total) * total.like(0x1.715476p0) : log(total);
  std::vector<N> result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (how == way::of_quotient)
      result.push_back(log(share(p[i], total)));
    else if (how == way::joint)
      result.push_back(x[i] - (top + logarithm));
    else if (how == way::no_logarithm)
      result.push_back(x[i] - top);
    else if (how == way::quotient)
      result.push_back(share(p[i], total));
    else if (how == way::sum_of_powers)
      result.push_back((x[i] - top) - total);
    else
      result.push_back((x[i] - top) - logarithm);
  }
  return result;
}

std::vector<graded_interval> allowed_of(const numbers& x, const arithmetic_mode& mode) {
  const ar::log_softmax_of values(x);
  const ar::log_softmax_bounds bounds(values, mode);
  std::vector<graded_interval> result;
  for (std::size_t i = 0; i < x.size(); ++i)
    result.push_back(mode.float32 ? bounds.of<float>(i) : bounds.of<float16>(i));
  return result;
}

}  // namespace

TEST_CASE("log_softmax rounds as MPFR's does", "[arithmetic]") {
  drawn draws(3);  // numbers of MPFR hold e^-700 beside 1, and the middle of two FLOAT16 is from 2049 on
  std::uint64_t wrong = 0;
  for (int round = 0; round < 300; ++round) {
    const double scale = round % 4 == 0 ? 0.5 : round % 4 == 1 ? 8 : round % 4 == 2 ? 60 : 1000;
    const numbers x = draws.list(1 + draws.bits() % 20, round % 2 == 0 ? data::normal : data::integers, round % 3 != 0,
                                 scale, static_cast<int>(scale));
    ar::log_softmax_of values(x);
    precise::number total(0.0), term, y;
    const double greatest = *std::max_element(x.begin(), x.end());
    for (const double each : x) {
      mpfr_set_d(term.value, each, MPFR_RNDN);
      mpfr_sub_d(term.value, term.value, greatest, MPFR_RNDN);
      mpfr_exp(term.value, term.value, MPFR_RNDN);
      mpfr_add(total.value, total.value, term.value, MPFR_RNDN);
    }
    mpfr_log(total.value, total.value, MPFR_RNDN);
    for (std::size_t i = 0; i < x.size(); ++i) {
      mpfr_set_d(y.value, x[i], MPFR_RNDN);
      mpfr_sub_d(y.value, y.value, greatest, MPFR_RNDN);
      mpfr_sub(y.value, y.value, total.value, MPFR_RNDN);
      if (values.rounded<float>(i) != precise::nearest<float>(y)) ++wrong;
      if (!(values.rounded<float16>(i) == precise::nearest<float16>(y))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("devices that compute log_softmax in a legal way are inside its bound", "[arithmetic]") {
  drawn draws(20261127);
  std::uint64_t outputs = 0, suspicious = 0, refused = 0;
  int cases = static_cast<int>(goldml_test::random_count(8));
  if (goldml_test::is_long_run()) cases *= 100;
  for (const arithmetic_mode& mode : modes)
    for (const data kind : all_data)
      for (int n = 0; n < cases; ++n) {
        const double scale = n % 4 == 0 ? 0.1 : n % 4 == 1 ? 3 : n % 4 == 2 ? 30 : 1000;
        const numbers x = draws.list(1 + draws.bits() % 40, kind, mode.float32, scale, 1 + static_cast<int>(3 * scale));
        const auto allowed = allowed_of(x, mode);
        ar::log_softmax_of values(x);
        simulated::device device(mode, draws.bits());
        for (const way how : right_ways)
          for (int k = 0; k < 4; ++k) {
            device.change();
            const auto got = log_softmax(numbers_of(x, device), how);
            for (std::size_t i = 0; i < got.size(); ++i) {
              const double z = got[i].element(), y = values.value(i);
              if (std::isnan(y)) {
                refused += !std::isnan(z);
                continue;
              }
              const interval& by = device.reciprocals ? allowed[i].allowed : allowed[i].close;
              if (!is_inside(by, z, mode.float32)) {
                if (++refused < 4)
                  WARN(name_of(mode) << ", data " << static_cast<int>(kind) << ", way " << static_cast<int>(how) << ": "
                                     << z << " of " << y << " in " << by.low << " to " << by.high << ", greatest "
                                     << values.shares().greatest() << ", n " << x.size());
              }
              suspicious += how == way::by_difference && !device.reciprocals &&
                            place_of(by, z, mode.float32) == interval_place::suspicious;
              ++outputs;
            }
          }
      }
  WARN(outputs << " outputs, " << suspicious << " of the first way suspicious");
  CHECK(refused == 0);
  CHECK(suspicious == 0);
}

// Shares of what random data of a small spread shows; where the terms that are not the greatest are next to nothing, so
// are ln S and what is wrong with it.
TEST_CASE("wrong ways of computing log_softmax are outside its bound", "[arithmetic]") {
  const auto share_outside = [](way how, double scale) {
    drawn draws(7);
    int changed = 0, outside = 0;
    for (int n = 0; n < 60; ++n)
      for (const arithmetic_mode& mode : {modes[1], modes[2]}) {
        const numbers x = draws.list(33, data::normal, mode.float32, scale, 2);
        const auto allowed = allowed_of(x, mode);
        ar::log_softmax_of values(x);
        const auto exact = log_softmax(exact_numbers(x), how);
        simulated::device device(mode, draws.bits());
        const auto got = log_softmax(numbers_of(x, device), how);
        for (std::size_t i = 0; i < got.size(); ++i) {
          if (rounded_exactly(exact[i].v, mode.float32) == (mode.float32
                                                                ? static_cast<double>(values.rounded<float>(i))
                                                                : static_cast<double>(values.rounded<float16>(i))))
            continue;
          ++changed;
          outside += !is_inside(allowed[i].allowed, got[i].element(), mode.float32);
        }
      }
    REQUIRE(changed > 20);
    return static_cast<double>(outside) / changed;
  };
  for (const way how : {way::binary, way::no_logarithm, way::quotient, way::sum_of_powers})
    CHECK(share_outside(how, 1) > 0.99);
  CHECK(share_outside(way::last_missing, 1) > 0.9);
  CHECK(share_outside(way::quotient, 40) > 0.99);
}
