// What a device may answer to LOG_SOFTMAX of a slice (SPEC-functions 5, ledger SO-R3).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/primitives.hpp>
#include <goldml/arithmetic/softmax.hpp>
#include <goldml/arithmetic/softmax_bounds.hpp>
#include <goldml/core/interval.hpp>

namespace goldml::arithmetic {

// Of a device that computes d - ln S, d = x - M, or ln(e^d / S), or x - (M + ln S), with the additions of S in any
// order. The usual error is that of the first.
class log_softmax_bounds {
 public:
  log_softmax_bounds(const log_softmax_of& values, const arithmetic_mode& mode)
      : values_(values), shares_(values.shares(), mode), mode_(mode) {
    least_ = mode_.rounds_to_half() ? 0x1p-23 : 0x1p-149;
    least_normal_ = mode_.rounds_to_half() ? 0x1p-14 : detail::least_normal;
  }

  // Before the result is rounded to the type of the tensor. Infinite if there is no lower end.
  double error(std::size_t i, granted what) const {
    const double t = error_of_sum(what), y = std::abs(values_.value(i));
    if (!(t < 1)) return std::numeric_limits<double>::infinity();
    const double greatest = std::abs(values_.shares().greatest());
    return (-std::log1p(-t) + error_of_argument(i) + error_of_log((std::max)(y, values_.log_sum()), mode_) +
            2 * unit() * (greatest + y)) *
               detail::slack +
           (mode_.rounds_to_half() ? 4 * half_cut_least : 0) + values_.computing_error(i);
  }
  double usual_error(std::size_t i) const {
    const double t = error_of_sum(granted::close), y = std::abs(values_.value(i));
    if (mode_.rounds_to_half() || !(t < 1)) return error(i, granted::close);
    const double distance = values_.shares().greatest() - values_.shares().element(i);
    return (-std::log1p(-t) + error_of_log(values_.log_sum(), mode_) + unit() * (distance + y)) * detail::slack +
           values_.computing_error(i);
  }

  // The answers to element i that are allowed. None but NaN for an undefined slice.
  template <class T>
  graded_interval of(std::size_t i) const {
    if (values_.shares().undefined()) return graded_interval_of<T>({.value = values_.value(i)});
    graded_interval result;
    const double possible = error(i, granted::possible), close = error(i, granted::close);
    for (const bool is_close : {false, true}) {
      interval& each = is_close ? result.close : result.allowed;
      const double most = is_close ? close : possible;
      if (values_.shares().is_minus_infinity(i) && !shares_.may_be_infinite()) {
        each = interval_of<T>(values_.value(i), 0, 0);
        continue;
      }
      if (shares_.may_be_infinite() || !(most < std::numeric_limits<double>::infinity())) {
        each = {};
        set_low<T>(each, -std::numeric_limits<double>::infinity());
        set_high<T>(each, above_zero());
        each.usual_low = each.low, each.usual_high = each.high;
        if (shares_.may_be_infinite()) each.also = static_cast<std::uint8_t>(each.also | interval_also::nan);
        continue;
      }
      each = interval_of<T>(values_.value(i), most, usual_error(i));
      add_small_shares<T>(each, values_.value(i) - most, values_.value(i) + most);
    }
    return result;
  }

 private:
  double unit() const { return mode_.of().unit; }
  double size() const { return static_cast<double>(values_.shares().size()); }

  // Of S, and of a quotient by it, relatively; S is 1 at least, so that what small terms lose counts as it is.
  double error_of_sum(granted what) const {
    const double of_term = mode_.rounds_to_half() ? half_cut_least : detail::least_normal;
    return shares_.error_of_sum() * detail::slack + growth(size() + (mode_.half() ? 3 : 0), unit()) +
           error_of_quotient(mode_, what) + (mode_.half_products() ? half_cut_unit : 0) + size() * of_term;
  }
  // Of e^d, as an error of d.
  double error_of_argument(std::size_t i) const {
    const double x = values_.shares().element(i), greatest = values_.shares().greatest(), d = greatest - x;
    if (!mode_.rounds_to_half()) return error_of_exp(d, mode_) + unit() * d;
    const double cut = mode_.half() ? half_precision.unit : half_cut_unit;
    const double given = mode_.float32 ? cut * (std::abs(x) + std::abs(greatest)) + half_cut_least : 0;
    return error_of_exp(d + given, mode_) + unit() * (d + given) + given + (mode_.half_products() ? half_cut_unit : 0);
  }

  // S is not less than e^0, and no quotient is more than 1, but for the errors of e^0 and of a quotient.
  double above_zero() const {
    const double of_products = mode_.half_products() ? 2 * half_cut_unit : 0;
    return error_of_log(0, mode_) + error_of_exp(0, mode_) + error_of_quotient(mode_, granted::possible) + of_products;
  }

  // ln(e^d / S) where the quotient is below the normal numbers: it is flushed, or rounded, and may become 0.
  template <class T>
  void add_small_shares(interval& each, double low, double high) const {
    const double greatest = values_.shares().greatest();
    if (mode_.half() && greatest + values_.log_sum() > 65000)  // M + ln S may be infinite
      set_low<T>(each, -std::numeric_limits<double>::infinity());
    if (!(std::exp(low) < least_normal_)) return;
    const double least = std::exp(low) - least_, most = std::log(std::exp(high) + least_);
    const bool may_be_zero = !(least > 0) || mode_.flushes || (!mode_.float32 && !mode_.rounds_to_half());
    set_low<T>(each, may_be_zero ? -std::numeric_limits<double>::infinity()
                                 : std::log(least) - error_of_log(std::log(least), mode_));
    set_high<T>(each, most + error_of_log(most, mode_));
  }
  // Lowers, or raises, an end.
  template <class T>
  static void set_low(interval& each, double low) {
    const interval at = interval_of<T>(low, 0, 0);
    if (order_key(at.low) >= order_key(each.low)) return;
    each.low = at.low;
    each.also = static_cast<std::uint8_t>((each.also & ~interval_also::low_toward_zero) |
                                          (at.also & interval_also::low_toward_zero));
  }
  template <class T>
  static void set_high(interval& each, double high) {
    const interval at = interval_of<T>(high, 0, 0);
    if (order_key(at.high) <= order_key(each.high)) return;
    each.high = at.high;
    each.also = static_cast<std::uint8_t>((each.also & ~interval_also::high_toward_zero) |
                                          (at.also & interval_also::high_toward_zero));
  }

  const log_softmax_of& values_;
  const softmax_bounds shares_;
  const arithmetic_mode mode_;
  double least_ = 0;  // what a number below the normal ones is off by
  double least_normal_ = 0;
};

}  // namespace goldml::arithmetic
