// The places that CONVOLUTION reads: for an output coordinate and a tap of the filter, the coordinate of the input.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/dimensions.hpp>

namespace goldml::detail {

// One spatial axis.
struct convolution_axis {
  std::uint64_t input = 1;
  std::uint64_t output = 1;
  std::uint64_t filter = 1;
  std::uint64_t stride = 1;
  std::uint64_t dilation = 1;
  std::uint64_t start = 0;  // StartPadding
};

// Tensors with fewer than three spatial axes have leading axes of size 1.
struct convolution_shape {
  static constexpr std::size_t axis_count = 3;

  bool backward = false;
  bool flipped = false;  // the filter, on every spatial axis
  std::uint64_t batches = 1;
  std::uint64_t groups = 1;
  std::uint64_t inputs = 1;   // channels of a group
  std::uint64_t outputs = 1;  // channels of a group
  std::array<convolution_axis, axis_count> axes;

  std::uint64_t taps() const { return axes[0].filter * axes[1].filter * axes[2].filter; }
  std::uint64_t terms() const { return inputs * taps(); }
};

// Sizes that have passed the operator's rules.
template <class Desc>
convolution_shape convolution_shape_of(const Desc& desc, const dimensions& input, const dimensions& filter,
                                       const dimensions& output) {
  convolution_shape shape;
  shape.backward = static_cast<std::uint32_t>(desc.direction) == 1;
  shape.flipped = static_cast<std::uint32_t>(desc.mode) == 0;
  shape.batches = input[0];
  shape.groups = desc.group_count;
  shape.inputs = input[1] / desc.group_count;
  shape.outputs = output[1] / desc.group_count;
  const std::size_t absent = 2 + convolution_shape::axis_count - input.size();
  for (std::size_t i = 0; i + 2 < input.size(); ++i)
    shape.axes[absent + i] = {.input = input[2 + i],
                              .output = output[2 + i],
                              .filter = filter[2 + i],
                              .stride = desc.strides[i],
                              .dilation = desc.dilations[i],
                              .start = desc.start_padding[i]};
  return shape;
}

// The strides of a tensor for batch, channel and three spatial axes.
inline std::array<std::uint64_t, 5> convolution_strides(const dimensions& strides) {
  std::array<std::uint64_t, 5> result{};
  const std::size_t absent = result.size() - strides.size();
  for (std::size_t i = 0; i < strides.size(); ++i) result[i < 2 ? i : absent + i] = strides[i];
  return result;
}

// Output coordinates of one axis that read through the same taps: first + step * t, for t from 0 to count - 1. A tap
// reads the input at input_step * t + base, where that is inside it.
struct convolution_phase {
  struct tap {
    std::uint64_t filter;  // coordinate in the filter
    std::int64_t base;
  };

  std::uint64_t first = 0;
  std::uint64_t step = 1;
  std::uint64_t count = 0;
  std::uint64_t input_step = 1;
  std::span<const tap> taps;

  bool has_taps_of(const convolution_phase& other) const {
    return taps.data() == other.taps.data() && taps.size() == other.taps.size();
  }

  // Whether it is the same phase, of the same axis.
  bool has_outputs_of(const convolution_phase& other) const { return first == other.first && has_taps_of(other); }

  // The values of t, from begin to end - 1, for which a tap reads an element of an input of this size.
  struct range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  range inside(const tap& through, std::uint64_t input) const {
    const auto step_size = static_cast<std::int64_t>(input_step);
    const auto first_at = [&](std::int64_t place) {  // the first t that reads at this place or after it
      const std::int64_t distance = place - through.base;
      const auto t = distance <= 0 ? 0 : static_cast<std::uint64_t>((distance + step_size - 1) / step_size);
      return (std::min)(t, count);
    };
    const std::uint64_t begin = first_at(0);
    return {begin, (std::max)(begin, first_at(static_cast<std::int64_t>(input)))};
  }
};

// The phases of an axis. Forward there is one. Backward output q reads through the taps j for which
// q + start - j * dilation is a multiple of the stride, which depends on q modulo the stride; phase i has the outputs
// i, i + stride and so on. Most phases have no taps where the stride is large, so that only taps are stored.
class convolution_phases {
 public:
  convolution_phases() = default;
  convolution_phases(const convolution_axis& axis, bool backward, bool flipped) : axis_(axis), backward_(backward) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // the phase of a tap, and its number
    order.reserve(static_cast<std::size_t>(axis.filter));
    for (std::uint64_t j = 0; j < axis.filter; ++j) {
      const std::uint64_t phase =
          backward ? (j * axis.dilation + axis.stride - axis.start % axis.stride) % axis.stride : 0;
      if (phase < count()) order.emplace_back(phase, j);
    }
    std::sort(order.begin(), order.end());
    phases_.reserve(order.size());
    taps_.reserve(order.size());
    for (const auto& [phase, j] : order) {
      const auto reach = static_cast<std::int64_t>(j * axis.dilation) - static_cast<std::int64_t>(axis.start);
      const std::int64_t distance = static_cast<std::int64_t>(phase) - reach;  // backward a multiple of the stride
      phases_.push_back(phase);
      const std::int64_t base = backward ? distance / static_cast<std::int64_t>(axis.stride) : reach;
      taps_.push_back({flipped ? axis.filter - 1 - j : j, base});
    }
  }

  std::uint64_t count() const { return backward_ ? (std::min)(axis_.stride, axis_.output) : 1; }

  // The first has the most outputs.
  convolution_phase operator[](std::uint64_t i) const {
    const auto first = std::lower_bound(phases_.begin(), phases_.end(), i) - phases_.begin();
    const auto last = std::upper_bound(phases_.begin(), phases_.end(), i) - phases_.begin();
    const std::span taps(taps_.data() + first, static_cast<std::size_t>(last - first));
    if (!backward_) return {0, 1, axis_.output, axis_.stride, taps};
    return {i, axis_.stride, (axis_.output - i + axis_.stride - 1) / axis_.stride, 1, taps};
  }

 private:
  convolution_axis axis_;
  bool backward_ = false;
  std::vector<std::uint64_t> phases_;         // of the taps, ascending
  std::vector<convolution_phase::tap> taps_;  // in the same order
};

// For each t of a phase, the number of taps that read an element.
inline std::vector<std::uint64_t> taps_inside(const convolution_phase& phase, std::uint64_t input) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(phase.count) + 1);
  for (const convolution_phase::tap& tap : phase.taps) {
    const auto [begin, end] = phase.inside(tap, input);
    ++counts[begin];
    --counts[end];  // modulo 2^64; the sums below are right
  }
  for (std::size_t t = 1; t < counts.size(); ++t) counts[t] += counts[t - 1];
  return counts;
}

}  // namespace goldml::detail
