// The golden elements of ROI_ALIGN and ROI_ALIGN1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/arithmetic/axis_places.hpp>
#include <goldml/arithmetic/roi_axis.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/operators/roi_align_regions.hpp>

namespace goldml::detail {

// A region of one image, whose elements are computed from its samples.
template <class T, class Desc>
class aligned_region {
 public:
  aligned_region(const Desc& desc, const roi_region& region)
      : is_max_(desc.reduction_function == reduce_function::max),
        outside_(rounded<T>(exact_double(desc.out_of_bounds_input_value))),
        samples_(region.samples()) {
    if (!region.is_defined()) return;
    const bool linear = desc.interpolation_mode == interpolation_mode::linear;
    rows_.emplace(region.rows, linear, is_max_);
    columns_.emplace(region.columns, linear, is_max_);
    axes_ = {std::move(rows_->taps), std::move(columns_->taps)};
    if (linear) steps_ = arithmetic::big_number(region.rows.steps()) * arithmetic::big_number(region.columns.steps());
  }

  // The element of the output at a row and a column.
  T operator()(const tensor_view<const T>& input, std::uint32_t image, std::uint32_t channel, std::uint32_t row,
               std::uint32_t column) const {
    if (!rows_) return outside_;
    const double inside = static_cast<double>(rows_->inside(row)) * static_cast<double>(columns_->inside(column));
    if (is_zero(inside)) return outside_;
    const auto at = [&](const coordinate_tuple& c) { return exact_double(T(input[{image, channel, c[0], c[1]}])); };
    const auto store = [](double x) { return rounded<T>(x); };
    if (is_max_) {
      std::optional<T> best;
      const auto offer = [&](T x) {
        if (!best || (!is_nan(x) && (is_nan(*best) || order_key(x) > order_key(*best)))) best = x;
      };
      for (std::uint64_t x = columns_->ends[column]; x < columns_->ends[column + 1]; ++x)
        for (std::uint64_t y = rows_->ends[row]; y < rows_->ends[row + 1]; ++y)
          offer(weighted_value(axes_, {static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x)}, at, store));
      if (inside < samples_) offer(outside_);
      return *best;
    }
    const double outside = exact_double(outside_), share = (samples_ - inside) / samples_;
    const coordinate_tuple c{row, column};
    weighted_estimate estimate;
    for_each_tap(axes_, c, [&](double weight, const coordinate_tuple& place) { estimate.add(weight, at(place)); });
    if (inside < samples_) estimate.add(share, outside);
    if (const auto result = certain_store(estimate.value, estimate.error(), store)) return *result;
    further_term rest;
    if (inside < samples_) rest = {arithmetic::big_number(samples_ - inside) * steps_, outside};
    return store(weighted_sum(std::span<const axis_taps>(axes_), c, at, rest));
  }

 private:
  bool is_max_;
  T outside_;
  double samples_;
  arithmetic::big_number steps_{1};  // of both axes
  std::optional<roi_taps> rows_, columns_;
  std::array<axis_taps, 2> axes_;
};

}  // namespace goldml::detail
