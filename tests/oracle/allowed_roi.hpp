// The rules of ROI_POOLING, ROI_ALIGN and ROI_ALIGN1, written from SPEC-windows 2, 5 and 8: bins by the page's
// integers, every rounding of a corner that is near a half; samples in long double, each apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <goldml/operators/roi_align.hpp>
#include <goldml/operators/roi_pooling.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"
#include "allowed_resample.hpp"

namespace judged {

inline all_rules rules_of(const roi_pooling_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  const values input = values_of(inputs[0]), regions = values_of(inputs[1]);
  const dimensions& sizes = inputs[0].desc().sizes;
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      const auto member = [&](std::size_t i) {
        return static_cast<real>(static_cast<double>(value_of<T>(regions[5 * std::size_t{c[0]} + i])));
      };
      bool defined = true;
      std::vector<real> corners[4];
      for (std::size_t i = 0; i < 4; ++i) {
        const real p = member(1 + i) * static_cast<real>(desc.spatial_scale);
        defined = defined && std::abs(p) < 0x1p30L;
        if (!defined) break;
        for (real k = std::floor(p) - 1; k <= std::ceil(p) + 1; ++k)
          if (std::abs(p - k) <= 0.5L + std::abs(p) * unit_of_float) corners[i].push_back(k);
      }
      element_rule rule;
      for (const real x1 : corners[0])
        for (const real y1 : corners[1])
          for (const real x2 : corners[2])
            for (const real y2 : corners[3]) {
              if (!defined) break;
              const real height = y2 - y1 + 1, width = x2 - x1 + 1;
              std::vector<bits> taps;
              for (std::uint32_t i = 0; i < sizes[2]; ++i)
                for (std::uint32_t j = 0; j < sizes[3]; ++j) {
                  const auto inside = [](real place, real first, real extent, real bin, real bins) {
                    return place >= first + std::floor(bin * extent / bins) &&
                           place < first + std::floor(((bin + 1) * extent + bins - 1) / bins);
                  };
                  if (inside(i, y1, height, c[2], desc.pooled_size.height) &&
                      inside(j, x1, width, c[3], desc.pooled_size.width))
                    taps.push_back(input[number_of({static_cast<std::uint32_t>(member(0)), c[1], i, j}, sizes)]);
                }
              defined = defined && height >= 1 && width >= 1 && !taps.empty();
              if (!defined) break;
              const element_rule one = rule_of_extreme<T>(false, taps, false);
              rule.allowed.insert(rule.allowed.end(), one.allowed.begin(), one.allowed.end());
              if (!flushing || !std::is_same_v<T, float>) continue;
              const element_rule zero = rule_of_extreme<T>(false, taps, true);
              rule.allowed.insert(rule.allowed.end(), zero.allowed.begin(), zero.allowed.end());
            }
      rules.push_back(defined ? rule : element_rule{false, {}});
    }
  });
  return {rules};
}

namespace sampled {

using resampled::share;

// An axis of a region, with `count` samples for each output.
struct axis {
  std::uint32_t size, outputs;
  real first, last, ip = 0.5L, op = -0.5L;
  bool corners = false, at_first = false;
  std::uint32_t count = 1;
  bool exact = false;
  real off = 0;

