// SCATTER_ELEMENTS by shaders: a scatter of single elements, whose tuples have one index and are at their own places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/scatter.hpp>
#include <goldml/operators/scatter_elements.hpp>

namespace goldml::d3d12 {

template <>
struct program<scatter_elements_desc> {
  static void record(recorder& work, const scatter_elements_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor &input = inputs[0], &indices = inputs[1], &updates = inputs[2], &output = outputs[0];
    const dimensions& sizes = output.desc.sizes;
    const dimensions from = effective_strides(input.desc), to = effective_strides(output.desc);
    const dimensions index = effective_strides(indices.desc), update = effective_strides(updates.desc);
    const dimensions place_steps = packed_strides(sizes);

    scatter s;
    s.tuples.indices = indices;
    s.tuples.range_policy = desc.range_policy;
    s.tuples.duplicates = desc.duplicates;
    s.input = input;
    s.updates = updates;
    s.output = output;
    s.refusal = refusal{desc, sizes, indices.desc};
    for (std::size_t i = sizes.size(); i-- > 0;) {
      const std::uint32_t size = indices.desc.sizes[i];
      s.tuples.tuples.add({size, {index[i], i == desc.axis ? 0 : place_steps[i], 0}});
      s.update_tuples.add({size, {update[i], 0, 0}});
      s.places.add({sizes[i], {from[i], to[i], 0}});
    }
    s.tuples.axes.add({sizes[desc.axis], {place_steps[desc.axis], 0, 0}});
    record_scatter(work, s);
  }

 private:
  struct refusal {
    scatter_elements_desc desc;
    dimensions sizes;
    tensor_desc indices;

    std::optional<violation> operator()(const tuple_status& status) const {
      using traits = operator_traits<scatter_elements_desc>;
      std::optional<violation> result;
      const auto number = static_cast<std::size_t>(status.number());
      const coordinate_tuple c = coordinate_at(indices.sizes, number);
      visit_data_type(ix_types{}, indices.data_type, [&]<class Index>(std::type_identity<Index>) {
        const auto v = status.index<Index>(0);
        const std::uint32_t size = sizes[desc.axis];
        if (status.out_of_range()) {
          result = goldml::detail::bad_index(traits::name, "SE8", "clamp or drop", v, size, c, number);
        } else {
          coordinate_tuple place = c;
          place[desc.axis] = resolve_index(v, size, desc.range_policy).value();
          result = traits::place_taken(place, v, c, number);
        }
      });
      return result;
    }
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<scatter_elements_desc, d3d12::device> : d3d12::host_kernel<scatter_elements_desc> {};

}  // namespace goldml
