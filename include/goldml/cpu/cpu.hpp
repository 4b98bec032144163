// The backend `cpu` with all its kernels.
#pragma once

#include <goldml/cpu/argmin.hpp>
#include <goldml/cpu/diagonal_matrix1.hpp>
#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/cpu/scatter_nd.hpp>
