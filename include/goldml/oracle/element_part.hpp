// Which part of a call computes one element of its outputs alone: what it reads of each input, and the outputs that it
// writes. A sample of the elements of a large output is judged by such calls.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::oracle {

// A part of a tensor: `count` coordinates from `begin` on, on each axis. Initially the whole tensor.
struct tensor_part {
  tensor_desc desc;  // with the sizes of the part, and the strides of the whole
  coordinate_tuple first;

  explicit tensor_part(const tensor_desc& whole)
      : desc{.data_type = whole.data_type, .sizes = whole.sizes, .strides = effective_strides(whole)},
        first(coordinate_tuple::filled(whole.sizes.size(), 0)) {}

  void take(std::size_t axis, std::uint32_t begin, std::uint32_t count = 1) {
    first[axis] += begin;
    desc.sizes[axis] = count;
  }
  bool operator==(const tensor_part&) const = default;
};

// One per tensor of a call, in the order of the C structure; none for an omitted one.
using tensor_parts = std::span<std::optional<tensor_part>>;

// How a sample of an operator's elements is computed.
enum class sampling {
  parts,    // by the parts of the call that compute them
  whole,    // with all others, as the cost is linear in the elements
  refused,  // not at all, as each depends on most others
};

// What is not specialised here moves, selects or makes elements.
template <class Desc>
struct element_part {
  static constexpr sampling how = sampling::whole;
};

namespace detail {

// One coordinate of every tensor on each axis, but on some axes all.
inline void take_one(tensor_parts t, const coordinate_tuple& at, const dimensions& whole_axes = {}) {
  for (std::uint32_t axis = 0; axis < at.size(); ++axis)
    if (!whole_axes.contains(axis))
      for (auto& part : t)
        if (part) part->take(axis, at[axis]);
}

// The base of element_part of the operators whose tensors all have the sizes of the output: each element depends on
// those of the same place.
template <class Desc>
struct same_place_part {
  static constexpr sampling how = sampling::parts;
  static void take(Desc&, tensor_parts t, const coordinate_tuple& at) { take_one(t, at); }
};

// Of the reductions: on slices.
template <class Desc>
struct slice_part {
  static constexpr sampling how = sampling::parts;
  static void take(Desc& desc, tensor_parts t, const coordinate_tuple& at) { take_one(t, at, desc.axes); }
};

// Of SOFTMAX: the output is a slice as well.
template <class Desc>
struct softmax_part {
  static constexpr sampling how = sampling::parts;
  static void take(Desc& desc, tensor_parts t, const coordinate_tuple& at) {
    take_one(t, at, goldml::detail::softmax_axes(desc, at.size()));
  }
};

}  // namespace detail

template <element_wise_op Op>
struct element_part<element_wise_desc<Op>> : detail::same_place_part<element_wise_desc<Op>> {};
template <arithmetic::activation_type F>
struct element_part<activation_desc<F>> : detail::same_place_part<activation_desc<F>> {};
// The training step has one element.
template <>
struct element_part<adam_optimizer_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(adam_optimizer_desc&, tensor_parts t, const coordinate_tuple& at) {
    std::optional<tensor_part> step;
    step.swap(t[operator_traits<adam_optimizer_desc>::step]);
    detail::take_one(t, at);
    step.swap(t[operator_traits<adam_optimizer_desc>::step]);
  }
};
template <goldml::detail::quantize_linear_operator Desc>
struct element_part<Desc> : detail::same_place_part<Desc> {};
template <>
struct element_part<cast_desc> : detail::same_place_part<cast_desc> {};
template <>
struct element_part<argmin_desc> : detail::slice_part<argmin_desc> {};
template <>
struct element_part<argmax_desc> : detail::slice_part<argmax_desc> {};
template <>
struct element_part<reduce_desc> : detail::slice_part<reduce_desc> {};

template <class Desc>
requires(goldml::detail::softmax_operator<Desc> || goldml::detail::hardmax_operator<Desc>) struct element_part<Desc>
    : detail::softmax_part<Desc> {
};

// The element, with the bias of its channel.
template <>
struct element_part<value_scale_2d_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(value_scale_2d_desc& desc, tensor_parts t, const coordinate_tuple& at) {
    desc.bias = {desc.bias[at[1]]};
    detail::take_one(t, at);
  }
};

// The sequence along the axis, of which the outputs have K elements.
template <goldml::detail::top_k_operator Desc>
struct element_part<Desc> {
  static constexpr sampling how = sampling::parts;
  static void take(Desc& desc, tensor_parts t, const coordinate_tuple& at) { detail::take_one(t, at, {desc.axis}); }
};

// The elements up to it, in the order of the sums.
template <goldml::detail::cumulative_operator Desc>
struct element_part<Desc> {
  static constexpr sampling how = sampling::parts;
  static void take(Desc& desc, tensor_parts t, const coordinate_tuple& at) {
    detail::take_one(t, at, {desc.axis});
    const bool increasing = desc.axis_direction == axis_direction::increasing;
    for (auto& part : t)
      part->take(desc.axis, increasing ? 0 : at[desc.axis],
                 increasing ? at[desc.axis] + 1 : part->desc.sizes[desc.axis] - at[desc.axis]);
  }
};

