// How far CONVOLUTION by a transform may be off besides: Winograd's F(2,3) and F(4,3), and FFT (ledger CV-R4).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/operators/convolution_blocks.hpp>
#include <goldml/oracle/fit/model.hpp>

namespace goldml::detail {

// A transform mixes the numbers of a tile, so that the error of an element depends on some that it does not read. Its
// standard deviation is that of a sum over the channels of |tile| |filter|, in 2-norms.
template <class T>
class convolution_transforms {
 public:
  convolution_transforms(const convolution_shape& shape, const tensor_view<const T>& input,
                         const tensor_view<const T>& filter, const arithmetic_mode& mode)
      : shape_(shape),
        mode_(mode),
        input_(input.data()),
        strides_(convolution_strides(input.strides())),
        operands_(shape, input, filter) {
    model_.set(mode.float32 ? data_type::float32 : data_type::float16, mode.accumulation);
  }

  // A block whose elements are to be widened.
  void see(const convolution_block& block) {
    const std::uint64_t group = block.batch * shape_.groups + block.group;
    if (planes_.empty() || group != group_) see_planes(block);
    group_ = group;
    const auto rows = static_cast<Eigen::Index>(block.channels), columns = static_cast<Eigen::Index>(block.positions);
    error_.setZero(rows, columns);
    of_planes_.assign(block.channels, {});
    for (const auto& [grown, times] : {tile_size{1, 8}, tile_size{3, 64}}) {
      double_matrix sum = double_matrix::Zero(rows, columns), squares = sum;
      for (std::uint64_t first = 0; first < shape_.inputs; first += convolution_blocks::most_terms) {
        const std::uint64_t count = (std::min)(convolution_blocks::most_terms, shape_.inputs - first);
        double_matrix filters = filters_of(block, first, count, grown == 1);
        double_matrix tiles = tiles_of(block, first, count, grown);
        add_matrix_product(filters, tiles, sum);
        filters = filters.cwiseAbs2();
        tiles = tiles.cwiseAbs2();
        add_matrix_product(filters, tiles, squares);
      }
      for (Eigen::Index i = 0; i < sum.size(); ++i)
        error_.data()[i] = (std::max)(error_.data()[i], times * deviation(sum.data()[i], squares.data()[i]));
    }
  }

  // What the transforms add to the bound of an element of the block.
  void widen(std::uint64_t channel, std::uint64_t position, bound& b) const {
    const plane_sums& s = of_planes_[static_cast<std::size_t>(channel)];
    const double error = (std::max)(error_(static_cast<Eigen::Index>(channel), static_cast<Eigen::Index>(position)),
                                    4 * deviation(s.sum, s.squares));
    // What is lost below the normal numbers, and grows by at most 19 * 19.
    const double least = !mode_.float32 ? 0 : mode_.flushes ? 0x1p-126 : 0x1p-149;
    const double lost = error > 0 ? 0x1p10 * least * (static_cast<double>(shape_.inputs) + plane_sum_ + s.filters) : 0;
    if (is_finite_double(b.value)) {
      b.error += error + lost;
      b.usual_error += error + lost;
    }
    b.add(interval_also::specials, has_special_ || s.has_special || s.sum * greatest_growth() >= mode_.of().greatest);
  }

 private:
  struct tile_size {
    std::int64_t grown;  // by how many taps the window is grown on each side
    double times;
  };
  // Of one output channel: sums over the channels of |plane| |filter|, of its square, and of |filter|.
  struct plane_sums {
    double sum = 0, squares = 0, filters = 0;
    bool has_special = false;
  };

  double deviation(double sum, double squares) const {
    oracle::fit_facts f{static_cast<double>(shape_.inputs), sum, squares, sum};
    return std::sqrt(model_.variance(f));
  }
  // How far intermediate results may be beyond sums of |plane| |filter|: 100 * 19^2 of F(4,3), the length of an FFT.
  double greatest_growth() const {
    double length = 1;
    for (const convolution_axis& a : shape_.axes)
      length *= 2 * (static_cast<double>(a.input) + static_cast<double>(a.filter) * static_cast<double>(a.dilation));
    return (std::max)(length, 0x1p16);
  }
  bool is_special(double x) const { return !is_finite_double(x) || std::abs(x) > mode_.of().greatest; }

