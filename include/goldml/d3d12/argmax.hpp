// ARGMAX by shaders.
#pragma once

#include <goldml/d3d12/arg_reduce.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/operators/argmax.hpp>

namespace goldml::d3d12 {

template <>
struct program<argmax_desc> : arg_reduce_program<argmax_desc, extreme::greatest> {};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<argmax_desc, d3d12::device> : d3d12::host_kernel<argmax_desc> {};

}  // namespace goldml
