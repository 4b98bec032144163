// What the elements of a region of ROI_ALIGN may be, with a number of samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/place_bounds.hpp>
#include <goldml/arithmetic/roi_margins.hpp>
#include <goldml/core/element_verdict.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/roi_align_regions.hpp>

namespace goldml::detail {

// What an element may be: numbers of an interval, or, of elements that are moved, one of several.
template <class T>
struct roi_element {
  graded_interval both = {};
  std::vector<T> values = {};
  bool is_moved = false, is_undefined = false, is_span = false;

  bool has(T x) const {
    const auto is_x = [&](T each) { return order_key(each) == order_key(x) || (is_nan(each) && is_nan(x)); };
    return is_undefined || std::any_of(values.begin(), values.end(), is_x) ||
           (!is_moved && place_in(both.allowed, x) != interval_place::outside);
  }

  // Keeps each value once; of more than 64 only the ends of what they span.
  void compress() {
    const auto key = [](T x) { return std::pair(exact_double(x), !std::signbit(exact_double(x))); };
    std::sort(values.begin(), values.end(), [&](T a, T b) { return key(a) < key(b); });
    const auto same = [&](T a, T b) { return key(a) == key(b); };
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    if (values.size() <= 64) return;
    is_span = true;
    const auto is_infinite = [](T x) { return !is_finite_double(exact_double(x)); };
    std::vector<T> ends{values.front(), values.back()};
    std::erase_if(values, is_infinite);
    ends.insert(ends.end(), {values.front(), values.back()});
    values = std::move(ends);
  }
  // The values as an interval.
  void span() {
    interval all;
    for (const T value : values) {
      const auto x = static_cast<float>(exact_double(value));
      if (is_finite_double(double{x})) {
        all.low = all.usual_low = (std::min)(all.low, x), all.high = all.usual_high = (std::max)(all.high, x);
        continue;
      }
      all.also |= interval_also::of_terms;
      all.also |= is_nan(x) ? interval_also::nan
                  : x > 0   ? interval_also::positive_infinity
                            : interval_also::negative_infinity;
    }
    both = {all, all};
    values.clear();
    is_moved = is_span = false;
  }
};

// The elements of a region, with one of its counts of samples.
template <class T, class Desc>
class roi_judge {
 public:
  roi_judge(const Desc& desc, const roi_region& region, const arithmetic_mode& mode)
      : mode_(mode),
        linear_(desc.interpolation_mode == interpolation_mode::linear),
        is_max_(desc.reduction_function == reduce_function::max),
        outside_(exact_double(rounded<T>(exact_double(desc.out_of_bounds_input_value)))),
        outside_as_given_(exact_double(desc.out_of_bounds_input_value)),
        samples_(region.samples()) {
    if (mode_.half_products()) mode_.accumulation = accumulation::half;  // weights are made of products
    rows_ = margins_of(region.rows, linear_, mode_.half());
    columns_ = margins_of(region.columns, linear_, mode_.half());
  }

  // x(row, column) are the elements of a channel.
  template <class X>
  roi_element<T> element(const X& x, std::uint32_t row, std::uint32_t column) const {
    if (is_max_) return linear_ ? greatest(x, row, column) : greatest_moved(x, row, column);
    if (mode_.half() && samples_ > half_precision.greatest) return {.is_undefined = true};
    return mean(x, row, column);
  }

 private:
  // f(row sample, column sample, whether it may be outside). Returns how many samples are outside anyway.
  template <class F>
  double for_each_sample(std::uint32_t row, std::uint32_t column, const F& f) const {
    for (const roi_sample& across : columns_.outputs[column])
      for (const roi_sample& down : rows_.outputs[row]) f(down, across, across.may_be_outside || down.may_be_outside);
    return samples_ -
           static_cast<double>(columns_.outputs[column].size()) * static_cast<double>(rows_.outputs[row].size());
  }
  bound bound_of(const margin_sum& sum, double roundings, double reciprocal, double divisor) const {
    return sum.bound_with(roundings, mode_, !linear_ || (rows_.exact && columns_.exact),
                          linear_ ? rows_.lowest + columns_.lowest : 0, linear_, divisor, reciprocal);
  }

