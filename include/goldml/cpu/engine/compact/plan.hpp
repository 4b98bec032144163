// A compaction: which elements, and where their coordinates go.
#pragma once

#include <goldml/cpu/engine/base/host_operand.hpp>

namespace goldml::detail {

struct compact_plan {
  host_input input;
  bool signed_zero;  // the sign bit does not count: floats, of which -0.0 is zero
  host_output rows;  // UINT32, a matrix with leading 1s: a row of coordinates per element that is not zero
};

}  // namespace goldml::detail
