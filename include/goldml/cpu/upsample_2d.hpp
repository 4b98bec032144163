// UPSAMPLE_2D on the CPU. NEAREST_NEIGHBOR copies bits. LINEAR computes rows in double, and again exactly what that
// does not decide.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/operators/upsample_2d.hpp>

namespace goldml {

template <>
struct kernel<upsample_2d_desc, cpu_backend> {
  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const upsample_2d_desc& desc) {
    if (desc.interpolation_mode == interpolation_mode::nearest_neighbor)
      return repeat_elements(backend, detail::host_input(inputs[0]), detail::host_output(outputs[0]),
                             element_size_in_bytes(outputs[0].desc().data_type), desc.scale_size);
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      interpolate(backend, inputs[0].as<T>(), outputs[0].as<T>(), desc);
    });
  }

 private:
  // A copy in which the input does not move along the two dimensions that are added.
  template <std::same_as<cpu_backend> Backend>
  static void repeat_elements(const Backend& backend, const detail::host_input& input,
                              const detail::host_output& output, std::size_t width, const size_2d& scale) {
    const std::size_t rank = input.sizes.size();
    detail::visit_width(width, [&]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
      detail::loop_nest<2> loops;
      for (std::size_t i = 0; i < rank; ++i) {
        const std::uint64_t factor = i + 1 == rank ? scale.width : i + 2 == rank ? scale.height : 1;
        const std::uint64_t stride = std::uint64_t{output.strides[i]} * Size;
        loops.add(input.sizes[i], {factor * stride, std::uint64_t{input.strides[i]} * Size});
        loops.add(factor, {stride, 0});
      }
      detail::copy_elements<Size>(backend, loops, output.data, input.data);
    });
  }

  // Two neighbours on an axis, as offsets in the input, and their weights.
  struct neighbors {
    std::array<std::uint64_t, 2> offset;
    std::array<std::uint64_t, 2> weight;  // in units of 1 / (2 * scale)
    std::array<double, 2> share;
  };

  static neighbors neighbors_at(std::uint64_t position, std::uint32_t scale, pixel_alignment alignment,
                                std::uint32_t size, std::uint64_t stride) {
    const detail::axis_place place = detail::place_on_axis(position, scale, alignment);
    neighbors result{{}, place.weights(), {}};
    for (std::size_t i = 0; i < 2; ++i) {
      result.offset[i] = stride * detail::element_on_axis(place.first + static_cast<int>(i), size);
      result.share[i] = static_cast<double>(result.weight[i]) / static_cast<double>(place.whole);
    }
    return result;
  }

  template <class T>
  static void interpolate(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                          const upsample_2d_desc& desc) {
    const std::size_t rank = input.sizes().size(), column = rank - 1, row = rank - 2;
    std::vector<neighbors> columns;
    columns.reserve(output.sizes()[column]);
    for (std::uint32_t i = 0; i < output.sizes()[column]; ++i)
      columns.push_back(
          neighbors_at(i, desc.scale_size.width, desc.pixel_alignment, input.sizes()[column], input.strides()[column]));
    detail::loop_nest<2> planes;  // strides: of the output, and of the input
    for (std::size_t i = 0; i < row; ++i) planes.add(input.sizes()[i], {output.strides()[i], input.strides()[i]});
    const std::uint64_t height = output.sizes()[row];
    detail::parallel_for(backend, 8 * element_count(output.sizes()) * sizeof(T), planes.iterations() * height,
                         [&](std::uint64_t begin, std::uint64_t end) {
                           for (std::uint64_t number = begin; number < end; ++number) {
                             const auto plane = detail::offsets_at(planes, number / height);
                             const std::uint64_t i = number % height;
                             const neighbors rows = neighbors_at(i, desc.scale_size.height, desc.pixel_alignment,
                                                                 input.sizes()[row], input.strides()[row]);
                             T* to = output.data() + plane[0] + i * output.strides()[row];
                             for (const neighbors& at : columns) {
                               *to = element_between(input.data() + plane[1], rows, at);
                               to += output.strides()[column];
                             }
                           }
                         });
  }

  template <class T>
  static T element_between(const T* plane, const neighbors& rows, const neighbors& columns) {
    std::array<double, 4> x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = exact_double(plane[rows.offset[i / 2] + columns.offset[i % 2]]);
    const auto mean = [&](double a, double b, double c, double d) {
      return rows.share[0] * (columns.share[0] * a + columns.share[1] * b) +
             rows.share[1] * (columns.share[0] * c + columns.share[1] * d);
    };
    // At most six roundings of each term, each by less than 2^-52, whatever the mode of the processor.
    const double magnitude = mean(std::abs(x[0]), std::abs(x[1]), std::abs(x[2]), std::abs(x[3]));
    if (const auto result = detail::certain<T>({mean(x[0], x[1], x[2], x[3]), 0x1p-49 * magnitude})) return *result;
    std::array<std::uint64_t, 4> weights;
    for (std::size_t i = 0; i < 4; ++i) weights[i] = rows.weight[i / 2] * columns.weight[i % 2];
    return rounded<T>(detail::value_of_weighted_mean(x, weights));
  }
};

}  // namespace goldml
