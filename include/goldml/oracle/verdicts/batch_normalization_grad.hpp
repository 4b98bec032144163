// What a device may answer to BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD (ledger NO-R4, NO-R8,
// BG-R1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/normalisation_gradient_bounds.hpp>
#include <goldml/operators/batch_normalization_grad.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <goldml::detail::batch_gradient_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const goldml::detail::batch_gradient_inputs<T> t(inputs);
      const tensor_view<const T> dx = golden[0].as<T>(), of_scale = golden[1].as<T>(), of_bias = golden[2].as<T>();
      const dimensions strides = packed_strides(dx.sizes());
      const double type_unit = std::is_same_v<T, float> ? single_precision.unit : half_precision.unit;
      const auto allow = [&](std::size_t output, std::size_t element, const bound& b, bool is_judged, T value) {
        if (is_judged)
          result[output].allow_interval_beside(element, graded_interval_of<T>(b), interval_refusal::reciprocals, value);
        else
          result[output].make_undefined(element);
      };
      std::size_t number = 0;
      for (const coordinate_tuple& first : coordinates_of(of_scale.sizes())) {
        const arithmetic::gradient_slice slice = t.slice_at(desc, first);
        const arithmetic::gradient_bounds bounds(slice, type_unit, mode);
        const bool is_judged = bounds.is_judged();
        std::size_t i = 0;
        for (const coordinate_tuple& r : coordinates_of(t.box)) {
          const coordinate_tuple c = reduction_candidate(first, r);
          const T value = dx[c];
          allow(0, static_cast<std::size_t>(offset_of(c, strides)), bounds.element(i++, exact_double(value)), is_judged,
                value);
        }
        const T scale = of_scale[first], bias = of_bias[first];
        allow(1, number, bounds.of_scale(exact_double(scale)), is_judged, scale);
        allow(2, number, bounds.of_bias(), true, bias);
        ++number;
      }
    });
  }
  // Of each element of the three outputs a byte and two intervals, and of a slice its numbers.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 8>& t) {
    return saturating_multiply(element_count(t[0].desc->sizes),
                               3 * (1 + sizeof(interval) + more_interval_memory) + 2 * sizeof(double));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
