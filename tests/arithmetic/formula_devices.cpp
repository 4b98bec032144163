// Formulas over arithmetic/formula/device_number.hpp: every random legal device is inside what they allow, the exact
// result too, and devices with a wrong formula are outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "../support/long_run.hpp"
#include "formula_data.hpp"

namespace {

using namespace formula_test;

// In all modes, of all kinds of data: `input(draws, kind, float32)` gives the elements.
template <class F, class Input>
void check_devices(const char* name, F f, Input input, int cases) {
  drawn draws(20261126);
  std::uint64_t outputs = 0, suspicious = 0;
  cases = static_cast<int>(goldml_test::random_count(static_cast<std::uint64_t>(cases)));
  if (goldml_test::is_long_run()) cases *= 120;
  for (const arithmetic_mode& mode : modes)
    for (const data kind : all_data)
      for (int n = 0; n < cases; ++n) {
        const numbers x = input(draws, kind, mode.float32);
        std::vector<graded_interval> allowed;
        for (const auto& y : f(device_numbers(x, mode))) allowed.push_back(answer_of(y));
        INFO(name << ", " << name_of(mode) << ", data " << static_cast<int>(kind) << ", elements " << x.size());
        const auto exact = f(exact_numbers(x));
        for (std::size_t i = 0; i < exact.size(); ++i)
          if (!std::isnan(exact[i].v) && std::fabs(exact[i].v) < 0x1p1000L)
            REQUIRE(is_inside(allowed[i].allowed, rounded_exactly(exact[i].v, mode.float32), mode.float32));
        simulated::device device(mode, draws.bits());
        for (int k = 0; k < 6; ++k) {
          device.change();
          const auto got = f(numbers_of(x, device));
          for (std::size_t i = 0; i < got.size(); ++i) {
            const double z = got[i].element();
            INFO("output " << i << ": " << z << " in " << allowed[i].allowed.low << " to " << allowed[i].allowed.high);
            REQUIRE(is_inside(allowed[i].allowed, z, mode.float32));
            if (!device.reciprocals) REQUIRE(is_inside(allowed[i].close, z, mode.float32));
            suspicious +=
                place_of(allowed[i].close, z, mode.float32) == interval_place::suspicious && !device.reciprocals;
          }
          outputs += got.size();
        }
      }
  WARN(name << ": " << outputs << " outputs of random devices inside, " << suspicious << " of them suspicious");
  CHECK(suspicious == 0);
}

auto slices(double scale, int range, std::size_t least = 1) {
  return [=](drawn& draws, data kind, bool float32) {
    return draws.list(least + draws.bits() % 40, kind, float32, scale, range);
  };
}
auto fixed(std::size_t count, double scale, int range) {
  return [=](drawn& draws, data kind, bool float32) { return draws.list(count, kind, float32, scale, range); };
}

// Of the results that a wrong formula changes, the share that is outside.
template <class F, class G>
double share_outside(F right, G wrong, std::size_t count, data kind, double scale, int range, int cases) {
  drawn draws(7);
  int changed = 0, outside = 0;
  for (int n = 0; n < cases; ++n)
    for (const arithmetic_mode& mode : {modes[1], modes[2]}) {
      const numbers x = draws.list(count, kind, mode.float32, scale, range);
      const auto allowed = right(device_numbers(x, mode));
      const auto exact = right(exact_numbers(x)), other = wrong(exact_numbers(x));
      simulated::device device(mode, draws.bits());
      const auto got = wrong(numbers_of(x, device));
      for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (rounded_exactly(exact[i].v, mode.float32) == rounded_exactly(other[i].v, mode.float32)) continue;
        ++changed;
        outside += !is_inside(answer_of(allowed[i]).allowed, got[i].element(), mode.float32);
      }
    }
  REQUIRE(changed > 20);
  return static_cast<double>(outside) / changed;
}

