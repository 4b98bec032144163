// CONVOLUTION as a device computes it by Winograd's F(4,3), for the fit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <goldml/core/tensor_view.hpp>
#include <goldml/operators/convolution_shape.hpp>
#include <goldml/oracle/fit/sums.hpp>

namespace goldml::detail {

template <std::size_t Rows, std::size_t Columns>
using small_matrix = std::array<std::array<float, Columns>, Rows>;

// m x m^T, in FLOAT32.
template <std::size_t Rows, std::size_t Columns>
small_matrix<Rows, Rows> on_both_sides(const small_matrix<Rows, Columns>& m, const small_matrix<Columns, Columns>& x) {
  small_matrix<Rows, Columns> half{};
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t k = 0; k < Columns; ++k)
      for (std::size_t j = 0; j < Columns; ++j) half[i][j] += m[i][k] * x[k][j];
  small_matrix<Rows, Rows> result{};
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t j = 0; j < Rows; ++j)
      for (std::size_t k = 0; k < Columns; ++k) result[i][j] += half[i][k] * m[j][k];
  return result;
}

// A tile has 4 x 4 elements of the output in the last two axes, and reads 6 x 6 of the input.
template <class T>
class winograd_tiles {
 public:
  winograd_tiles(const convolution_shape& shape, const tensor_view<const T>& input, const tensor_view<const T>& filter)
      : shape_(shape),
        input_(input.data()),
        filter_(filter.data()),
        input_strides_(convolution_strides(input.strides())),
        filter_strides_(convolution_strides(filter.strides())) {}

  static bool computes(const convolution_shape& shape) {
    bool result = !shape.backward && shape.axes[0].filter == 1;
    for (const convolution_axis& axis : shape.axes) result = result && axis.stride == 1 && axis.dilation == 1;
    return result && shape.axes[1].filter == 3 && shape.axes[2].filter == 3;
  }

  std::uint64_t tile_of(std::uint64_t element) const {
    const std::uint64_t width = shape_.axes[2].output, height = shape_.axes[1].output;
    return (element / width / height * ((height + 3) / 4) + element / width % height / 4) * ((width + 3) / 4) +
           element % width / 4;
  }

  // The sum of an element, without the bias.
  float sum(std::uint64_t element, const std::function<float(float)>& round) const {
    const auto& [depth, height, width] = shape_.axes;
    const std::uint64_t x = element % width.output, y = element / width.output % height.output;
    const std::uint64_t row = element / width.output / height.output, z = row % depth.output;
    const std::uint64_t channel = row / depth.output % (shape_.groups * shape_.outputs);
    const std::uint64_t batch = row / depth.output / (shape_.groups * shape_.outputs);
    small_matrix<6, 6> products{};
    for (std::uint64_t c = 0; z >= depth.start && z - depth.start < depth.input && c < shape_.inputs; ++c) {
      const T* const plane = input_ + batch * input_strides_[0] +
                             (channel / shape_.outputs * shape_.inputs + c) * input_strides_[1] +
                             (z - depth.start) * input_strides_[2];
      const T* const taps = filter_ + channel * filter_strides_[0] + c * filter_strides_[1];
      small_matrix<6, 6> tile{};
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
          const std::uint64_t at_y = y / 4 * 4 + i - height.start, at_x = x / 4 * 4 + j - width.start;  // or beyond
          if (at_y < height.input && at_x < width.input)
            tile[i][j] = round(static_cast<float>(plane[at_y * input_strides_[3] + at_x * input_strides_[4]]));
        }
      small_matrix<3, 3> weights{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const T w = taps[i * filter_strides_[3] + j * filter_strides_[4]];
          weights[shape_.flipped ? 2 - i : i][shape_.flipped ? 2 - j : j] = round(static_cast<float>(w));
        }
      const small_matrix<6, 6> of_tile = on_both_sides(input_matrix, tile);
      const small_matrix<6, 6> of_weights = on_both_sides(filter_matrix, weights);
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) products[i][j] += of_tile[i][j] * of_weights[i][j];
    }
    return on_both_sides(output_matrix, products)[y % 4][x % 4];
  }

 private:
  static constexpr small_matrix<6, 6> input_matrix{{{4, 0, -5, 0, 1, 0},
                                                    {0, -4, -4, 1, 1, 0},
                                                    {0, 4, -4, -1, 1, 0},
                                                    {0, -2, -1, 2, 1, 0},
                                                    {0, 2, -1, -2, 1, 0},
                                                    {0, 4, 0, -5, 0, 1}}};
  static constexpr float sixth = 1.0F / 6, twelfth = 1.0F / 12, part = 1.0F / 24;
  static constexpr small_matrix<6, 3> filter_matrix{{{0.25F, 0, 0},
                                                     {-sixth, -sixth, -sixth},
                                                     {-sixth, sixth, -sixth},
                                                     {part, twelfth, sixth},
                                                     {part, -twelfth, sixth},
                                                     {0, 0, 1}}};
  static constexpr small_matrix<4, 6> output_matrix{
      {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};

  convolution_shape shape_;
  const T* input_;
  const T* filter_;
  std::array<std::uint64_t, 5> input_strides_, filter_strides_;
};

template <class T>
void set_winograd(const convolution_shape& shape, const tensor_view<const T>& input, const tensor_view<const T>& filter,
                  oracle::fit_sums& result) {
  if (!winograd_tiles<T>::computes(shape)) return;
  const auto tiles = std::make_shared<const winograd_tiles<T>>(shape, input, filter);
  result.by_winograd = [tiles](std::uint64_t e, const std::function<float(float)>& round) {
    return tiles->sum(e, round);
  };
  result.tile_of = [tiles](std::uint64_t e) { return tiles->tile_of(e); };
}

}  // namespace goldml::detail
