// What --explain prints about SCATTER_ND.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/scatter_nd.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<scatter_nd_desc> {
  static std::vector<std::string> facts(const scatter_nd_desc& desc, const operands_of<scatter_nd_desc>& t) {
    if (!t[0].sound || !t[1].sound) return {};
    const dimensions& input = t[0].desc->sizes;
    const dimensions& indices = t[1].desc->sizes;
    const auto counts = [&](std::uint32_t count) { return count >= 1 && count <= input.size(); };
    if (indices.size() != input.size() || !counts(desc.input_dimension_count) ||
        !counts(desc.indices_dimension_count) || indices.back() > desc.input_dimension_count)
      return {};  // S1, S4 or S6: the tuples are not defined
    const scatter_nd_shape shape(desc, input, indices);
    const bool fits = shape.tuples.size() + shape.slice.size() <= shape.dimension_count;  // S9
    return {fmt::format("{}, shape {}, of {} each", counted(element_count(shape.tuples), "index tuple", "index tuples"),
                        shape.tuples, counted(shape.tuple_size, "coordinate", "coordinates")),
            fmt::format("a tuple points into {} and replaces a slice of shape {}, {}", shape.places, shape.slice,
                        counted(element_count(shape.slice), "element", "elements")),
            fmt::format("implied sizes of UpdatesTensor: {}, tuples {} ++ slice {}",
                        fits ? fmt::format("{}", shape.updates_sizes()) : "none", shape.tuples, shape.slice),
            implied_sizes(desc, t) + ", InputTensor's",
            "the indices themselves are not read: S10 and S11 are found when the model is played"};
  }
};

}  // namespace goldml::tool::detail
