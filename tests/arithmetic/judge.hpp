// Activations by MPFR, and some of each to judge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <goldml/arithmetic/activations.hpp>
#include <goldml/core/verdict.hpp>

#include "precise.hpp"

namespace precise {

using goldml::activation;
using enum ar::activation_type;

inline activation make(ar::activation_type type, float first = 0, float second = 0) {
  activation f;
  f.operator_type = static_cast<std::uint32_t>(type);
  f.parameters = {first, second};
  return f;
}

// clang-format off
// f(w) in 1100 bits. w is finite and not so great that e^w overflows.
inline void judge(const activation& f, const number& w, mpfr_t y) {
  constexpr mpfr_rnd_t rnd = MPFR_RNDN;
  const bool negative = mpfr_sgn(w.value) < 0;
  const double a = f.parameters[0], b = f.parameters[1];
  const auto softplus_of = [&](double factor) {
    mpfr_mul_d(y, w.value, factor, rnd);
    if (mpfr_cmp_ui(y, 700) > 0) return;
    mpfr_exp(y, y, rnd);
    mpfr_log1p(y, y, rnd);
  };
  mpfr_set(y, w.value, rnd);
  switch (ar::type_of(f)) {
    case identity: break;
    case clip:
      if (mpfr_cmp_d(y, a) < 0) mpfr_set_d(y, a, rnd);
      if (mpfr_cmp_d(y, b) > 0) mpfr_set_d(y, b, rnd);
      break;
    case linear:
    case hard_sigmoid:
    case hard_swish:
      mpfr_mul_d(y, y, a, rnd);
      mpfr_add_d(y, y, b, rnd);
      if (ar::type_of(f) != linear && mpfr_sgn(y) < 0) mpfr_set_zero(y, 1);
      if (ar::type_of(f) != linear && mpfr_cmp_ui(y, 1) > 0) mpfr_set_ui(y, 1, rnd);
      if (ar::type_of(f) == hard_swish) mpfr_mul(y, y, w.value, rnd);
      break;
    case relu: if (negative) mpfr_set_zero(y, 1); break;
    case leaky_relu: if (negative) mpfr_mul_d(y, y, a, rnd); break;
    case celu:
    case elu:
      if (!negative) break;
      if (ar::type_of(f) == celu) mpfr_div_d(y, y, a, rnd);
      mpfr_expm1(y, y, rnd);
      mpfr_mul_d(y, y, a, rnd);
      break;
    case scaled_elu:
      if (mpfr_sgn(w.value) <= 0) mpfr_expm1(y, y, rnd);
      if (mpfr_sgn(w.value) <= 0) mpfr_mul_d(y, y, a, rnd);
      mpfr_mul_d(y, y, b, rnd);
      break;
    case sigmoid:
      mpfr_neg(y, y, rnd);
      mpfr_exp(y, y, rnd);
      mpfr_add_ui(y, y, 1, rnd);
      mpfr_ui_div(y, 1, y, rnd);
      break;
    case ar::activation_type::tanh: mpfr_tanh(y, y, rnd); break;
    case scaled_tanh:
      mpfr_mul_d(y, y, b, rnd);
      mpfr_tanh(y, y, rnd);
      mpfr_mul_d(y, y, a, rnd);
      break;
    case gelu:
      mpfr_set_ui(y, 2, rnd);
      mpfr_sqrt(y, y, rnd);
      mpfr_div(y, w.value, y, rnd);
      mpfr_neg(y, y, rnd);
      mpfr_erfc(y, y, rnd);
      mpfr_mul(y, y, w.value, rnd);
      mpfr_div_ui(y, y, 2, rnd);
      break;
    case swish:
      mpfr_mul_d(y, y, -a, rnd);
      mpfr_exp(y, y, rnd);
      mpfr_add_ui(y, y, 1, rnd);
      mpfr_div(y, w.value, y, rnd);
      break;
    case softsign: {
      number divisor;
      mpfr_abs(divisor.value, w.value, rnd);
      mpfr_add_ui(divisor.value, divisor.value, 1, rnd);
      mpfr_div(y, y, divisor.value, rnd);
      break;
    }
    case softplus:
      softplus_of(a);
      mpfr_div_d(y, y, a, rnd);
      break;
    case parametric_softplus:
      softplus_of(b);
      mpfr_mul_d(y, y, a, rnd);
      break;
    case thresholded_relu: if (mpfr_cmp_d(w.value, a) <= 0) mpfr_set_zero(y, 1); break;
    case shrink:
      if (mpfr_cmp_d(w.value, b) > 0) mpfr_sub_d(y, y, a, rnd);
      else if (mpfr_cmp_d(w.value, -b) < 0) mpfr_add_d(y, y, a, rnd);
      else mpfr_set_zero(y, 1);
      break;
  }
}

inline const std::vector<activation>& samples() {
  static const std::vector<activation> all{
      make(elu, 1),                    make(elu, -0.3F),
      make(hard_sigmoid, 0.2F, 0.5F),  make(hard_sigmoid, -3, 0.1F),
      make(identity),                  make(leaky_relu, 0.01F),
      make(leaky_relu, -2.7F),         make(linear, 0.3F, -0.7F),
      make(linear, 1, 0x1p-30F),       make(parametric_softplus, 1.5F, 0.7F),
      make(parametric_softplus, -2, -3), make(relu),
      make(scaled_elu, 1.6732632F, 1.0507010F), make(scaled_tanh, 1.7159F, 0.66666667F),
      make(scaled_tanh, -0.3F, -4),    make(sigmoid),
      make(softplus, 1),               make(softplus, 3.3F),
      make(softsign),                  make(ar::activation_type::tanh),
      make(thresholded_relu, 0.4F),    make(shrink, 0.3F, 0.7F),
      make(shrink, -1, 0.1F),          make(celu, 1),
      make(celu, 0.37F),               make(celu, -1.3F),
      make(clip, -0.3F, 1.1F),         make(clip, 0.4F, -0.4F),
      make(hard_swish, 0.16666667F, 0.5F), make(hard_swish, -2.3F, 0.7F), make(gelu), make(swish, 1), make(swish, -1.7F), make(swish, 0)};
  return all;
}
// clang-format on

// The best place of a value in the intervals of an element; with `refuses` in what the comparer leaves.
template <class T>
goldml::interval_place place_in(const goldml::element_intervals& all, T value, bool refuses = false) {
  goldml::interval_place best = goldml::place_in(refuses ? all.main.close : all.main.allowed, value);
  for (const goldml::interval& other : all.others) {
    const goldml::interval_place place = goldml::place_in(other, value);
    if (!refuses || place != goldml::interval_place::suspicious) best = (std::max)(best, place);
  }
  return best;
}

}  // namespace precise
