// The rules of ROI_ALIGN_GRAD, written from SPEC-windows 8 and 9: samples in long double, each apart. Of what depends
// on a choice that a device has, on a threshold, at an element, between equal samples or of the number of samples,
// nothing is said: that is tested by hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/operators/roi_align_grad.hpp>

#include "allowed_roi.hpp"

namespace judged {

namespace sampled {

// A region of an image, and whether another reading has other samples.
struct region {
  axis columns, rows;
  std::uint32_t image = 0;
  bool defined = false, has_image = false, ambiguous = false;

  real samples() const { return static_cast<real>(columns.count) * rows.count; }
};

struct sample {
  real x, y, kx, ky;
  bool at_limit;
};

inline std::vector<sample> samples_of(const region& r, std::uint32_t row, std::uint32_t column) {
  std::vector<sample> result;
  for (std::uint32_t i = 0; i < r.columns.count; ++i)
    for (std::uint32_t j = 0; j < r.rows.count; ++j) {
      sample s{0, 0, static_cast<real>(column) * r.columns.count + i, static_cast<real>(row) * r.rows.count + j, false};
      s.x = r.columns.place(s.kx);
      s.y = r.rows.place(s.ky);
      s.at_limit = r.columns.at_limit(s.x) || r.rows.at_limit(s.y);
      const bool maybe =
          (r.columns.inside(s.x) || r.columns.at_limit(s.x)) && (r.rows.inside(s.y) || r.rows.at_limit(s.y));
      if (maybe) result.push_back(s);
    }
  return result;
}

struct touched {
  resampled::weighed sum;
  bool open = false, exact = true, any = false;
  int bits = 0;
};

// The gradient of a corner: of x1, y1, x2, y2.
struct corner {
  real value = 0, error = 0, overflow = 0;
  bool open = false, may_be_exact = true;
};

// One sample's part of it. x(along, across) are the elements.
template <class X>
void add_slope(corner& to, const axis& along, const axis& across, real t, real k, real other, real g, real scale,
               real n, bool of_last, real roundings, bool flushing, const X& x) {
  const auto taps = across.linear(other);
  const real end = static_cast<real>(along.size) - 1, u = unit_of_float;
  if (t < -along.off || t > end + along.off || end == 0) return;
  if (std::ceil(t - along.off) <= std::floor(t + along.off)) to.open = true;  // at an element
  const auto limited = [](real j, const axis& of) {
    return static_cast<std::uint32_t>(std::clamp(j, 0.0L, static_cast<real>(of.size - 1)));
  };
  const real cell = limited(std::floor(t), along);
  real slope = 0, weighted = 0, all = 0, wide = 0, least = 1e300L, greatest = -1e300L;
  for (const share& b : taps) wide = std::max(wide, b.widened - b.weight);
  for (std::uint32_t b = limited(static_cast<real>(taps.front().at) - 1, across);
       b <= limited(static_cast<real>(taps.back().at) + 1, across); ++b) {
    real weight = 0;
    for (const share& each : taps)
      if (each.at == b) weight = each.weight;
    if (cell < end) slope += weight * (x(limited(cell + 1, along), b) - x(limited(cell, along), b));
    for (std::uint32_t a = limited(cell - 1, along); a <= limited(cell + 2, along); ++a) {
      const real each = x(a, b);
      weighted += weight * std::abs(each);
      all += std::abs(each);
      least = std::min(least, each);
      greatest = std::max(greatest, each);
    }
  }
  const real r = along.alone() ? 0.5L : (k - along.op) / along.steps(), f = of_last ? r : 1 - r;
  const real by = std::abs(g * scale) / n, dr = 10 * u * (1 + std::abs(r)), around = wide * all;
  to.value += g * scale / n * slope * f;
  to.error += by * ((std::abs(f) + dr) * (grown(roundings) * (weighted + around) + around) + dr * std::abs(slope)) +
              2 * (flushing ? least_normal : 0x1p-149L) * (1 + std::abs(scale)) * (1 + std::abs(r)) *
                  (4 + std::abs(slope) + 4 * std::abs(g) / n);
  to.overflow += std::abs(g) * std::max(1.0L, std::abs(scale)) * std::max({1.0L, std::abs(r), std::abs(1 - r)}) *
                 (greatest - least);
}

}  // namespace sampled

inline all_rules rules_of(const roi_align_grad_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  using namespace sampled;
  const bool linear = desc.interpolation_mode == interpolation_mode::linear,
             most = desc.reduction_function == reduce_function::max, given = inputs[0].present();
  const values input = given ? values_of(inputs[0]) : values(), gradient = values_of(inputs[1]),
               corners = values_of(inputs[2]), batches = values_of(inputs[3]);
  const dimensions &from = given ? inputs[0].desc().sizes : outputs[0].sizes, &to = inputs[1].desc().sizes;
  all_rules rules(2);
  visit_data_type(type_list<float, float16>{}, inputs[1].desc().data_type, [&]<class T>(std::type_identity<T>) {
    constexpr bool single = std::is_same_v<T, float>;
    const bool flushes = flushing && single;
    std::vector<region> regions;
    bool ambiguous = false, anywhere = false;
    for (std::uint32_t r = 0; r < to[0]; ++r) {
      const auto place = [&](std::size_t i) {
        return static_cast<real>(static_cast<double>(value_of<T>(corners[4 * std::size_t{r} + i]))) *
               static_cast<real>(i % 2 == 0 ? desc.spatial_scale_x : desc.spatial_scale_y);
      };
      const auto of = [&](std::size_t i) {
        axis a{from[3 - i],
               to[3 - i],
               place(i),
               place(i + 2),
               desc.input_pixel_offset,
               desc.output_pixel_offset,
               desc.align_regions_to_corners};
        return a;
      };
      region each{of(0), of(1)};
      each.has_image = batches[r] < from[0];
      each.image = each.has_image ? static_cast<std::uint32_t>(batches[r]) : 0;
      each.defined = true;
      for (axis* a : {&each.columns, &each.rows}) {
        each.defined = each.defined && std::abs(a->first) + std::abs(a->last) < 0x1p30L;
        if (!each.defined) break;
        const auto counts = [&](roi_samples how, bool magnitude) {
          return counts_of(*a, how, magnitude, desc.minimum_samples_per_output, desc.maximum_samples_per_output);
        };
        a->count = counts(desc.roi_samples, false)[0];
        for (const roi_samples how : {roi_samples::ceil, roi_samples::floor, roi_samples::nearest})
          for (const bool magnitude : {false, true})
            for (const std::uint32_t c : counts(how, magnitude)) each.ambiguous = each.ambiguous || c != a->count;
        a->look();
        each.defined = each.defined && a->off <= 4;
        each.ambiguous = each.ambiguous || a->alone();
      }
      ambiguous = ambiguous || each.ambiguous;
      anywhere = anywhere || !each.has_image;
      regions.push_back(each);
    }
    const auto x_of = [&](std::uint32_t image, std::uint32_t channel, std::uint32_t i, std::uint32_t j) {
      return resampled::number_of_bits<T>(input[number_of({image, channel, i, j}, from)]);
    };
    // The samples that have a part in an output; more than one of MAX, if it is not certain.
    const auto chosen = [&](const region& r, std::uint32_t channel, std::uint32_t row, std::uint32_t column) {
      std::vector<sample> all = samples_of(r, row, column);
      if (!most) return all;
      std::vector<std::pair<real, real>> ends;
      real sure = -std::numeric_limits<real>::infinity();
      for (const sample& s : all) {
        real value = 0, error = 0, low = 1e300L, high = -1e300L;
        for (const share& a : linear ? r.columns.linear(s.x) : r.columns.nearest(s.x))
          for (const share& b : linear ? r.rows.linear(s.y) : r.rows.nearest(s.y)) {
            const real each = x_of(r.image, channel, b.at, a.at), weight = a.weight * b.weight;
            low = std::min(low, each), high = std::max(high, each);
            if (!(std::abs(each) < 1e37L)) error = std::numeric_limits<real>::infinity();
            value += std::isfinite(each) ? weight * each : 0;
            error += (2 * (a.widened * b.widened - weight) + 0x1p-10L) * std::abs(each) + 0x1p-100L;
          }
        if (!(error < 1e300L)) {  // any of them, or none
          for (sample& each : all) each.at_limit = true;
          return all;
        }
        ends.emplace_back(linear ? value - error : low - 0x1p-100L, linear ? value + error : high + 0x1p-100L);
        if (!s.at_limit) sure = std::max(sure, ends.back().first);
      }
      std::vector<sample> result;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (ends[i].second >= sure) result.push_back(all[i]);
      return result;
    };
    const auto g_of = [&](std::uint32_t r, std::uint32_t channel, std::uint32_t row, std::uint32_t column) {
      return resampled::number_of_bits<T>(gradient[number_of({r, channel, row, column}, to)]);
    };
    const auto open = [] {
      return element_rule{.range = float_range{.type = data_type_of<T>, .low = 1, .open = true}};
    };

    if (!outputs[0].sizes.empty()) {
      std::vector<touched> cells(element_count(from));
      std::vector<bool> undefined(from[0], anywhere);
      for (std::uint32_t r = 0; r < to[0]; ++r) {
        const region& at = regions[r];
        if (!at.has_image) continue;
        if (!at.defined) undefined[at.image] = true;
        if (!at.defined) continue;
        const real n = most ? 1 : at.samples();
        int log = 0, lowest_of_all = 0;
        const bool exact = std::frexp(n, &log) == 0.5L && (!linear || (at.rows.exact && at.columns.exact));
        for (const axis* a : {&at.rows, &at.columns}) {
          int lowest = 0;
          for (real k = 0; linear && a->exact && k < a->all(); ++k)
            if (const real part = a->place(k) - std::floor(a->place(k)); part != 0 && a->inside(a->place(k)))
              lowest = std::min(lowest, lowest_bit(part));
          lowest_of_all += lowest;
        }
        for (std::uint32_t channel = 0; channel < to[1]; ++channel)
          for (std::uint32_t row = 0; row < to[2]; ++row)
            for (std::uint32_t column = 0; column < to[3]; ++column) {
              const std::vector<sample> samples = chosen(at, channel, row, column);
              for (const sample& s : samples) {
                const auto across = linear ? at.columns.linear(s.x) : at.columns.nearest(s.x),
                           down = linear ? at.rows.linear(s.y) : at.rows.nearest(s.y);
                const bool certain =
                    !s.at_limit && (linear || across.size() * down.size() == 1) && (!most || samples.size() == 1);
                for (const share& a : across)
                  for (const share& b : down) {
                    touched& cell = cells[number_of({at.image, channel, b.at, a.at}, from)];
                    cell.any = true;
                    cell.open = cell.open || !certain;
                    cell.exact = cell.exact && exact;
                    cell.bits = std::min(cell.bits, lowest_of_all - (log - 1));
                    const real weight = linear ? a.weight * b.weight : 1, wide = linear ? a.widened * b.widened : 1;
                    cell.sum.add(g_of(r, channel, row, column), weight / n, wide / n,
                                 !linear || (a.needed && b.needed));
                  }
              }
            }
      }
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const touched& cell = cells[i];
        if (undefined[i * from[0] / cells.size()])
          rules[0].push_back({false});
        else if (ambiguous || cell.open)
          rules[0].push_back(open());
        else if (!cell.any)
          rules[0].push_back({true, {0}});
        else
          rules[0].push_back(
              rule_within<T>(cell.sum.result(cell.sum.read + 14, cell.exact, cell.bits, true, single, flushing)));
      }
    }
    for (std::uint32_t r = 0; r < to[0] && !outputs[1].sizes.empty(); ++r) {
      const region& at = regions[r];
      corner all[4];
      bool strange = ambiguous;
      real terms = 0;
      for (std::uint32_t row = 0; row < to[2]; ++row)
        for (std::uint32_t column = 0; column < to[3] && at.defined; ++column)
          terms += most ? 1 : static_cast<real>(samples_of(at, row, column).size());
      const real n = most ? 1 : at.samples(), roundings = 14 + terms * to[1];
      int log = 0;
      const bool may_be_exact = at.rows.exact && at.columns.exact && std::frexp(n, &log) == 0.5L;
      for (std::uint32_t channel = 0; channel < to[1] && at.defined && at.has_image && linear; ++channel) {
        for (std::uint32_t i = 0; i < from[2]; ++i)
          for (std::uint32_t j = 0; j < from[3]; ++j)
            strange = strange || !std::isfinite(x_of(at.image, channel, i, j));
        for (std::uint32_t row = 0; row < to[2]; ++row)
          for (std::uint32_t column = 0; column < to[3]; ++column) {
            const real g = g_of(r, channel, row, column);
            const std::vector<sample> samples = chosen(at, channel, row, column);
            strange = strange || !std::isfinite(g) || (most && samples.size() > 1);
            for (const sample& s : samples) {
              strange = strange || s.at_limit;
              if (strange) break;
              for (std::size_t i = 0; i < 4; ++i) {
                const auto along_x = [&](std::uint32_t a, std::uint32_t b) { return x_of(at.image, channel, b, a); };
                const auto along_y = [&](std::uint32_t a, std::uint32_t b) { return x_of(at.image, channel, a, b); };
                if (i % 2 == 0)
                  add_slope(all[i], at.columns, at.rows, s.x, s.kx, s.y, g, desc.spatial_scale_x, n, i == 2, roundings,
                            flushes, along_x);
                else
                  add_slope(all[i], at.rows, at.columns, s.y, s.ky, s.x, g, desc.spatial_scale_y, n, i == 3, roundings,
                            flushes, along_y);
              }
            }
          }
      }
      for (const corner& each : all) {
        if (!at.defined || !at.has_image || !linear) {
          rules[1].push_back({false});
        } else if (strange || each.open || each.overflow > 1e37L) {
          rules[1].push_back(open());
        } else {
          approximate a;
          a.value = each.value;
          a.error = each.error;
          element_rule rule = rule_within<T>(a);
          if (may_be_exact) {
            a.error = 0;
            const element_rule exact = rule_of_number<T>(a, false);
            rule.range->low = exact.range->low, rule.range->high = exact.range->high;
            if (!single) rule.range->low = 1, rule.range->high = 0;
          }
          rules[1].push_back(rule);
        }
      }
    }
  });
  return rules;
}

}  // namespace judged
