// The structures of all operators in DirectML.h, checked against operator_traits.
#pragma once

#include <goldml/directml/constants.hpp>
#include <goldml/directml/structure.hpp>
#include <goldml/directml/structures/arg_reduce.hpp>
#include <goldml/directml/structures/diagonal_matrix.hpp>
#include <goldml/directml/structures/diagonal_matrix1.hpp>
#include <goldml/directml/structures/fill_value_constant.hpp>
#include <goldml/directml/structures/nonzero_coordinates.hpp>
#include <goldml/directml/structures/scatter_nd.hpp>
#include <goldml/directml/structures/slice1.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::directml::detail {

static_assert(structures_agree(all_operators{}), "goldml: a structure does not agree with its operator_traits");

}  // namespace goldml::directml::detail
