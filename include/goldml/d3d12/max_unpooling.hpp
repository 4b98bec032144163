// MAX_UNPOOLING by shaders: a scatter into zeros. Indices out of range name no place, and are dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/scatter.hpp>
#include <goldml/operators/max_unpooling.hpp>

namespace goldml::d3d12 {

template <>
struct program<max_unpooling_desc> {
  static void record(recorder& work, const max_unpooling_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    const buffer_tensor &updates = inputs[0], &indices = inputs[1], &output = outputs[0];
    // A single zero stands for every element that no index names.
    const tensor_desc zero{.data_type = output.desc.data_type, .sizes = {1}};
    const buffer_range cleared = work.scratch(16);
    detail::record_clear(work, cleared);
    scatter s;
    s.tuples.indices = indices;
    s.tuples.range_policy = range_policy::drop;
    s.tuples.duplicates = desc.duplicates;
    s.input = {zero, cleared.part(0, buffer_tensor_size_in_bytes(zero))};
    s.updates = updates;
    s.output = output;
    s.refusal = refusal{indices.desc};
    const dimensions index = effective_strides(indices.desc), update = effective_strides(updates.desc);
    const dimensions to = effective_strides(output.desc);
    for (std::size_t i = to.size(); i-- > 0;) {
      s.tuples.tuples.add({indices.desc.sizes[i], {index[i], 0, 0}});
      s.update_tuples.add({updates.desc.sizes[i], {update[i], 0, 0}});
      s.places.add({output.desc.sizes[i], {0, to[i], 0}});
    }
    s.tuples.axes.add({static_cast<std::uint32_t>(element_count(output.desc.sizes)), {1, 0, 0}});
    record_scatter(work, s);
  }

 private:
  struct refusal {
    tensor_desc indices;

    std::optional<violation> operator()(const tuple_status& status) const {
      std::optional<violation> result;
      const auto number = static_cast<std::size_t>(status.number());
      visit_data_type(
          type_list<std::uint32_t, std::uint64_t>{}, indices.data_type, [&]<class Index>(std::type_identity<Index>) {
            result = unpooling_place_taken(status.index<Index>(0), coordinate_at(indices.sizes, number), number);
          });
      return result;
    }
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<max_unpooling_desc, d3d12::device> : d3d12::host_kernel<max_unpooling_desc> {};

}  // namespace goldml
