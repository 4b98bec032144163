// The rules of RESAMPLE, its newer versions and its gradients, written from SPEC-windows 2, 6 and 7 for the default
// policies: places in long double, all elements of an axis tried.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/resample.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

namespace resampled {

// What an element of the other tensor has to do with a coordinate.
struct share {
  std::uint32_t at;
  real weight, widened;  // exactly; and as much as a device may give it
  bool needed;           // a device surely gives it a weight
};

enum class picks { nearest, at_or_after, at_or_before };

struct axis {
  std::uint32_t size, outputs;
  real s, ip, op;
  picks how = picks::nearest;
  bool exact = false, identity = false;

  real magnitude(std::uint32_t q) const { return (q + std::abs(op)) / s + std::abs(ip); }
  real off(std::uint32_t q) const { return exact ? 0 : 13 * unit_of_float * (magnitude(q) + 1); }
  bool lost(std::uint32_t q) const { return !(magnitude(q) < 0x1p30L); }
  real place(std::uint32_t q) const { return (q - op) / s - ip; }

  void look() {
    int e = 0;
    const auto bit = [](real x) { return x == 0 ? 1e30L : std::ldexp(1.0L, lowest_bit(x)); };
    const real r = std::min(1.0L, bit(op)), r2 = std::min({r / s, bit(ip), 0.5L});
    exact = std::frexp(s, &e) == 0.5L && outputs - 1 + std::abs(op) <= 0x1p24L * r &&
            magnitude(outputs - 1) + 1 <= 0x1p24L * r2;
    identity = s == 1 && ip + op == 0 && exact && size == outputs;
  }
  // floor(t) without rounding: q - op against s * (k + ip).
  real floor_of(std::uint32_t q) const {
    real k = std::floor(place(q)) - 2;
    while (std::abs(k) < 0x1p32L && s * (k + 1 + ip) <= q - op) ++k;
    return k;
  }
  bool whole(std::uint32_t q) const { return s * (floor_of(q) + ip) == q - op; }
  std::uint32_t inside(real k) const {
    return static_cast<std::uint32_t>(std::min(std::max(k, 0.0L), static_cast<real>(size - 1)));
  }
  // The elements that NEAREST may take, the right one first.
  std::vector<std::uint32_t> chosen(std::uint32_t q) const {
    const real k = floor_of(q), t = place(q), by = off(q);
    const real side = s * (2 * k + 1 + 2 * ip) - 2 * (q - op);  // above 0: t is below the middle
    std::vector<std::uint32_t> all;
    const auto add = [&](real x) {
      if (std::find(all.begin(), all.end(), inside(x)) == all.end()) all.push_back(inside(x));
    };
    if (how == picks::nearest) {
      add(side > 0 ? k : k + 1);
      if (side == 0) add(k);
    } else {
      add(how == picks::at_or_after && !whole(q) ? k + 1 : k);
    }
    if (by == 0) return all;
    const auto near_to = [&](real x) {
      return how == picks::nearest ? std::floor(x + 0.5L) : how == picks::at_or_after ? std::ceil(x) : std::floor(x);
    };
    const real first = how == picks::nearest ? std::ceil(t - by - 0.5L) : near_to(t - by);
    for (real x = std::max(first, -1.0L); x <= std::min(near_to(t + by), static_cast<real>(size)); ++x) add(x);
    return all;
  }
  std::vector<share> shares(std::uint32_t q) const {
    if (identity) return {{q, 1, 1, true}};
    const real last = size - 1, by = off(q);
    const auto limit = [&](real x) { return std::min(std::max(x, 0.0L), last); };
    const real k = floor_of(q);
    real t = limit(place(q));
    if (whole(q)) t = limit(k);
    const real c = std::max(std::abs(limit(place(q) - by) - t), std::abs(limit(place(q) + by) - t));
    const bool plain = c == 0 && t == std::floor(t);
    const real allowed = plain ? 0 : std::max(c, 4 * unit_of_float);
    std::vector<share> all;
    for (std::uint32_t j = 0; j < size; ++j) {
      const real weight = std::max(0.0L, 1 - std::abs(t - j));
      const bool read_alone = plain && j == t + 1;  // the second neighbour, without weight
      if (std::abs(j - t) < 1 + c || read_alone)
        all.push_back({j, weight, read_alone ? 0 : weight + allowed, weight > c});
    }
    return all;
  }
};

template <class Desc>
std::vector<axis> axes_of(const Desc& desc, const dimensions& from, const dimensions& to) {
  std::vector<axis> all;
  for (std::size_t i = 0; i < from.size(); ++i) {
    axis a{from[i], to[i], desc.scales[i], 0.5L, -0.5L};
    if constexpr (requires { desc.input_pixel_offsets; }) {
      a.ip = desc.input_pixel_offsets[i];
      a.op = desc.output_pixel_offsets[i];
    }
    if constexpr (requires { desc.gradient_offsets; })
      if (desc.gradient_offsets == gradient_offsets::tensor) std::swap(a.ip, a.op);
    if constexpr (requires { desc.rounding_direction; })
      a.how = desc.rounding_direction == axis_direction::increasing ? picks::at_or_after : picks::at_or_before;
    a.look();
    all.push_back(a);
  }
  return all;
}

// f(coordinates) for all that the lists have.
template <class List, class F>
void for_each_of(const std::vector<List>& lists, const F& f) {
  std::vector<std::size_t> number(lists.size());
  for (const List& list : lists)
    if (list.empty()) return;
  for (;;) {
    f(number);
    std::size_t i = lists.size();
    while (i > 0 && ++number[i - 1] == lists[i - 1].size()) number[--i] = 0;
    if (i == 0) return;
  }
}

template <class T>
real number_of_bits(bits b) {
  if constexpr (std::is_integral_v<T>)
    return value_of<T>(b);
  else
    return static_cast<double>(value_of<T>(b));
}

// A weighted sum of elements, whose lists of shares are multiplied.
struct weighed {
  std::vector<real> terms, factors;
  real widened = 0, largest = 0, least = 1e300L, greatest = -1e300L;
  bool special = false, nan = false, above = false, below = false, sure_nan = false, sure_above = false,
       sure_below = false;
  real read = 0;
  int lowest = 10000;
  real subnormal = 0;  // the greatest magnitude of those