  real all() const { return static_cast<real>(outputs) * count; }
  bool alone() const { return corners && all() == 1; }
  real steps() const { return all() - (corners ? 1 : 0); }
  real place(real k) const {
    if (alone()) return (at_first ? first : (first + last) / 2) - ip;
    return (k - op) * (last - first) / steps() + first - ip;
  }
  static bool single(real x) { return static_cast<real>(static_cast<float>(x)) == x; }
  void look() {
    const real both = std::abs(first) + std::abs(last);
    off = 27 * unit_of_float * (both * (1 + (alone() ? 0 : std::abs(op) / steps())) + std::abs(ip) + 1);
    int e = 0;
    const real length = last - first;
    exact = single(first) && (alone() || std::frexp(steps(), &e) == 0.5L) && all() <= 4096;
    if (alone()) {
      exact = exact && (at_first || (single(last) && single(first + last))) && single(place(0));
    } else if (exact) {
      exact = single(last) && single(length) && single(length / steps());
      for (real k = 0; exact && k < all(); ++k)
        exact = single(k - op) && single((k - op) * length / steps()) && single(place(k)) && single(place(k) + ip);
    }
    if (exact) off = 0;
  }
  bool inside(real t) const { return t >= -1 && t <= size; }
  bool at_limit(real t) const { return std::abs(t + 1) <= off || std::abs(t - size) <= off; }
  real limit(real t) const { return std::clamp(t, 0.0L, static_cast<real>(size - 1)); }
  std::vector<share> linear(real place_of) const {
    const real t = limit(place_of);
    const real c = std::max(std::abs(limit(place_of - off) - t), std::abs(limit(place_of + off) - t));
    const bool plain = c == 0 && t == std::floor(t);
    std::vector<share> result;
    for (std::uint32_t j = 0; j < size; ++j) {
      const real weight = std::max(0.0L, 1 - std::abs(t - j));
      const bool read_alone = plain && j == t + 1;
      if (std::abs(j - t) < 1 + c || read_alone)
        result.push_back({j, weight, plain ? weight : weight + std::max(c, 4 * unit_of_float), weight > c});
    }
    return result;
  }
  // The nearest elements, the lower one of two first.
  std::vector<share> nearest(real t) const {
    const real golden = limit(std::ceil(t - 0.5L));
    std::vector<share> result;
    for (real j = limit(std::ceil(t - off - 0.5L)); j <= limit(std::floor(t + off + 0.5L)); ++j)
      result.push_back({static_cast<std::uint32_t>(j), j == golden ? 1.0L : 0.0L, 1, true});
    return result;
  }
};

inline std::vector<std::uint32_t> counts_of(const axis& a, roi_samples how, bool magnitude, std::uint32_t least,
                                            std::uint32_t most) {
  const real length = magnitude ? std::abs(a.last - a.first) : a.last - a.first;
  const bool certain =
      axis::single(a.first) && axis::single(a.last) && axis::single(length) && (a.outputs & (a.outputs - 1)) == 0;
  real by = certain ? 0 : (2 * (std::abs(a.first) + std::abs(a.last)) + 10 * std::abs(length)) * unit_of_float;
  if (how == roi_samples::nearest) by = std::max(by, 0x1p-60L);
  const auto count = [&](real x) {
    x /= a.outputs;
    x = how == roi_samples::ceil ? std::ceil(x) : how == roi_samples::floor ? std::floor(x) : std::floor(x + 0.5L);
    return static_cast<std::uint32_t>(std::clamp(x, std::max<real>(least, 1), static_cast<real>(most)));
  };
  std::vector<std::uint32_t> result{count(length)};
  for (std::uint32_t c = count(length - by); c <= count(length + by); ++c)
    if (c != result[0]) result.push_back(c);
  return result;
}

// The numbers that a device may surely answer, and those beyond which none may: margins are not known to the last bit.
template <class T>
element_rule rule_within(approximate a) {
  const real error = a.error;
  a.error = error * (1 - 0x1p-17L);
  element_rule rule = rule_of_number<T>(a, false);
  if (!rule.range || error == 0) return rule;
  a.error = error * (1 + 0x1p-17L);
  const element_rule outer = rule_of_number<T>(a, false);
  rule.range->outer_low = outer.range->outer_low;
  rule.range->outer_high = outer.range->outer_high;
  return rule;
}

template <class T>
struct image {
  std::function<real(std::uint32_t, std::uint32_t)> at;
  real outside, outside_float;
  bool linear, most, flushing;

