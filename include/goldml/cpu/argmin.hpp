// ARGMIN on the CPU: its kernel stands in arg_reduce.hpp.
#pragma once

#include <goldml/cpu/arg_reduce.hpp>
