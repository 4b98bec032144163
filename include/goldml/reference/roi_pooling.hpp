// ROI_POOLING, following its page.
#pragma once

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/roi_pooling.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<roi_pooling_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const T>& regions,
                  const tensor_view<T>& output, const roi_pooling_desc& desc) {
    detail::check_batches(regions, input.sizes()[0]);
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const detail::pooled_region region = detail::pooled_region_at(regions, c[0], desc.spatial_scale);
      const auto rows = region.rows(), columns = region.columns();
      output[c] = T(0.0F);
      if (region.has_corners())
        output[c] = detail::greatest_in(input, {region.batch, c[1], 0, 0},
                                        rows.bin_range(c[2], desc.pooled_size.height, input.sizes()[2]),
                                        columns.bin_range(c[3], desc.pooled_size.width, input.sizes()[3]));
    }
  }
};

}  // namespace goldml
