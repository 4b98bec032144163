// How large the errors of a sum are if its roundings are independent: the model against which the fit measures.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/rounding.hpp>

namespace goldml::oracle {

// What becomes of a sum of n terms.
enum class fit_finish : std::uint8_t { none, average, root };

// What is to be known of the terms of one sum, in double precision. The terms are scaled by Alpha.
struct fit_facts {
  double count = 0;
  double sum = 0;        // of the terms
  double squares = 0;    // the sum of their squares
  double magnitude = 0;  // the sum of their magnitudes
  double subnormal = 0;  // that of the terms with a FLOAT32 subnormal
  double addend = 0;     // Beta * C, which is no term

  double total() const { return sum + addend; }
};

struct fit_model {
  bool float32 = true;         // FLOAT32 tensors; otherwise FLOAT16
  bool half = false;           // each step is rounded to FLOAT16; otherwise to FLOAT32
  bool half_products = false;  // products are rounded to FLOAT16, and of FLOAT32 tensors the inputs; sums to FLOAT32
  bool has_addend = false;
  bool scales = false;  // Alpha is not 1
  fit_finish finish = fit_finish::none;
  bool refuses_reciprocals = false;

  void set(data_type type, accumulation of) {
    float32 = type == data_type::float32;
    half = of == accumulation::half;
    half_products = of == accumulation::half_products;
  }
  std::string_view name() const { return half ? "FLOAT16" : half_products ? "FLOAT16 products" : "FLOAT32"; }

  // Whether a FLOAT32 sum is rounded to FLOAT16.
  bool narrows() const { return !float32 && !half; }
  double unit() const { return half ? 0x1p-11 : 0x1p-24; }
  double of_rounding() const { return unit() * unit() / 3; }  // the variance of one rounding of 1

  double result_of(const fit_facts& f) const {
    const double y = f.total();
    return finish == fit_finish::average ? y / f.count : finish == fit_finish::root ? std::sqrt(y) : y;
  }

  // The variance of the result: terms in an order that is independent of their values.
  double variance(const fit_facts& f) const {
    const double n = f.count, mean = f.sum / n, spread = (std::max)(0.0, f.squares / n - mean * mean);
    double partial = n == 1 ? 0 : spread * n * (n + 1) / 6 + mean * mean * n * (n + 1) * (2 * n + 1) / 6;
    if (has_addend)
      partial += (std::max)(0.0, n * f.addend * f.addend + f.addend * f.sum * (n + 1)) + f.total() * f.total();
    return variance_with(f, partial);
  }
  // The same for partial sums with this sum of squares.
  double variance_with(const fit_facts& f, double partial) const {
    constexpr double of_half = 0x1p-22 / 3;
    const double of_product = half_products ? of_half : of_rounding();
    const double products = (half || half_products) && float32 ? 3 * f.squares : f.squares;
    double result = of_product * products + of_rounding() * partial;
    if (scales) result += of_product * (std::max)(f.squares, f.sum * f.sum);
    if (half_products && has_addend) result += 3 * of_half * f.addend * f.addend;
    if (half || half_products) result += f.count * 0x1p-50;
    const double y = result_of(f);
    if (finish == fit_finish::average)
      return result / (f.count * f.count) + (refuses_reciprocals ? 9 : 81) * of_rounding() * y * y;
    if (finish == fit_finish::root) return result / (4 * y * y) + (refuses_reciprocals ? 4 : 9) * of_rounding() * y * y;
    return result;
  }
};

// Rounds a FLOAT32 to FLOAT16, as a FLOAT32.
inline float fit_half(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x), magnitude = bits & 0x7FFF'FFFF;
  if (magnitude < 0x3880'0000 || magnitude >= 0x477F'E000)  // it may be subnormal or infinite
    return static_cast<float>(rounded<float16>(exact_double(x)));
  return std::bit_cast<float>((bits + 0xFFF + (bits >> 13 & 1)) & 0xFFFF'E000);
}
inline double fit_half_of(double x, rounding direction = rounding::nearest_even) {
  return static_cast<float>(rounded<float16>(x, direction));
}

// The distance of a FLOAT16 to the next one away from zero.
inline double fit_half_step(double x) { return std::abs(x) < 0x1p-14 ? 0x1p-24 : std::exp2(std::logb(x) - 10); }

// The error of the sum that gave `got`, at least; with its sign. `y`: the exact result. Where the sum was narrowed, all
// numbers are considered that narrow to got.
inline double fit_error(double got, double y, bool narrows, rounding direction) {
  if (!narrows) return got - y;
  const bool negative = is_zero(got) ? y < 0 : goldml::detail::is_negative_double(got);
  const double size = std::abs(got), exact = negative ? -y : y, step = fit_half_step(size);
  double low = size, high = size + step;
  if (direction == rounding::nearest_even) {
    high = size + step / 2;
    low = size - (size > 0x1p-14 && goldml::detail::is_power_of_two(size) ? step / 4 : step / 2);
  } else if (is_zero(got)) {
    low = -step;
  }
  const double error = exact < low ? low - exact : exact > high ? high - exact : 0;
  return negative ? -error : error;
}

}  // namespace goldml::oracle