  // |filter| of each output channel and of channels from `first` on.
  double_matrix filters_of(const convolution_block& block, std::uint64_t first, std::uint64_t count, bool adds_planes) {
    double_matrix result(block.channels, count);
    for (std::uint64_t o = 0; o < block.channels; ++o) {
      plane_sums& s = of_planes_[static_cast<std::size_t>(o)];
      for (std::uint64_t c = 0; c < count; ++c) {
        double square = 0;
        operands_.for_each_weight_of(block.group, block.first_channel + o, first + c, [&](T w) {
          const double x = exact_double(w);
          s.has_special = s.has_special || is_special(x);
          if (!is_special(x)) square += x * x;
        });
        const double norm = std::sqrt(square), term = norm * planes_[static_cast<std::size_t>(first + c)];
        result(static_cast<Eigen::Index>(o), static_cast<Eigen::Index>(c)) = norm;
        if (!adds_planes) continue;
        s.sum += term;
        s.squares += term * term;
        s.filters += norm;
      }
    }
    return result;
  }

  // |tile| of channels from `first` on, at each position: what the window reads, and `grown` taps more on each side of
  // axes with several.
  double_matrix tiles_of(const convolution_block& block, std::uint64_t first, std::uint64_t count, std::int64_t grown) {
    double_matrix result(count, block.positions);
    for (std::uint64_t p = 0; p < block.positions; ++p) {
      std::array<std::vector<std::uint64_t>, 3> places;
      const auto at = block.place(p);
      for (std::size_t i = 0; i < 3; ++i) places[i] = places_of(block.phases[i], shape_.axes[i], at[i], grown);
      for (std::uint64_t c = 0; c < count; ++c) {
        const T* const plane = plane_of(block, first + c);
        double square = 0;
        for (const std::uint64_t z : places[0])
          for (const std::uint64_t y : places[1])
            for (const std::uint64_t x : places[2]) {
              const double number = exact_double(plane[z * strides_[2] + y * strides_[3] + x * strides_[4]]);
              if (!is_special(number)) square += number * number;
            }
        result(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(p)) = std::sqrt(square);
      }
    }
    return result;
  }
  std::vector<std::uint64_t> places_of(const convolution_phase& phase, const convolution_axis& axis, std::uint64_t t,
                                       std::int64_t grown) const {
    std::vector<std::uint64_t> result;
    if (phase.taps.empty()) return result;
    std::int64_t low = phase.taps[0].base, high = low, step = static_cast<std::int64_t>(axis.dilation);
    for (const convolution_phase::tap& tap : phase.taps) {
      if (low == high && tap.base != low) step = std::abs(tap.base - low);
      low = (std::min)(low, tap.base);
      high = (std::max)(high, tap.base);
    }
    if (axis.filter == 1) grown = 0;
    const auto from = static_cast<std::int64_t>(phase.input_step * t);
    for (std::int64_t place = from + low - grown * step; place <= from + high + grown * step; place += step)
      if (place >= 0 && static_cast<std::uint64_t>(place) < axis.input)
        result.push_back(static_cast<std::uint64_t>(place));
    return result;
  }

  const T* plane_of(const convolution_block& block, std::uint64_t channel) const {
    return input_ + block.batch * strides_[0] + (block.group * shape_.inputs + channel) * strides_[1];
  }
  void see_planes(const convolution_block& block) {
    planes_.assign(static_cast<std::size_t>(shape_.inputs), 0);
    plane_sum_ = 0;
    has_special_ = false;
    for (std::uint64_t c = 0; c < shape_.inputs; ++c) {
      const T* const plane = plane_of(block, c);
      double square = 0;
      for (std::uint64_t z = 0; z < shape_.axes[0].input; ++z)
        for (std::uint64_t y = 0; y < shape_.axes[1].input; ++y)
          for (std::uint64_t x = 0; x < shape_.axes[2].input; ++x) {
            const double number = exact_double(plane[z * strides_[2] + y * strides_[3] + x * strides_[4]]);
            has_special_ = has_special_ || is_special(number);
            if (!is_special(number)) square += number * number;
          }
      planes_[static_cast<std::size_t>(c)] = std::sqrt(square);
      plane_sum_ += std::sqrt(square);
    }
  }

  const convolution_shape shape_;
  const arithmetic_mode mode_;
  const T* const input_;
  const std::array<std::uint64_t, 5> strides_;
  const convolution_operands<T> operands_;
  oracle::fit_model model_;
  std::uint64_t group_ = 0;     // whose planes these are, of a batch
  std::vector<double> planes_;  // |plane| of each channel
  double plane_sum_ = 0;
  bool has_special_ = false;
  double_matrix error_;                // of Winograd, for each channel and position
  std::vector<plane_sums> of_planes_;  // of each channel
};

}  // namespace goldml::detail
