// The backend `cpu` with all its kernels.
#pragma once

#include <goldml/cpu/activations.hpp>
#include <goldml/cpu/arg_reduce.hpp>
#include <goldml/cpu/cast.hpp>
#include <goldml/cpu/diagonal_matrix.hpp>
#include <goldml/cpu/diagonal_matrix1.hpp>
#include <goldml/cpu/element_wise.hpp>
#include <goldml/cpu/fill_value_constant.hpp>
#include <goldml/cpu/fill_value_sequence.hpp>
#include <goldml/cpu/gather.hpp>
#include <goldml/cpu/join.hpp>
#include <goldml/cpu/max_unpooling.hpp>
#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/cpu/one_hot.hpp>
#include <goldml/cpu/padding.hpp>
#include <goldml/cpu/reduce.hpp>
#include <goldml/cpu/reverse_subsequences.hpp>
#include <goldml/cpu/scatter_elements.hpp>
#include <goldml/cpu/scatter_nd.hpp>
#include <goldml/cpu/slice.hpp>
#include <goldml/cpu/slice1.hpp>
#include <goldml/cpu/slice_grad.hpp>
#include <goldml/cpu/space_depth.hpp>
#include <goldml/cpu/split.hpp>
#include <goldml/cpu/tile.hpp>
#include <goldml/cpu/top_k.hpp>
