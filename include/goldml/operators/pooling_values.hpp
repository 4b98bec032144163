// The golden values of pooling: the greatest tap of a window and its index, and averages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

// Whether x is greater than the greatest so far (ledger 7.1).
template <class T>
bool is_greater_tap(T x, T best, nan_policy policy) {
  if (is_nan(x) || is_nan(best)) return policy == nan_policy::skip ? is_nan(best) && !is_nan(x) : !is_nan(best);
  return order_key(x) > order_key(best);
}

// The first of the greatest taps; none if the window has no tap. `seen` changes what is compared.
template <class T, class See>
std::optional<coordinate_tuple> greatest_tap(const tensor_view<const T>& x, const window_taps& taps, nan_policy policy,
                                             const See& seen) {
  std::optional<coordinate_tuple> best;
  T most{};
  for (const coordinate_tuple& r : coordinates_of(taps.counts)) {
    const coordinate_tuple c = taps[r];
    const T each = seen(T(x[c]));
    if (best && !is_greater_tap(each, most, policy)) continue;
    best = c;
    most = each;
  }
  return best;
}
template <class T>
std::optional<coordinate_tuple> greatest_tap(const tensor_view<const T>& x, const window_taps& taps,
                                             nan_policy policy) {
  return greatest_tap(x, taps, policy, [](T each) { return each; });
}

// What a window without taps gives: -infinity, or the least integer.
template <class T>
T least_of() {
  if constexpr (is_floating_type<T>)
    return -std::numeric_limits<T>::infinity();
  else
    return (std::numeric_limits<T>::min)();
}

// The row-major number of an element.
inline std::uint64_t number_of(const coordinate_tuple& c, const dimensions& sizes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) number = number * sizes[i] + c[i];
  return number;
}

// The number of the element in the whole input; all bits set if there is none.
inline void store_index(const tensor_ref& indices, const coordinate_tuple& o, const dimensions& input,
                        const std::optional<coordinate_tuple>& c) {
  const std::uint64_t index = c ? number_of(*c, input) : ~std::uint64_t{0};
  visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, indices.desc().data_type,
                  [&]<class Index>(std::type_identity<Index>) { indices.as<Index>()[o] = static_cast<Index>(index); });
}

// The sum of the numbers divided by the product of the divisors, rounded to odd. 0 of no numbers.
inline double value_of_average_over(std::span<const double> x, const dimensions& divisors) {
  if (x.empty()) return 0;
  const extended_sum sum = sum_of(x);
  return sum.is_finite() ? sum.finite.value_of_quotients(divisors) : sum.special();
}

// A sum of numbers that are divided by products of divisors.
class quotient_sum {
 public:
  void add(double x, const dimensions& divisors) {
    if (!is_finite_double(x)) return specials_.add(x);
    exact_sum one;
    one.add(x);
    sum_.add_quotient(one, divisors);
  }
  // Rounded to odd.
  double value() {
    if (!specials_.is_finite()) return specials_.special();
    sum_.resolve_quotients();
    return sum_.value();
  }

 private:
  extended_sum specials_;
  exact_sum sum_;
};

}  // namespace goldml::detail
