// Numbers of MPFR, and how they round.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <mpfr.h>

#include <goldml/arithmetic/wide.hpp>
#include <goldml/core/data_type.hpp>

namespace precise {

namespace ar = goldml::arithmetic;
using goldml::float16;

// A number of MPFR with 1100 bits: e^-700 is not lost beside 1.
struct number {
  mpfr_t value;
  number() { mpfr_init2(value, 1100); }
  explicit number(double x) : number() { mpfr_set_d(value, x, MPFR_RNDN); }
  explicit number(const ar::wide& x) : number() {
    const auto add = [&](std::uint64_t word) {
      mpfr_mul_2ui(value, value, 32, MPFR_RNDN);
      mpfr_add_ui(value, value, static_cast<unsigned long>(word >> 32), MPFR_RNDN);
      mpfr_mul_2ui(value, value, 32, MPFR_RNDN);
      mpfr_add_ui(value, value, static_cast<unsigned long>(word & 0xFFFF'FFFF), MPFR_RNDN);
    };
    mpfr_set_zero(value, 1);
    add(x.high);
    add(x.low);
    mpfr_mul_2si(value, value, x.exponent - 127, MPFR_RNDN);
    if (x.negative) mpfr_neg(value, value, MPFR_RNDN);
  }
  number(const number&) = delete;
  number& operator=(const number&) = delete;
  ~number() { mpfr_clear(value); }
};

// Rounded once to nearest even, by MPFR alone or, for FLOAT16, from a FLOAT32 whose last bit says that bits were lost.
template <class T>
T nearest(const number& x) {
  if constexpr (std::is_same_v<T, float>) {
    return mpfr_get_flt(x.value, MPFR_RNDN);
  } else {
    const float cut = mpfr_get_flt(x.value, MPFR_RNDZ);
    auto bits = std::bit_cast<std::uint32_t>(cut);
    if (mpfr_cmp_d(x.value, static_cast<double>(cut)) != 0) bits |= 1;
    return static_cast<float16>(std::bit_cast<float>(bits));
  }
}

}  // namespace precise
