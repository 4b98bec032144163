// What the elements of the gradients of ROI_ALIGN_GRAD may be, with the samples of a reading.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/place_bounds.hpp>
#include <goldml/arithmetic/roi_margins.hpp>
#include <goldml/arithmetic/roi_slopes.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/roi_align_grad.hpp>
#include <goldml/oracle/verdicts/roi_align_grad_sums.hpp>

namespace goldml::detail {

template <class T>
class roi_gradient_judge {
 public:
  // `regions`: each with every number of samples that it may have; none if it is nobody's.
  roi_gradient_judge(const roi_align_grad_desc& desc, std::span<const const_tensor_ref> inputs, const dimensions& image,
                     const std::vector<std::vector<roi_region>>& regions, bool flushes)
      : desc_(desc),
        gradient_(inputs[1].as<T>()),
        image_(image),
        regions_(regions),
        mode_{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation} {
    if (mode_.half_products()) mode_.accumulation = accumulation::half;  // weights are made of products
    if (inputs[0].present()) input_ = inputs[0].as<T>();
    for (std::uint32_t r = 0; r < regions.size(); ++r)
      images_.push_back(image_of_region(inputs[3], r, image[0], range_policy::refuse));
  }

  std::vector<roi_gradient_element> elements() const {
    std::vector<roi_gradient_element> result;
    bool all_undefined = false;  // the gradient of a region without an image may be added anywhere
    for (const auto& image : images_) all_undefined = all_undefined || !image;
    for (std::uint32_t image = 0; image < image_[0]; ++image)
      for (std::uint32_t channel = 0; channel < image_[1]; ++channel) {
        std::vector<cell> cells(std::size_t{image_[2]} * image_[3]);
        bool undefined = all_undefined;
        for (std::uint32_t r = 0; r < regions_.size() && !all_undefined; ++r) {
          if (images_[r] != image) continue;
          undefined = undefined || regions_[r].empty();
          for (const roi_region& each : regions_[r]) add(each, regions_[r].size() > 1, r, channel, cells);
        }
        for (const cell& each : cells) {
          result.push_back(each.element(mode_));
          result.back().is_undefined = result.back().is_undefined || undefined;
        }
      }
    return result;
  }

  // The gradients of x1, y1, x2, y2 of each region.
  std::vector<roi_gradient_element> corners() const {
    std::vector<roi_gradient_element> result(4 * regions_.size());
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      const std::span<roi_gradient_element> four(&result[4 * std::size_t{r}], 4);
      bool undefined = !is_linear() || !images_[r] || regions_[r].empty();
      for (std::size_t i = 0; i < regions_[r].size() && !undefined; ++i) {
        const auto totals = corners_of(regions_[r][i], r);
        undefined = !totals;
        for (std::size_t n = 0; totals && n < 4; ++n) {
          roi_gradient_element next;
          next.all.main = graded_interval_of<T>((*totals)[n].result(mode_));
          next.is_touched = true;
          if (i == 0)
            four[n] = next;
          else
            four[n].extend_by(next);
        }
      }
      for (roi_gradient_element& each : four) each.is_undefined = undefined;
    }
    return result;
  }

 private:
  using tap = roi_gradient_tap;
  using choice = roi_gradient_choice;
  using cell = roi_gradient_cell<T>;

  bool is_linear() const { return desc_.interpolation_mode == interpolation_mode::linear; }
  bool is_max() const { return desc_.reduction_function == reduce_function::max; }

