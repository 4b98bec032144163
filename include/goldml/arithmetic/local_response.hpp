// LOCAL_RESPONSE_NORMALIZATION of an element, x * D^-Beta, D = Bias + Alpha / LocalSize * the squares of a window; and
// the derivative, to 128 bits (SPEC-normalisation 3.6, 3.7; ledger LR-R1 to LR-R3).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/big_number.hpp>
#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/wide_functions.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/value_conversion.hpp>

namespace goldml::arithmetic {

struct local_response_form {
  bool cross_channel;
  bool lower;          // an even window reaches further to the lower indices
  std::uint32_t size;  // of the window
  double divisor;      // LocalSize, or its square
  double alpha, beta, bias;
};

// Calls f(coordinates) for the elements of the window of `c`; `mirrored`: for those whose windows have c.
template <class F>
void for_window(const local_response_form& form, const dimensions& sizes, const coordinate_tuple& c, bool mirrored,
                const F& f) {
  const std::int64_t size = form.size, lesser = (size - 1) / 2, greater = size / 2;
  const bool swapped = form.lower != mirrored;
  const auto first = [&](std::size_t axis) {
    return static_cast<std::uint32_t>((std::max)(std::int64_t{0}, c[axis] - (swapped ? greater : lesser)));
  };
  const auto last = [&](std::size_t axis) {
    return static_cast<std::uint32_t>(
        (std::min)(std::int64_t{sizes[axis]} - 1, c[axis] + (swapped ? lesser : greater)));
  };
  coordinate_tuple i = c;
  if (form.cross_channel) {
    for (i[1] = first(1); i[1] <= last(1); ++i[1]) f(i);
    return;
  }
  for (i[2] = first(2); i[2] <= last(2); ++i[2])
    for (i[3] = first(3); i[3] <= last(3); ++i[3]) f(i);
}

// D of an element, to 128 bits: a quotient of whole numbers, so that powers which are rational are exact.
class response_divisor {
 public:
  // `squares` of finite elements; Alpha and Bias are finite.
  response_divisor(const local_response_form& form, const exact_sum& squares)
      : divisor_(form.divisor),
        numerator_((big_number(form.bias) * big_number(form.divisor) + big_number(form.alpha) * big_number(squares))
                       .rounded_to_odd()) {}

  int sign() const { return numerator_.is_zero() ? 0 : numerator_.negative ? -1 : 1; }
  // x / D^power, of a D above 0.
  wide quotient(const wide& x, double power) const {
    if (power == 0 || x.is_zero()) return x;
    const double quarters = 4 * std::abs(power);
    if (quarters > 16 || quarters != std::floor(quarters)) {
      const wide exponent = wide(-power) * log(numerator_ / divisor_);
      return x * exp(exponent);
    }
    wide above(1.0), below(1.0);
    for (int i = 0; i + 4 <= static_cast<int>(quarters); i += 4) above = above * numerator_, below = below * divisor_;
    const int rest = static_cast<int>(quarters) % 4;
    const wide root = rest == 0 ? wide(1.0) : sqrt(numerator_ / divisor_);
    if (rest >= 2) above = above * root;
    if (rest % 2 != 0) above = above * sqrt(root);
    return power > 0 ? x * below / above : x * above / below;
  }

 private:
  wide divisor_, numerator_;
};

// A sum of numbers of 128 bits, rounded once; where the digits that are left of it do not decide, as if it were what is
// between both. `magnitude`: the sum of the magnitudes.
template <class T>
T rounded_sum(const wide& sum, const wide& magnitude) {
  const wide error = times_power_of_two(magnitude, -96);
  const T low = rounded<T>(sum - error), high = rounded<T>(sum + error);
  if (sum.is_zero() || (less(abs(sum), error))) return rounded<T>(wide());
  using bits = typename goldml::detail::float_bits<T>::type;
  if (std::bit_cast<bits>(low) == std::bit_cast<bits>(high)) return low;
  const double a = goldml::detail::widened(low), b = goldml::detail::widened(high);
  return goldml::detail::is_finite_double(a) && goldml::detail::is_finite_double(b)
             ? goldml::rounded<T>(a + (b - a) / 2)
             : rounded<T>(sum);
}

// The results of an operator for elements of type T: x(c) and dy(c) give them as doubles.
template <class T, class X>
class local_response {
 public:
  local_response(const local_response_form& form, const dimensions& sizes, const X& x)
      : form_(form), sizes_(sizes), x_(x) {
    using goldml::detail::is_finite_double;
    finite_form_ = is_finite_double(form.alpha) && is_finite_double(form.beta) && is_finite_double(form.bias);
  }

