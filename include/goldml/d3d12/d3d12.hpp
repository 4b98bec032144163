// The backend d3d12::device with all its operators, on host memory and on resident buffers.
#pragma once

#include <goldml/d3d12/argmax.hpp>
#include <goldml/d3d12/argmin.hpp>
#include <goldml/d3d12/diagonal_matrix.hpp>
#include <goldml/d3d12/diagonal_matrix1.hpp>
#include <goldml/d3d12/element_wise.hpp>
#include <goldml/d3d12/fill_value_constant.hpp>
#include <goldml/d3d12/fill_value_sequence.hpp>
#include <goldml/d3d12/gather.hpp>
#include <goldml/d3d12/join.hpp>
#include <goldml/d3d12/max_unpooling.hpp>
#include <goldml/d3d12/nonzero_coordinates.hpp>
#include <goldml/d3d12/padding.hpp>
#include <goldml/d3d12/reduce.hpp>
#include <goldml/d3d12/reverse_subsequences.hpp>
#include <goldml/d3d12/runtime/resident.hpp>
#include <goldml/d3d12/runtime/timestamps.hpp>
#include <goldml/d3d12/scatter_elements.hpp>
#include <goldml/d3d12/scatter_nd.hpp>
#include <goldml/d3d12/slice.hpp>
#include <goldml/d3d12/slice1.hpp>
#include <goldml/d3d12/slice_grad.hpp>
#include <goldml/d3d12/space_depth.hpp>
#include <goldml/d3d12/split.hpp>
#include <goldml/d3d12/tile.hpp>
