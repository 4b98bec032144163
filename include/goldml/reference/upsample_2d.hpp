// UPSAMPLE_2D, following its page: LINEAR exactly, in integers, and rounded once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/upsample_2d.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<upsample_2d_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const upsample_2d_desc& desc) {
    const std::size_t column = output.sizes().size() - 1, row = column - 1;
    const std::uint32_t height = input.sizes()[row], width = input.sizes()[column];
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      coordinate_tuple at = c;
      if (desc.interpolation_mode == interpolation_mode::nearest_neighbor) {
        at[row] = c[row] / desc.scale_size.height;
        at[column] = c[column] / desc.scale_size.width;
        output[c] = input[at];
        continue;
      }
      const auto rows = detail::place_on_axis(c[row], desc.scale_size.height, desc.pixel_alignment);
      const auto columns = detail::place_on_axis(c[column], desc.scale_size.width, desc.pixel_alignment);
      std::array<double, 4> x;
      std::array<std::uint64_t, 4> weights;
      for (std::size_t i = 0; i < 4; ++i) {
        at[row] = detail::element_on_axis(rows.first + static_cast<int>(i / 2), height);
        at[column] = detail::element_on_axis(columns.first + static_cast<int>(i % 2), width);
        x[i] = exact_double(T(input[at]));
        weights[i] = rows.weights()[i / 2] * columns.weights()[i % 2];
      }
      output[c] = rounded<T>(detail::value_of_weighted_mean(x, weights));
    }
  }
};

}  // namespace goldml
