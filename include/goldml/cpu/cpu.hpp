// The backend `cpu` with all its kernels.
#pragma once

#include <goldml/cpu/arg_reduce.hpp>
#include <goldml/cpu/diagonal_matrix.hpp>
#include <goldml/cpu/diagonal_matrix1.hpp>
#include <goldml/cpu/fill_value_constant.hpp>
#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/cpu/scatter_nd.hpp>
#include <goldml/cpu/slice1.hpp>
