// REVERSE_SUBSEQUENCES, MAX_UNPOOLING: the element that is copied to the output, and the length or the indices that say
// so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <goldml/operators/max_unpooling.hpp>
#include <goldml/operators/reverse_subsequences.hpp>
#include <goldml/oracle/deciding/deciding.hpp>

namespace goldml::oracle {

template <>
struct deciding<reverse_subsequences_desc> {
  static std::string text(const reverse_subsequences_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output&, const coordinate_tuple& where, const const_tensor_ref&) {
    coordinate_tuple of_length = where;
    of_length[desc.axis] = 0;
    std::uint64_t length = 0;
    visit_data_type(
        type_list<std::uint32_t, std::uint64_t>{}, inputs[1].desc().data_type,
        [&]<class Length>(std::type_identity<Length>) { length = inputs[1].template as<Length>()[of_length]; });
    coordinate_tuple from = where;
    from[desc.axis] =
        static_cast<std::uint32_t>(reversed_position(where[desc.axis], length, inputs[0].desc().sizes[desc.axis]));
    return fmt::format("    input:    it is the input's element at {}; the length of its sequence is {}\n", from,
                       length);
  }
};

template <>
struct deciding<max_unpooling_desc> {
  static std::string text(const max_unpooling_desc&, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref&) {
    const dimensions& sizes = inputs[1].desc().sizes;
    if (element_count(sizes) > most_indices) return "";
    const std::uint64_t place = offset_of(where, packed_strides(expected.values.desc().sizes));
    std::string named;
    std::size_t count = 0;
    visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, inputs[1].desc().data_type,
                    [&]<class Index>(std::type_identity<Index>) {
                      const auto indices = inputs[1].template as<Index>();
                      for (const coordinate_tuple& c : coordinates_of(sizes))
                        if (indices[c] == place && ++count <= detail::most_listed)
                          named += fmt::format("{}the index at {} writes {}", named.empty() ? "" : ", ", c,
                                               detail::element_text(inputs[0], c));
                    });
    if (named.empty()) named = "no index names it: it is zero";
    return fmt::format("    input:    place {}: {}{}\n", place, named, detail::and_more(count));
  }

 private:
  static constexpr std::uint64_t most_indices = 1'000'000;  // they are searched again for each element of a report
};

}  // namespace goldml::oracle
