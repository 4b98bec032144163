// float16, the element type of FLOAT16: Eigen's half, a class of two bytes with the operations of a number.
#pragma once

#include <Eigen/Core>

#include <goldml/core/data_type.hpp>

namespace goldml {

static_assert(sizeof(float16) == element_size_in_bytes(data_type::float16));
static_assert(alignof(float16) == element_alignment(data_type::float16));

}  // namespace goldml
