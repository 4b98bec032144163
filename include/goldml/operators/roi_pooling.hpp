// ROI_POOLING: the greatest elements of bins of regions of images. Feature level 1_0.
// Page: DML_ROI_POOLING_OPERATOR_DESC. Rules: RP1..RP6. Rulings: ledger RP-R1 to RP-R3.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

struct roi_pooling_desc {
  float spatial_scale = 1;       // of the regions' coordinates to those of the input
  size_2d pooled_size = {1, 1};  // the bins of a region
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// The first and the last element of a region on an axis, both included, as the page rounds them.
struct region_side {
  std::int64_t first = 0, last = 0;
  bool defined = true;  // it has an element, and its corners are numbers

  // How many elements; the page forbids none.
  std::int64_t size() const { return (std::max)(last - first + 1, std::int64_t{1}); }
  // The elements of bin `bin` of `bins`, from the first to, not including, the second, of an axis of `elements`.
  std::pair<std::uint32_t, std::uint32_t> bin_range(std::uint32_t bin, std::uint32_t bins,
                                                    std::uint32_t elements) const {
    const auto limited = [&](std::int64_t x) {
      return static_cast<std::uint32_t>((std::clamp)(x, std::int64_t{0}, std::int64_t{elements}));
    };
    const std::int64_t n = bins;
    return {limited(first + bin * size() / n), limited(first + ((bin + std::int64_t{1}) * size() + n - 1) / n)};
  }
};

// A corner times the scale, which doubles have exactly. Beyond 2^30 it is nobody's.
inline double scaled_corner(double corner, float scale) { return corner * exact_double(scale); }
inline bool is_corner(double scaled) { return std::abs(scaled) < 0x1p30; }

inline region_side region_side_of(double first, double last) {
  if (!is_corner(first) || !is_corner(last)) return {.defined = false};
  region_side side{static_cast<std::int64_t>(std::round(first)), static_cast<std::int64_t>(std::round(last))};
  side.defined = side.first <= side.last;
  return side;
}

// A region: an image, and corners that are scaled, x1, y1, x2, y2.
struct pooled_region {
  std::uint32_t batch;
  std::array<double, 4> corners;

  // Otherwise it is nobody's, and all its bins are 0.
  bool has_corners() const {
    return std::all_of(corners.begin(), corners.end(), [](double x) { return is_corner(x); });
  }
  region_side columns() const { return region_side_of(corners[0], corners[2]); }
  region_side rows() const { return region_side_of(corners[1], corners[3]); }
};
template <class T>
pooled_region pooled_region_at(const tensor_view<const T>& regions, std::uint32_t number, float scale) {
  const auto at = [&](std::uint32_t i) { return exact_double(T(regions[coordinate_tuple{0, 0, number, i}])); };
  const double batch = at(0);
  return {batch >= 0 && batch < 0x1p32 ? static_cast<std::uint32_t>(batch) : 0,
          {scaled_corner(at(1), scale), scaled_corner(at(2), scale), scaled_corner(at(3), scale),
           scaled_corner(at(4), scale)}};
}

// The greatest number among the elements of rows and columns, of equal ones the first; 0 if there are none, and of NaN
// alone the first.
template <class T>
T greatest_in(const tensor_view<const T>& input, coordinate_tuple at, std::pair<std::uint32_t, std::uint32_t> rows,
              std::pair<std::uint32_t, std::uint32_t> columns) {
  T best = T(0.0F);
  bool any = false;
  for (at[2] = rows.first; at[2] < rows.second; ++at[2])
    for (at[3] = columns.first; at[3] < columns.second; ++at[3]) {
      const T x = input[at];
      if (!any || (!is_nan(x) && (is_nan(best) || order_key(x) > order_key(best)))) best = x;
      any = true;
    }
  return best;
}

// A region's batch that is no image: RP6. Called before the first write.
template <class T>
void check_batches(const tensor_view<const T>& regions, std::uint32_t images) {
  for (std::uint32_t i = 0; i < regions.sizes()[2]; ++i) {
    const double batch = exact_double(T(regions[coordinate_tuple{0, 0, i, 0}]));
    if (batch >= 0 && batch < images && order_key(std::floor(batch)) == order_key(batch)) continue;
    throw error(violation{.rule = "RP6",
                          .operator_name = "ROI_POOLING",
                          .operand = "ROITensor",
                          .member = "element",
                          .index = 5 * std::size_t{i},
                          .got = violation_text("{}", scalar(static_cast<float>(batch))),
                          .wanted = violation_text("a whole number below {}", images),
                          .why = violation_text("the images of InputTensor")});
  }
}

}  // namespace detail

template <>
struct operator_traits<roi_pooling_desc> {
  static constexpr std::string_view name = "ROI_POOLING";
  static constexpr std::uint32_t enumerator = 59;

