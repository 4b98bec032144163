// What --explain prints about GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// There are facts if the sizes of the inputs imply those of the output.
template <goldml::detail::gather_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].sound || !t[1].sound || !implied(desc, t, 2).sizes) return {};
    const dimensions& input = t[0].desc->sizes;
    const dimensions& indices = t[1].desc->sizes;
    std::vector<std::string> result;
    if constexpr (requires { desc.axis; }) {
      if (desc.axis >= input.size()) return {};
      result.push_back(fmt::format("{}, each a position on axis {} of size {}",
                                   counted(element_count(indices), "index", "indices"), desc.axis, input[desc.axis]));
    } else {
      const gather_nd_shape shape(desc, input, indices);
      result.push_back(fmt::format("{}, shape {}, of {} each",
                                   counted(element_count(shape.tuples), "index tuple", "index tuples"), shape.tuples,
                                   counted(shape.tuple_size, "coordinate", "coordinates")));
      if (shape.batch != 0)
        result.push_back(fmt::format("the first {} of their shape are the batch, which the input has too",
                                     counted(shape.batch, "dimension", "dimensions")));
      result.push_back(fmt::format("a tuple points into {} and selects a slice of shape {}, {}", shape.places,
                                   shape.slice, counted(element_count(shape.slice), "element", "elements")));
    }
    result.push_back(implied_sizes(desc, t));
    result.push_back(fmt::format("the indices themselves are not read: {} is found when the model is played",
                                 goldml::detail::gather_row<Desc>::index_range));
    return result;
  }
};

}  // namespace goldml::tool::detail
