// SCATTER_ND: the index tuples that select the element's place, with their updates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <goldml/operators/scatter_nd.hpp>
#include <goldml/oracle/deciding/deciding.hpp>

namespace goldml::oracle {

template <>
struct deciding<scatter_nd_desc> {
  static std::string text(const scatter_nd_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    const scatter_nd_shape shape(desc, inputs[0].desc().sizes, inputs[1].desc().sizes);
    if (element_count(shape.tuples) > most_tuples) return "";
    const std::size_t meaningful = where.size() - desc.input_dimension_count;
    const coordinate_tuple place = where.slice(meaningful, meaningful + shape.tuple_size);
    const coordinate_tuple in_slice = where.slice(meaningful + shape.tuple_size, where.size());
    std::string tuples;
    std::size_t count = 0;
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const auto indices = inputs[1].as<Index>();
      for (const coordinate_tuple& t : coordinates_of(shape.tuples)) {
        const auto named = place_of(indices, shape, t, desc.range_policy);
        if (!named || *named != place || ++count > detail::most_listed) continue;
        std::string tuple;
        bool negative = false;
        for (std::uint32_t j = 0; j < shape.tuple_size; ++j) {
          const Index v = indices[shape.at(t, {j})];
          tuple += fmt::format("{}{}", j == 0 ? "" : ",", v);
          if constexpr (std::is_signed_v<Index>) negative = negative || v < 0;
        }
        tuples += fmt::format("{}tuple {} ({}){} writes {}", tuples.empty() ? "" : ", ", t, tuple,
                              negative ? ", which counts from the end," : "",
                              detail::element_text(inputs[2], shape.at(t, in_slice)));
      }
    });
    if (tuples.empty()) tuples = "no index tuple names it: it is the input's element";
    return fmt::format("    input:    {}{}\n", tuples, detail::and_more(count));
  }

 private:
  static constexpr std::uint64_t most_tuples = 1'000'000;  // they are searched again for each element of a report
};

}  // namespace goldml::oracle
