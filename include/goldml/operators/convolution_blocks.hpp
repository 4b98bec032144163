// CONVOLUTION as products of matrices of doubles, block by block: rows of the filter times columns of the input's
// patches. The products of elements are exact in double precision; their sums are rounded.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/operators/convolution_shape.hpp>

namespace goldml::detail {

// Row-major matrices of doubles.
using double_matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// sum += a * b. A template, so that it is compiled once where goldml::compiled is used.
template <class Matrix>
void add_matrix_product(const Matrix& a, const Matrix& b, Matrix& sum) {
  sum.noalias() += a * b;
}

// A number that is normal or 0, which every mode of the processor converts alike.
inline double normal_double(float x) { return static_cast<double>(x); }
inline double normal_double(float16 x) { return exact_double(x); }

// The output elements that one block computes: some channels of a group of a batch, at some positions of a phase of
// each axis. Position p is row-major in the counts of the phases.
struct convolution_block {
  std::uint64_t batch, group;
  std::array<convolution_phase, 3> phases;
  std::uint64_t first_channel, channels;    // in the group
  std::uint64_t first_position, positions;  // of the phases

  std::array<std::uint64_t, 3> place(std::uint64_t position) const {
    position += first_position;
    const std::uint64_t x = position % phases[2].count;
    position /= phases[2].count;
    return {position / phases[1].count, position % phases[1].count, x};
  }
  // The coordinates of the output at a position.
  std::array<std::uint64_t, 3> output(std::uint64_t position) const {
    auto coordinates = place(position);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      coordinates[i] = phases[i].first + phases[i].step * coordinates[i];
    return coordinates;
  }
  // Whether another block has the same weights.
  bool has_weights_of(const convolution_block& other) const {
    for (std::size_t i = 0; i < phases.size(); ++i)
      if (!phases[i].has_taps_of(other.phases[i])) return false;
    return group == other.group && first_channel == other.first_channel;
  }
  std::uint64_t taps() const { return phases[0].taps.size() * phases[1].taps.size() * phases[2].taps.size(); }
};

// The blocks of a call. Each has at most `most_channels` rows, `most_positions` columns, and is computed from at most
// `most_terms` of its terms at a time, so that its matrices have at most 2 MiB each.
class convolution_blocks {
 public:
  static constexpr std::uint64_t most_channels = 256;
  static constexpr std::uint64_t most_positions = 128;
  static constexpr std::uint64_t most_terms = 1024;

  explicit convolution_blocks(const convolution_shape& shape) : shape_(shape) {
    for (std::size_t i = 0; i < phases_.size(); ++i) phases_[i] = {shape.axes[i], shape.backward, shape.flipped};
    // The first phases have the most positions.
    parts_ = divided(phases_[0][0].count * phases_[1][0].count * phases_[2][0].count, most_positions);
  }

  const convolution_shape& shape() const { return shape_; }

  // The number of units of work, each for all channels of a group.
  std::uint64_t units() const {
    return shape_.batches * shape_.groups * phases_[0].count() * phases_[1].count() * phases_[2].count() * parts_;
  }

  // Calls f(const convolution_block&) for the blocks of a unit; those with the same positions follow one another.
  template <class F>
  void for_each_block(std::uint64_t unit, const F& f) const {
    convolution_block block{};
    const auto take = [&](std::uint64_t count) {
      const std::uint64_t result = unit % count;
      unit /= count;
      return result;
    };
    block.first_position = take(parts_) * most_positions;
    for (std::size_t i = phases_.size(); i-- > 0;) block.phases[i] = phases_[i][take(phases_[i].count())];
    block.group = take(shape_.groups);
    block.batch = take(shape_.batches);
    const std::uint64_t all = block.phases[0].count * block.phases[1].count * block.phases[2].count;
    if (block.first_position >= all) return;
    block.positions = (std::min)(most_positions, all - block.first_position);
    for (block.first_channel = 0; block.first_channel < shape_.outputs; block.first_channel += most_channels) {
      block.channels = (std::min)(most_channels, shape_.outputs - block.first_channel);
      f(block);
    }
  }

