// What a device may answer to ACTIVATION_HARDMAX and ACTIVATION_HARDMAX1 (ledger FN-R15).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/hardmax.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <goldml::detail::hardmax_operator Desc>
struct verdict_traits<Desc> {
  // In a slice with only NaN the 1 may be anywhere, or nowhere (ledger 7.1), unless the policy determines it.
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref>,
                       std::span<output_verdicts> result) {
    if (desc.nan_policy != nan_policy::skip) return;
    const dimensions& sizes = inputs[0].desc().sizes;
    const dimensions axes = goldml::detail::softmax_axes(desc, sizes.size());
    const dimensions box = candidate_box(sizes, axes), all = packed_strides(sizes);
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto input = inputs[0].as<T>();
      for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(sizes, axes))) {
        bool all_nan = true;
        for (const coordinate_tuple& r : coordinates_of(box))
          all_nan = all_nan && is_nan(T(input[reduction_candidate(first, r)]));
        if (!all_nan) continue;
        for (const coordinate_tuple& r : coordinates_of(box))
          result[0].allow_what_is_read(static_cast<std::size_t>(offset_of(reduction_candidate(first, r), all)));
      }
      result[0].read_alternatives_with([](std::size_t, const std::function<bool(const scalar&)>& f) {
        if (!f(scalar(static_cast<T>(0.0F)))) f(scalar(static_cast<T>(1.0F)));
      });
    });
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flush_of = &flush_always<flushed_answer::per_element>};
};

}  // namespace goldml::oracle
