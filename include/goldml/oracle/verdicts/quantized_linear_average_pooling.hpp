// What a device may answer to QUANTIZED_LINEAR_AVERAGE_POOLING besides the golden value (SPEC-quantised 2.6, 4.8;
// ledger QU-R11, QU-R12, PO-R2, PO-R3).
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/quantized_linear_average_pooling.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/pooling.hpp>
#include <goldml/oracle/verdicts/quantised_products.hpp>

namespace goldml::detail {

template <class X, class Y>
void add_average_verdicts(const quantized_linear_average_pooling_desc& desc, std::span<const const_tensor_ref> inputs,
                          const dimensions& sizes, output_verdicts& result) {
  const line_parameters<float> input_scales(inputs[1].as<float>()), output_scales(inputs[3].as<float>());
  const line_parameters<X> input_zeros(optional_view<X>(inputs[2]));
  const line_parameters<Y> output_zeros(optional_view<Y>(inputs[4]));
  const auto x = inputs[0].as<X>();
  const image_windows windows(window_lists_of(desc), x.sizes(), sizes);
  std::optional<arithmetic::requantise_limits> limits;
  std::size_t element = 0;
  for (const coordinate_tuple& o : coordinates_of(sizes)) {
    const std::uint32_t channel = o[1];
    const window_taps taps = windows.taps_of(o);
    const window_divisor by(divisors_of(desc, windows, o));
    if (by.product == 0) {  // 0 / 0
      result.make_undefined(element++);
      continue;
    }
    arithmetic::integer_sum sum{.sum = 0, .magnitude = 0, .terms = static_cast<double>(taps.count())};
    for (const coordinate_tuple& r : coordinates_of(taps.counts)) {
      const int difference = x[taps[r]] - input_zeros.at(channel);
      sum.sum += difference;
      sum.magnitude += std::abs(difference);
    }
    // A device may divide on each axis; a count of more than 24 bits is rounded.
    const int divisions = 1 + (std::max)(by.axes, 1) + (by.product > 0x1p24 ? by.axes : 0);
    allow_requantised(element++,
                      {exact_double(input_scales.at(channel)), 1, exact_double(output_scales.at(channel)), by.product},
                      sum, arithmetic::requantise_growths::of_average(sum.terms, divisions), output_zeros.at(channel),
                      desc, limits, result);
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<quantized_linear_average_pooling_desc> Desc>
struct verdict_traits<Desc> {
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    using bytes = type_list<std::uint8_t, std::int8_t>;
    goldml::detail::set_range_of_products(result[0]);
    visit_data_type(bytes{}, inputs[0].desc().data_type, [&]<class X>(std::type_identity<X>) {
      visit_data_type(bytes{}, golden[0].desc().data_type, [&]<class Y>(std::type_identity<Y>) {
        goldml::detail::add_average_verdicts<X, Y>(desc, inputs, golden[0].desc().sizes, result[0]);
      });
    });
  }
  // A byte and two intervals for each element.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    return saturating_multiply(element_count(t[5].desc->sizes), 1 + 2 * sizeof(interval));
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .verdict_memory = &verdict_memory,
                                                 .to_alternative = &clip_windows<Desc>,
                                                 .alternative = clipped_windows};
};

}  // namespace goldml::oracle