  // Adds what a region gives to its image. `open`: or nothing.
  void add(const roi_region& region, bool open, std::uint32_t r, std::uint32_t channel,
           std::vector<cell>& cells) const {
    const roi_margins rows = margins_of(region.rows, is_linear(), mode_.half()),
                      columns = margins_of(region.columns, is_linear(), mode_.half());
    const double n = is_max() ? 1 : region.samples();
    const bool exact = is_power_of_two(n) && (!is_linear() || (rows.exact && columns.exact));
    const int lowest = (is_linear() ? rows.lowest + columns.lowest : 0) - (exact ? odd_part(n).exponent : 0);
    const auto apply = [&](choice& each, double g) {
      auto& taps = each.taps;
      const auto is_before = [](const tap& a, const tap& b) { return a.place < b.place; };
      if (each.lists > 1) std::stable_sort(taps.begin(), taps.end(), is_before);
      for (std::size_t begin = 0, end = 0; begin < taps.size(); begin = end) {
        margin_tap by = taps[begin].by;
        double least = by.weight, allowance = 0, close = 0;
        for (end = begin; end < taps.size() && taps[end].place == taps[begin].place; ++end) {
          least = (std::min)(least, taps[end].by.weight);
          by.weight = (std::max)(by.weight, taps[end].by.weight);
          allowance = (std::max)(allowance, taps[end].by.allowance - taps[end].by.weight);
          close = (std::max)(close, taps[end].by.close_allowance - taps[end].by.weight);
          by.may_vanish = by.may_vanish || taps[end].by.may_vanish;
        }
        if (end - begin < each.lists) least = 0;
        const bool two = std::all_of(&taps[begin], &taps[begin] + (end - begin), [&](const tap& t) {
          return !(t.by.weight > least) || !(t.by.weight < by.weight);
        });
        by = {0, by.weight / n, (by.weight + allowance) / n, (by.weight + close) / n, by.may_vanish};
        cell& to = cells[taps[begin].place];
        to.add(by, least / n, two, g);
        to.exact = to.exact && exact;
        to.lowest = (std::min)(to.lowest, lowest);
        to.is_undefined = to.is_undefined || (mode_.half() && n > half_precision.greatest);
      }
    };
    choice next;
    for (std::uint32_t oy = 0; oy < region.rows.outputs; ++oy)
      for (std::uint32_t ox = 0; ox < region.columns.outputs; ++ox) {
        const double g = exact_double(T(gradient_[{r, channel, oy, ox}]));
        const auto begin = [&](bool may_be_none) { next.taps.clear(), next.lists = may_be_none ? 1 : 0; };
        if (is_max()) {
          const candidates greatest = candidates_of(rows, columns, r, channel, oy, ox);
          begin(open || greatest.may_be_none);
          for (const auto& [down, across] : greatest.samples) add_lists(*down, *across, next);
          apply(next, g);
          continue;
        }
        for (const roi_sample& across : columns.outputs[ox])
          for (const roi_sample& down : rows.outputs[oy]) {
            begin(open || across.may_be_outside || down.may_be_outside);
            add_lists(down, across, next);
            apply(next, g);
          }
      }
  }
  // What a sample may give its gradient to.
  void add_lists(const roi_sample& down, const roi_sample& across, choice& to) const {
    for (const margin_tap& a : across.taps)
      for (const margin_tap& b : down.taps) {
        margin_tap by{0, 1, 1, 1, false};
        if (is_linear())
          by = {0, a.weight * b.weight, (a.weight + a.allowance) * (b.weight + b.allowance),
                (a.weight + a.close_allowance) * (b.weight + b.close_allowance), a.may_vanish || b.may_vanish};
        to.taps.push_back({std::size_t{b.at} * image_[3] + a.at, by});
      }
    to.lists += is_linear() ? 1 : across.taps.size() * down.taps.size();
  }

  // Of MAX: the samples of an output that may be the greatest.
  struct candidates {
    std::vector<std::pair<const roi_sample*, const roi_sample*>> samples;
    bool may_be_none = false;
  };
  candidates candidates_of(const roi_margins& rows, const roi_margins& columns, std::uint32_t r, std::uint32_t channel,
                           std::uint32_t oy, std::uint32_t ox) const {
    struct range {
      double low, high;
      bool is_number;
    };
    std::vector<range> ranges;
    candidates all, result;
    double sure = -infinite_double;
    const auto x = [&](std::uint32_t row, std::uint32_t column) { return at(r, channel, row, column); };
    for (const roi_sample& across : columns.outputs[ox])
      for (const roi_sample& down : rows.outputs[oy]) {
        range each{infinite_double, -infinite_double, true};
        if (is_linear()) {
          margin_sum sum;
          add_roi_sample(down, across, false, x, sum);
          const interval i = sum.template interval_with<T>(sum.bound_with(7, mode_, rows.exact && columns.exact,
                                                                          rows.lowest + columns.lowest, true))
                                 .allowed;
          each = {exact_double(i.low), exact_double(i.high), (i.also & interval_also::specials) == 0};
        } else {
          for (const margin_tap& a : across.taps)
            for (const margin_tap& b : down.taps) {
              const double one = x(b.at, a.at), value = mode_.flushes && std::abs(one) < 0x1p-126 ? 0 : one;
              each.is_number = each.is_number && !is_nan(value);
              each.low = (std::min)(each.low, value);
              each.high = (std::max)(each.high, value);
            }
        }
        each.is_number = each.is_number && each.low <= each.high;
        if (each.is_number && !across.may_be_outside && !down.may_be_outside) sure = (std::max)(sure, each.low);
        ranges.push_back(each);
        all.samples.emplace_back(&down, &across);
      }
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (!ranges[i].is_number || ranges[i].high >= sure) result.samples.push_back(all.samples[i]);
    result.may_be_none = !(sure > -infinite_double);
    return result;
  }

