// What a device may answer to SCATTER_ND (ledger 7.5, 7.6).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/scatter_nd.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/update_candidates.hpp>

namespace goldml::oracle {

template <std::same_as<scatter_nd_desc> Desc>
struct verdict_traits<Desc> {
  // Cases that the page leaves open are judged instead of refused.
  static scatter_nd_desc judged(scatter_nd_desc desc) {
    if (desc.range_policy == range_policy::refuse) desc.range_policy = range_policy::clamp;
    if (desc.duplicates == duplicates::refuse) desc.duplicates = duplicates::last_wins;
    return desc;
  }

  // An index out of range makes the whole output undefined (ledger 7.5). If tuples collide, any of their updates may be
  // stored, independently per element (ledger 7.6). A policy other than `refuse` determines the result.
  static void verdicts(const scatter_nd_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    const scatter_nd_shape shape(desc, inputs[0].desc().sizes, inputs[1].desc().sizes);
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<const Index> indices = inputs[1].as<Index>();
      if (desc.range_policy == range_policy::refuse && goldml::detail::find_out_of_range(indices, shape)) {
        result[0].make_all_undefined();
        return;
      }
      if (desc.duplicates != duplicates::refuse || !goldml::detail::find_duplicate(indices, shape, desc.range_policy))
        return;
      visit_data_type(a11_types{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
        allow_every_update<T>(desc, shape, indices, inputs[2], golden[0].as<T>(), result[0]);
      });
    });
  }

  // An upper bound of the bytes that verdicts() allocates.
  static std::uint64_t verdict_memory(const scatter_nd_desc& desc, const operands_of<scatter_nd_desc>& t) {
    if (desc.duplicates != duplicates::refuse) return 0;
    const scatter_nd_shape shape(desc, t[0].desc->sizes, t[1].desc->sizes);
    const std::uint64_t places = element_count(shape.places);
    return saturating_add(goldml::detail::update_candidates::memory(*t[2].desc, element_count(shape.tuples), places),
                          places / 8 + 8);  // find_duplicate's bits
  }

  static constexpr verdict_options<Desc> options{
      .verdicts = &verdicts, .verdict_memory = &verdict_memory, .judged = &judged};

 private:
  template <class T, class Index>
  static void allow_every_update(const scatter_nd_desc& desc, const scatter_nd_shape& shape,
                                 const tensor_view<const Index>& indices, const const_tensor_ref& updates_ref,
                                 const tensor_view<T>& golden, output_verdicts& result) {
    const dimensions strides = packed_strides(shape.places);
    const auto for_each_tuple = [&](auto&& f) {
      std::uint32_t number = 0;
      for (const coordinate_tuple& t : coordinates_of(shape.tuples)) {
        if (const auto place = place_of(indices, shape, t, desc.range_policy)) f(offset_of(*place, strides), number);
        ++number;
      }
    };
    goldml::detail::read_updates<T>(updates_ref, element_count(shape.slice), element_count(shape.places),
                                    for_each_tuple, result);
    const auto updates = updates_ref.as<T>();
    const dimensions logical = packed_strides(golden.sizes());
    for (const coordinate_tuple& t : coordinates_of(shape.tuples))
      if (const auto place = place_of(indices, shape, t, desc.range_policy))
        for (const coordinate_tuple& s : coordinates_of(shape.slice)) {
          const coordinate_tuple c = shape.at(*place, s);
          const T update = updates[shape.at(t, s)];
          if (scalar(update) != scalar(golden[c]))
            result.allow_what_is_read(static_cast<std::size_t>(offset_of(c, logical)));
        }
  }
};

}  // namespace goldml::oracle
