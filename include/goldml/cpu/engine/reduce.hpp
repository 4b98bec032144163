// The engine of REDUCE's functions that give no index: one output element after the other. Sums are computed in double,
// with a bound on their error; where it leaves open how the result is rounded, the element is computed exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml::detail {

// The elements of a slice, in row-major order.
template <class T>
struct slice_walk {
  const T* data;
  const loop_nest<1>& outer;
  const loop<1>& run;

  template <class F>
  void for_each(const F& f) const {
    outer.for_each([&](const auto& offset) {
      const T* const first = data + offset[0];
      for (std::uint64_t i = 0; i < run.size; ++i) f(first[i * run.stride[0]]);
    });
  }
  double count() const { return static_cast<double>(outer.iterations() * run.size); }
  std::vector<double> numbers() const {
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(outer.iterations() * run.size));
    for_each([&](T x) { result.push_back(exact_double(x)); });
    return result;
  }
};

// The sum of f(x), and that of the magnitudes. Four sums at a time, because each addition waits for the one before.
template <class T, class F>
std::array<double, 2> sums_of(const slice_walk<T>& slice, const F& f) {
  std::array<double, 4> sum{};
  std::array<double, 4> magnitude{};
  slice.outer.for_each([&](const auto& offset) {
    const T* const first = slice.data + offset[0];
    const std::uint64_t stride = slice.run.stride[0];
    std::uint64_t i = 0;
    for (; i + 4 <= slice.run.size; i += 4)
      for (std::size_t k = 0; k < 4; ++k) {
        const double x = f(exact_double(first[(i + k) * stride]));
        sum[k] += x;
        magnitude[k] += std::abs(x);
      }
    for (; i < slice.run.size; ++i) {
      const double x = f(exact_double(first[i * stride]));
      sum[0] += x;
      magnitude[0] += std::abs(x);
    }
  });
  return {sum[0] + sum[1] + (sum[2] + sum[3]), magnitude[0] + magnitude[1] + (magnitude[2] + magnitude[3])};
}

// The exponential and the logarithm of the C++ library are assumed to be within this, relatively.
inline constexpr double error_of_library = 0x1p-50;

template <class T>
estimate estimate_log_sum_exp(const slice_walk<T>& slice) {
  double most = -infinite_double;
  bool has_nan = false;
  slice.for_each([&](T x) {
    has_nan = has_nan || is_nan(x);
    most = (std::max)(most, exact_double(x));
  });
  if (has_nan || !is_finite_double(most)) return {nan_double, 0};
  const auto [sum, ignored] = sums_of(slice, [&](double x) { return std::exp(x - most); });
  static_cast<void>(ignored);
  // x - most is rounded; beyond -750 its power is 0 or subnormal, which is nothing beside 1.
  const double of_sum = error_of_library + 750 * 0x1p-53 + growth(slice.count(), 0x1p-53);
  const double logarithm = std::log(sum);
  const double value = most + logarithm;
  return {value, 2 * of_sum + error_of_library * logarithm + 0x1p-52 * (std::abs(most) + std::abs(value))};
}

// The significand and the exponent apart, so that nothing overflows.
template <class T>
estimate estimate_product(const slice_walk<T>& slice) {
  double significand = 1;
  std::int64_t exponent = 0;
  bool known = true;
  slice.for_each([&](T x) {
    const double number = exact_double(x);
    known = known && is_finite_double(number) && !is_zero(number);
    if (!known) return;
    significand *= number;  // 2^-150 to 2^129 each
    const auto bits = std::bit_cast<std::uint64_t>(significand);
    exponent += static_cast<std::int64_t>(magnitude_bits(significand) >> 52) - 1023;
    significand = std::bit_cast<double>((bits & ~(std::uint64_t{0x7FF} << 52)) | std::uint64_t{1023} << 52);
  });
  if (!known || exponent > 900 || exponent < -900) return {nan_double, 0};
  const double value = std::ldexp(significand, static_cast<int>(exponent));
  return {value, std::abs(value) * growth(slice.count(), 0x1p-53)};
}