 private:
  static std::uint64_t divided(std::uint64_t count, std::uint64_t by) { return (count + by - 1) / by; }

  convolution_shape shape_;
  std::array<convolution_phases, 3> phases_;
  std::uint64_t parts_;
};

// The inputs of a call: elements of type T, and weights of type W.
template <class T, class W = T>
class convolution_operands {
 public:
  convolution_operands(const convolution_shape& shape, const tensor_view<const T>& input,
                       const tensor_view<const W>& filter)
      : shape_(shape),
        input_(input.data()),
        filter_(filter.data()),
        input_strides_(convolution_strides(input.strides())),
        filter_strides_(convolution_strides(filter.strides())) {}

  const convolution_shape& shape() const { return shape_; }

  // Terms `first` to first + to.cols() - 1 of a block's channels: value(w) of the weights.
  template <class Matrix, class Value>
  void pack_filter(const convolution_block& block, std::uint64_t first, Matrix& to, const Value& value) const {
    std::vector<std::uint64_t> offsets;
    for (Eigen::Index k = 0; k < to.cols(); ++k)
      offsets.push_back(filter_offset(block, first + static_cast<std::uint64_t>(k)));
    for (Eigen::Index o = 0; o < to.rows(); ++o) {
      const W* const from = filter_ + (block.first_channel + static_cast<std::uint64_t>(o)) * output_channel_stride();
      auto* const row = to.data() + o * to.cols();
      for (std::size_t k = 0; k < offsets.size(); ++k) row[k] = value(from[offsets[k]]);
    }
  }

  // Terms `first` to first + to.rows() - 1 at a block's positions: value(x) of the elements that they read, and 0
  // outside the input.
  template <class Matrix, class Value>
  void pack_input(const convolution_block& block, std::uint64_t first, Matrix& to, const Value& value) const {
    const auto& [z, y, x] = block.phases;
    const auto [first_z, first_y, first_x] = block.place(0);
    const std::uint64_t stride = x.input_step * input_strides_[4];
    for (Eigen::Index k = 0; k < to.rows(); ++k) {
      const auto [channel, taps] = term(block, first + static_cast<std::uint64_t>(k));
      const T* const plane =
          input_ + block.batch * input_strides_[0] + (block.group * shape_.inputs + channel) * input_strides_[1];
      const auto inside = x.inside(*taps[2], shape_.axes[2].input);
      auto* row = to.data() + k * to.cols();
      std::uint64_t left = block.positions;
      std::uint64_t t = first_x, ty = first_y, tz = first_z;
      while (left > 0) {
        const std::uint64_t length = (std::min)(left, x.count - t);
        const std::int64_t at_z = place_of(z, *taps[0], tz), at_y = place_of(y, *taps[1], ty);
        if (is_inside(at_z, 0) && is_inside(at_y, 1)) {
          const std::uint64_t begin = std::clamp(inside.begin, t, t + length);
          const std::uint64_t end = std::clamp(inside.end, t, t + length);
          for (std::uint64_t i = t; i < begin; ++i) *row++ = 0;
          if (begin < end) {
            const T* from = plane + static_cast<std::uint64_t>(at_z) * input_strides_[2] +
                            static_cast<std::uint64_t>(at_y) * input_strides_[3] +
                            static_cast<std::uint64_t>(place_of(x, *taps[2], begin)) * input_strides_[4];
            if (stride == 1)
              for (std::uint64_t i = 0; i < end - begin; ++i) row[i] = value(from[i]);
            else
              for (std::uint64_t i = 0; i < end - begin; ++i) row[i] = value(from[i * stride]);
            row += end - begin;
          }
          for (std::uint64_t i = end; i < t + length; ++i) *row++ = 0;
        } else {
          row = std::fill_n(row, length, typename Matrix::Scalar(0));
        }
        left -= length;
        t = 0;
        if (++ty == y.count) {
          ty = 0;
          ++tz;
        }
      }
    }
  }

