// What a device may answer to PADDING (ledger L36).
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/cast.hpp>
#include <goldml/reference/padding.hpp>

namespace goldml::oracle {

template <std::same_as<padding_desc> Desc>
struct verdict_traits<Desc> {
  // The padding of CONSTANT where the tensors' type does not hold PaddingValue: what CAST leaves open (ledger L36).
  static void verdicts(const padding_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    if (desc.padding_mode != padding_mode::constant) return;
    visit_data_type(a11_types{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const goldml::detail::cast_source value(desc.padding_value);
      const T converted = goldml::detail::padding_value_as<T>(desc.padding_value);
      const goldml::detail::cast_freedom freedom = goldml::detail::freedom_of(value, converted);
      if (freedom == goldml::detail::cast_freedom::none) return;
      std::size_t element = 0;
      const dimensions& sizes = golden[0].desc().sizes;
      for (const coordinate_tuple& c : coordinates_of(sizes)) {
        if (!origin_of(desc, inputs[0].desc().sizes, sizes, c)) {
          if (freedom == goldml::detail::cast_freedom::anything)
            result[0].make_undefined(element);
          else
            result[0].allow_what_is_read(element);
        }
        ++element;
      }
      const scalar other(goldml::detail::other_cast(value, converted, freedom));
      goldml::detail::read_casts_with<T>([other](std::size_t, const auto& f) { f(other); }, result[0]);
    });
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts};
};

}  // namespace goldml::oracle