  void add(real x, real weight, real wide, bool needed) {
    ++read;
    if (!std::isfinite(x)) {
      special = true;
      nan = nan || std::isnan(x);
      sure_nan = sure_nan || (needed && std::isnan(x));
      (x > 0 ? above : below) |= !std::isnan(x);
      if (needed && !std::isnan(x)) (x > 0 ? sure_above : sure_below) = true;
      return;
    }
    least = std::min(least, x);
    greatest = std::max(greatest, x);
    widened += (wide - weight) * std::abs(x);
    if (std::abs(x) < least_normal) subnormal = std::max(subnormal, std::abs(x));
    if (weight == 0) return;
    terms.push_back(weight * x);
    factors.push_back(x);
    if (x != 0) lowest = std::min(lowest, judged::lowest_bit(x));
    largest += std::abs(x);
  }

  approximate result(real m, bool exact_axes, int weights, bool gradient, bool single, bool flushing) const {
    std::vector<real> with_product = factors;
    with_product.push_back(0);
    const summed s = sum_of(terms, with_product, m, single, flushing);
    approximate a = s.result;
    const real size = gradient ? s.magnitude : largest;
    const bool held = largest == 0 || (size <= std::ldexp(0x1p24L, lowest + weights) && largest <= greatest_float &&
                                       std::ldexp(1.0L, lowest + weights) >= (single ? least_normal : 0x1p-149L));
    const real g = grown(m);
    if (exact_axes && held && !(flushing && single && subnormal > 0)) {
      a.error = 0;
      a.above = a.below = a.nan = false;
    } else {
      a.error = g * (s.magnitude + widened) + widened + s.flushed_away;
    }
    if (!gradient && read > 1 && (greatest - least) * (1 + g) >= greatest_float) a.above = a.below = a.nan = true;
    if (sure_nan || (sure_above && sure_below)) {
      a = {};
      a.value = std::numeric_limits<real>::quiet_NaN();
      return a;
    }
    if (special) {
      if (sure_above || sure_below) {
        a = {};
        a.value = (sure_above ? 1 : -1) * std::numeric_limits<real>::infinity();
      }
      a.nan = a.of_terms = true;
      a.above = a.above || (above && !sure_below);
      a.below = a.below || (below && !sure_above);
    }
    return a;
  }
};

template <class T>
element_rule rule_of_integers(real low, real high, bool exact) {
  float_range range{.type = data_type_of<T>, .integers = true};
  const real slack = exact ? 0 : 1e-9L;
  const auto first = [](real x) { return static_cast<double>(std::min(std::trunc(x), std::ceil(x - 0.5L))); };
  const auto last = [](real x) { return static_cast<double>(std::max(std::trunc(x), std::floor(x + 0.5L))); };
  range.low = first(low + slack);
  range.high = last(high - slack);
  range.outer_low = first(low - slack);
  range.outer_high = last(high + slack);
  if (range.low > range.high) range.low = range.outer_low, range.high = range.outer_high;
  return {.range = range};
}

template <class T>
element_rule rule_of(const approximate& a) {
  if constexpr (std::is_integral_v<T>)
    return rule_of_integers<T>(a.value - a.error, a.value + a.error, a.error == 0);
  else
    return rule_of_number<T>(a, false);
}

}  // namespace resampled