// A row of A and a column of B; with a fused SOFTMAX those of its slice.
template <>
struct element_part<gemm_desc> {
  static constexpr sampling how = sampling::parts;
  static void take(gemm_desc& desc, tensor_parts t, const coordinate_tuple& at) {
    const std::size_t rank = at.size();
    const dimensions slice = goldml::detail::fused_softmax_axes(desc.fused_activation, rank).value_or(dimensions());
    const auto axis_of = [&](std::size_t tensor, std::size_t axis) {  // of A or B, where the output has this axis
      const matrix_transform how = tensor == 0 ? desc.trans_a : desc.trans_b;
      return how == matrix_transform::none ? axis : 2 * rank - 3 - axis;
    };
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      if (slice.contains(axis)) continue;
      for (std::size_t tensor = 0; tensor < t.size(); ++tensor) {
        if (!t[tensor]) continue;
        if (tensor > 1 || axis + 2 < rank)
          t[tensor]->take(axis, at[axis]);
        else if (tensor == (axis + 2 == rank ? 0U : 1U))
          t[tensor]->take(axis_of(tensor, axis), at[axis]);
      }
    }
  }
};

// The elements that the window covers, the filters of one output channel, and padding instead of what is outside.
template <>
struct element_part<convolution_desc> {
  static constexpr sampling how = sampling::parts;

  static void take(convolution_desc& desc, tensor_parts t, const coordinate_tuple& at) {
    tensor_part &input = *t[0], &filter = *t[1], &output = *t[3];
    const bool backward = desc.direction == convolution_direction::backward;
    const std::uint32_t channels = input.desc.sizes[1] / desc.group_count;  // of a group
    const std::uint32_t group = at[1] / (output.desc.sizes[1] / desc.group_count);
    const std::uint32_t in_group = at[1] % (output.desc.sizes[1] / desc.group_count);
    input.take(0, at[0]);
    input.take(1, group * channels, channels);
    if (backward) filter.take(0, group * channels, channels);
    filter.take(backward ? 1 : 0, backward ? in_group : at[1]);
    if (t[2]) t[2]->take(1, at[1]);
    output.take(0, at[0]);
    output.take(1, at[1]);
    desc.group_count = 1;
    for (std::size_t i = 0; i < desc.strides.size(); ++i) {
      const std::int64_t window = 1 + (filter.desc.sizes[2 + i] - std::int64_t{1}) * desc.dilations[i];
      if (backward)
        take_backward(desc, i, window, input, output, at[2 + i]);
      else
        take_forward(desc, i, window, input, output, at[2 + i]);
    }
  }

 private:
  static std::uint32_t size(std::int64_t value) { return static_cast<std::uint32_t>(value); }

  static void take_forward(convolution_desc& desc, std::size_t i, std::int64_t window, tensor_part& input,
                           tensor_part& output, std::uint32_t at) {
    const std::int64_t begin = std::int64_t{at} * desc.strides[i] - desc.start_padding[i], end = begin + window;
    const std::int64_t whole = input.desc.sizes[2 + i];
    const std::int64_t first = (std::max)(begin, std::int64_t{0}), last = (std::min)(end, whole);
    desc.strides[i] = (std::numeric_limits<std::uint32_t>::max)();  // there is one output
    output.take(2 + i, at);
    if (first < last) {
      input.take(2 + i, size(first), size(last - first));
      desc.start_padding[i] = size(first - begin);
      desc.end_padding[i] = size(end - last);
    } else {  // nothing but padding, and an element after it, as there must be one
      input.take(2 + i, 0);
      desc.start_padding[i] = size(window);
      desc.end_padding[i] = 0;
    }
  }

  // Input coordinate c is at places c * stride .. c * stride + window - 1 of the output before StartPadding is cut.
  static void take_backward(convolution_desc& desc, std::size_t i, std::int64_t window, tensor_part& input,
                            tensor_part& output, std::uint32_t at) {
    const std::int64_t stride = desc.strides[i], start = desc.start_padding[i], place = at + start;
    const std::int64_t whole = input.desc.sizes[2 + i], outputs = output.desc.sizes[2 + i];
    std::int64_t last = (std::min)(place / stride, whole - 1);
    std::int64_t first = (std::min)((std::max)(place - window + stride, std::int64_t{0}) / stride, last);
    const bool beyond = place >= last * stride + window;  // no element is near
    if (beyond && last + 1 < whole) ++last;
    if (outputs - at <= desc.output_padding[i] || place >= last * stride + window) {
      // The last rows are what they are because they are the last: all rows from the one of element `first` on.
      last = whole - 1;
      const auto rows = [&] {  // that the formula has, from `first` on
        const std::int64_t cut = (std::max)(start - first * stride, std::int64_t{0});
        return stride * (last - first) + window - cut - desc.end_padding[i] + desc.output_padding[i];
      };
      while (first > 0 && rows() < 1) --first;
      const std::int64_t from = (std::max)(first * stride - start, std::int64_t{0});
      desc.start_padding[i] = size(start + from - first * stride);
      output.take(2 + i, size(from), size(outputs - from));
    } else {
      const std::int64_t position = place - first * stride;
      desc.start_padding[i] = size(position);
      desc.end_padding[i] = size(stride * (last - first) + window - 1 - position);
      desc.output_padding[i] = 0;
      output.take(2 + i, at);
    }
    input.take(2 + i, size(first), size(last - first + 1));
  }
};

// Each state depends on all before it.
template <class Desc>
requires requires { operator_traits<Desc>::hidden_of; }
struct element_part<Desc> {
  static constexpr sampling how = sampling::refused;
};

}  // namespace goldml::oracle