  // Calls f(x, w) for each term of one element, until f returns false; and outside(w) for the weights of taps of the
  // phase that read outside the input.
  template <class F, class Outside>
  void for_each_term(const convolution_block& block, std::uint64_t channel, std::uint64_t position, const F& f,
                     const Outside& outside) const {
    const auto t = block.place(position);
    const std::uint64_t count = shape_.inputs * block.taps();
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto [input_channel, taps] = term(block, k);
      const T* from =
          input_ + block.batch * input_strides_[0] + (block.group * shape_.inputs + input_channel) * input_strides_[1];
      bool inside = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::int64_t at = place_of(block.phases[i], *taps[i], t[i]);
        inside = inside && is_inside(at, i);
        if (inside) from += static_cast<std::uint64_t>(at) * input_strides_[2 + i];
      }
      const W w = filter_[filter_offset(block, k) + (block.first_channel + channel) * output_channel_stride()];
      if (!inside)
        outside(w);
      else if (!f(*from, w))
        return;
    }
  }

  // Calls f(w) for all weights of an output channel.
  template <class F>
  void for_each_weight(std::uint64_t group, std::uint64_t channel, const F& f) const {
    for (std::uint64_t c = 0; c < shape_.inputs; ++c) for_each_weight_of(group, channel, c, f);
  }
  // The same for the weights of one channel c of the group's inputs.
  template <class F>
  void for_each_weight_of(std::uint64_t group, std::uint64_t channel, std::uint64_t c, const F& f) const {
    const W* const from = filter_ + filter_start(group, c) + channel * output_channel_stride();
    for (std::uint64_t z = 0; z < shape_.axes[0].filter; ++z)
      for (std::uint64_t y = 0; y < shape_.axes[1].filter; ++y)
        for (std::uint64_t x = 0; x < shape_.axes[2].filter; ++x)
          f(from[z * filter_strides_[2] + y * filter_strides_[3] + x * filter_strides_[4]]);
  }

 private:
  using tap = convolution_phase::tap;

  static std::int64_t place_of(const convolution_phase& phase, const tap& through, std::uint64_t t) {
    return static_cast<std::int64_t>(phase.input_step * t) + through.base;
  }
  bool is_inside(std::int64_t place, std::size_t axis) const {
    return place >= 0 && static_cast<std::uint64_t>(place) < shape_.axes[axis].input;
  }

  struct term_place {
    std::uint64_t channel;
    std::array<const tap*, 3> taps;
  };
  term_place term(const convolution_block& block, std::uint64_t k) const {
    const auto& [z, y, x] = block.phases;
    const tap* const at_x = &x.taps[k % x.taps.size()];
    k /= x.taps.size();
    const tap* const at_y = &y.taps[k % y.taps.size()];
    k /= y.taps.size();
    return {k / z.taps.size(), {&z.taps[k % z.taps.size()], at_y, at_x}};
  }

  // FORWARD: filter {O, C/G, ...}; BACKWARD: {C, O/G, ...}.
  std::uint64_t output_channel_stride() const { return filter_strides_[shape_.backward ? 1 : 0]; }
  std::uint64_t filter_start(std::uint64_t group, std::uint64_t channel) const {
    return shape_.backward ? (group * shape_.inputs + channel) * filter_strides_[0]
                           : group * shape_.outputs * filter_strides_[0] + channel * filter_strides_[1];
  }
  std::uint64_t filter_offset(const convolution_block& block, std::uint64_t k) const {
    const auto [channel, taps] = term(block, k);
    return filter_start(block.group, channel) + taps[0]->filter * filter_strides_[2] +
           taps[1]->filter * filter_strides_[3] + taps[2]->filter * filter_strides_[4];
  }

  convolution_shape shape_;
  const T* input_;
  const W* filter_;
  std::array<std::uint64_t, 5> input_strides_;
  std::array<std::uint64_t, 5> filter_strides_;
};

}  // namespace goldml::detail
