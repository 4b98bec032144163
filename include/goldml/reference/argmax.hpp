// ARGMAX: its kernel stands in arg_reduce.hpp.
#pragma once

#include <goldml/reference/arg_reduce.hpp>
