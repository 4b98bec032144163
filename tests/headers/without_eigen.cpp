// The run-time calls of operators that only move or compare elements, FLOAT16 among them, compile without Eigen, whose
// class it is (core/data_type.hpp). Compiled alone, for its syntax only.
#include <span>

#include <goldml/cpu/argmax.hpp>
#include <goldml/cpu/argmin.hpp>
#include <goldml/cpu/diagonal_matrix1.hpp>
#include <goldml/cpu/fill_value_constant.hpp>
#include <goldml/cpu/gather.hpp>
#include <goldml/cpu/join.hpp>
#include <goldml/cpu/max_unpooling.hpp>
#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/cpu/one_hot.hpp>
#include <goldml/cpu/random_generator.hpp>
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

#ifdef EIGEN_WORLD_VERSION
#error "a header includes Eigen: each unit with one call takes longer to compile"
#endif

namespace goldml {

template <class... Desc>
void call_each(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  (evaluate(cpu, Desc{}, inputs, outputs), ...);
}

template void call_each<
    argmax_desc, argmin_desc, diagonal_matrix1_desc, fill_value_constant_desc, gather_desc, gather_elements_desc,
    gather_nd_desc, gather_nd1_desc, join_desc, max_unpooling_desc, nonzero_coordinates_desc, one_hot_desc,
    random_generator_desc, reverse_subsequences_desc, scatter_elements_desc, scatter_nd_desc, slice_desc, slice1_desc, slice_grad_desc,
    space_to_depth_desc, space_to_depth1_desc, depth_to_space_desc, depth_to_space1_desc, split_desc, tile_desc,
    top_k_desc, top_k1_desc>(std::span<const const_tensor_ref>, std::span<const tensor_ref>);

}  // namespace goldml
