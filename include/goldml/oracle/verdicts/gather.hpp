// What a device may answer to GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1 (ledger L60).
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <goldml::detail::gather_operator Desc>
struct verdict_traits<Desc> {
  // Cases that the page leaves open are judged instead of refused.
  static Desc judged(Desc desc) {
    desc.range_policy = range_policy::clamp;
    return desc;
  }

  // Elements that are read through an index out of range are undefined (ledger L60), unless the policy determines them.
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    const dimensions& input = inputs[0].desc().sizes;
    if (!operator_traits<Desc>::check_indices(desc, input, inputs[1])) return;
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<const Index> indices = inputs[1].as<Index>();
      std::size_t number = 0;
      for (const coordinate_tuple& o : coordinates_of(golden[0].desc().sizes)) {
        if (!operator_traits<Desc>::source_of(desc, input, indices, o, range_policy::refuse))
          result[0].make_undefined(number);
        ++number;
      }
    });
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts, .judged = &judged};
};

}  // namespace goldml::oracle
