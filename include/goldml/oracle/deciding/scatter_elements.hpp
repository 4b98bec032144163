// SCATTER_ELEMENTS: the indices that name the element's place, with their updates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <goldml/operators/scatter_elements.hpp>
#include <goldml/oracle/deciding/deciding.hpp>

namespace goldml::oracle {

template <>
struct deciding<scatter_elements_desc> {
  static std::string text(const scatter_elements_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    using traits = operator_traits<scatter_elements_desc>;
    const dimensions& sizes = inputs[1].desc().sizes;
    std::string updates;
    std::size_t count = 0;
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const auto indices = inputs[1].as<Index>();
      for (std::size_t i = 0; i < where.size(); ++i)
        if (i != desc.axis && where[i] >= sizes[i]) return;  // off_axis_sizes is `partial`
      coordinate_tuple c = where;
      for (std::uint32_t i = 0; i < sizes[desc.axis]; ++i) {
        c[desc.axis] = i;
        if (traits::place_of(desc, inputs[0].desc().sizes, indices, c) != where || ++count > detail::most_listed)
          continue;
        updates += fmt::format("{}index {} at {} writes {}", updates.empty() ? "" : ", ", indices[c], c,
                               detail::element_text(inputs[2], c));
      }
    });
    if (updates.empty()) updates = "no index names it: it is the input's element";
    return fmt::format("    input:    {}{}\n", updates, detail::and_more(count));
  }
};

}  // namespace goldml::oracle