  static constexpr std::array<operand_limits, 1> limits{
      {{feature_level::level_1_0, {data_type::float32, data_type::float16}, 4, 4}}};
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "ROITensor", .role = operand_role::input, .limits = limits, .same_data_type_as = {"RP1", 0}},
       {.name = "OutputTensor", .role = operand_role::output, .limits = limits, .same_data_type_as = {"RP1", 0}}}};

  static constexpr std::array attributes{row<&roi_pooling_desc::spatial_scale>("SpatialScale"),
                                         row<&roi_pooling_desc::pooled_size>("PooledSize").at_least_1("RP3")};
  static constexpr std::array policies{row<&roi_pooling_desc::same_resource>("same_resource")};

  static implied_output implied(const roi_pooling_desc& desc, const std::array<operand, 3>& t, std::size_t) {
    const dimensions &input = t[0].desc->sizes, &regions = t[1].desc->sizes;
    if (input.size() != 4 || regions.size() != 4) return {};  // T4
    return {.sizes = wide_sizes(dimensions{regions[2], input[1], desc.pooled_size.height, desc.pooled_size.width})};
  }

  // RP2 to RP5. Regions that break RP2, or a size of 0, leave the output's sizes open.
  static void check_rules(const roi_pooling_desc& desc, const std::array<operand, 3>& t, const rule_report& report) {
    const auto& [input, regions, output] = t;
    bool open = !input.legal || !regions.legal || !output.legal;
    if (regions.legal)
      for (const auto& [axis, wanted] : {std::pair(0U, 1U), std::pair(1U, 1U), std::pair(3U, 5U)})
        if (regions.desc->sizes[axis] != wanted) {
          report("RP2", "ROITensor", "Sizes", violation_text("{}", regions.desc->sizes[axis]),
                 violation_text("{}", wanted), violation_text("{1,1,R,5} has R regions"), axis);
          open = true;
        }
    for (const auto& [member, size] :
         {std::pair("Width", desc.pooled_size.width), std::pair("Height", desc.pooled_size.height)})
      if (size == 0) {
        report("RP3", "", "PooledSize", violation_text("{} 0", member), violation_text("at least 1"));
        open = true;
      }
    const bool alike =
        !open && input.desc->data_type == regions.desc->data_type && input.desc->data_type == output.desc->data_type;
    if (alike) {
      const dimensions wanted = implied(desc, t, 2).sizes->clamped();
      if (output.desc->sizes != wanted)
        report("RP4", "OutputTensor", "Sizes", violation_text("{}", output.desc->sizes), violation_text("{}", wanted),
               violation_text("regions, channels, Height, Width"));
    }
    if (!detail::is_finite_double(desc.spatial_scale) || order_key(desc.spatial_scale) <= order_key(0.0F))
      report("RP5", "", "SpatialScale", violation_text("{}", scalar(desc.spatial_scale)),
             violation_text("a finite number above 0"));
  }
  // A bin may have all elements of a channel, and is computed once, or for each way in which its corners are rounded.
  static work_counts work(const roi_pooling_desc&, const std::array<operand, 3>& t) {
    const dimensions &input = t[0].desc->sizes, &output = t[2].desc->sizes;
    const auto side = [](std::uint64_t elements, std::uint64_t bins) { return saturating_add(elements, 2 * bins); };
    const std::uint64_t read = saturating_multiply(side(input[2], output[2]), side(input[3], output[3]));
    return {.elements = saturating_multiply(std::uint64_t{output[0]} * output[1], read),
            .judged = element_count(output)};
  }

  static constexpr operator_options<roi_pooling_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work};
};

// Each region has a batch and two corners, x1, y1, x2, y2. Times SpatialScale and rounded, halves away from zero, the
// corners are elements of the image, both included. The region is divided into PooledSize bins, which overlap where
// they do not fit: rows floor(i * H / Height) to ceil((i + 1) * H / Height) of its H rows, columns likewise.
//   input   {N,C,H,W}, FLOAT32 or FLOAT16
//   roi     {1,1,R,5}, the input's type
//   output  {R,C,Height,Width}: the greatest element of each bin; 0 of a bin outside of the image
// Throws error (T1..T12, RP1..RP6), with the output unchanged.
template <class Backend, input_argument Input, input_argument Regions, output_argument Output>
void roi_pooling(const Backend& backend, const Input& input, const Regions& roi, Output&& output,
                 const roi_pooling_desc& desc) {
  static_assert(detail::alike_types<roi_pooling_desc, input_view<Input>, input_view<Regions>, output_view<Output>>,
                "goldml ROI_POOLING RP1: all tensors have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(roi)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> roi_pooling(const Backend& backend, const tensor<T>& input, const tensor<T>& roi,
                                    const roi_pooling_desc& desc) {
  tensor<T> output = detail::new_output<T>(desc, input, roi);
  roi_pooling(backend, input, roi, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(roi_pooling_desc);
