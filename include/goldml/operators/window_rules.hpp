// The rules 3 to 8 of operators with windows: PO of pooling, PG of its gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/core/policies.hpp>
#include <goldml/core/shape_rules.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/operators/window_counts.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

// The operator's codes; 3 and 5 stand in the rows of its attributes. `tensor` has an element for each window.
struct pooling_codes {
  std::string_view null, batch, window, count;
  std::string_view tensor;
  bool is_of_one_type = true;  // that of the image
};

inline const dimensions& list_of(const attribute& row, const void* desc) {
  return *static_cast<const dimensions*>(row.address(desc));
}

// 3 to 5 of the rows that are lists. Returns whether all lists may be read, as far as the image's DimensionCount tells.
inline bool check_window_lists(std::span<const attribute> rows, const void* desc, std::string_view null,
                               const operand& image, const rule_report& report) {
  for (const attribute& row : rows)
    if (list_of(row, desc).is_null()) {
      report(null, "", row.name, violation_text("null"), violation_text("a pointer"));
      return false;
    }
  if (!image.legal) return false;
  for (const attribute& row : rows)  // the first wrong one: they share their count
    if (!check_per_dimension(row, list_of(row, desc), image.desc->sizes.size() - 2, report)) return false;
  for (const attribute& row : rows)
    if (!row.rule(value_domain::at_least_1).empty()) check_at_least_1(row, list_of(row, desc), report);
  return true;
}

// Of an axis: 7, and 8 unless `count` is 0.
inline void check_window_axis(const window_lists& lists, std::size_t axis, std::uint32_t size, std::uint32_t count,
                              goldml::pooling_sizes policy, const pooling_codes& codes, const rule_report& report) {
  const std::uint32_t window = lists.windows[axis], stride = lists.strides[axis], dilation = lists.dilations[axis];
  if (window == 0 || stride == 0 || dilation == 0) return;
  const std::uint64_t padded = std::uint64_t{size} + lists.start_padding[axis] + lists.end_padding[axis];
  const std::uint64_t extent = extent_of_window(window, dilation);
  violation_text why("size {}, window {}, ", size, window);
  why.append(violation_text("stride {}, dilation {}, ", stride, dilation).view());
  why.append(violation_text("padding {} and {}", lists.start_padding[axis], lists.end_padding[axis]).view());
  if (extent > padded || padded > (std::numeric_limits<std::uint32_t>::max)())
    return report(codes.window, "", "WindowSize", violation_text("{}", window),
                  extent > padded ? violation_text("a window inside the padded image")
                                  : violation_text("a padded size below 2^32"),
                  why, axis);
  if (count == 0) return;
  const std::uint64_t least = window_count(padded, extent, stride), most = window_count(padded, extent, stride, true);
  if (count == least || (count == most && policy == pooling_sizes::formula_or_ceil)) return;
  report(codes.count, codes.tensor, "Sizes", violation_text("{}", count),
         least == most || policy == pooling_sizes::formula ? violation_text("{}", least)
                                                           : violation_text("{} or {}", least, most),
         why, 2 + axis);
}

// 3 to 8.
inline void check_pooling_shape(std::span<const attribute> rows, const void* desc, const window_lists& lists,
                                const operand& image, const operand& counts, goldml::pooling_sizes policy,
                                const pooling_codes& codes, const rule_report& report) {
  const bool listed = check_window_lists(rows, desc, codes.null, image, report);
  if (!image.legal) return;
  const dimensions& sizes = image.desc->sizes;
  const bool comparable = counts.legal && (!codes.is_of_one_type || counts.desc->data_type == image.desc->data_type) &&
                          counts.desc->sizes.size() == sizes.size();
  for (std::size_t i = 0; i < 2 && comparable; ++i)
    if (counts.desc->sizes[i] != sizes[i])
      report(codes.batch, codes.tensor, "Sizes", violation_text("{}", counts.desc->sizes[i]),
             violation_text("{}", sizes[i]), violation_text("the {} size of the image", i == 0 ? "batch" : "channel"),
             i);
  for (std::size_t i = 0; i + 2 < sizes.size() && listed; ++i)
    check_window_axis(lists, i, sizes[2 + i], comparable ? counts.desc->sizes[2 + i] : 0, policy, codes, report);
}

// The sizes with the fewest windows, for lists that fit the image; nullopt if they do not, or if `only` and there is
// another choice.
inline std::optional<dimensions> window_sizes_of(const window_lists& lists, const dimensions& image, bool only) {
  dimensions result = image;
  for (const dimensions* list :
       {&lists.windows, &lists.strides, &lists.dilations, &lists.start_padding, &lists.end_padding})
    if (list->size() + 2 != image.size()) return std::nullopt;
  for (std::size_t i = 0; i + 2 < image.size(); ++i) {
    if (lists.windows[i] == 0 || lists.strides[i] == 0 || lists.dilations[i] == 0) return std::nullopt;
    const std::uint64_t padded = std::uint64_t{image[2 + i]} + lists.start_padding[i] + lists.end_padding[i];
    const std::uint64_t extent = extent_of_window(lists.windows[i], lists.dilations[i]);
    const std::uint64_t count = window_count(padded, extent, lists.strides[i]);
    if (count == 0 || (only && count != window_count(padded, extent, lists.strides[i], true))) return std::nullopt;
    result[2 + i] = clamped_size(count);
  }
  return result;
}

}  // namespace goldml::detail