  T normalised(const coordinate_tuple& c) const {
    const double x = x_(c);
    if (form_.beta == 0) return goldml::rounded<T>(x + 0.0);
    exact_sum squares;
    const double rough = squares_of(c, &squares);
    if (!finite_form_ || !goldml::detail::is_finite_double(rough) || !goldml::detail::is_finite_double(x))
      return goldml::rounded<T>(x * rough_power(rough, form_.beta));
    const response_divisor d(form_, squares);
    if (d.sign() <= 0) return goldml::rounded<T>(x * power_of_sign(d.sign(), form_.beta));
    const wide y = d.quotient(wide(x), form_.beta);
    return rounded_sum<T>(y, abs(y));
  }

  template <class DY>
  T gradient(const coordinate_tuple& j, const DY& dy) const {
    wide sum, magnitude;
    bool finite = finite_form_ && goldml::detail::is_finite_double(x_(j));
    const auto add = [&](const wide& term) { sum = sum + term, magnitude = magnitude + abs(term); };
    const double by = form_.alpha * form_.beta * 2;
    for_each_term(j, dy, [&](const response_divisor* d, double power, double, double g, double x, bool is_first) {
      finite = finite && d != nullptr && goldml::detail::is_finite_double(g) && goldml::detail::is_finite_double(x);
      if (!finite) return;
      if (is_first)
        add(d->quotient(wide(g), power));
      else
        add(-(d->quotient(wide(g) * wide(x) * wide(x_(j)), power) * wide(by) / wide(form_.divisor)));
    });
    return finite ? rounded_sum<T>(sum, magnitude) : rough_gradient(j, dy);
  }

  // The sum of the squares of a window, as a double; of finite elements also exactly.
  double squares_of(const coordinate_tuple& c, exact_sum* exact) const {
    double total = 0;
    for_window(form_, sizes_, c, false, [&](const coordinate_tuple& i) {
      const double x = x_(i);
      total += x * x;
      if (exact != nullptr && goldml::detail::is_finite_double(x)) exact->add(x * x);
    });
    return total;
  }

 private:
  // Calls f(D or null, power, what D^-power is where it is null, G, x, whether this is the element's own term) for the
  // terms of a gradient. Null is a D that is not finite or not above 0.
  template <class DY, class F>
  void for_each_term(const coordinate_tuple& j, const DY& dy, const F& f) const {
    const auto give = [&](const coordinate_tuple& i, double power, double x, bool is_first) {
      exact_sum squares;
      const double total = squares_of(i, &squares);
      if (!finite_form_ || !goldml::detail::is_finite_double(total))
        return f(nullptr, power, rough_power(total, power), dy(i), x, is_first);
      const response_divisor d(form_, squares);
      if (d.sign() > 0) return f(&d, power, 0.0, dy(i), x, is_first);
      f(nullptr, power, power_of_sign(d.sign(), power), dy(i), x, is_first);
    };
    give(j, form_.beta, 1, true);
    for_window(form_, sizes_, j, true, [&](const coordinate_tuple& i) { give(i, form_.beta + 1, x_(i), false); });
  }

  // Of what is not finite.
  template <class DY>
  T rough_gradient(const coordinate_tuple& j, const DY& dy) const {
    double first = 0, others = 0;
    for_each_term(
        j, dy, [&](const response_divisor* d, double power, double special, double g, double x, bool is_first) {
          (is_first ? first : others) += g * x * (d != nullptr ? to_double(d->quotient(wide(1.0), power)) : special);
        });
    return goldml::rounded<T>(first - 2 * form_.alpha * form_.beta / form_.divisor * x_(j) * others);
  }

  double rough_power(double squares, double power) const {
    const double d = form_.bias + form_.alpha / form_.divisor * squares;
    return d < 0 ? std::numeric_limits<double>::quiet_NaN() : std::pow(d, -power);
  }
  static double power_of_sign(int sign, double power) {
    return sign < 0 ? std::numeric_limits<double>::quiet_NaN() : std::pow(0.0, -power);
  }

  local_response_form form_;
  dimensions sizes_;
  X x_;
  bool finite_form_ = true;
};

}  // namespace goldml::arithmetic
