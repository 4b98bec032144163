// ARGMAX: the kernel is in arg_reduce.hpp.
#pragma once

#include <goldml/reference/arg_reduce.hpp>
