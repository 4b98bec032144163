// The backend `reference` with all its kernels.
#pragma once

#include <goldml/reference/argmax.hpp>
#include <goldml/reference/argmin.hpp>
#include <goldml/reference/cast.hpp>
#include <goldml/reference/diagonal_matrix.hpp>
#include <goldml/reference/diagonal_matrix1.hpp>
#include <goldml/reference/element_wise.hpp>
#include <goldml/reference/fill_value_constant.hpp>
#include <goldml/reference/fill_value_sequence.hpp>
#include <goldml/reference/gather.hpp>
#include <goldml/reference/join.hpp>
#include <goldml/reference/max_unpooling.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>
#include <goldml/reference/one_hot.hpp>
#include <goldml/reference/padding.hpp>
#include <goldml/reference/reduce.hpp>
#include <goldml/reference/reverse_subsequences.hpp>
#include <goldml/reference/scatter_elements.hpp>
#include <goldml/reference/scatter_nd.hpp>
#include <goldml/reference/slice.hpp>
#include <goldml/reference/slice1.hpp>
#include <goldml/reference/slice_grad.hpp>
#include <goldml/reference/space_depth.hpp>
#include <goldml/reference/split.hpp>
#include <goldml/reference/tile.hpp>
#include <goldml/reference/top_k.hpp>