  double at(std::uint32_t r, std::uint32_t channel, std::uint32_t row, std::uint32_t column) const {
    return exact_double(T((*input_)[{*images_[r], channel, row, column}]));
  }

  // None: the gradients of the corners are undefined.
  std::optional<std::array<slope_total, 4>> corners_of(const roi_region& region, std::uint32_t r) const {
    const roi_margins rows = margins_of(region.rows, true, mode_.half()),
                      columns = margins_of(region.columns, true, mode_.half());
    const dimensions& outputs = gradient_.sizes();
    double terms = 0;  // of a sum
    for (const auto& down : rows.outputs)
      for (const auto& across : columns.outputs)
        terms += is_max() ? 1 : static_cast<double>(down.size()) * static_cast<double>(across.size());
    const double n = is_max() ? 1 : region.samples();
    const bool by_place = desc_.roi_gradient == roi_gradient::page;
    const slope_setting setting{mode_, n, 8 + terms * outputs[1], rows.exact && columns.exact, by_place};
    std::array<slope_total, 4> totals;
    for (std::uint32_t channel = 0; channel < outputs[1]; ++channel)
      for (std::uint32_t oy = 0; oy < outputs[2]; ++oy)
        for (std::uint32_t ox = 0; ox < outputs[3]; ++ox) {
          const double g = exact_double(T(gradient_[{r, channel, oy, ox}]));
          if (!is_finite_double(g)) return std::nullopt;
          const auto x = [&](std::uint32_t row, std::uint32_t column) { return at(r, channel, row, column); };
          const auto across_x = [&](std::uint32_t column, std::uint32_t row) { return x(row, column); };
          const auto add = [&](std::span<const std::pair<const roi_sample*, const roi_sample*>> samples, bool or_none) {
            std::array<slope_choice, 4> choices;
            for (const auto& [down, across] : samples) {
              const sample_slope along_x(*across, region.columns, columns.off, *down, region.rows.size, across_x),
                  along_y(*down, region.rows, rows.off, *across, region.columns.size, x);
              if (!along_x.is_finite) return false;
              for (std::size_t i = 0; i < 4; ++i) {
                const bool is_x = i % 2 == 0;
                const double scale = by_place ? 1 : exact_double(is_x ? desc_.spatial_scale_x : desc_.spatial_scale_y);
                choices[i].add(is_x ? along_x : along_y, is_x ? region.columns : region.rows, is_x ? *across : *down,
                               is_x ? rows : columns, g, scale, i >= 2, setting);
              }
            }
            for (std::size_t i = 0; i < 4; ++i) totals[i].add(choices[i], or_none, samples.size());
            return true;
          };
          if (is_max()) {
            const candidates greatest = candidates_of(rows, columns, r, channel, oy, ox);
            if (!greatest.samples.empty() && !add(greatest.samples, greatest.may_be_none)) return std::nullopt;
            continue;
          }
          for (const roi_sample& across : columns.outputs[ox])
            for (const roi_sample& down : rows.outputs[oy]) {
              const std::array one{std::pair<const roi_sample*, const roi_sample*>(&down, &across)};
              if (!add(one, across.may_be_outside || down.may_be_outside)) return std::nullopt;
            }
        }
    return totals;
  }

  const roi_align_grad_desc& desc_;
  std::optional<tensor_view<const T>> input_;
  const tensor_view<const T> gradient_;
  const dimensions image_;
  const std::vector<std::vector<roi_region>>& regions_;
  arithmetic_mode mode_;
  std::vector<std::optional<std::uint32_t>> images_;
};

}  // namespace goldml::detail
