// ROI_ALIGN and ROI_ALIGN1 on the CPU: planes of the output on the threads of the pool.
#pragma once

#include <cstdint>
#include <optional>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/roi_align.hpp>
#include <goldml/operators/roi_align_values.hpp>

namespace goldml {

template <detail::roi_align_operator Desc>
struct kernel<Desc, cpu_backend> {
  template <class T, class Index>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<const T>& regions,
                  const tensor_view<const Index>& batches, const tensor_view<T>& output, const Desc& desc) {
    const dimensions &image = input.sizes(), &outputs = output.sizes();
    detail::check_regions(desc, "RA9", "RA10", regions, const_tensor_ref(batches), image, outputs);
    detail::parallel_for(backend, 64 * element_count(outputs) * sizeof(T), std::uint64_t{outputs[0]} * outputs[1],
                         [&](std::uint64_t begin, std::uint64_t end) {
                           std::optional<detail::aligned_region<T, Desc>> region;
                           for (std::uint64_t plane = begin; plane < end; ++plane) {
                             coordinate_tuple c{static_cast<std::uint32_t>(plane / outputs[1]),
                                                static_cast<std::uint32_t>(plane % outputs[1]), 0, 0};
                             if (!region || c[1] == 0)
                               region.emplace(desc, detail::roi_region_at(desc, regions, c[0], image, outputs));
                             const std::uint32_t number = *detail::image_of_region(const_tensor_ref(batches), c[0],
                                                                                   image[0], range_policy::clamp);
                             for (c[2] = 0; c[2] < outputs[2]; ++c[2])
                               for (c[3] = 0; c[3] < outputs[3]; ++c[3])
                                 output[c] = (*region)(input, number, c[1], c[2], c[3]);
                           }
                         });
  }
};

}  // namespace goldml
