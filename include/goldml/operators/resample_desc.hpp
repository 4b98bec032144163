// The descs of RESAMPLE, RESAMPLE1, RESAMPLE2, RESAMPLE3, RESAMPLE_GRAD and RESAMPLE_GRAD1, and their axes.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/resample_axis.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/window_policies.hpp>

namespace goldml {

// Lists have an entry for each dimension: coordinate q of an axis of the output lies at
// (q - output_pixel_offset) / scale - input_pixel_offset between the elements of the input. Here offsets are those of
// the centers of pixels, 0.5 and -0.5.
struct resample_desc {
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  float32_list scales = {};
  goldml::nearest_ties nearest_ties = goldml::nearest_ties::up;
  goldml::integer_rounding integer_rounding = goldml::integer_rounding::truncate;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct resample1_desc {
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  float32_list scales = {};
  float32_list input_pixel_offsets = {};
  float32_list output_pixel_offsets = {};
  goldml::nearest_ties nearest_ties = goldml::nearest_ties::up;
  goldml::integer_rounding integer_rounding = goldml::integer_rounding::truncate;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The element of NEAREST_NEIGHBOR is that at or after the place (INCREASING), or at or before it.
struct resample2_desc {
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  axis_direction rounding_direction = axis_direction::increasing;
  float32_list scales = {};
  float32_list input_pixel_offsets = {};
  float32_list output_pixel_offsets = {};
  goldml::integer_rounding integer_rounding = goldml::integer_rounding::truncate;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct resample3_desc {
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  axis_direction rounding_direction = axis_direction::increasing;
  float32_list scales = {};
  float32_list input_pixel_offsets = {};
  float32_list output_pixel_offsets = {};
  bool antialiased = false;  // LINEAR on axes with a scale below 1/2
  goldml::integer_rounding integer_rounding = goldml::integer_rounding::truncate;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The offsets belong to the tensors that they name: InputGradientTensor and OutputGradientTensor (ledger RD-R1).
struct resample_grad_desc {
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  float32_list scales = {};  // of the forward operator
  float32_list input_pixel_offsets = {};
  float32_list output_pixel_offsets = {};
  goldml::gradient_offsets gradient_offsets = goldml::gradient_offsets::tensor;
  goldml::nearest_ties nearest_ties = goldml::nearest_ties::up;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct resample_grad1_desc {
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  axis_direction rounding_direction = axis_direction::increasing;
  float32_list scales = {};
  float32_list input_pixel_offsets = {};
  float32_list output_pixel_offsets = {};
  goldml::gradient_offsets gradient_offsets = goldml::gradient_offsets::tensor;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept resample_gradient = std::same_as<Desc, resample_grad_desc> || std::same_as<Desc, resample_grad1_desc>;
template <class Desc>
concept resample_operator = std::same_as<Desc, resample_desc> || std::same_as<Desc, resample1_desc> ||
    std::same_as<Desc, resample2_desc> || std::same_as<Desc, resample3_desc> || resample_gradient<Desc>;

// The axes of the forward operator: an older operator is the newest one with defaults. `input` and `output` are the
// sizes of its tensors; a gradient's OutputGradientTensor has the former.
template <class Desc>
std::vector<resample_axis> resample_axes(const Desc& desc, const dimensions& input, const dimensions& output) {
  std::vector<resample_axis> axes(input.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    resample_axis& axis = axes[i];
    axis = {.size = input[i],
            .outputs = output[i],
            .scale = desc.scales[i],
            .input_offset = 0.5F,
            .output_offset = -0.5F,
            .linear = desc.interpolation_mode == interpolation_mode::linear};
    if constexpr (requires { desc.input_pixel_offsets; }) {
      axis.input_offset = desc.input_pixel_offsets[i];
      axis.output_offset = desc.output_pixel_offsets[i];
    }
    if constexpr (requires { desc.gradient_offsets; })
      if (desc.gradient_offsets == gradient_offsets::tensor) std::swap(axis.input_offset, axis.output_offset);
    if constexpr (requires { desc.rounding_direction; })
      axis.rounding = desc.rounding_direction == axis_direction::increasing ? place_rounding::up : place_rounding::down;
    else if (desc.nearest_ties == nearest_ties::down)
      axis.rounding = place_rounding::nearest_down;
    if constexpr (requires { desc.antialiased; }) axis.stretched = axis.linear && desc.antialiased && axis.scale < 0.5F;
  }
  return axes;
}
template <class Desc>
std::vector<resample_axis> resample_axes_of(const Desc& desc, const dimensions& first, const dimensions& second) {
  return resample_gradient<Desc> ? resample_axes(desc, second, first) : resample_axes(desc, first, second);
}

// What each coordinate of the second tensor, the result, is made of.
template <class Desc>
std::vector<axis_taps> resample_taps(const Desc& desc, const dimensions& first, const dimensions& second) {
  std::vector<axis_taps> result;
  for (const resample_axis& axis : resample_axes_of(desc, first, second))
    result.push_back(resample_gradient<Desc> ? axis.taps().transposed(axis.size) : axis.taps());
  return result;
}

// An element as a double, exactly.
template <class T>
double double_of(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return exact_double(x);
}

// An exact number, rounded to odd, as an element.
template <class T, class Desc>
T resampled(double x, const Desc& desc) {
  if constexpr (!std::is_integral_v<T>)
    return rounded<T>(x);
  else if constexpr (requires { desc.integer_rounding; }) {
    const double down = std::floor(x), rest = x - down;
    const bool to_even = rest > 0.5 || (rest == 0.5 && static_cast<std::int64_t>(down) % 2 != 0);
    const bool up = desc.integer_rounding == integer_rounding::truncate ? x < 0 && rest > 0 : to_even;
    return static_cast<T>(down + (up ? 1 : 0));
  } else {
    return 0;  // gradients have no integers
  }
}

}  // namespace detail

}  // namespace goldml
