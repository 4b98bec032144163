// What the elements of CONVOLUTION are sums of, for the fit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/operators/convolution_desc.hpp>
#include <goldml/operators/convolution_shape.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/verdicts/convolution_winograd.hpp>

namespace goldml::detail {

// Whether an output coordinate is in the last rows, as many as OutputPadding says, where anything is allowed.
inline bool is_open_place(const convolution_desc& desc, const convolution_shape& shape,
                          const std::array<std::uint64_t, 3>& at) {
  if (desc.padded_rows == padded_rows::formula) return false;
  const std::size_t absent = 3 - desc.output_padding.size();
  for (std::size_t i = 0; i < desc.output_padding.size(); ++i)
    if (at[absent + i] + desc.output_padding[i] >= shape.axes[absent + i].output) return true;
  return false;
}

// Coordinates of one axis in the filter and in the input, which are multiplied.
struct convolution_pair {
  std::uint64_t filter, input;
  bool operator==(const convolution_pair&) const = default;
};

inline std::vector<convolution_pair> pairs_of(const convolution_shape& shape, std::size_t axis, std::uint64_t output) {
  const convolution_axis& a = shape.axes[axis];
  std::vector<convolution_pair> result;
  for (std::uint64_t j = 0; j < a.filter; ++j) {
    const std::uint64_t reach = j * a.dilation;
    std::uint64_t place = shape.backward ? output + a.start : output * a.stride + reach;
    const std::uint64_t before = shape.backward ? reach : a.start;
    if (place < before) continue;
    place -= before;
    if (shape.backward && place % a.stride != 0) continue;
    if (shape.backward) place /= a.stride;
    if (place < a.input) result.push_back({shape.flipped ? a.filter - 1 - j : j, place});
  }
  return result;
}

// The left line of a position has the elements of the input that it reads, the right one of a channel and a position
// the weights; positions that read through the same taps share it.
template <class T>
class convolution_lines {
 public:
  convolution_lines(const convolution_desc& desc, std::span<const const_tensor_ref> inputs, const dimensions& output)
      : shape_(convolution_shape_of(desc, inputs[0].desc().sizes, inputs[1].desc().sizes, output)),
        input_(inputs[0].as<T>()),
        filter_(inputs[1].as<T>()) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::map<std::vector<std::uint64_t>, std::uint64_t> first;
      for (std::uint64_t q = 0; q < shape_.axes[axis].output; ++q) {
        std::vector<std::uint64_t> taps;
        for (const convolution_pair& p : pairs_of(shape_, axis, q)) taps.push_back(p.filter);
        counts_[axis].push_back(taps.size());
        like_[axis].push_back(first.try_emplace(std::move(taps), q).first->second);
      }
    }
  }

  const convolution_shape& shape() const { return shape_; }
  std::uint64_t positions() const { return shape_.axes[0].output * shape_.axes[1].output * shape_.axes[2].output; }
  std::array<std::uint64_t, 3> at(std::uint64_t position) const {
    const std::uint64_t x = shape_.axes[2].output, y = shape_.axes[1].output;
    return {position / x / y, position / x % y, position % x};
  }
  // Of an output channel of a batch, without the bias.
  oracle::fit_place place(std::uint64_t batch, std::uint64_t channel, std::uint64_t position) const {
    const auto [z, y, x] = at(position);
    const std::uint64_t like =
        (like_[0][z] * shape_.axes[1].output + like_[1][y]) * shape_.axes[2].output + like_[2][x];
    return {(batch * shape_.groups + channel / shape_.outputs) * positions() + position, channel * positions() + like,
            shape_.inputs * counts_[0][z] * counts_[1][y] * counts_[2][x]};
  }

  void add_inputs(std::uint64_t line, std::vector<float>& numbers) const {
    const std::uint64_t group = line / positions();
    const auto strides = convolution_strides(input_.strides());
    for (std::uint64_t c = 0; c < shape_.inputs; ++c) {
      const std::uint64_t channel = group % shape_.groups * shape_.inputs + c;
      const T* const plane = input_.data() + group / shape_.groups * strides[0] + channel * strides[1];
      for_each_tap(line % positions(), [&](const auto& z, const auto& y, const auto& x) {
        numbers.push_back(
            static_cast<float>(plane[z.input * strides[2] + y.input * strides[3] + x.input * strides[4]]));
      });
    }
  }
  void add_weights(std::uint64_t line, std::vector<float>& numbers) const {
    const std::uint64_t group = line / positions() / shape_.outputs, o = line / positions() % shape_.outputs;
    const auto strides = convolution_strides(filter_.strides());
    for (std::uint64_t c = 0; c < shape_.inputs; ++c) {
      const T* const plane =  // FORWARD: {O, C/G, ...}; BACKWARD: {C, O/G, ...}
          filter_.data() + (shape_.backward ? (group * shape_.inputs + c) * strides[0] + o * strides[1]
                                            : (group * shape_.outputs + o) * strides[0] + c * strides[1]);
      for_each_tap(line % positions(), [&](const auto& z, const auto& y, const auto& x) {
        numbers.push_back(
            static_cast<float>(plane[z.filter * strides[2] + y.filter * strides[3] + x.filter * strides[4]]));
      });
    }
  }

 private:
  template <class F>
  void for_each_tap(std::uint64_t position, const F& f) const {
    const auto place = at(position);
    const auto rows = pairs_of(shape_, 1, place[1]), columns = pairs_of(shape_, 2, place[2]);
    for (const convolution_pair& z : pairs_of(shape_, 0, place[0]))
      for (const convolution_pair& y : rows)
        for (const convolution_pair& x : columns) f(z, y, x);
  }

  convolution_shape shape_;
  tensor_view<const T> input_, filter_;
  std::array<std::vector<std::uint64_t>, 3> counts_;  // of each axis and output coordinate: the taps that read
  std::array<std::vector<std::uint64_t>, 3> like_;    // and the first output coordinate that reads through the same
};

template <class T>
void set_convolution_sums(const convolution_desc& desc, std::span<const const_tensor_ref> inputs,
                          const dimensions& output, oracle::fit_sums& result) {
  const auto lines = std::make_shared<const convolution_lines<T>>(desc, inputs, output);
  const std::uint64_t channels = output[1];
  std::optional<tensor_view<const T>> bias;
  if (inputs[2].present()) bias = inputs[2].as<T>();
  result.rows = std::uint64_t{output[0]} * channels;
  result.columns = lines->positions();
  result.has_right = result.is_matrix = result.may_transform = true;
  set_winograd<T>(lines->shape(), inputs[0].as<T>(), inputs[1].as<T>(), result);
  result.accepts_transform = desc.transform == transform::accept;
  result.model.has_addend = bias.has_value();
  result.left = [lines](std::uint64_t line, std::vector<float>& numbers) { lines->add_inputs(line, numbers); };
  result.right = [lines](std::uint64_t line, std::vector<float>& numbers) { lines->add_weights(line, numbers); };
  result.place_of = [=, columns = result.columns](std::uint64_t e) -> oracle::fit_place {
    const std::uint64_t row = e / columns, position = e % columns;
    if (is_open_place(desc, lines->shape(), lines->at(position))) return {};
    oracle::fit_place place = lines->place(row / channels, row % channels, position);
    if (bias) place.addend = exact_double(bias->data()[row % channels * bias->strides()[1]]);
    return place;
  };
}

}  // namespace goldml::detail
