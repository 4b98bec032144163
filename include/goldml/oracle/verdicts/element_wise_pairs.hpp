// What a device may answer to MEAN, DIFFERENCE_SQUARE, MODULUS_TRUNCATE, MODULUS_FLOOR and ATAN_YX besides the golden
// value (SPEC-functions 4; ledger FN-R5, FN-R19, AR-R2, AR-R8, 7.4).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/pairs.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/element_wise_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic_half.hpp>
#include <goldml/oracle/verdicts/possible_sets.hpp>

namespace goldml::detail {

// One function of two numbers of type T, of a device of a mode to which something is granted.
template <element_wise_op Op, class T>
class pair_bounds {
 public:
  using possible = formula::possible;
  using granted = arithmetic::granted;

  pair_bounds(const arithmetic_mode& mode, granted what)
      : mode_(mode),
        half_(mode.rounds_to_half()),
        rounds_(half_ && std::is_same_v<T, float>),
        close_(what != granted::possible),
        unit_(half_ ? half_precision.unit : single_precision.unit),
        quotient_(half_    ? 3 * unit_ * (1 + 0x1p-20)
                  : close_ ? arithmetic::two_step_quotient_error
                           : arithmetic::quotient_error) {}

  // What it may be of these numbers: sets apart from each other, that of the golden value first, which has the flags of
  // all.
  std::vector<possible> of(double a, double b) const {
    possible_sets result;
    const auto is_great = [](double x) { return is_finite(x) && std::abs(x) > half_precision.greatest; };
    if (rounds_ && (is_great(a) || is_great(b))) return {possible::anything()};
    add(a, b, result);
    if (!mode_.flushes) return result.all;
    const bool first = is_small(a), second = is_small(b);
    // The angle of a y of -0 has either sign, as that of a flushed one.
    const double zero = std::copysign(0.0, Op == element_wise_op::atan_yx ? -1 : a);
    if (first) add(zero, b, result);
    if (second) add(a, std::copysign(0.0, b), result);
    if (first && second) add(zero, std::copysign(0.0, b), result);
    for (possible& each : result.all) each = formula::flushed(each, least_normal_float32);
    return result.all;
  }

 private:
  // A number that is flushed; of MEAN also one whose half is.
  bool is_small(double x) const {
    return x != 0 && std::abs(x) < (Op == element_wise_op::mean ? 2 : 1) * least_normal_float32;
  }

  void add(double a, double b, possible_sets& result) const {
    if constexpr (Op == element_wise_op::mean)
      mean(a, b, result);
    else if constexpr (Op == element_wise_op::difference_square)
      difference_square(a, b, result);
    else if constexpr (Op == element_wise_op::atan_yx)
      angle(a, b, result);
    else
      modulus(a, b, result);
  }

  void mean(double a, double b, possible_sets& result) const {
    const double y = (a + b) / 2, magnitude = std::abs(a) + std::abs(b);
    possible mine = possible::of(y);
    if (!is_finite(magnitude)) return result.add(mine);
    if (rounds_)
      mine.widen(relative_error(4, unit_) * magnitude / 2 + 0x1p-22);
    else if (half_)
      mine.widen(unit_ * magnitude + 0x1p-24);
    else if (!std::is_same_v<T, float16> && (is_small(a) || is_small(b)))
      mine.widen(0x1p-149);
    const double overflow = half_ ? 65520 : 0x1.ffffffp127;
    if (std::abs(a + b) * (half_ ? 1 + 0x1p-9 : 1) >= overflow) mine.flag(infinity_of_sign(y));
    result.add(mine);
  }

  void difference_square(double a, double b, possible_sets& result) const {
    const double d = a - b, y = d * d, magnitude = std::abs(a) + std::abs(b);
    possible mine = possible::of(y);
    if (!is_finite(magnitude)) return result.add(mine);
    const auto is_single = [](double x) { return formula::nearest_single(x) == x; };
    const bool is_exact = is_single(d) && d - a == -b && is_single(y) && std::abs(d) < 0x1p60;
    const double own = y * 0x1p-50;
    if (rounds_)
      mine.widen(relative_error(7, unit_) * magnitude * magnitude + 0x1p-24 * (1 + 2 * magnitude));
    else if (half_)
      mine.widen(relative_error(5, unit_) * magnitude * magnitude + 0x1p-24);
    else if (!is_exact)
      mine.widen(relative_error(3, unit_) * y + own);
    mine.low = (std::max)(mine.low, 0.0);
    if (half_ && mine.high >= half_precision.greatest) mine.flag(interval_also::positive_infinity);
    if (mode_.flushes && std::abs(d) < least_normal_float32) mine.add(0.0);
    result.add(mine);
  }

  // Of a y of -0, or one that may be read as a zero of either sign, the angle of a negative x is pi or -pi. Angles of
  // all numbers that a device may have of y and x are between those of the corners, on each side of that cut.
  void angle(double y, double x, possible_sets& result) const {
    constexpr double pi = 0x1.921fb54442d18p+1;
    const double read_y = rounds_ ? float16_rounding(static_cast<float>(y)) : 0,
                 read_x = rounds_ ? float16_rounding(static_cast<float>(x)) : 0;
    if (std::abs(y) <= read_y && std::abs(x) <= read_x) return result.add(possible::anything());
    const double e = half_ ? 0x1p-7 + 0x1p-24 : close_ ? 2e-5 + 4 * unit_ * pi : 0.0008 + 4 * unit_;
    const auto around = [&](possible mine) {
      mine.widen(e + 0x1p-50);
      result.add(mine);
    };
    const auto over = [&](double least, double most) {
      possible corners;
      for (const double p : {least, most})
        for (const double q : {x - read_x, x + read_x}) corners.add(arithmetic::angle_double(p, q));
      around(corners);
    };
    const bool is_cut = x < 0 && std::abs(y) <= read_y && (read_y > 0 || std::signbit(y));
    if (!is_cut)
      over(y - read_y, y + read_y);
    else if (std::signbit(y))
      over(y - read_y, -0.0), over(0.0, y + read_y);
    else
      over(0.0, y + read_y), over(y - read_y, -0.0);
    if (is_infinite_double(y) && is_infinite_double(x)) result.flag(interval_also::nan);
    if (std::abs(x) < 0x1p126 * (1 - 0x1p-22) || !is_finite(x)) return;
    if (is_infinite_double(y)) result.flag(interval_also::nan);  // inf * 0
    around(possible::of(x < 0 ? std::copysign(pi, y) : 0));
  }

