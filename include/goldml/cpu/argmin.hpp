// ARGMIN on the CPU: the kernel is in arg_reduce.hpp.
#pragma once

#include <goldml/core/compiled.hpp>
#include <goldml/cpu/arg_reduce.hpp>

GOLDML_COMPILED_KERNEL(argmin_desc, cpu_backend);
