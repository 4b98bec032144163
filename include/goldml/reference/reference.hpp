// The backend `reference` with all its kernels.
#pragma once

#include <goldml/reference/argmax.hpp>
#include <goldml/reference/argmin.hpp>
#include <goldml/reference/diagonal_matrix.hpp>
#include <goldml/reference/diagonal_matrix1.hpp>
#include <goldml/reference/fill_value_constant.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>
#include <goldml/reference/scatter_nd.hpp>
#include <goldml/reference/slice1.hpp>
