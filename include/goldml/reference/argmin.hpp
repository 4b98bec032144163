// ARGMIN: the kernel is in arg_reduce.hpp.
#pragma once

#include <goldml/core/compiled.hpp>
#include <goldml/reference/arg_reduce.hpp>

GOLDML_COMPILED_KERNEL(argmin_desc, reference_backend);
