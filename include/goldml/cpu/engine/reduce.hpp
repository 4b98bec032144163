// The engine of REDUCE's functions that give no index. Sums are computed in double, with a bound on their error; where
// it leaves open how the result is rounded, and the sums are not exact, the element is computed exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/estimate.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/reduce/estimates.hpp>
#include <goldml/cpu/engine/reduce/sums.hpp>
#include <goldml/operators/reduce.hpp>

namespace goldml::detail {

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

template <reduction::summand S, class T>
T sum_slice(instruction_set set, reduce_function function, const slice_walk<T>& slice) {
  reduction::double_sums sums;
  const std::uint64_t stride = slice.run.stride[0], size = slice.run.size;
  slice.outer.for_each(
      [&](const auto& offset) { reduction::add_elements<S>(set, slice.data + offset[0], stride, size, sums); });
  if (const auto result = certain<T>(estimate_of(function, slice.count(), sums))) return *result;
  if (reduction::may_be_exact(sums)) {
    const double shift = reduction::shift_for(sums.magnitude);
    bool exact = true;
    slice.outer.for_each([&](const auto& offset) {
      exact = exact && reduction::are_multiples<S>(set, slice.data + offset[0], stride, size, shift);
    });
    if (const auto result = exact ? certain_of_exact<T>(function, slice.count(), sums) : std::nullopt) return *result;
  }
  return exactly_reduced(function, slice);
}

template <class T>
T reduce_slice(instruction_set set, const reduce_desc& desc, const slice_walk<T>& slice) {
  if (selects_extreme(desc)) return extreme_of_slice(desc, slice);
  if constexpr (is_floating_type<T>) {
    if (adds_squares(desc.function)) return sum_slice<reduction::summand::square>(set, desc.function, slice);
    if (adds_numbers(desc.function)) return sum_slice<reduction::summand::number>(set, desc.function, slice);
    const bool multiplies = desc.function == reduce_function::multiply;
    if (const auto result = certain<T>(multiplies ? estimate_product(slice) : estimate_log_sum_exp(slice)))
      return *result;
    return exactly_reduced(desc.function, slice);
  } else {
    return integer_reduction(desc.function, slice);
  }
}

// Reduces slices of which the first elements are adjacent, many at once.
template <reduction::summand S, class T>
void sum_columns(instruction_set set, reduce_function function, const slice_walk<T>& first, std::size_t count, T* to,
                 std::uint64_t step) {
  using block = reduction::column_sums<T>;
  block sums{};
  const std::uint64_t pitch = first.run.stride[0], rows = first.run.size;
  first.outer.for_each(
      [&](const auto& offset) { sums.template add<S>(set, first.data + offset[0], pitch, rows, count); });
  std::array<std::int64_t, block::width> lost;
  bool lost_known = false;
  const auto is_exact = [&](std::size_t i) {
    if (!reduction::may_be_exact(sums.at(i))) return false;
    if (!lost_known) {  // one shift for all columns
      double magnitude = 0;
      for (std::size_t j = 0; j < count; ++j)
        if (reduction::may_be_exact(sums.at(j))) magnitude = (std::max)(magnitude, sums.at(j).magnitude);
      lost.fill(0);
      first.outer.for_each([&](const auto& offset) {
        block::template find_lost<S>(set, first.data + offset[0], pitch, rows, count, reduction::shift_for(magnitude),
                                     lost.data());
      });
      lost_known = true;
    }
    return lost[i] == 0;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const slice_walk<T> slice{first.data + i, first.outer, first.run};
    auto result = certain<T>(estimate_of(function, slice.count(), sums.at(i)));
    if (!result && is_exact(i)) result = certain_of_exact<T>(function, slice.count(), sums.at(i));
    to[i * step] = result ? *result : exactly_reduced(function, slice);
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
  const std::uint64_t bytes = element_count(input.sizes()) * sizeof(T);
  const instruction_set set = backend.instruction_set();
  if constexpr (is_floating_type<T>) {
    const bool adds = adds_squares(desc.function) || adds_numbers(desc.function);
    if (adds && run.stride[0] != 1 && !elements.empty() && elements.back().stride[1] == 1 &&
        elements.back().size >= 4) {
      const loop<2> columns = elements.take_innermost();
      constexpr std::uint64_t width = reduction::column_sums<T>::width;
      const std::uint64_t blocks = (columns.size + width - 1) / width;
      return parallel_for(backend, bytes, elements.iterations() * blocks, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t block = begin; block < end; ++block) {
          const auto offset = offsets_at(elements, block / blocks);
          const std::uint64_t first = block % blocks * width, step = columns.stride[0];
          const auto count = static_cast<std::size_t>((std::min)(columns.size - first, width));
          const slice_walk<T> slice{input.data() + offset[1] + first, slices, run};
          T* const to = output.data() + offset[0] + first * step;
          if (adds_squares(desc.function))
            sum_columns<reduction::summand::square>(set, desc.function, slice, count, to, step);
          else
            sum_columns<reduction::summand::number>(set, desc.function, slice, count, to, step);
        }
      });
    }
  }
  parallel_for(backend, bytes, elements.iterations(), [&](std::uint64_t begin, std::uint64_t end) {
    elements.for_range(begin, end, [&](const auto& offset) {
      output.data()[offset[0]] = reduce_slice<T>(set, desc, {input.data() + offset[1], slices, run});
    });
  });
}

}  // namespace goldml::detail