  void modulus(double a, double b, possible_sets& result) const {
    constexpr bool floors = Op == element_wise_op::modulus_floor;
    if (!is_finite(a) || is_zero(b)) return result.flag(interval_also::nan);
    if (is_infinite_double(b)) {
      result.flag(interval_also::nan);
      if (floors && a != 0 && (a < 0) != (b < 0)) result.add(b);
      return result.add(a);
    }
    const bool is_single = !half_ && std::is_same_v<T, float>;
    const double q = a / b, off = quotient_ * std::abs(q), undefined_from = half_ ? 0x1p9 : 0x1p21;
    // Powers of two divide exactly; in half precision if FLOAT16 holds the quotient and the reciprocal.
    int exponent = 0;
    const auto is_held = [](double x) { return formula::nearest_half(x) == x; };
    const bool is_power =
        std::abs(std::frexp(b, &exponent)) == 0.5 && (half_ ? is_held(q) && is_held(1 / b) : std::abs(q) < 0x1p127);
    if (rounds_ || (is_single && std::abs(b) < least_normal_float32) || (!is_power && std::abs(q) >= undefined_from))
      return result.add(possible::anything());
    const double rest = std::fmod(a, b);
    const double golden = floors && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    if (is_power) {
      result.add(golden);
    } else {
      const auto whole = [](double v) { return floors ? std::floor(v) : std::trunc(v); };
      const double n = std::round((a - golden) / b);
      const double e = (quotient_ + unit_) * (std::abs(a) + std::abs(b)) * (1 + 0x1p-20) + (half_ ? 0x1p-24 : 0);
      const auto with = [&](double other) {
        possible one = possible::of(golden + (n - other) * b);
        one.widen(e);
        result.add(one);
      };
      with(n);
      for (double other = whole(q - off); other <= whole(q + off); ++other)
        if (other != n) with(other);
    }
    // The quotient is flushed.
    if ((mode_.flushes && std::abs(q) < least_normal_float32) || (half_ && std::abs(q) < 0x1p-24)) result.add(a);
    if (floors && std::abs(a) + std::abs(b) >= single_precision.greatest) result.flag(infinity_of_sign(b));
    if (is_single && std::abs(b) >= arithmetic::least_divisor_of_subnormal) result.add(a), result.add(0.0);
  }

  const arithmetic_mode& mode_;
  bool half_, rounds_, close_;
  double unit_, quotient_;
};

template <element_wise_op Op, class T>
element_intervals pair_intervals(double a, double b, const arithmetic_mode& mode) {
  return intervals_of_sets<T>(
      pair_bounds<Op, T>(mode, arithmetic::granted::possible).of(a, b),
      pair_bounds<Op, T>(mode, arithmetic::granted::close).of(a, b), mode,
      Op == element_wise_op::atan_yx ? interval_refusal::functions : interval_refusal::reciprocals);
}

// What one element of integers may be.
template <element_wise_op Op, class T>
void add_integer_pair(T a, T b, std::size_t element, output_verdicts& result) {
  if constexpr (Op == element_wise_op::mean) {
    const std::int64_t sum = static_cast<std::int64_t>(a) + static_cast<std::int64_t>(b);
    if (!std::in_range<T>(sum))
      result.make_undefined(element);
    else if (sum < 0 && sum % 2 != 0)
      result.allow(element, scalar(static_cast<T>((sum - 1) / 2)));
  } else if constexpr (Op == element_wise_op::modulus_truncate || Op == element_wise_op::modulus_floor) {
    bool overflows = false;
    if constexpr (std::is_signed_v<T>) overflows = a == (std::numeric_limits<T>::min)() && b == T(-1);
    if (b == 0 || overflows) result.make_undefined(element);
  }
}

template <element_wise_op Op>
void add_pair_verdicts(accumulation precision, const const_tensor_ref& a, const const_tensor_ref& b,
                       const tensor_ref& golden, bool flushes, output_verdicts& result) {
  using types = typename types_of_operand<element_wise_desc<Op>, 0>::type;
  visit_data_type(types{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto x = a.as<T>();
    const auto y = b.as<T>();
    const auto z = golden.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      if constexpr (!is_floating_type<T>) {
        if (!flushes) add_integer_pair<Op, T>(x[c], y[c], element, result);
      } else if (!is_nan(x[c]) && !is_nan(y[c])) {
        const arithmetic_mode mode{std::is_same_v<T, float>, false, precision},
            flushing{std::is_same_v<T, float>, true, precision};
        const double p = widened(x[c]), q = widened(y[c]);
        const element_intervals allowed = pair_intervals<Op, T>(p, q, mode);
        if (!flushes)
          result.allow_interval_beside(element, allowed, T(z[c]));
        else if (const auto more = pair_intervals<Op, T>(p, q, flushing); more != allowed)
          result.allow_intervals(element, more);
      }
      ++element;
    }
  });
}

}  // namespace goldml::detail
