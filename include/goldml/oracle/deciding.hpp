// The inputs that determine an element, for all operators that implement it.
#pragma once

#include <goldml/oracle/deciding/arg_reduce.hpp>
#include <goldml/oracle/deciding/gather.hpp>
#include <goldml/oracle/deciding/layout.hpp>
#include <goldml/oracle/deciding/nonzero_coordinates.hpp>
#include <goldml/oracle/deciding/scatter_elements.hpp>
#include <goldml/oracle/deciding/scatter_nd.hpp>
#include <goldml/oracle/deciding/selection.hpp>
