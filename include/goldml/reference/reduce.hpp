// REDUCE, following its page and the ledger (L66): ARGMIN and ARGMAX.
#pragma once

#include <span>

#include <goldml/operators/reduce.hpp>
#include <goldml/reference/argmax.hpp>
#include <goldml/reference/argmin.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<reduce_desc, reference_backend> {
  static void run(const reference_backend& backend, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const reduce_desc& desc) {
    detail::reduce_by_arg_reduce(backend, inputs, outputs, desc);
  }
};

}  // namespace goldml

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void evaluate<reduce_desc, reference_backend>(const reference_backend&, const reduce_desc&, std::span<const const_tensor_ref>, std::span<const tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
