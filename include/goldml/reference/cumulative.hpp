// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT, following their pages and the ledger (CU-R1).
#pragma once

#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/cumulative.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// The exact sum or product of the elements so far; of integers, modulo 2^64, of which the output keeps the lowest bits.
template <class Desc, class T>
struct running_result {
  std::uint64_t value = multiplies<Desc> ? 1 : 0;

  void add(T x) {
    value = multiplies<Desc> ? value * static_cast<std::uint64_t>(x) : value + static_cast<std::uint64_t>(x);
  }
  T rounded() const { return static_cast<T>(value); }
};
template <class Desc, class T>
requires is_floating_type<T>
struct running_result<Desc, T> {
  std::conditional_t<multiplies<Desc>, extended_product, extended_sum> value;

  void add(T x) {
    if constexpr (multiplies<Desc>)
      value.multiply(exact_double(x));
    else
      value.add(exact_double(x));
  }
  T rounded() const { return goldml::rounded<T>(value.value()); }
};

}  // namespace detail

template <detail::cumulative_operator Desc>
struct kernel<Desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const std::uint32_t size = input.sizes()[desc.axis];
    dimensions lines = input.sizes();
    lines[desc.axis] = 1;
    for (coordinate_tuple c : coordinates_of(lines)) {
      detail::running_result<Desc, T> result;
      for (std::uint32_t k = 0; k < size; ++k) {
        c[desc.axis] = detail::position_of(desc, k, size);
        const T x = input[c];  // read before the output is written, which may be the same memory
        if (!detail::is_exclusive(desc)) result.add(x);
        output[c] = result.rounded();
        if (detail::is_exclusive(desc)) result.add(x);
      }
    }
  }
};

}  // namespace goldml
