// The loops of a selection, without element types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

// The loops of a call. Strides are in elements of {input, values, indices}.
struct top_k_plan {
  loop_nest<3> sequences;
  loop<3> axis;
  std::uint64_t k;
  const void* input;
  std::byte* values;
  index_output indices;

  top_k_plan(const host_input& from, const host_output& to, const host_output& positions, bool indices_are_wide,
             std::uint32_t along, std::uint32_t count)
      : axis{from.sizes[along], {from.strides[along], to.strides[along], positions.strides[along]}},
        k(count),
        input(from.data),
        values(to.data),
        indices{positions.data, indices_are_wide} {
    for (std::size_t i = 0; i < from.sizes.size(); ++i)
      if (i != along) sequences.add(from.sizes[i], {from.strides[i], to.strides[i], positions.strides[i]});
    sequences.merge();
  }
};

}  // namespace goldml::detail
