// The desc of CONVOLUTION, and the sizes of its output.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/attributes.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/window_counts.hpp>

namespace goldml {

// DML_CONVOLUTION_MODE: whether the filter is reversed on each spatial axis.
enum class convolution_mode : std::uint32_t { convolution = 0, cross_correlation = 1 };
template <>
struct enumeration<convolution_mode> {
  static constexpr std::string_view prefix = "DML_CONVOLUTION_MODE_";
  static constexpr auto values = enumerators<convolution_mode>("CONVOLUTION", "CROSS_CORRELATION");
};

// DML_CONVOLUTION_DIRECTION: backward is the adjoint of forward, also known as transposed convolution.
enum class convolution_direction : std::uint32_t { forward = 0, backward = 1 };
template <>
struct enumeration<convolution_direction> {
  static constexpr std::string_view prefix = "DML_CONVOLUTION_DIRECTION_";
  static constexpr auto values = enumerators<convolution_direction>("FORWARD", "BACKWARD");
};

// Each list has one entry for each spatial axis: for each dimension but the first two. convolution() takes an empty
// list for ones (strides, dilations) or zeros (padding); all others need the entries: see with_default_lists().
struct convolution_desc {
  convolution_mode mode = convolution_mode::cross_correlation;
  convolution_direction direction = convolution_direction::forward;
  dimensions strides = {};
  dimensions dilations = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  dimensions output_padding = {};  // of BACKWARD: makes the output longer
  std::uint32_t group_count = 1;
  std::optional<activation> fused_activation = {};
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::padded_rows padded_rows = goldml::padded_rows::undefined;
  goldml::transform transform = goldml::transform::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The desc for tensors of `dimension_count` dimensions, with ones or zeros in lists that are empty.
inline convolution_desc with_default_lists(convolution_desc desc, std::size_t dimension_count) {
  const std::size_t axes = dimension_count < 2 ? 0 : dimension_count - 2;
  const auto give = [&](dimensions& list, std::uint32_t value) {
    if (list.size() == 0 && !list.is_null()) list = dimensions::filled(axes, value);
  };
  for (dimensions* list : {&desc.strides, &desc.dilations}) give(*list, 1);
  for (dimensions* list : {&desc.start_padding, &desc.end_padding, &desc.output_padding}) give(*list, 0);
  return desc;
}

namespace detail {

// The size of the output on a spatial axis, or less than 1 if there is none: FORWARD if the window is larger than the
// padded input. BACKWARD the output may be longer by up to stride - 1 (ledger CV-R1).
inline std::int64_t convolution_output_size(const convolution_desc& desc, std::size_t axis, std::uint32_t input,
                                            std::uint32_t filter) {
  const std::uint64_t extent = extent_of_window(filter, desc.dilations[axis]);
  const std::uint64_t padding = std::uint64_t{desc.start_padding[axis]} + desc.end_padding[axis];
  if (desc.direction != convolution_direction::backward)
    return static_cast<std::int64_t>(
        window_count(input + padding, extent, (std::max)(desc.strides[axis], std::uint32_t{1})));  // 0 breaks CV4
  // At most 2^32 * 2^32 - 2^32; clamped so that the sums fit.
  const auto product = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>((std::min)(saturating_multiply(a, b), std::uint64_t{1} << 61));
  };
  const std::int64_t window = product(extent, 1);
  return product(desc.strides[axis], input - 1) + window - static_cast<std::int64_t>(padding) +
         desc.output_padding[axis];
}

}  // namespace detail

// The sizes of the output that the formula gives. FORWARD the filter has the sizes {O, C / groups, ...}, BACKWARD
// {C, O / groups, ...}. `desc` has an entry in each list for each spatial axis, and no stride of 0.
inline dimensions convolution_output_sizes(const convolution_desc& desc, const dimensions& input,
                                           const dimensions& filter) {
  dimensions result = input;
  const bool backward = desc.direction == convolution_direction::backward;
  if (result.size() > 1 && filter.size() > 1)
    result[1] = backward ? clamped_size(std::uint64_t{filter[1]} * desc.group_count) : filter[0];
  for (std::size_t i = 0; i < desc.strides.size() && i + 2 < (std::min)(input.size(), filter.size()); ++i)
    result[i + 2] = clamped_size(static_cast<std::uint64_t>(
        (std::max)(std::int64_t{1}, detail::convolution_output_size(desc, i, input[i + 2], filter[i + 2]))));
  return result;
}

}  // namespace goldml
