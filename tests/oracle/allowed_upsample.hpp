// The rules of UPSAMPLE_2D, written from its page and the ledger's UP-R1 to UP-R3: places in long double, and the bound
// derived again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/upsample_2d.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

namespace upsampled {

// A place on an axis: between elements k and k + 1, at a distance f from the first.
struct axis {
  real k = 0, f = 0;
  real off = 0;  // how far a device may see the place from there
  bool exact = false;
  std::int64_t size = 0;

  axis(std::uint32_t q, std::uint32_t scale, bool corners, std::uint32_t elements) : size(elements) {
    const real t = corners ? static_cast<real>(q) / scale : (q + 0.5L) / scale - 0.5L;
    k = std::floor(t + 0x1p-40L);  // a fraction of two small numbers, computed almost exactly
    f = std::max(0.0L, t - k);
    if (f < 0x1p-40L) f = 0;
    exact = (scale & (scale - 1)) == 0 && q < 0x800000;
    // Where the place is exact, the roundings of a + f (b - a).
    off = unit_of_float * (!exact ? 13 * ((q + 0.5L) / scale + 0.5L + 1) : f == 0 ? 0 : 4);
  }
  real weight(std::int64_t at) const {
    return at == static_cast<std::int64_t>(k) ? 1 - f : at == static_cast<std::int64_t>(k) + 1 ? f : 0;
  }
  // The elements that a device may read: these and, where it may see the place on the other side of one, its neighbour.
  std::vector<std::int64_t> readable() const {
    const auto first = static_cast<std::int64_t>(k);
    std::vector<std::int64_t> all{first, first + 1};
    if (!exact && f < off && first > -1) all.push_back(first - 1);
    if (!exact && f + off >= 1 && first + 1 < size) all.push_back(first + 2);
    if (only_read(1)) all.push_back(1);
    return all;
  }
  // Below the first element, by a device that takes the first element for the place.
  bool only_read(std::int64_t at) const { return k < 0 && size > 1 && at == 1 && (exact || f + off < 1); }
  real off_at(std::int64_t at) const { return only_read(at) ? 0 : off; }
  bool needs(std::int64_t at) const { return exact ? weight(at) > 0 : weight(at) > off; }
  std::uint32_t inside(std::int64_t at) const {
    return static_cast<std::uint32_t>(std::min(std::max(at, std::int64_t{0}), size - 1));
  }
};

template <class T, class Element>
element_rule rule_of_place(const axis& y, const axis& x, const Element& element, bool flushing) {
  std::vector<real> terms, factors;
  real inexact = 0, largest_sum = 0, least = 1e300L, most = -1e300L;
  bool needs_nan = false, needs_above = false, needs_below = false, has_above = false, has_below = false;
  bool special = false;
  for (const std::int64_t i : y.readable())
    for (const std::int64_t j : x.readable()) {
      const real e = element(i, j);
      const bool needed = y.needs(i) && x.needs(j);
      if (!std::isfinite(e)) {
        special = true;
        needs_nan = needs_nan || (needed && std::isnan(e));
        has_above = has_above || e > 0;
        has_below = has_below || e < 0;
        needs_above = needs_above || (needed && e > 0);
        needs_below = needs_below || (needed && e < 0);
        continue;
      }
      const bool is_term =
          i - static_cast<std::int64_t>(y.k) <= 1 && i >= y.k && j >= x.k && j - static_cast<std::int64_t>(x.k) <= 1;
      const real weight = y.weight(i) * x.weight(j);
      if (is_term) {
        terms.push_back(weight * e);
        factors.push_back(e);
        if (weight > 0) largest_sum += std::abs(e);
      }
      inexact += std::abs(e) * (x.off_at(j) * y.weight(i) + y.off_at(i) * x.weight(j) + x.off_at(j) * y.off_at(i));
      least = std::min(least, e);
      most = std::max(most, e);
    }
  approximate a;
  if (needs_nan || (needs_above && needs_below)) {
    a.value = std::numeric_limits<real>::quiet_NaN();
    return rule_of_number<T>(a, false);
  }
  factors.push_back(0);  // they are products
  const summed s = sum_of(terms, factors, 6, std::is_same_v<T, float>, flushing);
  a = s.result;
  const bool exact = s.exact && largest_sum <= greatest_float &&
                     (inexact == 0 || (y.exact && x.exact && largest_sum <= std::ldexp(0x1p24L, s.lowest)));
  const real g = grown(6);
  a.error = exact ? 0 : g * s.magnitude + s.flushed_away + inexact * (1 + g);
  if ((most - least) * (1 + g) >= greatest_float) a.nan = a.above = a.below = true;  // b - a
  if (special) {
    if (needs_above || needs_below) {  // whatever the numbers are
      a = {};
      a.value = needs_above ? std::numeric_limits<real>::infinity() : -std::numeric_limits<real>::infinity();
    }
    a.nan = a.of_terms = true;
    a.above = a.above || (has_above && !needs_below);
    a.below = a.below || (has_below && !needs_above);
  }
  return rule_of_number<T>(a, false);
}

}  // namespace upsampled

inline all_rules rules_of(const upsample_2d_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  const values input = values_of(inputs[0]);
  const dimensions& sizes = inputs[0].desc().sizes;
  const std::size_t column = sizes.size() - 1, row = sizes.size() - 2;
  output_rules rules;
  for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
    coordinate_tuple at = c;
    if (desc.interpolation_mode == interpolation_mode::nearest_neighbor) {
      // The element whose center is the nearest.
      at[row] = static_cast<std::uint32_t>(std::round((c[row] + 0.5) / desc.scale_size.height - 0.5));
      at[column] = static_cast<std::uint32_t>(std::round((c[column] + 0.5) / desc.scale_size.width - 0.5));
      rules.push_back({true, {input[number_of(at, sizes)]}});
      continue;
    }
    const bool corners = desc.pixel_alignment == pixel_alignment::corners;
    const upsampled::axis y(c[row], desc.scale_size.height, corners, sizes[row]);
    const upsampled::axis x(c[column], desc.scale_size.width, corners, sizes[column]);
    visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
      const auto element = [&](std::int64_t i, std::int64_t j) {
        at[row] = y.inside(i);
        at[column] = x.inside(j);
        return static_cast<real>(static_cast<double>(value_of<T>(input[number_of(at, sizes)])));
      };
      rules.push_back(upsampled::rule_of_place<T>(y, x, element, flushing));
    });
  }
  return {rules};
}

}  // namespace judged
