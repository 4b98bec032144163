// What a device may answer to the functions of REDUCE that give no index (ledger 7.4, L66).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/formula/device_terms.hpp>
#include <goldml/arithmetic/formula/reduce.hpp>
#include <goldml/arithmetic/reductions.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/arg_reduce.hpp>
#include <goldml/oracle/verdicts/arithmetic.hpp>

namespace goldml::detail {

// What a device may answer to the function of a slice of FLOAT32 or FLOAT16, which has the sizes of `box`: by the
// formula; or by a closed bound, where that takes much less time or is narrower.
template <class T>
graded_interval interval_of_reduction(reduce_function function, const std::vector<double>& slice, const dimensions& box,
                                      const arithmetic_mode& mode, T golden) {
  if (function == reduce_function::log_sum_exp) return graded_interval_of<T>(bound_of_log_sum_exp(slice, mode));
  if (function == reduce_function::multiply) return graded_interval_of<T>(bound_of_product(slice, mode));
  if (function == reduce_function::log_sum) {
    sum_terms terms;
    for (const double x : slice) terms.add(x);
    return graded_interval_of<T>(bound_of_logarithm(terms, mode));
  }
  if (function == reduce_function::l2) {
    sum_terms squares;
    for (const double x : slice) squares.add_product(x, x);
    return graded_interval_of<T>(bound_of_root(squares, mode), true);
  }
  using formula::device_number;
  const auto row = formula::elements_of<device_number>(
      slice.size(), [&](std::size_t i) { return slice[i]; }, mode);
  const auto result = [&] {
    switch (function) {
      case reduce_function::average:
        return formula::average<device_number>(row, box);
      case reduce_function::l1:
        return formula::sum_of_magnitudes<device_number>(row);
      case reduce_function::sum_square:
        return formula::sum_of_squares<device_number>(row);
      default:
        return formula::sum<device_number>(row);
    }
  };
  return formula::interval_of<T>(result(), golden);
}

// Where subnormals are flushed, those of a slice tie, with zeros: MIN and MAX may be any of them, as it is or flushed.
// Reads them from a copy of the input, as there may be many for each element.
inline alternative_reader flushed_extremes(const reduce_desc& desc, const const_tensor_ref& input,
                                           const dimensions& output) {
  return [copy = std::make_shared<const host_tensor>(input), output, axes = desc.axes](
             std::size_t element, const std::function<bool(const scalar&)>& f) {
    const auto x = copy->ref().as<float>();
    const coordinate_tuple o = coordinate_at(output, element);
    for (const coordinate_tuple& r : coordinates_of(candidate_box(x.sizes(), axes))) {
      const float value = x[reduction_candidate(o, r)];
      if (is_zero(flushed(value)) && (f(scalar(value)) || f(scalar(flushed(value))))) return;
    }
  };
}

// The extreme of numbers, skipping NaN; NaN if there is no number. `key` is what they are compared by.
template <class T, class Key>
T extreme_of(reduce_function function, const std::vector<T>& slice, const Key& key) {
  T best = std::numeric_limits<T>::quiet_NaN();
  for (const T x : slice)
    if (!is_nan(x) && (is_nan(best) || (function == reduce_function::min ? key(x) < key(best) : key(x) > key(best))))
      best = x;
  return best;
}

// Whether FLOAT16 may make two FLOAT32 elements equal that is computed in this way: those within 2^-10 of the extreme,
// of subnormal numbers 2^-24, and those that become the same number, 65504 or an infinity.
inline bool ties_in_half(float x, float extreme, rounding direction) {
  if (rounded<float16>(x, direction) == rounded<float16>(extreme, direction)) return true;
  const double by = half_cut_unit * std::abs(double{extreme}) + half_cut_least;
  return std::abs(x) <= half_precision.greatest && std::abs(double{x} - extreme) <= by;
}

// MIN and MAX of FLOAT32 in half precision: any element that ties with the extreme, as it is or rounded to FLOAT16.
inline alternative_reader extremes_in_half(const reduce_desc& desc, std::shared_ptr<const host_tensor> copy,
                                           const dimensions& output, rounding direction) {
  return [copy = std::move(copy), output, desc, direction](std::size_t element,
                                                           const std::function<bool(const scalar&)>& f) {
    const auto x = copy->ref().as<float>();
    const coordinate_tuple o = coordinate_at(output, element);
    std::vector<float> slice;
    for (const coordinate_tuple& r : coordinates_of(candidate_box(x.sizes(), desc.axes)))
      slice.push_back(x[reduction_candidate(o, r)]);
    const float extreme = extreme_of(desc.function, slice, [](float each) { return order_key(each); });
    for (const float each : slice)
      if (!is_nan(each) && ties_in_half(each, extreme, direction) &&
          (f(scalar(each)) || f(scalar(static_cast<float>(rounded<float16>(each, direction))))))
        return;
  };
}

// MIN, MAX: either zero where zeros tie, flushed_extremes(), and NaN beside numbers.
template <class T>
void add_extreme_verdicts(const reduce_desc& desc, const std::vector<T>& slice, std::size_t element, bool flushes,
                          bool rounds, output_verdicts& result) {
  const auto key = [&](T x) { return order_key(flushes ? flushed(x) : x); };
  const bool has_nan = std::any_of(slice.begin(), slice.end(), [](T x) { return is_nan(x); });
  const T best = extreme_of(desc.function, slice, key);
  if (has_nan && desc.nan_policy == nan_policy::skip)
    result.allow(element, scalar(std::numeric_limits<T>::quiet_NaN()));
  if (is_nan(best) || (has_nan && desc.nan_policy == nan_policy::propagate)) return;
  if (rounds) result.allow_what_is_read(element);
  if (key(best) != 0) return;  // other numbers are equal only if their bits are
  if (flushes) result.allow_what_is_read(element);
  if (is_zero(best)) {
    result.allow(element, scalar(static_cast<T>(0.0F)));
    result.allow(element, scalar(static_cast<T>(-0.0F)));
  }
}

template <class Verdicts>
void add_reduce_verdicts(const reduce_desc& desc, const const_tensor_ref& input, const tensor_ref& golden, bool flushes,
                         Verdicts& result) {
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    const dimensions box = candidate_box(input.desc().sizes, desc.axes);
    std::vector<T> slice;
    std::vector<double> numbers;
    slice.reserve(static_cast<std::size_t>(element_count(box)));
    numbers.reserve(slice.capacity());
    if (flushes && selects_extreme(desc))
      result.read_alternatives_with(flushed_extremes(desc, input, golden.desc().sizes));
    const bool rounds = selects_extreme(desc) && mode.float32 && !flushes && mode.rounds_to_half();
    if (rounds) {
      const auto copy = std::make_shared<const host_tensor>(input);
      const dimensions& sizes = golden.desc().sizes;
      result.read_alternatives_with(extremes_in_half(desc, copy, sizes, rounding::nearest_even));
      result.read_values_toward_zero_with(extremes_in_half(desc, copy, sizes, rounding::toward_zero));
    }
    std::size_t element = 0;
    for (const coordinate_tuple& o : coordinates_of(golden.desc().sizes)) {
      slice.clear();
      numbers.clear();
      for (const coordinate_tuple& r : coordinates_of(box)) {
        slice.push_back(x[reduction_candidate(o, r)]);
        numbers.push_back(exact_double(slice.back()));
      }
      if (selects_extreme(desc)) {
        add_extreme_verdicts(desc, slice, element, flushes, rounds, result);
      } else if (slice.size() <= 2 && desc.function == reduce_function::sum) {
        const T first = slice.size() == 2 ? slice[0] : static_cast<T>(0.0F);
        add_step_verdict<element_wise_op::add>(mode, first, slice.back(), T(y[o]), element, result);
      } else if (slice.size() <= 2 && desc.function == reduce_function::multiply) {
        const T first = slice.size() == 2 ? slice[0] : static_cast<T>(1.0F);
        add_step_verdict<element_wise_op::multiply>(mode, first, slice.back(), T(y[o]), element, result);
      } else {
        const auto allowed_in = [&](const arithmetic_mode& m) {
          return interval_of_reduction<T>(desc.function, numbers, box, m, T(y[o]));
        };
        graded_interval both = allowed_in(mode);
        if (mode.half()) {  // shaders of reductions are known that add in FLOAT32 (ledger AR-R1)
          arithmetic_mode usual = mode;
          usual.accumulation = accumulation::half_products;
          const interval of_products = allowed_in(usual).allowed;
          for (interval* each : {&both.allowed, &both.close}) {
            each->usual_low = (std::max)(each->usual_low, of_products.low);
            each->usual_high = (std::min)(each->usual_high, of_products.high);
          }
        }
        result.allow_interval_beside(element, both, interval_refusal::reciprocals, T(y[o]));
      }
      ++element;
    }
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<reduce_desc> Desc>
struct verdict_traits<Desc> : arg_reduce_verdict_traits<Desc> {
  using base = arg_reduce_verdict_traits<Desc>;

  static void verdicts(const reduce_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    if (operator_traits<reduce_desc>::gives_index(desc))
      base::verdicts(desc, inputs, golden, result);
    else
      goldml::detail::add_reduce_verdicts(desc, inputs[0], golden[0], false, result[0]);
  }
  static void flushed_verdicts(const reduce_desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (!operator_traits<reduce_desc>::gives_index(desc))
      goldml::detail::add_reduce_verdicts(desc, inputs[0], flushed[0], true, result[0]);
  }
  static constexpr std::uint64_t memory_of_values = 192;  // of up to four

  // For each element a byte, and an interval or the values of an extreme; a slice, also as
  // doubles; of an extreme, a copy of the input.
  static std::uint64_t verdict_memory(const reduce_desc& desc, const std::array<operand, 2>& t) {
    if (operator_traits<reduce_desc>::gives_index(desc)) return 0;
    const std::uint64_t slice = element_count(candidate_box(t[0].desc->sizes, desc.axes));
    const bool is_step = slice <= 2 && t[0].desc->data_type == data_type::float32 &&
                         (desc.function == reduce_function::sum || desc.function == reduce_function::multiply);
    const bool divides = desc.function == reduce_function::average || desc.function == reduce_function::l2;
    const bool selects = goldml::detail::selects_extreme(desc);
    const std::uint64_t each = (selects || is_step ? memory_of_values : 0) + (selects ? 0 : sizeof(interval)) +
                               (divides ? more_interval_memory : 0);
    const std::uint64_t copy = selects ? total_tensor_size_in_bytes(*t[0].desc) : 0;
    return saturating_add(saturating_multiply(element_count(t[1].desc->sizes), 1 + each),
                          saturating_add(saturating_multiply(slice, sizeof(float) + sizeof(double)), copy));
  }

  // SUM, AVERAGE, L1, SUM_SQUARE and L2 of floats.
  static bool sums(const reduce_desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                   fit_sums& result) {
    const bool squares = desc.function == reduce_function::sum_square || desc.function == reduce_function::l2;
    const bool averages = desc.function == reduce_function::average, sizes_only = desc.function == reduce_function::l1;
    if (!squares && !averages && !sizes_only && desc.function != reduce_function::sum) return false;
    if (output.data_type != data_type::float32 && output.data_type != data_type::float16) return false;
    const dimensions box = candidate_box(inputs[0].desc().sizes, desc.axes);
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      result.left = [=, x = inputs[0].as<T>(), sizes = output.sizes](std::uint64_t line, std::vector<float>& numbers) {
        const coordinate_tuple o = coordinate_at(sizes, line);
        for (const coordinate_tuple& r : coordinates_of(box)) {
          const auto number = static_cast<float>(x[reduction_candidate(o, r)]);
          numbers.push_back(sizes_only ? std::abs(number) : number);
        }
      };
    });
    if (squares) result.right = result.left;
    result.has_right = squares;
    result.rows = element_count(output.sizes);
    result.columns = 1;
    result.place_of = [count = element_count(box)](std::uint64_t e) { return fit_place{e, e, count}; };
    result.model.finish = averages                               ? fit_finish::average
                          : desc.function == reduce_function::l2 ? fit_finish::root
                                                                 : fit_finish::none;
    result.model.set(output.data_type, desc.accumulation);
    return true;
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::per_element>,
                                                 .is_listed_otherwise = &base::is_listed_otherwise,
                                                 .to_listing_order = &base::to_listing_order,
                                                 .sums = &sums};
};

}  // namespace goldml::oracle
