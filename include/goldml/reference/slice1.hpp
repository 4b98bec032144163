// SLICE1, following its page and the ledger (L19).
#pragma once

#include <optional>

#include <goldml/operators/slice1.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

inline std::optional<coordinate_tuple> origin_of(const slice1_desc& desc, const dimensions&, const dimensions&,
                                                 const coordinate_tuple& c) {
  return slice1_position(desc, c);
}

}  // namespace goldml
