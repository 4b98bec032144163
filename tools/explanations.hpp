// The explanations of all operators. A missing one is an incomplete type: write it in explain/x.hpp, where x is the
// operator's name in lower case or its family's, and include it here.
#pragma once

#include "explain/arg_reduce.hpp"
#include "explain/cast.hpp"
#include "explain/diagonal_matrix.hpp"
#include "explain/diagonal_matrix1.hpp"
#include "explain/element_wise.hpp"
#include "explain/fill_value_constant.hpp"
#include "explain/join.hpp"
#include "explain/nonzero_coordinates.hpp"
#include "explain/one_hot.hpp"
#include "explain/padding.hpp"
#include "explain/scatter_nd.hpp"
#include "explain/slice.hpp"
#include "explain/slice1.hpp"
#include "explain/slice_grad.hpp"
#include "explain/space_depth.hpp"
#include "explain/split.hpp"
#include "explain/tile.hpp"
#include "explain/top_k.hpp"