  element_rule rule_of(const axis& rows, const axis& columns, std::uint32_t row, std::uint32_t column) const {
    constexpr bool single = std::is_same_v<T, float>;
    const bool exact = !linear || (rows.exact && columns.exact);
    int bits_of_weights = 0;
    for (const axis* a : {&rows, &columns}) {
      int lowest = 0;
      for (real k = 0; linear && a->exact && k < a->all(); ++k)
        if (const real part = a->place(k) - std::floor(a->place(k)); part != 0 && (a->inside(a->place(k))))
          lowest = std::min(lowest, lowest_bit(part));
      bits_of_weights += lowest;
    }
    const real n = static_cast<real>(rows.count) * columns.count;
    resampled::weighed sum;
    real low = 0, high = 0, uncertain = 0, without = 0;
    std::vector<std::vector<real>> choices;  // of NEAREST and MAX
    std::vector<approximate> numbers;        // of LINEAR and MAX
    bool strange = false;
    for (std::uint32_t i = 0; i < columns.count; ++i)
      for (std::uint32_t j = 0; j < rows.count; ++j) {
        const real x = columns.place(static_cast<real>(column) * columns.count + i),
                   y = rows.place(static_cast<real>(row) * rows.count + j);
        const bool at_limit = (columns.at_limit(x) && (rows.inside(y) || rows.at_limit(y))) ||
                              (rows.at_limit(y) && (columns.inside(x) || columns.at_limit(x)));
        if (!at_limit && !(columns.inside(x) && rows.inside(y))) {
          ++without;
          continue;
        }
        const auto across = linear ? columns.linear(x) : columns.nearest(x),
                   down = linear ? rows.linear(y) : rows.nearest(y);
        resampled::weighed one;
        resampled::weighed& to = most ? one : sum;
        real value = 0, least = infinite, greatest = -infinite;
        choices.emplace_back();
        const bool several = !linear && (across.size() * down.size() > 1 || at_limit);
        for (const share& a : across)
          for (const share& b : down) {
            const real each = at(b.at, a.at), w = a.weight * b.weight;
            choices.back().push_back(each);
            if (linear)
              to.add(each, w, a.widened * b.widened, a.needed && b.needed && !at_limit);
            else
              to.add(each, w, w, !several);
            if (!std::isfinite(each)) continue;
            if (w > 0) value += w * each;
            least = std::min(least, each);
            greatest = std::max(greatest, each);
          }
        if (at_limit) {
          choices.back().push_back(outside);
          if (!std::isfinite(outside)) to.add(outside, 0, 0, false);
          if (linear || !std::isfinite(least)) least = greatest = value;
          if (std::isfinite(outside)) least = std::min(least, outside), greatest = std::max(greatest, outside);
        }
        if (!most && (several || at_limit) && least <= greatest) {
          low += std::min(0.0L, least - value);
          high += std::max(0.0L, greatest - value);
          uncertain += linear ? std::abs(outside) : std::max(std::abs(least), std::abs(greatest));
        }
        if (!most || !linear) continue;
        approximate a = one.result(7, exact, bits_of_weights, false, single, flushing);
        if (at_limit && std::isfinite(outside)) {
          const real below = std::min(a.value - a.error, outside), above = std::max(a.value + a.error, outside);
          a.value = (below + above) / 2;
          a.error = (above - below) / 2;
        }
        strange =
            strange || a.nan || a.above || a.below || !std::isfinite(a.value) || (at_limit && !std::isfinite(outside));
        numbers.push_back(a);
      }
    if (most && !linear) return moved(choices, without);
    if (most) {
      if (without > 0) numbers.push_back({.value = outside});
      strange = strange || !std::isfinite(outside);
      approximate a;
      real below = -infinite, above = -infinite;
      for (const approximate& each : numbers) {
        below = std::max(below, each.value - each.error);
        above = std::max(above, each.value + each.error);
      }
      a.value = (below + above) / 2;
      a.error = (above - below) / 2;
      if (strange && without < n) return {.range = float_range{.type = data_type_of<T>, .low = 1, .open = true}};
      if (strange) a = {.value = outside};
      return rule_within<T>(a);
    }
    if (without > 0) {
      sum.add(outside, without, without, true);
      if (std::isfinite(outside)) sum.largest += (without - 1) * std::abs(outside);
      if (outside != outside_float && std::isfinite(outside_float)) {
        if (!std::isfinite(outside)) return {.range = float_range{.type = data_type_of<T>, .low = 1, .open = true}};
        low += std::min(0.0L, without * (outside_float - outside));
        high += std::max(0.0L, without * (outside_float - outside));
        uncertain += without * std::abs(outside_float);
      }
    }
    int e = 0;
    const bool halves = std::frexp(n, &e) == 0.5L;
    const bool tiny = sum.lowest < 5000 && sum.lowest + bits_of_weights - e + 1 < (single ? -126 : -149);
    const real m = n + (linear ? 15 : 9);
    approximate a =
        sum.result(m, exact && (halves || sum.largest == 0) && !tiny, bits_of_weights, !linear, single, flushing);
    a.value /= n;
    a.error /= n;
    if (a.error > 0 && n > 1 && flushing && single) a.error += least_normal;
    if (low < 0 || high > 0) {
      a.value += (low + high) / 2 / n;
      a.error += ((high - low) / 2 + grown(m + 3) * uncertain) / n;
    }
    return rule_within<T>(a);
  }

 private:
  static constexpr real infinite = std::numeric_limits<real>::infinity();

  element_rule moved(std::vector<std::vector<real>> choices, real without) const {
    if (without > 0) choices.push_back({outside});
    const auto zero = [&](real x) {
      return flushing && std::is_same_v<T, float> && std::abs(x) < least_normal ? 0.0L : x;
    };
    real limit = -infinite, least = infinite;
    bool any = false, nan = false;
    for (const auto& each : choices) {
      real low = infinite;
      bool numbers = true;
      for (const real x : each) {
        numbers = numbers && !std::isnan(x);
        if (!std::isnan(x)) low = std::min(low, zero(x));
      }
      nan = nan || !numbers;
      least = std::min(least, low);
      if (numbers) any = true, limit = std::max(limit, low);
    }
    element_rule rule;
    for (const auto& each : choices)
      for (const real x : each) {
        if (std::isnan(x) || zero(x) < (any ? limit : least)) continue;
        rule.allowed.push_back(bits_of(static_cast<T>(static_cast<float>(x))));
        if (zero(x) == 0) rule.allowed.insert(rule.allowed.end(), {0, sign_bit_of<T>});
      }
    if (nan) rule.allowed.push_back(quiet_nan_of<T>());
    return rule;
  }
};

}  // namespace sampled

