// What a device may answer to AVERAGE_POOLING and LP_POOLING (ledger PO-R1 to PO-R4, AR-R1, AR-R8).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/formula/device_terms.hpp>
#include <goldml/arithmetic/formula/reduce.hpp>
#include <goldml/arithmetic/lp_norm.hpp>
#include <goldml/arithmetic/quotient_bounds.hpp>
#include <goldml/arithmetic/reductions.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/max_pooling.hpp>

namespace goldml::detail {

// On how many axes a count is no power of two, and the product of all.
struct window_divisor {
  int axes = 0;
  double product = 1;

  explicit window_divisor(const dimensions& counts) {
    for (const std::uint32_t count : counts) {
      axes += std::has_single_bit(count) ? 0 : 1;
      product *= count;
    }
  }
};

template <class T, class Desc>
graded_interval interval_of_average(const Desc& desc, const image_windows& windows, const coordinate_tuple& o,
                                    std::span<const double> x, const arithmetic_mode& mode) {
  const window_divisor by(divisors_of(desc, windows, o));
  sum_terms quotients, numbers;
  for (const double each : x) {
    numbers.add(each);
    quotients.add(each / by.product);
  }
  return graded_interval_of<T>(bound_of_quotients(quotients, numbers, by.axes, by.product != 1, mode));
}

template <class T, class Desc>
graded_interval interval_of_norm(const Desc& desc, std::span<const double> x, const arithmetic_mode& mode, T golden) {
  if (desc.p > 2) return interval_of_lp_norm<T>(x, desc.p, mode);
  graded_interval result;
  if (desc.p == 2) {
    sum_terms squares;
    for (const double each : x) squares.add_product(each, each);
    result = graded_interval_of<T>(bound_of_root(squares, mode), true);
  } else {
    using formula::device_number;
    const auto row = formula::elements_of<device_number>(
        x.size(), [&](std::size_t i) { return x[i]; }, mode);
    result = formula::interval_of<T>(formula::sum_of_magnitudes<device_number>(row), golden);
  }
  if (desc.lp_power == lp_power::accept) {
    const graded_interval power = interval_of_lp_norm<T>(x, desc.p, mode);
    extend(result.allowed, power.allowed);
    extend(result.close, power.close);
  }
  return result;
}

template <class Desc>
void add_pooling_verdicts(const Desc& desc, const const_tensor_ref& input, const tensor_ref& golden, bool flushes,
                          output_verdicts& result) {
  const image_windows windows(window_lists_of(desc), input.desc().sizes, golden.desc().sizes);
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    std::vector<double> numbers;
    std::size_t element = 0;
    for (const coordinate_tuple& o : coordinates_of(golden.desc().sizes)) {
      const window_taps taps = windows.taps_of(o);
      numbers.clear();
      for (const coordinate_tuple& r : coordinates_of(taps.counts)) numbers.push_back(exact_double(T(x[taps[r]])));
      if constexpr (Desc::function == pooling_function::average) {
        if (mode.half() && window_divisor(divisors_of(desc, windows, o)).product > half_precision.greatest)
          result.make_undefined(element);
        else if (!numbers.empty())
          result.allow_interval_beside(element, interval_of_average<T>(desc, windows, o, numbers, mode),
                                       interval_refusal::reciprocals, T(y[o]));
        else if (!desc.include_padding)  // 0 / 0
          result.make_undefined(element);
      } else if (!numbers.empty()) {
        result.allow_interval_beside(element, interval_of_norm<T>(desc, numbers, mode, T(y[o])),
                                     interval_refusal::reciprocals, T(y[o]));
      }
      ++element;
    }
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

// A window that ends after the padded image may be clipped.
inline constexpr std::string_view clipped_windows = "with windows clipped to the padded image (ledger PO-R2)";
template <class Desc>
bool clip_windows(Desc& desc, data_type, std::uint64_t) {
  const bool may_overhang = std::any_of(desc.strides.begin(), desc.strides.end(), [](auto each) { return each > 1; });
  if (!desc.include_padding || desc.pool_overhang == pool_overhang::clipped || !may_overhang) return false;
  desc.pool_overhang = pool_overhang::clipped;
  return true;
}

template <goldml::detail::pooling_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static constexpr bool is_average = Desc::function == pooling_function::average;

  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_pooling_verdicts(desc, inputs[0], golden[0], flushes, result[0]);
  }
  // For each element a byte and an interval; a window as doubles.
  static std::uint64_t verdict_memory(const Desc& desc, const std::array<operand, 2>& t) {
    return saturating_add(
        saturating_multiply(element_count(t[1].desc->sizes), 1 + sizeof(interval) + more_interval_memory),
        operator_traits<Desc>::scratch(desc, t).reference);
  }

  // AVERAGE, and LP with P 1 and 2. A count of more than the taps has zeros in their places.
  static bool sums(const Desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                   fit_sums& result) {
    const goldml::detail::image_windows windows(goldml::detail::window_lists_of(desc), inputs[0].desc().sizes,
                                                output.sizes);
    bool squares = false, sizes_only = false;
    std::uint64_t most = 1;
    if constexpr (is_average) {
      for (const std::uint32_t each : desc.window_size) most = saturating_multiply(most, each);
      if (desc.include_padding && most > 4096) return false;
    } else {
      squares = desc.p == 2;
      sizes_only = desc.p == 1;
      if (!squares && !sizes_only) return false;
    }
    const auto count_of = [=, sizes = output.sizes](std::uint64_t line) {
      const coordinate_tuple o = coordinate_at(sizes, line);
      std::uint64_t count = windows.taps_of(o).count();
      if constexpr (is_average)
        if (count != 0 && desc.include_padding) count = element_count(goldml::detail::divisors_of(desc, windows, o));
      return (std::max)(count, std::uint64_t{1});
    };
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      result.left = [=, x = inputs[0].as<T>(), sizes = output.sizes](std::uint64_t line, std::vector<float>& numbers) {
        const goldml::detail::window_taps taps = windows.taps_of(coordinate_at(sizes, line));
        for (const coordinate_tuple& r : coordinates_of(taps.counts)) {
          const auto number = static_cast<float>(x[taps[r]]);
          numbers.push_back(sizes_only ? std::abs(number) : number);
        }
        numbers.resize(static_cast<std::size_t>(count_of(line)));
      };
    });
    if (squares) result.right = result.left;
    result.has_right = squares;
    result.rows = element_count(output.sizes);
    result.columns = 1;
    result.place_of = [count_of](std::uint64_t e) { return fit_place{e, e, count_of(e)}; };
    result.model.finish = is_average ? fit_finish::average : squares ? fit_finish::root : fit_finish::none;
    result.model.set(output.data_type, desc.accumulation);
    return true;
  }

  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> all = flushing_verdict_traits<Desc>::flushing_options(&sums);
    if constexpr (is_average) {
      all.to_alternative = &clip_windows<Desc>;
      all.alternative = clipped_windows;
    }
    return all;
  }();
};

}  // namespace goldml::oracle