template <class T>
estimate estimate_of(reduce_function function, const slice_walk<T>& slice) {
  const double n = slice.count();
  const double g = growth(n + 3, 0x1p-53);
  if (function == reduce_function::log_sum_exp) return estimate_log_sum_exp(slice);
  if (function == reduce_function::multiply) return estimate_product(slice);
  if (function == reduce_function::sum_square || function == reduce_function::l2) {
    const double sum = sums_of(slice, [](double x) { return x * x; })[0];
    if (function == reduce_function::sum_square) return {sum, g * sum};
    const double root = std::sqrt(sum);
    return {root, root * (g + 0x1p-52)};
  }
  const auto [sum, magnitude] = sums_of(slice, [](double x) { return x; });
  switch (function) {
    case reduce_function::l1:
      return {magnitude, g * magnitude};
    case reduce_function::average:
      return {sum / n, g * magnitude / n};
    case reduce_function::log_sum: {
      const double error = g * magnitude / sum;  // relative
      if (!is_finite_double(sum) || sum <= 0 || error > 0x1p-10) return {nan_double, 0};
      const double logarithm = std::log(sum);
      return {logarithm, 2 * error + error_of_library * std::abs(logarithm)};
    }
    default:
      return {sum, g * magnitude};
  }
}

inline double exact_reduction(reduce_function function, std::span<const double> x) {
  switch (function) {
    case reduce_function::average:
      return value_of_average(x);
    case reduce_function::l1:
      return value_of_sum_of_magnitudes(x);
    case reduce_function::l2:
      return value_of_norm(x);
    case reduce_function::log_sum:
      return value_of_log_sum(x);
    case reduce_function::log_sum_exp:
      return value_of_log_sum_exp(x);
    case reduce_function::multiply:
      return value_of_product(x);
    case reduce_function::sum_square:
      return value_of_sum_of_squares(x);
    default:
      return value_of_sum(x);
  }
}

template <class T>
T extreme_of_slice(const reduce_desc& desc, const slice_walk<T>& slice) {
  const bool least = desc.function == reduce_function::min;
  const bool skips = desc.nan_policy == nan_policy::skip;
  const auto better = [&](T x, T than) {
    if (is_nan(x) != is_nan(than)) return is_nan(x) != skips;
    if (is_nan(x)) return false;
    return least ? order_key(x) < order_key(than) : order_key(x) > order_key(than);
  };
  T best{};
  bool any = false;
  slice.for_each([&](T x) {
    if (!any || better(x, best)) best = x;
    any = true;
  });
  return best;
}

// Modulo 2^64, of which the element keeps the lowest bits.
template <class T>
T integer_reduction(reduce_function function, const slice_walk<T>& slice) {
  std::uint64_t result = function == reduce_function::multiply ? 1 : 0;
  const auto with = [&](const auto& f) {
    slice.for_each([&](T x) { result = f(result, static_cast<std::uint64_t>(x)); });
  };
  switch (function) {
    case reduce_function::l1:
      slice.for_each([&](T x) { result += x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x); });
      break;
    case reduce_function::multiply:
      with([](std::uint64_t a, std::uint64_t x) { return a * x; });
      break;
    case reduce_function::sum_square:
      with([](std::uint64_t a, std::uint64_t x) { return a + x * x; });
      break;
    default:
      with([](std::uint64_t a, std::uint64_t x) { return a + x; });
  }
  return static_cast<T>(result);
}

template <class T>
T reduce_slice(const reduce_desc& desc, const slice_walk<T>& slice) {
  if (selects_extreme(desc)) return extreme_of_slice(desc, slice);
  if constexpr (is_floating_type<T>) {
    if (const auto result = certain<T>(estimate_of(desc.function, slice))) return *result;
    return goldml::rounded<T>(exact_reduction(desc.function, slice.numbers()));
  } else {
    return integer_reduction(desc.function, slice);
  }
}

template <class T>
void reduce_elements(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                     const reduce_desc& desc) {
  loop_nest<2> elements;  // strides: of the output, and of the input
  loop_nest<1> slices;
  for (std::size_t i = 0; i < input.sizes().size(); ++i)
    if (desc.axes.contains(static_cast<std::uint32_t>(i)))
      slices.add(input.sizes()[i], {input.strides()[i]});
    else
      elements.add(input.sizes()[i], {output.strides()[i], input.strides()[i]});
  elements.sort_by_stride(0);
  elements.merge();
  slices.merge();
  const loop<1> run = slices.take_innermost();
  parallel_for(backend, element_count(input.sizes()) * sizeof(T), elements.iterations(),
               [&](std::uint64_t begin, std::uint64_t end) {
                 elements.for_range(begin, end, [&](const auto& offset) {
                   output.data()[offset[0]] = reduce_slice<T>(desc, {input.data() + offset[1], slices, run});
                 });
               });
}

}  // namespace goldml::detail