template <goldml::detail::roi_align_operator Desc>
all_rules rules_of(const Desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  using sampled::axis;
  const values input = values_of(inputs[0]), regions = values_of(inputs[1]), batches = values_of(inputs[2]);
  const dimensions &from = inputs[0].desc().sizes, &to = outputs[0].sizes;
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    for (std::uint32_t r = 0; r < to[0]; ++r) {
      const auto corner = [&](std::size_t i) {
        return static_cast<real>(static_cast<double>(value_of<T>(regions[4 * std::size_t{r} + i]))) *
               static_cast<real>(i % 2 == 0 ? desc.spatial_scale_x : desc.spatial_scale_y);
      };
      axis both[2];  // columns, rows
      bool defined = batches[r] < from[0];
      for (std::size_t i = 0; i < 2; ++i) {
        both[i] = {from[3 - i], to[3 - i], corner(i), corner(i + 2)};
        if constexpr (requires { desc.input_pixel_offset; }) {
          both[i].ip = desc.input_pixel_offset;
          both[i].op = desc.output_pixel_offset;
          both[i].corners = desc.align_regions_to_corners;
        }
        defined = defined && std::abs(both[i].first) + std::abs(both[i].last) < 0x1p30L;
      }
      std::vector<std::pair<axis, axis>> readings;
      for (const roi_samples how : {desc.roi_samples, roi_samples::ceil, roi_samples::floor, roi_samples::nearest})
        for (const bool magnitude : {false, true})
          for (const bool at_first : {false, true}) {
            if (!defined) continue;
            const auto counts = [&](const axis& a) {
              return sampled::counts_of(a, how, magnitude, desc.minimum_samples_per_output,
                                        desc.maximum_samples_per_output);
            };
            for (const std::uint32_t x : counts(both[0]))
              for (const std::uint32_t y : counts(both[1])) {
                std::pair<axis, axis> next(both[0], both[1]);
                next.first.count = x;
                next.second.count = y;
                next.first.at_first = next.second.at_first = at_first;
                if (at_first && !next.first.alone() && !next.second.alone()) continue;
                next.first.look();
                next.second.look();
                if (std::none_of(readings.begin(), readings.end(), [&](const auto& each) {
                      return each.first.count == x && each.second.count == y && each.first.at_first == at_first;
                    }))
                  readings.push_back(next);
              }
          }
      for (std::uint32_t channel = 0; channel < to[1]; ++channel)
        for (std::uint32_t row = 0; row < to[2]; ++row)
          for (std::uint32_t column = 0; column < to[3]; ++column) {
            if (!defined) {
              rules.push_back({false});
              continue;
            }
            const float given = desc.out_of_bounds_input_value;
            sampled::image<T> image{
                [&](std::uint32_t i, std::uint32_t j) {
                  const auto number = static_cast<std::uint32_t>(batches[r]);
                  return resampled::number_of_bits<T>(input[number_of({number, channel, i, j}, from)]);
                },
                resampled::number_of_bits<T>(std::isnan(given) ? quiet_nan_of<T>()
                                                               : neighbours_of<T>(exact_number(given)).nearest),
                static_cast<real>(given),
                desc.interpolation_mode == interpolation_mode::linear,
                desc.reduction_function == reduce_function::max,
                flushing};
            // What the first reading allows is right for the whole region; what no reading allows is wrong.
            element_rule rule = image.rule_of(readings[0].second, readings[0].first, row, column);
            if (!rule.range && readings.size() > 1)
              rule.range = float_range{.type = data_type_of<T>, .low = 1, .open = true};
            for (std::size_t i = 1; i < readings.size() && rule.range; ++i) {
              const element_rule other = image.rule_of(readings[i].second, readings[i].first, row, column);
              if (!other.range) {
                rule.range->open = true;
                continue;
              }
              rule.range->outer_low = std::min(rule.range->outer_low, other.range->outer_low);
              rule.range->outer_high = std::max(rule.range->outer_high, other.range->outer_high);
              rule.range->of_terms = rule.range->of_terms || other.range->of_terms;
              // Of what only another reading overflows to nothing is said.
              rule.range->open = rule.range->open || other.range->open || (other.range->nan && !rule.range->nan) ||
                                 (other.range->above && !rule.range->above) ||
                                 (other.range->below && !rule.range->below);
            }
            rules.push_back(rule);
          }
    }
  });
  return {rules};
}

}  // namespace judged
