// ARGMIN by shaders.
#pragma once

#include <goldml/d3d12/arg_reduce.hpp>
#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml::d3d12 {

template <>
struct program<argmin_desc> : arg_reduce_program<argmin_desc, extreme::least> {};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<argmin_desc, d3d12::device> : d3d12::host_kernel<argmin_desc> {};

}  // namespace goldml
