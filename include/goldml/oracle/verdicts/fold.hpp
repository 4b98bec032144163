// What a device may answer to FOLD of floats: sums in any order (ledger AR-R1); and to UNFOLD: zeros of either sign in
// the padding (ledger FO-R3).
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/fold.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// Of FLOAT64, whose exact sum is y, rounded once.
inline basic_interval<double> interval_of_double_sum(std::span<const double> x, double y) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), unit = 0x1p-53;
  const double n = static_cast<double>(x.size());
  basic_interval<double> result{y, y, y, y, 0};
  if (is_nan(y)) return {.also = interval_also::nan};
  double positive = 0, negative = 0;  // 2^-64 of them
  int lowest = 4096;
  bool all_finite = true;
  for (const double each : x) {
    all_finite = all_finite && is_finite_double(each);
    if (!is_finite_double(each) || is_zero(each)) continue;
    (each > 0 ? positive : negative) += std::abs(each) * 0x1p-64;
    lowest = (std::min)(lowest, odd_part(each).exponent);
  }
  const double magnitude = positive + negative, g = growth(n - 1, unit);
  if (n == 1 || is_zero(magnitude) || magnitude <= std::ldexp(1.0, lowest + 53 - 64)) return result;
  const double most = (std::numeric_limits<double>::max)() * 0x1p-64, slack = 1 + growth(n + 3, unit);
  const bool above = positive * slack * (1 + g) >= most, below = negative * slack * (1 + g) >= most;
  if (is_finite_double(y)) {
    const auto ends = [&](double by, double& low, double& high) {
      const double error = by * magnitude * slack * 0x1p64 * (1 + 0x1p-40) + std::abs(y) * 0x1p-52 + 0x1p-1074;
      low = y - error;
      high = y + error;
    };
    ends(g, result.low, result.high);
    ends((std::min)(g, 8 * std::sqrt(n - 1) * unit), result.usual_low, result.usual_high);
    if (above) result.also |= interval_also::positive_infinity;
    if (below) result.also |= interval_also::negative_infinity;
    if (above && below) result.also |= interval_also::nan;
  } else if (all_finite) {
    // Beyond the range by rounding: a device may stay within it, or reach the other infinity in a part of the sum.
    const auto least = [&](double by) {
      const double sum = std::abs(positive - negative), error = (by + growth(n + 3, unit)) * magnitude * slack;
      return sum - error < most ? (sum - error) * 0x1p64 : infinity;
    };
    const double low = least(g), usual_low = least((std::min)(g, 8 * std::sqrt(n - 1) * unit));
    result =
        y > 0 ? basic_interval<double>{low, y, usual_low, y, 0} : basic_interval<double>{y, -low, y, -usual_low, 0};
    if (y > 0 ? below : above) result.also |= interval_also::specials;
  } else if (y == infinity ? below : above) {
    result.also |= interval_also::nan;
  }
  return result;
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<fold_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    const dimensions& sizes = golden[0].desc().sizes;
    const goldml::detail::fold_shape shape(desc, sizes);
    const std::size_t rank = inputs[0].desc().sizes.size();
    visit_data_type(type_list<float, float16, double>{}, golden[0].desc().data_type,
                    [&]<class T>(std::type_identity<T>) {
                      const arithmetic_mode mode{std::is_same_v<T, float>, flushes, desc.accumulation};
                      const auto x = inputs[0].as<T>();
                      const auto y = golden[0].as<T>();
                      std::vector<double> numbers;
                      std::size_t element = 0;
                      for (const coordinate_tuple& c : coordinates_of(sizes)) {
                        numbers.clear();
                        shape.windows().for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple& tap) {
                          const T each = x[shape.column_of(o, tap, rank)];
                          if constexpr (std::is_same_v<T, double>)
                            numbers.push_back(each);
                          else
                            numbers.push_back(exact_double(each));
                        });
                        if (!numbers.empty()) add_sum<T>(numbers, mode, element, y[c], result[0]);
                        ++element;
                      }
                    });
  }
  // For each element a byte and an interval.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 2>& t) {
    return saturating_multiply(element_count(t[1].desc->sizes), 1 + sizeof(basic_interval<double>));
  }

  static bool sums(const Desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                   fit_sums& result) {
    if (output.data_type != data_type::float32 && output.data_type != data_type::float16) return false;
    const goldml::detail::fold_shape shape(desc, output.sizes);
    const auto count_of = [shape, sizes = output.sizes](std::uint64_t line) {
      std::uint64_t count = 0;
      shape.windows().for_hits(coordinate_at(sizes, line), [&](const auto&, const auto&) { ++count; });
      return (std::max)(count, std::uint64_t{1});
    };
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      result.left = [shape, x = inputs[0].as<T>(), sizes = output.sizes](std::uint64_t line,
                                                                         std::vector<float>& numbers) {
        shape.windows().for_hits(coordinate_at(sizes, line),
                                 [&](const coordinate_tuple& o, const coordinate_tuple& tap) {
                                   numbers.push_back(static_cast<float>(x[shape.column_of(o, tap, x.sizes().size())]));
                                 });
        if (numbers.empty()) numbers.push_back(0);
      };
    });
    result.rows = element_count(output.sizes);
    result.columns = 1;
    result.place_of = [count_of](std::uint64_t e) { return fit_place{e, e, count_of(e)}; };
    result.model.set(output.data_type, desc.accumulation);
    return true;
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options(&sums);

 private:
  template <class T>
  static void add_sum(std::span<const double> numbers, const arithmetic_mode& mode, std::size_t element, T golden,
                      output_verdicts& result) {
    if constexpr (std::is_same_v<T, double>) {
      const auto allowed = goldml::detail::interval_of_double_sum(numbers, golden);
      result.allow_interval_beside(element, allowed, golden);
    } else {
      sum_terms terms;
      for (const double each : numbers) terms.add(each);
      result.allow_interval_beside(element, graded_interval_of<T>(terms.bound_with(terms.count() - 1, mode)),
                                   interval_refusal::reciprocals, golden);
    }
  }
};

template <std::same_as<unfold_desc> Desc>
struct verdict_traits<Desc> {
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    const goldml::detail::fold_shape shape(desc, inputs[0].desc().sizes);
    visit_data_type(a11_types{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      if constexpr (is_floating_type<T>) {
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(golden[0].desc().sizes)) {
          if (!shape.place_of(c)) result[0].allow_what_is_read(element);
          ++element;
        }
        result[0].read_alternatives_with([](std::size_t, const auto& f) { f(scalar(static_cast<T>(-0.0F))); });
      }
    });
  }
  static constexpr verdict_options<Desc> options{.verdicts = &verdicts};
};

}  // namespace goldml::oracle
