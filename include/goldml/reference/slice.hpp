// SLICE, following its page.
#pragma once

#include <cstddef>
#include <optional>

#include <goldml/operators/slice.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

inline std::optional<coordinate_tuple> origin_of(const slice_desc& desc, const dimensions&, const dimensions&,
                                                 coordinate_tuple c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = desc.offsets[i] + desc.strides[i] * c[i];
  return c;
}

}  // namespace goldml
