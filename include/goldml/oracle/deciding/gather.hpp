// GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1: the element that the indices select.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>
#include <goldml/oracle/deciding/layout.hpp>

namespace goldml::oracle {

// An element that is read through an index out of range is undefined, so it has no line.
template <goldml::detail::gather_operator Desc>
struct deciding<Desc> {
  static std::string text(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t, const golden_output&,
                          const coordinate_tuple& where, const const_tensor_ref&) {
    std::string line;
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const auto from = operator_traits<Desc>::source_of(desc, inputs[0].desc().sizes, inputs[1].as<Index>(), where,
                                                         desc.range_policy);
      if (from) line = detail::copied_from(*from);
    });
    return line;
  }
};

}  // namespace goldml::oracle
