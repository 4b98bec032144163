// What a device may answer to MEAN_VARIANCE_NORMALIZATION, MEAN_VARIANCE_NORMALIZATION1 and
// MEAN_VARIANCE_NORMALIZATION2 (ledger NO-R3 to NO-R8, MV-R1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/normalisation_bounds.hpp>
#include <goldml/operators/mean_variance_normalization.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

namespace detail {

// Of one element: what `bounds` say, or anything.
template <class T>
void allow_normalised(const std::optional<activation>& f, const arithmetic::normalisation_bounds& bounds, double x,
                      const arithmetic::affine_operands& by, const arithmetic_mode& mode, std::size_t element, T golden,
                      output_verdicts& result) {
  if (bounds.is_judged())
    result.allow_interval_beside(element, arithmetic::normalised_interval<T>(f, bounds, x, by, mode), golden);
  else
    result.make_undefined(element);
}

}  // namespace detail

template <goldml::detail::mean_variance_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const goldml::detail::normalisation_inputs<T> t(goldml::detail::mean_variance_places, inputs);
      const tensor_view<const T> output = golden[0].as<T>();
      const dimensions& sizes = output.sizes();
      const dimensions axes = goldml::detail::normalisation_axes(desc), box = candidate_box(sizes, axes),
                       strides = packed_strides(sizes);
      const arithmetic::normalisation_form form = goldml::detail::normalisation_form_of(desc);
      if (desc.fused_activation) result[0].range.width = arithmetic::range_width(*desc.fused_activation);
      std::vector<double> slice;
      for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(sizes, axes))) {
        slice.clear();
        for (const coordinate_tuple& r : coordinates_of(box))
          slice.push_back(exact_double(T(t.input[reduction_candidate(first, r)])));
        const arithmetic::slice_moments moments(
            slice.size(), [&](std::uint64_t i) { return slice[static_cast<std::size_t>(i)]; },
            form.uses_mean || form.centred, mode);
        const arithmetic::normalisation_bounds bounds(moments, form, desc.variance, mode);
        std::size_t i = 0;
        for (const coordinate_tuple& r : coordinates_of(box)) {
          const coordinate_tuple c = reduction_candidate(first, r);
          detail::allow_normalised<T>(desc.fused_activation, bounds, slice[i++], t.at(c), mode,
                                      static_cast<std::size_t>(offset_of(c, strides)), T(output[c]), result[0]);
        }
      }
    });
  }
  // Of each element a byte and two intervals, and of a slice its elements.
  static std::uint64_t verdict_memory(const Desc& desc, const std::array<operand, 4>& t) {
    const std::uint64_t elements = element_count(t[0].desc->sizes),
                        slice =
                            element_count(candidate_box(t[0].desc->sizes, goldml::detail::normalisation_axes(desc)));
    return saturating_add(saturating_multiply(elements, 1 + sizeof(interval) + more_interval_memory),
                          saturating_multiply(slice, sizeof(double)));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
