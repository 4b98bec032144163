// What an element of the gradients of ROI_ALIGN_GRAD may be: sums of what outputs add, some of which is not certain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <goldml/arithmetic/place_bounds.hpp>
#include <goldml/core/element_verdict.hpp>

namespace goldml::detail {

struct roi_gradient_element {
  element_intervals all = {{{0, 0, 0, 0}, {0, 0, 0, 0}}, interval_refusal::reciprocals};
  bool is_touched = false, is_undefined = false;

  // What the element may be under another reading, too.
  void extend_by(const roi_gradient_element& other) {
    is_touched = is_touched || other.is_touched;
    is_undefined = is_undefined || other.is_undefined;
    extend(all.main.allowed, other.all.main.allowed);
    extend(all.main.close, other.all.main.close);
    all.others.insert(all.others.end(), other.all.others.begin(), other.all.others.end());
  }
  template <class T>
  bool has(T x) const {
    const auto is_in = [&](const interval& each) { return place_in(each, x) != interval_place::outside; };
    return is_undefined || is_in(all.main.allowed) || std::any_of(all.others.begin(), all.others.end(), is_in);
  }
};

struct roi_gradient_tap {
  std::size_t place;
  margin_tap by;
};
// What one output, or one of its samples, adds: one of several lists of taps.
struct roi_gradient_choice {
  std::vector<roi_gradient_tap> taps;
  std::size_t lists = 0;
};

// What the outputs add to an element of the input's gradient.
template <class T>
struct roi_gradient_cell {
  margin_sum sum;
  double low = 0, high = 0;  // what a device may add besides
  int lowest = 0;
  bool exact = true, one_of_two = false, is_undefined = false;
  std::size_t open = 0;

  // Between `least` and `by` of g.
  void add(margin_tap by, double least, bool two, double g) {
    if (least < by.weight) {
      ++open;
      one_of_two = two;
      by.may_vanish = by.may_vanish || is_zero(least);
      if (is_finite_double(g)) {
        low += (std::min)(0.0, (least - by.weight) * g);
        high += (std::max)(0.0, (least - by.weight) * g);
      }
    }
    sum.add(by, g);
  }
  roi_gradient_element element(const arithmetic_mode& mode) const {
    roi_gradient_element result{.is_touched = sum.read() > 0, .is_undefined = is_undefined};
    if (!result.is_touched || is_undefined) return result;
    bound b = sum.bound_with(sum.read() + 8, mode, exact, lowest, false, 1, 6);
    if (low < 0 || high > 0) {
      if (open == 1 && one_of_two && b.is_exact()) {
        bound other = b;
        other.value += low + high;
        result.all.others.push_back(sum.template interval_with<T>(other).allowed);
      } else {
        const double more = (high - low) * (0.5 + 0x1p-40);
        if (!b.close_error) b.close_error = b.error;
        b.value += (low + high) / 2;
        for (double* error : {&b.error, &b.usual_error, &*b.close_error}) *error += more;
      }
    }
    result.all.main = sum.template interval_with<T>(b);
    return result;
  }
};

}  // namespace goldml::detail
