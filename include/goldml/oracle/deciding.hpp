// What decides an element, for every operator that has something to say.
#pragma once

#include <goldml/oracle/deciding/arg_reduce.hpp>
#include <goldml/oracle/deciding/moves.hpp>
#include <goldml/oracle/deciding/nonzero_coordinates.hpp>
#include <goldml/oracle/deciding/scatter_nd.hpp>
