// What a device may answer to SCATTER_ELEMENTS (ledger L63).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/scatter_elements.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/update_candidates.hpp>

namespace goldml::oracle {

template <std::same_as<scatter_elements_desc> Desc>
struct verdict_traits<Desc> {
  using traits = operator_traits<scatter_elements_desc>;

  // Cases that the page leaves open are judged instead of refused.
  static scatter_elements_desc judged(scatter_elements_desc desc) {
    if (desc.range_policy == range_policy::refuse) desc.range_policy = range_policy::clamp;
    if (desc.duplicates == duplicates::refuse) desc.duplicates = duplicates::last_wins;
    return desc;
  }

  // An index out of range makes the whole output undefined. If indices name the same place, any of their updates may be
  // stored. A policy other than `refuse` determines the result.
  static void verdicts(const scatter_elements_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    const auto broken = traits::check_indices(desc, inputs[0].desc().sizes, inputs[1]);
    if (!broken) return;
    if (broken->rule == "SE8") {
      result[0].make_all_undefined();
      return;
    }
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      visit_data_type(a11_types{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
        allow_every_update<T>(desc, inputs[1].as<Index>(), inputs[2], golden[0].as<T>(), result[0]);
      });
    });
  }

  // An upper bound of the bytes that verdicts() allocates.
  static std::uint64_t verdict_memory(const scatter_elements_desc& desc, const operands_of<scatter_elements_desc>& t) {
    if (desc.duplicates != duplicates::refuse) return 0;
    const std::uint64_t places = element_count(t[0].desc->sizes);
    return saturating_add(
        goldml::detail::update_candidates::memory(*t[2].desc, element_count(t[2].desc->sizes), places),
        places / 8 + 8);  // find_duplicate's bits
  }

  static constexpr verdict_options<Desc> options{
      .verdicts = &verdicts, .verdict_memory = &verdict_memory, .judged = &judged};

 private:
  template <class T, class Index>
  static void allow_every_update(const scatter_elements_desc& desc, const tensor_view<const Index>& indices,
                                 const const_tensor_ref& updates_ref, const tensor_view<T>& golden,
                                 output_verdicts& result) {
    const dimensions& sizes = golden.sizes();
    const dimensions strides = packed_strides(sizes);
    const auto for_each_update = [&](auto&& f) {
      std::uint32_t number = 0;
      for (const coordinate_tuple& c : coordinates_of(indices.sizes())) {
        if (const auto place = traits::place_of(desc, sizes, indices, c)) f(offset_of(*place, strides), number);
        ++number;
      }
    };
    goldml::detail::read_updates<T>(updates_ref, 1, element_count(sizes), for_each_update, result);
    const auto updates = updates_ref.as<T>();
    for (const coordinate_tuple& c : coordinates_of(indices.sizes()))
      if (const auto place = traits::place_of(desc, sizes, indices, c))
        if (scalar(updates[c]) != scalar(golden[*place]))
          result.allow_what_is_read(static_cast<std::size_t>(offset_of(*place, strides)));
  }
};

}  // namespace goldml::oracle
