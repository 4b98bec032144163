// ROI_ALIGN and ROI_ALIGN1, following their pages: exactly, and rounded once.
#pragma once

#include <cstdint>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/roi_align.hpp>
#include <goldml/operators/roi_align_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <detail::roi_align_operator Desc>
struct kernel<Desc, reference_backend> {
  template <class T, class Index>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<const T>& regions,
                  const tensor_view<const Index>& batches, const tensor_view<T>& output, const Desc& desc) {
    const dimensions &image = input.sizes(), &outputs = output.sizes();
    detail::check_regions(desc, "RA9", "RA10", regions, const_tensor_ref(batches), image, outputs);
    for (std::uint32_t i = 0; i < outputs[0]; ++i) {
      const detail::aligned_region<T, Desc> region(desc, detail::roi_region_at(desc, regions, i, image, outputs));
      const std::uint32_t number =
          *detail::image_of_region(const_tensor_ref(batches), i, image[0], range_policy::clamp);
      for (const coordinate_tuple& c : coordinates_of(outputs.slice(1, 4)))
        output[{i, c[0], c[1], c[2]}] = region(input, number, c[0], c[1], c[2]);
    }
  }
};

}  // namespace goldml
