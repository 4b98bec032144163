// In how many ways a device may count the samples of a region (ledger RA-R1, RA-R3).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <goldml/operators/roi_align_regions.hpp>

namespace goldml::detail {

// A region with its samples.
struct roi_choice {
  roi_region region;
  bool another_reading = false;  // than the desc's
};

// How far off a place may be, in elements, so that something is known of its sample.
inline constexpr double most_roi_margin = 4;

inline bool is_too_uncertain(const roi_region& region) {
  const auto is = [](const roi_axis& axis) {
    return axis.margin(roundings_of_reciprocal_sample) > most_roi_margin && !axis.is_exact();
  };
  return is(region.rows) || is(region.columns);
}

// The first has the golden samples. None: a device may answer anything.
template <class Desc>
std::vector<roi_choice> roi_choices(const Desc& desc, const roi_region& golden) {
  std::vector<roi_choice> result;
  if (!golden.is_defined() || is_too_uncertain(golden)) return result;
  result.push_back({golden});
  const auto counts = [&](const roi_axis& axis, roi_samples how, bool magnitude) {
    const double off = (std::max)(axis.error_of_length(), how == roi_samples::nearest ? 0x1p-60 : 0);
    const auto with = [&](double by) {
      return axis.samples_per_output(how, magnitude, by, desc.minimum_samples_per_output,
                                     desc.maximum_samples_per_output);
    };
    return std::pair(with(-off), with(off));
  };
  const auto same = [](const roi_axis& a, const roi_axis& b) {
    return a.count == b.count && (!a.is_alone() || a.only_first == b.only_first);
  };
  for (const roi_samples how : {desc.roi_samples, roi_samples::ceil, roi_samples::floor, roi_samples::nearest})
    for (const bool magnitude : {false, true}) {
      const auto rows = counts(golden.rows, how, magnitude), columns = counts(golden.columns, how, magnitude);
      for (const auto& [low, high] : {rows, columns})
        if (high - low > 3) return {};
      for (const bool only_first : {false, true})
        for (std::uint64_t row = rows.first; row <= rows.second; ++row)
          for (std::uint64_t column = columns.first; column <= columns.second; ++column) {
            roi_choice next{golden, how != desc.roi_samples || magnitude || only_first};
            next.region.rows.count = static_cast<std::uint32_t>(row);
            next.region.columns.count = static_cast<std::uint32_t>(column);
            next.region.rows.only_first = next.region.columns.only_first = only_first;
            if (is_too_uncertain(next.region)) return {};
            if (std::none_of(result.begin(), result.end(), [&](const roi_choice& each) {
                  return same(each.region.rows, next.region.rows) && same(each.region.columns, next.region.columns);
                }))
              result.push_back(next);
          }
    }
  return result;
}

// How the samples of all regions of a call are counted and placed (ledger RA-R1, RA-R3).
struct roi_reading {
  roi_samples how = roi_samples::ceil;
  bool magnitude = false;   // of a mirrored region: by its size
  bool ties_down = false;   // of roi_samples::nearest
  bool only_first = false;  // of corners: a sample alone lies at the first of them
};

// A region under a reading, with each number of samples that it may have, the golden one first. None: it is nobody's,
// or too uncertain.
template <class Desc>
std::vector<roi_region> regions_under(const Desc& desc, const roi_reading& reading, roi_region region) {
  if (!region.is_defined()) return {};
  region.rows.only_first = region.columns.only_first = reading.only_first;
  const auto count = [&](const roi_axis& axis, double off) {
    return axis.samples_per_output(reading.how, reading.magnitude, off - (reading.ties_down ? 0x1p-60 : 0),
                                   desc.minimum_samples_per_output, desc.maximum_samples_per_output);
  };
  const auto counts = [&](roi_axis& axis) {
    const double off = axis.error_of_length();
    axis.count = count(axis, 0);
    return std::pair(count(axis, -off), count(axis, off));
  };
  const auto rows = counts(region.rows), columns = counts(region.columns);
  for (const auto& [low, high] : {rows, columns})
    if (high - low > 3) return {};
  std::vector<roi_region> result{region};
  for (std::uint64_t row = rows.first; row <= rows.second; ++row)
    for (std::uint64_t column = columns.first; column <= columns.second; ++column) {
      roi_region next = region;
      next.rows.count = static_cast<std::uint32_t>(row);
      next.columns.count = static_cast<std::uint32_t>(column);
      if (next.rows.count != region.rows.count || next.columns.count != region.columns.count) result.push_back(next);
    }
  for (const roi_region& each : result)
    if (is_too_uncertain(each)) return {};
  return result;
}

}  // namespace goldml::detail
