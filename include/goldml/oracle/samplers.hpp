// The samplers of all operators.
#pragma once

#include <goldml/operators/operators.hpp>
#include <goldml/oracle/samplers/arg_reduce.hpp>
#include <goldml/oracle/samplers/diagonal_matrix.hpp>
#include <goldml/oracle/samplers/diagonal_matrix1.hpp>
#include <goldml/oracle/samplers/fill_value_constant.hpp>
#include <goldml/oracle/samplers/nonzero_coordinates.hpp>
#include <goldml/oracle/samplers/scatter_nd.hpp>
#include <goldml/oracle/samplers/slice1.hpp>

namespace goldml::oracle {

namespace detail {

template <class Desc>
constexpr bool has_sampler() {
  constexpr bool found = requires { sizeof(sampler<Desc>); };
  static_assert(found,
                "goldml: an operator of all_operators has no goldml::oracle::sampler; write it in "
                "<goldml/oracle/samplers/x.hpp>, x the operator's name in lower case or its family's, and include that "
                "in <goldml/oracle/samplers.hpp>");
  return found;
}
template <class... Desc>
constexpr bool have_samplers(type_list<Desc...>) {
  return (has_sampler<Desc>() && ...);
}
static_assert(have_samplers(all_operators{}));

}  // namespace detail

}  // namespace goldml::oracle
