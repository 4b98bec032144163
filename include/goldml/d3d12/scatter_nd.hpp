// SCATTER_ND by shaders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/scatter.hpp>
#include <goldml/operators/scatter_nd.hpp>

namespace goldml::d3d12 {

template <>
struct program<scatter_nd_desc> {
  static void record(recorder& work, const scatter_nd_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor &input = inputs[0], &indices = inputs[1], &updates = inputs[2], &output = outputs[0];
    const scatter_nd_shape shape(desc, input.desc.sizes, indices.desc.sizes);
    const std::size_t d = shape.dimension_count;
    const std::size_t place_axis = d - desc.input_dimension_count;
    const std::size_t slice_axis = place_axis + shape.tuple_size;
    const std::size_t tuples_end = d - shape.slice.size();
    const dimensions from = effective_strides(input.desc), to = effective_strides(output.desc);
    const dimensions index = effective_strides(indices.desc), update = effective_strides(updates.desc);
    const dimensions place_steps = packed_strides(shape.places);

    scatter s;
    s.tuples.indices = indices;
    s.tuples.step = index.back();
    s.tuples.range_policy = desc.range_policy;
    s.tuples.duplicates = desc.duplicates;
    s.input = input;
    s.updates = updates;
    s.output = output;
    s.refusal = refusal{desc, shape, indices.desc.data_type};
    for (std::size_t i = 0; i < shape.tuples.size(); ++i) {
      const std::uint32_t size = shape.tuples[shape.tuples.size() - 1 - i];
      s.tuples.tuples.add({size, {index[d - 2 - i], 0, 0}});
      s.update_tuples.add({size, {update[tuples_end - 1 - i], 0, 0}});
    }
    for (std::size_t j = 0; j < shape.tuple_size; ++j) s.tuples.axes.add({shape.places[j], {place_steps[j], 0, 0}});
    for (std::size_t i = slice_axis; i-- > place_axis;) s.places.add({output.desc.sizes[i], {from[i], to[i], 0}});
    for (std::size_t i = d; i-- > slice_axis;) s.slice.add({output.desc.sizes[i], {from[i], to[i], update[i]}});
    record_scatter(work, s);
  }

 private:
  struct refusal {
    scatter_nd_desc desc;
    scatter_nd_shape shape;
    data_type index_type;

    std::optional<violation> operator()(const tuple_status& status) const {
      std::optional<violation> result;
      visit_data_type(ix_types{}, index_type, [&]<class Index>(std::type_identity<Index>) {
        result = status.out_of_range() ? out_of_range<Index>(status) : duplicate<Index>(status);
      });
      return result;
    }

   private:
    template <class Index>
    std::optional<violation> out_of_range(const tuple_status& status) const {
      for (std::uint32_t j = 0; j < shape.tuple_size; ++j)
        if (const auto v = status.index<Index>(j); !resolve_index(v, shape.places[j], range_policy::refuse))
          return goldml::detail::index_out_of_range(v, j, shape, coordinate_at(shape.tuples, status.number()),
                                                    status.number());
      throw std::logic_error("goldml: d3d12: a tuple was refused that is in range");
    }

    template <class Index>
    violation duplicate(const tuple_status& status) const {
      coordinate_tuple place;
      for (std::uint32_t j = 0; j < shape.tuple_size; ++j)
        place.push_back(resolve_index(status.index<Index>(j), shape.places[j], desc.range_policy).value());
      return goldml::detail::place_taken(place, shape, coordinate_at(shape.tuples, status.number()), status.number());
    }
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<scatter_nd_desc, d3d12::device> : d3d12::host_kernel<scatter_nd_desc> {};

}  // namespace goldml
