// The operands of a compaction.
#pragma once

#include <goldml/cpu/engine/base/host_operand.hpp>

namespace goldml::detail {

struct compact_plan {
  host_input input;
  bool signed_zero;  // elements are floats: the sign bit is ignored, so that -0.0 is zero
  host_output rows;  // UINT32, a matrix with leading sizes of 1: one row of coordinates per nonzero element
};

}  // namespace goldml::detail
