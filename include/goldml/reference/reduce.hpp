// REDUCE, following its page and the ledger (L66).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/operators/reduce_values.hpp>
#include <goldml/reference/argmax.hpp>
#include <goldml/reference/argmin.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// Modulo 2^64, of which the output keeps the lowest bits. |MIN| is MIN.
template <class T>
std::uint64_t reduced_integer(reduce_function function, const std::vector<T>& slice) {
  std::uint64_t result = function == reduce_function::multiply ? 1 : 0;
  for (const T each : slice) {
    const auto x = static_cast<std::uint64_t>(each);  // negative numbers modulo 2^64
    switch (function) {
      case reduce_function::l1:
        result += each < 0 ? 0 - x : x;
        break;
      case reduce_function::multiply:
        result *= x;
        break;
      case reduce_function::sum:
        result += x;
        break;
      case reduce_function::sum_square:
        result += x * x;
        break;
      default:
        throw std::logic_error("goldml: REDUCE takes no integers with this function");
    }
  }
  return result;
}

// The least or greatest element, the first of equals; NaN if there is no number or, with `propagate`, any NaN.
template <class T, class Wins>
T extreme_of(const std::vector<T>& slice, nan_policy policy) {
  std::optional<T> best;
  for (const T x : slice)
    if (!best || Wins::better(x, *best, policy)) best = x;
  return *best;
}

template <class T>
T reduced(const reduce_desc& desc, const std::vector<T>& slice) {
  if (desc.function == reduce_function::min) return extreme_of<T, least_wins>(slice, desc.nan_policy);
  if (desc.function == reduce_function::max) return extreme_of<T, greatest_wins>(slice, desc.nan_policy);
  if constexpr (is_floating_type<T>) {
    std::vector<double> numbers;
    numbers.reserve(slice.size());
    for (const T x : slice) numbers.push_back(exact_double(x));
    return goldml::rounded<T>(reduced_number(desc.function, numbers));
  } else {
    return static_cast<T>(reduced_integer(desc.function, slice));
  }
}

}  // namespace detail

template <>
struct kernel<reduce_desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const reduce_desc& desc) {
    if (operator_traits<reduce_desc>::gives_index(desc))
      return detail::reduce_by_arg_reduce(backend, inputs, outputs, desc);
    visit_data_type(a10_types{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto input = inputs[0].as<T>();
      const auto output = outputs[0].as<T>();
      const dimensions box = candidate_box(input.sizes(), desc.axes);
      for (const coordinate_tuple& o : coordinates_of(output.sizes())) {
        std::vector<T> slice;
        slice.reserve(static_cast<std::size_t>(element_count(box)));
        for (const coordinate_tuple& r : coordinates_of(box)) slice.push_back(input[reduction_candidate(o, r)]);
        output[o] = detail::reduced<T>(desc, slice);
      }
    });
  }
};

}  // namespace goldml
