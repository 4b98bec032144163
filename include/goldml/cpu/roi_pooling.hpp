// ROI_POOLING on the CPU: planes of the output on the threads of the pool.
#pragma once

#include <cstdint>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/roi_pooling.hpp>

namespace goldml {

template <>
struct kernel<roi_pooling_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<const T>& regions,
                  const tensor_view<T>& output, const roi_pooling_desc& desc) {
    detail::check_batches(regions, input.sizes()[0]);
    const dimensions& sizes = output.sizes();
    detail::parallel_for(
        backend, 8 * element_count(sizes) * sizeof(T), std::uint64_t{sizes[0]} * sizes[1],
        [&](std::uint64_t begin, std::uint64_t end) {
          for (std::uint64_t plane = begin; plane < end; ++plane) {
            coordinate_tuple c{static_cast<std::uint32_t>(plane / sizes[1]),
                               static_cast<std::uint32_t>(plane % sizes[1]), 0, 0};
            const detail::pooled_region region = detail::pooled_region_at(regions, c[0], desc.spatial_scale);
            const auto rows = region.rows(), columns = region.columns();
            for (c[2] = 0; c[2] < sizes[2]; ++c[2])
              for (c[3] = 0; c[3] < sizes[3]; ++c[3])
                output[c] = region.has_corners()
                                ? detail::greatest_in(input, {region.batch, c[1], 0, 0},
                                                      rows.bin_range(c[2], sizes[2], input.sizes()[2]),
                                                      columns.bin_range(c[3], sizes[3], input.sizes()[3]))
                                : T(0.0F);
          }
        });
  }
};

}  // namespace goldml
