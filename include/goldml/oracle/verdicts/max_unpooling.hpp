// What a device may answer to MAX_UNPOOLING (ledger L67).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/max_unpooling.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/update_candidates.hpp>

namespace goldml::oracle {

template <std::same_as<max_unpooling_desc> Desc>
struct verdict_traits<Desc> {
  // Cases that the page leaves open are judged instead of refused.
  static max_unpooling_desc judged(max_unpooling_desc desc) {
    if (desc.duplicates == duplicates::refuse) desc.duplicates = duplicates::last_wins;
    return desc;
  }

  // If indices name one place, any of their elements may be stored, unless the policy determines it.
  static void verdicts(const max_unpooling_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    const std::uint64_t places = element_count(golden[0].desc().sizes);
    visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, inputs[1].desc().data_type,
                    [&]<class Index>(std::type_identity<Index>) {
                      const tensor_view<const Index> indices = inputs[1].as<Index>();
                      if (!check_indices(desc, indices, places)) return;
                      visit_data_type(a10_types{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
                        allow_every_element<T>(indices, inputs[0], golden[0].as<T>(), result[0]);
                      });
                    });
  }

  // An upper bound of the bytes that verdicts() allocates.
  static std::uint64_t verdict_memory(const max_unpooling_desc& desc, const operands_of<max_unpooling_desc>& t) {
    if (desc.duplicates != duplicates::refuse) return 0;
    const std::uint64_t places = element_count(t[2].desc->sizes);
    return saturating_add(
        goldml::detail::update_candidates::memory(*t[0].desc, element_count(t[0].desc->sizes), places),
        places / 8 + 8);  // the bits of check_indices()
  }

  static constexpr verdict_options<Desc> options{
      .verdicts = &verdicts, .verdict_memory = &verdict_memory, .judged = &judged};

 private:
  template <class T, class Index>
  static void allow_every_element(const tensor_view<const Index>& indices, const const_tensor_ref& input_ref,
                                  const tensor_view<T>& golden, output_verdicts& result) {
    const std::uint64_t places = element_count(golden.sizes());
    const auto for_each_update = [&](auto&& f) {
      std::uint32_t number = 0;
      for (const coordinate_tuple& c : coordinates_of(indices.sizes())) {
        if (indices[c] < places) f(indices[c], number);
        ++number;
      }
    };
    goldml::detail::read_updates<T>(input_ref, 1, places, for_each_update, result);
    const auto input = input_ref.as<T>();
    for (const coordinate_tuple& c : coordinates_of(indices.sizes()))
      if (indices[c] < places && scalar(input[c]) != scalar(golden[coordinate_at(golden.sizes(), indices[c])]))
        result.allow_what_is_read(static_cast<std::size_t>(indices[c]));
  }
};

}  // namespace goldml::oracle
