// Windows of SLICE1 and SLICE_GRAD: elements of a larger tensor, in steps that may be negative, that correspond to
// those of a smaller one. Their descs have the same members. Ruling: ledger L19.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/shape_rules.hpp>

namespace goldml {

// The magnitude of a stride. That of INT32_MIN is 2^31.
constexpr std::uint64_t stride_magnitude(std::int32_t stride) {
  return stride < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(std::int64_t{stride})
                    : static_cast<std::uint64_t>(stride);
}

// The most elements of a window, in steps of the stride: 1 + (window - 1) / |stride|.
constexpr std::uint64_t slice1_most_elements(std::uint32_t window, std::int32_t stride) {
  return 1 + (window - std::uint64_t{1}) / stride_magnitude(stride);
}

// The position on dimension i of the larger tensor of the element with coordinate c of the smaller one.
template <class Desc>
constexpr std::uint32_t slice1_position(const Desc& desc, std::size_t i, std::uint32_t c) {
  const std::int64_t stride = desc.input_window_strides[i];
  const std::int64_t start =
      std::int64_t{desc.input_window_offsets[i]} + (stride < 0 ? std::int64_t{desc.input_window_sizes[i]} - 1 : 0);
  return static_cast<std::uint32_t>(start + stride * c);
}
// The same of all coordinates.
template <class Desc>
constexpr coordinate_tuple slice1_position(const Desc& desc, const coordinate_tuple& c) {
  coordinate_tuple result;
  for (std::size_t i = 0; i < c.size(); ++i) result.push_back(slice1_position(desc, i, c[i]));
  return result;
}

namespace detail {

// The rows of both operators, whose rules are SL or SG with the same numbers.
template <class Desc>
constexpr std::array<attribute, 3> window_rows(std::string_view count, std::string_view window) {
  return {row<&Desc::input_window_offsets>("InputWindowOffsets", "DimensionCount").per_dimension(count),
          row<&Desc::input_window_sizes>("InputWindowSizes", "DimensionCount").per_dimension(count).at_least_1(window),
          row<&Desc::input_window_strides>("InputWindowStrides", "DimensionCount").per_dimension(count)};
}

// The operator's codes for the other shared rules.
struct window_codes {
  std::string_view stride, end, size;
};

// With `repeats` a stride may be 0: the element at the offset again and again, whatever the window's size (5, 8).
// 4: each list has an entry for each dimension. 5: strides are not 0. 6: windows are not empty. 7: they lie inside the
// larger tensor. 8: they have enough elements for the smaller one. `first` is the first of the two operands.
template <class Desc>
void check_windows(const window_codes& codes, const Desc& desc, const operand& first, const operand& larger,
                   std::string_view larger_is, const operand& smaller, const operand_info& smaller_info,
                   const rule_report& report, bool repeats = false) {
  if (!first.legal) return;
  const std::size_t rank = first.desc->sizes.size();
  const dimensions& offsets = desc.input_window_offsets;
  const dimensions& windows = desc.input_window_sizes;
  const auto& strides = desc.input_window_strides;
  const auto& rows = operator_traits<Desc>::attributes;
  if (!check_per_dimension(rows[0], offsets, rank, report) || !check_per_dimension(rows[1], windows, rank, report) ||
      !check_per_dimension(rows[2], strides, rank, report))
    return;
  for (std::size_t i = 0; i < rank; ++i)
    if (strides[i] == 0 && !repeats)
      report(codes.stride, "", "InputWindowStrides", violation_text("0"), violation_text("a stride that is not 0"),
             violation_text("InputWindowStrides {}", strides), i);
  check_at_least_1(rows[1], windows, report);
  if (larger.legal && smaller.legal && larger.desc->sizes.size() != smaller.desc->sizes.size()) return;  // 2
  const auto usable = [&](std::size_t i) { return (strides[i] != 0 || repeats) && windows[i] != 0; };
  for (std::size_t i = 0; i < rank && larger.legal; ++i) {
    if (!usable(i) || std::uint64_t{offsets[i]} + windows[i] <= larger.desc->sizes[i]) continue;
    violation_text why("InputWindowOffsets {}, InputWindowSizes {}, ", offsets, windows);
    why.append(violation_text("{} sizes {}", larger_is, larger.desc->sizes).view());
    report(codes.end, "", "InputWindowSizes", violation_text("{} from {}", windows[i], offsets[i]),
           violation_text("an end of at most {}", larger.desc->sizes[i]), why, i);
  }
  for (std::size_t i = 0; i < rank && smaller.legal; ++i) {
    if (!usable(i) || strides[i] == 0) continue;
    const std::uint64_t most = slice1_most_elements(windows[i], strides[i]);
    if (smaller.desc->sizes[i] > most)
      report(codes.size, smaller_info.name, "Sizes", violation_text("{}", smaller.desc->sizes[i]),
             violation_text("at most {}", most),
             violation_text("a window of {} in steps of {}", windows[i], strides[i]), i);
  }
}

}  // namespace detail

}  // namespace goldml
