// ARGMAX on the CPU: the kernel is in arg_reduce.hpp.
#pragma once

#include <goldml/cpu/arg_reduce.hpp>

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void evaluate<argmax_desc, cpu_backend>(const cpu_backend&, const argmax_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
