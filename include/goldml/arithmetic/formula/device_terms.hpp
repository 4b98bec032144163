// The terms of a sum, in any order and grouping, with or without fused multiply-add (SPEC-arithmetic 2.5).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/formula/device_number.hpp>
#include <goldml/arithmetic/formula/possible.hpp>
#include <goldml/arithmetic/reductions.hpp>

namespace goldml::formula {

// Terms that every device has alike, as elements and their products, are left to sum_terms, which has the master rule;
// numbers that devices have differently add their sets. In the total both meet the roundings of all additions.
class device_terms {
 public:
  void add(const device_number& x) {
    mode_ = &x.mode();
    if (x.is_sure() && (x.is_element() || detail::is_finite_double(x.sure()))) {
      has_elements_ = has_elements_ || x.is_element();
      known_.add(x.sure());
    } else {
      add_computed(x);
    }
  }
  // a * b, which may be rounded or not.
  void add(const device_number& a, const device_number& b) {
    mode_ = &a.mode();
    if (a.is_sure() && b.is_sure() && (a.is_element() || b.is_element() || (is_single(a) && is_single(b)))) {
      has_elements_ = has_products_ = true;
      known_.add_product(a.sure(), b.sure());
    } else {
      has_products_ = true;
      const device_number p = a * b;
      if (p.is_sure() && is_zero(p.sure()))
        known_.add(p.sure());  // as a product with 0
      else
        add_computed(p);
    }
  }

  device_number total() const { return sum(false); }
  // The total of numbers of which none is below 0: it is not below any of them, as it is rounded or flushed.
  device_number total_from_zero() const { return not_negative(sum(true)); }

  // The sum divided by the number of terms, all of them elements; or each term first; or axis after axis of a slice of
  // these sizes (SPEC-arithmetic 3.3, AVERAGE).
  device_number mean(const dimensions& sizes) const {
    return {bound_of_average(known_, roundings_of_average(sizes), *mode_), *mode_};
  }

 private:
  // What is to be known of the computed terms, by what is granted.
  struct totals {
    double low = 0, high = 0, most = 0, above = 0, below = 0, greatest_low = 0;

    void add(const possible& x) {
      low += x.low;
      high += x.high;
      most += x.most();
      above += (std::max)(x.high, 0.0);
      below += (std::max)(-x.low, 0.0);
      greatest_low = (std::max)(greatest_low, x.low);
    }
  };

  // Products of such numbers are doubles.
  static bool is_single(const device_number& x) { return nearest_single(x.sure()) == x.sure(); }

  void add_computed(const device_number& x) {
    if (!graded_ && x.is_graded()) {
      computed_[1] = computed_[2] = computed_[0];
      graded_ = true;
    }
    ++count_;
    const possible set = x.read(granted::possible);
    if (!set.none()) computed_[0].add(set);
    for (std::size_t i = 1; graded_ && i < 3; ++i)
      if (const possible other = x.read(static_cast<granted>(i)); !other.none()) computed_[i].add(other);
    also_ = static_cast<std::uint8_t>(also_ | set.also);
    if (!set.none()) return;
    is_finite_ = false;
    if (std::has_single_bit(set.also)) sure_ = static_cast<std::uint8_t>(sure_ | set.also);
  }

  device_number sum(bool from_zero) const {
    const arithmetic_mode& mode = *mode_;
    const double terms = known_.count() + count_;
    // sum_growth counts three roundings of elements and products in half precision.
    const double m = (std::max)(terms - 1, 0.0) + (has_products_ ? 1 : 0) - (mode.half() && !has_elements_ ? 3 : 0);
    const int to_half = has_elements_ ? roundings_to_half(has_products_, mode) : 0;
    const sum_growth by(terms, m, to_half, mode);
    const bound known = known_.bound_with(by, mode);
    if (count_ == 0) return {known, mode};
    if (!is_finite_ || !detail::is_finite_double(known.value)) return special(known, by);
    // What a step may lose below the normal numbers: it is flushed, or rounded.
    const double lost = known_.lost(mode), of_a_step = may_flush(mode) ? 0x1p-125 : mode.half() ? 0x1p-25 : 0x1p-150;
    const double fixed = lost + (is_zero(lost) ? terms : count_) * of_a_step * (1 + by.worst);
    const bool alone = terms == 1;  // nothing is added
    const auto set = [&](granted what) {
      const totals& t = computed_[graded_ ? static_cast<std::size_t>(what) : 0];
      const double g = what == granted::usual ? by.usual : by.worst;
      const double magnitude = known_.magnitude() + t.most;
      possible result{sum_toward(t.low, known.value, false), sum_toward(t.high, known.value, true),
                      static_cast<std::uint8_t>(also_ | (known.also & interval_also::specials))};
      if (!alone)
        result.widen(detail::is_infinite_double(magnitude) ? infinity : (g + by.in_double) * magnitude + fixed);
      if (from_zero)
        result.low = (std::max)(result.low, t.greatest_low * (1 - 2 * mode.of().unit) - 2 * least_normal_of(mode));
      const double grown = (1 + by.worst) * (1 + by.in_double), most = mode.of().greatest;
      result.flag(interval_also::positive_infinity, (known_.positive() + t.above) * grown >= most);
      result.flag(interval_also::negative_infinity, (known_.negative() + t.below) * grown >= most);
      result.flag(interval_also::nan, (result.also & interval_also::infinities) == interval_also::infinities);
      return result;
    };
    return graded_ || by.worst != by.usual ? device_number::graded(mode, set)
                                           : device_number(set(granted::possible), mode);
  }

  // A term is infinite or NaN on every device.
  device_number special(const bound& known, const sum_growth& by) const {
    using namespace interval_also;
    possible given = possible::of(known.value);
    std::uint8_t sure = sure_, all = static_cast<std::uint8_t>(also_ | (known.also & specials));
    if (given.none()) {
      sure = static_cast<std::uint8_t>(sure | given.also);
      all = static_cast<std::uint8_t>(all | given.also);
    }
    possible result;
    if ((sure & nan) != 0 || (sure & infinities) == infinities) {
      result.also = nan;
      return {result, *mode_};
    }
    const double grown = (1 + by.worst) * (1 + by.in_double), most = mode_->of().greatest;
    if ((known_.positive() + computed_[0].above) * grown >= most) all |= positive_infinity;
    if ((known_.negative() + computed_[0].below) * grown >= most) all |= negative_infinity;
    const bool undefined = (all & nan) != 0 || (all & infinities) == infinities;
    result.also = static_cast<std::uint8_t>((sure & infinities) != 0 ? sure & infinities : all & infinities);
    result.flag(nan, undefined);
    if (result.also == 0) result.also = all;
    return {result, *mode_};
  }

  sum_terms known_;
  std::array<totals, 3> computed_;
  double count_ = 0;  // of the computed terms
  const arithmetic_mode* mode_ = nullptr;
  bool graded_ = false;
  bool has_elements_ = false;
  bool has_products_ = false;
  bool is_finite_ = true;  // every computed term may be finite
  std::uint8_t also_ = 0;
  std::uint8_t sure_ = 0;  // what some term is on every device
};

}  // namespace goldml::formula
