// What a device may answer to ARGMIN, ARGMAX and REDUCE with these functions (ledger 7.1, 7.3, 7.4).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

// The base of verdict_traits of the three operators.
template <class Desc>
struct arg_reduce_verdict_traits {
  // Whether a device that numbers the reduced elements in the order of Axes answers otherwise (ledger 7.3).
  static bool is_listed_otherwise(const Desc& desc, const dimensions& input_sizes) {
    if (!operator_traits<Desc>::gives_index(desc)) return false;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < desc.axes.size(); ++i) {
      const std::uint32_t axis = desc.axes[i];
      if (input_sizes[axis] == 1) continue;
      if (axis < last) return true;
      last = axis;
    }
    return false;
  }

  // Makes the call one whose ascending order is the listing order: the reduced dimensions change places.
  static void to_listing_order(Desc& desc, std::span<const_tensor_ref> inputs) {
    const dimensions listed = desc.axes;
    desc.axes = {};
    tensor_desc input = inputs[0].desc();
    const dimensions sizes = input.sizes;
    const dimensions strides = effective_strides(input);
    input.strides = strides;
    for (std::uint32_t axis = 0; axis < sizes.size(); ++axis)
      if (listed.contains(axis)) desc.axes.push_back(axis);
    for (std::size_t i = 0; i < listed.size(); ++i) {
      input.sizes[desc.axes[i]] = sizes[listed[i]];
      input.strides[desc.axes[i]] = strides[listed[i]];
    }
    inputs[0] = const_tensor_ref(input, inputs[0].data(), inputs[0].memory().size_in_bytes);
  }

  // A slice with only NaN may give any index (ledger 7.1), unless the policy determines it.
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    if (desc.nan_policy != nan_policy::skip) return;
    const dimensions reduced_sizes = candidate_box(inputs[0].desc().sizes, desc.axes);
    visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto input = inputs[0].as<T>();
      std::size_t element = 0;
      for (const coordinate_tuple& o : coordinates_of(golden[0].desc().sizes)) {
        bool all_nan = true;
        for (const coordinate_tuple& r : coordinates_of(reduced_sizes))
          all_nan = all_nan && is_nan(input[reduction_candidate(o, r)]);
        if (all_nan) result[0].allow_any_index_below(element, element_count(reduced_sizes));
        ++element;
      }
    });
  }
};

template <class Desc>
requires std::same_as<Desc, argmin_desc> || std::same_as<Desc, argmax_desc>
struct verdict_traits<Desc> : arg_reduce_verdict_traits<Desc> {
  using base = arg_reduce_verdict_traits<Desc>;
  static constexpr verdict_options<Desc> options{.verdicts = &base::verdicts,
                                                 .flush_of = &flush_always<flushed_answer::per_element>,
                                                 .is_listed_otherwise = &base::is_listed_otherwise,
                                                 .to_listing_order = &base::to_listing_order};
};

}  // namespace goldml::oracle
