// What devices give that are wrong in known ways: for the price of a tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/oracle/fit/accumulators.hpp>
#include <goldml/oracle/fit/inputs.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/golden.hpp>
#include <goldml/oracle/golden_calls.hpp>
#include <goldml/oracle/matches.hpp>

namespace goldml::oracle {

enum class wrong_device : std::uint8_t {
  missing_term,  // each sum lacks its last term
  tf32_inputs,   // the factors of FLOAT32 products are rounded to TF32
  half_sums,     // inputs, products and sums are rounded to FLOAT16
};
inline constexpr std::string_view name_of(wrong_device device) {
  constexpr std::string_view names[] = {"a missing term", "TF32 inputs", "FLOAT16 sums"};
  return names[static_cast<std::size_t>(device)];
}

// An element that such a device gives, and that is not the golden one, which is finite.
struct wrong_element {
  double magnitude, error;  // |golden|; |got - golden|, infinite for NaN
  std::uint64_t ulp;        // representable numbers between them
  bool accepted;            // by the verdict
};
struct wrong_output {
  wrong_device device;
  std::vector<wrong_element> elements;
};

namespace detail {

// What a device of FLOAT32 or FLOAT16 tensors gives for one element, before it is rounded to their type.
inline double wrong_result(wrong_device device, const fit_sums& sums, const fit_place& place, fit_lines& lines) {
  std::vector<float> left(lines.left_terms(place).begin(), lines.left_terms(place).end());
  std::vector<float> right(lines.right_terms(place).begin(), lines.right_terms(place).end());
  const auto round_all = [&](fit_input to) {
    for (std::vector<float>* line : {&left, &right})
      for (float& x : *line) x = fit_rounded(to, x);
  };
  fit_facts facts{static_cast<double>(left.size())};
  facts.addend = place.addend;
  if (device == wrong_device::half_sums) {
    round_all(fit_input::float16);
    facts.sum = sums.alpha * double{half_sums(1, false, false)(left, right)};
    return fit_half_of(sums.model.result_of(facts));
  }
  if (device == wrong_device::tf32_inputs) round_all(fit_input::tf32);
  if (device == wrong_device::missing_term) {
    left.pop_back();
    if (!right.empty()) right.pop_back();
  }
  facts.sum = left.empty() ? 0 : fit_sum(left, right, sums.alpha);
  return sums.model.result_of(facts);
}

// At most 256 elements of an output of sums for each device; none where a fused activation changes the sum. Nothing if
// the output has others, or if half precision is right.
inline std::vector<wrong_output> wrong_outputs_of(const golden_calls& calls, const void* desc,
                                                  std::span<const const_tensor_ref> inputs, const golden_output& golden,
                                                  const compare_options& options) {
  constexpr std::uint64_t most_elements = 256, most_terms = std::uint64_t{1} << 22;
  std::vector<wrong_output> result;
  fit_sums sums;
  if (calls.sums == nullptr || !calls.sums(desc, inputs, golden.whole(), sums) || sums.elements() == 0) return result;
  if (sums.model.half || sums.model.half_products) return result;
  fit_lines lines(sums);
  visit_data_type(type_list<float, float16>{}, golden.whole().data_type, [&]<class T>(std::type_identity<T>) {
    const auto values = golden.values.ref().template as<T>();
    for (const wrong_device device : {wrong_device::missing_term, wrong_device::tf32_inputs, wrong_device::half_sums}) {
      if (device == wrong_device::tf32_inputs && !(sums.has_right && sums.is_matrix && sums.model.float32)) continue;
      wrong_output& output = result.emplace_back(wrong_output{device, {}});
      std::uint64_t terms = 0;
      const std::uint64_t all = sums.elements(), count = (std::min)(all, most_elements);
      for (std::uint64_t i = 0; i < count && terms < most_terms; ++i) {
        const std::uint64_t e = count == 1 ? 0 : i * (all - 1) / (count - 1);
        const std::uint64_t number = sums.output_of ? sums.output_of(e) : e;
        const auto element = static_cast<std::size_t>(number);
        const fit_place place = sums.place_of(e);
        const T expected = values[coordinate_at(values.sizes(), number)];
        const double wanted = exact_double(expected);
        const verdict v = golden.verdicts[element];
        terms += place.count;
        if (place.count == 0 || v == verdict::undefined || v == verdict::depends ||
            !(wanted > sums.low && wanted < sums.high) || !goldml::detail::is_finite_double(wanted))
          continue;
        const T got = rounded<T>(wrong_result(device, sums, place, lines));
        if (!is_nan(got) && order_key(got) == order_key(expected)) continue;
        const double error = is_nan(got) ? HUGE_VAL : std::abs(exact_double(got) - wanted);
        output.elements.push_back({std::abs(wanted), error,
                                   ulp_distance(expected, got).value_or((std::numeric_limits<std::uint64_t>::max)()),
                                   place_of<T>(golden, element, expected, got, options) != interval_place::outside});
      }
    }
  });
  return result;
}

}  // namespace detail

}  // namespace goldml::oracle
