// The backend d3d12::device with all its operators, on host memory and on resident buffers.
#pragma once

#include <goldml/d3d12/argmin.hpp>
#include <goldml/d3d12/diagonal_matrix1.hpp>
#include <goldml/d3d12/nonzero_coordinates.hpp>
#include <goldml/d3d12/resident.hpp>
#include <goldml/d3d12/scatter_nd.hpp>
#include <goldml/d3d12/timestamps.hpp>