template <class F>
auto last_missing(F f) {
  return [f](auto x) {
    x.pop_back();
    return f(x);
  };
}

}  // namespace

TEST_CASE("A1: random devices are inside the formulas of REDUCE", "[formula]") {
  check_devices("SUM", sum, slices(1, 8), 30);
  check_devices("L1", l1, slices(1, 8), 30);
  check_devices("SUM_SQUARE", sum_square, slices(1, 8), 30);
  check_devices("AVERAGE", average, slices(1, 8), 30);
  check_devices("L2", l2, slices(1, 8), 30);
  check_devices("LOG_SUM", log_sum, slices(1, 8), 30);
  check_devices("LOG_SUM_EXP", log_sum_exp, slices(3, 8), 30);
}

TEST_CASE("A1: random devices are inside the formula of SOFTMAX", "[formula]") {
  check_devices("SOFTMAX", softmax, slices(3, 8), 10);
}

TEST_CASE("A1: random devices are inside the formula of RNN", "[formula]") {
  for (const auto& [name, f] :
       {std::pair{"TANH", goldml::activation{51}}, std::pair{"SIGMOID", goldml::activation{47}},
        std::pair{"RELU", goldml::activation{44}}, std::pair{"LINEAR", goldml::activation{40, {0.5F, 0.25F}}},
        std::pair{"ELU", goldml::activation{35, {0.5F}}}, std::pair{"LEAKY_RELU", goldml::activation{39, {0.01F}}}}) {
    layer l;
    l.f = f;
    check_devices((std::string("RNN ") + name).c_str(), l, fixed(l.size(), 0.7, 2), 4);
    l.has_bias = false;
    check_devices((std::string("RNN without bias, ") + name).c_str(), l, fixed(l.size(), 0.7, 2), 2);
  }
}

TEST_CASE("A1: random devices are inside the formula of LSTM", "[formula]") {
  const goldml::activation identity{38}, relu{44}, hyperbolic{51};
  for (const bool coupled : {false, true})
    for (const bool clips : {false, true}) {
      lstm_layer l{.couple_input_forget = coupled, .clip = clips ? 0.75 : 0.0};
      check_devices("LSTM", l, fixed(l.size(), 0.7, 2), 4);
      l.output_peephole = goldml::output_peephole::previous;
      l.f = coupled ? identity : relu;
      l.g = l.h = clips ? relu : hyperbolic;
      check_devices("LSTM, other functions", l, fixed(l.size(), 0.7, 2), 4);
    }
}

TEST_CASE("A1: random devices are inside the formula of GRU", "[formula]") {
  for (const bool linear : {false, true}) {
    gru_layer l{.linear_before_reset = linear};
    check_devices("GRU", l, fixed(l.size(), 0.7, 2), 4);
    l.f = goldml::activation{44};
    l.g = goldml::activation{38};
    check_devices("GRU, other functions", l, fixed(l.size(), 0.7, 2), 4);
  }
}

TEST_CASE("A1: random devices are inside forms that have a number twice", "[formula]") {
  const auto both = [](const auto& x) {
    using N = element_of<decltype(x)>;
    std::vector<N> y;
    y.push_back(affine(exp(x[0]), x[1], x[2] + x[3], x[4]));
    y.push_back(mix(exp(x[0] - maximum(x[0], x[1])), x[2] * x[3], x[4]));
    return y;
  };
  check_devices("affine, mix", both, fixed(5, 1, 8), 60);
}

