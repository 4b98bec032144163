// ARGMIN on the CPU: the kernel is in arg_reduce.hpp.
#pragma once

#include <goldml/cpu/arg_reduce.hpp>
