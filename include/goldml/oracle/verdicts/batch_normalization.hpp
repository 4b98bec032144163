// What a device may answer to BATCH_NORMALIZATION and BATCH_NORMALIZATION_TRAINING (ledger NO-R3 to NO-R8).
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/normalisation_bounds.hpp>
#include <goldml/operators/batch_normalization.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/mean_variance_normalization.hpp>

namespace goldml::oracle {

template <std::same_as<batch_normalization_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const goldml::detail::normalisation_inputs<T> t(goldml::detail::batch_places, inputs);
      const tensor_view<const T> output = golden[0].as<T>();
      if (desc.fused_activation) result[0].range.width = arithmetic::range_width(*desc.fused_activation);
      std::size_t element = 0;
      for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
        const arithmetic::normalisation_bounds bounds(t.element(*t.mean, c), t.element(*t.variance, c),
                                                      goldml::detail::widened(desc.epsilon), mode);
        detail::allow_normalised<T>(desc.fused_activation, bounds, exact_double(T(t.input[c])), t.at(c), mode,
                                    element++, T(output[c]), result[0]);
      }
    });
  }
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 6>& t) {
    return saturating_multiply(element_count(t[0].desc->sizes), 1 + sizeof(interval) + more_interval_memory);
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

namespace detail {

// The mean, or the variance, of a slice as an output.
template <class T>
graded_interval statistic_interval(const arithmetic::slice_moments& slice, bool is_variance, variance_policy allowed) {
  using arithmetic::granted;
  bound b{.value = is_variance ? slice.variance() : slice.mean()};
  const auto error = [&](granted what) {
    return is_variance ? slice.variance_error(what, allowed, slice.variance() / 32) : slice.mean_error(what);
  };
  if (slice.is_finite()) {
    b.error = error(granted::possible);
    b.close_error = error(granted::close);
    b.usual_error = error(granted::usual);
    b.add(interval_also::specials, is_variance ? slice.squares_overflow() : slice.sum_overflows());
  } else {
    b.add(interval_also::nan, true);  // Welford's mean of an infinity and a number after it
  }
  graded_interval result = graded_interval_of<T>(b);
  if (!is_variance || allowed == variance_policy::one_pass) return result;
  const interval least = interval_of<T>(-slice.below_zero(), 0, 0);
  for (interval* each : {&result.allowed, &result.close}) {
    each->low = (std::max)(each->low, least.low);
    each->usual_low = (std::max)(each->usual_low, least.low);
  }
  return result;
}

}  // namespace detail

template <std::same_as<batch_normalization_training_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const goldml::detail::normalisation_inputs<T> t(goldml::detail::batch_training_places, inputs);
      const tensor_view<const T> output = golden[0].as<T>(), mean = golden[1].as<T>(), variance = golden[2].as<T>();
      const dimensions &sizes = output.sizes(), strides = packed_strides(sizes),
                       box = candidate_box(sizes, goldml::detail::batch_axes(mean.sizes()));
      if (desc.fused_activation) result[0].range.width = arithmetic::range_width(*desc.fused_activation);
      std::vector<double> slice;
      std::size_t number = 0;
      for (const coordinate_tuple& first : coordinates_of(mean.sizes())) {
        slice.clear();
        for (const coordinate_tuple& r : coordinates_of(box))
          slice.push_back(exact_double(T(t.input[reduction_candidate(first, r)])));
        const arithmetic::slice_moments moments(
            slice.size(), [&](std::uint64_t i) { return slice[static_cast<std::size_t>(i)]; }, true, mode);
        const arithmetic::normalisation_bounds bounds(moments, {.epsilon = goldml::detail::widened(desc.epsilon)},
                                                      desc.variance, mode);
        std::size_t i = 0;
        for (const coordinate_tuple& r : coordinates_of(box)) {
          const coordinate_tuple c = reduction_candidate(first, r);
          detail::allow_normalised<T>(desc.fused_activation, bounds, slice[i++], t.at(c), mode,
                                      static_cast<std::size_t>(offset_of(c, strides)), T(output[c]), result[0]);
        }
        result[1].allow_interval_beside(number, detail::statistic_interval<T>(moments, false, desc.variance),
                                        interval_refusal::reciprocals, T(mean[first]));
        if (mode.flushes && slice.size() == 1 &&
            std::abs(slice[0]) < single_precision.least)  // of one, nothing is added
          for (const float zero : {0.0F, -0.0F}) result[1].allow(number, scalar(zero));
        result[2].allow_interval_beside(number, detail::statistic_interval<T>(moments, true, desc.variance),
                                        interval_refusal::reciprocals, T(variance[first]));
        ++number;
      }
    });
  }
  // Of each element of the three outputs a byte and two intervals, and of a slice its elements.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 7>& t) {
    const std::uint64_t elements = element_count(t[0].desc->sizes);
    return saturating_multiply(elements, 3 * (1 + sizeof(interval) + more_interval_memory) + sizeof(double));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