TEST_CASE("A2: devices with a wrong formula are outside", "[formula]") {
  for (const data kind : {data::integers, data::positive}) {
    CHECK(share_outside(sum, last_missing(sum), 33, kind, 1, 8, 100) > 0.9);
    CHECK(share_outside(l1, sum, 33, data::integers, 1, 8, 100) > 0.9);
    CHECK(share_outside(l2, last_missing(l2), 33, kind, 1, 8, 100) > 0.8);
    CHECK(share_outside(l2, sum_square, 33, kind, 1, 8, 100) > 0.9);
    CHECK(share_outside(average, sum, 32, kind, 1, 8, 100) > 0.9);
    CHECK(share_outside(average, last_missing(average), 32, kind, 1, 8, 100) > 0.8);
    CHECK(share_outside(log_sum_exp, last_missing(log_sum_exp), 33, kind, 1, 2, 100) > 0.8);
    CHECK(share_outside(log_sum_exp, log_sum, 33, data::positive, 1, 2, 100) > 0.9);
  }
  const auto from_other_total = [](auto x) {
    auto y = x;
    y.pop_back();
    auto p = softmax(y);
    p.push_back(softmax(x).back());
    return p;
  };
  CHECK(share_outside(softmax, from_other_total, 33, data::normal, 1, 2, 30) > 0.8);
}

TEST_CASE("A2: wrong layers of LSTM are outside", "[formula]") {
  for (const auto fault :
       {lstm_layer::no_peephole, lstm_layer::swapped_gates, lstm_layer::no_forgetting, lstm_layer::stale})
    for (const bool exact : {false, true}) {
      lstm_layer l{.clip = exact ? 4.0 : 0.0};
      if (exact) l.f = {38}, l.g = l.h = {44};
      lstm_layer wrong = l;
      wrong.fault = fault;
      INFO("fault " << wrong.fault << (exact ? ", integers" : ", normal"));
      CHECK(share_outside(l, wrong, l.size(), exact ? data::integers : data::normal, 0.7, 2, 40) > 0.8);
    }
}

TEST_CASE("A2: wrong layers of GRU are outside", "[formula]") {
  for (const auto fault : {gru_layer::swapped_gates, gru_layer::other_mix, gru_layer::no_reset, gru_layer::stale})
    for (const bool linear : {false, true}) {
      gru_layer l{.linear_before_reset = linear};
      gru_layer wrong = l;
      wrong.fault = fault;
      INFO("fault " << wrong.fault << (linear ? ", LinearBeforeReset" : ""));
      CHECK(share_outside(l, wrong, l.size(), data::normal, 0.7, 2, 40) > 0.8);
    }
}

TEST_CASE("A2: wrong recurrent layers are outside", "[formula]") {
  layer tanh_layer, relu_layer;
  relu_layer.f = goldml::activation{44};
  for (const auto fault : {layer::no_bias, layer::transposed, layer::stale, layer::missing}) {
    for (layer right : {tanh_layer, relu_layer}) {
      const bool exact = right.f.operator_type == 44;
      layer wrong = right;
      wrong.fault = fault;
      INFO("fault " << wrong.fault << (exact ? ", integers" : ", normal"));
      CHECK(share_outside(right, wrong, right.size(), exact ? data::integers : data::normal, 0.7, 2, 40) > 0.8);
    }
  }
}

// 400 times e: each is off by 2^-21 + 2^-22 = 12u at most, and meets 399 additions, whose roundings are 399u at most
// and by chance 8 sqrt(399) u = 159.8u (SPEC-arithmetic 2.5, Suspicion). So the widths are as 411 to 171.8.
TEST_CASE("A1: in a long sum of computed numbers independent roundings get less far than the worst", "[formula]") {
  const arithmetic_mode single;
  fm::device_terms terms;
  for (int i = 0; i < 400; ++i) terms.add(exp(fm::device_number(1, single)));
  const fm::device_number total = terms.total();
  const auto width = [&](fm::granted what) { return total.read(what).high - total.read(what).low; };
  CHECK(width(fm::granted::possible) == width(fm::granted::close));
  CHECK(width(fm::granted::possible) == Approx(2 * 411 * 0x1p-24 * 400 * std::exp(1.0)).epsilon(1e-3));
  CHECK(width(fm::granted::usual) == Approx(2 * 171.8 * 0x1p-24 * 400 * std::exp(1.0)).epsilon(1e-3));
}