  template <class X>
  roi_element<T> mean(const X& x, std::uint32_t row, std::uint32_t column) const {
    margin_sum sum;
    double low = 0, high = 0, uncertain = 0;  // what a device may add besides
    const auto also = [&](double base, double other) {
      low += (std::min)(0.0, other - base);
      high += (std::max)(0.0, other - base);
      uncertain += std::abs(other);
    };
    const auto may_be = [&](double base, double other) {
      if (is_finite_double(other))
        also(base, other);
      else
        sum.add({0, 0, 0, 0, true}, other);
    };
    const double without =
        for_each_sample(row, column, [&](const roi_sample& down, const roi_sample& across, bool out) {
          if (linear_) {
            const double value = add_roi_sample(down, across, out, x, sum);
            if (out) may_be(value, outside_);
            return;
          }
          double base = 0, least = infinite_double, greatest = -infinite_double;
          const bool several = out || across.taps.size() * down.taps.size() > 1;
          for (const margin_tap& a : across.taps)
            for (const margin_tap& b : down.taps) {
              const double each = x(b.at, a.at), weight = a.weight * b.weight;
              sum.add({0, weight, weight, weight, several}, each);
              if (!is_finite_double(each)) continue;
              if (weight > 0) base = each;
              least = (std::min)(least, each);
              greatest = (std::max)(greatest, each);
            }
          if (out && is_finite_double(outside_)) {
            least = (std::min)(least, outside_);
            greatest = (std::max)(greatest, outside_);
          } else if (out) {
            sum.add({0, 0, 0, 0, true}, outside_);
          }
          if (!several || least > greatest) return;
          low += (std::min)(0.0, least - base);
          high += (std::max)(0.0, greatest - base);
          uncertain += (std::max)(std::abs(least), std::abs(greatest));
        });
    if (without > 0 && !is_finite_double(outside_) && is_finite_double(outside_as_given_)) {  // beyond FLOAT16
      sum.add({0, without, without, without, false}, outside_as_given_);
      sum.add({0, 0, 0, 0, true}, outside_);
    } else if (without > 0) {
      sum.add({0, without, without, without, false}, outside_);
      if (outside_ < outside_as_given_ || outside_ > outside_as_given_)  // FLOAT16
        may_be(is_finite_double(outside_) ? without * outside_ : 0, without * outside_as_given_);
    }
    const double roundings = samples_ + (linear_ ? 9 : 3);
    bound b = bound_of(sum, roundings, 6, samples_);
    if (low < 0 || high > 0) {
      const double more = (high - low) * (0.5 + 0x1p-40);
      const auto widen = [&](double& error, double by) { error += (more + by * uncertain) / samples_; };
      b.value += (low + high) / 2 / samples_;
      if (!b.close_error) b.close_error = b.error;
      widen(*b.close_error, growth(roundings + 3, mode_.of().unit));
      widen(b.error, growth(roundings + 9, mode_.of().unit));
      widen(b.usual_error, usual_growth(roundings + 3, mode_.of().unit));
    }
    return {.both = sum.template interval_with<T>(b)};
  }

  template <class X>
  roi_element<T> greatest(const X& x, std::uint32_t row, std::uint32_t column) const {
    greatest_interval all;
    const auto point = [&](double value) {
      graded_interval both = graded_interval_of<T>({.value = value});
      if (is_nan(value)) both.allowed.also = both.close.also = interval_also::nan;
      return both;
    };
    const auto join = [](graded_interval& both, const graded_interval& other) {
      extend(both.allowed, other.allowed);
      extend(both.close, other.close);
    };
    // OutOfBoundsInputValue as an element, or as FLOAT32 that is narrowed at the end, or flushed.
    graded_interval outside = point(outside_);
    for (const rounding direction : {rounding::nearest_even, rounding::toward_zero})
      join(outside, point(exact_double(rounded<T>(outside_as_given_, direction))));
    if (mode_.flushes && std::abs(outside_as_given_) < 0x1p-126) join(outside, point(0));
    const double without =
        for_each_sample(row, column, [&](const roi_sample& down, const roi_sample& across, bool out) {
          margin_sum sum;
          add_roi_sample(down, across, false, x, sum);
          graded_interval both = sum.template interval_with<T>(bound_of(sum, 7, 0, 1));
          if (out) join(both, outside);
          all.add(both);
        });
    if (without > 0) all.add(outside);
    return {.both = all.result()};
  }

  template <class X>
  roi_element<T> greatest_moved(const X& x, std::uint32_t row, std::uint32_t column) const {
    roi_element<T> result{.is_moved = true};
    const auto flushed = [&](double each) { return mode_.flushes && std::abs(each) < 0x1p-126 ? 0 : each; };
    // f(the elements that a sample may be)
    const auto for_choices = [&](const auto& f) {
      std::vector<double> choices;
      const double without =
          for_each_sample(row, column, [&](const roi_sample& down, const roi_sample& across, bool out) {
            choices.clear();
            for (const margin_tap& a : across.taps)
              for (const margin_tap& b : down.taps) choices.push_back(x(b.at, a.at));
            if (out) choices.insert(choices.end(), {outside_, outside_as_given_});
            f(choices);
          });
      if (without > 0) f(std::vector<double>{outside_, outside_as_given_});
    };
    // The greatest is at least what each sample is at least.
    double sure = -infinite_double, least_of_all = infinite_double;
    bool any_sure = false, nan = false;
    for_choices([&](const std::vector<double>& choices) {
      double least = infinite_double;
      bool numbers = true;
      for (const double each : choices) {
        numbers = numbers && !is_nan(each);
        if (!is_nan(each)) least = (std::min)(least, flushed(each));
      }
      nan = nan || !numbers;
      least_of_all = (std::min)(least_of_all, least);
      if (!numbers) return;
      any_sure = true;
      sure = (std::max)(sure, least);
    });
    const double limit = any_sure ? sure : least_of_all;
    for_choices([&](const std::vector<double>& choices) {
      for (const double each : choices) {
        if (is_nan(each) || flushed(each) < limit) continue;
        for (const rounding direction : {rounding::nearest_even, rounding::toward_zero})
          result.values.push_back(rounded<T>(each, direction));
        if (is_zero(flushed(each))) result.values.insert(result.values.end(), {T(0.0F), T(-0.0F)});
        if (result.values.size() > 1024) result.compress();
      }
    });
    result.compress();
    if (nan) result.values.push_back(std::numeric_limits<T>::quiet_NaN());
    if (result.is_span) result.span();
    return result;
  }
  arithmetic_mode mode_;
  bool linear_, is_max_;
  double outside_, outside_as_given_;  // as an element, and as FLOAT32
  double samples_;                     // of an output
  roi_margins rows_, columns_;
};

}  // namespace goldml::detail