template <goldml::detail::resample_operator Desc>
all_rules rules_of(const Desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  using namespace resampled;
  constexpr bool gradient = goldml::detail::resample_gradient<Desc>;
  const bool linear = desc.interpolation_mode == interpolation_mode::linear;
  const values input = values_of(inputs[0]);
  const dimensions &given = inputs[0].desc().sizes, &made = outputs[0].sizes;
  const std::vector<axis> axes = gradient ? axes_of(desc, made, given) : axes_of(desc, given, made);
  bool filtered = false;
  if constexpr (requires { desc.antialiased; }) filtered = desc.antialiased && linear;
  bool exact_axes = true, hopeless = false;
  int weights = 0, used = 0;
  for (const axis& a : axes) {
    exact_axes = exact_axes && a.exact;
    hopeless = hopeless || a.lost(a.outputs - 1);
    used += a.identity ? 0 : 1;
    int lowest = 0;
    for (std::uint32_t q = 0; a.exact && linear && !a.identity && q < a.outputs; ++q)
      if (const real part = a.place(q) - std::floor(a.place(q)); part != 0) lowest = std::min(lowest, lowest_bit(part));
    weights += lowest;
  }
  output_rules rules;
  visit_data_type(all_types{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    constexpr bool single = std::is_same_v<T, float>;
    for (const coordinate_tuple& c : coordinates_of(made)) {
      bool lost = gradient && hopeless;
      for (std::size_t i = 0; i < axes.size() && !gradient; ++i) lost = lost || axes[i].lost(c[i]);
      if (lost) {
        rules.push_back({false});
        continue;
      }
      if (!gradient && !linear) {
        std::vector<std::vector<std::uint32_t>> lists;
        for (std::size_t i = 0; i < axes.size(); ++i) lists.push_back(axes[i].chosen(c[i]));
        element_rule rule;
        for_each_of(lists, [&](const std::vector<std::size_t>& n) {
          coordinate_tuple at = c;
          for (std::size_t i = 0; i < n.size(); ++i) at[i] = lists[i][n[i]];
          rule.allowed.push_back(input[number_of(at, given)]);
        });
        rules.push_back(rule);
        continue;
      }
      // What is added, on each axis.
      std::vector<std::vector<share>> lists;
      real hull_terms = 2;
      bool hull = false;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        const axis& a = axes[i];
        lists.emplace_back();
        if (!gradient && filtered && 1 / a.s > 2) {
          hull = true;
          // Of the place, or of that limited to the elements.
          const real reach = 1 / a.s + 1 + a.off(c[i]), t = a.place(c[i]), last = static_cast<real>(a.size - 1),
                     limited = std::min(std::max(t, real{0}), last);
          hull_terms *= 2 * std::ceil(1 / a.s) + 1;
          for (std::uint32_t k = a.inside(std::ceil(std::min(t, limited) - reach));
               k <= a.inside(std::floor(std::max(t, limited) + reach)); ++k)
            lists[i].push_back({k, 1, 1, false});
        } else if (!gradient) {
          lists[i] = a.shares(c[i]);
          if (!a.identity) hull_terms *= 2;
        } else {
          for (std::uint32_t q = 0; q < a.outputs; ++q) {
            if (linear) {
              for (share each : a.shares(q))
                if (each.at == c[i]) lists[i].push_back({q, each.weight, each.widened, each.needed});
            } else {
              const auto places = a.chosen(q);
              if (std::find(places.begin(), places.end(), c[i]) != places.end())
                lists[i].push_back({q, 1, 1, places.size() == 1});
            }
          }
        }
      }
      weighed sum;
      real uncertain_low = 0, uncertain_high = 0, uncertain = 0, magnitude = 0;
      bool odd = false;
      for_each_of(lists, [&](const std::vector<std::size_t>& n) {
        coordinate_tuple at = c;
        real weight = 1, wide = 1;
        bool needed = true;
        for (std::size_t i = 0; i < n.size(); ++i) {
          const share& each = lists[i][n[i]];
          at[i] = each.at;
          weight *= each.weight;
          wide *= each.widened;
          needed = needed && each.needed;
        }
        const real x = number_of_bits<T>(input[number_of(at, given)]);
        if (hull && wide == 0 && std::isfinite(x)) return;  // read, without weight
        if (linear || needed) return sum.add(x, weight, wide, needed);
        if (!std::isfinite(x)) return void(odd = true);  // with it the sum is no number
        ++uncertain;
        (x < 0 ? uncertain_low : uncertain_high) += x;
        magnitude += std::abs(x);
      });
      if (hull) {
        const real m = 23 + hull_terms, g = grown(m), most = std::max(sum.greatest, -sum.least);
        real error = g * most;
        if (flushing && single) error += hull_terms * 2 * least_normal + sum.subnormal;
        if (!flushing && single) error += hull_terms * 0x1p-150L;
        approximate a;
        a.value = (sum.greatest + sum.least) / 2;
        a.error = (sum.greatest - sum.least) / 2 + error;
        if (sum.greatest < sum.least) a.value = std::numeric_limits<real>::quiet_NaN(), a.error = 0;
        a.nan = a.of_terms = sum.special;
        a.above = sum.above;
        a.below = sum.below;
        if (sum.greatest - sum.least >= greatest_float) a.nan = a.above = a.below = true;
        rules.push_back(resampled::rule_of<T>(a));
        continue;
      }
      const real d = used;
      real m =
          gradient ? std::max(0.0L, sum.read - 1) + 2 * d + (used > 0 ? 2 : 0) : 2 * d + std::ldexp(1.0L, used) - 1;
      if (linear) {
        rules.push_back(resampled::rule_of<T>(sum.result(m, exact_axes, weights, gradient, single, flushing)));
        continue;
      }
      if constexpr (!std::is_integral_v<T>) {  // sums of whole elements
        m = std::max(0.0L, sum.read + uncertain - 1);
        const summed s = sum_of(sum.terms, sum.factors, m, single, flushing);
        approximate a = s.result;
        if (s.exact && magnitude == 0 && !sum.special) a.above = a.below = a.nan = false;  // what no order rounds
        if (sum.special) {
          a.value = sum.sure_nan || (sum.sure_above && sum.sure_below) ? std::numeric_limits<real>::quiet_NaN()
                    : sum.sure_above                                   ? std::numeric_limits<real>::infinity()
                                                                       : -std::numeric_limits<real>::infinity();
          a.error = 0;
        }
        if (sum.read == 1 && magnitude == 0 && !sum.special) {  // it is moved, or flushed
          a = {};
          a.value = sum.terms[0];
        }
        element_rule rule = rule_of_number<T>(a, false);
        if (sum.read == 1 && flushing && single && sum.subnormal > 0) rule.allowed = {0, sign_bit_of<T>};
        if (odd || (uncertain > 0 && sum.special)) {
          rule.range->open = true;  // tested by hand
        } else if (uncertain > 0) {
          // The sum without these terms is right, and what is beyond the least and the greatest sum wrong.
          approximate ends = a;
          ends.value = a.value + (uncertain_low + uncertain_high) / 2;
          ends.error = grown(m) * (magnitude + sum.largest) + (uncertain_high - uncertain_low) / 2 +
                       (flushing && single ? 2 * (m + 1) * least_normal + 0x1p-120L : 0);
          const element_rule inner = rule;
          rule = rule_of_number<T>(ends, false);
          rule.range->low = inner.range->low;
          rule.range->high = inner.range->high;
        }
        rules.push_back(rule);
      }
    }
  });
  return {rules};
}

}  // namespace judged
