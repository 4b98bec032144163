// The backend d3d12::device with all its operators, on host memory and on resident buffers.
#pragma once

#include <goldml/d3d12/argmax.hpp>
#include <goldml/d3d12/argmin.hpp>
#include <goldml/d3d12/diagonal_matrix.hpp>
#include <goldml/d3d12/diagonal_matrix1.hpp>
#include <goldml/d3d12/nonzero_coordinates.hpp>
#include <goldml/d3d12/runtime/resident.hpp>
#include <goldml/d3d12/runtime/timestamps.hpp>
#include <goldml/d3d12/scatter_nd.hpp>
